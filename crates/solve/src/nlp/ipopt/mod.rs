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
mod entries;
mod evaluation;
mod ffi;
mod guard;
mod kkt;
mod log;
mod options;
mod sparse;
mod sparse_kkt;
mod status;

use std::{ffi::c_int, marker::PhantomData, panic, ptr};

use nalgebra::SVector;

pub use application::version as ipopt_version;
pub use options::{IpoptError, IpoptOptions, OptionValue};
pub use sparse::SparseIpopt;

use super::{Bounds, Multipliers, Nlp, NlpSolution, NlpSolver, Residuals, SolveStatus, Sparsity, Start};
use application::Application;
use entries::Entries;
use evaluation::Evaluation;
use guard::Guard;

/// IPOPT for programs of type `P`.
///
/// Reuse one object for many solves; cold and warm starts may alternate. It may move to another
/// thread, where its first solve sets IPOPT up anew, because IPOPT keeps counters per thread; any
/// number of threads may each have their own.
///
/// If the program panics during a solve, IPOPT is stopped in good order and the panic goes on
/// afterwards; the object can be used again.
pub struct Ipopt<const N: usize, const M: usize, P> {
    application: Application,
    sparsity: Sparsity<N, M>,
    jacobian: Entries,
    hessian: Entries,
    residual_tolerance: f64,
    acceptable_residual_tolerance: f64,
    program: PhantomData<fn(&P)>,
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
            jacobian: Entries::new(sparsity.jacobian()),
            hessian: Entries::new(sparsity.hessian()),
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
            (admissible(problem.variable_bounds()), admissible(problem.constraint_bounds()))
        else {
            return (SolveStatus::InvalidProblem, 0);
        };
        if !x.iter().all(|value| value.is_finite()) {
            return (SolveStatus::EvaluationError, 0);
        }
        let mut context = Evaluation { problem, sparsity: &self.sparsity, guard: Guard::default() };
        let mut program = ffi::Program {
            variables: N as c_int,
            constraints: M as c_int,
            jacobian_entries: self.jacobian.rows.len() as c_int,
            hessian_entries: self.hessian.rows.len() as c_int,
            jacobian_rows: self.jacobian.rows.as_ptr(),
            jacobian_columns: self.jacobian.columns.as_ptr(),
            hessian_rows: self.hessian.rows.as_ptr(),
            hessian_columns: self.hessian.columns.as_ptr(),
            x_lower: variable_bounds.lower.as_ptr(),
            x_upper: variable_bounds.upper.as_ptr(),
            g_lower: constraint_bounds.lower.as_ptr(),
            g_upper: constraint_bounds.upper.as_ptr(),
            x: x.as_mut_ptr(),
            y: multipliers.constraints.as_mut_ptr(),
            z_lower: multipliers.lower.as_mut_ptr(),
            z_upper: multipliers.upper.as_mut_ptr(),
            iterations: 0,
            factor_entries: 0,
            context: ptr::from_mut(&mut context).cast(),
            objective: evaluation::objective::<N, M, P>,
            gradient: evaluation::gradient::<N, M, P>,
            values: evaluation::values::<N, M, P>,
            jacobian: evaluation::jacobian::<N, M, P>,
            hessian: evaluation::hessian::<N, M, P>,
            keep_going: evaluation::keep_going::<N, M, P>,
        };
        // SAFETY: the arrays have the lengths that N, M and the entries give and outlive the call,
        // the context is of the type that the evaluations cast it to, and the structure is that of
        // the type P, fixed when this object was made.
        let code = unsafe { self.application.solve(&mut program, is_warm) };
        let iterations = program.iterations.unsigned_abs();
        if let Some(panic) = context.guard.panic {
            panic::resume_unwind(panic);
        }
        (status::from_code(code), iterations)
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
            status: status.confirmed_by(
                &residuals,
                self.residual_tolerance,
                self.acceptable_residual_tolerance,
            ),
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

/// The bounds as IPOPT reads them; `None` if they leave no room or are not numbers.
fn admissible<const K: usize>(mut bounds: Bounds<K>) -> Option<Bounds<K>> {
    entries::make_admissible(bounds.lower.as_mut_slice(), bounds.upper.as_mut_slice()).then_some(bounds)
}
