//! What lasts in the residuals of a throw for many rows, which white noise does not.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};

/// Parts of a throw whose mean residuals tell white noise from what lasts: a drift, or a wrong prediction.
const PARTS: usize = 8;
/// Relative variance of the square of a noise that is estimated by a median of differences, times the numbers that these
/// are of: a median has .37 of the efficiency of a mean square, and differences that share a row are not independent.
const OF_MEDIAN: f64 = 8.0;
/// Quantile of the normal distribution up to which what lasts in all throws together may be chance.
const CHANCE: f64 = 1.64;

/// Sums of the squares of the means of residuals over the parts of throws, times the rows of each and in units of the
/// noise: as seen, and mean and variance of that for white noise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lasting {
    seen: f64,
    mean: f64,
    variance: f64,
    numbers: usize,
}

impl Lasting {
    /// In the `residuals` of one throw of so many `rows`, one component after the other, from which everything along some
    /// orthonormal `directions` has been taken. `displaced` is what else is left of throws measured anew without noise.
    pub fn of(
        residuals: &DVector<f64>,
        rows: usize,
        directions: &DMatrix<f64>,
        displaced: &[DVector<f64>],
    ) -> Self {
        let length = rows.div_ceil(PARTS).max(1);
        let parts: Vec<Range<usize>> = (0..residuals.len())
            .step_by(rows.max(1))
            .flat_map(|series| {
                (0..rows).step_by(length).map(move |row| series + row..series + rows.min(row + length))
            })
            .collect();
        let means = |numbers: &DVector<f64>| {
            let mean =
                |part: &Range<usize>| numbers.rows(part.start, part.len()).sum() / (part.len() as f64).sqrt();
            DVector::from_iterator(parts.len(), parts.iter().map(mean))
        };
        // The means of white noise without what the directions take have the covariance 1 - S S'.
        let shares: Vec<DVector<f64>> =
            directions.column_iter().map(|direction| means(&direction.into_owned())).collect();
        let covariance = shares
            .iter()
            .fold(DMatrix::identity(parts.len(), parts.len()), |sum, share| sum - share * share.transpose());
        let displaced: Vec<f64> = displaced.iter().map(|one| means(one).norm_squared()).collect();
        let count = displaced.len().max(2) as f64;
        let expected = displaced.iter().sum::<f64>() / count;
        let spread = displaced.iter().map(|one| (one - expected).powi(2)).sum::<f64>() / (count - 1.0);
        Self {
            seen: means(residuals).norm_squared(),
            mean: covariance.trace() + expected,
            variance: 2.0 * covariance.norm_squared() + spread,
            numbers: residuals.len(),
        }
    }

    /// That of both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            seen: self.seen + other.seen,
            mean: self.mean + other.mean,
            variance: self.variance + other.variance,
            numbers: self.numbers + other.numbers,
        }
    }

    /// How many times as large the noise has to be for white noise to show as much; `None` where it is improbable that
    /// only white noise is left. What is seen is told as a normal variable by the cube root of a sum of squares
    /// (Wilson and Hilferty 1931).
    pub fn larger_noise(&self) -> Option<f64> {
        let ratio = self.seen / self.mean;
        let variance = self.variance / (self.mean * self.mean) + OF_MEDIAN / self.numbers as f64;
        let part = variance / 9.0;
        let is_chance = (ratio.cbrt() - (1.0 - part)) / part.sqrt() <= CHANCE;
        is_chance.then(|| ratio.max(1.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const ROWS: usize = 80;

    /// How often so many throws of white noise and a drift are taken for white noise alone, of 400.
    fn taken_for_white(throws: usize, drift: f64) -> usize {
        let mut random = Random::seeded(1);
        // The mean of the rows is what a start accounts for.
        let direction = DMatrix::from_element(ROWS, 1, (ROWS as f64).sqrt().recip());
        let mut throw = || {
            let drift = |row: usize| drift * (row as f64 / ROWS as f64 - 0.5);
            let left = DVector::from_fn(ROWS, |row, _| drift(row) + random.normal(1.0));
            let left = &left - &direction * direction.tr_mul(&left);
            Lasting::of(&left, ROWS, &direction, &[])
        };
        (0..400)
            .filter(|_| (0..throws).map(|_| throw()).reduce(Lasting::and).unwrap().larger_noise().is_some())
            .count()
    }

    #[test]
    fn white_noise_is_mostly_taken_for_it_and_a_drift_of_the_size_of_the_noise_is_not() {
        for throws in [1, 3, 20] {
            assert!((360..=396).contains(&taken_for_white(throws, 0.0)), "{}", taken_for_white(throws, 0.0));
        }
        assert!(taken_for_white(3, 2.0) < 40 && taken_for_white(20, 1.0) < 40);
    }
}
