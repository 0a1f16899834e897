use super::{
    scale::{LARGEST, Scale},
    ticks::Tick,
};

/// An axis with its range and ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruler {
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Smallest value shown.
    pub low: f64,
    /// Largest value shown.
    pub high: f64,
    /// Marks inside the range.
    pub ticks: Vec<Tick>,
    /// What the axis says: quantity, offset, power of ten and unit, as markup.
    pub heading: String,
}

impl Ruler {
    /// Where a value lies: 0 at the low end, 1 at the high end; not a number where it has no place.
    pub fn fraction(&self, value: f64) -> f64 {
        if value.is_nan() || value.abs() > LARGEST {
            return f64::NAN;
        }
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value > 0.0 => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Log => f64::NAN,
        }
    }

    /// Labels with their values.
    pub(super) fn labels(&self) -> impl Iterator<Item = (f64, &str)> {
        self.ticks.iter().filter_map(|tick| Some((tick.at, tick.label.as_deref()?)))
    }
}
