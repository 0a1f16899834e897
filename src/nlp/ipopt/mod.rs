//! IPOPT (Waechter and Biegler 2006), compiled into the program, as a solver of [`Nlp`]s.
//!
//! The sources come with the crate `ipopt-src`. A small C++ shim in `cpp/` shows IPOPT the program
//! through C callbacks and solves its linear systems with the dense factorisation
//! [`BunchKaufman`](super::BunchKaufman), or above 150 rows with the sparse one
//! [`SparseLdl`](super::sparse::SparseLdl); `blas` supplies the few vector routines IPOPT needs.
//! Nothing has to be installed, and nothing is read from or written to the outside.

mod application;
#[cfg(bundled_blas)]
mod blas;
mod evaluation;
mod ffi;
mod kkt;
mod log;
mod options;
mod sparse;
mod sparse_kkt;
mod status;

use std::{ffi::c_int, marker::PhantomData, panic, ptr};

use nalgebra::SVector;

pub use options::{IpoptError, IpoptOptions, OptionValue};
pub use sparse::SparseIpopt;

use super::{Bounds, Multipliers, Nlp, NlpSolution, NlpSolver, Residuals, SolveStatus, Sparsity, Start};
use application::Application;
use evaluation::Evaluation;

/// What IPOPT takes for infinite, and more.
const INFINITE_BOUND: f64 = 1e20;

/// IPOPT for programs of type `P`.
///
/// Reuse one object for many solves; cold and warm starts may alternate. An object stays on the
/// thread that made it, because IPOPT keeps counters per thread; any number of threads may each
/// have their own.
///
/// If the program panics during a solve, IPOPT is stopped in good order and the panic goes on
/// afterwards; the object can be used again.
pub struct Ipopt<const N: usize, const M: usize, P> {
    application: Application,
    sparsity: Sparsity<N, M>,
    pattern: Pattern,
    residual_tolerance: f64,
    acceptable_residual_tolerance: f64,
    program: PhantomData<fn(&P)>,
}

/// The sparsity in the form that IPOPT reads.
struct Pattern {
    jacobian_rows: Vec<c_int>,
    jacobian_columns: Vec<c_int>,
    hessian_rows: Vec<c_int>,
    hessian_columns: Vec<c_int>,
}

impl Pattern {
    fn new<const N: usize, const M: usize>(sparsity: &Sparsity<N, M>) -> Self {
        let split = |entries: &[(usize, usize)]| {
            entries.iter().map(|&(row, column)| (row as c_int, column as c_int)).unzip()
        };
        let (jacobian_rows, jacobian_columns) = split(sparsity.jacobian());
        let (hessian_rows, hessian_columns) = split(sparsity.hessian());
        Self { jacobian_rows, jacobian_columns, hessian_rows, hessian_columns }
    }
}

impl<const N: usize, const M: usize, P: Nlp<N, M>> Ipopt<N, M, P> {
    /// A solver for programs of the structure of `problem`, whose sparsity is probed here.
    ///
    /// # Errors
    /// [`IpoptError`] if an option is not one of IPOPT's, or has a value that IPOPT refuses.
    pub fn new(problem: &P, options: &IpoptOptions) -> Result<Self, IpoptError> {
        let application = Application::new(options)?;
        let sparsity = Sparsity::probe(problem);
        Ok(Self {
            application,
            pattern: Pattern::new(&sparsity),
            sparsity,
            residual_tolerance: options.residual_tolerance,
            acceptable_residual_tolerance: options.acceptable_residual_tolerance,
            program: PhantomData,
        })
    }

