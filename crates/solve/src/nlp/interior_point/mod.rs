//! A primal-dual interior-point method for small dense programs, after A. Waechter and L. T.
//! Biegler, *On the implementation of an interior-point filter line-search algorithm for
//! large-scale nonlinear programming*, Mathematical Programming 106 (2006), the method of IPOPT.
//!
//! IPOPT spends some fifty microseconds of bookkeeping on every iteration, whatever the size of the
//! program. Here a program of a dozen variables and constraints takes about one: sizes are known at
//! compile time, iterates live on the stack, and a solve allocates no memory. The parameters are
//! IPOPT's, so that both take nearly the same iterates. What is left out of IPOPT: the soft
//! restoration phase, quasi-Newton Hessians, and the adaptive barrier update.

mod barrier;
mod bounded;
mod evaluate;
mod filter;
mod inertia;
mod initialize;
mod iterate;
mod kkt;
mod line_search;
mod log;
mod optimality;
mod options;
mod phase;
mod restoration;
mod scaling;
mod search;
mod watchdog;

use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

pub use self::options::InteriorPointOptions;

use self::bounded::Interval;
use self::evaluate::{Differentiated, Evaluate};
use self::filter::Filter;
use self::inertia::InertiaCorrection;
use self::initialize::Push;
use self::iterate::{FirstOrder, Intervals, Iterate, Values};
use self::phase::Phase;
use self::scaling::{Scaled, Scaling};
use self::search::Search;
use super::{
    Bounds, BunchKaufman, Multipliers, Nlp, NlpSolution, NlpSolver, Residuals, SolveStatus, Sparsity, Start,
};

/// Room for filter entries that does not have to grow in ordinary solves.
const FILTER_ROOM: usize = 128;

/// What solves share.
struct Workspace {
    /// Whether every iterate is logged.
    is_verbose: bool,
    factors: BunchKaufman,
    jacobian: Vec<f64>,
    hessian: Vec<f64>,
    hessian_entries: Vec<(usize, usize)>,
    /// Where the entries of each row of the Jacobian begin, and the end.
    row_starts: Vec<usize>,
    right_hand_side: Vec<f64>,
    /// Variables that enter one constraint alone, and the Hessian on its diagonal at most:
    /// column, position of the entry in the Jacobian, position of the diagonal in the Hessian.
    slack_variables: Vec<(usize, usize, Option<usize>)>,
}

/// The crate's own interior-point solver.
///
/// ```
/// use nalgebra::{SVector, vector};
/// use num_dual::DualNum;
/// # use stickslip_solve as stickslip;
/// use stickslip::nlp::{Bounds, InteriorPoint, InteriorPointOptions, Nlp, NlpSolver, SolveStatus, Start};
///
/// /// min x^2 + y^2 subject to x y >= 1
/// struct Hyperbola;
///
/// impl Nlp<2, 1> for Hyperbola {
///     fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> T {
///         x[0].powi(2) + x[1].powi(2)
///     }
///     fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> SVector<T, 1> {
///         SVector::from([x[0] * x[1]])
///     }
///     fn variable_bounds(&self) -> Bounds<2> {
///         Bounds::non_negative()
///     }
///     fn constraint_bounds(&self) -> Bounds<1> {
///         Bounds::new([1.0], [f64::INFINITY])
///     }
/// }
///
/// let mut solver = InteriorPoint::new(&Hyperbola, InteriorPointOptions::default());
/// let solution = solver.solve(&Hyperbola, &Start::cold(vector![3.0, 0.5]));
/// assert_eq!(solution.status, SolveStatus::Solved);
/// assert!((solution.objective - 2.0).abs() < 1e-7);
/// ```
pub struct InteriorPoint<const N: usize, const M: usize> {
    options: InteriorPointOptions,
    sparsity: Sparsity<N, M>,
    objective_variables: Vec<usize>,
    workspace: Workspace,
    filter: Filter,
    restoration_filter: Filter,
}

/// Where the algorithm stopped, in the terms of the program as it was written.
struct End<const N: usize, const M: usize> {
    x: SVector<f64, N>,
    multipliers: Multipliers<N, M>,
    status: SolveStatus,
    iterations: u32,
}

