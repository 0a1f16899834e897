use std::{fmt, sync::Arc};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Name of the file as it was opened.
    pub file: Arc<str>,
    /// Line, counted from 1; `None` for the file as a whole.
    pub line: Option<usize>,
}

impl Place {
    pub(crate) fn whole(file: &str) -> Self {
        Self { file: file.into(), line: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// What became of something in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The scenario has it as the file does.
    Taken,
    /// The scenario has something else instead.
    Changed,
    /// The scenario does not have it.
    LeftOut,
}

impl Fate {
    /// It in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Changed => "changed",
            Self::LeftOut => "left out",
        }
    }
}

/// What became of something in a file, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What became of it.
    pub fate: Fate,
    /// What it is.
    pub what: String,
    /// As what it was taken, or why it was not.
    pub why: String,
    /// Where it stands; several places where the same is true of each.
    pub places: Vec<Place>,
}

/// Places that are shown of one note.
const SHOWN: usize = 4;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.places.iter().take(SHOWN).map(Place::to_string).collect();
        let more = match self.places.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        write!(f, "{}: {} ({}{more}): {}", self.fate.as_str(), self.what, shown.join(", "), self.why)
    }
}

/// Notes in the making: the same of several places is one note.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Note>);

impl Notes {
    pub fn taken(&mut self, place: &Place, what: impl Into<String>, why: impl Into<String>) {
        self.add(Fate::Taken, place, what.into(), why.into());
    }

    pub fn changed(&mut self, place: &Place, what: impl Into<String>, why: impl Into<String>) {
        self.add(Fate::Changed, place, what.into(), why.into());
    }

    pub fn left_out(&mut self, place: &Place, what: impl Into<String>, why: impl Into<String>) {
        self.add(Fate::LeftOut, place, what.into(), why.into());
    }

    fn add(&mut self, fate: Fate, place: &Place, what: String, why: String) {
        let same = self.0.iter_mut().find(|note| note.fate == fate && note.what == what && note.why == why);
        match same {
            Some(note) if note.places.contains(place) => {}
            Some(note) => note.places.push(place.clone()),
            None => self.0.push(Note { fate, what, why, places: vec![place.clone()] }),
        }
    }

    /// What was taken first, then what was changed, then what was left out, each in the order in which it was met.
    pub fn sorted(mut self) -> Vec<Note> {
        self.0.sort_by_key(|note| note.fate as usize);
        self.0
    }
}
