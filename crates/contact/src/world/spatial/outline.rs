use nalgebra::{Matrix3, Vector3};

use super::{
    Capsule, Cylinder, Part, Polyhedron, Pose, Shape, capsule_contact::PlacedCapsule,
    placed_cylinder::PlacedCylinder,
};
use crate::model::Real;

/// A part of a body at its pose.
#[derive(Debug, Clone, Copy)]
pub struct Outline<'a, S: Real = f64> {
    pub(super) convex: Convex<'a>,
    /// Of the part where it is a sphere, else of the body.
    pub(super) centre: Vector3<S>,
    /// From the axes of the body to those of the world.
    pub(super) turn: Matrix3<S>,
}

/// What a part is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Convex<'a> {
    Hull(&'a Polyhedron),
    Sphere { radius: f64 },
    Capsule(&'a Capsule),
    Cylinder(&'a Cylinder),
}

impl<'a, S: Real> Outline<'a, S> {
    pub(super) fn new(shape: &'a Shape, part: usize, pose: &Pose<S>) -> Self {
        let turn = *pose.orientation.to_rotation_matrix().matrix();
        let of_body = |convex| Self { convex, centre: pose.position, turn };
        match shape {
            Shape::Hull(hull) => of_body(Convex::Hull(hull)),
            Shape::Sphere { radius } => of_body(Convex::Sphere { radius: *radius }),
            Shape::Capsule(capsule) => of_body(Convex::Capsule(capsule)),
            Shape::Cylinder(cylinder) => of_body(Convex::Cylinder(cylinder)),
            Shape::Compound(compound) => match &compound.parts()[part] {
                Part::Hull(hull) => of_body(Convex::Hull(hull)),
                Part::Capsule(capsule) => of_body(Convex::Capsule(capsule)),
                Part::Cylinder(cylinder) => of_body(Convex::Cylinder(cylinder)),
                Part::Sphere { centre, radius } => Self {
                    centre: pose.position + turn * centre.map(S::constant),
                    ..of_body(Convex::Sphere { radius: *radius })
                },
            },
        }
    }

    /// A point of the body in the world.
    pub(super) fn transform(&self, point: &Vector3<f64>) -> Vector3<S> {
        self.centre + self.turn * point.map(S::constant)
    }

    /// A capsule in the axes of the world.
    pub(super) fn capsule(&self, capsule: &Capsule) -> PlacedCapsule<S> {
        PlacedCapsule { ends: capsule.ends.map(|end| self.transform(&end)), radius: capsule.radius }
    }

    /// A cylinder in the axes of the world.
    pub(super) fn cylinder(&self, cylinder: &Cylinder) -> PlacedCylinder<S> {
        let turned = |vector: &Vector3<f64>| self.turn * vector.map(S::constant);
        PlacedCylinder {
            ends: cylinder.ends.map(|end| self.transform(&end)),
            axis: turned(&cylinder.axis),
            across: turned(&cylinder.across),
            radius: cylinder.radius,
        }
    }

    /// All of a polyhedron in the axes of the world.
    pub(super) fn hull(&self, hull: &'a Polyhedron) -> PlacedHull<'a, S> {
        PlacedHull {
            hull,
            corners: hull.corners().iter().map(|corner| self.transform(corner)).collect(),
            normals: hull.faces().iter().map(|face| self.turn * face.normal.map(S::constant)).collect(),
        }
    }
}

/// A polyhedron in the axes of the world.
#[derive(Debug, Clone)]
pub(super) struct PlacedHull<'a, S: Real> {
    pub hull: &'a Polyhedron,
    pub corners: Vec<Vector3<S>>,
    /// Outward unit normals of the faces.
    pub normals: Vec<Vector3<S>>,
}

impl<S: Real> PlacedHull<'_, S> {
    /// Distance of `point` from the plane of a face, positive outside.
    pub fn distance(&self, face: usize, point: &Vector3<S>) -> S {
        self.normals[face].dot(&(point - self.corners[self.hull.faces()[face].corners[0]]))
    }

    /// The corners of a face in order, counter-clockwise from outside.
    pub fn face(&self, face: usize) -> impl Iterator<Item = &Vector3<S>> {
        self.hull.faces()[face].corners.iter().map(|&corner| &self.corners[corner])
    }

    /// The sides of a face: start, end, and the unit normal that points out of the face in its plane.
    pub fn sides(&self, face: usize) -> impl Iterator<Item = Side<S>> {
        let corners = &self.hull.faces()[face].corners;
        let normal = self.normals[face];
        (0..corners.len()).map(move |i| {
            let (start, end) = (self.corners[corners[i]], self.corners[corners[(i + 1) % corners.len()]]);
            Side { start, end, outward: (end - start).cross(&normal).normalize() }
        })
    }
}

/// A side of a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<S> {
    pub start: Vector3<S>,
    pub end: Vector3<S>,
    pub outward: Vector3<S>,
}
