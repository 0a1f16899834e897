use nalgebra::{Matrix3, Quaternion, SMatrix, SVector, UnitQuaternion, Vector3};
use num_dual::DualSVec64;

use super::{
    FreeRotation, Outline, Pose, Shape, Twist,
    face_contact::hull_hull,
    pose::{parts, twist},
    rotation::turned_by,
    sphere_contact::sphere_hull,
};
use crate::{
    model::Real,
    world::{Plane, Point, RigidBody, ball_contact::ball_ball, rigid_body::rows_of},
};

/// Part of its energy of rotation that a body may gain in an impact by how its axes come to lie, whatever the impact took.
const SLIGHT_GAIN: f64 = 0.1;

/// Factor on the way that a point may move in a step, within which its contacts take part.
const ACTIVATION: f64 = 2.0;

/// A rigid body in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: Shape,
    /// Mass in kg.
    pub mass: f64,
    /// Inertia tensor about the centre of mass in kg m^2, in the axes of the body, symmetric and positive
    /// definite.
    pub inertia: Matrix3<f64>,
    /// Pose at the start.
    pub pose: Pose,
    /// Velocity at the start.
    pub twist: Twist,
    /// Whether it stays where it is; mass, inertia and velocity then do not count.
    pub fixed: bool,
}

impl Body {
    /// A uniform body at rest.
    pub fn new(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose, twist: Twist::zeros(), fixed: false }
    }

    fn inverse_tensor(&self) -> Matrix3<f64> {
        self.inertia.try_inverse().unwrap_or_default()
    }

    /// The angular acceleration in rad/s^2 by which it answers to a torque in N m at rest.
    fn angular_acceleration(&self, torque: &Vector3<f64>) -> Vector3<f64> {
        if *torque == Vector3::zeros() { *torque } else { self.inverse_tensor() * torque }
    }

    /// How it turns by itself over `dt` s from the spin `w` in rad/s.
    pub fn free_rotation<S: Real>(&self, w: &Vector3<S>, dt: f64) -> FreeRotation<S> {
        FreeRotation::new(&self.inertia, w, dt)
    }
}

/// How a body turns over a step of `dt` s that ends with this `spin`, from the axes at its start.
fn turned_in_step<S: Real>(free: &FreeRotation<S>, spin: &Vector3<S>, dt: f64) -> UnitQuaternion<S> {
    turned_by(&((free.mean + (spin - free.end)) * S::constant(dt)))
}

impl RigidBody<3, 6> for Body {
    type Pose<S: Real> = Pose<S>;
    type Outline<'a, S: Real> = Outline<'a, S>;

    fn start(&self) -> (Pose, Twist) {
        (self.pose, self.twist)
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn reach(&self) -> f64 {
        self.shape.reach()
    }

    fn position<S: Real>(pose: &Pose<S>) -> Vector3<S> {
        pose.position
    }

    fn displaced<S: Real>(pose: &Pose, by: &SVector<S, 6>) -> Pose<S> {
        let (linear, turn) = parts(by);
        let orientation = pose.orientation.into_inner().coords.map(S::constant);
        let turn = Quaternion::from_parts(S::one(), turn * S::constant(0.5));
        Pose {
            position: pose.position.map(S::constant) + linear,
            orientation: UnitQuaternion::new_unchecked(Quaternion::from_vector(orientation) * turn),
        }
    }

    fn displacement<const M: usize>(pose: &Pose<DualSVec64<M>>) -> SMatrix<f64, 6, M> {
        let turn = pose.orientation.into_inner();
        let back = Quaternion::from_vector(turn.coords.map(|part| DualSVec64::constant(part.re))).conjugate();
        let [p, t] = [pose.position, (back * turn).imag() * DualSVec64::constant(2.0)];
        rows_of([p.x, p.y, p.z, t.x, t.y, t.z])
    }

    fn turn<S: Real>(pose: &Pose<S>, vector: &Vector3<f64>) -> Vector3<S> {
        pose.orientation * vector.map(S::constant)
    }

    #[inline]
    fn inverse_inertia(&self) -> SMatrix<f64, 6, 6> {
        let mut inverse = SMatrix::<f64, 6, 6>::zeros();
        inverse.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(1.0 / self.mass);
        inverse.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.inverse_tensor());
        inverse
    }

    fn free_velocity<S: Real>(
        &self,
        velocity: &SVector<S, 6>,
        wrench: &Twist,
        gravity: &Vector3<f64>,
        dt: f64,
    ) -> SVector<S, 6> {
        let (linear, spin) = parts(velocity);
        let (force, torque) = parts(wrench);
        let gained = (self.angular_acceleration(&torque) * dt).map(S::constant);
        let turned = self.free_rotation(&spin, dt).end + gained;
        twist(&(linear + ((force / self.mass + gravity) * dt).map(S::constant)), &turned)
    }

    fn advance<S: Real>(
        &self,
        pose: &Pose<S>,
        before: &SVector<S, 6>,
        after: &SVector<S, 6>,
        dt: f64,
    ) -> Pose<S> {
        let (linear, spin) = parts(after);
        let free = self.free_rotation(&parts(before).1, dt);
        let turn = turned_in_step(&free, &spin, dt);
        let orientation = UnitQuaternion::new_normalize((pose.orientation * turn).into_inner());
        Pose { position: pose.position + linear * S::constant(dt), orientation }
    }

