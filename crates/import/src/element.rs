//! Elements of XML with the lines that they stand in.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::{fault::ImportError, note::Place};

/// How deep elements may lie in each other.
const MAX_DEPTH: usize = 200;

/// Largest number that is taken, in either direction.
const LARGEST: f64 = 1e30;

/// An attribute.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub key: String,
    pub value: String,
    pub place: Place,
}

/// An element without its texts, which neither of the formats has a use for.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub tag: String,
    pub place: Place,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
}

impl Element {
    /// The root of a document that is called `file`.
    pub fn parse(text: &str, file: &str) -> Result<Self, ImportError> {
        let file: Arc<str> = file.into();
        let document = roxmltree::Document::parse(text).map_err(|error| {
            let line = usize::try_from(error.pos().row).ok();
            ImportError::new(
                &Place { file: file.clone(), line },
                format!("this is no well-formed XML: {error}"),
                "every tag has to be closed and every attribute quoted; files of macros (xacro) have to be expanded first",
            )
        })?;
        let newlines: Vec<usize> = text.match_indices('\n').map(|(place, _)| place).collect();
        let place = |byte: usize| Place {
            file: file.clone(),
            line: Some(1 + newlines.partition_point(|&newline| newline < byte)),
        };
        Self::of(document.root_element(), &place, 0)
    }

    fn of(
        node: roxmltree::Node<'_, '_>,
        place: &dyn Fn(usize) -> Place,
        depth: usize,
    ) -> Result<Self, ImportError> {
        let own = place(node.range().start);
        if depth > MAX_DEPTH {
            let message = format!("elements lie in each other more than {MAX_DEPTH} deep");
            return Err(ImportError::new(&own, message, "a chain of so many bodies has to be divided"));
        }
        let attributes = node.attributes().map(|attribute| Attribute {
            key: attribute.name().to_owned(),
            value: attribute.value().to_owned(),
            place: place(attribute.range().start),
        });
        let children = node.children().filter(roxmltree::Node::is_element);
        Ok(Self {
            tag: node.tag_name().name().to_owned(),
            attributes: attributes.collect(),
            children: children.map(|child| Self::of(child, place, depth + 1)).collect::<Result<_, _>>()?,
            place: own,
        })
    }

    /// The children with that tag.
    pub fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    /// The first child with that tag.
    pub fn first(&self, tag: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.tag == tag)
    }

    pub fn attribute(&self, key: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.key == key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.attribute(key).map(|attribute| attribute.value.as_str())
    }

    /// The value of an attribute that has to be there.
    pub fn required(&self, key: &str) -> Result<&str, ImportError> {
        self.text(key).ok_or_else(|| {
            let message = format!("<{}> has no `{key}`", self.tag);
            ImportError::new(&self.place, message, format!("give it the attribute `{key}`"))
        })
    }

    /// The numbers of an attribute, at least one of them, all finite and none beyond [`LARGEST`].
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, ImportError> {
        let Some(attribute) = self.attribute(key) else { return Ok(None) };
        let words = attribute.value.split_whitespace();
        let numbers: Vec<f64> = words.clone().map(str::parse).collect::<Result<_, _>>().unwrap_or_default();
        if numbers.is_empty() {
            return Err(self.wrong(key, "numbers with spaces between them"));
        }
        match words.zip(&numbers).find(|(_, number)| !is_taken(**number)) {
            Some((word, _)) => Err(self.wrong(key, wanted_for(word, numbers.len()).as_str())),
            None => Ok(Some(numbers)),
        }
    }

    /// An attribute of just so many numbers.
    pub fn vector<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, ImportError> {
        let Some(numbers) = self.numbers(key)? else { return Ok(None) };
        let wanted = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
        numbers.try_into().map(Some).map_err(|_: Vec<f64>| self.wrong(key, &wanted))
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>, ImportError> {
        Ok(self.vector::<1>(key)?.map(|[number]| number))
    }

    /// A number that is not negative; 0 where there is none.
    pub fn amount(&self, key: &str) -> Result<f64, ImportError> {
        match self.numbers(key)?.as_deref() {
            None => Ok(0.0),
            Some([amount, ..]) if *amount >= 0.0 => Ok(*amount),
            Some(_) => Err(self.wrong(key, "a number that is not negative")),
        }
    }

    /// A vector in space; zero where there is none.
    pub fn place_or_zero(&self, key: &str) -> Result<Vector3<f64>, ImportError> {
        Ok(self.vector::<3>(key)?.unwrap_or_default().into())
    }

    /// A direction: `default` where there is none, of length 1.
    pub fn direction(&self, key: &str, default: Vector3<f64>) -> Result<Vector3<f64>, ImportError> {
        let direction = self.vector::<3>(key)?.map_or(default, Vector3::from);
        direction.try_normalize(1e-10).ok_or_else(|| self.wrong(key, "a vector that is not zero"))
    }

    /// `true` or `false`; `default` where there is neither.
    pub fn truth(&self, key: &str, default: bool) -> Result<bool, ImportError> {
        match self.text(key) {
            None => Ok(default),
            Some("true" | "enable") => Ok(true),
            Some("false" | "disable") => Ok(false),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    /// The fault of an attribute that is not what is wanted, or is missing.
    pub fn wrong(&self, key: &str, wanted: &str) -> ImportError {
        let Some(attribute) = self.attribute(key) else {
            let message = format!("<{}> has no `{key}`, which has to be {wanted}", self.tag);
            return ImportError::new(&self.place, message, format!("give it `{key}`, {wanted}"));
        };
        let shown: String = attribute.value.chars().take(60).collect();
        ImportError::new(
            &attribute.place,
            format!("`{key}` of <{}> is \"{shown}\", and has to be {wanted}", self.tag),
            format!("give {wanted}"),
        )
    }

    /// It and its name, for notes: a joint `knee`.
    pub fn called(&self) -> String {
        match self.text("name") {
            Some(name) => format!("{} `{name}`", self.tag),
            None => format!("a {}", self.tag),
        }
    }
}

/// Whether a number is finite and within bounds.
fn is_taken(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// What has to stand for one of `count` words that is a number and not taken.
fn wanted_for(word: &str, count: usize) -> String {
    // Beyond what a float holds, numbers are read as infinite; they are finite as they are written.
    let is_finite = word.contains(|letter: char| letter.is_ascii_digit());
    match (is_finite, count) {
        (true, 1) => format!("a number from -{LARGEST:?} to {LARGEST:?}"),
        (true, _) => format!("numbers from -{LARGEST:?} to {LARGEST:?}"),
        (false, 1) => "a finite number".to_owned(),
        (false, _) => "finite numbers".to_owned(),
    }
}
