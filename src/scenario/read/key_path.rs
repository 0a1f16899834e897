use std::fmt;

/// The full name of a value, for example `push[1].force[0]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyPath(pub(crate) Vec<Segment>);

/// One part of a [`KeyPath`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A key of a table.
    Key(String),
    /// A place in a list.
    Index(usize),
}

impl KeyPath {
    /// Reads `a.b[0].c`, or `a.b.0.c`, which is the same: no key is a number. `None` if the text has another form.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut segments = Vec::new();
        for part in text.split('.') {
            let (name, indices) = match part.find('[') {
                Some(bracket) => part.split_at(bracket),
                None => (part, ""),
            };
            let name_fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || !name.chars().all(name_fits) {
                return None;
            }
            let is_place = !segments.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
            // A place is written without idle zeros.
            let has_idle_zero = |digits: &str| digits.len() > 1 && digits.starts_with('0');
            if is_place && has_idle_zero(name) {
                return None;
            }
            segments.push(match is_place {
                true => Segment::Index(name.parse().ok()?),
                false => Segment::Key(name.to_owned()),
            });
            let mut rest = indices;
            while !rest.is_empty() {
                let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
                if has_idle_zero(index) || !index.bytes().all(|digit| digit.is_ascii_digit()) {
                    return None;
                }
                segments.push(Segment::Index(index.parse().ok()?));
                rest = after;
            }
        }
        Some(Self(segments))
    }

    /// Its keys without the places: `push` and `force` of `push[0].force[1]`.
    pub(crate) fn names(&self) -> Vec<&str> {
        let segments = self.0.iter();
        segments
            .filter_map(|segment| match segment {
                Segment::Key(key) => Some(key.as_str()),
                Segment::Index(_) => None,
            })
            .collect()
    }
}

/// As behind what it is a part of: `.force`, `[0]`.
impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, ".{key}"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if place == 0 => f.write_str(key)?,
                segment => write!(f, "{segment}")?,
            }
        }
        Ok(())
    }
}

/// Whether one of two full names contains the other: `push[1]` and `push[1].force` do.
pub(crate) fn related(a: &str, b: &str) -> bool {
    let (outer, inner) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_back_as_it_is_written() {
        for text in ["step", "ground.friction", "push[12].force[0]", "stepper.nlp.warm_start"] {
            assert_eq!(KeyPath::parse(text).map(|path| path.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_place_is_written_in_brackets_or_after_a_point() {
        for text in ["body[3].position[0]", "body.3.position.0", "body.3.position[0]", "body[3].position.0"] {
            let path = KeyPath::parse(text).map(|path| path.to_string());
            assert_eq!(path.as_deref(), Some("body[3].position[0]"));
        }
    }

    #[test]
    fn other_forms_are_no_paths() {
        let [huge_index, huge_place] =
            ["push[{}]", "push.{}"].map(|text| text.replace("{}", &"9".repeat(40)));
        let unclosed = ["a[", "a[]", "a[-1]", "a[0", "a[0]b"];
        let others = ["", ".", "a.", ".a", "a..b", "[0]", "a b", &huge_index, &huge_place];
        for text in unclosed.into_iter().chain(others) {
            assert_eq!(KeyPath::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_name_is_related_to_what_it_contains() {
        assert!(related("push[1]", "push[1].force"));
        assert!(related("particle.mass", "particle"));
        assert!(!related("step", "stepper.nlp"));
        assert!(!related("push[1].force", "push[1].from"));
    }
}