impl<const N: usize, const M: usize> InteriorPoint<N, M> {
    /// A solver for programs of the structure of `problem`, which is probed here once.
    pub fn new<P: Nlp<N, M>>(problem: &P, options: InteriorPointOptions) -> Self {
        let sparsity = Sparsity::probe(problem);
        let workspace = Workspace {
            is_verbose: false,
            factors: BunchKaufman::new(N + M),
            jacobian: vec![0.0; sparsity.jacobian().len()],
            hessian: vec![0.0; sparsity.hessian().len()],
            hessian_entries: sparsity.hessian().to_vec(),
            row_starts: (0..=M).map(|i| sparsity.jacobian().partition_point(|entry| entry.0 < i)).collect(),
            right_hand_side: vec![0.0; N + M],
            slack_variables: slack_variables(&sparsity),
        };
        Self {
            options,
            objective_variables: objective_variables(problem),
            sparsity,
            workspace,
            filter: Filter::with_room(FILTER_ROOM),
            restoration_filter: Filter::with_room(FILTER_ROOM),
        }
    }

    fn run(
        options: &InteriorPointOptions,
        program: &dyn Evaluate<N, M>,
        entries: &[(usize, usize)],
        workspace: &mut Workspace,
        filters: (&mut Filter, &mut Filter),
        bounds: (Bounds<N>, Bounds<M>),
        start: &Start<N, M>,
    ) -> End<N, M> {
        let (x_bounds, g_bounds) = bounds;
        let failed =
            |x: SVector<f64, N>, status| End { x, multipliers: Multipliers::zeros(), status, iterations: 0 };
        if !is_well_posed(&x_bounds) || !is_well_posed(&g_bounds) {
            return failed(start.x, SolveStatus::InvalidProblem);
        }
        let is_equality = SVector::<bool, M>::from_fn(|i, _| g_bounds.lower[i] == g_bounds.upper[i]);
        if is_equality.iter().filter(|is_equality| **is_equality).count() > N {
            return failed(start.x, SolveStatus::TooFewDegreesOfFreedom);
        }
        let mut gradient = SVector::zeros();
        program.gradient(&start.x, &mut gradient);
        program.jacobian(&start.x, &mut workspace.jacobian);
        let scaling = Scaling::new(&gradient, &workspace.jacobian, entries);
        let program = Scaled { program, scaling, entries };

        // slacks of equalities are constants without bounds
        let targets = g_bounds.lower.component_mul(&scaling.constraints);
        let mut s_bounds =
            Bounds { lower: targets, upper: g_bounds.upper.component_mul(&scaling.constraints) };
        for i in 0..M {
            if is_equality[i] {
                s_bounds.lower[i] = f64::NEG_INFINITY;
                s_bounds.upper[i] = f64::INFINITY;
            }
        }
        let (x_bounds, s_bounds) =
            (relaxed(&x_bounds, options.bound_relaxation), relaxed(&s_bounds, options.bound_relaxation));
        let is_warm = start.multipliers.is_some();
        let push = if is_warm { Push::Warm } else { Push::Cold };
        let x = push.inside(&x_bounds, &start.x);
        let (_, g) = program.values(&x);
        let inside = push.inside(&s_bounds, &g);
        let s = SVector::from_fn(|i, _| if is_equality[i] { targets[i] } else { inside[i] });
        let no_elastic = Interval::new(&Bounds::free());
        let mut intervals = Intervals {
            x: Interval::new(&x_bounds),
            s: Interval::new(&s_bounds),
            p: no_elastic,
            n: no_elastic,
        };
        let multipliers = start.multipliers.map(|multipliers| scale_multipliers(&multipliers, &scaling));
        let iterate = initialize::first_iterate(&mut intervals, x, s, multipliers.as_ref());
        let mut search = Search {
            program: &program,
            options,
            workspace,
            filter: filters.0,
            spare_filter: Some(filters.1),
            phase: Phase::Optimality,
            is_equality,
            intervals,
            iterate,
            values: Values::NONE,
            first_order: FirstOrder::NONE,
            correction: InertiaCorrection::default(),
            mu: if is_warm { options.warm_start_barrier } else { options.initial_barrier },
            theta_max: 0.0,
            theta_min: 0.0,
            iterations: 0,
            max_iterations: if is_warm { options.warm_max_iterations } else { options.max_iterations },
            tiny_steps: 0,
            acceptable_iterations: 0,
            shortened_steps: 0,
            watchdog: None,
        };
        let status = match search.begin() {
            Err(_) => SolveStatus::EvaluationError,
            Ok(()) => {
                if start.multipliers.is_none() {
                    search.estimate_multipliers();
                }
                search.run()
            }
        };
        let Iterate { x, y, .. } = &search.iterate;
        let (lower, upper) = x.dense_multipliers(&search.intervals.x);
        End {
            x: x.value,
            multipliers: Multipliers {
                constraints: y.component_mul(&scaling.constraints) / scaling.objective,
                lower: lower / scaling.objective,
                upper: upper / scaling.objective,
            },
            status,
            iterations: search.iterations,
        }
    }
}

