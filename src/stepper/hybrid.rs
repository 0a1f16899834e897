use std::borrow::Cow;

use super::{
    Capabilities, FlightVelocity, Honours, PointInput, PointStepper, Refusal, Roster, SolveReport, Step,
    StepError, StepperDescriptor, StepperName,
    admission::single_point,
    derivative::{
        LocalDual, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, explicit_derivative,
    },
    descriptor::{Build, PointForm, PointForms},
    ignored::IMPACT_AT_ITS_INSTANT,
    point_friction::{Left, PointFriction},
};
use crate::{
    contact::Friction,
    model::{Number, PointMass, State, Vector},
    scenario::Scenario,
    world::Partner,
};

/// `hybrid`.
pub(super) const ROWS: &[StepperDescriptor] = &[StepperDescriptor {
    name: "hybrid",
    aliases: &[],
    summary: Cow::Borrowed(
        "Flight, slip and stick with guards and resets, as simulators of hybrid systems have it.",
    ),
    capabilities: Capabilities::PLAIN,
    rosters: &[
        Roster::ComparisonOfPoint,
        Roster::FamiliesInPlane,
        Roster::FamiliesOverPlane,
        Roster::GradientsOfPoint,
        Roster::Scorecard,
    ],
    build: Build::OfPoint(PointForms {
        plane: PointForm::By(|scenario| Ok(Box::new(Hybrid::new(scenario)?))),
        space: PointForm::By(|scenario| Ok(Box::new(Hybrid::new(scenario)?))),
    }),
}];

/// Guards and resets, after the simulator in the blog post's repository: explicit Euler steps, and
/// where one ends at or below the ground on its way down (the guard), the point is put on the ground
/// and its velocity reset.
///
/// With `v* = v + dt (U/m + g)` the velocity without contact, the reset is
///
/// ```text
///     vz+ = 0  or  vz+ = -e vz,   p_z = m (vz+ - v*z),   vx+ = sgn(v*x) max(0, |v*x| - mu p_z/m)
/// ```
///
/// so that friction opposes sliding in either direction, never reverses it, and holds against any
/// push inside the friction cone. Friction that depends on the slip takes the number that the passes
/// of the other steppers end with, in closed form. Rebounds below `2 |a_z| dt`, with `a_z` the acceleration towards
/// the ground, are inelastic: a resting point does not buzz. A point whose `v*z` is upward leaves
/// the ground.
///
/// The reset takes place at the part `theta` of the step at which `z + theta dt vz = 0`, and the
/// point moves with the old velocity before it and with the new one after it: the error does not
/// depend on where between two samples the impact falls. A push that turns the point around within the
/// step makes it dip: the crossing is then the first root of the parabola that explicit Euler samples.
/// First order in `dt`. Explicit Euler gains
/// `m |a|^2 dt^2/2` of energy in every step of free flight.
#[derive(Debug, Clone)]
pub struct Hybrid<const D: usize, N = f64> {
    body: PointMass<D, N>,
    friction: Friction<N>,
}

impl<const D: usize> Hybrid<D> {
    /// A hybrid stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if there is anything but one point over the ground.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let body = single_point(scenario, StepperName::HYBRID)?;
        Ok(Self::of(body).with_friction(scenario.surface(0, Partner::Ground).friction))
    }

    /// The same where everything that a step depends on is a variable.
    fn local(&self, local: &LocalInput<D>) -> Hybrid<D, LocalDual> {
        Hybrid::of(local.body).with_friction(local.law(&self.friction))
    }
}

impl<const D: usize, N: Number> Hybrid<D, N> {
    /// The law of motion of `body`, whose friction has one coefficient.
    pub fn of(body: PointMass<D, N>) -> Self {
        Self { body, friction: Friction::coulomb(body.friction) }
    }

    /// The same on a ground with this law of friction.
    #[must_use]
    pub fn with_friction(self, friction: Friction<N>) -> Self {
        Self { friction, ..self }
    }

    /// The state `dt` s after `state` under a `push` that is held.
    pub fn advance(&self, state: &State<D, N>, push: &Vector<D, N>, dt: N) -> State<D, N> {
        let n = D - 1;
        let free = self.body.free_velocity(state, push, dt);
        let position = state.position + state.velocity * dt;
        // The second case is a push that turns the point around within the step, too late.
        let guard = (position[n].re() <= 0.0 && free[n].re() < 0.0) || position[n].re() < 0.0;
        if guard { self.after_reset(state, &free, dt) } else { State { position, velocity: free } }
    }

