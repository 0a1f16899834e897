//! The schema in words for people and as JSON Schema for programs.
//!
//! Everything follows from the [schema](super::schema): the kind of a value from its example, the words that a
//! choice has from the quotes in its meaning. What is required and what a default is follows from the reader itself:
//! [`MINIMAL`] has what a scenario needs and nothing else, and the text that it resolves to has every default.

use std::ops::Bound;

use serde_json::{Map, Value, json};

use super::{
    parse_scenario,
    schema::{Key, SECTIONS, Section},
    suggest::closest,
};
use crate::scenario::check::in_words;

/// The least scenarios of a point, of particles with everything that joins them, of bodies with walls and pairs, of
/// one that is only turned, and of points among bodies with everything that joins them.
const MINIMAL: [&str; 5] = [
    "name = \"point\"\nduration = 1.0\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
     velocity = [0.0, 0.0]\n[ground]\nfriction = 0.0\n[[push]]\nforce = [1.0, 0.0]\n",
    "name = \"system\"\nduration = 1.0\nstep = 1e-3\n[[particle]]\nmass = 1.0\nposition = [0.0, 0.0]\n\
     velocity = [0.0, 0.0]\n[[particle]]\nmass = 1.0\nposition = [1.0, 0.0]\nvelocity = [0.0, 0.0]\n\
     [ground]\nfriction = 0.0\n[[push]]\nforce = [1.0, 0.0]\n[[rod]]\nparticles = [0, 1]\n\
     [[spring]]\nparticles = [0, 1]\nstiffness = 1.0\n[[contact]]\nparticles = [0, 1]\ndistance = 0.1\n",
    "name = \"bodies\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[wall]]\nnormal = [1.0, 0.0]\noffset = -2.0\n\
     [[pair]]\nbodies = [\"body-0\", \"ground\"]\n",
    "name = \"turned\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [1.0, 1.0]\nmass = 1.0\n\
     position = [0.0, 1.0]\n[ground]\nfriction = 0.0\n[[push]]\ntorque = 1.0\n",
    "name = \"joined\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"point\"\nmass = 1.0\nposition = [0.0, 1.0]\n\
     [[body]]\nshape = \"point\"\nmass = 1.0\nposition = [1.0, 1.0]\n[ground]\nfriction = 0.0\n\
     [[rod]]\nbodies = [\"body-0\", \"body-1\"]\n[[spring]]\nbodies = [\"body-0\", \"body-1\"]\nstiffness = 1.0\n\
     [[contact]]\nbodies = [\"body-0\", \"body-1\"]\ndistance = 0.1\n",
];

/// What is known of the keys besides the schema.
struct Reference {
    minimal: Vec<toml::Table>,
    resolved: Vec<toml::Table>,
}

/// What a file says of a key.
enum Need {
    /// A scenario without it is refused.
    Required,
    /// The value that stands in for it.
    Default(Value),
    /// It may be left out; what stands in depends on the rest, or is nothing.
    Optional,
}

impl Reference {
    fn new() -> Self {
        let tables = |texts: Vec<String>| texts.iter().filter_map(|text| toml::from_str(text).ok()).collect();
        let resolved =
            |text: &&str| parse_scenario("minimal", text, &[]).ok().map(|scenario| scenario.to_toml());
        Self {
            minimal: tables(MINIMAL.map(str::to_owned).to_vec()),
            resolved: tables(MINIMAL.iter().filter_map(resolved).collect()),
        }
    }

    fn need(&self, section: &Section, key: &Key) -> Need {
        let mut having = self.minimal.iter().filter_map(|table| find(table, section)).peekable();
        if having.peek().is_some() && having.all(|table| table.contains_key(key.name)) {
            return Need::Required;
        }
        // What a minimal scenario has to say itself is no default.
        let default = (self.minimal.iter().zip(&self.resolved))
            .filter(|(minimal, _)| value(minimal, section, key).is_none())
            .find_map(|(_, resolved)| value(resolved, section, key));
        match default {
            Some(toml::Value::Table(_) | toml::Value::Array(_)) | None => Need::Optional,
            Some(default) => serde_json::to_value(default).map_or(Need::Optional, Need::Default),
        }
    }
}

