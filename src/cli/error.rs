use std::{
    fmt,
    io::{self, IsTerminal, Write},
    ops::Range,
};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use stickslip::{atomic_file::WriteError, plot::PlotError, stepper::Refusal};

use super::{excerpt::Excerpt, printable};

/// Width of messages on a terminal.
const TERMINAL_WIDTH: usize = 100;
/// Width of messages elsewhere: no line is broken, so that programs can search them.
const UNWRAPPED: usize = 100_000;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum CliError {
    /// Bad input or usage; nothing was run or written. Exit status 2.
    Input(Vec<Fault>),
    /// A simulation or a solve failed, or a result could not be written. Exit status 1.
    Failed(Fault),
    /// The user interrupted the command. Exit status 130.
    Interrupted(String),
}

impl CliError {
    /// Bad input, described by a message and a remedy.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(vec![Fault::new(message, help)])
    }

    /// A failure, described by a message and a remedy.
    pub fn failed(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Failed(Fault::new(message, help))
    }

    /// An output folder that cannot be used.
    pub fn unwritable(error: &WriteError) -> Self {
        if error.wants_room() {
            let help =
                "make room, raise the limit that `ulimit -f` shows, or choose another disk with --output";
            return Self::failed(error.to_string(), help);
        }
        Self::input(error.to_string(), "choose a folder that you may write to with --output")
    }

    /// Prints the error on standard error and gives the exit status.
    pub fn report(self) -> u8 {
        let (faults, status) = match self {
            Self::Input(faults) => (faults, 2),
            Self::Failed(fault) => (vec![fault], 1),
            Self::Interrupted(message) => {
                // A standard error that is gone leaves nobody to tell.
                let _ = writeln!(io::stderr(), "interrupted: {}", printable::message(&message));
                return 130;
            }
        };
        let handler = handler();
        for (index, fault) in faults.iter().enumerate() {
            let mut text = if index > 0 { "\n".to_owned() } else { String::new() };
            if handler.render_report(&mut text, fault).is_err() {
                text = format!("error: {fault}\n");
            }
            let _ = io::stderr().write_all(text.as_bytes());
        }
        status
    }
}

fn handler() -> GraphicalReportHandler {
    let on_terminal = io::stderr().is_terminal();
    let theme = match (on_terminal, std::env::var_os("NO_COLOR")) {
        (true, None) => GraphicalTheme::unicode(),
        _ => GraphicalTheme::unicode_nocolor(),
    };
    let width = if on_terminal { TERMINAL_WIDTH } else { UNWRAPPED };
    GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false)
}

/// One thing that is wrong, with the place in a text where there is one.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    message: String,
    help: String,
    place: Option<Box<Excerpt>>,
}

impl Fault {
    /// A fault that is in no text.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        let [message, help] = [message.into(), help.into()].map(|text: String| printable::message(&text));
        Self { message, help, place: None }
    }

    /// The same fault, found in the bytes `span` of the file `name` with this text.
    pub fn at(self, name: &str, text: &str, span: Range<usize>) -> Self {
        Self { place: Some(Box::new(Excerpt::new(name, text, span))), ..self }
    }
}

impl Diagnostic for Fault {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|excerpt| excerpt.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.place.as_ref()?.span();
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), span))))
    }
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        let message =
            format!("stepper `{}` does not admit this scenario: {}", refusal.stepper, refusal.reason);
        Self::input(message, refusal.remedy)
    }
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> Self {
        let help = match error.source.kind() {
            io::ErrorKind::FileTooLarge => {
                "the system limits the size of files (see `ulimit -f`): raise the limit, or write less with `run --every`, \
                 a longer `step` or a shorter `duration`; results may be incomplete"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room, choose another disk with --output, or write less with `run --every`; results may be incomplete"
            }
            _ => "check the folder and the space on the disk; results may be incomplete",
        };
        Self::failed(error.to_string(), help)
    }
}

impl From<PlotError> for CliError {
    fn from(error: PlotError) -> Self {
        Self::failed(
            error.to_string(),
            "the results in numbers are written; --no-plots leaves the pictures out",
        )
    }
}
