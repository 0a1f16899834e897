//! The planes that a point may touch, each in axes in which it is level ground at rest.

use nalgebra::SMatrix;

use super::{forcing::Forcing, timeline::Timeline};
use crate::{
    contact::Friction,
    model::{Number, PointMass, State, Vector},
    world::{Partner, Surface, contact_frame},
};

/// A plane that a point may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPlane<const D: usize> {
    /// What it is.
    pub partner: Partner,
    /// Unit normal, into the room.
    pub normal: Vector<D>,
    /// Its distance from the origin along the normal in m.
    pub offset: f64,
    /// Velocity of its surface in m/s, in the axes of the world.
    pub velocity: Vector<D>,
    /// What holds between it and the point.
    pub surface: Surface,
}

/// The motion over one plane: in its own axes, the normal last, the plane is at height 0 and at rest.
#[derive(Debug, Clone)]
pub(super) struct PlaneFrame<const D: usize, N> {
    pub plane: ContactPlane<D>,
    /// The axes as rows; `None` where they are those of the world.
    axes: Option<SMatrix<f64, D, D>>,
    /// The point, with friction, restitution and gravity as they are here.
    pub body: PointMass<D, N>,
    /// The whole law of friction, of which the point has the coefficient at rest.
    pub friction: Friction<N>,
    pub timeline: Timeline<D, N>,
    /// All planes as they are seen from here, in their order.
    pub seen: Vec<SeenPlane<D>>,
}

/// A plane in the axes of another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeenPlane<const D: usize> {
    pub normal: Vector<D>,
    pub offset: f64,
    /// Velocity of its surface.
    pub velocity: Vector<D>,
}

impl<const D: usize, N: Number> PlaneFrame<D, N> {
    /// Level ground at height 0 under `body`.
    pub fn ground(body: PointMass<D, N>, pushes: &[Forcing<D, N>]) -> Self {
        let normal = Vector::from_fn(|row, _| f64::from(row == D - 1));
        let surface = Surface::new(body.friction.re(), body.restitution.re());
        let friction = Friction::coulomb(body.friction);
        let (offset, velocity) = (0.0, Vector::zeros());
        let plane = ContactPlane { partner: Partner::Ground, normal, offset, velocity, surface };
        let timeline = Timeline::new(&body, pushes);
        let seen = vec![SeenPlane { normal, offset, velocity }];
        Self { plane, axes: None, body, friction, timeline, seen }
    }

    /// This frame with another law of friction.
    pub fn set_friction(&mut self, friction: Friction<N>) {
        self.body.friction = friction.static_coefficient();
        self.plane.surface.friction = friction.map(|number| number.re());
        self.friction = friction;
    }

    /// `ground` and the `walls`.
    pub fn with_walls(ground: Self, walls: &[ContactPlane<D>]) -> Vec<Self> {
        let walls = walls.iter().map(|plane| ground.tilted(*plane));
        let mut frames: Vec<Self> = std::iter::once(ground.clone()).chain(walls).collect();
        for index in 0..frames.len() {
            frames[index].seen = frames.iter().map(|other| frames[index].sees(&other.plane)).collect();
        }
        frames
    }

    /// The motion over a wall.
    fn tilted(&self, plane: ContactPlane<D>) -> Self {
        let frame = contact_frame(&plane.normal);
        // The normal comes last here.
        let axes = SMatrix::from_fn(|row, column| frame[((row + 1) % D, column)]);
        let Surface { friction, restitution, .. } = plane.surface;
        let body = PointMass {
            friction: N::constant(friction.static_coefficient()),
            restitution: N::constant(restitution),
            gravity: turned(&axes, &self.body.gravity),
            ..self.body
        };
        let timeline = self.timeline.map(|vector| turned(&axes, vector));
        let friction = friction.map(N::constant);
        Self { plane, axes: Some(axes), body, friction, timeline, seen: Vec::new() }
    }

    fn sees(&self, other: &ContactPlane<D>) -> SeenPlane<D> {
        let own = &self.plane;
        SeenPlane {
            normal: self.inward(&other.normal),
            offset: other.offset - own.offset * own.normal.dot(&other.normal),
            velocity: self.inward(&(other.velocity - own.velocity)),
        }
    }

    /// A vector of the axes of the world in these.
    pub fn inward<M: Number>(&self, vector: &Vector<D, M>) -> Vector<D, M> {
        self.axes.as_ref().map_or(*vector, |axes| turned(axes, vector))
    }

    /// A vector of these axes in those of the world.
    pub fn outward<M: Number>(&self, vector: &Vector<D, M>) -> Vector<D, M> {
        self.axes.as_ref().map_or(*vector, |axes| turned(&axes.transpose(), vector))
    }

    /// A state in the axes of the world in these, which begin to move with the surface.
    pub fn enter(&self, state: &State<D, N>) -> State<D, N> {
        let Some(_) = self.axes else { return *state };
        let constant = |vector: Vector<D>| vector.map(N::constant);
        let mut position = self.inward(&state.position);
        position[D - 1] -= self.plane.offset;
        State { position, velocity: self.inward(&(state.velocity - constant(self.plane.velocity))) }
    }

    /// A state in these axes in those of the world, `elapsed` s after they began to move.
    pub fn leave(&self, state: &State<D, N>, elapsed: N) -> State<D, N> {
        let Some(_) = self.axes else { return *state };
        let velocity = self.plane.velocity.map(N::constant);
        let mut position = state.position;
        position[D - 1] += self.plane.offset;
        State {
            position: self.outward(&position) + velocity * elapsed,
            velocity: self.outward(&state.velocity) + velocity,
        }
    }
}

impl<const D: usize> SeenPlane<D> {
    /// Distance of a point of the axes that this plane is seen in, `elapsed` s after they began to move with their own
    /// surface.
    pub fn gap<N: Number>(&self, position: &Vector<D, N>, elapsed: N) -> N {
        let place = (0..D).fold(N::zero(), |sum, row| sum + position[row] * self.normal[row]);
        place - self.offset - elapsed * self.normal.dot(&self.velocity)
    }

    /// Velocity at which that distance grows.
    pub fn rate<N: Number>(&self, velocity: &Vector<D, N>) -> N {
        (0..D).fold(N::zero(), |sum, row| sum + (velocity[row] - self.velocity[row]) * self.normal[row])
    }
}

fn turned<const D: usize, N: Number>(axes: &SMatrix<f64, D, D>, vector: &Vector<D, N>) -> Vector<D, N> {
    Vector::from_fn(|row, _| (0..D).fold(N::zero(), |sum, column| sum + vector[column] * axes[(row, column)]))
}
