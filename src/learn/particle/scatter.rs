//! The noise of the measurements.

use super::contacts::Contacts;
use crate::{learn::data::Throw, likelihood::robust_deviation};

/// Noise below this share of the largest position or velocity is that of rounding.
const RESOLUTION: f64 = 1e-9;

/// Standard deviations of the noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// Of `x` and `z`, m.
    pub position: f64,
    /// Of `vx` and `vz`, m/s.
    pub velocity: f64,
}

/// What the flights tell of the noise before any fit: medians, so that a contact that is taken for flight
/// does no harm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flights {
    /// Standard deviation of a change of velocity but for gravity, m/s: that of two measurements.
    pub velocity: f64,
    /// Standard deviation of a change of position but for the mean velocity, m.
    pub position: f64,
    /// Number of steps in flight.
    pub steps: usize,
    /// Mean interval between two states, s.
    pub interval: f64,
    /// The least noise that there can be.
    pub least: Scatter,
}

impl Flights {
    /// The flights of `throws`, told from contacts by their heights.
    pub fn of(throws: &[Throw], gravity: f64) -> Self {
        let (mut velocities, mut positions) = (Vec::new(), Vec::new());
        let (mut steps, mut time, mut all) = (0, 0.0, 0);
        let mut least = Scatter { position: f64::MIN_POSITIVE, velocity: f64::MIN_POSITIVE };
        for pair in throws.iter().flat_map(|throw| throw.windows(2)) {
            let [before, after] = pair else { continue };
            let interval = after.time - before.time;
            (time, all) = (time + interval, all + 1);
            least.position = least.position.max(RESOLUTION * before.position.amax());
            least.velocity = least.velocity.max(RESOLUTION * before.velocity.amax());
            if Contacts::Height.touches(before, after, gravity) {
                continue;
            }
            let change = after.velocity - before.velocity;
            velocities.extend([change.x.abs(), (change.y + gravity * interval).abs()]);
            let step =
                after.position - before.position - (before.velocity + after.velocity) * (0.5 * interval);
            positions.extend([step.x.abs(), step.y.abs()]);
            steps += 1;
        }
        Self {
            velocity: robust_deviation(velocities),
            position: robust_deviation(positions),
            steps,
            interval: if all > 0 { time / f64::from(all) } else { 0.0 },
            least,
        }
    }

    /// The noise to begin with: a change has the variance of two measurements, that of a position part of
    /// the noise of the velocities too.
    pub fn scatter(&self) -> Scatter {
        let velocity = self.velocity * 0.5_f64.sqrt();
        let of_velocities = self.interval * velocity * 0.5_f64.sqrt();
        let variance = 0.5 * (self.position.powi(2) - of_velocities.powi(2));
        let position = variance.max(0.0).sqrt().max(0.1 * of_velocities);
        Scatter { position, velocity }.at_least(&self.least)
    }

    /// The noise of a fit over that of the flights: the larger of that of velocities and of positions.
    pub fn excess(&self, fit: &Scatter) -> f64 {
        let velocity = 2.0_f64.sqrt() * fit.velocity;
        let position = (2.0 * fit.position.powi(2) + 0.5 * (self.interval * fit.velocity).powi(2)).sqrt();
        let over = |of_fit: f64, of_flights: f64, least: f64| of_fit / of_flights.max(10.0 * least);
        over(velocity, self.velocity, self.least.velocity).max(over(
            position,
            self.position,
            self.least.position.max(self.interval * self.least.velocity),
        ))
    }
}

impl Scatter {
    /// No less than another.
    pub fn at_least(self, least: &Self) -> Self {
        Self { position: self.position.max(least.position), velocity: self.velocity.max(least.velocity) }
    }
}
