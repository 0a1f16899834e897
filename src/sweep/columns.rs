//! The figures of a table, as columns of numbers.

use super::{Row, RunStatus, Store};

/// Most metrics that are kept as columns, and so can be drawn: a table of millions of runs has to fit.
pub const MOST_METRICS: usize = 8;

/// The table of a sweep as numbers, a value per stored run in every column.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// Names of the steppers.
    pub steppers: Vec<String>,
    /// Which of them each run is by.
    pub stepper: Vec<u16>,
    /// The swept keys.
    pub keys: Vec<Key>,
    /// The first metrics, at most `MOST_METRICS`, with their values; not a number where a run has none.
    pub metrics: Vec<(String, Vec<f64>)>,
    /// How each run ended.
    pub status: Vec<RunStatus>,
    /// Wall time of each simulation in s; not a number where there was none.
    pub seconds: Vec<f64>,
    /// Why runs failed or were refused, with the number of runs, in the order of appearance.
    pub reasons: Vec<(String, u64)>,
}

/// A swept key with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Its full name.
    pub name: String,
    /// The value of each run; where values are no numbers, their places among [`Key::words`].
    pub values: Vec<f64>,
    /// The values that are no numbers, as they are written; empty where all are numbers.
    pub words: Vec<String>,
}

/// Reasons that are told apart; those of further ones are counted together.
const MOST_REASONS: usize = 20;

impl Columns {
    pub(super) fn new(store: &Store) -> Self {
        let key = |name: &String| Key { name: name.clone(), values: Vec::new(), words: Vec::new() };
        Self {
            steppers: store.steppers().to_vec(),
            stepper: Vec::new(),
            keys: store.keys().iter().map(key).collect(),
            metrics: store
                .metrics()
                .iter()
                .map(|name| (name.clone(), Vec::new()))
                .take(MOST_METRICS)
                .collect(),
            status: Vec::new(),
            seconds: Vec::new(),
            reasons: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, row: &Row) {
        let stepper = self.steppers.iter().position(|name| *name == row.stepper).unwrap_or(0);
        self.stepper.push(u16::try_from(stepper).unwrap_or(u16::MAX));
        for (key, value) in self.keys.iter_mut().zip(&row.values) {
            key.add(value);
        }
        for ((_, values), value) in self.metrics.iter_mut().zip(&row.metrics) {
            values.push(figure(value));
        }
        self.status.push(row.status);
        self.seconds.push(row.seconds);
        if row.reason.is_empty() {
            return;
        }
        let reason = generic(&row.reason);
        let is_full = self.reasons.len() >= MOST_REASONS;
        match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None if is_full => {
                if let Some((other, count)) = self.reasons.last_mut() {
                    *other = "other reasons".to_owned();
                    *count += 1;
                }
            }
            None => self.reasons.push((reason, 1)),
        }
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.status.is_empty()
    }

    /// How many runs ended like this.
    pub fn count(&self, status: RunStatus) -> u64 {
        self.status.iter().filter(|one| **one == status).count() as u64
    }
}

impl Key {
    fn add(&mut self, value: &str) {
        match (self.words.is_empty(), number(value)) {
            (true, Some(number)) => self.values.push(number),
            (true, None) if self.values.is_empty() => {
                self.words.push(value.to_owned());
                self.values.push(0.0);
            }
            // A key whose values are numbers and words by turns: the numbers become words.
            (true, None) => {
                let numbers = std::mem::take(&mut self.values);
                numbers.iter().for_each(|number| self.add_word(&number.to_string()));
                self.add_word(value);
            }
            (false, _) => self.add_word(value),
        }
    }

    fn add_word(&mut self, word: &str) {
        let place = self.words.iter().position(|known| known == word).unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        });
        self.values.push(place as f64);
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        self.words.is_empty()
    }
}

/// The number that a value of TOML is, if it is one.
fn number(text: &str) -> Option<f64> {
    text.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A metric as a number; `true` is 1.
fn figure(text: &str) -> f64 {
    match text {
        "true" => 1.0,
        "false" => 0.0,
        text => number(text).unwrap_or(f64::NAN),
    }
}

/// A reason without the numbers that differ from run to run, so that equals are counted together.
fn generic(reason: &str) -> String {
    let reason = match reason.split_once(" failed: ") {
        Some((step, why)) if step.starts_with("step ") => format!("a step failed: {why}"),
        _ => reason.to_owned(),
    };
    let mut words = Vec::new();
    for word in reason.split(' ') {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '+');
        let is_number =
            bare.starts_with(|c: char| c.is_ascii_digit() || c == '-') && bare.parse::<f64>().is_ok();
        words.push(if is_number { word.replace(bare, "…") } else { word.to_owned() });
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Key, generic};

    fn key(values: &[&str]) -> Key {
        let mut key = Key { name: "k".into(), values: Vec::new(), words: Vec::new() };
        values.iter().for_each(|value| key.add(value));
        key
    }

    #[test]
    fn words_are_numbered_and_numbers_are_not() {
        assert_eq!(key(&["1e-3", "1_000"]).values, [1e-3, 1e3]);
        let words = key(&["ipopt", "structured", "ipopt"]);
        assert_eq!((words.values, words.words.len()), (vec![0.0, 1.0, 0.0], 2));
        let mixed = key(&["1", "auto", "1"]);
        assert_eq!(
            (mixed.values, mixed.words),
            (vec![0.0, 1.0, 0.0], vec!["1".to_owned(), "auto".to_owned()])
        );
    }

    #[test]
    fn reasons_that_differ_in_figures_are_one() {
        let one = generic("step 3 at t = 0.003 s failed: residual 1.2e-3 exceeds 1e-8");
        assert_eq!(one, generic("step 14 at t = 0.1 s failed: residual 7 exceeds 1e-8"));
        assert_eq!(one, "a step failed: residual … exceeds …");
        assert_ne!(one, generic("the scenario has restitution"));
    }
}
