//! What a trajectory is worth: where it ends, what it violates, how far it is from the truth.

mod complementarity;
mod cone;
mod energy;
mod error;
mod force_noise;
mod impulse;
mod penetration;
mod quantiles;
mod rods;
mod serialize;
mod sliding;
mod stop;
mod summary;

pub use complementarity::max_complementarity;
pub use cone::max_cone_violation;
pub use energy::{max_energy_gain, max_energy_gain_of_all};
pub use error::max_error;
pub use force_noise::force_noise;
pub use impulse::impulse_error;
pub use penetration::max_penetration;
pub use quantiles::{Quantiles, quantiles};
pub use rods::max_rod_error;
pub use sliding::{deceleration_error, drift_after_stop};
pub use stop::stop_time;
pub use summary::{IterationCounts, LineSearchCounts, StatusCounts, Summary};

use crate::{
    model::{Attitude, Vector},
    trajectory::{Track, Trajectory},
};

/// The figures of merit of one trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct Metrics<const D: usize> {
    /// Those of every body, in order.
    pub bodies: Vec<BodyMetrics<D>>,
    /// When everything came to rest for good, in s; see [`stop_time`].
    pub stop_time: Option<f64>,
    /// Deepest penetration by any body in m, at least 0.
    pub max_penetration: f64,
    /// Largest energy gained in a step beyond the work of the pushes, in J; see
    /// [`max_energy_gain_of_all`].
    pub max_energy_gain: f64,
    /// Largest violation by a single point of the complementarity that a time step poses, where the
    /// stepper poses one; see [`max_complementarity`].
    pub max_complementarity: Option<f64>,
    /// Noise of the normal force on a single point in sustained contact in N; see [`force_noise`].
    pub force_noise: Option<f64>,
    /// Largest deviation of a rod from its length in m, where there are rods.
    pub max_rod_error: Option<f64>,
    /// Largest distance of any body from the exact trajectory along each axis in m, where there is one.
    pub max_error: Option<Vector<D>>,
    /// Last position of the common centre of mass, or of the only body, in m.
    pub final_center: Vector<D>,
}

/// The figures of merit of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyMetrics<const D: usize> {
    /// What the body is called.
    pub name: String,
    /// Last position in m.
    pub final_position: Vector<D>,
    /// How it is turned at the end; `None` where all bodies are points.
    pub final_attitude: Option<Attitude>,
    /// Deepest penetration in m, at least 0.
    pub max_penetration: f64,
    /// Largest energy gained in a step beyond the work of the push, in J; see [`max_energy_gain`].
    pub max_energy_gain: f64,
    /// Largest distance from the exact trajectory along each axis in m, where there is one.
    pub max_error: Option<Vector<D>>,
}

impl<const D: usize> Metrics<D> {
    /// Measures `trajectory`, and its error against `exact` where that is known.
    pub fn of(trajectory: &Trajectory<D>, exact: Option<&Trajectory<D>>) -> Self {
        let truth = |body| exact.map(|exact| exact.track(body));
        let bodies: Vec<_> =
            trajectory.tracks().map(|track| BodyMetrics::of(track, truth(track.body))).collect();
        let alone = trajectory.scenario.is_single_point().then(|| trajectory.track(0));
        let stops: Option<Vec<f64>> = trajectory.tracks().map(stop_time).collect();
        let errors = bodies.iter().filter_map(|body| body.max_error);
        let mass = |body: usize| trajectory.scenario.bodies[body].mass;
        let moments = bodies.iter().enumerate().map(|(index, body)| body.final_position * mass(index));
        let total: f64 = (0..bodies.len()).map(mass).sum();
        Self {
            stop_time: stops.and_then(|stops| stops.into_iter().reduce(f64::max)),
            max_penetration: bodies.iter().map(|body| body.max_penetration).fold(0.0, f64::max),
            max_energy_gain: max_energy_gain_of_all(trajectory),
            max_complementarity: alone.and_then(max_complementarity),
            force_noise: alone.map(force_noise),
            max_rod_error: (!trajectory.scenario.rods.is_empty()).then(|| max_rod_error(trajectory)),
            max_error: errors.reduce(|largest, error| largest.sup(&error)),
            final_center: match bodies.as_slice() {
                [only] => only.final_position,
                _ => moments.sum::<Vector<D>>() / total,
            },
            bodies,
        }
    }
}

impl<const D: usize> BodyMetrics<D> {
    /// Measures one body, and its error against its `exact` motion where that is known.
    pub fn of(track: Track<'_, D>, exact: Option<Track<'_, D>>) -> Self {
        Self {
            name: track.scenario.body_name(track.body),
            final_position: track.final_state().position,
            final_attitude: track.attitudes.last().copied(),
            max_penetration: max_penetration(track),
            max_energy_gain: max_energy_gain(track),
            max_error: exact.map(|exact| max_error(track, exact)),
        }
    }
}
