use num_dual::Dual64;

use super::{FrictionQuantity, GridStep, Input, Variation, window::MovedEdge};
use crate::{
    model::{Number, PointMass, State, Vector},
    scenario::Scenario,
    stepper::{Compliance, Forcing, derivative::StepRates},
};

/// The numbers of a scenario that enter the motion of its point, in a number type that may carry
/// derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Lifted<const D: usize, N> {
    /// The state at the start.
    pub state: State<D, N>,
    mass: N,
    friction: N,
    /// `mu_k`, `v_s` and `c` of friction in motion, where they are given.
    in_motion: [Option<N>; 3],
    restitution: N,
    gravity: N,
    slope: N,
    /// The pushes.
    pub pushes: Vec<Forcing<D, N>>,
    /// The length of a step.
    pub dt: N,
}

impl<const D: usize, N: Number> Lifted<D, N> {
    /// The numbers of `scenario`, with derivative zero.
    pub fn constant(scenario: &Scenario<D>) -> Self {
        let body = scenario.bodies.first().cloned().unwrap_or_default();
        let state = body.state();
        Self {
            state: State {
                position: state.position.map(N::constant),
                velocity: state.velocity.map(N::constant),
            },
            mass: N::constant(body.mass),
            friction: N::constant(scenario.ground.friction),
            in_motion: [
                scenario.ground.sliding.kinetic_friction,
                scenario.ground.sliding.stribeck_velocity,
                scenario.ground.sliding.viscous_friction,
            ]
            .map(|given| given.map(N::constant)),
            restitution: N::constant(scenario.ground.restitution),
            gravity: N::constant(scenario.gravity),
            slope: N::constant(scenario.ground.slope),
            pushes: scenario.pushes.iter().map(Forcing::constant).collect(),
            dt: N::constant(scenario.step),
        }
    }

    /// Adds `change` to one of the numbers, if it is there.
    pub fn vary(&mut self, input: Input, change: N) {
        let place = match input {
            Input::Position(axis) => self.state.position.get_mut(axis),
            Input::Velocity(axis) => self.state.velocity.get_mut(axis),
            Input::Mass => Some(&mut self.mass),
            Input::Friction => Some(&mut self.friction),
            Input::FrictionBeside(FrictionQuantity::Kinetic) => self.in_motion[0].as_mut(),
            Input::FrictionBeside(FrictionQuantity::StribeckVelocity) => self.in_motion[1].as_mut(),
            Input::FrictionBeside(FrictionQuantity::Viscous) => self.in_motion[2].as_mut(),
            Input::Restitution => Some(&mut self.restitution),
            Input::Slope => Some(&mut self.slope),
            Input::Gravity => Some(&mut self.gravity),
            Input::PushForce(push, axis) => {
                self.pushes.get_mut(push).and_then(|push| push.force.get_mut(axis))
            }
            Input::PushFrom(push) => self.pushes.get_mut(push).and_then(|push| push.from.as_mut()),
            Input::PushTo(push) => self.pushes.get_mut(push).and_then(|push| push.to.as_mut()),
            Input::PushFrequency(push) => self.pushes.get_mut(push).and_then(|push| push.frequency.as_mut()),
            Input::PushPhase(push) => self.pushes.get_mut(push).map(|push| &mut push.phase),
            Input::Step => Some(&mut self.dt),
            // Numbers of bodies, which a single point does not have.
            Input::PushTorqueInPlane(_)
            | Input::PushTorque(..)
            | Input::OfBody(..)
            // Of a point alone they make no difference.
            | Input::FrictionBeside(
                FrictionQuantity::Across | FrictionQuantity::Torsional | FrictionQuantity::Rolling,
            )
            | Input::PairFriction(_)
            | Input::PairFrictionBeside(..)
            | Input::PairRestitution(_)
            | Input::OfJoint(..) => None,
        };
        if let Some(place) = place {
            *place += change;
        }
    }

    /// Adds `change` to the number of a variation, and as often its change of the start.
    pub(super) fn vary_along(&mut self, variation: &Variation<D>, change: N) {
        if let Some(input) = variation.input {
            self.vary(input, change);
        }
        let State { position, velocity } = &variation.start;
        self.state.position += position.map(|x| change * x);
        self.state.velocity += velocity.map(|v| change * v);
    }

