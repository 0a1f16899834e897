//! What lengths mean.

/// Magnitude above which a value is treated as not finite, so that sums and differences of values
/// stay finite.
pub(super) const LARGEST: f64 = 1e300;

/// Linear or logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal lengths for equal differences.
    Linear,
    /// Equal lengths for equal ratios; values that are not positive are left out.
    Log,
}