/// The table of a section in a document; of lists of tables the first counts.
fn find<'t>(document: &'t toml::Table, section: &Section) -> Option<&'t toml::Table> {
    section.path.split('.').filter(|part| !part.is_empty()).try_fold(document, |table, part| {
        match table.get(part)? {
            toml::Value::Table(inner) => Some(inner),
            toml::Value::Array(list) => list.first()?.as_table(),
            _ => None,
        }
    })
}

/// The value of a key in a document.
fn value<'t>(document: &'t toml::Table, section: &Section, key: &Key) -> Option<&'t toml::Value> {
    find(document, section)?.get(key.name)
}

/// What there is to know about a key of scenario files, `ground.friction` or `push[0].force`, or about a table,
/// `stepper.nlp`; the whole reference for an empty text.
///
/// # Errors
/// The closest key there is, where there is none of that name.
pub fn explain(key: &str) -> Result<String, Option<String>> {
    let reference = Reference::new();
    if key.is_empty() {
        return Ok(SECTIONS
            .iter()
            .map(|section| of_section(section, &reference))
            .collect::<Vec<_>>()
            .join("\n"));
    }
    let path = without_places(key);
    if let Some(section) = SECTIONS.iter().find(|section| section.path == path) {
        return Ok(of_section(section, &reference));
    }
    let found = all_keys().find(|(full, ..)| *full == path);
    match found {
        Some((full, section, key)) => Ok(of_key(&full, section, key, &reference)),
        None => {
            let names: Vec<String> = all_keys().map(|(full, ..)| full).collect();
            let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
            let same_end = names.iter().find(|name| last(name) == last(&path)).cloned();
            Err(same_end.or_else(|| closest(&path, names.iter().map(String::as_str)).map(str::to_owned)))
        }
    }
}

/// `push[0].force` without `[0]`.
fn without_places(key: &str) -> String {
    let mut path = String::new();
    let mut inside = false;
    for c in key.trim().chars() {
        match c {
            '[' => inside = true,
            ']' => inside = false,
            c if !inside => path.push(c),
            _ => {}
        }
    }
    path
}

fn all_keys() -> impl Iterator<Item = (String, &'static Section, &'static Key)> {
    SECTIONS.iter().flat_map(|&section| {
        section.keys.iter().map(move |key| {
            let full = if section.path.is_empty() {
                key.name.to_owned()
            } else {
                format!("{}.{}", section.path, key.name)
            };
            (full, section, key)
        })
    })
}

fn of_section(section: &Section, reference: &Reference) -> String {
    let title = if section.path.is_empty() { "Top of the file" } else { section.header };
    let mut text = format!("{title}\n");
    let width = section.keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
    for key in section.keys {
        let need = match reference.need(section, key) {
            Need::Required => "required".to_owned(),
            Need::Default(default) => format!("default {default}"),
            Need::Optional => "optional".to_owned(),
        };
        let range = key.range.map_or_else(String::new, |range| format!("; {}", in_words(&range)));
        text += &format!("  {:<width$}  {}; {need}{range}\n", key.name, key.meaning);
    }
    text
}

fn of_key(full: &str, section: &Section, key: &Key, reference: &Reference) -> String {
    let need = match reference.need(section, key) {
        Need::Required => "required".to_owned(),
        Need::Default(default) => format!("optional, {default} if absent"),
        Need::Optional => "optional".to_owned(),
    };
    let range = key.range.map_or_else(String::new, |range| format!(" {}", in_words(&range)));
    format!(
        "{full}: {}\n  {}{range}, {need}\n  for example {} = {}\n  in {}\n",
        key.meaning,
        kind(key),
        key.name,
        key.example,
        section.title()
    )
}

/// What kind of value a key has, in words.
fn kind(key: &Key) -> String {
    match example(key) {
        Some(toml::Value::String(_)) if choices(key).is_some() => "one of the words in quotes".to_owned(),
        Some(toml::Value::String(_)) => "a string".to_owned(),
        Some(toml::Value::Integer(_)) => "a whole number".to_owned(),
        Some(toml::Value::Boolean(_)) => "true or false".to_owned(),
        Some(toml::Value::Array(list)) if list.first().is_some_and(toml::Value::is_table) => {
            "tables".to_owned()
        }
        Some(toml::Value::Array(_)) => "a list".to_owned(),
        Some(toml::Value::Table(_)) => "a table".to_owned(),
        _ => "a number".to_owned(),
    }
}

fn example(key: &Key) -> Option<toml::Value> {
    parse(key.example)
}

