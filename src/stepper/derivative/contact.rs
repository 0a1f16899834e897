use nalgebra::SMatrix;

use super::StepRates;
use crate::{
    model::{PointMass, State, Vector},
    stepper::PointInput,
};

/// Where the gap of a contact law comes from, in m/s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapSource {
    /// The height over the ground, `z/dt`.
    Height,
    /// Newton's rebound, `e vz`.
    Rebound,
    /// None: the law does not look at it.
    None,
}

/// The derivative of a contact law `v+ = Phi(v_free, gap, mu, m, s)`.
///
/// `v_free = v + dt (U/m + g)`; what the law itself does with the mass (a compliance that depends on
/// it) is in `mass`, and what a compliance `s` that was chosen for the start does in `softness`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactDerivative<const D: usize> {
    /// With respect to the free velocity.
    pub free: SMatrix<f64, D, D>,
    /// With respect to the gap in m/s.
    pub gap: Vector<D>,
    /// With respect to the friction coefficient, in m/s.
    pub friction: Vector<D>,
    /// With respect to the mass at a fixed free velocity, in m/s/kg.
    pub mass: Vector<D>,
    /// With respect to the softness of the ground that was chosen for the start of the run, in m kg/s.
    pub softness: Vector<D>,
    /// What the gap is.
    pub source: GapSource,
}

impl<const D: usize> ContactDerivative<D> {
    /// A step without contact.
    pub fn flight() -> Self {
        Self {
            free: SMatrix::identity(),
            gap: Vector::zeros(),
            friction: Vector::zeros(),
            mass: Vector::zeros(),
            softness: Vector::zeros(),
            source: GapSource::None,
        }
    }

    /// Of a rigid contact in the plane with the normal impulse `p` per mass. With `s` the sign of the
    /// free slip: `vx+ = v_x - s mu p` where it slips, `p = -(v_z + gap)`.
    pub fn rigid_in_plane(slips: Option<f64>, friction: f64, p: f64, source: GapSource) -> Self
    where
        Vector<D>: Sized,
    {
        let mut derivative = Self { free: SMatrix::zeros(), source, ..Self::flight() };
        let n = D - 1;
        derivative.gap[n] = -1.0;
        if let Some(s) = slips {
            derivative.free[(0, 0)] = 1.0;
            derivative.free[(0, n)] = s * friction;
            derivative.gap[0] = s * friction;
            derivative.friction[0] = -s * p;
        }
        derivative
    }

    /// The chain rule of one step, with all that its directions share.
    #[inline]
    pub(super) fn chain(&self, body: &PointMass<D>, input: &PointInput<D>) -> ContactChain<D> {
        let (per_mass, per_second) = (1.0 / body.mass, 1.0 / input.dt);
        let pull = input.push * per_mass;
        let (height, restitution) = match self.source {
            GapSource::Height => (per_second, 0.0),
            GapSource::Rebound => (0.0, body.restitution),
            GapSource::None => (0.0, 0.0),
        };
        ContactChain {
            contact: *self,
            dt: input.dt,
            per_mass,
            pull,
            acceleration: pull + body.gravity,
            gap_height: height,
            gap_velocity: restitution,
            gap_dt: -input.state.height() * per_second * height,
            gap_restitution: match self.source {
                GapSource::Rebound => input.state.velocity[D - 1],
                GapSource::Height | GapSource::None => 0.0,
            },
        }
    }

    /// See [`StepDerivative::adjoint`](super::StepDerivative::adjoint).
    pub fn adjoint(
        &self,
        body: &PointMass<D>,
        input: &PointInput<D>,
        weight: &mut State<D>,
        rates: &mut StepRates<D>,
    ) {
        let dt = input.dt;
        let pull = input.push / body.mass;
        let after = weight.velocity + weight.position * dt;
        let free = self.free.tr_mul(&after);
        let gap = self.gap.dot(&after);
        weight.velocity = free;
        rates.push += free * (dt / body.mass);
        rates.gravity += free * dt;
        rates.mass += self.mass.dot(&after) - free.dot(&pull) * (dt / body.mass);
        rates.friction += self.friction.dot(&after);
        rates.softness += self.softness.dot(&after);
        rates.dt += free.dot(&(pull + body.gravity));
        match self.source {
            GapSource::Height => {
                weight.position[D - 1] += gap / dt;
                rates.dt -= gap * input.state.height() / (dt * dt);
            }
            GapSource::Rebound => {
                weight.velocity[D - 1] += gap * body.restitution;
                rates.restitution += gap * input.state.velocity[D - 1];
            }
            GapSource::None => {}
        }
    }
}

/// What one step does to any direction: its divisions are done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ContactChain<const D: usize> {
    contact: ContactDerivative<D>,
    dt: f64,
    per_mass: f64,
    /// Acceleration by the push, and with that of gravity.
    pull: Vector<D>,
    acceleration: Vector<D>,
    /// The derivatives of the gap with respect to height, normal velocity, length of the step and restitution.
    gap_height: f64,
    gap_velocity: f64,
    gap_dt: f64,
    gap_restitution: f64,
}

impl<const D: usize> ContactChain<D> {
    /// Takes a direction through the step.
    #[inline]
    pub fn tangent(&self, change: &mut State<D>, rates: &StepRates<D>) {
        let contact = &self.contact;
        let acceleration = (rates.push - self.pull * rates.mass) * self.per_mass + rates.gravity;
        let free = change.velocity + acceleration * self.dt + self.acceleration * rates.dt;
        let gap = self.gap_height * change.height()
            + self.gap_velocity * change.velocity[D - 1]
            + self.gap_dt * rates.dt
            + self.gap_restitution * rates.restitution;
        change.velocity = contact.free * free
            + contact.gap * gap
            + contact.friction * rates.friction
            + contact.mass * rates.mass
            + contact.softness * rates.softness;
        change.position += change.velocity * self.dt;
    }
}
