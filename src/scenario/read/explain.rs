//! The schema in words, for people.

use super::{
    closest,
    key_path::KeyPath,
    kind::parse,
    need::{Need, Reference},
    suggest::answers,
};
use crate::scenario::{
    check::in_words,
    keys::{Row, Section, sections},
};

/// What there is to know about a key of scenario files, `ground.friction` or `push[0].force`, or about a table,
/// `stepper.nlp`; the whole reference for an empty text.
///
/// The last parts of a key are enough, `motion` for `body.motion`; where several keys end that way, all of them are listed.
///
/// # Errors
/// The closest key there is, where there is none of that name.
pub fn explain(key: &str) -> Result<String, Option<String>> {
    let reference = Reference::new();
    if key.is_empty() {
        return Ok(sections()
            .into_iter()
            .map(|section| of_section(section, &reference))
            .collect::<Vec<_>>()
            .join("\n"));
    }
    let path = path(key);
    let named: Vec<Named> = match Named::all().find(|named| named.path() == path) {
        Some(named) => vec![named],
        None => Named::all().filter(|named| named.path().ends_with(&format!(".{path}"))).collect(),
    };
    match named.as_slice() {
        [] => Err(closest_key(&path)),
        [only] => Ok(only.explained(&reference)),
        several => Ok(list(&path, several)),
    }
}

/// What there is for a word of other programs and of the literature that is no key of scenario files; `None` if it is not
/// known.
pub fn explain_word(word: &str) -> Option<String> {
    let found: Vec<_> = answers(word.trim()).collect();
    let told = found.iter().map(|(paths, answer)| {
        let titles = sections().into_iter().filter(|section| paths.contains(&section.path()));
        let titles: Vec<String> = titles.map(|section| section.title()).collect();
        let place = if titles.is_empty() { String::new() } else { format!("in {}: ", titles.join(", ")) };
        format!("  {place}{answer}\n")
    });
    (!found.is_empty())
        .then(|| format!("{}: no key of scenario files\n{}", word.trim(), told.collect::<String>()))
}

/// Whether scenario files have such a key or table, by its full name.
///
/// # Errors
/// The closest key there is, where there is none of that name.
pub(crate) fn require_key(key: &str) -> Result<(), Option<String>> {
    let path = path(key);
    Named::all().any(|named| named.path() == path).then_some(()).ok_or_else(|| closest_key(&path))
}

/// The name of a key as tables have it: `push[0].force` is `push.force`.
fn path(key: &str) -> String {
    KeyPath::parse(key.trim()).map_or_else(|| key.trim().to_owned(), |path| path.names().join("."))
}

/// A key that ends alike, or else is spelt alike.
fn closest_key(path: &str) -> Option<String> {
    let names: Vec<String> = all_keys().map(|(full, ..)| full).collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let same_end = names.iter().find(|name| last(name) == last(path)).cloned();
    same_end.or_else(|| closest(path, names.iter().map(String::as_str)).map(str::to_owned))
}

/// What a name of scenario files stands for.
enum Named {
    Table(&'static dyn Section),
    Key(String, &'static dyn Section, &'static Row),
}

impl Named {
    fn all() -> impl Iterator<Item = Self> {
        let tables = sections().into_iter().filter(|section| !section.path().is_empty()).map(Self::Table);
        // A key that opens a table is told by it.
        let keys = all_keys().filter(|(full, ..)| sections().iter().all(|section| section.path() != full));
        tables.chain(keys.map(|(full, section, row)| Self::Key(full, section, row)))
    }

    fn path(&self) -> &str {
        match self {
            Self::Table(section) => section.path(),
            Self::Key(full, ..) => full,
        }
    }

