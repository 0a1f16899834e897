use super::{Number, State, Vector, magnitude};

/// What a stepper has to know of the point and the ground it may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMass<const D: usize, N = f64> {
    /// Mass `m` in kg.
    pub mass: N,
    /// Friction coefficient `mu`, static and kinetic alike.
    pub friction: N,
    /// Coefficient of restitution `e`, 0 to 1.
    pub restitution: N,
    /// Gravitational acceleration in ground coordinates, m/s^2; `(0, -g)` over flat ground.
    pub gravity: Vector<D, N>,
}

impl<const D: usize, N: Number> PointMass<D, N> {
    /// Velocity at the end of a step without contact,
    /// `v_free = v + dt U/m + dt g`: the velocity half of semi-implicit Euler.
    ///
    /// `push` is the external force `U` in N, held over the step of `dt` seconds.
    pub fn free_velocity(&self, state: &State<D, N>, push: &Vector<D, N>, dt: N) -> Vector<D, N> {
        state.velocity + (push / self.mass + self.gravity) * dt
    }

    /// Mechanical energy `m v^2/2 - m g.r` in J; `m v^2/2 + m g z` over flat ground.
    pub fn energy(&self, state: &State<D, N>) -> N {
        self.mass * (state.velocity.dot(&state.velocity) * 0.5 - self.gravity.dot(&state.position))
    }

    /// Speed in m/s at which gravity alone takes the point from `start` to the ground; 0 where it does not.
    pub fn impact_speed(&self, start: &State<D, N>) -> N {
        let (vz, pull) = (start.velocity[D - 1], -self.gravity[D - 1]);
        let square = vz * vz + pull * start.height() * 2.0;
        if square.re() > 0.0 { square.sqrt() } else { N::zero() }
    }

    /// Magnitude of the gravitational acceleration in m/s^2.
    pub fn gravity_norm(&self) -> N {
        magnitude(&self.gravity)
    }
}
