use std::fmt;

use nalgebra::{DefaultAllocator, Dim, OVector, U1, allocator::Allocator};

/// How a solver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// `z` solves the problem: its residual is at most [`RESIDUAL_TOLERANCE`](super::RESIDUAL_TOLERANCE).
    Solved,
    /// It is proved that there is no solution: a certificate shows that no `z >= 0` has
    /// `M z + q >= 0`, or every complementary basis was tried in vain.
    NoSolution,
    /// Every path of Lemke's method went off to infinity. For many matrices of mechanics that
    /// means that there is no solution; in general it proves nothing.
    Ray,
    /// The limit on pivots, iterations or sweeps was reached.
    IterationLimit,
    /// The method ended, but its `z` fails the independent check; see the residual.
    ResidualTooLarge,
    /// The method does not apply: a diagonal entry that is not positive (projected Gauss-Seidel),
    /// too many unknowns (enumeration), or free unknowns that their equations do not determine
    /// (Lemke).
    NotApplicable,
}

impl Status {
    /// The word used in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::NoSolution => "no-solution",
            Self::Ray => "ray",
            Self::IterationLimit => "iteration-limit",
            Self::ResidualTooLarge => "residual-too-large",
            Self::NotApplicable => "not-applicable",
        }
    }

    /// What the status means, as a clause for a message.
    pub fn explain(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::NoSolution => "there is no solution",
            Self::Ray => "every path of the solver ended in a ray, so there may be no solution",
            Self::IterationLimit => "the solver reached its limit of iterations",
            Self::ResidualTooLarge => "the solver's answer fails the independent check",
            Self::NotApplicable => "the solver does not apply to this matrix",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a solver hands back.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution<D: Dim>
where
    DefaultAllocator: Allocator<D>,
{
    /// How the solver ended. Unless it is [`Status::Solved`], `z` and `w` are only the last or best
    /// guess.
    pub status: Status,
    /// The unknowns `z`.
    pub z: OVector<f64, D>,
    /// `w = M z + q`, recomputed from the data as they were given.
    pub w: OVector<f64, D>,
    /// Relative residual of `z`, recomputed independently of the solver; see
    /// [`residual`](super::residual()).
    pub residual: f64,
    /// Work done over all attempts: pivots (Lemke), bases (enumeration), iterations (interior
    /// point) or sweeps (Gauss-Seidel).
    pub pivots: u32,
    /// Attempts that were needed, counting from 1.
    pub attempts: u32,
}

impl<D: Dim> Solution<D>
where
    DefaultAllocator: Allocator<D>,
{
    /// A place to put a solution of `dim` unknowns: all zero, and not solved.
    pub fn empty(dim: D) -> Self {
        Self {
            status: Status::NotApplicable,
            z: OVector::zeros_generic(dim, U1),
            w: OVector::zeros_generic(dim, U1),
            residual: f64::INFINITY,
            pivots: 0,
            attempts: 0,
        }
    }

    /// Back to [`Solution::empty`].
    pub(super) fn forget(&mut self) {
        self.status = Status::NotApplicable;
        self.z.fill(0.0);
        self.w.fill(0.0);
        self.residual = f64::INFINITY;
        self.pivots = 0;
        self.attempts = 0;
    }

    /// Whether `z` solves the problem.
    pub fn is_solved(&self) -> bool {
        self.status == Status::Solved
    }
}