    /// The angular momentum is what the impulses of `after` made of it, in the axes of the world. Where a body turns far in
    /// an impact its axes lie otherwise to it, and its energy is another: it gains what the impact took from it at most, or
    /// a tenth, and the angular momentum gives way beyond.
    fn carried<S: Real>(
        &self,
        before: &SVector<S, 6>,
        moved: &SVector<S, 6>,
        after: &SVector<S, 6>,
        dt: f64,
    ) -> SVector<S, 6> {
        let (linear, spin) = parts(after);
        let free = self.free_rotation(&parts(before).1, dt);
        let own = turned_in_step(&free, &spin, dt);
        let turned = turned_in_step(&free, &parts(moved).1, dt);
        let inertia = self.inertia.map(S::constant);
        let momentum = turned.inverse() * (own * (inertia * spin));
        let mut carried = self.inverse_tensor().map(S::constant) * momentum;
        let of_turning = |spin: &Vector3<S>| spin.dot(&(inertia * spin)) * S::constant(0.5);
        let kinetic = |velocity: &SVector<S, 6>| {
            let (linear, spin) = parts(velocity);
            linear.dot(&linear) * S::constant(0.5 * self.mass) + of_turning(&spin)
        };
        let (left, energy) = (of_turning(&spin), of_turning(&carried));
        let (taken, slight) = (kinetic(before) - kinetic(after), left * S::constant(SLIGHT_GAIN));
        let most = left + if taken.value() > slight.value() { taken } else { slight };
        if energy.value() > most.value() {
            carried *= (most / energy).sqrt();
        }
        twist(&linear, &carried)
    }

    /// `2 dt (|v| + |w| rho) + 4 (g + |f|/m + |I^-1 tau| rho) dt^2`.
    fn activation(&self, velocity: &Twist, wrench: &Twist, g: f64, dt: f64) -> f64 {
        let (force, torque) = parts(wrench);
        let twisted = self.angular_acceleration(&torque).norm();
        let pushed = force.norm() / self.mass + twisted * self.shape.reach();
        ACTIVATION * dt * (self.top_speed(velocity) + 2.0 * (g + pushed) * dt)
    }

    fn top_speed(&self, velocity: &Twist) -> f64 {
        let (linear, spin) = parts(velocity);
        linear.norm() + spin.norm() * self.shape.reach()
    }

    fn velocity_at<S: Real>(pose: &Pose<S>, r: &Vector3<S>) -> SMatrix<S, 3, 6> {
        let mut rows = SMatrix::<S, 3, 6>::zeros();
        rows.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(S::one());
        let turn = pose.orientation.to_rotation_matrix();
        rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-r.cross_matrix() * turn.matrix()));
        rows
    }

    /// An axis `d` sees the spin by the moment arm `r x d` in the axes of the body.
    #[inline]
    fn contact_rows(
        frame: &Matrix3<f64>,
        (_pose, outline): (&Pose, &Outline<'_>),
        r: &Vector3<f64>,
    ) -> SMatrix<f64, 3, 6> {
        // Column by column: those of the frame, and of the moment arms of its axes, turned into the body.
        let [x, y, z] = frame.data.0;
        let across = |a: [f64; 3], r_a: f64, b: [f64; 3], r_b: f64| -> [f64; 3] {
            std::array::from_fn(|i| a[i] * r_a - b[i] * r_b)
        };
        let arms = [across(z, r.y, y, r.z), across(x, r.z, z, r.x), across(y, r.x, x, r.y)];
        let mut rows = SMatrix::<f64, 3, 6>::zeros();
        for j in 0..3 {
            let turn = outline.turn.data.0[j];
            rows.data.0[j] = frame.data.0[j];
            rows.data.0[j + 3] =
                std::array::from_fn(|i| turn[0] * arms[0][i] + turn[1] * arms[1][i] + turn[2] * arms[2][i]);
        }
        rows
    }

    fn outline<S: Real>(&self, pose: &Pose<S>) -> Outline<'_, S> {
        Outline::new(&self.shape, pose)
    }

    /// Corners, or the nearest point of a sphere.
    #[inline]
    fn plane_points<S: Real>(
        outline: &Outline<'_, S>,
        plane: &Plane<3>,
        margin: f64,
        mut found: impl FnMut(Point<3, S>),
    ) {
        let normal = plane.normal.map(S::constant);
        let mut at = |position: Vector3<S>| {
            let gap = normal.dot(&position) - S::constant(plane.offset);
            if gap.value() <= margin {
                found(Point { position, normal, gap });
            }
        };
        match outline.shape {
            Shape::Hull(hull) => hull.corners().iter().for_each(|corner| at(outline.transform(corner))),
            Shape::Sphere { radius } => at(outline.centre - normal * S::constant(*radius)),
        }
    }

    fn body_points<S: Real>(
        first: &Outline<'_, S>,
        second: &Outline<'_, S>,
        reach: f64,
        margin: f64,
        _facing: Option<&SVector<f64, 3>>,
        mut found: impl FnMut(Point<3, S>),
    ) {
        match (first.shape, second.shape) {
            (Shape::Hull(a), Shape::Hull(b)) => {
                hull_hull(&first.hull(a), &second.hull(b), reach, margin, found);
            }
            (Shape::Sphere { radius: a }, Shape::Sphere { radius: b }) => {
                found(ball_ball((&first.centre, *a), (&second.centre, *b)));
            }
            (Shape::Sphere { radius }, Shape::Hull(hull)) => {
                sphere_hull(&first.centre, *radius, &second.hull(hull)).into_iter().for_each(found);
            }
            (Shape::Hull(hull), Shape::Sphere { radius }) => {
                let point = sphere_hull(&second.centre, *radius, &first.hull(hull));
                point.map(Point::turned).into_iter().for_each(found);
            }
        }
    }
}
