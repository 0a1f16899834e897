use super::NormalForce;
use crate::{
    model::{magnitude, tangential},
    scenario::{Scenario, SmoothLaw},
    stepper::{
        PointLaw,
        derivative::{LocalDual, LocalInput, MarginKind, Margins},
    },
};

/// Part of the weight below which the normal force is none: there the branches of friction do not count.
const NEGLIGIBLE_LOAD: f64 = 1e-6;

/// What the spring and the damper of a point on the ground were chosen for.
pub(super) struct SpringOfPoint {
    law: SmoothLaw,
    /// The step in s.
    dt: f64,
    /// The speed of impacts in m/s.
    speed: f64,
}

impl SpringOfPoint {
    /// Those of the first body of `scenario`.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        let speed = scenario.point(0).impact_speed(&scenario.initial_state(0));
        Self { law: scenario.steppers.smooth.law, dt: scenario.step, speed }
    }

    /// What the step and the speed are as numbers that the force depends on.
    fn chosen_for<const D: usize>(&self) -> (LocalDual, LocalDual) {
        (LocalDual::from_re(self.dt), LocalInput::<D>::impact_speed(self.speed))
    }

    fn force<const D: usize>(&self, local: &LocalInput<D>) -> NormalForce<LocalDual> {
        let (dt, speed) = self.chosen_for::<D>();
        NormalForce::new(&self.law, &local.body, dt, speed)
    }
}

impl<const D: usize> PointLaw<D> for SpringOfPoint {
    fn chosen(&self, local: &LocalInput<D>) -> [LocalDual; 2] {
        let (stiffness, damping) = self.force(local).parameters();
        [stiffness.unwrap_or(LocalDual::from_re(0.0)), damping]
    }

    fn margins(&self, local: &LocalInput<D>) -> Margins<D> {
        let force = self.force(local);
        let LocalInput { body, state, push, dt } = *local;
        let gravity = body.gravity.map(|g| g.re).norm();
        let n = D - 1;
        let (chosen_for, speed) = self.chosen_for::<D>();
        let (height, vz) = (state.height(), state.velocity[n]);
        let negligible = NEGLIGIBLE_LOAD * body.mass.re * gravity;
        let mut margins = Margins::default();
        if force.ends_at_the_ground() {
            margins.push(MarginKind::Contact, height);
        }
        if force.static_force(height).re > negligible {
            margins.push(MarginKind::Pull, force.push_margin(height, vz));
        } else {
            margins.push_idle(MarginKind::Pull);
        }
        let normal = force.at(height, vz);
        if normal.re > negligible {
            let free = body.free_velocity(&state, &push, dt);
            let slip = magnitude(&tangential(&free));
            margins.push(MarginKind::Slip, slip - body.friction * normal * dt / body.mass);
        } else {
            margins.push_idle(MarginKind::Slip);
        }
        for choice in NormalForce::choices(&self.law, &body, chosen_for, speed).into_iter().flatten() {
            margins.push(MarginKind::Choice, choice);
        }
        margins
    }
}
