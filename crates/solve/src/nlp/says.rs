//! A solver for tests of those who ask one.

use nalgebra::SVector;

use crate::nlp::{Multipliers, Nlp, NlpSolution, NlpSolver, Residuals, SolveStatus, Start};

/// A solver that gives the same answer whatever it is asked.
#[derive(Debug, Clone, Copy)]
pub struct Says<const N: usize> {
    /// The variables.
    pub x: SVector<f64, N>,
    /// What it says of them.
    pub status: SolveStatus,
}

impl<const N: usize, const M: usize, P: Nlp<N, M>> NlpSolver<N, M, P> for Says<N> {
    fn solve(&mut self, problem: &P, _: &Start<N, M>) -> NlpSolution<N, M> {
        NlpSolution {
            x: self.x,
            objective: problem.objective(&self.x),
            constraints: problem.constraints(&self.x),
            multipliers: Multipliers::zeros(),
            status: self.status,
            iterations: 1,
            residuals: Residuals::INFINITE,
        }
    }

    fn info(&self) -> (&'static str, &'static str) {
        ("says", "1")
    }
}
