/// What was made of the impact of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactReport {
    /// Whether several contacts of bodies that they join carried it.
    pub several: bool,
    /// The least share of a rebound that was kept, 1 where none had to be reduced so that no energy was made.
    pub share: f64,
    /// Blows that followed each other, where the impact was followed over its impulse; 0 where it was not.
    pub rounds: u32,
    /// Whether nothing closed any more after them.
    pub is_ended: bool,
}

impl Default for ImpactReport {
    fn default() -> Self {
        Self { several: false, share: 1.0, rounds: 0, is_ended: true }
    }
}

impl ImpactReport {
    /// Whether a rebound was reduced.
    pub fn is_capped(&self) -> bool {
        self.share < 1.0
    }

    /// Two impacts of one step.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            several: self.several || other.several,
            share: self.share.min(other.share),
            rounds: self.rounds.max(other.rounds),
            is_ended: self.is_ended && other.is_ended,
        }
    }
}
