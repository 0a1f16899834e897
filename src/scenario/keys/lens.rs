//! Where the value of a key stands in a record.

/// A field of a record, to be read and to be set.
pub(in crate::scenario) struct Field<T, V> {
    pub(in crate::scenario) get: fn(&T) -> V,
    pub(in crate::scenario) at: fn(&mut T) -> &mut V,
}

/// A choice in a record, by its word.
pub(in crate::scenario) struct Word<T> {
    /// The word; none where the record leaves it open.
    pub(in crate::scenario) get: fn(&T) -> Option<&'static str>,
    /// Takes a word that is one of the choices.
    pub(in crate::scenario) set: fn(&mut T, &str),
}

/// Where the value of a key stands in a record of type `T`.
pub(in crate::scenario) enum Lens<T> {
    /// A number.
    Number(Field<T, f64>),
    /// A number that may be absent.
    Optional(Field<T, Option<f64>>),
    /// A whole number that may be absent.
    Count(Field<T, Option<usize>>),
    /// Yes or no.
    Truth(Field<T, bool>),
    /// One of several words.
    Word(Word<T>),
    /// Numbers of a list, by their places in it, and those that some records have; they are read, judged and written by
    /// code of their own.
    Numbers(for<'r> fn(&'r mut T, &[usize]) -> Option<&'r mut f64>),
    /// What names something, or is made of several numbers together: read, judged and written by code of its own.
    Own,
}

impl<T> Lens<T> {
    /// The number at these places of the value; none where the record has none there.
    pub(super) fn number<'r>(&self, record: &'r mut T, places: &[usize]) -> Option<&'r mut f64> {
        match self {
            Self::Number(field) if places.is_empty() => Some((field.at)(record)),
            Self::Optional(field) if places.is_empty() => (field.at)(record).as_mut(),
            Self::Numbers(at) => at(record, places),
            _ => None,
        }
    }

    /// Whether there may be numbers, which can be set one by one.
    pub(super) fn has_numbers(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Optional(_) | Self::Numbers(_))
    }
}

/// The field of a record under that name.
macro_rules! field {
    ($($name:ident).+) => {
        $crate::scenario::keys::Field { get: |record| record.$($name).+, at: |record| &mut record.$($name).+ }
    };
}

/// The choice in the field of a record under that name.
macro_rules! word {
    ($name:ident) => {
        $crate::scenario::keys::Lens::Word($crate::scenario::keys::Word {
            get: |record| Some(record.$name.as_str()),
            set: |record, word| record.$name = Choice::named(word).unwrap_or(record.$name),
        })
    };
    (optional $name:ident) => {
        $crate::scenario::keys::Lens::Word($crate::scenario::keys::Word {
            get: |record| record.$name.map(Choice::as_str),
            set: |record, word| record.$name = Choice::named(word).or(record.$name),
        })
    };
}

pub(super) use {field, word};
