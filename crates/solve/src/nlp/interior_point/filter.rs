/// Envelope around the filter: a trial point has to be better than every entry by
/// `gamma_theta theta` in the violation or by `gamma_phi theta` in the barrier function
/// (Waechter and Biegler, eq. 18; the values are IPOPT's).
pub(super) const GAMMA_THETA: f64 = 1e-5;
pub(super) const GAMMA_PHI: f64 = 1e-8;

/// Pairs `(theta, phi)` of constraint violation and barrier function that no later iterate may be
/// as bad as in both (Fletcher and Leyffer 2002).
#[derive(Debug, Clone, Default)]
pub(super) struct Filter {
    entries: Vec<(f64, f64)>,
}

impl Filter {
    /// Room for the entries of a long solve, so that solves do not allocate.
    pub fn with_room(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries) }
    }

    /// Forgets all entries: the barrier function has changed.
    pub fn reset(&mut self) {
        self.entries.clear();
    }

    /// Whether the pair is outside the forbidden region.
    pub fn accepts(&self, theta: f64, phi: f64) -> bool {
        self.entries.iter().all(|&(entry_theta, entry_phi)| {
            at_most(theta, entry_theta, entry_theta) || at_most(phi, entry_phi, entry_phi)
        })
    }

    /// Forbids everything that is not sufficiently better than the iterate `(theta, phi)` (eq. 22).
    pub fn augment(&mut self, theta: f64, phi: f64) {
        let entry = ((1.0 - GAMMA_THETA) * theta, phi - GAMMA_PHI * theta);
        self.entries.retain(|&(old_theta, old_phi)| old_theta < entry.0 || old_phi < entry.1);
        self.entries.push(entry);
    }
}

/// `a <= b` up to rounding errors of numbers of the size of `scale`.
pub(super) fn at_most(a: f64, b: f64, scale: f64) -> bool {
    a - b <= 10.0 * f64::EPSILON * scale.abs()
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn a_point_must_beat_every_entry_in_one_of_the_two() {
        let mut filter = Filter::default();
        filter.augment(1.0, 5.0);
        filter.augment(0.1, 7.0);
        assert!(filter.accepts(0.5, 6.0), "less violation than the one, less barrier than the other");
        assert!(filter.accepts(0.05, 100.0));
        assert!(!filter.accepts(0.5, 8.0), "worse than the second in both");
        assert!(!filter.accepts(1.0, 5.0), "no progress at all is not enough");
    }

    #[test]
    fn dominated_entries_are_dropped() {
        let mut filter = Filter::default();
        filter.augment(1.0, 5.0);
        filter.augment(0.5, 4.0);
        assert_eq!(filter.entries.len(), 1);
    }
}
