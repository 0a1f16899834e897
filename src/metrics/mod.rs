//! What a trajectory is worth: where it ends, what it violates, how far it is from the truth.

mod companion;
mod complementarity;
mod cone;
mod detection;
mod energy;
mod error;
mod force_noise;
mod gauge;
mod impulse;
mod mode;
mod natural_map;
mod penetration;
mod quantiles;
mod rods;
mod serialize;
mod sliding;
mod stop;
mod summary;
mod tally;
mod touching;

pub use companion::Companion;
pub use complementarity::max_complementarity;
pub use cone::max_cone_violation;
pub use detection::{Counter, DetectedSolution, DetectedStep, Detections, Detector, write_detections_csv};
pub(crate) use energy::MovingWalls;
pub use energy::{Energy, max_energy_created, max_energy_gain, step_of_max_energy_gain, work_of_pushes};
pub use error::{BodyError, max_error, max_turn_error};
pub use force_noise::force_noise;
pub use gauge::Gauge;
pub use impulse::impulse_error;
pub use mode::BodyMode;
pub(crate) use mode::IMPACT_LOADS;
pub use penetration::max_penetration;
pub use quantiles::{Quantiles, quantiles};
pub use rods::max_rod_error;
pub use serialize::unit_of_metric;
pub use sliding::{deceleration_error, drift_after_stop};
pub(crate) use stop::RestSpeed;
pub use stop::stop_time;
pub use summary::{IterationCounts, StatusCounts, Summary};
pub use tally::Tally;
pub use touching::{Doing, Touching, pairs_of};

use crate::{
    model::{Attitude, State, Vector},
    trajectory::Trajectory,
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
    /// Largest energy that all bodies and springs together gained in a step beyond the work of the pushes and
    /// of moving walls, in J; 0 if they never did.
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
    /// Largest angle in rad between any body and the exact trajectory, where there is one and bodies turn.
    pub max_turn_error: Option<f64>,
    /// Largest scaled residual of Coulomb's law in a step ([`Residuals::scaled`](crate::contact::Residuals)),
    /// where the stepper tells its contacts apart.
    pub max_natural_map: Option<f64>,
    /// Last position of the common centre of mass, or of the only body, in m.
    pub final_center: Vector<D>,
}

/// The figures of merit of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyMetrics<const D: usize> {
    /// What the body is called.
    pub name: String,
    /// Where the centre of mass is at the end, and how it moves.
    pub final_state: State<D>,
    /// How it is turned at the end; `None` where all bodies are points.
    pub final_attitude: Option<Attitude>,
    /// Deepest penetration in m, at least 0.
    pub max_penetration: f64,
    /// Largest energy gained in a step beyond the work of the push, in J; see [`max_energy_gain`].
    pub max_energy_gain: f64,
    /// Largest distance from the exact trajectory along each axis in m, where there is one.
    pub max_error: Option<Vector<D>>,
    /// Largest angle in rad from the exact trajectory, where there is one and the body turns.
    pub max_turn_error: Option<f64>,
}

impl<const D: usize> Metrics<D> {
    /// Measures `trajectory`, and its error against `exact` where that is known.
    pub fn of(trajectory: &Trajectory<D>, exact: Option<&Trajectory<D>>) -> Self {
        let mut gauge = Gauge::new(&trajectory.scenario, trajectory.honours);
        trajectory.for_each_passage(|passage| gauge.add(passage));
        let errors: Option<Vec<BodyError<D>>> = exact.map(|exact| {
            trajectory.tracks().map(|track| BodyError::of(track, exact.track(track.body))).collect()
        });
        gauge.metrics(errors.as_deref())
    }
}
