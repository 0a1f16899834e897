use super::{SlidingFriction, TurningLengths};
use crate::{model::Vector, world::contact_frame};

/// A half-plane or half-space `n.x >= offset` that bodies stay in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall<const D: usize> {
    /// Unit normal `n`, into the room.
    pub normal: Vector<D>,
    /// Its distance from the origin along the normal in m.
    pub offset: f64,
    /// Friction coefficient; that of the ground if absent.
    pub friction: Option<f64>,
    /// What else there is to that friction.
    pub sliding: SlidingFriction,
    /// What of it resists turning.
    pub turning: TurningLengths,
    /// Coefficient of restitution; that of the ground if absent.
    pub restitution: Option<f64>,
    /// Velocity of its surface along itself in m/s: a conveyor. Along what the axes of the level ground become when the
    /// shortest turn tilts it into the wall: in the plane along `(n_z, -n_x)`, the second component being zero, in
    /// space along two directions, on level walls `x` and `y`.
    pub velocity: [f64; 2],
}

impl<const D: usize> Wall<D> {
    /// A wall at rest with the friction and restitution of the ground.
    pub fn new(normal: impl Into<Vector<D>>, offset: f64) -> Self {
        Self {
            normal: normal.into(),
            offset,
            friction: None,
            sliding: SlidingFriction::default(),
            turning: TurningLengths::NONE,
            restitution: None,
            velocity: [0.0; 2],
        }
    }

    /// The velocity of its surface in m/s, along the normal and the tangents of a contact with it.
    pub fn velocity_in_frame(&self) -> Vector<D> {
        let mut velocity = contact_frame(&self.normal) * self.surface_velocity();
        velocity[0] = 0.0;
        velocity
    }

    /// The velocity of its surface in m/s, in the axes of the world.
    pub fn surface_velocity(&self) -> Vector<D> {
        let axes = (0..D - 1).zip(self.velocity);
        axes.fold(Vector::zeros(), |sum, (axis, speed)| sum + self.tilted(axis) * speed)
    }

    /// What a horizontal axis becomes when level ground is tilted into the wall by the shortest turn; under a ceiling, for
    /// which there are many, by half a turn about `y`.
    fn tilted(&self, axis: usize) -> Vector<D> {
        let n = &self.normal;
        let mut tilted = Vector::zeros();
        tilted[axis] = 1.0;
        let up = 1.0 + n[D - 1];
        if up <= f64::EPSILON {
            return if axis == 0 { -tilted } else { tilted };
        }
        let mut between = *n;
        between[D - 1] = up;
        tilted - between * (n[axis] / up)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    fn belt<const D: usize>(normal: Vector<D>, velocity: [f64; 2]) -> Vector<D> {
        Wall { velocity, ..Wall::new(normal.normalize(), 0.0) }.surface_velocity()
    }

    #[test]
    fn a_belt_in_the_plane_runs_to_the_right_of_its_normal() {
        for normal in [[0.0, 1.0], [0.6, 0.8], [1.0, 0.0], [-0.8, -0.6], [0.0, -1.0]].map(Vector::<2>::from) {
            let along = Vector::<2>::new(normal[1], -normal[0]);
            assert!((belt(normal, [2.0, 0.0]) - along * 2.0).amax() < 1e-15, "{normal:?}");
        }
    }

    #[test]
    fn a_belt_in_space_that_is_tilted_a_little_runs_as_before_but_for_the_tilt() {
        let level: Vector3<f64> = Vector3::new(0.8, -0.3, 0.0);
        for tilt in [0.0, 1e-6, 0.02, 0.2] {
            for about in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.6, -0.8]] {
                let normal = Vector3::new(tilt * about[0], tilt * about[1], 1.0).normalize();
                let velocity: Vector3<f64> = belt(normal, [0.8, -0.3]);
                assert!(
                    (velocity.norm() - level.norm()).abs() < 1e-15 && velocity.dot(&normal).abs() < 1e-15
                );
                assert!((velocity - level).norm() <= 1.01 * tilt * level.norm() + 1e-15, "{velocity:?}");
            }
        }
        // Uphill, as in the plane.
        assert!(
            (belt(Vector3::new(-0.6, 0.0, 0.8), [1.0, 0.0]) - Vector3::new(0.8, 0.0, 0.6)).amax() < 1e-15
        );
    }

    #[test]
    fn the_velocity_in_the_frame_of_a_contact_is_the_same() {
        for normal in [[0.3, -0.5, 0.2], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]] {
            let wall = Wall { velocity: [0.4, 0.9], ..Wall::new(Vector3::from(normal).normalize(), 0.0) };
            let back = contact_frame(&wall.normal).tr_mul(&wall.velocity_in_frame());
            assert!((back - wall.surface_velocity()).amax() < 1e-15);
            assert!((back.norm() - 0.4_f64.hypot(0.9)).abs() < 1e-15);
        }
    }
}
