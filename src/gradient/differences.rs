use super::{Nearest, RunEnd};

/// Central differences of the ends of runs along an input: over a little, on the same branch, and over a kink spacing.
#[derive(Default)]
pub(super) struct Differences {
    narrow: Option<Pair>,
    wide: Option<Pair>,
}

/// The ends of runs with an input changed by as much to both sides.
struct Pair {
    change: f64,
    after: RunEnd,
    before: RunEnd,
}

impl Differences {
    /// Along an input of this natural size, with what is nearest along it; `end` runs it changed.
    pub fn take(size: f64, nearest: &Nearest, end: impl Fn(f64) -> Option<RunEnd>) -> Self {
        let pair = |change: f64| Some(Pair { change, after: end(change)?, before: end(-change)? });
        Self {
            narrow: nearest.difference_step(size).and_then(pair),
            wide: nearest.spacing().filter(|spacing| *spacing > 0.0).and_then(pair),
        }
    }

    /// Of a result by name on the same branch.
    pub fn narrow(&self, of: &str) -> Option<f64> {
        self.narrow.as_ref()?.of(of)
    }

    /// Of a result by name over a kink spacing: the trend across the branches.
    pub fn wide(&self, of: &str) -> Option<f64> {
        self.wide.as_ref()?.of(of)
    }
}

impl Pair {
    fn of(&self, of: &str) -> Option<f64> {
        Some((self.after.value(of)? - self.before.value(of)?) / (2.0 * self.change))
    }
}
