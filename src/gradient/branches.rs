use std::hash::{Hash, Hasher};

use crate::stepper::derivative::Margins;

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
    /// Takes in the branches of the next step of a point.
    pub(super) fn see<const D: usize>(&mut self, margins: &Margins<D>) {
        for margin in margins.iter() {
            self.add(&(margin.kind, margin.value > 0.0));
        }
        self.add(&());
    }

    /// Takes in a branch.
    pub(super) fn add(&mut self, branch: &impl Hash) {
        branch.hash(self);
        self.write_u8(0);
    }
}

impl Hasher for Branches {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
