use super::{Nearest, RunEnd};

/// Part of a result that the tolerance of a solver leaves, and the result in its own unit below which it is measured by that.
const SOLVED: f64 = 1e-9;
const SMALL: f64 = 1e-2;

/// Central differences of the ends of runs along an input: over a little, on the same branch, and over a kink spacing.
#[derive(Default)]
pub(super) struct Differences {
    narrow: Option<Pair>,
    /// Over twice as much as the narrow one, which tells how far that is off.
    rough: Option<Pair>,
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
        let narrow = nearest.difference_step(size);
        Self {
            narrow: narrow.and_then(pair),
            rough: narrow.and_then(|change| pair(2.0 * change)),
            wide: nearest.spacing().filter(|spacing| *spacing > 0.0).and_then(pair),
        }
    }

    /// Of a result by name on the same branch.
    pub fn narrow(&self, of: &str) -> Option<f64> {
        self.narrow.as_ref()?.of(of)
    }

    /// How far the narrow one of a result may be off: by what it differs from that over twice as much, and by what the tolerance of
    /// a solver leaves in the results.
    pub fn doubt(&self, of: &str) -> Option<f64> {
        let narrow = self.narrow.as_ref()?;
        let apart = (narrow.of(of)? - self.rough.as_ref()?.of(of)?).abs();
        let solved = SOLVED * narrow.after.value(of)?.abs().max(SMALL);
        Some(apart + solved / narrow.change)
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
