//! Text from outside, as a terminal may see it.

/// Longest line of a message in characters, and what is kept of the two ends of a longer one.
const MAX_LINE: usize = 1000;
const HEAD: usize = 600;
const TAIL: usize = 200;

/// Whether a character does something to a terminal, or to the order of the text around it, instead of showing.
pub fn is_control(c: char) -> bool {
    let turns_text = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks_lines = matches!(c, '\u{2028}' | '\u{2029}');
    c.is_control() || turns_text || breaks_lines
}

/// `text` with control characters written out, as in `\u{1b}`; line breaks stay.
pub fn without_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push(c),
            '\t' => shown.push(' '),
            c if is_control(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// `text` without control characters and with every line cut in the middle if it is too long to be read.
pub fn message(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| cut(&without_controls(line))).collect();
    lines.join("\n")
}

fn cut(line: &str) -> String {
    let length = line.chars().count();
    if length <= MAX_LINE {
        return line.to_owned();
    }
    let head: String = line.chars().take(HEAD).collect();
    let tail: String = line.chars().skip(length - TAIL).collect();
    format!("{head} [... {} characters left out ...] {tail}", length - HEAD - TAIL)
}

/// JSON with the characters that JSON itself does not escape, and terminals obey, escaped.
pub fn json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        // Those below U+0020 stand for the layout here: inside of strings they are escaped already.
        if is_control(c) && u32::from(c) >= 0x7f {
            shown += &format!("\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{json, message};

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(
            message("a\u{1b}[31mb\u{7}\u{9b}\u{202e}\tc\nd"),
            "a\\u{1b}[31mb\\u{7}\\u{9b}\\u{202e} c\nd"
        );
        assert_eq!(json("{\n \"a\": \"\u{7f}\u{9b}é\" }"), "{\n \"a\": \"\\u007f\\u009bé\" }");
    }

    #[test]
    fn a_long_line_keeps_both_ends() {
        let text = format!("begin {} end", "x".repeat(100_000));
        let shown = message(&text);
        assert!(shown.starts_with("begin xxx") && shown.ends_with("xxx end"));
        assert!(shown.contains("[... 99210 characters left out ...]"), "{shown}");
        assert_eq!(message(&text[..1000]), text[..1000]);
    }
}
