use std::f64::consts::PI;

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use stickslip_contact::world::spatial::{Shape, ShapeError};

use crate::mass::MassProperties;

/// A shape about its own origin, its axis along z.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Solid {
    /// Of half widths in m.
    Box { half: Vector3<f64> },
    /// Of a radius in m.
    Sphere { radius: f64 },
    /// Points within `radius` of an axis from -`half` to `half`.
    Capsule { radius: f64, half: f64 },
    /// Of a radius and a half height in m.
    Cylinder { radius: f64, half: f64 },
    /// Of half axes in m.
    Ellipsoid { half: Vector3<f64> },
    /// The convex hull of corners.
    Hull { corners: Vec<Vector3<f64>> },
}

/// Directions about an equator in which an ellipsoid has corners.
const MERIDIANS: u32 = 12;

impl Solid {
    /// Mass properties of the uniform body of `density` kg/m^3; nothing of a hull, which stands for a mesh.
    pub fn uniform(&self, density: f64) -> MassProperties {
        let (volume, moments) = match self {
            Self::Box { half } => (8.0 * half.product(), about(&half.map(|half| half * half / 3.0))),
            Self::Sphere { radius } => {
                (4.0 / 3.0 * PI * radius.powi(3), about(&Vector3::repeat(radius * radius / 5.0)))
            }
            Self::Cylinder { radius, half } => (
                2.0 * PI * radius * radius * half,
                about(&Vector3::new(radius * radius / 4.0, radius * radius / 4.0, half * half / 3.0)),
            ),
            Self::Ellipsoid { half } => {
                (4.0 / 3.0 * PI * half.product(), about(&half.map(|half| half * half / 5.0)))
            }
            Self::Capsule { radius, half } => return capsule(*radius, *half, density),
            Self::Hull { .. } => return MassProperties::zero(),
        };
        let mass = density * volume;
        MassProperties { mass, centre: Vector3::zeros(), inertia: moments * mass }
    }

    /// What is touched in its place, about the middle of that, and where that middle is.
    ///
    /// # Errors
    /// [`ShapeError`] if a size is not positive, or corners span no body.
    pub fn touched(&self) -> Result<(Shape, Vector3<f64>), ShapeError> {
        let shape = match self {
            Self::Box { half } => Shape::cuboid((half * 2.0).into()),
            Self::Sphere { radius } => Shape::sphere(*radius),
            Self::Capsule { radius, half } => Shape::capsule(*radius, 2.0 * half),
            Self::Cylinder { radius, half } => Shape::cylinder(*radius, 2.0 * half),
            Self::Ellipsoid { half } => return Shape::centred_polyhedron(&ellipsoid_corners(half)),
            Self::Hull { corners } => return Shape::centred_polyhedron(corners),
        };
        Ok((shape?, Vector3::zeros()))
    }

    /// The farthest that it reaches against `direction` of the world, where `pose` places it: the least of n.x.
    pub fn lowest(&self, pose: &Isometry3<f64>, direction: &Vector3<f64>) -> f64 {
        let own = pose.rotation.inverse_transform_vector(direction);
        let centre = direction.dot(&pose.translation.vector);
        centre
            - match self {
                Self::Box { half } => own.abs().dot(half),
                Self::Sphere { radius } => *radius,
                Self::Capsule { radius, half } => radius + half * own.z.abs(),
                Self::Cylinder { radius, half } => radius * own.x.hypot(own.y) + half * own.z.abs(),
                Self::Ellipsoid { half } => own.component_mul(half).norm(),
                Self::Hull { corners } => {
                    corners.iter().map(|corner| -own.dot(corner)).fold(f64::NEG_INFINITY, f64::max)
                }
            }
    }

    /// The largest distance in m of one of its points from `point`, at most.
    pub fn reach_from(&self, pose: &Isometry3<f64>, point: &Vector3<f64>) -> f64 {
        let arm = (pose.translation.vector - point).norm();
        match self {
            Self::Box { half } => arm + half.norm(),
            Self::Sphere { radius } => arm + radius,
            Self::Capsule { radius, half } => arm + radius + half,
            Self::Cylinder { radius, half } => arm + radius.hypot(*half),
            Self::Ellipsoid { half } => arm + half.max(),
            Self::Hull { corners } => corners
                .iter()
                .map(|corner| (pose * Point3::from(*corner) - Point3::from(*point)).norm())
                .fold(0.0, f64::max),
        }
    }
}

/// Points on an ellipsoid, whose hull stands for it: its poles and rings of latitude between.
pub(crate) fn ellipsoid_corners(half: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let mut corners = vec![Vector3::z(), -Vector3::z()];
    for ring in 1..MERIDIANS / 2 {
        let (up, out) = (PI * f64::from(ring) / f64::from(MERIDIANS / 2)).sin_cos();
        for meridian in 0..MERIDIANS {
            let (sin, cos) = (2.0 * PI * f64::from(meridian) / f64::from(MERIDIANS)).sin_cos();
            corners.push(Vector3::new(up * cos, up * sin, out));
        }
    }
    corners.into_iter().map(|corner| corner.component_mul(half)).collect()
}

/// The inertia over the mass of a body whose points have these mean squares along its axes.
fn about(squares: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal(&squares.map(|square| squares.sum() - square))
}

/// A cylinder, and two half balls whose centres of mass are 3/8 of the radius beyond its ends.
fn capsule(radius: f64, half: f64, density: f64) -> MassProperties {
    let cylinder = Solid::Cylinder { radius, half }.uniform(density);
    let ball = Solid::Sphere { radius }.uniform(density);
    // About the common centre of the two halves: the ball's own, and for what lies off it Steiner twice.
    let across = half * half + 0.75 * half * radius;
    let far = Matrix3::from_diagonal(&Vector3::new(across, across, 0.0)) * ball.mass;
    MassProperties {
        mass: cylinder.mass + ball.mass,
        centre: Vector3::zeros(),
        inertia: cylinder.inertia + ball.inertia + far,
    }
}
