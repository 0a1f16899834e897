use num_dual::DualNum;

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
