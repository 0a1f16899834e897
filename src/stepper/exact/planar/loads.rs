//! Forces and torques that are constant between the edges of their windows.

use nalgebra::Vector2;

use super::{ExactBody, Phase, Unknown};

/// A force on the centre of mass and a torque, from one time to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// In N.
    pub force: Vector2<f64>,
    /// In N m.
    pub torque: f64,
    /// Start of the window in s.
    pub from: f64,
    /// End of the window in s; not included.
    pub to: f64,
}

/// The loads that act from a time on, in s.
pub(in crate::stepper::exact) fn acting(loads: &[Load], time: f64) -> impl Iterator<Item = &Load> {
    loads.iter().filter(move |load| load.from <= time && time < load.to)
}

/// When loads change next after a time, in s.
pub(in crate::stepper::exact) fn next_edge(loads: &[Load], time: f64) -> f64 {
    let edges = loads.iter().flat_map(|load| [load.from, load.to]);
    edges.filter(|edge| *edge > time).fold(f64::INFINITY, f64::min)
}

/// A bound in m/s on the speed of every point of a body within the next `dt` s. Contacts take energy, and divide the rest between
/// way and spin as they will.
pub(in crate::stepper::exact) fn top_speed(
    loads: &[Load],
    inert: &Inert,
    [speed, spin]: [f64; 2],
    dt: f64,
) -> f64 {
    let Inert { mass, inertia, gravity, reach } = *inert;
    let gyration = (inertia / mass).sqrt();
    let pulls = loads.iter().map(|load| load.force.norm() / mass + load.torque.abs() / (mass * gyration));
    let pull = gravity.norm() + pulls.sum::<f64>();
    let energetic = speed + spin.abs() * gyration + pull * dt;
    energetic * (1.0 + reach / gyration)
}

/// What resists loads, and how far it reaches.
#[derive(Debug, Clone, Copy)]
pub(in crate::stepper::exact) struct Inert {
    /// In kg.
    pub mass: f64,
    /// About the centre of mass in kg m^2.
    pub inertia: f64,
    /// In m/s^2.
    pub gravity: Vector2<f64>,
    /// The largest distance of its points from the centre of mass in m.
    pub reach: f64,
}

impl ExactBody {
    /// Takes up the loads that act from the present time on.
    pub(super) fn take_loads(&mut self) {
        let (mut pull, mut torque) = (self.gravity, 0.0);
        for load in acting(&self.loads, self.time) {
            pull += load.force / self.mass;
            torque += load.torque;
        }
        (self.pull, self.torque) = (pull, torque);
    }

    /// The phase in which the body goes on when the loads have changed.
    pub(super) fn change_loads(&mut self) -> Result<(), Unknown> {
        self.take_loads();
        let phase = match self.phase {
            Phase::Flight => Phase::Flight,
            Phase::Point(feature, _) => self.point_phase(feature, self.sliding_sign(feature))?,
            Phase::Flat(corners, _) => self.flat_phase(corners, self.sliding_sign(corners[0]))?,
        };
        self.start_phase(phase)
    }

    /// The greatest acceleration in m/s^2 that gravity and the loads give a point of the body.
    pub(super) fn strength(&self) -> f64 {
        let reach = self.shape.reach();
        self.pull.norm().max(self.gravity.norm()) + self.torque.abs() * reach / self.inertia
    }
}
