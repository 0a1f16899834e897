//! Programs with known solutions.

use nalgebra::{SVector, vector};
use stickslip_solve::nlp::{Bounds, Ipopt, IpoptOptions, Nlp, NlpSolution, NlpSolver, SolveStatus, Start};

use crate::programs::{ContactStep, Functions, HockSchittkowski71, Linear, Rosenbrock, Scalar};

pub fn solve<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    start: SVector<f64, N>,
) -> NlpSolution<N, M> {
    let mut solver = Ipopt::new(problem, &IpoptOptions::default()).expect("the default options are valid");
    solver.solve(problem, &Start::cold(start))
}

/// Solves where a solution is expected.
fn solved<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    start: SVector<f64, N>,
) -> NlpSolution<N, M> {
    let solution = solve(problem, start);
    assert_eq!(solution.status, SolveStatus::Solved, "{solution:?}");
    assert!(solution.residuals.max() < 1e-7, "{:?}", solution.residuals);
    assert_eq!(solution.objective, problem.objective(&solution.x));
    assert_eq!(solution.constraints, problem.constraints(&solution.x));
    solution
}

/// As IPOPT's own documentation shows it: 8 iterations to 17.0140171.
#[test]
fn hock_schittkowski_71() {
    let mut solver =
        Ipopt::new(&HockSchittkowski71, &IpoptOptions::default()).expect("the default options are valid");
    solver.set_verbose(std::env::var_os("SOLVE_VERBOSELY").is_some());
    let solution = solver.solve(&HockSchittkowski71, &Start::cold(HockSchittkowski71::START.into()));
    assert_eq!((solution.status, solution.iterations), (SolveStatus::Solved, 8));
    assert!((solution.objective - HockSchittkowski71::MINIMUM).abs() < 5e-7, "{}", solution.objective);
    assert!((solution.x - SVector::from(HockSchittkowski71::MINIMISER)).amax() < 1e-6, "{}", solution.x);
    let multipliers = solution.multipliers;
    assert!((multipliers.constraints - vector![-0.552_293_66, 0.161_468_57]).amax() < 1e-6);
    assert!((multipliers.lower[0] - 1.087_871_2).abs() < 1e-6, "{}", multipliers.lower);
    assert!(multipliers.upper.amax() < 1e-7, "{}", multipliers.upper);
    assert!(solution.residuals.max() < 2e-8, "{:?}", solution.residuals);
}

/// Second derivatives are exact and cheap, so this is no use but to those who compare; IPOPT's
/// dense matrices, and the BLAS and LAPACK routines below them, are used here only.
#[test]
fn with_quasi_newton_approximations_of_the_hessian() {
    for update in ["bfgs", "sr1"] {
        let mut options = IpoptOptions::default();
        options.set("hessian_approximation", "limited-memory").set("limited_memory_update_type", update);
        let mut solver = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
        let solution = solver.solve(&HockSchittkowski71, &Start::cold(HockSchittkowski71::START.into()));
        assert_eq!(solution.status, SolveStatus::Solved, "{update}");
        assert!((solution.x - SVector::from(HockSchittkowski71::MINIMISER)).amax() < 1e-6, "{}", solution.x);

        let mut solver = Ipopt::new(&Rosenbrock, &options).expect("the options are valid");
        let solution = solver.solve(&Rosenbrock, &Start::cold(vector![-1.2, 1.0]));
        assert_eq!(solution.status, SolveStatus::Solved, "{update}");
        assert!((solution.x - vector![1.0, 1.0]).amax() < 1e-6, "{}", solution.x);
    }
}

#[test]
fn without_constraints() {
    let solution = solved(&Rosenbrock, vector![-1.2, 1.0]);
    assert!((solution.x - vector![1.0, 1.0]).amax() < 1e-7, "{}", solution.x);
}

#[test]
fn of_a_linear_program() {
    let solution = solved(&Linear::BOUNDED, vector![1.0, 1.0, 1.0]);
    assert!((solution.x - vector![1.6, 1.2, 0.0]).amax() < 1e-6, "{}", solution.x);
    assert!((solution.multipliers.constraints - vector![0.4, 0.2]).amax() < 1e-6);
    assert!((solution.multipliers.lower[2] - 1.4).abs() < 1e-6);
}

#[test]
fn with_fixed_variables() {
    let mut fixed = Linear::BOUNDED;
    (fixed.bounds.lower[1], fixed.bounds.upper[1]) = (0.75, 0.75);
    let solution = solved(&fixed, vector![1.0, 1.0, 1.0]);
    assert!((solution.x - vector![1.75, 0.75, 0.0]).amax() < 1e-6, "{}", solution.x);

    fixed.bounds = Bounds::new([0.25, 0.5, 0.125], [0.25, 0.5, 0.125]);
    let solution = solve(&fixed, vector![1.0, 1.0, 1.0]);
    assert_eq!(solution.status, SolveStatus::Solved);
    assert_eq!(solution.x, vector![0.25, 0.5, 0.125]);
}

/// The Jacobian of the constraints loses rank, so the KKT matrix is singular.
struct RepeatedConstraint;

impl Nlp<3, 2> for RepeatedConstraint {
    fn objective<T: num_dual::DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> T {
        x.dot(x)
    }

    fn constraints<T: num_dual::DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> SVector<T, 2> {
        vector![x[0] + x[1] + x[2], (x[0] + x[1] + x[2]) * 2.0]
    }

    fn variable_bounds(&self) -> Bounds<3> {
        Bounds::free()
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([3.0, 6.0], [3.0, 6.0])
    }
}

#[test]
fn with_a_constraint_that_repeats_another() {
    let solution = solved(&RepeatedConstraint, vector![5.0, 0.0, -5.0]);
    assert!((solution.x - vector![1.0, 1.0, 1.0]).amax() < 1e-6, "{}", solution.x);
}

struct LogarithmicBarrier;

impl Functions for LogarithmicBarrier {
    fn evaluate<T: num_dual::DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        (x - x.ln(), x)
    }
}

/// From 50 the Newton step leads far outside the domain of the logarithm.
#[test]
fn retreats_from_points_where_the_program_is_not_defined() {
    let solution = solved(&Scalar::new(LogarithmicBarrier), vector![50.0]);
    assert!((solution.x[0] - 1.0).abs() < 1e-7, "{}", solution.x);
}

/// The step has a closed form: the gap closes, and friction takes up to `mu pz` off the slip. Where
/// that is exactly the slip, both factors of a complementarity product of 1e-8 vanish together, and
/// the solution is good to the root of it only.
#[test]
fn of_contact_steps_agree_with_the_closed_form() {
    for free_slip in [-40.0, -2.0, -0.3, -0.02, 0.01, 0.2, 1.0, 75.0] {
        for (free_fall, gap) in [(-1.0, 0.0), (-5.0, 1.0), (-30.0, 2.0), (-1.0, 4.0), (2.0, 0.0)] {
            for friction in [0.0, 0.1, 1.0, 5.0] {
                let step = ContactStep { free_velocity: [free_slip, free_fall], gap, friction };
                let solution = solved(&step, step.start());
                let impulse = f64::max(0.0, -(free_fall + gap));
                let kept = free_slip.abs() - friction * impulse;
                let expected = vector![free_slip.signum() * kept.max(0.0), free_fall + impulse];
                let error = (solution.x.xy() - expected).amax();
                let tolerance = if kept == 0.0 { 1e-4 } else { 1e-5 * free_slip.abs().max(1.0) };
                assert!(error < tolerance, "{error:e}: {free_slip} {free_fall} {gap} {friction}");
            }
        }
    }
}
