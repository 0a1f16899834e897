use super::Observer;
use crate::{scenario::Scenario, stepper::Honours, trajectory::Passage};

/// The largest scaled residual of Coulomb's law over the steps of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct NaturalMap {
    largest: f64,
    /// Whether the stepper tells contacts apart.
    tells_contacts: bool,
}

impl NaturalMap {
    pub(super) fn observer<'a, const D: usize>(
        _: &'a Scenario<D>,
        _: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        Some(Box::new(Self::default()))
    }
}

impl<const D: usize> Observer<D> for NaturalMap {
    fn add(&mut self, passage: &Passage<'_, D>) {
        let residual = passage.step.report.residual;
        if residual > self.largest {
            self.largest = residual;
        }
        self.tells_contacts |= !passage.contacts.is_empty();
    }

    /// The residual; `None` where no contact was told apart.
    fn value(&self) -> Option<f64> {
        self.tells_contacts.then_some(self.largest)
    }
}
