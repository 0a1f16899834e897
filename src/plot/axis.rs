//! Axes: what they say, the range they show, and where a value lies on them.

use super::{
    ruler::Ruler,
    scale::{LARGEST, Scale},
    ticks::{
        Tick, common_exponent, decimal, logarithmic, power_of_ten, round_positions, significant,
        whole_positions,
    },
};

/// Share of the range that is left free at both ends.
const PADDING: f64 = 0.06;
/// A range smaller than this share of the values is drawn from an offset.
const OFFSET_SHARE: f64 = 2e-3;
/// A range smaller than this share of the values is rounding, and drawn as a constant.
const ROUNDING_SHARE: f64 = 1e-13;

/// An axis of a panel.
///
/// Labels may contain `*...*` for italics, `_{...}` for an index and `^{...}` for an exponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The quantity, for example `*v*_{*x*}`.
    pub label: String,
    /// Its unit, for example `m/s`; empty for a pure number.
    pub unit: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// The range to show, exactly; from the data if absent.
    pub range: Option<(f64, f64)>,
    /// A value to show in any case.
    pub include: Option<f64>,
    /// Magnitude that counts as large here: data that vary by less than a millionth of it are
    /// drawn as a constant, so that rounding does not fill a panel.
    pub magnitude: f64,
    /// Decades to show at most below the largest value, on a logarithmic axis.
    pub decades: f64,
    /// Names in place of numbers: `names[k]` stands at `k`.
    pub names: Vec<String>,
    /// Whether it counts: its marks are at whole numbers.
    pub is_whole: bool,
    /// Whether nothing stands at it: what it measures is a length in the picture and nothing else.
    pub is_silent: bool,
}

impl Axis {
    /// A linear axis over the range of the data.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            scale: Scale::Linear,
            range: None,
            include: None,
            magnitude: 0.0,
            decades: 20.0,
            names: Vec::new(),
            is_whole: false,
            is_silent: false,
        }
    }

    /// Time in s, `*t*`.
    pub fn time() -> Self {
        Self::new("*t*", "s")
    }

    /// Makes it logarithmic.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.scale = Scale::Log;
        self
    }

    /// Fixes the range.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Shows `value` in any case.
    #[must_use]
    pub fn include(mut self, value: f64) -> Self {
        self.include = Some(value);
        self
    }

    /// Sets the magnitude against which rounding is told from data.
    #[must_use]
    pub fn magnitude(mut self, magnitude: f64) -> Self {
        self.magnitude = magnitude;
        self
    }

    /// Limits a logarithmic axis to so many decades below the largest value.
    #[must_use]
    pub fn decades(mut self, decades: f64) -> Self {
        self.decades = decades;
        self
    }

    /// Puts names in place of numbers.
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self.range.get_or_insert((-0.5, self.names.len() as f64 - 0.5));
        self
    }

    /// Puts marks at whole numbers only.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.is_whole = true;
        self
    }

    /// Leaves out ticks, numbers and heading.
    #[must_use]
    pub fn silent(mut self) -> Self {
        self.is_silent = true;
        self
    }

    /// Whether a value can be shown on this axis.
    pub(super) fn admits(&self, value: f64) -> bool {
        value.abs() <= LARGEST && (self.scale == Scale::Linear || value > 0.0)
    }

    /// The range that shows `data`.
    pub(super) fn fit(&self, data: impl Iterator<Item = f64>) -> (f64, f64) {
        if let Some((low, high)) = self.range.filter(|&(low, high)| self.admits(low) && low < high) {
            return if self.admits(high) { (low, high) } else { (low, LARGEST) };
        }
        let (low, high) = data
            .chain(self.include)
            .filter(|&value| self.admits(value))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        match self.scale {
            Scale::Linear if low <= high => self.fit_linear(low, high),
            Scale::Linear => self.fit_linear(0.0, 0.0),
            Scale::Log if low <= high => self.fit_log(low, high),
            Scale::Log => (0.1, 10.0),
        }
    }

    fn fit_linear(&self, low: f64, high: f64) -> (f64, f64) {
        let span = high - low;
        let size = low.abs().max(high.abs());
        if span > 0.0 && span >= 1e-6 * self.magnitude && span > ROUNDING_SHARE * size && span > 1e-290 {
            let padding = PADDING * span;
            return (low - padding, high + padding);
        }
        let middle = low + 0.5 * span;
        let half = if size > 1e-6 * self.magnitude && size > 1e-290 {
            0.1 * size
        } else if self.magnitude > 1e-290 {
            self.magnitude
        } else {
            1.0
        };
        // Beyond the half, so that ticks at the half keep clear of the frame.
        (middle - 1.2 * half, middle + 1.2 * half)
    }

    fn fit_log(&self, low: f64, high: f64) -> (f64, f64) {
        let low = low.max(high * 10f64.powf(-self.decades)).max(1e-300);
        let high = high.max(low);
        let decades = (high / low).log10();
        if decades < 1.2 {
            // Whole decades around, so that at least two are labelled.
            let (bottom, top) = ((low.log10() - PADDING).floor(), (high.log10() + PADDING).ceil());
            return padded(10f64.powf(bottom), 10f64.powf(top));
        }
        padded(low, high)
    }

    /// The axis over a range, with about `most` labels.
    pub(super) fn ruler(&self, (low, high): (f64, f64), most: usize) -> Ruler {
        let (ticks, quantity) = if self.is_silent {
            return Ruler { scale: self.scale, low, high, ticks: Vec::new(), heading: String::new() };
        } else if !self.names.is_empty() {
            let names = self.names.iter().enumerate();
            let ticks = names.map(|(k, name)| Tick { at: k as f64, label: Some(name.clone()) });
            (ticks.collect(), (self.label.clone(), String::new()))
        } else if self.scale == Scale::Log {
            (logarithmic(low, high, most), (self.label.clone(), String::new()))
        } else {
            self.linear_ticks(low, high, most)
        };
        let (label, factor) = quantity;
        let unit = match (factor.is_empty(), self.unit.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(" ({})", self.unit),
            (false, true) => format!(" ({factor})"),
            (false, false) => format!(" ({factor} {})", self.unit),
        };
        Ruler { scale: self.scale, low, high, ticks, heading: format!("{label}{unit}") }
    }

    /// Ticks, and the label and the power of ten that go into the heading.
    fn linear_ticks(&self, low: f64, high: f64, most: usize) -> (Vec<Tick>, (String, String)) {
        let span = high - low;
        let size = low.abs().max(high.abs());
        let offset = if span < OFFSET_SHARE * size {
            let grain = 10f64.powi((span.log10().ceil() as i32) + 1);
            (0.5 * (low + high) / grain).round() * grain
        } else {
            0.0
        };
        let (low, high) = (low - offset, high - offset);
        let exponent = common_exponent(low.abs().max(high.abs()));
        let unit = 10f64.powi(exponent);
        // A count in thousands has whole thousands' parts, too.
        let positions_of = if self.is_whole && exponent == 0 { whole_positions } else { round_positions };
        let (step, positions) = positions_of(low / unit, high / unit, most);
        let ticks = positions
            .into_iter()
            .map(|position| Tick { at: position * unit + offset, label: Some(decimal(position, step)) });
        let label = if offset == 0.0 {
            self.label.clone()
        } else {
            let sign = if offset > 0.0 { '−' } else { '+' };
            format!("{} {sign} {}", self.label, plain_number(offset.abs(), span))
        };
        let factor = if exponent == 0 { String::new() } else { power_of_ten(exponent) };
        (ticks.collect(), (label, factor))
    }
}

