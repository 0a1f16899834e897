//! Whole numbers as values of options.

use std::str::FromStr;

/// The parser of a whole number, whose refusal says what is allowed in the place of "invalid digit".
pub fn whole_number<T: FromStr>(
    allowed: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| text.parse().map_err(|_| format!("write a whole number, {allowed}"))
}

/// That of a seed.
pub fn seed() -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    whole_number("from 0 to 18446744073709551615")
}
