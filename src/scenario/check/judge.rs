use std::{
    fmt::{self, Display},
    ops::{Bound, RangeBounds},
};

use super::Violation;
use crate::scenario::keys::{Key, Lens, Row, Table};

/// The full name of a key of a table, which has none at the top of a file.
struct Full<'a, N> {
    table: &'a N,
    key: &'static str,
}

impl<N: Display> Display for Full<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.table.to_string().as_str() {
            "" => f.write_str(self.key),
            table => write!(f, "{table}.{}", self.key),
        }
    }
}

/// The least size of a number that steps divide by, if it is not 0: its square has an inverse, too.
const TINY: f64 = 1e-60;

/// Collects violations while the rules are gone through.
///
/// Keys are written out where they are violated alone: a sweep goes through the rules twice in every run.
#[derive(Default)]
pub(super) struct Judge {
    violations: Vec<Violation>,
}

impl Judge {
    /// Holds `value` against `range`, given in `unit`; whether it lies inside.
    ///
    /// NaN lies in no range, and no range used here reaches infinity.
    pub(super) fn range(
        &mut self,
        key: impl Display,
        value: f64,
        range: impl RangeBounds<f64>,
        unit: &str,
        remedy: &str,
    ) -> bool {
        let inside = range.contains(&value);
        if !inside {
            let finite = if value.is_finite() { "" } else { "a finite number " };
            self.refuse(Violation {
                key: key.to_string(),
                others: Vec::new(),
                value: short(value),
                allowed: format!(
                    "{finite}{}{}{unit}",
                    in_words(&range),
                    if unit.is_empty() { "" } else { " " }
                ),
                remedy: remedy.to_owned(),
            });
        }
        inside
    }

    /// Refuses numbers under these keys of the table of that full name that are all but 0, so that what steps divide by them is
    /// infinite.
    pub(super) fn not_all_but_zero(&mut self, table: &str, numbers: &[(&str, f64)]) {
        for (key, value) in numbers.iter().filter(|(_, value)| 0.0 < *value && *value < TINY) {
            self.refuse(Violation {
                key: format!("{table}.{key}"),
                others: Vec::new(),
                value: short(*value),
                allowed: format!("0, or at least {TINY:e}"),
                remedy: "leave it out for none".to_owned(),
            });
        }
    }

    /// Holds a number against the range in the row of its key; whether it lies inside.
    pub(super) fn row(&mut self, row: &Row, key: impl Display, value: f64) -> bool {
        row.range.is_none_or(|range| self.range(key, value, range, row.unit, row.remedy))
    }

    /// Holds the numbers of a record, the table of that full name, against the ranges of their keys, but for those that
    /// have rules of their own.
    pub(super) fn numbers<T>(&mut self, name: impl Display + Copy, table: &Table<T>, record: &T) {
        for Key { row, lens } in table.keys {
            let value = match lens {
                Lens::Number(field) => Some((field.get)(record)),
                Lens::Optional(field) => (field.get)(record),
                _ => None,
            };
            if let Some(value) = value {
                self.row(row, Full { table: &name, key: row.name }, value);
            }
        }
    }

    /// Refuses the components of a vector that are not finite; whether there are none.
    pub(super) fn finite(&mut self, key: impl Display, components: &[f64], remedy: &str) -> bool {
        self.finite_from(key, 0, components, remedy)
    }

    /// [`Judge::finite`] of components that stand at `first` and behind in a list.
    pub(super) fn finite_from(
        &mut self,
        key: impl Display,
        first: usize,
        components: &[f64],
        remedy: &str,
    ) -> bool {
        let mut all_finite = true;
        for (index, &component) in components.iter().enumerate() {
            if !component.is_finite() {
                all_finite = false;
                self.refuse(Violation {
                    key: format!("{key}[{}]", first + index),
                    others: Vec::new(),
                    value: short(component),
                    allowed: "a finite number".to_owned(),
                    remedy: remedy.to_owned(),
                });
            }
        }
        all_finite
    }

    pub(super) fn refuse(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    pub(super) fn verdict(self) -> Result<(), Vec<Violation>> {
        if self.violations.is_empty() { Ok(()) } else { Err(self.violations) }
    }
}

/// A number the way a person writes it: exponents for the very large and the very small.
pub(in crate::scenario) fn short(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-3..1e5).contains(&magnitude) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A vector as it stands in a file.
pub(super) fn list(components: &[f64]) -> String {
    let components: Vec<String> = components.iter().map(|&component| short(component)).collect();
    format!("[{}]", components.join(", "))
}

/// What lies in a range, in words that follow "must be".
pub(in crate::scenario) fn in_words(range: &impl RangeBounds<f64>) -> String {
    let lower = match range.start_bound() {
        Bound::Included(&bound) => format!("at least {}", short(bound)),
        Bound::Excluded(&bound) => format!("greater than {}", short(bound)),
        Bound::Unbounded => String::new(),
    };
    let upper = match range.end_bound() {
        Bound::Included(&bound) => format!("at most {}", short(bound)),
        Bound::Excluded(&bound) => format!("less than {}", short(bound)),
        Bound::Unbounded => String::new(),
    };
    match (lower.is_empty(), upper.is_empty()) {
        (false, false) => format!("{lower} and {upper}"),
        _ => lower + &upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_told_in_words() {
        assert_eq!(in_words(&(0.0..=1e6)), "at least 0 and at most 1e6");
        let open = (Bound::Excluded(-90.0), Bound::Excluded(90.0));
        assert_eq!(in_words(&open), "greater than -90 and less than 90");
    }

    #[test]
    fn not_a_number_and_infinity_lie_in_no_range() {
        let mut judge = Judge::default();
        assert!(!judge.range("a", f64::NAN, 0.0..=1.0, "m", "measure it"));
        assert!(!judge.range("b", f64::INFINITY, 0.0..=1.0, "m", "measure it"));
        let violations = judge.verdict().unwrap_err();
        assert_eq!(
            violations[0].to_string(),
            "`a` is NaN, but must be a finite number at least 0 and at most 1 m; measure it"
        );
        assert_eq!(violations[1].value, "inf");
    }
}
