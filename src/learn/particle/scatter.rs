//! The noise of the measurements.

use crate::predict::{FreeFlights, Recording};

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

impl Scatter {
    /// What the flights tell of the noise before any fit.
    pub fn of_flights(flights: &FreeFlights<2>) -> Self {
        Self { position: flights.noise, velocity: flights.velocity_noise }
    }

    /// The least noise that there can be: that of the digits of the numbers.
    pub fn of_digits(recording: &Recording<2>) -> Self {
        let rows = recording.tosses.iter().flat_map(|toss| &toss.states);
        let least = Self { position: f64::MIN_POSITIVE, velocity: f64::MIN_POSITIVE };
        rows.fold(least, |least, row| {
            least.at_least(&Self {
                position: RESOLUTION * row.state.position.amax(),
                velocity: RESOLUTION * row.state.velocity.amax(),
            })
        })
    }

    /// No less than another.
    pub fn at_least(self, least: &Self) -> Self {
        Self { position: self.position.max(least.position), velocity: self.velocity.max(least.velocity) }
    }

    /// How many times another it is: the larger of the ratios of positions and of velocities.
    pub fn over(&self, other: &Self) -> f64 {
        (self.position / other.position).max(self.velocity / other.velocity)
    }
}