    /// The state after a step in which the guard fires.
    fn after_reset(&self, state: &State<D, N>, free: &Vector<D, N>, dt: N) -> State<D, N> {
        let n = D - 1;
        let a = (free[n] - state.velocity[n]) / dt;
        let theta = self.crossing(state, free[n], dt);
        let left = (-theta + 1.0) * dt;
        let normal = self.rebound(a, state.velocity[n], theta, dt);
        let mut velocity = self.rubbed(state, free, normal.velocity, dt).slip;
        let mut position = state.position + state.velocity * (theta * dt) + velocity * left;
        velocity[n] = normal.velocity;
        position[n] = normal.height;
        State { position, velocity }
    }

    /// What friction leaves of the slip where the contact makes the normal velocity this.
    fn rubbed(&self, state: &State<D, N>, free: &Vector<D, N>, normal: N, dt: N) -> Left<D, N> {
        PointFriction::new(self.friction, &self.body, state, free, dt).left(free, normal - free[D - 1])
    }

    /// The part `theta` of the step after which the point reaches the ground.
    fn crossing(&self, state: &State<D, N>, free: N, dt: N) -> N {
        let (height, vz) = (state.height(), state.velocity[D - 1]);
        if free.re() >= 0.0 {
            let a = (free - vz) / dt;
            dip(height, vz - a * dt * 0.5, a) / dt
        } else if height.re() > 0.0 {
            height / -(dt * vz)
        } else {
            N::one()
        }
    }

    /// Newton's law at the crossing.
    ///
    /// Explicit Euler under the acceleration `a` samples a true parabola, whose velocity at the
    /// samples is `vz - a dt/2`. Restitution applies to that one; taken of `vz` itself, every bounce
    /// would gain `|a| dt/2` and the last ones never end.
    fn rebound(&self, a: N, vz: N, theta: N, dt: N) -> Rebound<N> {
        let lag = a * dt * 0.5;
        let after = self.rebound_speed(a, vz, theta, dt);
        if after.re() <= -2.0 * (a * dt).re() {
            return Rebound { velocity: N::zero(), height: N::zero() };
        }
        let left = (-theta + 1.0) * dt;
        Rebound { velocity: after + a * left + lag, height: left * (after + a * left * 0.5) }
    }
}

/// When `z + v s + a s^2/2`, pulled up by `a` and under the ground later, reaches it: the first root.
fn dip<N: Number>(z: N, v: N, a: N) -> N {
    z * 2.0 / ((v * v - a * z * 2.0).positive_part().sqrt() - v)
}

impl<const D: usize, N: Number> Hybrid<D, N> {
    /// The speed with which Newton's law sends the point up again.
    fn rebound_speed(&self, a: N, vz: N, theta: N, dt: N) -> N {
        -self.body.restitution * (vz - a * dt * 0.5 + theta * dt * a)
    }
}

/// Where a rebound has led by the end of the step.
struct Rebound<N> {
    velocity: N,
    height: N,
}

impl<const D: usize> PointStepper<D> for Hybrid<D> {
    fn name(&self) -> StepperName {
        StepperName::HYBRID
    }

    fn honours(&self) -> Honours {
        Honours {
            impacts_within_steps: true,
            flight: FlightVelocity::AtStart,
            ignores: &[IMPACT_AT_ITS_INSTANT],
            ..Honours::default()
        }
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let state = self.advance(&input.state, &input.push, input.dt);
        Ok(Step::from_free(&free, state, self.body.mass, SolveReport::CLOSED_FORM))
    }

    fn step_derivative(
        &self,
        input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let local = LocalInput::new(&self.body, input);
        let after = self.local(&local).advance(&local.state, &local.push, local.dt);
        Ok(StepDerivative::Explicit(explicit_derivative(&after)))
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        let local = LocalInput::new(&self.body, input);
        let law = self.local(&local);
        let LocalInput { body, state, push, dt } = local;
        let n = D - 1;
        let free = body.free_velocity(&state, &push, dt);
        let reached = state.height() + state.velocity[n] * dt;
        let mut margins = Margins::default();
        margins.push(MarginKind::Contact, reached);
        if reached.re > 0.0 || (reached.re >= 0.0 && free[n].re >= 0.0) {
            return margins;
        }
        margins.push(MarginKind::Contact, free[n]);
        let theta = law.crossing(&state, free[n], dt);
        let a = (free[n] - state.velocity[n]) / dt;
        let normal = law.rebound(a, state.velocity[n], theta, dt);
        if body.restitution.re > 0.0 {
            margins
                .push(MarginKind::Rebound, law.rebound_speed(a, state.velocity[n], theta, dt) + a * dt * 2.0);
        }
        margins.push(MarginKind::Slip, law.rubbed(&state, &free, normal.velocity, dt).excess);
        margins
    }
}
