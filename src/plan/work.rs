//! What solving took.

use std::ops::AddAssign;

/// What solves of one program took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Iterations of IPOPT.
    pub iterations: u32,
    /// Entries of the factor of the matrix of an iteration, diagonal included: the most of any solve.
    pub factor_entries: usize,
    /// Wall time in s.
    pub seconds: f64,
}

impl Work {
    /// Wall time in s of an iteration in the mean; 0 if there was none.
    pub fn seconds_per_iteration(&self) -> f64 {
        if self.iterations > 0 { self.seconds / f64::from(self.iterations) } else { 0.0 }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.iterations += other.iterations;
        self.factor_entries = self.factor_entries.max(other.factor_entries);
        self.seconds += other.seconds;
    }
}
