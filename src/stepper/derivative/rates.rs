use crate::model::Vector;

/// How fast the parameters of a step change along one direction of the inputs of a run; in the
/// adjoint, the derivative of a result with respect to them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRates<const D: usize> {
    /// Of the mass `m`.
    pub mass: f64,
    /// Of the friction coefficient `mu`, at rest.
    pub friction: f64,
    /// Of that in motion, `mu_k`.
    pub kinetic_friction: f64,
    /// Of the slip `v_s` in m/s about which the one falls to the other.
    pub stribeck_velocity: f64,
    /// Of the growth `c` of friction with the slip.
    pub viscous_friction: f64,
    /// Of the restitution `e`.
    pub restitution: f64,
    /// Of the gravitational acceleration.
    pub gravity: Vector<D>,
    /// Of the push `U` that is held over the step.
    pub push: Vector<D>,
    /// Of the length of the step.
    pub dt: f64,
    /// Of the [impact speed](crate::model::PointMass::impact_speed) of the run, for which a compliant law is chosen.
    pub impact_speed: f64,
    /// Of the softness of the ground in 1/kg that `convex` chose for the start of the run.
    pub softness: f64,
}

impl<const D: usize> StepRates<D> {
    /// Nothing changes.
    pub fn zero() -> Self {
        Self {
            mass: 0.0,
            friction: 0.0,
            kinetic_friction: 0.0,
            stribeck_velocity: 0.0,
            viscous_friction: 0.0,
            restitution: 0.0,
            gravity: Vector::zeros(),
            push: Vector::zeros(),
            dt: 0.0,
            impact_speed: 0.0,
            softness: 0.0,
        }
    }

    /// The product of a direction and a derivative.
    pub fn dot(&self, other: &Self) -> f64 {
        self.mass * other.mass
            + self.friction * other.friction
            + self.restitution * other.restitution
            + self.gravity.dot(&other.gravity)
            + self.push.dot(&other.push)
            + self.dt * other.dt
            + self.impact_speed * other.impact_speed
            + self.softness * other.softness
            + self.kinetic_friction * other.kinetic_friction
            + self.stribeck_velocity * other.stribeck_velocity
            + self.viscous_friction * other.viscous_friction
    }
}
