//! Settings of an experiment, given as `KEY=VALUE` and checked against what the experiment takes.

use std::fmt;

use serde_json::{Map, Value};

use crate::{decimal::shortest, spelling::closest};

/// One setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{argument}: {message}")]
pub struct OptionFault {
    /// `KEY=VALUE` as it was given.
    pub argument: String,
    /// What is wrong with it.
    pub message: String,
    /// What is allowed.
    pub help: String,
}

/// The settings given to an experiment.
///
/// An experiment asks for each of its settings by name, with a default and the range that is
/// allowed; what nobody asked for is then an unknown key.
#[derive(Debug, Default)]
pub struct Options {
    given: Vec<Given>,
    known: Vec<&'static str>,
    absent: Vec<Absent>,
    used: Map<String, Value>,
    faults: Vec<OptionFault>,
}

/// A setting that an experiment has under other circumstances, or that others have.
#[derive(Debug)]
struct Absent {
    key: &'static str,
    circumstances: &'static str,
    help: &'static str,
}

#[derive(Debug)]
struct Given {
    argument: String,
    key: String,
    value: String,
}

/// Numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Smallest allowed value.
    pub low: f64,
    /// Largest allowed value.
    pub high: f64,
    /// Whether `low` itself is excluded.
    pub open: bool,
}

impl Range {
    /// From `low` to `high`, both allowed.
    pub const fn closed(low: f64, high: f64) -> Self {
        Self { low, high, open: false }
    }

    /// Above `low`, up to `high`.
    pub const fn above(low: f64, high: f64) -> Self {
        Self { low, high, open: true }
    }

    fn has(&self, value: f64) -> bool {
        value <= self.high && if self.open { value > self.low } else { value >= self.low }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.open { "above" } else { "from" };
        write!(f, "{relation} {} to {}", shortest(self.low), shortest(self.high))
    }
}

impl Options {
    /// Takes `KEY=VALUE` settings; a later one overrides an earlier one of the same key.
    pub fn new(arguments: &[String]) -> Self {
        let mut this = Self::default();
        for argument in arguments {
            match argument.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() => {
                    let key = key.trim().replace('-', "_");
                    this.given.retain(|given| given.key != key);
                    this.given.push(Given {
                        argument: argument.clone(),
                        key,
                        value: value.trim().to_owned(),
                    });
                }
                _ => this.faults.push(OptionFault {
                    argument: argument.clone(),
                    message: "there is no `KEY=`".to_owned(),
                    help: "write KEY=VALUE, for example friction=0.5".to_owned(),
                }),
            }
        }
        this
    }

    /// A number in `range`.
    pub fn number(&mut self, key: &'static str, default: f64, range: Range) -> f64 {
        let allowed = format!("`{key}` is a number {range}; the default is {}", shortest(default));
        let parse = |text: &str| text.parse::<f64>().ok().filter(|value| range.has(*value));
        let value = self.take(key, &allowed, parse).unwrap_or(default);
        self.used.insert(key.to_owned(), value.into());
        value
    }

    /// A whole number from `low` to `high`.
    pub fn count(&mut self, key: &'static str, default: usize, low: usize, high: usize) -> usize {
        let allowed = format!("`{key}` is a whole number from {low} to {high}; the default is {default}");
        let parse = |text: &str| text.parse::<usize>().ok().filter(|value| (low..=high).contains(value));
        let value = self.take(key, &allowed, parse).unwrap_or(default);
        self.used.insert(key.to_owned(), value.into());
        value
    }

    /// `true` or `false`.
    pub fn switch(&mut self, key: &'static str, default: bool) -> bool {
        let allowed = format!("`{key}` is true or false; the default is {default}");
        let value = self.take(key, &allowed, |text| text.parse().ok()).unwrap_or(default);
        self.used.insert(key.to_owned(), value.into());
        value
    }

    /// One of `choices`, by the names that `name` gives them; the first is the default.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> T {
        let names: Vec<_> = choices.iter().map(|choice| name(*choice)).collect();
        let allowed = format!("`{key}` is one of {}; the default is {}", names.join(", "), names[0]);
        let parse = |text: &str| choices.iter().copied().find(|choice| name(*choice) == text);
        let value = self.take(key, &allowed, parse).unwrap_or(choices[0]);
        self.used.insert(key.to_owned(), name(value).into());
        value
    }

    /// A list of numbers, each in `range`: `[a, b]`, or one number.
    pub fn numbers(&mut self, key: &'static str, default: &[f64], range: Range) -> Vec<f64> {
        let allowed = format!("`{key}` is a list such as [0.5, 2] of numbers {range}");
        let parse = |text: &str| {
            let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
            let numbers: Option<Vec<f64>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
            numbers.filter(|numbers| numbers.iter().all(|value| range.has(*value)))
        };
        let values = self.take(key, &allowed, parse).unwrap_or_else(|| default.to_vec());
        self.used.insert(key.to_owned(), values.clone().into());
        values
    }

    /// Says why there is no setting `key`, for whoever gives it: under which `circumstances`, as the end of a sentence,
    /// and what to do.
    pub fn lacks(&mut self, key: &'static str, circumstances: &'static str, help: &'static str) {
        self.absent.push(Absent { key, circumstances, help });
    }

    fn take<T>(&mut self, key: &'static str, allowed: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.known.push(key);
        let place = self.given.iter().position(|given| given.key == key)?;
        let given = self.given.remove(place);
        let value = parse(&given.value);
        if value.is_none() {
            self.faults.push(OptionFault {
                argument: given.argument,
                message: format!("`{}` is not allowed here", given.value),
                help: allowed.to_owned(),
            });
        }
        value
    }

    /// The settings in force, once every setting was asked for.
    ///
    /// # Errors
    /// Everything that was wrong with the settings given.
    pub fn finish(mut self) -> Result<Map<String, Value>, Vec<OptionFault>> {
        for given in self.given {
            if let Some(absent) = self.absent.iter().find(|absent| absent.key == given.key) {
                self.faults.push(OptionFault {
                    argument: given.argument,
                    message: format!(
                        "this experiment has no setting `{}`{}",
                        given.key, absent.circumstances
                    ),
                    help: absent.help.to_owned(),
                });
                continue;
            }
            let close = closest(&given.key, self.known.iter().copied());
            let settings = format!("its settings are {}", self.known.join(", "));
            self.faults.push(OptionFault {
                argument: given.argument,
                message: format!("this experiment has no setting `{}`", given.key),
                help: match close {
                    Some(known) => format!("did you mean `{known}`? ({settings})"),
                    None => settings,
                },
            });
        }
        if self.faults.is_empty() { Ok(self.used) } else { Err(self.faults) }
    }
}
