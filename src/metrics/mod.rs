//! What a trajectory is worth: where it ends, what it violates, how far it is from the truth.

mod approximate;
mod certificates;
mod companion;
mod complementarity;
mod cone;
mod contact_slip;
mod detection;
mod directions;
mod energy;
mod error;
mod false_impulse;
mod force_noise;
mod friction_lag;
mod gauge;
mod impact_counts;
mod impulse;
mod impulse_plane;
mod metric;
mod mode;
mod natural_map;
mod observer;
mod penetration;
mod quantiles;
mod rods;
mod rows;
mod search;
mod serialize;
mod sliding;
mod slip_distance;
mod stop;
mod summary;
mod tally;
mod touching;
mod way_overlap;

pub use approximate::ApproximateSteps;
pub use certificates::CertificateCounts;
pub use companion::Companion;
pub use complementarity::max_complementarity;
pub use cone::max_cone_violation;
pub use detection::{Counter, DetectedSolution, DetectedStep, Detections, Detector, write_detections_csv};
pub(crate) use energy::MovingWalls;
pub use energy::{Energy, max_energy_created, max_energy_gain, step_of_max_energy_gain, work_of_pushes};
pub use error::{BodyError, max_error, max_turn_error};
pub use force_noise::force_noise;
pub use gauge::Gauge;
pub use impact_counts::ImpactCounts;
pub use impulse::impulse_error;
pub use impulse_plane::{FindImpact, ImpactFinder, ImpulsePlane};
pub(crate) use metric::{Circumstances, Shown, Value, listed};
pub use metric::{Format, Listed, Listing, Measured, Metric, When};
pub use mode::BodyMode;
pub(crate) use mode::IMPACT_LOADS;
pub use observer::Observer;
pub use penetration::max_penetration;
pub use quantiles::{Quantiles, quantiles};
pub use rods::max_rod_error;
pub use rows::unit_of_metric;
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
    /// Largest distance of any body from the exact trajectory along each axis in m, where there is one.
    pub max_error: Option<Vector<D>>,
    /// Largest angle in rad between any body and the exact trajectory, where there is one and bodies turn.
    pub max_turn_error: Option<f64>,
    /// Last position of the common centre of mass, or of the only body, in m.
    pub final_center: Vector<D>,
    /// What observers saw, by the places of [`Measured::TABLE`].
    observed: Vec<Option<f64>>,
    /// Whether there is nothing but a single point.
    is_point: bool,
    /// Whether something may rebound.
    rebounds: bool,
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

    /// The figure of that name, of those that an [`Observer`] saw; `None` where there is none.
    pub fn get(&self, key: &str) -> Option<f64> {
        let place = Self::TABLE.iter().position(|metric| metric.key == key)?;
        *self.observed.get(place)?
    }

    /// When everything came to rest for good, in s; see [`stop_time`].
    pub fn stop_time(&self) -> Option<f64> {
        self.get("stop_time")
    }

    /// Deepest penetration by any body in m, at least 0.
    pub fn max_penetration(&self) -> f64 {
        self.get("max_penetration").unwrap_or(f64::NAN)
    }

    /// Largest energy that all bodies and springs together gained in a step beyond the work of the pushes and
    /// of moving walls, in J; 0 if they never did.
    pub fn max_energy_gain(&self) -> f64 {
        self.get("max_energy_gain").unwrap_or(f64::NAN)
    }

    /// Largest violation by a single point of the complementarity that a time step poses, where the
    /// stepper poses one; see [`max_complementarity`].
    pub fn max_complementarity(&self) -> Option<f64> {
        self.get("max_complementarity")
    }

    /// Noise of the normal force on a single point in sustained contact in N; see [`force_noise`].
    pub fn force_noise(&self) -> Option<f64> {
        self.get("force_noise")
    }

    /// Largest deviation of a rod from its length in m, where there are rods.
    pub fn max_rod_error(&self) -> Option<f64> {
        self.get("max_rod_error")
    }

    /// Largest scaled residual of Coulomb's law in a step ([`Residuals::scaled`](crate::contact::Residuals)),
    /// where the stepper tells its contacts apart.
    pub fn max_natural_map(&self) -> Option<f64> {
        self.get("max_natural_map")
    }

    /// Largest difference between the coefficient by which a contact slid in a step and that of the slip in the end, where
    /// friction depends on the slip.
    pub fn friction_lag(&self) -> Option<f64> {
        self.get("friction_lag")
    }

    /// The figures of a listing, in order.
    pub fn listed(&self, listing: Listing) -> Vec<Listed> {
        listed(self, listing, self.circumstances())
    }

    fn circumstances(&self) -> Circumstances {
        let (is_point, rebounds) = (self.is_point, self.rebounds);
        let (has_truth, ends_by_body) = (self.max_error.is_some(), false);
        Circumstances { is_point, has_truth, rebounds, ends_by_body, place: "final" }
    }
}
