use std::fmt;

use serde::Serialize;

use crate::{decimal::rounded, wording::with_particulars, world::Certificate};

/// What the motions of the steps of a run say of their contacts ([`Certificate`]).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct CertificateCounts {
    /// Steps that were judged.
    pub judged: usize,
    /// Those whose motion is not that of their contacts.
    pub uncertified: usize,
    /// Of these, those whose contacts were still changing after the last solve.
    pub unsettled: usize,
    /// Of these, those in which two push each other that do not touch.
    pub pushing_across: usize,
    /// The widest gap in m that was pushed across.
    pub widest_gap: f64,
    /// Of these, those in which something ends, or goes, deeper in something else than it was.
    pub overlapping: usize,
    /// The deepest such overlap in m.
    pub deepest_overlap: f64,
}

impl CertificateCounts {
    /// Adds that of a step.
    pub fn add(&mut self, certificate: &Certificate) {
        let Certificate { is_unsettled, pushes_across, overlaps } = *certificate;
        self.judged += 1;
        self.uncertified += usize::from(!certificate.is_kept());
        self.unsettled += usize::from(is_unsettled);
        self.pushing_across += usize::from(pushes_across > 0.0);
        self.widest_gap = self.widest_gap.max(pushes_across);
        self.overlapping += usize::from(overlaps > 0.0);
        self.deepest_overlap = self.deepest_overlap.max(overlaps);
    }

    /// What is wrong with how many steps, in words; `None` where nothing is.
    pub fn complaint(&self) -> Option<String> {
        (self.uncertified > 0).then(|| self.to_string())
    }
}

impl fmt::Display for CertificateCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judged, uncertified, unsettled, pushing_across, widest_gap, overlapping, deepest_overlap } =
            *self;
        let mut kinds = Vec::new();
        if pushing_across > 0 {
            let gap = rounded(widest_gap, 2);
            kinds.push(format!("in {pushing_across} two push each other across a gap, of {gap} m at most"));
        }
        if overlapping > 0 {
            let depth = rounded(deepest_overlap, 2);
            kinds.push(format!(
                "in {overlapping} one gets deeper into another than it was, to {depth} m at most"
            ));
        }
        if unsettled > 0 {
            kinds.push(format!("in {unsettled} the contacts were still changing after the last solve"));
        }
        let of_all = format!("the motion of {uncertified} of {judged} steps is not that of what touches");
        f.write_str(&with_particulars(&of_all, &kinds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_steps_is_said_and_nothing_else() {
        let mut counts = CertificateCounts::default();
        counts.add(&Certificate::default());
        assert_eq!((counts.judged, counts.complaint()), (1, None));
        counts.add(&Certificate { pushes_across: 2e-4, ..Certificate::default() });
        counts.add(&Certificate { pushes_across: 1e-4, ..Certificate::default() });
        let two = "the motion of 2 of 3 steps is not that of what touches: in 2 two push each other across a gap, of 0.0002 m at \
                   most";
        assert_eq!(counts.complaint().as_deref(), Some(two));
        counts.add(&Certificate { is_unsettled: true, overlaps: 0.003, ..Certificate::default() });
        let three = "the motion of 3 of 4 steps is not that of what touches: in 2 two push each other across a gap, of 0.0002 m \
                     at most; in 1 one gets deeper into another than it was, to 0.003 m at most; in 1 the contacts were still \
                     changing after the last solve";
        assert_eq!(counts.complaint().as_deref(), Some(three));
    }
}
