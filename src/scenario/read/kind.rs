//! What kind of value a key has: from its example and from the words in its meaning.

use super::{
    key_path::KeyPath,
    schema::{Key, SECTIONS},
};

pub(super) fn example(key: &Key) -> Option<toml::Value> {
    parse(key.example)
}

pub(super) fn parse(value: &str) -> Option<toml::Value> {
    toml::from_str::<toml::Table>(&format!("value = {value}")).ok()?.remove("value")
}

/// The words of a choice: those in quotes, but not in parentheses, in the meaning of a key whose example is one
/// of them.
pub(super) fn choices(key: &Key) -> Option<Vec<&'static str>> {
    let word = key.example.strip_prefix('"')?.strip_suffix('"')?;
    let outside = key.meaning.split('(').map(|part| part.split_once(')').map_or(part, |(_, after)| after));
    let words: Vec<&str> = outside.flat_map(|part| part.split('"').skip(1).step_by(2)).collect();
    words.contains(&word).then_some(words)
}

/// The unit that the meaning of a key names: `in kg` or `simulated time in s`; empty where it names none.
pub(super) fn unit(meaning: &'static str) -> &'static str {
    const UNITS: [&str; 13] =
        ["kg m^2", "N s/m", "m/s^2", "rad/s", "kg", "m/s", "N m", "N/m", "Hz", "rad", "degrees", "N", "m"];
    let named = meaning.split([';', ',', '(', ':']).find_map(|part| {
        let after = part.trim().strip_prefix("in ").or_else(|| part.split(" in ").nth(1))?;
        UNITS.iter().chain(&["s", "1/m", "s/m"]).find(|unit| after.trim() == **unit).copied()
    });
    named.unwrap_or(if meaning == "m/s^2" { "m/s^2" } else { "" })
}

/// The unit of the value of that full key, for example `m` of `body[0].size[1]`; empty for a pure number, and where there
/// is no such key.
pub fn unit_of_key(full: &str) -> &'static str {
    let Some(full) = KeyPath::parse(full) else { return "" };
    let keys = full.names();
    let Some((name, path)) = keys.split_last() else { return "" };
    let path = path.join(".");
    let known = SECTIONS.iter().filter(|section| section.path == path).find_map(|section| section.key(name));
    known.map_or("", |key| unit(key.meaning))
}

#[cfg(test)]
mod tests {
    use super::{SECTIONS, example, unit_of_key};

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
            ("stepper.convex.stiffness", "N/m"),
            ("no.such[0].key", ""),
        ] {
            assert_eq!(unit_of_key(key), unit, "{key}");
        }
    }

    #[test]
    fn every_example_of_the_schema_is_a_value() {
        for key in SECTIONS.iter().flat_map(|section| section.keys) {
            assert!(example(key).is_some(), "{} = {}", key.name, key.example);
        }
    }
}
