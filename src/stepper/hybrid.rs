use super::{Refusal, SolveReport, Step, StepError, StepInput, Stepper, StepperName};
use crate::{
    model::{Body, State, Vector, tangential},
    scenario::Scenario,
};

/// Guards and resets, after the simulator in the blog post's repository: explicit Euler steps, and
/// where one ends at or below the ground on its way down (the guard), the point is put back on the
/// ground and its velocity reset.
///
/// With `v* = v + dt (U/m + g)` the velocity without contact and `x+ = x + dt v`, the reset is
///
/// ```text
///     vz+ = -e v*z,   p_z = m (vz+ - v*z),   vx+ = sgn(v*x) max(0, |v*x| - mu p_z/m)
/// ```
///
/// so that friction opposes sliding in either direction, never reverses it, and holds against any
/// push inside the friction cone. Rebounds below `2 |a_z| dt`, with `a_z` the acceleration towards
/// the ground, are inelastic: a resting point does not buzz. A point whose `v*z` is upward leaves
/// the ground.
///
/// First order in `dt`. The position lags the velocity, so that the mechanical energy grows by
/// `m |a|^2 dt^2/2` per step of free flight, and the reset lifts the point by what it sank.
#[derive(Debug, Clone)]
pub struct Hybrid<const D: usize> {
    body: Body<D>,
}

impl<const D: usize> Hybrid<D> {
    /// A hybrid stepper for `scenario`.
    ///
    /// # Errors
    /// None: it admits every scenario.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        Ok(Self { body: scenario.body() })
    }

    /// The velocity after the reset.
    fn reset_velocity(&self, state: &State<D>, free: &Vector<D>) -> Vector<D> {
        let n = D - 1;
        let rebound = -self.body.restitution * free[n];
        let fall = state.velocity[n] - free[n];
        let rebounds = -self.body.restitution * state.velocity[n] > 2.0 * fall.max(0.0);
        let new_normal = if rebounds { rebound } else { 0.0 };
        let slip = tangential(free);
        let speed = slip.norm();
        let kept = speed - self.body.friction * (new_normal - free[n]);
        let mut velocity = if kept > 0.0 { slip * (kept / speed) } else { Vector::zeros() };
        velocity[n] = new_normal;
        velocity
    }
}

impl<const D: usize> Stepper<D> for Hybrid<D> {
    fn name(&self) -> StepperName {
        StepperName::Hybrid
    }

    fn step(&mut self, input: &StepInput<D>) -> Result<Step<D>, StepError<D>> {
        let n = D - 1;
        let StepInput { state, dt, .. } = input;
        let free = self.body.free_velocity(state, &input.push, *dt);
        let mut position = state.position + state.velocity * *dt;
        let mut velocity = free;
        if position[n] <= 0.0 && free[n] < 0.0 {
            velocity = self.reset_velocity(state, &free);
            position[n] = 0.0;
        }
        Ok(Step {
            state: State { position, velocity },
            contact_impulse: (velocity - free) * self.body.mass,
            report: SolveReport::CLOSED_FORM,
        })
    }
}
