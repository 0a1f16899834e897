//! Numbers as people would write them.

/// The number nearest to `x` that so many rounded `digits` write; a division of round numbers was meant to give that of
/// twelve.
pub(crate) fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::rounded;

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
}
