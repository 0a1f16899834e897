//! What a trajectory is worth: where it ends, what it violates, how far it is from the truth.

mod complementarity;
mod cone;
mod energy;
mod error;
mod force_noise;
mod impulse;
mod penetration;
mod quantiles;
mod sliding;
mod stop;
mod summary;
mod system;

pub use complementarity::max_complementarity;
pub use cone::max_cone_violation;
pub use energy::max_energy_gain;
pub use error::max_error;
pub use force_noise::force_noise;
pub use impulse::impulse_error;
pub use penetration::max_penetration;
pub use quantiles::{Quantiles, quantiles};
pub use sliding::{deceleration_error, drift_after_stop};
pub use stop::stop_time;
pub use summary::{IterationCounts, StatusCounts, Summary};
pub use system::{LineSearchCounts, SystemMetrics, SystemSummary};

use crate::{model::Vector, trajectory::Trajectory};

/// The figures of merit of one trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics<const D: usize> {
    /// Last position in m.
    pub final_position: Vector<D>,
    /// When the point came to rest for good, in s; see [`stop_time`].
    pub stop_time: Option<f64>,
    /// Deepest penetration of the ground in m, at least 0.
    pub max_penetration: f64,
    /// Largest energy gained in a step beyond the work of the push, in J; see [`max_energy_gain`].
    pub max_energy_gain: f64,
    /// Largest violation of the complementarity that a time step poses, where the stepper poses one; see
    /// [`max_complementarity`].
    pub max_complementarity: Option<f64>,
    /// Noise of the normal force in sustained contact in N; see [`force_noise`].
    pub force_noise: f64,
    /// Largest distance from the exact trajectory along each axis in m, where there is one.
    pub max_error: Option<Vector<D>>,
}

impl<const D: usize> Metrics<D> {
    /// Measures `trajectory`, and its error against `exact` where that is known.
    pub fn of(trajectory: &Trajectory<D>, exact: Option<&Trajectory<D>>) -> Self {
        Self {
            final_position: trajectory.final_state().position,
            stop_time: stop_time(trajectory),
            max_penetration: max_penetration(trajectory),
            max_energy_gain: max_energy_gain(trajectory),
            max_complementarity: max_complementarity(trajectory),
            force_noise: force_noise(trajectory),
            max_error: exact.map(|exact| max_error(trajectory, exact)),
        }
    }
}