/// A logarithmic range with free space at both ends.
fn padded(low: f64, high: f64) -> (f64, f64) {
    let padding = (high / low).powf(PADDING);
    (low / padding, (high * padding).min(LARGEST))
}

/// An offset, to the digits that matter beside a range of `span`.
fn plain_number(value: f64, span: f64) -> String {
    if (1e-4..1e6).contains(&value) {
        let decimals = (-span.log10().floor()).clamp(0.0, 15.0) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        return text;
    }
    let exponent = value.log10().floor() as i32;
    let digits = (f64::from(exponent) - span.log10().floor()).clamp(0.0, 15.0) as usize;
    let mantissa = format!("{:.digits$}", value / 10f64.powi(exponent));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let mantissa = if mantissa.is_empty() { significant(value, 3) } else { mantissa.to_owned() };
    format!("{mantissa}·{}", power_of_ten(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruler(axis: &Axis, data: &[f64]) -> Ruler {
        axis.ruler(axis.fit(data.iter().copied()), 4)
    }

    #[test]
    fn large_and_small_values_take_a_power_of_ten_into_the_heading() {
        let axis = Axis::new("*x*", "m");
        assert_eq!(ruler(&axis, &[0.0, 1e9]).heading, "*x* (10^{9} m)");
        assert_eq!(ruler(&axis, &[0.0, 1e-12]).heading, "*x* (10^{−12} m)");
        assert_eq!(ruler(&axis, &[0.0, 0.6]).heading, "*x* (m)");
    }

    #[test]
    fn nearly_constant_data_is_drawn_from_an_offset() {
        let ruler = ruler(&Axis::new("*x*", "m"), &[1.5, 1.5 + 2e-9]);
        assert_eq!(ruler.heading, "*x* − 1.5 (10^{−9} m)");
        let labels: Vec<_> = ruler.ticks.iter().filter_map(|tick| tick.label.clone()).collect();
        assert!(labels.len() >= 2 && labels.iter().all(|label| label.len() <= 4), "{labels:?}");
    }

    #[test]
    fn rounding_is_drawn_as_a_constant() {
        let axis = Axis::new("*z*", "m").magnitude(1.0);
        assert_eq!(axis.fit([0.0, 1e-17].into_iter()), (-1.2, 1.2));
        assert_eq!(axis.fit([2.0, 2.0].into_iter()), (1.76, 2.24));
    }

    #[test]
    fn counts_have_marks_at_whole_numbers_only() {
        for (most, expected) in [
            (1.0, &["0", "1"][..]),
            (2.0, &["0", "1", "2"]),
            (10.0, &["0", "5", "10"]),
            (40.0, &["0", "20", "40"]),
        ] {
            let ruler = ruler(&Axis::new("throws", "").include(0.0).whole(), &[0.0, most]);
            let labels: Vec<_> = ruler.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
            assert_eq!(labels, expected);
        }
    }

    #[test]
    fn values_without_a_logarithm_have_no_place() {
        let ruler = ruler(&Axis::new("error", "m").log(), &[0.0, 1e-3, -2.0, 1.0]);
        assert!(ruler.fraction(0.0).is_nan());
        assert!(ruler.low <= 1e-3 && ruler.high >= 1.0);
    }

    #[test]
    fn no_finite_data_gives_a_range_that_is_not_finite() {
        let values = [0.0, -0.0, 1.0, -1e-320, 1e308, -1e308, f64::MAX, f64::MIN_POSITIVE, 1e-300, 1e300];
        for low in values {
            for high in values {
                for axis in [Axis::new("a", ""), Axis::new("a", "").log()] {
                    let range = axis.fit([low, high].into_iter());
                    assert!(range.0 < range.1 && range.1 - range.0 < f64::INFINITY, "{low} {high} {range:?}");
                    axis.ruler(range, 4);
                }
            }
        }
    }
}
