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

    /// A seed for data beside those of `seed`, to test with or to compare on.
    pub fn derived_seed(seed: u64) -> u64 {
        Self::seeded(seed).0.next_u64()
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

    /// A whole number below `count`, which must not be zero.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Uniform in `[0, 1)`, a multiple of 2^-53.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * 2f64.powi(-53)
    }
}

/// Points of the unit box, one after the other: one in each stratum of every column, at a random place in it (McKay, Beckman
/// and Conover 1979).
pub fn latin_hypercube(count: usize, columns: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::seeded(seed);
    let mut coordinates = vec![0.0; count * columns];
    for column in 0..columns {
        let mut strata: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            strata.swap(last, random.below(last + 1));
        }
        for (point, stratum) in strata.into_iter().enumerate() {
            coordinates[point * columns + column] =
                below_one((stratum as f64 + random.uniform(0.0, 1.0)) / count as f64);
        }
    }
    coordinates
}

/// Keeps a quotient that rounding has brought to 1 in `[0, 1)`.
pub fn below_one(u: f64) -> f64 {
    u.min(1.0 - f64::EPSILON / 2.0)
}
