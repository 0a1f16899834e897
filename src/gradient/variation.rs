use super::Input;
use crate::model::State;

/// A direction in which a run changes: with a number of its scenario, and with its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variation<const D: usize> {
    /// The number, if it is one.
    pub input: Option<Input>,
    /// How the start changes beside that.
    pub start: State<D>,
}
