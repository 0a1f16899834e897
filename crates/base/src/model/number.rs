use nalgebra::RealField;
use num_dual::{DualNum, DualSVec64};

/// The numbers that the closed forms of the motion are written for: `f64`, and dual numbers, which
/// carry derivatives along. Branches are decided by the real part, [`num_dual::DualStruct::re`].
pub trait Number: DualNum<Primitive = f64> + Copy {
    /// `x` with derivative zero.
    fn constant(x: f64) -> Self {
        Self::from(x)
    }

    /// `max(0, x)`; zero has the derivative zero.
    fn positive_part(self) -> Self {
        if self.re() > 0.0 { self } else { Self::zero() }
    }

    /// The smaller of two numbers, the first where they are equal.
    fn lesser(self, other: Self) -> Self {
        if other.re() < self.re() { other } else { self }
    }
}

impl<N: DualNum<Primitive = f64> + Copy> Number for N {}

/// The numbers that geometry is written for: `f64`, and dual numbers of `N` directions. Branches are decided
/// by the value alone, so that both take the same ones.
pub trait Real: RealField + Copy {
    /// How many more steps of an iteration the derivatives need once the value has settled.
    const SETTLING: u32;

    /// `x` with derivative zero.
    fn constant(x: f64) -> Self;

    /// The value without its derivatives.
    fn value(&self) -> f64;
}

impl Real for f64 {
    const SETTLING: u32 = 0;

    fn constant(x: f64) -> Self {
        x
    }

    fn value(&self) -> f64 {
        *self
    }
}

impl<const N: usize> Real for DualSVec64<N> {
    const SETTLING: u32 = 10;

    fn constant(x: f64) -> Self {
        Self::from_re(x)
    }

    fn value(&self) -> f64 {
        self.re
    }
}
