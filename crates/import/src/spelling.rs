//! What was meant by a name that is not known.

use stickslip_base::spelling::one_slip_away;

/// What to ask after a name that is not known: nothing, or whether the one that it is but for a slip was meant.
pub(crate) fn question<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    one_slip_away(given, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
