//! A polygon or a rod of the scenario.

use super::{BodyState, ExactBody, Inert, Unknown, top_speed};
use crate::{
    contact::FailureKind,
    model::{Attitude, Orientation, Spin, State, Vector},
    stepper::{Contact, StepFailure, exact::body_motion::BodyMotion},
    world::planar::Pose,
};

impl BodyMotion<2> for ExactBody {
    fn state(&self) -> State<2> {
        State { position: self.state.pose.position, velocity: self.state.twist.xy() }
    }

    fn attitude(&self) -> Attitude {
        let Pose { angle, .. } = self.state.pose;
        Attitude { orientation: Orientation::Angle(angle), spin: Spin::new(self.state.twist.z, 0.0, 0.0) }
    }

    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        // The first step has what the body meets with as it begins.
        if !self.is_new {
            self.before = self.state;
            self.forget_impulses();
        }
        self.is_new = false;
        self.driven.fill(0.0);
        self.follow(start + dt)
            .map_err(|unknown: Unknown| StepFailure::new(FailureKind::OutOfRange, unknown.to_string()))
    }

    fn impulse(&self) -> (Vector<2>, Spin) {
        let change = self.state.twist - self.before.twist;
        let linear = change.xy() * self.mass - self.driven.xy();
        (linear, Spin::new(change.z * self.inertia - self.driven.z, 0.0, 0.0))
    }

    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<2>>) {
        let own = self.contacts(&self.before, dt);
        contacts.extend(own.map(|contact| Contact { first: index, ..contact }));
    }

    fn top_speed(&self, _start: f64, dt: f64) -> f64 {
        let Self { mass, inertia, gravity, state: BodyState { twist, .. }, .. } = *self;
        let inert = Inert { mass, inertia, gravity, reach: self.shape.reach() };
        top_speed(&self.loads, &inert, [twist.xy().norm(), twist.z], dt)
    }

    fn copy(&self) -> Box<dyn BodyMotion<2>> {
        Box::new(self.clone())
    }
}
