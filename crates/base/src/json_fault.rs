//! The place of a fault in a JSON text.

use std::fmt;

/// Where and why a text is not the JSON that was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonFault {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, reason } = self;
        write!(f, "line {line}, column {column}: {reason}")
    }
}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        Self { line, column, reason: plain_words(message.strip_suffix(&place).unwrap_or(&message)) }
    }
}

/// Types of the program, and what they are to whoever wrote the file.
const PLAIN: [(&str, &str); 9] = [
    ("expected f64", "expected a number"),
    ("expected usize", "expected a whole number"),
    ("expected u64", "expected a whole number"),
    ("expected u32", "expected a whole number"),
    ("expected u8", "expected a small whole number"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object with keys"),
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: map", "invalid type: object with keys"),
];

/// What the parser says is wrong, without the names of types of the program.
pub fn plain_words(message: &str) -> String {
    /// What stands before the name of a type with keys, and between it and the number of its fields.
    const TYPE: &str = "expected struct ";
    let mut plain = message.to_owned();
    for (typed, words) in PLAIN {
        plain = plain.replace(typed, words);
    }
    // It stands last, but for the place in the text; a list in its place has a length, which nobody asked for.
    let Some((before, rest)) = plain.split_once(TYPE) else { return plain };
    let place = rest.find(" at line ").map_or("", |from| &rest[from..]);
    let before = if before.starts_with("invalid length") { "invalid type: list, " } else { before };
    format!("{before}expected an object with keys{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_program_are_told_in_words() {
        for (typed, plain) in [
            ("invalid type: string \"a\", expected f64", "invalid type: string \"a\", expected a number"),
            (
                "invalid length 0, expected struct ProblemFile with 3 elements at line 1 column 2",
                "invalid type: list, expected an object with keys at line 1 column 2",
            ),
            ("invalid type: map, expected a sequence", "invalid type: object with keys, expected a list"),
            ("missing field `q`", "missing field `q`"),
        ] {
            assert_eq!(plain_words(typed), plain);
        }
    }
}
