//! Numbers as people would write them, and as files have them.

/// Writes numbers as the shortest decimals that read back as the same double, without taking memory.
pub struct NumberText(ryu::Buffer);

impl Default for NumberText {
    fn default() -> Self {
        Self::new()
    }
}

impl NumberText {
    /// Room for one text.
    pub fn new() -> Self {
        Self(ryu::Buffer::new())
    }

    /// The text of `value`: with a power of ten below 1e-5 and from 1e16 on.
    pub fn of(&mut self, value: f64) -> &str {
        // Adding zero turns -0 into 0, which reads better and compares equal.
        let text = self.0.format(value + 0.0);
        text.strip_suffix(".0").unwrap_or(text)
    }
}

/// Shortest decimal that reads back as the same double.
pub fn shortest(value: f64) -> String {
    NumberText::new().of(value).to_owned()
}

/// The same as a cell of a table; empty where there is no number.
pub fn cell(value: Option<f64>) -> String {
    value.map_or_else(String::new, shortest)
}

/// The number nearest to `x` that so many rounded `digits` write; a division of round numbers was meant to give that of
/// twelve.
pub fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

/// That number as a text.
pub fn rounded_text(x: f64, digits: usize) -> String {
    shortest(rounded(x, digits))
}

/// The number in `digits`, or as many more as two numbers so far apart need to differ in the last two.
pub fn rounded_beside(x: f64, digits: usize, apart: f64) -> f64 {
    let asked = (x / apart).abs().log10().floor() + 2.0;
    // What is the same in all digits, or zero, needs no more.
    let more = if asked.is_finite() { asked.clamp(0.0, 17.0) as usize } else { 0 };
    rounded(x, digits.max(more))
}

/// The ends of an interval, as in `0.578 to 0.605`: with four digits, or as many as show how wide it is.
pub fn interval(ends: [f64; 2]) -> String {
    let [low, high] = ends.map(|end| shortest(rounded_beside(end, 4, ends[1] - ends[0])));
    format!("{low} to {high}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_of_the_last_digits_is_gone() {
        assert_eq!(rounded(0.1 + 0.5 * 0.1, 12), 0.15);
        assert_eq!(rounded(0.0017 / 17.0, 12), 1e-4);
        assert_eq!(rounded(-2.0, 12), -2.0);
        assert_eq!(rounded(1.0 / 3.0, 12), 0.333333333333);
        assert_eq!(rounded(0.0, 12), 0.0);
    }

    #[test]
    fn small_numbers_keep_as_many_digits_as_large_ones() {
        assert_eq!(rounded(1.23456e-6, 4), 1.235e-6);
        assert_eq!(rounded(123456.0, 4), 123500.0);
        assert!(rounded(f64::INFINITY, 4).is_infinite());
    }

    #[test]
    fn numbers_that_are_close_to_each_other_keep_the_digits_that_tell_them_apart() {
        assert_eq!(rounded_beside(0.999_999_891_2, 4, 1.1e-7), 0.999_999_89);
        assert_eq!(rounded_beside(0.123_456, 4, 0.1), 0.1235);
        assert_eq!(rounded_beside(0.123_456, 4, 0.0), 0.1235);
        assert_eq!(rounded_beside(0.0, 4, 1e-9), 0.0);
        assert!(rounded_beside(f64::INFINITY, 4, f64::INFINITY).is_infinite());
    }

    #[test]
    fn the_ends_of_an_interval_differ() {
        assert_eq!(interval([0.57831, 0.60542]), "0.5783 to 0.6054");
        assert_eq!(interval([5.1234567e-5, 5.1234987e-5]), "0.00005123457 to 0.00005123499");
        assert_eq!(interval([2.0, f64::INFINITY]), "2 to inf");
        assert_eq!(interval([1.0, 1.0]), "1 to 1");
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let pairs = [
            (0.0, "0"),
            (-0.0, "0"),
            (3.0, "3"),
            (-120.0, "-120"),
            (0.1, "0.1"),
            (1e-5, "0.00001"),
            (9.99e-6, "9.99e-6"),
            (-2e-300, "-2e-300"),
            (123_456_789.25, "123456789.25"),
            (1e15, "1000000000000000"),
            (1e16, "1e16"),
            (1.5e300, "1.5e300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in pairs {
            assert_eq!(shortest(value), text);
        }
    }

    #[test]
    fn they_read_back_and_are_as_short_as_those_of_the_standard_library() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for number in 0..200_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            // All doubles, and those of the sizes that a motion has.
            let value = if number % 2 == 0 { f64::from_bits(bits) } else { (bits >> 11) as f64 * 1e-18 };
            if !value.is_finite() {
                continue;
            }
            let text = shortest(value);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
            let magnitude = value.abs();
            let standard = if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
                format!("{value:e}")
            } else {
                value.to_string()
            };
            // Of two as near, either will do.
            assert_eq!(text.len(), standard.len(), "{text} {standard}");
        }
    }

    #[test]
    fn cells_without_a_number_are_empty() {
        assert_eq!(cell(None), "");
        assert_eq!(cell(Some(-2e-300)), "-2e-300");
    }
}
