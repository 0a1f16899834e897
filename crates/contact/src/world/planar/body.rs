use nalgebra::{Rotation2, SMatrix, SVector, Vector2};
use num_dual::DualSVec64;

use super::{
    Pose, Shape, Twist, disc_contact::disc_polygon, outline::Outline, polygon_contact::polygon_contact,
};
use crate::{
    model::{Orientation, Real},
    world::{
        Course, Plane, Point, RigidBody,
        ball_contact::ball_ball,
        rigid_body::rows_of,
        solid::{Placement, Solid},
    },
};

/// Factor on the way that two bodies may come closer in a step, within which their contacts take
/// part. Measured on rods at up to 60 rad/s and 30 m/s: at 0.5 they tunnel, at 1 and 1.5 not.
const ACTIVATION: f64 = 1.5;

/// A rigid body in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its outline.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass in kg m^2.
    pub inertia: f64,
    /// Pose at the start.
    pub pose: Pose,
    /// Velocity at the start.
    pub twist: Twist,
    /// Whether nothing that acts on it moves it; mass and inertia then do not count, and without a `course` it stays where it
    /// is.
    pub fixed: bool,
    /// How it moves where it is `fixed` and does not stay where it is.
    pub course: Option<Course<2>>,
}

impl Body {
    /// A body at rest: uniform, or of parts that weigh as they were said to.
    pub fn new(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose, twist: Twist::zeros(), fixed: false, course: None }
    }
}

impl RigidBody<2, 3> for Body {
    type Pose<S: Real> = Pose<S>;
    type Outline<'a, S: Real> = Outline<S>;

    fn start(&self) -> (Pose, Twist) {
        (self.pose, self.twist)
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn course(&self) -> Option<&Course<2>> {
        self.course.as_ref().filter(|_| self.fixed)
    }

    fn pose_at(position: &Vector2<f64>, orientation: &Orientation) -> Pose {
        let angle = if let Orientation::Angle(angle) = orientation { *angle } else { 0.0 };
        Pose { position: *position, angle }
    }

    fn reach(&self) -> f64 {
        self.shape.reach()
    }

    fn parts(&self) -> usize {
        self.shape.parts()
    }

    fn ball(&self, part: usize, pose: &Pose) -> (Vector2<f64>, f64) {
        match &self.shape {
            Shape::Compound(compound) => {
                let (centre, radius) = compound.ball(part);
                (pose.transform(centre), *radius)
            }
            shape => (pose.position, shape.reach()),
        }
    }

    fn is_thin(&self, part: usize) -> bool {
        self.shape.is_thin(part)
    }

    fn position<S: Real>(pose: &Pose<S>) -> Vector2<S> {
        pose.position
    }

    fn solid(&self, part: usize) -> Solid<'_, 2> {
        self.shape.solid(part)
    }

    fn placement(pose: &Pose) -> Placement<2> {
        Placement { position: pose.position, turn: *Rotation2::new(pose.angle).matrix() }
    }

    fn velocity_between(start: &Pose, end: &Pose, dt: f64) -> Twist {
        let way = end.position - start.position;
        Twist::new(way.x, way.y, end.angle - start.angle) / dt
    }

    fn displaced<S: Real>(pose: &Pose, by: &SVector<S, 3>) -> Pose<S> {
        Pose { position: pose.position.map(S::constant) + by.xy(), angle: by.z + S::constant(pose.angle) }
    }

    fn displacement<const M: usize>(pose: &Pose<DualSVec64<M>>) -> SMatrix<f64, 3, M> {
        rows_of([pose.position.x, pose.position.y, pose.angle])
    }

    fn turn<S: Real>(pose: &Pose<S>, vector: &Vector2<f64>) -> Vector2<S> {
        pose.rotate(&vector.map(S::constant))
    }

    fn inverse_inertia(&self) -> SMatrix<f64, 3, 3> {
        SMatrix::from_diagonal(&Twist::new(1.0 / self.mass, 1.0 / self.mass, 1.0 / self.inertia))
    }

    fn free_velocity<S: Real>(
        &self,
        velocity: &SVector<S, 3>,
        wrench: &Twist,
        gravity: &Vector2<f64>,
        dt: f64,
    ) -> SVector<S, 3> {
        let acceleration = Twist::new(wrench.x / self.mass, wrench.y / self.mass, wrench.z / self.inertia);
        velocity + ((acceleration + Twist::new(gravity.x, gravity.y, 0.0)) * dt).map(S::constant)
    }

    fn advance<S: Real>(&self, pose: &Pose<S>, velocity: &SVector<S, 3>, dt: f64) -> Pose<S> {
        let dt = S::constant(dt);
        Pose { position: pose.position + velocity.xy() * dt, angle: pose.angle + velocity.z * dt }
    }

    /// `1.5 dt (|v| + |omega| rho + (g + |f|/m + |tau| rho/I) dt)`.
    fn activation(&self, velocity: &Twist, wrench: &Twist, g: f64, dt: f64) -> f64 {
        let pushed = wrench.xy().norm() / self.mass + wrench.z.abs() / self.inertia * self.shape.reach();
        ACTIVATION * dt * (self.top_speed(velocity) + (g + pushed) * dt)
    }

    fn top_speed(&self, velocity: &Twist) -> f64 {
        velocity.xy().norm() + velocity.z.abs() * self.shape.reach()
    }

    fn velocity_at<S: Real>(_pose: &Pose<S>, r: &Vector2<S>) -> SMatrix<S, 2, 3> {
        let (one, zero) = (S::one(), S::zero());
        SMatrix::<S, 2, 3>::new(one, zero, -r.y, zero, one, r.x)
    }

    fn outline<S: Real>(&self, part: usize, pose: &Pose<S>) -> Outline<S> {
        Outline::at(&self.shape, part, pose)
    }

    /// Corners, or the lowest point of a disc.
    fn plane_points<S: Real>(
        outline: &Outline<S>,
        plane: &Plane<2>,
        margin: f64,
        mut found: impl FnMut(Point<2, S>),
    ) {
        let normal = plane.normal.map(S::constant);
        let mut at = |position: Vector2<S>| {
            let gap = normal.dot(&position) - S::constant(plane.offset);
            if gap.value() <= margin {
                found(Point { position, normal, gap });
            }
        };
        match outline {
            Outline::Polygon(corners) => corners.iter().copied().for_each(&mut at),
            Outline::Disc { centre, radius } => at(centre - normal * S::constant(*radius)),
        }
    }

    fn body_points<S: Real>(
        first: &Outline<S>,
        second: &Outline<S>,
        reach: f64,
        margin: f64,
        facing: Option<&SVector<f64, 2>>,
        mut found: impl FnMut(Point<2, S>),
    ) {
        match (first, second) {
            (Outline::Polygon(a), Outline::Polygon(b)) => {
                polygon_contact([a, b], (reach, margin), facing, found);
            }
            (Outline::Disc { centre: a, radius: ra }, Outline::Disc { centre: b, radius: rb }) => {
                found(ball_ball((a, *ra), (b, *rb)));
            }
            (Outline::Disc { centre, radius }, Outline::Polygon(corners)) => {
                disc_polygon(centre, *radius, corners, facing.copied()).into_iter().for_each(found);
            }
            (Outline::Polygon(corners), Outline::Disc { centre, radius }) => {
                let facing = facing.map(|normal| -normal);
                disc_polygon(centre, *radius, corners, facing).map(Point::turned).into_iter().for_each(found);
            }
        }
    }
}
