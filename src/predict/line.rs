//! Straight lines through values at times, by least squares.

use crate::model::Vector;

/// The straight line that comes closest to some values at times, in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line<const N: usize> {
    /// Where it is at time zero, and how it rises in a second.
    pub origin: Vector<N>,
    pub slope: Vector<N>,
    /// Values, their mean time, and the sum of the squares of their times from it.
    count: f64,
    mean: f64,
    spread: f64,
}

impl<const N: usize> Line<N> {
    pub fn through(values: impl Iterator<Item = (f64, Vector<N>)> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().map(|(time, _)| time).sum::<f64>() / count;
        let middle = values.clone().map(|(_, value)| value).sum::<Vector<N>>() / count;
        let spread: f64 = values.clone().map(|(time, _)| (time - mean).powi(2)).sum();
        let slope = values.map(|(time, value)| (value - middle) * (time - mean)).sum::<Vector<N>>() / spread;
        Self { origin: middle - slope * mean, slope, count, mean, spread }
    }

    pub fn at(&self, time: f64) -> Vector<N> {
        self.origin + self.slope * time
    }

    /// Its standard error at a time, over that of a value.
    pub fn error(&self, time: f64) -> f64 {
        (1.0 / self.count + (time - self.mean).powi(2) / self.spread).sqrt()
    }
}
