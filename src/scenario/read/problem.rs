use std::{fmt, ops::Range};

use super::{document::Source, file::FileError};

/// Why a scenario could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// The file itself could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// What it holds is no valid scenario.
    #[error(transparent)]
    Invalid(#[from] InvalidScenario),
}

/// A text, with its overrides, that is no valid scenario: everything that is wrong with it.
///
/// Displayed, it is one paragraph per problem that begins with `path:line:column:`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.in_words())]
pub struct InvalidScenario {
    /// The path or other name of the text.
    pub path: String,
    /// The text that the spans of the problems refer to.
    pub text: String,
    /// The problems, at least one, in the order of the text and the overrides after it.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it is wrong.
    pub place: Place,
    /// Full key, for example `push[1].force`; none if the text is not even TOML there.
    pub key: Option<String>,
    /// What is wrong, with the key, the value as it was written and what is allowed.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Where a [`Problem`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the text of the file.
    Text {
        /// Bytes of the text, empty where something is missing.
        span: Range<usize>,
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
    },
    /// In an override, `KEY=VALUE` as it was given.
    Override(String),
}

impl Place {
    /// The place of `span` in `text`.
    fn in_text(text: &str, span: Range<usize>) -> Self {
        let start = span.start.min(text.len());
        let before = &text.as_bytes()[..start];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let is_char_start = |byte: &&u8| (**byte & 0b1100_0000) != 0b1000_0000;
        let column = 1 + before[line_start..].iter().filter(is_char_start).count();
        Self::Text { span: start..span.end.clamp(start, text.len()), line, column }
    }

    fn of(source: &Source, text: &str) -> Self {
        match source {
            Source::File(span) => Self::in_text(text, span.clone()),
            Source::Override(argument, _) | Source::Assembled(argument) => {
                Self::Override(argument.to_string())
            }
        }
    }

    /// The bytes of the text that are meant; none for an override.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Text { span, .. } => Some(span.clone()),
            Self::Override(_) => None,
        }
    }
}

/// A problem whose place is not yet counted in lines.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) source: Source,
    pub(crate) key: Option<String>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Most findings that are worth collecting: a file with more is no scenario at all.
pub(crate) const MAX_FINDINGS: usize = 1000;
/// Most problems that a person is told at once.
const MAX_PROBLEMS: usize = 50;

/// Puts findings in the order of the text, overrides behind, and counts their lines.
pub(crate) fn locate(text: &str, mut findings: Vec<Finding>) -> Vec<Problem> {
    findings.sort_by_key(|finding| match &finding.source {
        Source::File(span) => span.start,
        Source::Override(..) | Source::Assembled(_) => usize::MAX,
    });
    let total = findings.len();
    findings.truncate(MAX_PROBLEMS);
    let mut problems: Vec<Problem> = findings
        .into_iter()
        .map(|Finding { source, key, message, help }| Problem {
            place: Place::of(&source, text),
            key,
            message,
            help,
        })
        .collect();
    if let (true, Some(last)) = (total > MAX_PROBLEMS, problems.last()) {
        problems.push(Problem {
            place: last.place.clone(),
            key: None,
            message: format!("there are at least {} more problems behind this one", total - MAX_PROBLEMS),
            help: "check that this is a scenario file, and mend the problems above first".to_owned(),
        });
    }
    problems
}

impl InvalidScenario {
    fn in_words(&self) -> String {
        let paragraphs: Vec<String> = self
            .problems
            .iter()
            .map(|problem| {
                let place = Located { path: &self.path, place: &problem.place };
                format!("{place}: {}\n  help: {}", problem.message, problem.help)
            })
            .collect();
        paragraphs.join("\n")
    }
}

/// A place together with the name of the text.
struct Located<'a> {
    path: &'a str,
    place: &'a Place,
}

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Text { line, column, .. } => write!(f, "{}:{line}:{column}", self.path),
            Place::Override(argument) => write!(f, "--set {argument}"),
        }
    }
}
