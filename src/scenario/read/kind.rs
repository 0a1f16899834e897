//! What kind of value a key has, from its example, and its unit.

use super::key_path::KeyPath;
use crate::scenario::keys::{NumberKey, Row};

pub(super) fn example(row: &Row) -> Option<toml::Value> {
    parse(row.example)
}

pub(super) fn parse(value: &str) -> Option<toml::Value> {
    toml::from_str::<toml::Table>(&format!("value = {value}")).ok()?.remove("value")
}

/// The unit of the value of that full key, for example `m` of `body[0].size[1]`; empty for a pure number, and where there
/// is no such key.
pub fn unit_of_key(full: &str) -> &'static str {
    KeyPath::parse(full).as_ref().and_then(NumberKey::of).map_or("", NumberKey::unit)
}

#[cfg(test)]
mod tests {
    use super::{example, unit_of_key};
    use crate::scenario::keys::sections;

    #[test]
    fn keys_have_the_units_of_what_they_mean() {
        for (key, unit) in [
            ("step", "s"),
            ("gravity", "m/s^2"),
            ("particle.mass", "kg"),
            ("particle.velocity[1]", "m/s"),
            ("body[3].size[0]", "m"),
            ("body[0].inertia", "kg m^2"),
            ("ground.friction", ""),
            ("ground.slope", "degrees"),
            ("push[0].frequency", "Hz"),
            ("push[0].point[1]", "m"),
            ("stepper.convex.stiffness", "N/m"),
            ("no.such[0].key", ""),
        ] {
            assert_eq!(unit_of_key(key), unit, "{key}");
        }
    }

    #[test]
    fn every_example_of_the_schema_is_a_value() {
        for row in sections().into_iter().flat_map(|section| section.rows()) {
            assert!(example(row).is_some(), "{} = {}", row.name, row.example);
        }
    }

    #[test]
    fn the_meaning_of_a_key_names_its_unit_and_its_words_with_the_default_first() {
        for row in sections().into_iter().flat_map(|section| section.rows()) {
            assert!(row.meaning.contains(row.unit), "{}: {}", row.name, row.meaning);
            let Some(words) = row.words else { continue };
            let places: Option<Vec<usize>> =
                words().iter().map(|word| row.meaning.find(&format!("\"{word}\""))).collect();
            assert!(places.is_some_and(|places| places.is_sorted()), "{}: {}", row.name, row.meaning);
        }
    }
}
