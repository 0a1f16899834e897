//! Random numbers that a seed fixes.

use std::f64::consts::TAU;

use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

/// Random numbers that a seed fixes, on every machine and with every later version: the generator
/// is ChaCha8, and the distributions are made from its bits here.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The sequence of `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Normal with mean zero and standard deviation `sigma`.
    pub fn normal(&mut self, sigma: f64) -> f64 {
        // Box and Muller 1958; 1 - unit() lies in (0, 1], where the logarithm is finite.
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        sigma * radius * (TAU * self.unit()).cos()
    }

    /// Uniform in `[0, 1)`, a multiple of 2^-53.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * 2f64.powi(-53)
    }
}
