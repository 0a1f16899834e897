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

impl ExactBody {
    /// When the loads change next, in s.
    pub(super) fn next_edge(&self) -> f64 {
        let edges = self.loads.iter().flat_map(|load| [load.from, load.to]);
        edges.filter(|edge| *edge > self.time).fold(f64::INFINITY, f64::min)
    }

    /// Takes up the loads that act from the present time on.
    pub(super) fn take_loads(&mut self) {
        let acts = |load: &&Load| load.from <= self.time && self.time < load.to;
        let (mut pull, mut torque) = (self.gravity, 0.0);
        for load in self.loads.iter().filter(acts) {
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
