//! Words as sentences.

/// With a capital letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// With a capital letter, and a full stop where nothing else ends it.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{stop}", capitalised(text))
}

/// A number of things: `1 step`, `2 steps`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A statement with what is to be said of it more closely: `3 impacts: 1 of several contacts; 2 capped`.
pub fn with_particulars(statement: &str, particulars: &[String]) -> String {
    match particulars {
        [] => statement.to_owned(),
        particulars => format!("{statement}: {}", particulars.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence(" it stops "), "It stops.");
        assert_eq!(sentence("does it stop?"), "Does it stop?");
        let [one, two] = ["a".to_owned(), "b".to_owned()];
        assert_eq!(
            (with_particulars("2", &[]), with_particulars("2", &[one, two])),
            ("2".to_owned(), "2: a; b".to_owned())
        );
        assert_eq!((counted(1, "step"), counted(0, "step")), ("1 step".to_owned(), "0 steps".to_owned()));
    }
}
