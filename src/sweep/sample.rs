//! Keys that are sampled, and how.

/// Keys that are sampled together.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// How the points are placed.
    pub method: Method,
    /// Number of points.
    pub count: usize,
    /// Seed of the points.
    pub seed: u64,
    /// The keys, at least one.
    pub ranges: Vec<Range>,
}

/// How the points of a sample are placed in the unit cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Independently and uniformly.
    Random,
    /// One point in each of `count` equal strata of every key (McKay, Beckman, Conover 1979).
    LatinHypercube,
    /// Sobol's sequence with the direction numbers of Joe and Kuo (2008), shifted by the seed.
    Sobol,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::Random, Self::LatinHypercube, Self::Sobol];

    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::LatinHypercube => "latin-hypercube",
            Self::Sobol => "sobol",
        }
    }
}

/// A key and the interval from which its values are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Full key of the scenario, as `--set` takes it.
    pub key: String,
    /// Smallest value.
    pub min: f64,
    /// Largest value, not below `min`.
    pub max: f64,
    /// Which intervals count as equally long.
    pub scaling: Scaling,
    /// Whether only whole numbers are drawn: when both ends are written as such.
    pub whole: bool,
}

/// Which intervals of a range count as equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Those of equal difference.
    Linear,
    /// Those of equal ratio; the range is positive.
    Logarithmic,
}

impl Scaling {
    /// The value at the share `u` of the way from `min` to `max`.
    pub fn between(self, min: f64, max: f64, u: f64) -> f64 {
        let value = match self {
            Self::Linear => min + u * (max - min),
            // Not the ratio of the ends, which may be beyond the numbers.
            Self::Logarithmic => min.powf(1.0 - u) * max.powf(u),
        };
        value.clamp(min, max)
    }
}

impl Range {
    /// The value at the share `u`, in `[0, 1)`, of the range, in TOML.
    pub fn value(&self, u: f64) -> String {
        if self.whole {
            // Every whole number of the range is drawn from an interval of the same length.
            let value = self.scaling.between(self.min - 0.5, self.max + 0.5, u).round();
            return format!("{}", value.clamp(self.min, self.max));
        }
        format!("{:?}", self.scaling.between(self.min, self.max, u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_whose_ratio_is_beyond_the_numbers_is_drawn_from_all_over() {
        let value = |u| Scaling::Logarithmic.between(1e-305, 1e4, u);
        for (share, exponent) in [(0.0, -305.0), (0.25, -227.75), (0.5, -150.5), (1.0, 4.0)] {
            assert!((value(share).log10() - exponent).abs() < 1e-9, "{share}: {:e}", value(share));
        }
    }
}
