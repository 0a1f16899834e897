//! IPOPT for programs whose size is known at run time.

use std::{
    ffi::{c_int, c_void},
    marker::PhantomData,
    ops::ControlFlow,
    panic, ptr, slice,
};

use super::{
    IpoptError, IpoptOptions,
    application::{self, Application},
    entries::{Entries, make_admissible},
    ffi,
    guard::Guard,
    status,
};
use crate::nlp::{
    Residuals, SolveStatus,
    sparse::{SparseBounds, SparseMultipliers, SparseNlp, SparseSolution},
};

/// IPOPT for sparse programs of type `P`.
///
/// As [`Ipopt`](super::Ipopt), but the KKT systems are solved by the sparse factorisation
/// [`SparseLdl`](crate::nlp::sparse::SparseLdl) once they have more than 150 rows; below that the
/// dense one is faster.
pub struct SparseIpopt<P> {
    application: Application,
    jacobian: Entries,
    hessian: Entries,
    variables: usize,
    constraints: usize,
    /// Whether every entry is inside its matrix, and every count one that IPOPT can hold.
    is_valid: bool,
    residual_tolerance: f64,
    acceptable_residual_tolerance: f64,
    program: PhantomData<fn(&P)>,
}

impl<P: SparseNlp> SparseIpopt<P> {
    /// A solver for programs of the size and structure of `problem`.
    ///
    /// # Errors
    /// [`IpoptError`] if an option is not one of IPOPT's, or has a value that IPOPT refuses.
    pub fn new(problem: &P, options: &IpoptOptions) -> Result<Self, IpoptError> {
        let (variables, constraints) = (problem.variables(), problem.constraints());
        let (jacobian, hessian) = (problem.jacobian_entries(), problem.hessian_entries());
        let counts = [variables, constraints, jacobian.len(), hessian.len()];
        let is_valid = counts.into_iter().all(|count| c_int::try_from(count).is_ok())
            && jacobian.iter().all(|&(row, column)| row < constraints && column < variables)
            && hessian.iter().all(|&(row, column)| column <= row && row < variables);
        Ok(Self {
            application: Application::new(options)?,
            jacobian: Entries::new(&jacobian),
            hessian: Entries::new(&hessian),
            variables,
            constraints,
            is_valid,
            residual_tolerance: options.residual_tolerance,
            acceptable_residual_tolerance: options.acceptable_residual_tolerance,
            program: PhantomData,
        })
    }

    /// Solves `problem` from `start`; with the `multipliers` of an earlier solution of a nearby
    /// program it is a warm start. What went wrong is in the status of the solution, and how good
    /// the point is in its residuals. A program of another size than the first is invalid, and so
    /// is one whose bounds or entries do not fit its size.
    pub fn solve(
        &mut self,
        problem: &P,
        start: &[f64],
        multipliers: Option<&SparseMultipliers>,
    ) -> SparseSolution {
        self.solve_watched(problem, start, multipliers, &mut || ControlFlow::Continue(()))
    }

