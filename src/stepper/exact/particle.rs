//! A point of the scenario.

use super::{
    body_motion::BodyMotion,
    point::{ContactPlane, Event, PointMotion},
};
use crate::{
    model::{Attitude, Orientation, Spin, State, Vector},
    stepper::{Contact, ContactMode, StepFailure},
    world::Partner,
};

/// A part of the largest friction that counts as rounding.
pub(super) const ON_THE_CONE: f64 = 1e-9;

/// A point between the ground and walls.
#[derive(Debug, Clone)]
pub(super) struct Particle<const D: usize> {
    motion: PointMotion<D>,
    state: State<D>,
    before: State<D>,
    impulse: Vector<D>,
    /// The greatest speed of a belt in m/s.
    belts: f64,
}

impl<const D: usize> Particle<D> {
    pub fn new(motion: PointMotion<D>, state: State<D>, walls: &[ContactPlane<D>]) -> Self {
        let belts = walls.iter().map(|wall| wall.velocity.norm()).sum();
        Self { motion, state, before: state, impulse: Vector::zeros(), belts }
    }
}

impl<const D: usize> BodyMotion<D> for Particle<D> {
    fn state(&self) -> State<D> {
        self.state
    }

    fn attitude(&self) -> Attitude {
        Attitude { orientation: Orientation::upright::<D>(), spin: Spin::zeros() }
    }

    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        self.before = self.state;
        let advanced = self.motion.advance(self.state, start, dt);
        (self.state, self.impulse) = advanced.map_err(|error| *error.failure)?;
        Ok(())
    }

    fn place(&mut self, state: &State<D>) {
        self.state = *state;
    }

    fn impulse(&self) -> (Vector<D>, Spin) {
        (self.impulse, Spin::zeros())
    }

    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<D>>) {
        for (plane, impulse) in self.motion.impulses() {
            let normal = plane.normal.dot(impulse);
            if normal <= 0.0 {
                continue;
            }
            let along = (impulse - plane.normal * normal).norm();
            let slip = self.state.velocity - plane.velocity;
            let friction = plane.surface.friction;
            // Where friction in motion is less than at rest, its size does not tell.
            let slides = along >= (1.0 - ON_THE_CONE) * friction.static_coefficient() * normal
                && (along > 0.0 || slip.norm() > 0.0)
                || friction.depends_on_slip() && (slip - plane.normal * plane.normal.dot(&slip)).norm() > 0.0;
            contacts.push(Contact {
                first: index,
                second: plane.partner,
                point: self.before.position,
                normal: plane.normal,
                gap: plane.normal.dot(&self.before.position) - plane.offset,
                gap_end: None,
                force: impulse / dt,
                mode: if slides { ContactMode::Slip } else { ContactMode::Stick },
            });
        }
    }

    fn top_speed(&self, start: f64, dt: f64) -> f64 {
        // Friction takes no more than the slip, and an impact no more than it has.
        self.state.velocity.norm() + self.belts + self.motion.largest_pull(start, dt) * dt
    }

    fn events(&self) -> &[Event<D>] {
        self.motion.events()
    }

    fn copy(&self) -> Box<dyn BodyMotion<D>> {
        Box::new(self.clone())
    }
}

/// How deep in m a point starts in which wall, if it does.
pub(super) fn buried<const D: usize>(state: &State<D>, walls: &[ContactPlane<D>]) -> Option<(Partner, f64)> {
    /// Part of the lengths that make up a gap, up to which that is rounding.
    const ROUNDING: f64 = 1e-9;
    walls.iter().find_map(|wall| {
        let gap = wall.normal.dot(&state.position) - wall.offset;
        let scale = state.position.norm() + wall.offset.abs();
        (gap < -ROUNDING * scale).then_some((wall.partner, -gap))
    })
}
