//! Numbers as people would write them.

/// The number nearest to `x` that twelve significant digits write: what a division of round numbers was meant to give.
pub(crate) fn twelve_digits(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::twelve_digits;

    #[test]
    fn rounding_of_the_last_digits_is_gone() {
        assert_eq!(twelve_digits(0.1 + 0.5 * 0.1), 0.15);
        assert_eq!(twelve_digits(0.0017 / 17.0), 1e-4);
        assert_eq!(twelve_digits(-2.0), -2.0);
        assert_eq!(twelve_digits(1.0 / 3.0), 0.333333333333);
        assert_eq!(twelve_digits(0.0), 0.0);
    }
}