fn parse(value: &str) -> Option<toml::Value> {
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

/// The JSON Schema (draft 2020-12) of a scenario file. It knows keys, kinds, choices and the ranges of single numbers;
/// what two values have to do with each other only [`Scenario::check`](crate::scenario::Scenario::check) knows.
pub fn json_schema() -> Value {
    let mut schema = object("", &Reference::new());
    let mut all = Map::new();
    all.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    all.insert("title".into(), json!("stickslip scenario"));
    if let Value::Object(object) = &mut schema {
        all.append(object);
    }
    Value::Object(all)
}

/// The schema of the table at `path`.
fn object(path: &str, reference: &Reference) -> Value {
    let Some(section) = SECTIONS.iter().find(|section| section.path == path) else {
        return json!({ "type": "object" });
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in section.keys {
        let full = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        let mut property = of_value(&full, key, reference);
        property.insert("description".into(), json!(key.meaning));
        match reference.need(section, key) {
            Need::Required => required.push(key.name),
            Need::Default(default) => {
                property.insert("default".into(), default);
            }
            Need::Optional => {}
        }
        properties.insert(key.name.into(), Value::Object(property));
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn of_value(full: &str, key: &Key, reference: &Reference) -> Map<String, Value> {
    let others = key.other_kinds.iter().map(|value| of_kind(full, key, parse(value), reference));
    let kinds: Vec<Value> =
        std::iter::once(of_kind(full, key, example(key), reference)).chain(others).collect();
    let schema = match &kinds[..] {
        [kind] => kind.clone(),
        kinds => json!({ "anyOf": kinds }),
    };
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The schema of values that are of the kind of `example`.
fn of_kind(full: &str, key: &Key, example: Option<toml::Value>, reference: &Reference) -> Value {
    match example {
        Some(toml::Value::String(_)) => match choices(key) {
            Some(words) => json!({ "enum": words }),
            None => json!({ "type": "string" }),
        },
        Some(toml::Value::Integer(_)) => number("integer", key),
        Some(toml::Value::Boolean(_)) => json!({ "type": "boolean" }),
        Some(toml::Value::Array(list)) => match list.first() {
            Some(toml::Value::Table(_)) => json!({ "type": "array", "items": object(full, reference) }),
            Some(toml::Value::Integer(_)) => json!({ "type": "array", "items": { "type": "integer" } }),
            Some(toml::Value::Float(_)) => json!({ "type": "array", "items": number("number", key) }),
            Some(toml::Value::Array(_)) => {
                json!({ "type": "array", "items": { "type": "array", "items": number("number", key) } })
            }
            Some(toml::Value::String(_)) => json!({ "type": "array", "items": { "type": "string" } }),
            _ => json!({ "type": "array" }),
        },
        // One particle is a table, several are a list of them.
        Some(toml::Value::Table(_)) if full == "particle" => {
            let one = object(full, reference);
            json!({ "oneOf": [one, { "type": "array", "items": one }] })
        }
        Some(toml::Value::Table(_)) => object(full, reference),
        _ => number("number", key),
    }
}

/// The schema of a number in the range of `key`.
fn number(kind: &str, key: &Key) -> Value {
    let mut schema = Map::new();
    schema.insert("type".into(), json!(kind));
    if let Some((least, most)) = key.range {
        for (bound, included, excluded) in
            [(least, "minimum", "exclusiveMinimum"), (most, "maximum", "exclusiveMaximum")]
        {
            match bound {
                Bound::Included(bound) => schema.insert(included.into(), json!(bound)),
                Bound::Excluded(bound) => schema.insert(excluded.into(), json!(bound)),
                Bound::Unbounded => None,
            };
        }
    }
    Value::Object(schema)
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::{Key, MINIMAL, SECTIONS, Section, choices, example, in_words, parse_scenario};
    use crate::scenario::Override;

    #[test]
    fn a_minimal_scenario_is_read_and_without_any_of_its_values_it_is_not() {
        for text in MINIMAL {
            parse_scenario("minimal", text, &[]).expect("a scenario");
            let lines: Vec<&str> = text.lines().collect();
            for (place, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('[')) {
                let without: Vec<&str> =
                    lines.iter().enumerate().filter(|(k, _)| *k != place).map(|(_, line)| *line).collect();
                assert!(
                    parse_scenario("minimal", &without.join("\n"), &[]).is_err(),
                    "`{line}` is not needed"
                );
            }
        }
    }

    #[test]
    fn every_word_of_a_choice_is_taken_and_no_other_one() {
        for section in SECTIONS.iter().filter(|section| section.path.starts_with("stepper.")) {
            for key in section.keys {
                let Some(words) = choices(key) else { continue };
                let set = |word: &str| {
                    let change: Override =
                        format!("{}.{}={word}", section.path, key.name).parse().expect("an override");
                    parse_scenario("minimal", MINIMAL[0], &[change])
                };
                for word in words {
                    set(word)
                        .unwrap_or_else(|error| panic!("{}.{} = {word}: {error}", section.path, key.name));
                }
                assert!(set("nonsense").is_err(), "{}.{}", section.path, key.name);
            }
        }
    }

    /// A scenario in which the key is a single number, and the change that sets it there.
    fn with(section: &Section, key: &Key, value: f64) -> (String, Override) {
        let base = match section.path {
            "particle" | "contact" | "rod" | "spring" | "push" => MINIMAL[1],
            "body" | "wall" | "pair" => MINIMAL[2],
            _ => MINIMAL[0],
        };
        // What a key needs beside it to count.
        let beside = match (section.path, key.name) {
            ("stepper.smooth", "amplitude" | "sharpness") => "[stepper.smooth]\nlaw = \"tanh\"\n",
            ("stepper.convex", "beta") => "[stepper.convex]\nstiffness = 1e7\n",
            _ => "",
        };
        let text = format!("{base}{beside}")
            .replace("duration = 1.0", if key.name == "step" { "duration = 1e-3" } else { "duration = 1.0" });
        let list = if matches!(section.path, "")
            || section.path.starts_with("stepper")
            || section.path == "ground"
        {
            ""
        } else {
            "[0]"
        };
        let dot = if section.path.is_empty() { "" } else { "." };
        let place = match key.example.parse::<f64>() {
            Ok(_) => "",
            Err(_) => "[0]",
        };
        let change = format!("{}{list}{dot}{}{place}={value:?}", section.path, key.name);
        (text, change.parse().expect("an override"))
    }

    #[test]
    fn what_lies_in_the_range_of_a_key_is_taken_and_what_lies_beyond_it_is_not() {
        let mut probed = 0;
        for section in SECTIONS {
            for key in section.keys {
                let Some((least, most)) = key.range else { continue };
                // A size has to fit the shape, a normal to be a unit vector, a torque and the ends of a push one
                // another; a duration has no more than so many steps.
                if matches!(
                    key.name,
                    "size"
                        | "normal"
                        | "torque"
                        | "to"
                        | "from"
                        | "phase"
                        | "directions"
                        | "duration"
                        | "velocity"
                ) {
                    continue;
                }
                // What is said of this key, and whether it is about the range.
                let refused = |value: f64| {
                    let (text, change) = with(section, key, value);
                    let said = match parse_scenario("probe", &text, &[change]) {
                        Ok(_) => String::new(),
                        Err(error) => error.to_string(),
                    };
                    let of_key: String = said.lines().filter(|line| line.contains(key.name)).collect();
                    let by_range = of_key.contains(&in_words(&(least, most)));
                    (
                        !of_key.is_empty(),
                        by_range,
                        format!("{}.{} = {value:e}: {said}", section.path, key.name),
                    )
                };
                for (bound, outwards) in [(least, -1.0), (most, 1.0)] {
                    let (edge, is_in) = match bound {
                        Bound::Included(edge) => (edge, true),
                        Bound::Excluded(edge) => (edge, false),
                        Bound::Unbounded => continue,
                    };
                    let beyond =
                        if edge == 0.0 { outwards } else { edge * (1.0 + outwards * edge.signum() * 1e-3) };
                    let (is_refused, _, said) = refused(beyond);
                    assert!(is_refused, "beyond the range, and taken: {said}");
                    // Another rule may refuse it: a light body does not fit a push, a long step the duration.
                    let (is_refused, by_range, said) = refused(edge);
                    assert!(if is_in { !by_range } else { is_refused }, "at the end of the range: {said}");
                    probed += 1;
                }
            }
        }
        assert!(probed > 60, "{probed}");
    }

    #[test]
    fn every_example_of_the_schema_is_a_value() {
        for key in SECTIONS.iter().flat_map(|section| section.keys) {
            assert!(example(key).is_some(), "{} = {}", key.name, key.example);
        }
    }
}
