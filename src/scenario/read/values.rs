//! Typed values out of the tables of a document.

use super::{
    closest,
    document::{Node, Value},
    suggest,
    walker::{Open, Walker, Wanted},
};
use crate::scenario::{
    Choice,
    keys::{Key, Lens, Table},
};

impl Walker<'_> {
    /// A number; integers will do.
    pub(super) fn number(&mut self, table: &Open<'_>, key: &str) -> Option<f64> {
        let node = table.get(key)?;
        let number = as_number(&node.value);
        if number.is_none() {
            self.wrong_type(table, key, table.full_key(key), node, "a number");
        }
        number
    }

    /// Replaces `setting` if the key is there.
    pub(super) fn set_truth(&mut self, table: &Open<'_>, key: &str, setting: &mut bool) {
        match table.get(key).map(|node| (node, &node.value)) {
            None => {}
            Some((_, Value::Truth(truth))) => *setting = *truth,
            Some((node, _)) => self.wrong_type(table, key, table.full_key(key), node, "true or false"),
        }
    }

    /// A whole number, not negative.
    pub(super) fn count(&mut self, table: &Open<'_>, key: &str) -> Option<usize> {
        let mut count = None;
        if let Some(node) = table.get(key) {
            count = as_count(&node.value);
            if count.is_none() {
                self.wrong_type(table, key, table.full_key(key), node, "a whole number, not negative");
            }
        }
        count
    }

    /// Two whole numbers that must be there; 0 and 1 stand in where they are not.
    pub(super) fn required_pair(&mut self, table: &Open<'_>, key: &str) -> [usize; 2] {
        let stand_in = [0, 1];
        let Some(node) = table.get(key) else {
            self.missing(table, key);
            return stand_in;
        };
        let pair = match &node.value {
            Value::List(list) => match list.as_slice() {
                [first, second] => as_count(&first.value).zip(as_count(&second.value)),
                _ => None,
            },
            _ => None,
        };
        match pair {
            Some((first, second)) => [first, second],
            None => {
                let wanted = "a list of 2 whole numbers, not negative";
                self.wrong_type(table, key, table.full_key(key), node, wanted);
                stand_in
            }
        }
    }

    /// A number; `wanted` says of what.
    pub(super) fn number_of(&mut self, table: &Open<'_>, key: &str, wanted: Wanted<'_>) -> Option<f64> {
        let node = table.get(key)?;
        let number = as_number(&node.value);
        if number.is_none() {
            self.wrong_type(table, key, table.full_key(key), node, wanted);
        }
        number
    }

    /// A list of so many numbers; `wanted` says of what.
    pub(super) fn list<'w>(
        &mut self,
        table: &Open<'_>,
        key: &str,
        length: usize,
        wanted: impl Into<Wanted<'w>>,
    ) -> Option<Vec<f64>> {
        let node = table.get(key)?;
        let list = numbers(&node.value).filter(|list| list.len() == length);
        if list.is_none() {
            self.wrong_type(table, key, table.full_key(key), node, wanted);
        }
        list
    }

    /// A list of rows of so many numbers each; `wanted` says of what.
    pub(super) fn rows<'w>(
        &mut self,
        table: &Open<'_>,
        key: &str,
        lengths: &[usize],
        wanted: impl Into<Wanted<'w>>,
    ) -> Option<Vec<Vec<f64>>> {
        let (node, wanted): (_, Wanted<'_>) = (table.get(key)?, wanted.into());
        let Value::List(list) = &node.value else {
            self.wrong_type(table, key, table.full_key(key), node, wanted);
            return None;
        };
        let mut rows = Vec::with_capacity(list.len());
        for (index, row) in list.iter().enumerate() {
            // The first row decides which of the lengths it is.
            let fits = |length: usize| match rows.first() {
                Some(first) => Vec::len(first) == length,
                None => lengths.contains(&length),
            };
            match numbers(&row.value).filter(|numbers| fits(numbers.len())) {
                Some(numbers) => rows.push(numbers),
                None => {
                    let full = format!("{}[{index}]", table.full_key(key));
                    let count = match rows.first() {
                        Some(first) => first.len().to_string(),
                        None => lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" or "),
                    };
                    let what = format!("a list of {count} numbers");
                    self.wrong_type(table, key, full, row, Wanted { what: &what, ..wanted });
                    return None;
                }
            }
        }
        Some(rows)
    }

    /// A list of 3 numbers, or 3 rows of 3 of them.
    pub(super) fn rows_or_list(
        &mut self,
        table: &Open<'_>,
        key: &str,
        wanted: &str,
    ) -> Option<Vec<Vec<f64>>> {
        let node = table.get(key)?;
        if let Some(list) = numbers(&node.value).filter(|list| list.len() == 3) {
            return Some(vec![list]);
        }
        let rows = match &node.value {
            Value::List(list) => list.iter().map(|row| numbers(&row.value)).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let rows = rows.filter(|rows| rows.len() == 3 && rows.iter().all(|row| row.len() == 3));
        if rows.is_none() {
            self.wrong_type(table, key, table.full_key(key), node, wanted);
        }
        rows
    }

    /// A list of so many strings; `wanted` says of what.
    pub(super) fn texts(
        &mut self,
        table: &Open<'_>,
        key: &str,
        length: usize,
        wanted: &str,
    ) -> Option<Vec<String>> {
        let node = table.get(key)?;
        let text = |node: &Node| match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts = match &node.value {
            Value::List(list) => list.iter().map(text).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let texts = texts.filter(|texts| texts.len() == length);
        if texts.is_none() {
            self.wrong_type(table, key, table.full_key(key), node, wanted);
        }
        texts
    }

    /// A string.
    pub(super) fn text<'n>(&mut self, table: &Open<'n>, key: &str) -> Option<&'n str> {
        let node = table.get(key)?;
        match &node.value {
            Value::Text(text) => Some(text),
            _ => {
                self.wrong_type(table, key, table.full_key(key), node, "a string in quotes");
                None
            }
        }
    }

    /// The one of `words` that the key names; `None` if it is not there, or names none.
    pub(super) fn word(
        &mut self,
        table: &Open<'_>,
        key: &str,
        words: &[&'static str],
    ) -> Option<&'static str> {
        let (text, node) = (self.text(table, key)?, table.get(key)?);
        let word = words.iter().copied().find(|word| *word == text);
        if word.is_none() {
            let names: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            let full = table.full_key(key);
            let message =
                format!("`{full}` is {}, but must be one of {}", self.quote(node), names.join(", "));
            let help = match closest(text, words.iter().copied()) {
                Some(close) => format!("did you mean \"{close}\"?"),
                None => suggest::of_the_field(text, table.section())
                    .unwrap_or_else(|| format!("choose one of {}", names.join(", "))),
            };
            self.report(&node.source, full, message, help);
        }
        word
    }

    /// The choice that the key names; `None` if it is not there, or names none.
    pub(super) fn choice<C: Choice>(&mut self, table: &Open<'_>, key: &str) -> Option<C> {
        self.word(table, key, &C::words()).and_then(C::named)
    }

    /// Reads into a record what stands under the keys of its table, but for those that have code of their own.
    pub(super) fn fill<T>(&mut self, table: &Open<'_>, keys: &Table<T>, record: &mut T) {
        for Key { row, lens } in keys.keys {
            if row.is_required && table.get(row.name).is_none() {
                self.missing(table, row.name);
            }
            match lens {
                Lens::Number(field) => {
                    if let Some(number) = self.number(table, row.name) {
                        *(field.at)(record) = number;
                    }
                }
                Lens::Optional(field) => {
                    if let Some(number) = self.number(table, row.name) {
                        *(field.at)(record) = Some(number);
                    }
                }
                Lens::Count(field) => {
                    if let Some(count) = self.count(table, row.name) {
                        *(field.at)(record) = Some(count);
                    }
                }
                Lens::Truth(field) => self.set_truth(table, row.name, (field.at)(record)),
                Lens::Word(field) => {
                    let words = row.words.map(|words| words()).unwrap_or_default();
                    if let Some(word) = self.word(table, row.name, &words) {
                        (field.set)(record, word);
                    }
                }
                Lens::Numbers(_) | Lens::Own => {}
            }
        }
    }

    /// The components of a vector; those that are not numbers are reported and read as 0.
    pub(super) fn vector(&mut self, table: &Open<'_>, key: &str) -> Option<Vec<f64>> {
        let node = table.get(key)?;
        let Value::List(list) = &node.value else {
            self.wrong_type(table, key, table.full_key(key), node, "a list of 2 or 3 numbers");
            return None;
        };
        if !(2..=3).contains(&list.len()) {
            let full = table.full_key(key);
            let message =
                format!("`{full}` has {}, but must have 2 (x, z) or 3 (x, y, z)", components(list.len()));
            let help = "two components are motion in a vertical plane, three a point over a plane; \
                        the height comes last";
            self.report(&node.source, full, message, help.to_owned());
            return None;
        }
        let mut vector = Vec::with_capacity(list.len());
        for (index, component) in list.iter().enumerate() {
            let number = as_number(&component.value);
            if number.is_none() {
                let full = format!("{}[{index}]", table.full_key(key));
                self.wrong_type(table, key, full, component, "a number");
            }
            vector.push(number.unwrap_or_default());
        }
        Some(vector)
    }

    /// Reports a vector that has not as many components as the one that decides, `reference`.
    pub(super) fn same_length(
        &mut self,
        table: &Open<'_>,
        key: &str,
        length: usize,
        reference: (&str, usize),
    ) -> bool {
        let (decider, dimension) = reference;
        if length == dimension {
            return true;
        }
        if let Some(node) = table.get(key) {
            let full = table.full_key(key);
            let message = format!("`{full}` has {}, but `{decider}` has {dimension}", components(length));
            let help = "give both the same number: 2 in a vertical plane (x, z), 3 over a plane (x, y, z)";
            self.report(&node.source, full, message, help.to_owned());
        }
        false
    }
}

fn as_count(value: &Value) -> Option<usize> {
    match value {
        Value::Integer(Some(whole), _) => usize::try_from(*whole).ok(),
        _ => None,
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) | Value::Integer(_, number) => Some(*number),
        _ => None,
    }
}

/// The numbers of a list; `None` if it is none, or holds anything else.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(list) => list.iter().map(|node| as_number(&node.value)).collect(),
        _ => None,
    }
}

fn components(count: usize) -> String {
    if count == 1 { "1 component".to_owned() } else { format!("{count} components") }
}
