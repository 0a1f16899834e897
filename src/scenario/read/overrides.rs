use std::{str::FromStr, sync::Arc};

use toml::de::DeValue;

use super::{
    document::{Node, Source, Table, Value},
    key_path::{KeyPath, Segment},
};
use crate::scenario::keys::{self, NumberKey, Section};

/// Most parts that the full name of a value has: `push[0].force[1]` has four.
const MAX_SEGMENTS: usize = 8;
/// The key by which a scenario reads another file.
const FILE: &str = "file";

/// One key of a scenario set from outside the file, `KEY=VALUE`.
///
/// The key is written as in `ground.friction`, `stepper.nlp.solver` or `push[0].force`; the value
/// as in a scenario file, except that a single word needs no quotes. An override is held against
/// the same rules as the file.
///
/// ```
/// use stickslip::scenario::{Override, parse_scenario};
///
/// let text = r#"
///     name = "slide"
///     duration = 1.2
///     step = 1e-3
///     [particle]
///     mass = 10.0
///     position = [0.0, 1.0]
///     velocity = [1.0, 0.0]
///     [ground]
///     friction = 0.1
/// "#;
/// let steeper: Override = "ground.slope=20".parse()?;
/// let scenario = parse_scenario("slide", text, &[steeper])?;
/// assert!(scenario.to_toml().contains("slope = 20.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Override {
    argument: Arc<str>,
    key: KeyPath,
    value: Node,
}

/// A text that is no override.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// There is no equals sign.
    #[error("`{given}` has no `=`; write KEY=VALUE, for example ground.friction=0.3")]
    NoEquals {
        /// The text.
        given: String,
    },
    /// What stands before the equals sign cannot be a key.
    #[error(
        "`{key}` is not a key; write keys like ground.friction, stepper.nlp.solver or push[0].force, \
         for example ground.friction=0.3"
    )]
    Key {
        /// What stands there.
        key: String,
    },
    /// What stands behind the equals sign is no value.
    #[error(
        "`{value}` is not a value for `{key}` ({reason}); write a number (0.3), a word (ipopt), \
         true or false, or a list ([1.0, 0.0])"
    )]
    Value {
        /// The key.
        key: String,
        /// What stands there.
        value: String,
        /// The TOML parser's complaint.
        reason: String,
    },
}

impl Override {
    /// Reads `KEY=VALUE`.
    ///
    /// # Errors
    /// [`OverrideError`] if the text has no such form. Whether there is such a key and whether it
    /// may have this value turns out when the override is applied to a scenario.
    pub fn parse(argument: &str) -> Result<Self, OverrideError> {
        let (key_text, value_text) =
            argument.split_once('=').ok_or_else(|| OverrideError::NoEquals { given: argument.to_owned() })?;
        let key_text = key_text.trim();
        let key = KeyPath::parse(key_text)
            .filter(|path| path.0.len() <= MAX_SEGMENTS)
            .ok_or_else(|| OverrideError::Key { key: key_text.to_owned() })?;
        let value_start = argument.len() - value_text.trim_start().len();
        let value_text = value_text.trim();
        let argument: Arc<str> = Arc::from(argument);
        let place = |span: std::ops::Range<usize>| {
            Source::Override(Arc::clone(&argument), value_start + span.start..value_start + span.end)
        };
        let value = match DeValue::parse(value_text) {
            Ok(value) => Node::new(&value, &place),
            Err(_) if is_word(value_text) => {
                Node { value: Value::Text(value_text.to_owned()), source: place(0..value_text.len()) }
            }
            Err(error) => {
                let reason = if value_text.is_empty() { "it is empty" } else { error.message() };
                return Err(OverrideError::Value {
                    key: key_text.to_owned(),
                    value: value_text.to_owned(),
                    reason: reason.to_owned(),
                });
            }
        };
        Ok(Self { argument, key, value })
    }