    /// The point and the ground.
    pub fn body(&self) -> PointMass<D, N> {
        let mut gravity = Vector::zeros();
        let (sin, cos) = (self.slope * 1.0_f64.to_radians()).sin_cos();
        gravity[0] = self.gravity * sin;
        gravity[D - 1] = -self.gravity * cos;
        PointMass { mass: self.mass, friction: self.friction, restitution: self.restitution, gravity }
    }

    /// The pushes in N, sampled at `t`, for the step of `h` s that starts there.
    pub fn push(&self, t: N, h: f64) -> Vector<D, N> {
        self.pushes.iter().fold(Vector::zeros(), |sum, push| {
            if push.acts_at(t.re(), h) { sum + push.force * push.factor(t) } else { sum }
        })
    }
}

/// A direction in the space of inputs: how everything changes with one of them.
#[derive(Debug, Clone)]
pub(super) struct Direction<const D: usize> {
    input: Option<Input>,
    lifted: Lifted<D, Dual64>,
    /// The derivative of the state at the start.
    pub start: State<D>,
    /// The rates of all parameters of a step but the push.
    rates: StepRates<D>,
    /// Whether the rates differ from step to step.
    pub varies: bool,
}

impl<const D: usize> Direction<D> {
    /// `moved` is the edge of a window that has moved along it already.
    pub fn new(scenario: &Scenario<D>, variation: &Variation<D>, moved: Option<MovedEdge>) -> Self {
        let input = variation.input;
        let mut lifted = Lifted::<D, Dual64>::constant(scenario);
        if let (Some(input), Some(moved)) = (input, moved.filter(|moved| Some(moved.input) == input)) {
            lifted.vary(input, Dual64::from(moved.change));
        }
        lifted.vary_along(variation, Dual64::new(0.0, 1.0));
        let body = lifted.body();
        let [kinetic, stribeck_velocity, viscous] = lifted.in_motion;
        let rates = StepRates {
            mass: body.mass.eps,
            friction: body.friction.eps,
            // Where it is not given, it is that at rest.
            kinetic_friction: kinetic.unwrap_or(body.friction).eps,
            stribeck_velocity: stribeck_velocity.map_or(0.0, |own| own.eps),
            viscous_friction: viscous.map_or(0.0, |own| own.eps),
            restitution: body.restitution.eps,
            gravity: body.gravity.map(|g| g.eps),
            push: Vector::zeros(),
            dt: 0.0,
            impact_speed: body.impact_speed(&lifted.state).eps,
            softness: Compliance::new(scenario.steppers.convex)
                .softness(&body, &lifted.state, scenario.step)
                .eps,
        };
        let start = State {
            position: lifted.state.position.map(|x| x.eps),
            velocity: lifted.state.velocity.map(|v| v.eps),
        };
        let varies = matches!(
            input,
            Some(
                Input::PushForce(..)
                    | Input::PushFrequency(_)
                    | Input::PushPhase(_)
                    | Input::PushFrom(_)
                    | Input::PushTo(_)
                    | Input::Step
            )
        );
        Self { input, lifted, start, rates, varies }
    }

    /// The rates over a step. An edge of a window within the step counts by the mean push if
    /// `mean_push` says so; the sampled push does not change with it.
    pub fn rates(&self, step: &GridStep, mean_push: bool) -> StepRates<D> {
        let GridStep { time, elapsed, share, h, .. } = *step;
        let mut rates = self.rates;
        rates.dt = share * self.lifted.dt.eps;
        match self.input {
            Some(Input::PushForce(..) | Input::PushFrequency(_) | Input::PushPhase(_) | Input::Step) => {
                let t = Dual64::new(time, elapsed * self.lifted.dt.eps);
                rates.push = self.lifted.push(t, h).map(|u| u.eps);
            }
            Some(Input::PushFrom(_) | Input::PushTo(_)) if mean_push => {
                for push in &self.lifted.pushes {
                    rates.push += push.edges(time, h).map(|u| u.eps) / h;
                }
            }
            _ => {}
        }
        rates
    }
}
