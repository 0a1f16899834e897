//! Numbers as readers like them.

use crate::decimal::rounded;

/// Three significant digits and a unit with a prefix: `13.3 mm`.
pub(crate) fn quantity(value: f64, unit: &str) -> String {
    let (scaled, prefix) = with_prefix(value);
    format!("{} {prefix}{unit}", significant(scaled))
}

/// As many of six significant digits as say something, and a unit with a prefix: `1 ms`.
pub(crate) fn given(value: f64, unit: &str) -> String {
    let (scaled, prefix) = with_prefix(value);
    format!("{} {prefix}{unit}", rounded(scaled, 6))
}

fn with_prefix(value: f64) -> (f64, &'static str) {
    const PREFIXES: [(f64, &str); 8] =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];
    if value == 0.0 || !value.is_finite() {
        return (value, "");
    }
    let found = PREFIXES.into_iter().find(|(size, _)| value.abs() >= 0.9995 * size);
    let (size, prefix) = found.unwrap_or(PREFIXES[7]);
    (value / size, prefix)
}

/// Three significant digits.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{}", value + 0.0);
    }
    // The exponent of the rounded number: 0.9999 is 1.00, not 1.000.
    let scientific = format!("{value:.2e}");
    let exponent = scientific.rsplit_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent {
        Some(exponent @ -3..6) => format!("{value:.*}", (2 - exponent).max(0) as usize),
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::{given, quantity};

    #[test]
    fn quantities_read_well() {
        assert_eq!(quantity(0.0133, "m"), "13.3 mm");
        assert_eq!(quantity(-2e-3, "m"), "-2.00 mm");
        assert_eq!(quantity(0.9999, "s"), "1.00 s");
        assert_eq!(quantity(44.294, "N s"), "44.3 N s");
        assert_eq!(quantity(0.0, "J"), "0 J");
    }

    #[test]
    fn given_numbers_stay_as_they_were_given() {
        assert_eq!(given(1e-3, "s"), "1 ms");
        assert_eq!(given(1.2, "s"), "1.2 s");
        assert_eq!(given(0.3 - 0.1, "s"), "200 ms");
        assert_eq!(given(10e3, "g"), "10 kg");
    }
}
