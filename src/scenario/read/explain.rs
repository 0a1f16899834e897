//! The schema in words for people and as JSON Schema for programs.
//!
//! Everything follows from the [schema](super::schema): the kind of a value from its example, the words that a
//! choice has from the quotes in its meaning. What is required and what a default is follows from the reader itself:
//! [`MINIMAL`] has what a scenario needs and nothing else, and the text that it resolves to has every default.

use serde_json::{Map, Value, json};

use super::{
    parse_scenario,
    schema::{Key, SECTIONS, Section},
    suggest::closest,
};

/// The least scenarios of a point, of particles with everything that joins them, and of bodies with walls and
/// pairs, and of one that is only turned.
const MINIMAL: [&str; 4] = [
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
        let default = self.resolved.iter().find_map(|table| value(table, section, key));
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
        text += &format!("  {:<width$}  {}; {need}\n", key.name, key.meaning);
    }
    text
}

fn of_key(full: &str, section: &Section, key: &Key, reference: &Reference) -> String {
    let need = match reference.need(section, key) {
        Need::Required => "required".to_owned(),
        Need::Default(default) => format!("optional, {default} if absent"),
        Need::Optional => "optional".to_owned(),
    };
    format!(
        "{full}: {}\n  {}, {need}\n  for example {} = {}\n  in {}\n",
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
fn choices(key: &Key) -> Option<Vec<&'static str>> {
    let word = key.example.strip_prefix('"')?.strip_suffix('"')?;
    let outside = key.meaning.split('(').map(|part| part.split_once(')').map_or(part, |(_, after)| after));
    let words: Vec<&str> = outside.flat_map(|part| part.split('"').skip(1).step_by(2)).collect();
    words.contains(&word).then_some(words)
}

/// The JSON Schema (draft 2020-12) of a scenario file. It knows keys, kinds and choices; the ranges of values
/// are held by [`Scenario::check`](crate::scenario::Scenario::check) alone.
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
        Some(toml::Value::Integer(_)) => json!({ "type": "integer" }),
        Some(toml::Value::Boolean(_)) => json!({ "type": "boolean" }),
        Some(toml::Value::Array(list)) => match list.first() {
            Some(toml::Value::Table(_)) => json!({ "type": "array", "items": object(full, reference) }),
            Some(toml::Value::Integer(_)) => json!({ "type": "array", "items": { "type": "integer" } }),
            Some(toml::Value::Float(_)) => json!({ "type": "array", "items": { "type": "number" } }),
            Some(toml::Value::Array(_)) => {
                json!({ "type": "array", "items": { "type": "array", "items": { "type": "number" } } })
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
        _ => json!({ "type": "number" }),
    }
}

#[cfg(test)]
mod tests {
    use super::{MINIMAL, SECTIONS, choices, example, parse_scenario};
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

    #[test]
    fn every_example_of_the_schema_is_a_value() {
        for key in SECTIONS.iter().flat_map(|section| section.keys) {
            assert!(example(key).is_some(), "{} = {}", key.name, key.example);
        }
    }
}
