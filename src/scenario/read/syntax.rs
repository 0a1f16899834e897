//! Texts that are not TOML: what the parser says, where, and what was probably meant.

use std::{collections::BTreeSet, ops::Range};

use toml::de::Error;

use super::{document::Source, problem::Finding, walker::clip};

const DUPLICATE: &str = "duplicate key";

/// Whether a document with these errors can be read on all the same.
pub(super) fn only_duplicates(errors: &[Error]) -> bool {
    errors.iter().all(|error| error.message() == DUPLICATE)
}

/// Most lines that are looked at; what follows so many is no TOML by any reading.
const MAX_LINES: usize = 100;

/// One finding per line that is wrong.
pub(super) fn findings(text: &str, errors: &[Error]) -> Vec<Finding> {
    let mut lines_seen = BTreeSet::new();
    let mut findings = Vec::new();
    let mut errors: Vec<(Range<usize>, &str)> =
        errors.iter().map(|error| (place(text, error), error.message())).collect();
    errors.sort_by_key(|(span, _)| span.start);
    for (span, message) in errors {
        if findings.len() == MAX_LINES {
            break;
        }
        let line = Line::at(text, span.start);
        if lines_seen.insert(line.start) {
            findings.push(finding(text, &line, span, message));
        }
        if message.contains("array") || message.contains("unclosed") {
            // Whatever follows an open bracket is read as a part of it: no sense in repeating that.
            break;
        }
    }
    findings
}

/// The bytes an error is about.
fn place(text: &str, error: &Error) -> Range<usize> {
    let span = error.span().unwrap_or(0..0);
    if error.message().contains("array") {
        // The parser notices only further on that a list was never closed.
        let before = text.get(..span.start).unwrap_or(text);
        if let Some(open) = unclosed_bracket(before) {
            return open..open + 1;
        }
    }
    span
}

/// The last `[` that no `]` follows.
fn unclosed_bracket(text: &str) -> Option<usize> {
    let mut closed = 0_usize;
    for (index, byte) in text.bytes().enumerate().rev() {
        match byte {
            b']' => closed += 1,
            b'[' if closed == 0 => return Some(index),
            b'[' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// A line of the text.
struct Line<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn at(text: &'a str, index: usize) -> Self {
        let index = index.min(text.len());
        let bytes = text.as_bytes();
        let start = bytes[..index].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let end = bytes[index..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| index + n);
        Self { start, text: text.get(start..end).unwrap_or_default() }
    }

    /// Where in `text` the line has a carriage return that is no part of its end.
    fn lone_carriage_return(&self, text: &str) -> Option<usize> {
        let mut places = self.text.match_indices('\r').map(|(index, _)| self.start + index);
        places.find(|&place| text.as_bytes().get(place + 1) != Some(&b'\n'))
    }

    /// The name before the equals sign, and what stands behind it up to a comment.
    fn key_and_value(&self) -> Option<(&'a str, &'a str)> {
        let (key, value) = self.text.split_once('=')?;
        let value = value.split_once('#').map_or(value, |(value, _)| value);
        Some((key.trim(), value.trim()))
    }
}

fn finding(text: &str, line: &Line<'_>, span: Range<usize>, message: &str) -> Finding {
    let key = full_key(text, line);
    let source = Source::File(span);
    let named = key.as_deref().map_or(String::new(), |key| format!(" at `{}`", clip(key)));
    if message == DUPLICATE {
        return Finding {
            source,
            message: format!("duplicate key{named}: it is set above already"),
            key,
            help: "a key is set once, and a table opened once; remove one of the two".to_owned(),
        };
    }
    if let Some(place) = line.lone_carriage_return(text) {
        return Finding {
            source: Source::File(place..place + 1),
            message: format!(
                "this is not TOML{named}: a carriage return stands without a line feed behind it"
            ),
            key,
            help:
                "a line ends with a line feed, or with a carriage return and a line feed: save the file with \
                   the line ends of Unix or Windows"
                    .to_owned(),
        };
    }
    let value = line.key_and_value().map_or("", |(_, value)| value);
    let (message, help) = match (key.as_deref(), advice(line)) {
        (Some(key), Some(help)) if value.is_empty() => (format!("`{}` has no value", clip(key)), help),
        (Some(key), Some(help)) if !value.starts_with('[') => {
            (format!("`{}` is {}, which is not a TOML value", clip(key), clip(value)), help)
        }
        (_, help) => {
            let general =
                "a scenario is written in TOML: lines `key = value` under headers such as [particle]";
            (format!("this is not TOML{named}: {message}"), help.unwrap_or_else(|| general.to_owned()))
        }
    };
    Finding { source, key, message, help }
}

/// The full name of the key that `line` sets, from the nearest header above it.
fn full_key(text: &str, line: &Line<'_>) -> Option<String> {
    if let Some(header) = header(line.text) {
        return Some(header.to_owned());
    }
    let (key, _) = line.key_and_value()?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if key.is_empty() || !key.chars().all(fits) {
        return None;
    }
    let above = text.get(..line.start).unwrap_or_default();
    let Some(table) = above.lines().rev().find_map(header) else { return Some(key.to_owned()) };
    let list_header = format!("[[{table}]]");
    let openings = above.lines().filter(|line| line.trim_start().starts_with(&list_header)).count();
    Some(match openings {
        0 => format!("{table}.{key}"),
        _ => format!("{table}[{}].{key}", openings - 1),
    })
}

/// The path in a header line, `[path]` or `[[path]]`.
fn header(line: &str) -> Option<&str> {
    let inner = line.trim_start().strip_prefix('[')?.trim_start_matches('[');
    let (path, _) = inner.split_once(']')?;
    Some(path.trim()).filter(|path| !path.is_empty())
}

/// What was probably meant by a value that is none.
fn advice(line: &Line<'_>) -> Option<String> {
    let Some((key, value)) = line.key_and_value() else {
        let words = line.text.trim();
        return (!words.is_empty() && !words.starts_with('['))
            .then(|| "a line sets one key: `key = value`; comments begin with #".to_owned());
    };
    let key = clip(key);
    if value.is_empty() {
        return Some(format!("put a value behind the equals sign: `{key} = ...`"));
    }
    let bare = value.trim_start_matches(['+', '-']);
    let lower = bare.to_lowercase();
    if matches!(lower.as_str(), "nan" | "inf" | "infinity") {
        return Some("give a finite number; neither NaN nor infinity is allowed in a scenario".to_owned());
    }
    if matches!(lower.as_str(), "yes" | "no" | "on" | "off" | "true" | "false") {
        return Some(format!("write `{key} = true` or `{key} = false`"));
    }
    if bare.starts_with('.') || bare.ends_with('.') {
        return Some("a decimal point has digits on both sides: 0.5, 5.0".to_owned());
    }
    if let Some((whole, decimals)) = bare.split_once(',')
        && [whole, decimals]
            .iter()
            .all(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
    {
        return Some(format!("the decimal sign is a point: `{key} = {whole}.{decimals}`"));
    }
    if bare.starts_with('0') && bare.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some("remove the zeros in front of the number".to_owned());
    }
    if bare.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(format!("write one number without a unit: `{key} = 1.5e-3`"));
    }
    if bare.starts_with('[') {
        return Some("a list is closed by `]`, its elements are separated by commas: [1.0, 0.0]".to_owned());
    }
    let is_word = bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    is_word.then(|| format!("text stands in quotes: `{key} = \"{}\"`", clip(value)))
}
