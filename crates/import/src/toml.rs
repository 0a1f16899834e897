//! The text of a scenario file.

use std::fmt::{Display, Write};

/// Lines in the making.
#[derive(Debug, Default)]
pub(crate) struct Lines(pub String);

impl Lines {
    pub fn comment(&mut self, text: &str) {
        let _ = writeln!(self.0, "# {}", text.replace(|c: char| c.is_control(), " "));
    }

    pub fn header(&mut self, header: &str) {
        let _ = writeln!(self.0, "\n{header}");
    }

    pub fn line(&mut self, key: &str, value: impl Display) {
        let _ = writeln!(self.0, "{key} = {value}");
    }
}

/// The shortest text that reads back as the same double, with a point or an exponent; negative zero without its sign.
pub(crate) fn number(value: f64) -> String {
    format!("{:?}", value + 0.0)
}

pub(crate) fn vector<'a>(values: impl IntoIterator<Item = &'a f64>) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| number(*value)).collect();
    format!("[{}]", texts.join(", "))
}

pub(crate) fn rows<'a, R: IntoIterator<Item = &'a f64>>(rows: impl IntoIterator<Item = R>) -> String {
    let texts: Vec<String> = rows.into_iter().map(vector).collect();
    format!("[{}]", texts.join(", "))
}

/// A name, which has no characters that need care.
pub(crate) fn name(text: &str) -> String {
    format!("\"{text}\"")
}

pub(crate) fn two_names(names: [&str; 2]) -> String {
    format!("[{}, {}]", name(names[0]), name(names[1]))
}
