//! Standard deviations that a few wild values do not move.

/// The median of the magnitude of a normal variable, over its standard deviation.
const MEDIAN: f64 = 0.674_489_750_196_081_7;

/// The standard deviation of a normal variable of mean zero, from the median of its `magnitudes`; 0 of none.
pub(crate) fn robust_deviation(mut magnitudes: Vec<f64>) -> f64 {
    magnitudes.sort_by(f64::total_cmp);
    magnitudes.get(magnitudes.len() / 2).copied().unwrap_or(0.0) / MEDIAN
}
