use super::{State, Vector};

/// What a stepper has to know of the point and the ground it may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMass<const D: usize> {
    /// Mass `m` in kg.
    pub mass: f64,
    /// Friction coefficient `mu`, static and kinetic alike.
    pub friction: f64,
    /// Coefficient of restitution `e`, 0 to 1.
    pub restitution: f64,
    /// Gravitational acceleration in ground coordinates, m/s^2; `(0, -g)` over flat ground.
    pub gravity: Vector<D>,
}

impl<const D: usize> PointMass<D> {
    /// Velocity at the end of a step without contact,
    /// `v_free = v + dt U/m + dt g`: the velocity half of semi-implicit Euler.
    ///
    /// `push` is the external force `U` in N, held over the step of `dt` seconds.
    pub fn free_velocity(&self, state: &State<D>, push: &Vector<D>, dt: f64) -> Vector<D> {
        state.velocity + (push / self.mass + self.gravity) * dt
    }

    /// Mechanical energy `m v^2/2 - m g.r` in J; `m v^2/2 + m g z` over flat ground.
    pub fn energy(&self, state: &State<D>) -> f64 {
        self.mass * (0.5 * state.velocity.norm_squared() - self.gravity.dot(&state.position))
    }

    /// Magnitude of the gravitational acceleration in m/s^2.
    pub fn gravity_norm(&self) -> f64 {
        self.gravity.norm()
    }
}
