use crate::trajectory::Passage;

/// The largest scaled residual of Coulomb's law over the steps of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct NaturalMap {
    largest: f64,
    /// Whether the stepper tells contacts apart.
    tells_contacts: bool,
}

impl NaturalMap {
    #[inline]
    pub(super) fn add<const D: usize>(&mut self, passage: &Passage<'_, D>) {
        let residual = passage.step.report.residual;
        if residual > self.largest {
            self.largest = residual;
        }
        self.tells_contacts |= !passage.contacts.is_empty();
    }

    /// The residual; `None` where no contact was told apart.
    pub(super) fn value(&self) -> Option<f64> {
        self.tells_contacts.then_some(self.largest)
    }
}
