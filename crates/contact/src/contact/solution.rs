use nalgebra::SVector;

use super::{ContactProblem, DenseProblem, FailureKind, ProblemError, Residuals, Yardstick};

/// What a model finds: a velocity per body, an impulse per contact and link. Its memory is kept
/// from step to step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution<const D: usize, const N: usize> {
    /// `v+`, one per body, in m/s and rad/s.
    pub velocity: Vec<SVector<f64, N>>,
    /// `r` in N s, one per contact, components as those of the contact's rows: the normal one first.
    pub impulses: Vec<SVector<f64, D>>,
    /// Torques of what resists turning over the step, in N m s, one per entry of [`ContactProblem::groups`] and components as
    /// those of its rows.
    pub turning: Vec<SVector<f64, 3>>,
    /// Impulses of the links in N s, one per link, positive where they push its ends along the rows.
    pub link_impulses: Vec<f64>,
    /// Whether `impulses` and `link_impulses` hold a guess, one per contact and link, when a model
    /// is asked. Models that have no use for one ignore it.
    pub is_guess: bool,
}

impl<const D: usize, const N: usize> Solution<D, N> {
    /// Whether it has an impulse for all that acts in a problem.
    pub fn fits(&self, problem: &ContactProblem<D, N>) -> bool {
        self.impulses.len() == problem.contacts.len()
            && self.turning.len() == problem.groups.len()
            && self.link_impulses.len() == problem.links.len()
    }

    /// The torque over the step of an entry of [`ContactProblem::groups`], in N m s; none where there is none yet.
    pub fn torque(&self, place: usize) -> SVector<f64, 3> {
        self.turning.get(place).copied().unwrap_or_else(SVector::zeros)
    }

    /// Makes room for impulses, and zeroes them where they are no guess.
    pub fn prepare(&mut self, contacts: usize, links: usize) {
        let fits = (self.impulses.len(), self.link_impulses.len()) == (contacts, links);
        let finite = self.impulses.iter().all(|impulse| impulse.iter().all(|value| value.is_finite()))
            && self.link_impulses.iter().all(|value| value.is_finite());
        if !(self.is_guess && fits && finite) {
            self.is_guess = false;
            self.impulses.clear();
            self.impulses.resize(contacts, SVector::zeros());
            self.link_impulses.clear();
            self.link_impulses.resize(links, 0.0);
        }
    }
}

/// The solution of a [`DenseProblem`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DenseSolution<const D: usize> {
    /// `r` in N s, one per contact, the normal component first.
    pub impulses: Vec<SVector<f64, D>>,
    /// `u = W r + q` in m/s, one per contact, the normal component first.
    pub velocities: Vec<SVector<f64, D>>,
}

impl<const D: usize> DenseSolution<D> {
    /// Recomputes the velocities that the impulses lead to, and their residuals.
    pub(super) fn measure(&mut self, problem: &DenseProblem<D>, yardstick: &Yardstick) -> Residuals {
        problem.velocities(&self.impulses, &mut self.velocities);
        yardstick.residuals(self.impulses.iter().copied().zip(self.velocities.iter().copied()))
    }
}

/// How far a solution can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accuracy {
    /// Both residuals of Coulomb's law are within the tolerance.
    Certified,
    /// They are not, but within [`APPROXIMATE`]: usable, to be flagged.
    Approximate,
    /// The model solves a law of its own, and did; the residuals say how far that is from Coulomb's.
    OwnLaw,
}

impl Accuracy {
    /// That of two solutions together: what has to be flagged in one has to be flagged in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Approximate, _) | (_, Self::Approximate) => Self::Approximate,
            (Self::OwnLaw, _) | (_, Self::OwnLaw) => Self::OwnLaw,
            (Self::Certified, Self::Certified) => Self::Certified,
        }
    }
}

/// Slacks and friction multiplier of the relaxed program of a contact, in the program's own scaled units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relaxation {
    /// Slack `s1` of the normal complementarity.
    pub s1: f64,
    /// Slack `s2` of the friction complementarity.
    pub s2: f64,
    /// Multiplier `lambda` of the friction cone: the sliding speed.
    pub lambda: f64,
}

/// Which law a solution fulfils, where a model may have had to give its own up. The later ones weigh more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LawSolved {
    /// That of the model.
    #[default]
    Own,
    /// That of the model with rebounds that are reduced until the impact makes no energy. Between two shares of the
    /// rebound it is a combination of both, which keeps momentum, cones and gaps.
    Capped,
    /// That of the model with `c = max(c, 0)`: without the rebounds, and the undoing of overlaps, that it was asked for.
    WithoutRebound,
    /// The exact friction cone, in the place of a linear complementarity problem that pivoting did not solve.
    ExactCone,
}

/// Largest residual of what counts as an approximate solution.
pub const APPROXIMATE: f64 = 1e-4;

/// How a solution was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// Iterations, sweeps or pivots, over all attempts.
    pub iterations: u32,
    /// The attempt that succeeded; 0 is the first.
    pub rung: u32,
    /// The law that it is a solution of.
    pub law: LawSolved,
    /// Residuals of Coulomb's law, recomputed from impulses and velocities.
    pub residuals: Residuals,
    /// What they amount to.
    pub accuracy: Accuracy,
    /// Slacks and multiplier, where the relaxed program of a single contact was solved.
    pub relaxation: Option<Relaxation>,
    /// How far the solution misses the law of the model, relative to the velocities and impulses at hand, where that is
    /// not Coulomb's.
    pub own_law: Option<f64>,
}

impl Report {
    /// The report of a model that leaves it to [`Vouched`](super::Vouched) to measure what it found: that of
    /// Coulomb's law, or of a law of its own.
    pub fn unmeasured(accuracy: Accuracy, iterations: u32) -> Self {
        Self {
            iterations,
            rung: 0,
            law: LawSolved::Own,
            residuals: Residuals::INFINITE,
            accuracy,
            relaxation: None,
            own_law: None,
        }
    }
}

/// Why a model has no solution to offer. The best candidate is left in the [`Solution`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveFailure {
    /// The problem itself is faulty.
    #[error("the contact problem is faulty: {0}")]
    Problem(#[from] ProblemError),
    /// The model does not admit the problem.
    #[error("{reason}; {remedy}")]
    Refused {
        /// What it does not take.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// Every attempt ended above the tolerance.
    #[error("no solution found: {reason}, residual {:.1e} in the units of the problem after {iterations} iterations", residuals.scaled)]
    Unsolved {
        /// What kind of failure it is.
        kind: FailureKind,
        /// What happened, as a clause.
        reason: String,
        /// Iterations over all attempts.
        iterations: u32,
        /// The residuals of the best candidate.
        residuals: Residuals,
    },
}

impl SolveFailure {
    /// What kind of failure it is.
    pub fn kind(&self) -> FailureKind {
        match self {
            // Numbers of a problem leave the finite ones where a motion has.
            Self::Problem(ProblemError::NotFinite { .. }) => FailureKind::Unstable,
            Self::Problem(_) | Self::Refused { .. } => FailureKind::OutOfRange,
            Self::Unsolved { kind, .. } => *kind,
        }
    }
}
