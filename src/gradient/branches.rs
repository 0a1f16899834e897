use crate::stepper::derivative::{MarginKind, Margins};

/// Which branches the steps of a run took: equal where every step took the same ones, but for one chance in 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branches(u64);

impl Default for Branches {
    /// Before the first step: the offset of the hash by Fowler, Noll and Vo.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Branches {
    /// Takes in the branches of the next step.
    pub(super) fn see<const D: usize>(&mut self, margins: &Margins<D>) {
        for margin in margins.iter() {
            let kind = match margin.kind {
                MarginKind::Contact => 1,
                MarginKind::Slip => 2,
                MarginKind::Rebound => 3,
                MarginKind::Stop => 4,
                MarginKind::Pull => 5,
                MarginKind::Choice => 6,
            };
            self.add(2 * kind + u64::from(margin.value > 0.0));
        }
        self.add(0);
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }
}
