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
        Self { line, column, reason: message.strip_suffix(&place).unwrap_or(&message).to_owned() }
    }
}
