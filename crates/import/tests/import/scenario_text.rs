//! The tables of a scenario text, read without the reader of scenarios, which lies above this crate.

use std::collections::HashMap;

/// A table, and what its keys are.
#[derive(Debug, Clone)]
pub struct Table {
    header: String,
    values: HashMap<String, String>,
}

/// The tables of a text in their order; the first is the top.
fn tables(text: &str) -> Vec<Table> {
    let mut tables = vec![Table { header: String::new(), values: HashMap::new() }];
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            tables.push(Table { header: line.to_owned(), values: HashMap::new() });
            continue;
        }
        let (key, value) = line.split_once(" = ").expect("a key and a value");
        let twice = tables.last_mut().unwrap().values.insert(key.to_owned(), value.to_owned());
        assert!(twice.is_none(), "{key} stands twice in a table of\n{text}");
    }
    tables
}

impl Table {
    pub fn all(text: &str, header: &str) -> Vec<Self> {
        tables(text).into_iter().filter(|table| table.header == header).collect()
    }

    pub fn top(text: &str) -> Self {
        tables(text).remove(0)
    }

    pub fn body(text: &str, name: &str) -> Self {
        let quoted = format!("\"{name}\"");
        let mut bodies = Self::all(text, "[[body]]").into_iter();
        bodies.find(|body| body.word("name") == quoted).unwrap_or_else(|| panic!("no {name} in\n{text}"))
    }

    pub fn word(&self, key: &str) -> &str {
        self.values.get(key).unwrap_or_else(|| panic!("no {key} in {self:?}"))
    }

    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// All numbers of a value, whatever its brackets.
    pub fn numbers(&self, key: &str) -> Vec<f64> {
        let word = self.word(key).replace(['[', ']'], " ");
        word.split(',').map(|number| number.trim().parse().unwrap()).collect()
    }

    #[track_caller]
    pub fn assert(&self, key: &str, expected: &[f64]) {
        let found = self.numbers(key);
        let size = expected.iter().fold(1e-3, |size: f64, one| size.max(one.abs()));
        let agree = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 1e-12 * size);
        assert!(agree, "{key} is {found:?}, and should be {expected:?}");
    }
}
