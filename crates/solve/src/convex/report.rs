/// How a minimisation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The gradient is below its tolerance.
    Converged,
    /// The last Newton step changed the cost by rounding only: the velocities are as good as the
    /// numbers allow, though the gradient is still above its tolerance.
    Stalled,
    /// The iterations ran out; the velocities are the best found, and not to be trusted.
    IterationLimit,
    /// A number overflowed or was not a number; check the magnitudes in the problem.
    NotFinite,
    /// The Hessian lost its positive definiteness to rounding: inertia and stiffnesses differ by
    /// more than the numbers can hold.
    NotPositiveDefinite,
}

impl Status {
    /// Whether the velocities can be used.
    pub fn is_solved(self) -> bool {
        matches!(self, Self::Converged | Self::Stalled)
    }
}

/// How a minimisation went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// Newton steps taken; 0 when the first guess was good enough.
    pub iterations: u32,
    /// What the line searches did.
    pub line_search: LineSearchStatistics,
    /// `l` at the end.
    pub cost: f64,
    /// `|D gradient|`, with `D = diag(A)^-1/2`, at the end.
    pub gradient: f64,
}

/// Counts over the line searches of one or more minimisations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineSearchStatistics {
    /// Line searches that ended at a step other than 1.
    pub shortened: u32,
    /// Evaluations of the derivative along the direction.
    pub evaluations: u32,
    /// The most evaluations in one search.
    pub most_evaluations: u32,
}

impl LineSearchStatistics {
    /// Adds one search.
    pub(super) fn record(&mut self, alpha: f64, evaluations: u32) {
        self.shortened += u32::from(alpha != 1.0);
        self.evaluations += evaluations;
        self.most_evaluations = self.most_evaluations.max(evaluations);
    }

    /// Adds the counts of another minimisation.
    pub fn add(&mut self, other: &Self) {
        self.shortened += other.shortened;
        self.evaluations += other.evaluations;
        self.most_evaluations = self.most_evaluations.max(other.most_evaluations);
    }
}