    /// The same; `watch` is asked in every iteration whether to go on. If not, the status of the solution is
    /// [`SolveStatus::Interrupted`].
    pub fn solve_watched(
        &mut self,
        problem: &P,
        start: &[f64],
        multipliers: Option<&SparseMultipliers>,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> SparseSolution {
        let mut x = start.to_vec();
        let is_warm = multipliers.is_some();
        let zeros = || SparseMultipliers::zeros(self.variables, self.constraints);
        let mut multipliers = multipliers.cloned().unwrap_or_else(zeros);
        let fits = |values: &[f64], count: usize| values.len() == count;
        let has_size = self.is_valid
            && problem.variables() == self.variables
            && problem.constraints() == self.constraints
            && fits(&x, self.variables)
            && fits(&multipliers.constraints, self.constraints)
            && fits(&multipliers.lower, self.variables)
            && fits(&multipliers.upper, self.variables);
        if !has_size {
            let residuals = Residuals::INFINITE;
            let (objective, status, iterations) = (f64::NAN, SolveStatus::InvalidProblem, 0);
            let factor_entries = 0;
            return SparseSolution {
                x,
                objective,
                multipliers,
                status,
                iterations,
                factor_entries,
                residuals,
            };
        }
        let Outcome { status, iterations, factor_entries } =
            self.run(problem, &mut x, &mut multipliers, is_warm, watch);
        let residuals = Residuals::of_sparse(problem, &x, &multipliers);
        let status =
            status.confirmed_by(&residuals, self.residual_tolerance, self.acceptable_residual_tolerance);
        let objective = problem.objective(&x);
        SparseSolution { x, objective, multipliers, status, iterations, factor_entries, residuals }
    }

    /// Lets the coming solves print IPOPT's log to standard output.
    pub fn set_verbose(&mut self, verbose: bool) {
        self.application.set_verbose(verbose);
    }

    /// Name and version of the solver.
    pub fn info(&self) -> (&'static str, &'static str) {
        ("IPOPT", application::version())
    }

    fn run(
        &mut self,
        problem: &P,
        x: &mut [f64],
        multipliers: &mut SparseMultipliers,
        is_warm: bool,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Outcome {
        let (Some(on_x), Some(on_g)) = (
            admissible(problem.variable_bounds(), self.variables),
            admissible(problem.constraint_bounds(), self.constraints),
        ) else {
            return Outcome::without_a_solve(SolveStatus::InvalidProblem);
        };
        if !x.iter().all(|value| value.is_finite()) {
            return Outcome::without_a_solve(SolveStatus::EvaluationError);
        }
        let mut context = Evaluation {
            problem,
            variables: self.variables,
            constraints: self.constraints,
            jacobian_entries: self.jacobian.rows.len(),
            hessian_entries: self.hessian.rows.len(),
            guard: Guard::default(),
            watch,
        };
        let mut program = ffi::Program {
            variables: self.variables as c_int,
            constraints: self.constraints as c_int,
            jacobian_entries: self.jacobian.rows.len() as c_int,
            hessian_entries: self.hessian.rows.len() as c_int,
            jacobian_rows: self.jacobian.rows.as_ptr(),
            jacobian_columns: self.jacobian.columns.as_ptr(),
            hessian_rows: self.hessian.rows.as_ptr(),
            hessian_columns: self.hessian.columns.as_ptr(),
            x_lower: on_x.lower.as_ptr(),
            x_upper: on_x.upper.as_ptr(),
            g_lower: on_g.lower.as_ptr(),
            g_upper: on_g.upper.as_ptr(),
            x: x.as_mut_ptr(),
            y: multipliers.constraints.as_mut_ptr(),
            z_lower: multipliers.lower.as_mut_ptr(),
            z_upper: multipliers.upper.as_mut_ptr(),
            iterations: 0,
            factor_entries: 0,
            context: ptr::from_mut(&mut context).cast(),
            objective: objective::<P>,
            gradient: gradient::<P>,
            values: values::<P>,
            jacobian: jacobian::<P>,
            hessian: hessian::<P>,
            keep_going: keep_going::<P>,
        };
        // SAFETY: the arrays have the sizes that the program says (checked by `solve` and
        // `admissible`) and outlive the call, the context is of the type that the evaluations cast
        // it to, and size and structure are those of the first program.
        let code = unsafe { self.application.solve(&mut program, is_warm) };
        let iterations = program.iterations.unsigned_abs();
        if let Some(panic) = context.guard.panic {
            panic::resume_unwind(panic);
        }
        let factor_entries = program.factor_entries.max(0) as usize;
        Outcome { status: status::from_code(code), iterations, factor_entries }
    }
}

/// What IPOPT came to, beside the point.
struct Outcome {
    status: SolveStatus,
    iterations: u32,
    factor_entries: usize,
}

impl Outcome {
    /// Of a program that IPOPT was not given.
    fn without_a_solve(status: SolveStatus) -> Self {
        Self { status, iterations: 0, factor_entries: 0 }
    }
}

/// The bounds as IPOPT reads them; `None` if they are not `count` pairs, leave no room or are not
/// numbers.
fn admissible(mut bounds: SparseBounds, count: usize) -> Option<SparseBounds> {
    let is_complete = (bounds.lower.len(), bounds.upper.len()) == (count, count);
    (is_complete && make_admissible(&mut bounds.lower, &mut bounds.upper)).then_some(bounds)
}

/// What the evaluations of one solve share.
struct Evaluation<'a, P> {
    problem: &'a P,
    variables: usize,
    constraints: usize,
    jacobian_entries: usize,
    hessian_entries: usize,
    guard: Guard,
    watch: &'a mut dyn FnMut() -> ControlFlow<()>,
}

/// # Safety
/// `values` points to `count` numbers, or anywhere if `count` is zero.
unsafe fn numbers<'a>(values: *const f64, count: usize) -> &'a [f64] {
    // SAFETY: the caller vouches for `count` numbers.
    if count == 0 { &[] } else { unsafe { slice::from_raw_parts(values, count) } }
}

/// # Safety
/// `values` points to `count` numbers that nobody else uses, or anywhere if `count` is zero.
unsafe fn numbers_mut<'a>(values: *mut f64, count: usize) -> &'a mut [f64] {
    // SAFETY: the caller vouches for `count` numbers.
    if count == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(values, count) } }
}

