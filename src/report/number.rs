//! Numbers as a page needs them: as short as they may be.

use serde::{Serialize, Serializer, ser::SerializeSeq};

/// A column of numbers, written with a few digits; one that is not finite is `null`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Column {
    pub values: Vec<f64>,
    /// Significant digits.
    pub digits: i32,
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.values.len()))?;
        for &value in &self.values {
            let value = rounded(value, self.digits);
            if value.fract() == 0.0 && value.abs() < 1e15 {
                // Without the `.0` that a float would have; most forces are zero.
                list.serialize_element(&(value as i64))?;
            } else {
                list.serialize_element(&Some(value).filter(|value| value.is_finite()))?;
            }
        }
        list.end()
    }
}

/// The value with so many significant digits.
///
/// Multiplied and divided by a power of ten that is exact, so that the shortest text of the result has no more
/// digits than were asked for.
pub(super) fn rounded(value: f64, digits: i32) -> f64 {
    /// The largest power of ten that a double holds exactly.
    const EXACT: i32 = 22;
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let places = digits - 1 - value.abs().log10().floor() as i32;
    if places >= 0 {
        let scale = 10_f64.powi(places.min(EXACT));
        (value * scale).round() / scale
    } else {
        let scale = 10_f64.powi((-places).min(EXACT));
        (value / scale).round() * scale
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, rounded};

    #[test]
    fn numbers_are_as_short_as_their_digits() {
        let column = |values: &[f64]| {
            serde_json::to_string(&Column { values: values.to_vec(), digits: 5 }).expect("JSON")
        };
        assert_eq!(column(&[0.0, 1.0 / 3.0, -2e-7 / 3.0, 98.1]), "[0,0.33333,-6.6667e-8,98.1]");
        assert_eq!(column(&[f64::NAN, 123_456_789.0, f64::INFINITY]), "[null,123460000,null]");
    }

    #[test]
    fn no_number_is_off_by_more_than_half_a_digit() {
        for exponent in -30..30 {
            let value = 1.234_567_891 * 10_f64.powi(exponent);
            let off = (rounded(value, 6) - value).abs();
            assert!(off <= 0.51e-5 * 10_f64.powi(exponent).max(1e-17), "{value}: {off}");
        }
    }
}