impl<const N: usize, const M: usize, P: Nlp<N, M>> NlpSolver<N, M, P> for InteriorPoint<N, M> {
    fn solve(&mut self, problem: &P, start: &Start<N, M>) -> NlpSolution<N, M> {
        let Self { options, sparsity, objective_variables, workspace, filter, restoration_filter } = self;
        let program = Differentiated { problem, sparsity, objective_variables };
        let end = Self::run(
            options,
            &program,
            sparsity.jacobian(),
            workspace,
            (filter, restoration_filter),
            (problem.variable_bounds(), problem.constraint_bounds()),
            start,
        );
        let residuals = Residuals::new(problem, &end.x, &end.multipliers);
        NlpSolution {
            x: end.x,
            objective: problem.objective(&end.x),
            constraints: problem.constraints(&end.x),
            multipliers: end.multipliers,
            status: end.status.confirmed_by(
                &residuals,
                options.residual_tolerance,
                options.acceptable_residual_tolerance,
            ),
            iterations: end.iterations,
            residuals,
        }
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.workspace.is_verbose = verbose;
    }

    fn info(&self) -> (&'static str, &'static str) {
        ("interior-point", env!("CARGO_PKG_VERSION"))
    }
}

/// Whether every interval has a point; bounds that are not numbers are none.
fn is_well_posed<const K: usize>(bounds: &Bounds<K>) -> bool {
    bounds
        .lower
        .iter()
        .zip(bounds.upper.iter())
        .all(|(lower, upper)| lower <= upper && *lower < f64::INFINITY && *upper > f64::NEG_INFINITY)
}

fn relaxed<const K: usize>(bounds: &Bounds<K>, by: f64) -> Bounds<K> {
    Bounds {
        lower: bounds
            .lower
            .map(|bound| if bound.is_finite() { bound - by * bound.abs().max(1.0) } else { bound }),
        upper: bounds
            .upper
            .map(|bound| if bound.is_finite() { bound + by * bound.abs().max(1.0) } else { bound }),
    }
}

/// Multipliers of the program as written, for the scaled one.
fn scale_multipliers<const N: usize, const M: usize>(
    multipliers: &Multipliers<N, M>,
    scaling: &Scaling<M>,
) -> Multipliers<N, M> {
    Multipliers {
        constraints: multipliers.constraints.component_div(&scaling.constraints) * scaling.objective,
        lower: multipliers.lower * scaling.objective,
        upper: multipliers.upper * scaling.objective,
    }
}

/// The variables that enter the objective, from the structure of dual numbers: a derivative that
/// cannot be there is absent, whatever the values.
fn objective_variables<const N: usize, const M: usize, P: Nlp<N, M>>(problem: &P) -> Vec<usize> {
    let x = SVector::<f64, N>::repeat(0.5);
    (0..N)
        .filter(|&variable| {
            let mut dual = x.map(DualSVec64::<1>::from_re);
            dual[variable].eps = Derivative::some(SVector::repeat(1.0));
            problem.objective(&dual).eps.0.is_some()
        })
        .collect()
}

/// See [`Workspace::slack_variables`].
fn slack_variables<const N: usize, const M: usize>(
    sparsity: &Sparsity<N, M>,
) -> Vec<(usize, usize, Option<usize>)> {
    let (jacobian, hessian) = (sparsity.jacobian(), sparsity.hessian());
    let is_coupled =
        |j: usize| hessian.iter().any(|&(row, column)| row != column && (row == j || column == j));
    let single_entry = |j: usize| {
        let mut entries = jacobian.iter().enumerate().filter(|(_, entry)| entry.1 == j);
        let first = entries.next()?.0;
        entries.next().is_none().then_some(first)
    };
    (0..N)
        .filter(|&j| !is_coupled(j))
        .filter_map(|j| Some((j, single_entry(j)?, hessian.iter().position(|entry| *entry == (j, j)))))
        .collect()
}
