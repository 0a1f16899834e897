//! The lines of a text around a fault, short enough to be read and safe to be shown.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::printable::{is_control, without_controls};

/// Longest line that is shown whole, in characters, and how much of a longer one stands before the fault.
const MAX_LINE: usize = 160;
const BEFORE: usize = 60;

/// What stands in place of text that is left out.
const ELLIPSIS: &str = "...";

/// The line of a fault with the lines before and after it.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// The fault in `text`.
    span: Range<usize>,
    /// The line of the fault in `text`.
    fault_line: Range<usize>,
    /// Place in the whole text, counted from 0.
    first_line: usize,
    line: usize,
    column: usize,
}

impl Excerpt {
    /// The lines around the bytes `span` of `text`, a text called `name`.
    pub fn new(name: &str, text: &str, span: Range<usize>) -> Self {
        let start = floor(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = floor(text, span.end.clamp(start, line_end));
        let line = text[..line_start].bytes().filter(|&byte| byte == b'\n').count();

        let mut shown = String::new();
        let mut first_line = line;
        if line_start > 0 {
            let above = text[..line_start - 1].rsplit('\n').next().unwrap_or_default();
            shown += &beginning(above);
            shown.push('\n');
            first_line -= 1;
        }
        let fault_start = shown.len();
        let span = window(&text[line_start..line_end], start - line_start..end - line_start, &mut shown);
        let fault_line = fault_start..shown.len();
        if line_end < text.len() {
            shown.push('\n');
            shown += &beginning(text[line_end + 1..].split('\n').next().unwrap_or_default());
        }
        let column = text[line_start..start].chars().count();
        Self { name: without_controls(name), text: shown, span, fault_line, first_line, line, column }
    }

    /// The fault in the excerpt.
    pub fn span(&self) -> SourceSpan {
        self.span.clone().into()
    }
}

impl SourceCode for Excerpt {
    /// The excerpt, or, asked for no lines around the fault, the line of the fault alone.
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (range, line, column) = match (before, after) {
            (0, 0) => (self.fault_line.clone(), self.line, self.column),
            _ => (0..self.text.len(), self.first_line, 0),
        };
        let data = &self.text.as_bytes()[range.clone()];
        let lines = 1 + data.iter().filter(|&&byte| byte == b'\n').count();
        let contents =
            MietteSpanContents::new_named(self.name.clone(), data, range.into(), line, column, lines);
        Ok(Box::new(contents))
    }
}

/// The largest place of a character up to `index`.
fn floor(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

/// A line of the neighbourhood, up to the longest that is shown.
fn beginning(line: &str) -> String {
    let mut shown: String = line.chars().take(MAX_LINE).filter_map(visible).collect();
    if line.chars().nth(MAX_LINE).is_some() {
        shown += ELLIPSIS;
    }
    shown
}

/// Appends `line`, or the part of it around `span`, to `shown`; gives where the span is there.
fn window(line: &str, span: Range<usize>, shown: &mut String) -> Range<usize> {
    let length = line.chars().count();
    let place = line[..span.start].chars().count();
    let skipped = if length > MAX_LINE { place.saturating_sub(BEFORE) } else { 0 };
    if skipped > 0 {
        *shown += ELLIPSIS;
    }
    let (mut start, mut end) = (None, None);
    for (index, c) in line.char_indices().skip(skipped).take(MAX_LINE) {
        if index >= span.start {
            start.get_or_insert(shown.len());
        }
        if index >= span.end {
            end.get_or_insert(shown.len());
        }
        shown.extend(visible(c));
    }
    let all = shown.len();
    if length > skipped + MAX_LINE {
        *shown += ELLIPSIS;
    }
    start.unwrap_or(all)..end.unwrap_or(all)
}

/// A character of a file in an excerpt: the others keep their columns where a control character is.
fn visible(c: char) -> Option<char> {
    match c {
        '\r' => None,
        '\t' => Some(' '),
        c if is_control(c) => Some(char::REPLACEMENT_CHARACTER),
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn a_short_text_is_shown_with_its_neighbours() {
        let text = "first\nsecond = \u{1b}x\nthird\nfourth";
        let start = text.find("\u{1b}").expect("it is there");
        let excerpt = Excerpt::new("a\u{7}", text, start..start + 2);
        assert_eq!(excerpt.text, "first\nsecond = \u{fffd}x\nthird");
        assert_eq!(&excerpt.text[excerpt.span.clone()], "\u{fffd}x");
        assert_eq!((excerpt.first_line, excerpt.line, excerpt.column), (0, 1, 9));
        assert_eq!(excerpt.name, "a\\u{7}");
    }

    #[test]
    fn of_a_long_line_the_part_around_the_fault_is_shown() {
        let text = format!(
            "{}\n{}HERE{}\n{}",
            "a".repeat(9_999),
            "b".repeat(500),
            "c".repeat(70_000),
            "d".repeat(7)
        );
        let start = text.find("HERE").expect("it is there");
        let excerpt = Excerpt::new("long", &text, start..start + 4);
        assert!(excerpt.text.len() < 600, "{}", excerpt.text.len());
        assert_eq!(&excerpt.text[excerpt.span.clone()], "HERE");
        assert_eq!((excerpt.line, excerpt.column), (1, 500));
        let huge = Excerpt::new("long", &text, start..text.len() - 8);
        assert!(huge.text[huge.span.clone()].starts_with("HEREccc") && huge.text.len() < 600);
    }

    #[test]
    fn any_span_of_any_text_has_an_excerpt() {
        for text in ["", "\n", "é", "é\r\n\u{202e}ü\n", "a\nb"] {
            for start in 0..text.len() + 2 {
                for end in start..text.len() + 2 {
                    let excerpt = Excerpt::new("any", text, start..end);
                    assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{text:?} {start}..{end}");
                }
            }
        }
    }
}
