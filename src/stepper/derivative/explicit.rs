use num_dual::{Derivative, DualSVec64};

use super::StepRates;
use crate::{
    contact::Friction,
    model::{PointMass, State, Vector},
    stepper::PointInput,
};

/// Everything that a step over `D <= 3` dimensions depends on: `4 D + 9` numbers, at most 21.
const LOCAL: usize = 21;

/// A dual number with a derivative for everything that a step depends on.
pub type LocalDual = DualSVec64<LOCAL>;

/// A step's input in dual numbers: each of its numbers is a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalInput<const D: usize> {
    /// The point and the ground.
    pub body: PointMass<D, LocalDual>,
    /// The state before the step.
    pub state: State<D, LocalDual>,
    /// The push that is held over the step.
    pub push: Vector<D, LocalDual>,
    /// The length of the step.
    pub dt: LocalDual,
}

impl<const D: usize> LocalInput<D> {
    /// Every number of `input` as a variable of its own.
    pub fn new(body: &PointMass<D>, input: &PointInput<D>) -> Self {
        let vector =
            |values: &Vector<D>, first: usize| Vector::from_fn(|i, _| variable(values[i], first + i));
        Self {
            state: State {
                position: vector(&input.state.position, 0),
                velocity: vector(&input.state.velocity, D),
            },
            body: PointMass {
                gravity: vector(&body.gravity, 2 * D),
                mass: variable(body.mass, 4 * D),
                friction: variable(body.friction, 4 * D + 1),
                restitution: variable(body.restitution, 4 * D + 2),
            },
            push: vector(&input.push, 3 * D),
            dt: variable(input.dt, 4 * D + 3),
        }
    }

    /// The law of friction between the point and the ground, with every number of `friction` as a variable of its own.
    pub fn law(&self, friction: &Friction) -> Friction<LocalDual> {
        let kinetic = variable(friction.kinetic_coefficient(), 4 * D + 6);
        let stribeck_velocity = variable(friction.stribeck_velocity(), 4 * D + 7);
        let viscous = variable(friction.viscous_coefficient(), 4 * D + 8);
        Friction::static_and_kinetic(self.body.friction, kinetic)
            .with_speed(stribeck_velocity, viscous)
            .with_stribeck_exponent(friction.stribeck_exponent())
    }

    /// The impact speed of the run in m/s as a variable of its own.
    pub fn impact_speed(value: f64) -> LocalDual {
        variable(value, 4 * D + 4)
    }

    /// The softness of the ground in 1/kg that was chosen for the start of the run as a variable of its own.
    pub fn softness(value: f64) -> LocalDual {
        variable(value, 4 * D + 5)
    }
}

fn variable(value: f64, index: usize) -> LocalDual {
    LocalDual::new(value, Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, index))
}

/// The derivative of `value` with respect to position, velocity and parameters.
pub(super) fn row<const D: usize>(value: &LocalDual) -> (Vector<D>, Vector<D>, StepRates<D>) {
    let all = value.eps.unwrap_generic(nalgebra::Const::<LOCAL>, nalgebra::U1);
    let vector = |first: usize| Vector::from_fn(|i, _| all[first + i]);
    let rates = StepRates {
        gravity: vector(2 * D),
        push: vector(3 * D),
        mass: all[4 * D],
        friction: all[4 * D + 1],
        restitution: all[4 * D + 2],
        dt: all[4 * D + 3],
        impact_speed: all[4 * D + 4],
        softness: all[4 * D + 5],
        kinetic_friction: all[4 * D + 6],
        stribeck_velocity: all[4 * D + 7],
        viscous_friction: all[4 * D + 8],
    };
    (vector(0), vector(D), rates)
}

/// One component of the state after a step: its derivatives with respect to position, velocity and
/// parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row<const D: usize> {
    position: Vector<D>,
    velocity: Vector<D>,
    rates: StepRates<D>,
}

impl<const D: usize> Row<D> {
    fn of(value: &LocalDual) -> Self {
        let (position, velocity, rates) = row(value);
        Self { position, velocity, rates }
    }

    fn along(&self, change: &State<D>, rates: &StepRates<D>) -> f64 {
        self.position.dot(&change.position) + self.velocity.dot(&change.velocity) + self.rates.dot(rates)
    }
}

/// The whole derivative of a step, a row per component of the state after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplicitDerivative<const D: usize> {
    position: [Row<D>; D],
    velocity: [Row<D>; D],
}

/// The derivative of the step whose state at the end is `after`, in the variables of a
/// [`LocalInput`].
pub fn explicit_derivative<const D: usize>(after: &State<D, LocalDual>) -> ExplicitDerivative<D> {
    ExplicitDerivative {
        position: std::array::from_fn(|i| Row::of(&after.position[i])),
        velocity: std::array::from_fn(|i| Row::of(&after.velocity[i])),
    }
}

impl<const D: usize> ExplicitDerivative<D> {
    /// See [`StepDerivative::tangents`](super::StepDerivative::tangents).
    pub fn tangent(&self, change: &mut State<D>, rates: &StepRates<D>) {
        *change = State {
            position: Vector::from_fn(|i, _| self.position[i].along(change, rates)),
            velocity: Vector::from_fn(|i, _| self.velocity[i].along(change, rates)),
        };
    }

    /// See [`StepDerivative::adjoint`](super::StepDerivative::adjoint).
    pub fn adjoint(&self, weight: &mut State<D>, rates: &mut StepRates<D>) {
        let mut before = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let rows =
            self.position.iter().zip(&weight.position).chain(self.velocity.iter().zip(&weight.velocity));
        for (row, &weight) in rows {
            before.position += row.position * weight;
            before.velocity += row.velocity * weight;
            rates.mass += row.rates.mass * weight;
            rates.friction += row.rates.friction * weight;
            rates.restitution += row.rates.restitution * weight;
            rates.gravity += row.rates.gravity * weight;
            rates.push += row.rates.push * weight;
            rates.dt += row.rates.dt * weight;
            rates.impact_speed += row.rates.impact_speed * weight;
            rates.softness += row.rates.softness * weight;
            rates.kinetic_friction += row.rates.kinetic_friction * weight;
            rates.stribeck_velocity += row.rates.stribeck_velocity * weight;
            rates.viscous_friction += row.rates.viscous_friction * weight;
        }
        *weight = before;
    }
}
