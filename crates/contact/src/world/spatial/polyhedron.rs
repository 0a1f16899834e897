use std::collections::HashMap;

use nalgebra::{Matrix3, Vector3};

use super::{Pose, ShapeError, hull::convex_hull};
use crate::world::solid::{HalfSpace, Solid, least_width};

/// A convex polyhedron, in the axes of its body about the centre of mass of that, in m.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyhedron {
    corners: Vec<Vector3<f64>>,
    faces: Vec<Face>,
    edges: Vec<Edge>,
    reach: f64,
    /// The half-spaces between which it lies, one per face.
    half_spaces: Vec<HalfSpace<3>>,
    /// Its least width in m.
    width: f64,
}

/// A face of a polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Indices of its corners, counter-clockwise from outside.
    pub corners: Vec<usize>,
    /// Outward unit normal.
    pub normal: Vector3<f64>,
}

/// An edge of a polyhedron.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Indices of its corners.
    pub ends: [usize; 2],
    /// Indices of the faces that meet there; the edge runs counter-clockwise around the first.
    pub faces: [usize; 2],
}

impl Polyhedron {
    /// The convex hull of points; those inside and on its faces and edges are left out.
    ///
    /// # Errors
    /// [`ShapeError`] unless they span a body.
    pub(super) fn hull(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        if let Some(corner) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(ShapeError::NotFinite { corner });
        }
        if points.len() < 4 {
            return Err(ShapeError::Flat { corners: points.len() });
        }
        let mut faces = convex_hull(points)?;
        let mut numbers = vec![None; points.len()];
        let mut corners = Vec::new();
        for corner in faces.iter_mut().flat_map(|face| &mut face.corners) {
            *corner = *numbers[*corner].get_or_insert_with(|| {
                corners.push(points[*corner]);
                corners.len() - 1
            });
        }
        Self::of_faces(corners, faces).ok_or(ShapeError::NearlyFlat)
    }

    /// `None` where the faces do not close.
    fn of_faces(corners: Vec<Vector3<f64>>, faces: Vec<Face>) -> Option<Self> {
        let mut sides = HashMap::new();
        let mut order = Vec::new();
        for (index, face) in faces.iter().enumerate() {
            for (i, &start) in face.corners.iter().enumerate() {
                let side = (start, face.corners[(i + 1) % face.corners.len()]);
                sides.insert(side, index);
                order.push(side);
            }
        }
        let mut edges = Vec::new();
        for (start, end) in order {
            let other = *sides.get(&(end, start))?;
            if start < end {
                edges.push(Edge { ends: [start, end], faces: [sides[&(start, end)], other] });
            }
        }
        // Euler's formula.
        let closed = corners.len() + faces.len() == edges.len() + 2;
        let empty = Self { corners, faces, edges, reach: 0.0, half_spaces: Vec::new(), width: 0.0 };
        closed.then(|| empty.measured())
    }

    /// The same, with its corners counted from `origin`.
    pub(super) fn about(mut self, origin: &Vector3<f64>) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner -= origin);
        self.measured()
    }

    /// A box stretched along its axes, which leaves the normals of its faces.
    pub(super) fn stretched(mut self, by: &Vector3<f64>) -> Self {
        self.corners.iter_mut().for_each(|corner| corner.component_mul_assign(by));
        self.measured()
    }

    /// The same of a body that is at `pose` in another one's axes.
    pub(super) fn placed(&self, pose: &Pose) -> Self {
        let mut own = self.clone();
        own.corners.iter_mut().for_each(|corner| *corner = pose.transform(corner));
        own.faces.iter_mut().for_each(|face| face.normal = pose.orientation * face.normal);
        own.measured()
    }

    /// With the lengths that follow from its corners.
    fn measured(mut self) -> Self {
        self.reach = reach(&self.corners);
        let Self { corners, faces, .. } = &self;
        let half_space = |face: &Face| HalfSpace {
            normal: face.normal,
            offset: face.normal.dot(&corners[face.corners[0]]),
        };
        self.half_spaces = faces.iter().map(half_space).collect();
        self.width = least_width(&self.corners, &self.half_spaces);
        self
    }

    /// It as what axes separate from others.
    pub(super) fn solid(&self) -> Solid<'_, 3> {
        let Self { corners, half_spaces, edges, width, .. } = self;
        Solid { corners, faces: half_spaces, edges, disc: None, radius: 0.0, width: *width }
    }

    /// Whether the centre of mass is inside or on the surface, as it is for whatever the body is made of.
    pub(super) fn contains_centre(&self) -> bool {
        let rounding = 1e-9 * self.reach;
        self.faces.iter().all(|face| face.normal.dot(&self.corners[face.corners[0]]) >= -rounding)
    }

    /// Volume in m^3.
    pub(super) fn volume(&self) -> f64 {
        let from = |corner: usize| self.corners[corner] - self.corners[0];
        let of_face = |face: &Face| {
            let fan = face.corners[1..].windows(2);
            let first = from(face.corners[0]);
            fan.map(|side| first.dot(&from(side[0]).cross(&from(side[1]))) / 6.0).sum::<f64>()
        };
        self.faces.iter().map(of_face).sum()
    }

    /// The centroid in m, and the inertia tensor about it over the mass in m^2, of the uniform body.
    pub(super) fn uniform(&self) -> (Vector3<f64>, Matrix3<f64>) {
        // Sums over the tetrahedra that the triangles of the faces make with a point inside.
        let inside = self.corners.iter().sum::<Vector3<f64>>() / self.corners.len() as f64;
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for face in &self.faces {
            let arm = |i: usize| self.corners[face.corners[i]] - inside;
            for i in 1..face.corners.len() - 1 {
                let arms = [arm(0), arm(i), arm(i + 1)];
                let sum: Vector3<f64> = arms.iter().sum();
                let tetrahedron = arms[0].dot(&arms[1].cross(&arms[2])) / 6.0;
                volume += tetrahedron;
                first += sum * (tetrahedron / 4.0);
                let squares =
                    arms.iter().fold(sum * sum.transpose(), |squares, arm| squares + arm * arm.transpose());
                second += squares * (tetrahedron / 20.0);
            }
        }
        let centroid = first / volume;
        let spread = second / volume - centroid * centroid.transpose();
        (inside + centroid, Matrix3::from_diagonal_element(spread.trace()) - spread)
    }

    /// Largest distance of a corner from the centre of mass, in m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The corners, about the centre of mass, in m.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners
    }

    /// The faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
}

fn reach(corners: &[Vector3<f64>]) -> f64 {
    corners.iter().map(Vector3::norm).fold(0.0, f64::max)
}
