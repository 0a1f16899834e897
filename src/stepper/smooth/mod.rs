//! The penalty stepper: the ground is a stiff, damped spring.

mod bodies;
mod law;
mod points;
mod rows;
mod stability;
mod tresca;

pub use bodies::{PenaltyBodies, PenaltyLaw};
pub use law::NormalForce;
pub(crate) use law::default_spring;
pub(in crate::stepper) use points::PointForces;
pub(super) use rows::ROWS;

use self::stability::NormalMotion;
use super::{
    FlightVelocity, Honours, PointInput, PointStepper, Refusal, SolveReport, Step, StepError, StepFailure,
    StepperName, UsedSettings,
    admission::single_point,
    derivative::{
        LocalDual, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, explicit_derivative,
    },
    ignored::IMPACT_WITHOUT_CONDITION,
};
use crate::{
    contact::FailureKind,
    model::{Number, PointMass, State, Vector, magnitude, soft_threshold, tangential},
    scenario::{Scenario, SmoothLaw},
};

const RESTITUTION: (&str, &str) = (
    "ground.restitution",
    "what an impact gives back follows from stiffness and damping, which are chosen for it where \
     stepper.smooth is left out, and by `stickslip compare --match`",
);

/// What the stepper honours where stiffness and damping are chosen for the restitution.
const CHOSEN: Honours = Honours { ignores: &[IMPACT_WITHOUT_CONDITION], ..AS_SET };

/// What the stepper honours where stiffness and damping are not chosen for a restitution.
pub(super) const AS_SET: Honours = Honours {
    push_within_steps: false,
    impacts_within_steps: false,
    flight: FlightVelocity::AtEnd,
    ignores: &[RESTITUTION, IMPACT_WITHOUT_CONDITION],
    fixed_directions: None,
};

/// Part of the weight below which the normal force is none: there the branches of friction do not count.
const NEGLIGIBLE_LOAD: f64 = 1e-6;

/// Penalty forces, after the simulator in the blog post's repository.
///
/// The normal force `fz = s(z) - d(z) vz`, at least 0, is taken at the start of the step (see
/// [`NormalForce`]; by default a linear spring and damper as stiff as the step resolves and as damped as
/// the restitution asks for); friction opposes sliding with at most `mu fz` and never reverses it:
///
/// ```text
///     vz+ = v*z + dt fz/m,   vx+ = sgn(v*x) max(0, |v*x| - mu dt fz/m),   x+ = x + dt v+
/// ```
///
/// with `v* = v + dt (U/m + g)`. The point rests where `s(z)` carries its weight, above the ground
/// with the `tanh` law, below it with the others. The force is explicit, so that steps
/// beyond a bound are unstable: [`Smooth::new`] refuses them.
#[derive(Debug, Clone)]
pub struct Smooth<const D: usize, N = f64> {
    body: PointMass<D, N>,
    law: SmoothLaw,
    /// The step in s and the speed of impacts in m/s that the defaults of the law were chosen for.
    dt: f64,
    speed: N,
    force: NormalForce<N>,
    /// Whether the damping is the one of the ground's restitution.
    chosen_for_restitution: bool,
}

impl<const D: usize, N: Number> Smooth<D, N> {
    /// The law of motion of `body` under a `law` of the normal force, in steps of `dt` s, with defaults for
    /// impacts at `speed` m/s.
    pub fn of(body: PointMass<D, N>, law: &SmoothLaw, dt: N, speed: N) -> Self {
        let chosen_for_restitution = matches!(law, SmoothLaw::KelvinVoigt { damping: None, .. });
        Self {
            body,
            law: *law,
            dt: dt.re(),
            speed,
            force: NormalForce::new(law, &body, dt, speed),
            chosen_for_restitution,
        }
    }

    /// The state `dt` s after `state` under a `push` that is held.
    pub fn advance(&self, state: &State<D, N>, push: &Vector<D, N>, dt: N) -> State<D, N> {
        let n = D - 1;
        let free = self.body.free_velocity(state, push, dt);
        let normal = self.force.at(state.height(), state.velocity[n]) * (dt / self.body.mass);
        let mut velocity = soft_threshold(&free, self.body.friction * normal);
        velocity[n] = free[n] + normal;
        state.advance(velocity, dt)
    }
}

impl<const D: usize> Smooth<D> {
    /// A penalty stepper for `scenario`, with its `[stepper.smooth]` settings.
    ///
    /// # Errors
    /// [`Refusal`] if the step is longer than [`NormalForce::stable_step`] allows at the speed with
    /// which gravity lets the point hit the ground, or if the force cannot carry the weight.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let body = single_point(scenario, StepperName::SMOOTH)?;
        let force = NormalForce::of(scenario);
        let speed = body.impact_speed(&scenario.initial_state(0));
        force.admit(&body, scenario.step, speed)?;
        Ok(Self::of(body, &scenario.steppers.smooth.law, scenario.step, speed))
    }

    /// An error if the vertical motion gained more energy in a step than a stable one can.
    fn refuse_growth(&self, input: &PointInput<D>, after: &State<D>) -> Result<(), StepError<D>> {
        let n = D - 1;
        let (mass, weight) = (self.body.mass, -self.body.mass * self.body.gravity[n].min(0.0));
        let motions =
            [&input.state, after].map(|at| NormalMotion { gap: at.height(), velocity: at.velocity[n] });
        let external = self.body.gravity[n] * mass + input.push[n];
        let work = external * (after.height() - input.state.height());
        let growth = self.force.growth((mass, weight), motions, work);
        growth.map_or(Ok(()), |reason| Err(StepFailure::new(FailureKind::Unstable, reason).into()))
    }
}

impl<const D: usize> PointStepper<D> for Smooth<D> {
    fn name(&self) -> StepperName {
        StepperName::SMOOTH
    }

    fn honours(&self) -> Honours {
        if self.chosen_for_restitution { CHOSEN } else { AS_SET }
    }

    fn settings(&self) -> UsedSettings {
        self.force.settings()
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let n = D - 1;
        let PointInput { state, dt, .. } = input;
        let free = self.body.free_velocity(state, &input.push, *dt);
        let next = self.advance(state, &input.push, *dt);
        let velocity = next.velocity;
        // Only a step that sped up can have gained.
        let fastest = state.velocity[n].abs().max(free[n].abs());
        let is_slower = velocity[n].abs() <= fastest;
        if !is_slower {
            self.refuse_growth(input, &next)?;
        }
        Ok(Step::from_free(&free, next, self.body.mass, SolveReport::CLOSED_FORM))
    }

    fn step_derivative(
        &self,
        input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let speed = LocalInput::<D>::impact_speed(self.speed);
        let law = Smooth::of(body, &self.law, LocalDual::from_re(self.dt), speed);
        let after = law.advance(&state, &push, dt);
        Ok(StepDerivative::Explicit(explicit_derivative(&after)))
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let n = D - 1;
        let speed = LocalInput::<D>::impact_speed(self.speed);
        let chosen_for = LocalDual::from_re(self.dt);
        let force = NormalForce::new(&self.law, &body, chosen_for, speed);
        let (height, vz) = (state.height(), state.velocity[n]);
        let negligible = NEGLIGIBLE_LOAD * body.mass.re * self.body.gravity_norm();
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
