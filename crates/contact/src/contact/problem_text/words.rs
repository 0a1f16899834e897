use std::fmt::Display;

/// A word in a text that does not belong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found}, but {expected} is expected")]
pub struct TextFault {
    /// Line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What to do about a file that breaks off or holds something else.
const CHECK: &str = "check that the file is a local friction problem of Siconos (fc2d or fc3d, with rolling or without), and complete";

/// A text word by word, with its lines.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
    /// The line of the word that was read last.
    pub line: usize,
}

impl<'a> Words<'a> {
    pub fn of(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let skipped = &self.rest[..self.rest.len() - rest.len()];
        if rest.is_empty() {
            return None;
        }
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(&rest[..end])
    }

    /// Leaves out what is left of the line.
    pub fn skip_line(&mut self) {
        match self.rest.find('\n') {
            Some(end) => {
                self.rest = &self.rest[end + 1..];
                self.line += 1;
            }
            None => self.rest = "",
        }
    }

    /// More words than are left there are not.
    pub fn at_most(&self) -> usize {
        self.rest.len().div_ceil(2)
    }

    /// What the word that was read last is told about: `expected` stood to reason.
    pub fn fault(&self, found: impl Into<String>, expected: impl Display) -> TextFault {
        TextFault { line: self.line, found: found.into(), expected: expected.to_string(), remedy: CHECK }
    }

    fn word(&mut self, expected: impl Display) -> Result<&'a str, TextFault> {
        self.next().ok_or_else(|| self.fault("the file ends", expected))
    }

    /// A word that has to be this one.
    pub fn exactly(&mut self, expected: &str) -> Result<(), TextFault> {
        let word = self.word(format_args!("`{expected}`"))?;
        if word == expected { Ok(()) } else { Err(self.fault(quoted(word), format_args!("`{expected}`"))) }
    }

    /// A whole number, a comma after it aside.
    pub fn whole<T: std::str::FromStr>(&mut self, expected: impl Display) -> Result<T, TextFault> {
        let word = self.word(&expected)?;
        let digits = word.strip_suffix(',').unwrap_or(word);
        digits.parse().map_err(|_| self.fault(quoted(word), expected))
    }

    /// A whole number that has to be this one.
    pub fn exactly_whole(&mut self, value: usize, expected: impl Display) -> Result<(), TextFault> {
        let found: usize = self.whole(&expected)?;
        if found == value { Ok(()) } else { Err(self.fault(found.to_string(), expected)) }
    }

    /// A finite number.
    pub fn number(&mut self, expected: impl Display) -> Result<f64, TextFault> {
        let word = self.word(&expected)?;
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.fault(quoted(word), format_args!("{expected}, a finite number,"))),
        }
    }

    /// So many finite numbers of a list.
    pub fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<f64>, TextFault> {
        let mut values = Vec::new();
        for index in 1..=count {
            values.push(self.number(format_args!("number {index} of {count} of {what}"))?);
        }
        Ok(values)
    }
}

/// A word as it is told, no longer than one of a message should be.
fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = word.chars().take(LONGEST).collect();
    if short.len() < word.len() {
        short.push_str("...");
    }
    format!("`{short}`")
}
