/// Median, 99th percentile and maximum of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Quantiles {
    /// The middle value.
    pub median: f64,
    /// The value that 99 % do not exceed.
    pub p99: f64,
    /// The largest value.
    pub max: f64,
}

/// Quantiles of `sample` by the nearest-rank rule; zeros for an empty one.
pub fn quantiles(sample: impl IntoIterator<Item = f64>) -> Quantiles {
    let mut sorted: Vec<f64> = sample.into_iter().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |fraction: f64| {
        let rank = (fraction * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    };
    Quantiles { median: rank(0.5), p99: rank(0.99), max: rank(1.0) }
}