    /// Sets the key to a number.
    ///
    /// # Errors
    /// [`OverrideError::Key`] if the text cannot be a key.
    pub fn of_number(key: &str, value: f64) -> Result<Self, OverrideError> {
        let path = KeyPath::parse(key)
            .filter(|path| path.0.len() <= MAX_SEGMENTS)
            .ok_or_else(|| OverrideError::Key { key: key.to_owned() })?;
        let argument: Arc<str> = Arc::from(format!("{key}={value:?}"));
        let source = Source::Override(Arc::clone(&argument), key.len() + 1..argument.len());
        Ok(Self { argument, key: path, value: Node { value: Value::Float(value), source } })
    }

    /// The numbers that it sets, each with its key, and what else there is to it: its text with `#` for every number.
    /// None where it sets something else as well.
    pub(super) fn numbers(&self) -> Option<(String, Vec<(NumberKey, f64)>)> {
        let (mut pattern, mut numbers) = (format!("{}=", self.key), Vec::new());
        let mut path = self.key.clone();
        numbers_in(&self.value, &mut path, &mut pattern, &mut numbers)?;
        Some((pattern, numbers))
    }

    /// `KEY=VALUE` as it was given.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// Whether nothing is left of an `earlier` override once this one is applied: it sets the same value, or one that
    /// contains it.
    ///
    /// ```
    /// use stickslip::scenario::Override;
    ///
    /// let [mass, same, body]: [Override; 3] =
    ///     ["body.0.mass=1", "body[0].mass=2", "body[0]={mass=3}"].map(|text| text.parse().unwrap());
    /// assert!(same.replaces(&mass) && body.replaces(&mass) && !mass.replaces(&body));
    /// ```
    pub fn replaces(&self, earlier: &Self) -> bool {
        earlier.key.0.starts_with(&self.key.0)
    }

    /// Sets the value in a document, creating tables on the way where there are none.
    pub(crate) fn apply(&self, root: &mut Node) -> Result<(), Obstacle> {
        if let Some(obstacle) = self.missing_list(root) {
            return Err(obstacle);
        }
        let mut node = root;
        for (depth, segment) in self.key.0.iter().enumerate() {
            let so_far = KeyPath(self.key.0[..depth].to_vec());
            // A list of numbers or names with another element is no longer what the file says.
            if self.key.0[depth..].iter().all(|rest| matches!(rest, Segment::Index(_))) {
                node.source = Source::Assembled(Arc::clone(&self.argument));
            }
            node = match (segment, &mut node.value) {
                (Segment::Key(key), Value::Table(table)) => {
                    let source = &self.value.source;
                    let new_table = || (source.clone(), empty_table(source));
                    &mut table.0.entry(key.clone()).or_insert_with(new_table).1
                }
                (Segment::Index(index), Value::List(list) | Value::Tables(list)) => {
                    let length = list.len();
                    list.get_mut(*index).ok_or_else(|| Obstacle {
                        message: format!("there is no `{}`: {}", self.key, count(&so_far, length)),
                        help: "places are counted from 0; an override cannot lengthen a list".to_owned(),
                    })?
                }
                (Segment::Key(key), Value::Tables(list) | Value::List(list)) => {
                    let rest = |from: usize| -> String {
                        self.key.0[from..].iter().map(ToString::to_string).collect()
                    };
                    // What stands there may be the name of one of the list, as of a body.
                    let named = list.iter().position(|entry| entry.is_named(key));
                    return Err(Obstacle {
                        message: format!("there is no `{}`: `{so_far}` is a list", self.key),
                        help: match named {
                            Some(place) => {
                                format!("`{key}` is the place `{so_far}[{place}]{}`", rest(depth + 1))
                            }
                            None => {
                                // Numbers have no keys that could follow a place.
                                let has_keys =
                                    list.iter().any(|entry| matches!(entry.value, Value::Table(_)));
                                let whole = format!("{so_far}[0]{}", rest(depth + usize::from(!has_keys)));
                                format!("name a place in the list, counted from 0: `{whole}`")
                            }
                        },
                    });
                }
                (_, Value::Table(_)) => {
                    let rest: String = self.key.0[depth + 1..].iter().map(ToString::to_string).collect();
                    return Err(Obstacle {
                        message: format!("there is no `{}`: `{so_far}` is not a list", self.key),
                        help: match rest.starts_with('.') {
                            true => format!("it is a single one: `{so_far}{rest}`"),
                            false => format!("name a key, such as `{so_far}.KEY`"),
                        },
                    });
                }
                _ => {
                    return Err(Obstacle {
                        message: format!("there is no `{}`: `{so_far}` is one value", self.key),
                        help: format!("set `{so_far}` itself"),
                    });
                }
            };
        }
        *node = self.value.clone();
        Ok(())
    }