    /// Runs IPOPT from `x` and `multipliers`, and leaves the last iterate there.
    fn run(
        &mut self,
        problem: &P,
        x: &mut SVector<f64, N>,
        multipliers: &mut Multipliers<N, M>,
        is_warm: bool,
    ) -> (SolveStatus, u32) {
        let (Some(variable_bounds), Some(constraint_bounds)) =
            (admissible(&problem.variable_bounds()), admissible(&problem.constraint_bounds()))
        else {
            return (SolveStatus::InvalidProblem, 0);
        };
        if !x.iter().all(|value| value.is_finite()) {
            return (SolveStatus::EvaluationError, 0);
        }
        let mut context = Evaluation { problem, sparsity: &self.sparsity, panic: None };
        let mut program = ffi::Program {
            variables: N as c_int,
            constraints: M as c_int,
            jacobian_entries: self.pattern.jacobian_rows.len() as c_int,
            hessian_entries: self.pattern.hessian_rows.len() as c_int,
            jacobian_rows: self.pattern.jacobian_rows.as_ptr(),
            jacobian_columns: self.pattern.jacobian_columns.as_ptr(),
            hessian_rows: self.pattern.hessian_rows.as_ptr(),
            hessian_columns: self.pattern.hessian_columns.as_ptr(),
            x_lower: variable_bounds.lower.as_ptr(),
            x_upper: variable_bounds.upper.as_ptr(),
            g_lower: constraint_bounds.lower.as_ptr(),
            g_upper: constraint_bounds.upper.as_ptr(),
            x: x.as_mut_ptr(),
            y: multipliers.constraints.as_mut_ptr(),
            z_lower: multipliers.lower.as_mut_ptr(),
            z_upper: multipliers.upper.as_mut_ptr(),
            iterations: 0,
            context: ptr::from_mut(&mut context).cast(),
            objective: evaluation::objective::<N, M, P>,
            gradient: evaluation::gradient::<N, M, P>,
            values: evaluation::values::<N, M, P>,
            jacobian: evaluation::jacobian::<N, M, P>,
            hessian: evaluation::hessian::<N, M, P>,
            keep_going: evaluation::keep_going::<N, M, P>,
        };
        // SAFETY: the arrays have the lengths that N, M and the pattern give and outlive the call,
        // the context is of the type that the evaluations cast it to, and the structure is that of
        // the type P, fixed when this object was made.
        let code = unsafe { self.application.solve(&mut program, is_warm) };
        let iterations = program.iterations.unsigned_abs();
        if let Some(panic) = context.panic {
            panic::resume_unwind(panic);
        }
        (status::from_code(code), iterations)
    }

    /// Downgrades a success that the recomputed residuals do not bear out.
    fn confirm(&self, status: SolveStatus, residuals: &Residuals) -> SolveStatus {
        let limit = match status {
            SolveStatus::Solved => self.residual_tolerance,
            SolveStatus::SolvedToAcceptableLevel => self.acceptable_residual_tolerance,
            failure => return failure,
        };
        if residuals.max() <= limit { status } else { SolveStatus::ResidualTooLarge }
    }
}

impl<const N: usize, const M: usize, P: Nlp<N, M>> NlpSolver<N, M, P> for Ipopt<N, M, P> {
    fn solve(&mut self, problem: &P, start: &Start<N, M>) -> NlpSolution<N, M> {
        let mut x = start.x;
        let mut multipliers = start.multipliers.unwrap_or_else(Multipliers::zeros);
        let (status, iterations) = self.run(problem, &mut x, &mut multipliers, start.multipliers.is_some());
        let residuals = Residuals::new(problem, &x, &multipliers);
        NlpSolution {
            x,
            objective: problem.objective(&x),
            constraints: problem.constraints(&x),
            multipliers,
            status: self.confirm(status, &residuals),
            iterations,
            residuals,
        }
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.application.set_verbose(verbose);
    }

    fn info(&self) -> (&'static str, &'static str) {
        ("IPOPT", application::version())
    }
}

/// The bounds with infinities replaced by numbers that IPOPT takes for infinite; `None` if they
/// leave no room or are not numbers.
fn admissible<const K: usize>(bounds: &Bounds<K>) -> Option<Bounds<K>> {
    let leave_room = bounds
        .lower
        .iter()
        .zip(&bounds.upper)
        .all(|(&lower, &upper)| lower <= upper && lower < INFINITE_BOUND && upper > -INFINITE_BOUND);
    let clamp = |bound: f64| bound.clamp(-INFINITE_BOUND, INFINITE_BOUND);
    leave_room.then(|| Bounds { lower: bounds.lower.map(clamp), upper: bounds.upper.map(clamp) })
}
