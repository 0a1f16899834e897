use std::collections::HashSet;

/// The most characters of a name, with room for a number behind it.
const LONGEST: usize = 56;

/// A name in the characters of scenario files; nothing where none is left.
pub(super) fn sanitized(name: &str) -> Option<String> {
    let mut tidy = String::new();
    for letter in name.to_lowercase().chars() {
        let letter = if letter.is_ascii_lowercase() || letter.is_ascii_digit() { letter } else { '-' };
        if letter != '-' || !(tidy.is_empty() || tidy.ends_with('-')) {
            tidy.push(letter);
        }
    }
    let tidy: String = tidy.chars().take(LONGEST).collect();
    let tidy = tidy.trim_matches('-');
    (!tidy.is_empty()).then(|| tidy.to_owned())
}

/// Names that no two bodies share.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A name like `wanted` that is free, and none that means something else.
    pub fn claim(&mut self, wanted: Option<&str>, otherwise: &str) -> String {
        let tidy = wanted.and_then(sanitized).unwrap_or_else(|| otherwise.to_owned());
        let reserved = tidy == "world" || tidy == "ground" || tidy.starts_with("wall-");
        let tidy = if reserved { format!("body-{tidy}") } else { tidy };
        let numbered = (2_usize..).map(|number| format!("{tidy}-{number}"));
        let free = std::iter::once(tidy.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let name = free.unwrap_or(tidy);
        self.0.insert(name.clone());
        name
    }
}