    /// The place of a list that is not there, which no override makes.
    fn missing_list(&self, root: &Node) -> Option<Obstacle> {
        let mut node = Some(root);
        for (depth, segment) in self.key.0.iter().enumerate() {
            node = match (segment, node.map(|node| &node.value)) {
                (Segment::Key(key), Some(Value::Table(table))) => table.0.get(key).map(|(_, node)| node),
                (Segment::Key(_), None) => None,
                (Segment::Index(_), None) => {
                    let list = KeyPath(self.key.0[..depth].to_vec());
                    let top: &dyn Section = keys::top::<2>();
                    let known = match &self.key.0[..depth] {
                        [Segment::Key(name)] => top.key(name),
                        _ => None,
                    };
                    let whole = known.map(|key| format!(": `{list}={}`", key.example)).unwrap_or_default();
                    return Some(Obstacle {
                        message: format!("there is no `{}`: the scenario has no `{list}`", self.key),
                        help: format!("write it into the file, or set it as a whole{whole}"),
                    });
                }
                (Segment::Index(index), Some(Value::List(list) | Value::Tables(list))) => {
                    Some(list.get(*index)?)
                }
                // What is there is of another kind, which has its own message.
                (Segment::Key(_) | Segment::Index(_), Some(_)) => return None,
            };
        }
        None
    }

    /// The full key.
    pub(crate) fn key(&self) -> &KeyPath {
        &self.key
    }

    /// Whether it has a scenario read a file: by its key, or by the key of a table in its value, however that is written.
    pub(crate) fn names_file(&self) -> bool {
        self.key.names().contains(&FILE) || self.value.has_key(FILE)
    }

    /// Where the override itself counts as written.
    pub(crate) fn source(&self) -> &Source {
        &self.value.source
    }
}

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(argument: &str) -> Result<Self, OverrideError> {
        Self::parse(argument)
    }
}

/// The numbers of a value that stands at a path, added to `numbers`, and its form, added to `pattern`.
fn numbers_in(
    node: &Node,
    path: &mut KeyPath,
    pattern: &mut String,
    numbers: &mut Vec<(NumberKey, f64)>,
) -> Option<()> {
    match &node.value {
        Value::Float(number) | Value::Integer(_, number) => {
            numbers.push((NumberKey::of(path)?, *number));
            pattern.push('#');
        }
        Value::List(list) => {
            pattern.push('[');
            for (place, element) in list.iter().enumerate() {
                path.0.push(Segment::Index(place));
                numbers_in(element, path, pattern, numbers)?;
                path.0.pop();
            }
            pattern.push(']');
        }
        _ => return None,
    }
    Some(())
}

/// Why an override cannot be applied to a document.
pub(crate) struct Obstacle {
    pub(crate) message: String,
    pub(crate) help: String,
}

fn empty_table(source: &Source) -> Node {
    Node { value: Value::Table(Table::default()), source: source.clone() }
}

fn count(list: &KeyPath, length: usize) -> String {
    match length {
        0 => format!("`{list}` is empty"),
        1 => format!("`{list}` has only the place `{list}[0]`"),
        _ => format!("`{list}` has only the places `{list}[0]` to `{list}[{}]`", length - 1),
    }
}

/// Whether a text may stand for a string without quotes.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':' | '/'))
}
