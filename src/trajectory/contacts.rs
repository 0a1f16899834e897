use crate::stepper::Contact;

/// The contacts of a run, step by step: as many rows to a step as there are contacts in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contacts<const D: usize> {
    rows: Vec<Contact<D>>,
    /// Where the rows of each step end.
    ends: Vec<usize>,
}

impl<const D: usize> Default for Contacts<D> {
    fn default() -> Self {
        Self { rows: Vec::new(), ends: Vec::new() }
    }
}

impl<const D: usize> Contacts<D> {
    /// Adds the contacts of the next step.
    pub(super) fn add_step(&mut self, contacts: &[Contact<D>]) {
        self.rows.extend_from_slice(contacts);
        self.ends.push(self.rows.len());
    }

    /// The contacts of step `k`; none if there is no such step.
    pub fn of_step(&self, k: usize) -> &[Contact<D>] {
        let Some(&end) = self.ends.get(k) else { return &[] };
        let begin = k.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[begin..end]
    }

    /// Whether no step tells its contacts apart.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
