use std::fmt;

use crate::{scenario::Scenario, stepper::Honours, trajectory::Passage};

/// What sees the steps of a run one after the other and gives a figure, in the memory of one step.
pub trait Observer<const D: usize>: fmt::Debug + Send {
    /// Sees the next step.
    fn add(&mut self, passage: &Passage<'_, D>);

    /// The figure of the steps so far; `None` where they have none.
    fn value(&self) -> Option<f64>;

    /// That of one body, where there is one.
    fn of_body(&self, _body: usize) -> Option<f64> {
        None
    }
}

/// Makes an observer for a run of a scenario under a stepper that honours so much of it; `None` where there is nothing to
/// see.
pub type Make<const D: usize> = for<'a> fn(&'a Scenario<D>, Honours) -> Option<Box<dyn Observer<D> + 'a>>;
