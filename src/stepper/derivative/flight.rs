use super::StepRates;
use crate::{
    model::{PointMass, State, Vector},
    stepper::PointInput,
};

/// A step of semi-implicit Euler that no contact takes part in: `v+ = v + dt (U/m + g)`, `x+ = x + dt v+`.
///
/// Its derivative without the products by ones and zeros: most steps of a thrown point are flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Flight<const D: usize> {
    dt: f64,
    per_mass: f64,
    /// Acceleration by the push, and with that of gravity.
    pull: Vector<D>,
    acceleration: Vector<D>,
}

impl<const D: usize> Flight<D> {
    #[inline]
    pub fn over(body: &PointMass<D>, input: &PointInput<D>) -> Self {
        let per_mass = 1.0 / body.mass;
        let pull = input.push * per_mass;
        Self { dt: input.dt, per_mass, pull, acceleration: pull + body.gravity }
    }

    /// See [`StepDerivative::tangents`](super::StepDerivative::tangents).
    #[inline]
    pub fn tangent(&self, change: &mut State<D>, rates: &StepRates<D>) {
        let acceleration = (rates.push - self.pull * rates.mass) * self.per_mass + rates.gravity;
        change.velocity += acceleration * self.dt + self.acceleration * rates.dt;
        change.position += change.velocity * self.dt;
    }

    /// See [`StepDerivative::adjoint`](super::StepDerivative::adjoint).
    pub fn adjoint(&self, weight: &mut State<D>, rates: &mut StepRates<D>) {
        weight.velocity += weight.position * self.dt;
        let after = weight.velocity;
        rates.push += after * (self.dt * self.per_mass);
        rates.gravity += after * self.dt;
        rates.mass -= after.dot(&self.pull) * (self.dt * self.per_mass);
        rates.dt += after.dot(&self.acceleration);
    }
}
