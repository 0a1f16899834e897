use std::fmt;

use serde::Serialize;

use crate::{wording::with_particulars, world::ImpactReport};

/// The impacts of a run of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ImpactCounts {
    /// Steps with an impact.
    pub steps: usize,
    /// Those in which several contacts of bodies that they join carried it.
    pub several: usize,
    /// Those in which a rebound was reduced, so that the impact made no energy.
    pub capped: usize,
    /// The least share of its rebound that an impact kept, 1 where none was reduced.
    pub least_share: f64,
    /// The most blows that an impact was followed by, 0 where none was.
    pub rounds_most: u32,
    /// Steps in which contacts still closed after the last of them.
    pub unended: usize,
}

impl Default for ImpactCounts {
    fn default() -> Self {
        Self { steps: 0, several: 0, capped: 0, least_share: 1.0, rounds_most: 0, unended: 0 }
    }
}

impl ImpactCounts {
    /// Adds that of a step.
    pub fn add(&mut self, impact: &ImpactReport) {
        self.steps += 1;
        self.several += usize::from(impact.several);
        self.capped += usize::from(impact.is_capped());
        self.least_share = self.least_share.min(impact.share);
        self.rounds_most = self.rounds_most.max(impact.rounds);
        self.unended += usize::from(!impact.is_ended);
    }
}

impl fmt::Display for ImpactCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, several, capped, least_share, rounds_most, unended } = *self;
        let mut kinds = Vec::new();
        if several > 0 {
            kinds.push(format!("{several} of several contacts"));
        }
        if capped > 0 {
            let most = 100.0 * (1.0 - least_share);
            kinds.push(format!(
                "in {capped} the rebound was reduced, by {most:.2} % at most, to make no energy"
            ));
        }
        if unended > 0 {
            kinds.push(format!("{unended} ended after {rounds_most} rounds with contacts that close"));
        }
        f.write_str(&with_particulars(&steps.to_string(), &kinds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_to_impacts_is_said_and_nothing_else() {
        let mut counts = ImpactCounts::default();
        let plain = ImpactReport::default();
        counts.add(&plain);
        assert_eq!(counts.to_string(), "1");
        counts.add(&ImpactReport { several: true, rounds: 7, ..plain });
        assert_eq!(counts.to_string(), "2: 1 of several contacts");
        counts.add(&ImpactReport { share: 0.69, several: true, ..plain });
        counts.add(&ImpactReport { rounds: 400, is_ended: false, ..plain });
        assert_eq!(
            counts.to_string(),
            "4: 2 of several contacts; in 1 the rebound was reduced, by 31.00 % at most, to make no energy; \
             1 ended after 400 rounds with contacts that close"
        );
        let expected =
            ImpactCounts { steps: 4, several: 2, capped: 1, least_share: 0.69, rounds_most: 400, unended: 1 };
        assert_eq!(counts, expected);
    }
}
