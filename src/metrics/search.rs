use super::{CertificateCounts, Observer};
use crate::{scenario::Scenario, stepper::Honours, trajectory::Passage, world::Passage as Search};

/// What the steps of a run did to find their contacts, added up.
#[derive(Debug, Clone)]
struct Total {
    of: fn(&Search) -> u32,
    count: u32,
}

fn total<'a, const D: usize>(of: fn(&Search) -> u32) -> Option<Box<dyn Observer<D> + 'a>> {
    Some(Box::new(Total { of, count: 0 }))
}

/// Solves beyond the first of each step.
pub(super) fn extra_solves<'a, const D: usize>(
    _: &'a Scenario<D>,
    _: Honours,
) -> Option<Box<dyn Observer<D> + 'a>> {
    total(|search| search.extra_solves)
}

/// Contacts that carried and ended apart, and that the way without them runs into.
pub(super) fn met<'a, const D: usize>(_: &'a Scenario<D>, _: Honours) -> Option<Box<dyn Observer<D> + 'a>> {
    total(|search| search.met)
}

/// Steps whose motion is not that of their contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Uncertified(CertificateCounts);

impl Uncertified {
    pub(super) fn observer<'a, const D: usize>(
        _: &'a Scenario<D>,
        _: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        Some(Box::new(Self::default()))
    }
}

impl<const D: usize> Observer<D> for Uncertified {
    fn add(&mut self, passage: &Passage<'_, D>) {
        passage.step.search.certificate.iter().for_each(|certificate| self.0.add(certificate));
    }

    /// How many there were; `None` where no motion was judged.
    fn value(&self) -> Option<f64> {
        (self.0.judged > 0).then_some(self.0.uncertified as f64)
    }
}

/// Steps whose contacts were still changing after the last solve.
pub(super) fn unsettled<'a, const D: usize>(
    _: &'a Scenario<D>,
    _: Honours,
) -> Option<Box<dyn Observer<D> + 'a>> {
    total(|search| u32::from(search.certificate.is_some_and(|certificate| certificate.is_unsettled)))
}

impl<const D: usize> Observer<D> for Total {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.count += (self.of)(&passage.step.search);
    }

    /// How many there were; `None` where there were none.
    fn value(&self) -> Option<f64> {
        (self.count > 0).then_some(f64::from(self.count))
    }
}
