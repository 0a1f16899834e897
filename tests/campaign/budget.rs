//! How long to look, and where chance comes from.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use stickslip::random::Random;

/// Hours if nothing else is said: as long as a change may wait for it.
const HOURS: f64 = 5.0 / 60.0;

/// Time or rounds for a part of the campaign.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub seed: u64,
    time: Duration,
    rounds: u64,
}

impl Budget {
    /// `STICKSLIP_CAMPAIGN_HOURS` and `STICKSLIP_CAMPAIGN_SEED`; a seed from the clock if there is none.
    pub fn from_environment() -> Self {
        let read = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        let hours =
            read("STICKSLIP_CAMPAIGN_HOURS").map_or(HOURS, |text| text.parse().expect("a number of hours"));
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
        let seed =
            read("STICKSLIP_CAMPAIGN_SEED").map_or_else(clock, |text| text.parse().expect("a whole number"));
        Self { seed, time: Duration::from_secs_f64(3600.0 * hours), rounds: u64::MAX }
    }

    /// So many rounds, however long they take.
    pub fn rounds(seed: u64, rounds: u64) -> Self {
        Self { seed, time: Duration::MAX, rounds }
    }

    pub fn hours(&self) -> f64 {
        self.time.as_secs_f64() / 3600.0
    }

    /// A share of the time for the part of this number, with a seed of its own.
    pub fn share(&self, part: u64, share: f64) -> Self {
        Self { seed: self.seed.wrapping_add(part << 40), time: self.time.mul_f64(share), ..*self }
    }

    /// The rounds, each with chance of its own: what happens in a round follows from the seed and its number.
    pub fn draws(&self) -> impl Iterator<Item = (u64, Draw)> {
        let (begun, budget) = (Instant::now(), *self);
        (0..self.rounds)
            .take_while(move |_| begun.elapsed() < budget.time)
            .map(move |round| (round, Draw::new(budget.seed.wrapping_add(round))))
    }
}

/// Chance.
pub struct Draw(Random);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Random::seeded(seed))
    }

    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0.uniform(low, high)
    }

    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.uniform(0.0, 1.0) < share
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}
