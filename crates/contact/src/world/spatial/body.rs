use nalgebra::{Matrix3, Quaternion, SMatrix, SVector, UnitQuaternion, Vector3};
use num_dual::DualSVec64;

use super::{
    FreeRotation, Outline, Pose, Shape, Twist,
    capsule_contact::{PlacedCapsule, capsule_ball, capsule_capsule, capsule_hull},
    cylinder_contact::{cylinder_ball, cylinder_capsule},
    cylinder_hull::cylinder_hull,
    cylinder_pair::cylinder_cylinder,
    face_contact::hull_hull,
    outline::Convex,
    pose::{parts, twist},
    rotation::{rotated, turned_by},
    sphere_contact::sphere_hull,
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
    /// Whether nothing that acts on it moves it; mass and inertia then do not count, and without a `course` it stays where it
    /// is.
    pub fixed: bool,
    /// How it moves where it is `fixed` and does not stay where it is.
    pub course: Option<Course<3>>,
}

impl Body {
    /// A body at rest: uniform, or of parts that weigh as they were said to.
    pub fn new(shape: Shape, mass: f64, pose: Pose) -> Self {
        let inertia = shape.inertia(mass);
        Self { shape, mass, inertia, pose, twist: Twist::zeros(), fixed: false, course: None }
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

/// The spin in rad/s with which the angular momentum of the spin `w` stays where it is, while the body turns evenly at
/// another one, `turning`, for `dt` s: `I^-1 exp(-dt turning) I w`.
fn turned_back<S: Real>(body: &Body, w: &Vector3<S>, turning: &Vector3<S>, dt: f64) -> Vector3<S> {
    let momentum = body.inertia.map(S::constant) * w;
    // About the axis of the turn itself nothing changes; its derivative may.
    if S::SETTLING == 0 && momentum.cross(turning).amax() == S::zero() {
        return *w;
    }
    body.inverse_tensor().map(S::constant) * rotated(&turned_by(&(turning * S::constant(-dt))), &momentum)
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

    fn course(&self) -> Option<&Course<3>> {
        self.course.as_ref().filter(|_| self.fixed)
    }

    fn pose_at(position: &Vector3<f64>, orientation: &Orientation) -> Pose {
        let orientation = match orientation {
            Orientation::Quaternion(turn) => *turn,
            Orientation::Angle(_) => UnitQuaternion::identity(),
        };
        Pose { position: *position, orientation }
    }

    fn reach(&self) -> f64 {
        self.shape.reach()
    }

    fn parts(&self) -> usize {
        self.shape.parts()
    }

    fn ball(&self, part: usize, pose: &Pose) -> (Vector3<f64>, f64) {
        match &self.shape {
            Shape::Compound(compound) => {
                let (centre, radius) = compound.ball(part);
                (pose.transform(centre), *radius)
            }
            shape => (pose.position, shape.reach()),
        }
    }

    fn position<S: Real>(pose: &Pose<S>) -> Vector3<S> {
        pose.position
    }

    fn solid(&self, part: usize) -> Solid<'_, 3> {
        self.shape.solid(part)
    }

    fn placement(pose: &Pose) -> Placement<3> {
        Placement { position: pose.position, turn: *pose.orientation.to_rotation_matrix().matrix() }
    }

    fn velocity_between(start: &Pose, end: &Pose, dt: f64) -> Twist {
        let turn = (start.orientation.inverse() * end.orientation).scaled_axis();
        twist(&((end.position - start.position) / dt), &(turn / dt))
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
        let turned = self.free_rotation(&spin, dt).mean + gained;
        twist(&(linear + ((force / self.mass + gravity) * dt).map(S::constant)), &turned)
    }

    fn advance<S: Real>(&self, pose: &Pose<S>, velocity: &SVector<S, 6>, dt: f64) -> Pose<S> {
        let (linear, spin) = parts(velocity);
        let turn = turned_by(&(spin * S::constant(dt)));
        let orientation = UnitQuaternion::new_normalize((pose.orientation * turn).into_inner());
        Pose { position: pose.position + linear * S::constant(dt), orientation }
    }

    /// The angular momentum is that at the start and what impulses and pushes made of it, in the axes of the world. Where a
    /// body turns far in an impact its axes lie otherwise to it, and its energy is another: it gains what the impact took
    /// from it at most, or a tenth, and the angular momentum gives way beyond.
    fn carried<S: Real>(
        &self,
        before: &SVector<S, 6>,
        moved: &SVector<S, 6>,
        after: &SVector<S, 6>,
        dt: f64,
    ) -> SVector<S, 6> {
        let (linear, spin) = parts(after);
        let free = self.free_rotation(&parts(before).1, dt);
        let (start, turning) = (parts(before).1, parts(moved).1);
        // Bit for bit that of free flight, where it is one.
        if S::SETTLING == 0 && spin == free.mean && turning == free.mean {
            return twist(&linear, &free.end);
        }
        let inertia = self.inertia.map(S::constant);
        let gained = start + (spin - free.mean);
        let mut carried = turned_back(self, &gained, &turning, dt);
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

    fn outline<S: Real>(&self, part: usize, pose: &Pose<S>) -> Outline<'_, S> {
        Outline::new(&self.shape, part, pose)
    }

    /// Corners, the nearest points of the balls about a centre or the ends of a segment, or those of the rims of a cylinder.
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
        match outline.convex {
            Convex::Hull(hull) => hull.corners().iter().for_each(|corner| at(outline.transform(corner))),
            Convex::Sphere { radius } => at(outline.centre - normal * S::constant(radius)),
            Convex::Capsule(capsule) => {
                let PlacedCapsule { ends, radius } = outline.capsule(capsule);
                ends.iter().for_each(|end| at(end - normal * S::constant(radius)));
            }
            Convex::Cylinder(cylinder) => {
                outline.cylinder(cylinder).bearing_points(&-normal).for_each(at);
            }
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
        match (first.convex, second.convex) {
            (Convex::Hull(a), Convex::Hull(b)) => {
                hull_hull(&first.hull(a), &second.hull(b), reach, margin, found);
            }
            (Convex::Sphere { radius: a }, Convex::Sphere { radius: b }) => {
                found(ball_ball((&first.centre, a), (&second.centre, b)));
            }
            (Convex::Sphere { radius }, Convex::Hull(hull)) => {
                sphere_hull(&first.centre, radius, &second.hull(hull)).into_iter().for_each(found);
            }
            (Convex::Hull(hull), Convex::Sphere { radius }) => {
                let point = sphere_hull(&second.centre, radius, &first.hull(hull));
                point.map(Point::turned).into_iter().for_each(found);
            }
            (Convex::Capsule(a), Convex::Capsule(b)) => {
                capsule_capsule(&first.capsule(a), &second.capsule(b), reach, margin, found);
            }
            (Convex::Capsule(capsule), Convex::Sphere { radius }) => {
                found(capsule_ball(&first.capsule(capsule), (&second.centre, radius)));
            }
            (Convex::Sphere { radius }, Convex::Capsule(capsule)) => {
                found(capsule_ball(&second.capsule(capsule), (&first.centre, radius)).turned());
            }
            (Convex::Capsule(capsule), Convex::Hull(hull)) => {
                capsule_hull(&first.capsule(capsule), &second.hull(hull), reach, margin, found);
            }
            (Convex::Hull(hull), Convex::Capsule(capsule)) => {
                capsule_hull(&second.capsule(capsule), &first.hull(hull), reach, margin, |point| {
                    found(point.turned());
                });
            }
            (Convex::Cylinder(a), Convex::Cylinder(b)) => {
                cylinder_cylinder(&first.cylinder(a), &second.cylinder(b), reach, margin, found);
            }
            (Convex::Cylinder(cylinder), Convex::Sphere { radius }) => {
                found(cylinder_ball(&first.cylinder(cylinder), (&second.centre, radius)).turned());
            }
            (Convex::Sphere { radius }, Convex::Cylinder(cylinder)) => {
                found(cylinder_ball(&second.cylinder(cylinder), (&first.centre, radius)));
            }
            (Convex::Cylinder(cylinder), Convex::Capsule(capsule)) => {
                let (own, other) = (first.cylinder(cylinder), second.capsule(capsule));
                cylinder_capsule(&own, &other, reach, margin, |point| found(point.turned()));
            }
            (Convex::Capsule(capsule), Convex::Cylinder(cylinder)) => {
                let (own, other) = (second.cylinder(cylinder), first.capsule(capsule));
                cylinder_capsule(&own, &other, reach, margin, found);
            }
            (Convex::Cylinder(cylinder), Convex::Hull(hull)) => {
                cylinder_hull(&first.cylinder(cylinder), &second.hull(hull), reach, margin, found);
            }
            (Convex::Hull(hull), Convex::Cylinder(cylinder)) => {
                let (own, other) = (second.cylinder(cylinder), first.hull(hull));
                cylinder_hull(&own, &other, reach, margin, |point| found(point.turned()));
            }
        }
    }
}
