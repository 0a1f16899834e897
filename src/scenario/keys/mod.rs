//! The keys of scenario files as data: one row for each, with what it means and where its value stands.
//!
//! The reader, the rules, the writer, the reference, the JSON Schema, the controls of the page, and whatever sets a
//! number of a scenario by its key read these rows. A key that is a number, a switch or a word is its row and the field
//! that it leads to, and nothing else; vectors, shapes and what depends on other keys have code of their own in the
//! reader, the rules and the writer.

mod lens;
mod number;
mod tables;

use std::ops::{
    Bound::{self, Excluded, Included},
    RangeBounds,
};

pub(super) use self::{
    lens::{Field, Lens, Word},
    tables::{
        CONTACT, CONVEX, DRIVE, DRIVE2, GROUND, LCP, NLP, PAIR, SMOOTH, STEPPER, body, joint, part, particle,
        particles, push, rod, sections, spring, top, wall,
    },
};
pub(crate) use self::{number::NumberKey, tables::STEP};

/// From where to where.
pub(super) type Range = (Bound<f64>, Bound<f64>);

/// What is known of a key besides its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// A value for it.
    pub(super) example: &'static str,
    /// A value for it in space, where that is another one.
    pub(super) in_space: Option<&'static str>,
    /// Values of other kinds for it, where it takes several.
    pub(super) other_kinds: &'static [&'static str],
    /// What it means, with the unit.
    pub(super) meaning: &'static str,
    /// The unit; empty for a pure number, and for what is no number.
    pub(super) unit: &'static str,
    /// The numbers that it takes, or that its components may have; none where that depends on other keys, and for what
    /// is no number.
    pub(super) range: Option<Range>,
    /// What to do about a number out of the range.
    pub(super) remedy: &'static str,
    /// Whether its table has to have it.
    pub(super) is_required: bool,
    /// The words that it takes, the default first, where it is a choice.
    pub(super) words: Option<fn() -> Vec<&'static str>>,
}

impl Row {
    /// The value that messages show.
    pub(super) fn example_in(&self, is_in_space: bool) -> &'static str {
        self.in_space.filter(|_| is_in_space).unwrap_or(self.example)
    }

    /// Whether a number lies in the range.
    pub(super) fn admits(&self, value: f64) -> bool {
        self.range.is_none_or(|range| range.contains(&value))
    }
}

/// A key of the tables that hold records of a type.
pub(super) struct Key<T> {
    pub(super) row: Row,
    /// Where its value stands in a record.
    pub(super) lens: Lens<T>,
}

impl<T> Key<T> {
    const fn new(name: &'static str, example: &'static str, meaning: &'static str) -> Self {
        let row = Row {
            name,
            example,
            in_space: None,
            other_kinds: &[],
            meaning,
            unit: "",
            range: None,
            remedy: "",
            is_required: false,
            words: None,
        };
        Self { row, lens: Lens::Own }
    }

    /// The same key, which takes values like these as well.
    const fn or(mut self, other_kinds: &'static [&'static str]) -> Self {
        self.row.other_kinds = other_kinds;
        self
    }

    /// The same key, which takes values like this one in space.
    const fn in_space(mut self, example: &'static str) -> Self {
        self.row.in_space = Some(example);
        self
    }

    /// The same key in a unit.
    const fn unit(mut self, unit: &'static str) -> Self {
        self.row.unit = unit;
        self
    }

    /// The same key, which takes these numbers, the ends among them.
    const fn within(mut self, least: f64, most: f64) -> Self {
        self.row.range = Some((Included(least), Included(most)));
        self
    }

    /// The same key, which takes numbers greater than `bound`, up to `most`.
    const fn above(mut self, bound: f64, most: f64) -> Self {
        self.row.range = Some((Excluded(bound), Included(most)));
        self
    }

    /// The same key, which takes numbers between the two, the ends not among them.
    const fn between(mut self, low: f64, high: f64) -> Self {
        self.row.range = Some((Excluded(low), Excluded(high)));
        self
    }

    /// The same key with what to do about a number out of its range.
    const fn remedy(mut self, remedy: &'static str) -> Self {
        self.row.remedy = remedy;
        self
    }

    /// The same key, which its table has to have.
    const fn required(mut self) -> Self {
        self.row.is_required = true;
        self
    }

    /// The same key, which takes these words.
    const fn words(mut self, words: fn() -> Vec<&'static str>) -> Self {
        self.row.words = Some(words);
        self
    }

    /// The same key with the place of its value.
    const fn at(mut self, lens: Lens<T>) -> Self {
        self.lens = lens;
        self
    }
}

/// A table of a scenario file, which holds a record of type `T`.
pub(super) struct Table<T: 'static> {
    /// The path of the table, empty for the top of the file.
    pub(super) path: &'static str,
    /// How the table is opened in a file.
    pub(super) header: &'static str,
    /// Its keys, in the order in which they are listed.
    pub(super) keys: &'static [Key<T>],
}

impl<T> Table<T> {
    /// The key of that name.
    pub(super) fn typed_key(&self, name: &str) -> Option<&'static Key<T>> {
        self.keys.iter().find(|key| key.row.name == name)
    }
}

/// A table of a scenario file, whatever it holds.
pub(super) trait Section: Sync {
    /// The path of the table, empty for the top of the file.
    fn path(&self) -> &'static str;

    /// How the table is opened in a file.
    fn header(&self) -> &'static str;

    /// What is known of the key at a place.
    fn row(&self, place: usize) -> Option<&'static Row>;

    /// Whether there may be numbers under the key at a place, which can be set one by one.
    fn has_numbers(&self, place: usize) -> bool;
}

impl<T> Section for Table<T> {
    fn path(&self) -> &'static str {
        self.path
    }

    fn header(&self) -> &'static str {
        self.header
    }

    fn row(&self, place: usize) -> Option<&'static Row> {
        self.keys.get(place).map(|key| &key.row)
    }

    fn has_numbers(&self, place: usize) -> bool {
        self.keys.get(place).is_some_and(|key| key.lens.has_numbers())
    }
}

impl<'s> dyn Section + 's {
    /// What is known of its keys.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Row> + Clone {
        (0..).map_while(|place| self.row(place))
    }

    /// What is known of the key of that name. The reader asks for keys by literals that stand in the tables; a name
    /// that does not is shown without an example.
    pub(super) fn key(&self, name: &str) -> Option<&'static Row> {
        self.rows().find(|row| row.name == name)
    }

    /// `a`, `b` and so on, to be listed in a message.
    pub(super) fn key_names(&self) -> String {
        let names: Vec<&str> = self.rows().map(|row| row.name).collect();
        names.join(", ")
    }

    /// How messages call this table.
    pub(super) fn title(&self) -> String {
        if self.path().is_empty() { "the top of the file".to_owned() } else { self.header().to_owned() }
    }
}