// What follows are the callbacks of `ffi::Program`. Each is called during a solve only, with the
// context of that solve, which nothing else uses meanwhile, and with arrays of IPOPT of the sizes
// that the program gave: this is the safety argument of every block.

/// # Safety
/// See above.
unsafe extern "C" fn objective<P: SparseNlp>(context: *mut c_void, x: *const f64, value: *mut f64) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    // SAFETY: see above.
    let (x, value) = unsafe { (numbers(x, this.variables), numbers_mut(value, 1)) };
    this.guard.run(value, |value| value[0] = this.problem.objective(x))
}

/// # Safety
/// See above.
unsafe extern "C" fn gradient<P: SparseNlp>(context: *mut c_void, x: *const f64, values: *mut f64) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    // SAFETY: see above.
    let (x, values) = unsafe { (numbers(x, this.variables), numbers_mut(values, this.variables)) };
    this.guard.run(values, |values| this.problem.gradient(x, values))
}

/// # Safety
/// See above.
unsafe extern "C" fn values<P: SparseNlp>(context: *mut c_void, x: *const f64, values: *mut f64) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    // SAFETY: see above.
    let (x, values) = unsafe { (numbers(x, this.variables), numbers_mut(values, this.constraints)) };
    this.guard.run(values, |values| this.problem.constraint_values(x, values))
}

/// # Safety
/// See above.
unsafe extern "C" fn jacobian<P: SparseNlp>(context: *mut c_void, x: *const f64, values: *mut f64) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    // SAFETY: see above.
    let (x, values) = unsafe { (numbers(x, this.variables), numbers_mut(values, this.jacobian_entries)) };
    this.guard.run(values, |values| this.problem.jacobian_values(x, values))
}

/// # Safety
/// See above.
unsafe extern "C" fn hessian<P: SparseNlp>(
    context: *mut c_void,
    x: *const f64,
    sigma: f64,
    y: *const f64,
    values: *mut f64,
) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    // SAFETY: see above.
    let (x, y) = unsafe { (numbers(x, this.variables), numbers(y, this.constraints)) };
    // SAFETY: see above.
    let values = unsafe { numbers_mut(values, this.hessian_entries) };
    this.guard.run(values, |values| this.problem.hessian_values(x, sigma, y, values))
}

/// # Safety
/// See above.
unsafe extern "C" fn keep_going<P: SparseNlp>(context: *mut c_void) -> c_int {
    // SAFETY: see above.
    let this = unsafe { &mut *context.cast::<Evaluation<P>>() };
    let mut answer = [0.0];
    let (guard, watch) = (&mut this.guard, &mut this.watch);
    guard.run(&mut answer, |answer| answer[0] = if watch().is_break() { 1.0 } else { 0.0 });
    if answer[0] != 0.0 { 0 } else { this.guard.keep_going() }
}
