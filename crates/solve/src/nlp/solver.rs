use super::{Nlp, NlpSolution, Start};

/// A solver of nonlinear programs of type `P`, reusable over many solves.
///
/// The data of the program, its bounds among them, may change from solve to solve; which variables
/// enter which constraint, and how, may not. A solver may move from thread to thread between solves.
pub trait NlpSolver<const N: usize, const M: usize, P: Nlp<N, M>>: Send {
    /// Solves `problem` from `start`. Never fails silently: what went wrong is in
    /// [`NlpSolution::status`], and how good the point is in [`NlpSolution::residuals`].
    fn solve(&mut self, problem: &P, start: &Start<N, M>) -> NlpSolution<N, M>;

    /// Name and version of the solver.
    fn info(&self) -> (&'static str, &'static str);

    /// Lets the coming solves print the solver's log to standard output, if it keeps one.
    fn set_verbose(&mut self, _verbose: bool) {}
}