    fn explained(&self, reference: &Reference) -> String {
        match self {
            Self::Table(section) => of_section(*section, reference),
            Self::Key(full, section, row) => of_key(full, *section, row, reference),
        }
    }
}

/// Several keys that end alike, each with its meaning.
fn list(path: &str, named: &[Named]) -> String {
    let width = named.iter().map(|named| named.path().len()).max().unwrap_or(0);
    let mut text = format!("{path}: the end of several keys; `stickslip explain KEY` says more of each\n");
    for named in named {
        let meaning = match named {
            Named::Table(section) => section.title(),
            Named::Key(.., row) => row.meaning.to_owned(),
        };
        text += &format!("  {:<width$}  {meaning}\n", named.path());
    }
    text
}

fn all_keys() -> impl Iterator<Item = (String, &'static dyn Section, &'static Row)> {
    sections().into_iter().flat_map(|section| {
        section.rows().map(move |row| {
            let full = if section.path().is_empty() {
                row.name.to_owned()
            } else {
                format!("{}.{}", section.path(), row.name)
            };
            (full, section, row)
        })
    })
}

fn of_section(section: &dyn Section, reference: &Reference) -> String {
    let title = if section.path().is_empty() { "Top of the file" } else { section.header() };
    let mut text = format!("{title}\n");
    let width = section.rows().map(|row| row.name.len()).max().unwrap_or(0);
    for row in section.rows() {
        let need = match reference.need(section, row) {
            Need::Required => "required".to_owned(),
            Need::Default(default) => format!("default {default}"),
            Need::Optional => "optional".to_owned(),
        };
        let range = row.range.map_or_else(String::new, |range| format!("; {}", in_words(&range)));
        text += &format!("  {:<width$}  {}; {need}{range}\n", row.name, row.meaning);
    }
    text
}

fn of_key(full: &str, section: &dyn Section, row: &Row, reference: &Reference) -> String {
    let need = match reference.need(section, row) {
        Need::Required => "required".to_owned(),
        Need::Default(default) => format!("optional, {default} if absent"),
        Need::Optional => "optional".to_owned(),
    };
    let range = row.range.map_or_else(String::new, |range| format!(" {}", in_words(&range)));
    let examples: Vec<&str> = std::iter::once(row.example).chain(row.other_kinds.iter().copied()).collect();
    let kinds: Vec<String> = examples.iter().map(|example| kind(row, example)).collect();
    let has_list = kinds.iter().any(|kind| kind.starts_with("a list"));
    let each = if has_list && !range.is_empty() { ", each" } else { "" };
    format!(
        "{full}: {}\n  {}{each}{range}, {need}\n  for example {} = {}\n  in {}\n",
        row.meaning,
        kinds.join(", or "),
        row.name,
        examples.join(", or "),
        section.title()
    )
}

/// What kind of value of a key such an example is, in words.
fn kind(row: &Row, example: &str) -> String {
    match parse(example) {
        Some(toml::Value::String(_)) if row.words.is_some() => "one of the words in quotes".to_owned(),
        Some(toml::Value::String(_)) => "a string".to_owned(),
        Some(toml::Value::Integer(_)) => "a whole number".to_owned(),
        Some(toml::Value::Boolean(_)) => "true or false".to_owned(),
        Some(toml::Value::Array(list)) => match list.first() {
            Some(toml::Value::Table(_)) => "tables".to_owned(),
            Some(toml::Value::Array(_)) => "a list of lists".to_owned(),
            Some(toml::Value::Integer(_) | toml::Value::Float(_)) => "a list of numbers".to_owned(),
            _ => "a list".to_owned(),
        },
        Some(toml::Value::Table(_)) => "a table".to_owned(),
        _ => "a number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::{
        super::{need::MINIMAL, parse_scenario},
        Row, Section, in_words, sections,
    };
    use crate::scenario::Override;

    #[test]
    fn every_word_of_a_choice_is_taken_and_no_other_one() {
        for section in sections().into_iter().filter(|section| section.path().starts_with("stepper.")) {
            for key in section.rows() {
                let Some(words) = key.words else { continue };
                let set = |word: &str| {
                    let change: Override =
                        format!("{}.{}={word}", section.path(), key.name).parse().expect("an override");
                    parse_scenario("minimal", MINIMAL[0], &[change])
                };
                for word in words() {
                    set(word)
                        .unwrap_or_else(|error| panic!("{}.{} = {word}: {error}", section.path(), key.name));
                }
                assert!(set("nonsense").is_err(), "{}.{}", section.path(), key.name);
            }
        }
    }

    /// A scenario in which the key is a single number, and the change that sets it there.
    fn with(section: &dyn Section, key: &Row, value: f64) -> (String, Override) {
        let base = match section.path() {
            "particle" | "contact" | "rod" | "spring" | "push" => MINIMAL[1],
            "body" | "wall" | "pair" => MINIMAL[2],
            "joint" if key.name == "start2" => MINIMAL[11],
            "joint" | "joint.drive" => MINIMAL[5],
            "joint.drive2" => MINIMAL[11],
            "body.part" => MINIMAL[8],
            _ => MINIMAL[0],
        };
        // What a key needs beside it to count.
        let beside = match (section.path(), key.name) {
            ("stepper.smooth", "amplitude" | "sharpness") => "[stepper.smooth]\nlaw = \"tanh\"\n",
            ("stepper.convex", "beta") => "[stepper.convex]\nstiffness = 1e7\n",
            _ => "",
        };
        let text = format!("{base}{beside}")
            .replace("duration = 1.0", if key.name == "step" { "duration = 1e-3" } else { "duration = 1.0" });
        // Nothing bounces without stops.
        let text = match (section.path(), key.name) {
            ("joint", "restitution") => text.replace("\"hinge\"", "\"hinge\"\nlimits = [-1.0, 1.0]"),
            _ => text,
        };
        let list = if matches!(section.path(), "")
            || section.path().starts_with("stepper")
            || section.path() == "ground"
        {
            ""
        } else {
            "[0]"
        };
        let dot = if section.path().is_empty() { "" } else { "." };
        let place = match key.example.parse::<f64>() {
            Ok(_) => "",
            Err(_) => "[0]",
        };
        let path = match section.path().split_once('.') {
            Some((outer, inner)) if outer == "joint" => format!("{outer}{list}.{inner}"),
            Some((outer, inner)) if outer == "body" => format!("{outer}{list}.{inner}{list}"),
            _ => format!("{}{list}", section.path()),
        };
        let change = format!("{path}{dot}{}{place}={value:?}", key.name);
        (text, change.parse().expect("an override"))
    }

    #[test]
    fn what_lies_in_the_range_of_a_key_is_taken_and_what_lies_beyond_it_is_not() {
        let mut probed = 0;
        for section in sections() {
            for key in section.rows() {
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
                        format!("{}.{} = {value:e}: {said}", section.path(), key.name),
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
}
