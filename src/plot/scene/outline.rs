//! What a body looks like: the outlines of its faces that a viewer sees.

use nalgebra::Vector3;

use super::{super::geometry::Point, View};
use crate::{
    model::{Orientation, Vector},
    scenario::Shape,
    world::spatial,
};

/// Corners of a round outline.
const ROUND: usize = 64;

/// Where light comes from, beside the viewer: over the left shoulder.
const LIGHT: [f64; 3] = [-0.4, 0.5, 1.0];

/// Light on a face that looks away from it.
const SHADE: f64 = 0.35;

/// A face of a body as it is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Its corners in the picture, in m; two of them for a rod, one for a point.
    pub corners: Vec<Point>,
    /// How bright it is, from 0 to 1; 1 in a vertical plane.
    pub light: f64,
    /// Lines on it that show how the body is turned: the radius of a disc, great circles of a sphere.
    pub marks: Vec<Vec<Point>>,
}

/// The faces of a body that are seen from `view`; those of a convex body do not cover each other.
///
/// `position` is that of its centre of mass in m. In a vertical plane, and for a sphere, there is one face.
pub fn outline<const D: usize>(
    shape: &Shape<D>,
    position: &Vector<D>,
    orientation: &Orientation,
    view: &View<D>,
) -> Vec<Face> {
    let place = |point: &Vector<D>| view.project(&(position + orientation.turn(point)));
    if let Shape::Ball { radius } = shape {
        return vec![ball(*radius, view.project(position), |point| place(point), orientation, view)];
    }
    if D == 2 {
        let corners = plane_corners(shape).iter().map(place).collect();
        return vec![Face { corners, light: 1.0, marks: Vec::new() }];
    }
    let (corners, faces) = solid(shape);
    if faces.is_empty() {
        return vec![Face { corners: corners.iter().map(place).collect(), light: 1.0, marks: Vec::new() }];
    }
    let Some(towards) = view.towards() else { return Vec::new() };
    let seen = |face: Vec<usize>| {
        let corner = |k: usize| {
            let corner = orientation.turn(&corners[face[k]]);
            Vector3::new(corner[0], corner[1], corner[D - 1])
        };
        let normal = (corner(1) - corner(0)).cross(&(corner(2) - corner(0))).try_normalize(0.0)?;
        // Edge-on faces have no area.
        (normal.dot(&towards) > 1e-9).then(|| Face {
            corners: face.iter().map(|&k| place(&corners[k])).collect(),
            light: light(&normal, view, &towards),
            marks: Vec::new(),
        })
    };
    faces.into_iter().filter_map(seen).collect()
}

/// Corners in the plane, counter-clockwise about the centre of mass.
fn plane_corners<const D: usize>(shape: &Shape<D>) -> Vec<Vector<D>> {
    let vector = |x: f64, z: f64| {
        let mut vector = Vector::zeros();
        (vector[0], vector[D - 1]) = (x, z);
        vector
    };
    match shape.outline() {
        Some(Ok(crate::world::planar::Shape::Polygon(polygon))) => {
            polygon.corners().iter().map(|corner| vector(corner.x, corner.y)).collect()
        }
        _ => vec![Vector::zeros()],
    }
}

/// Corners of a body in space, and its faces by the numbers of their corners, counter-clockwise from outside.
fn solid<const D: usize>(shape: &Shape<D>) -> (Vec<Vector<D>>, Vec<Vec<usize>>) {
    match shape {
        Shape::Box { size } => {
            let corner = |k: usize| {
                Vector::from_fn(|row, _| if k >> row & 1 == 1 { 0.5 * size[row] } else { -0.5 * size[row] })
            };
            let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
            ((0..1 << D).map(corner).collect(), faces.map(Vec::from).into())
        }
        Shape::Hull { .. } => match shape.solid(true) {
            Some(Ok(spatial::Shape::Hull(hull))) => {
                let vector = |corner: &Vector3<f64>| Vector::from_fn(|row, _| corner[row]);
                let faces = hull.faces().iter().map(|face| face.corners.clone());
                (hull.corners().iter().map(vector).collect(), faces.collect())
            }
            _ => (vec![Vector::zeros()], Vec::new()),
        },
        Shape::Point | Shape::Rod { .. } | Shape::Ball { .. } => (vec![Vector::zeros()], Vec::new()),
    }
}

fn light<const D: usize>(normal: &Vector3<f64>, view: &View<D>, towards: &Vector3<f64>) -> f64 {
    let axis = |vector: &Vector<D>| Vector3::new(vector[0], vector[1], vector[D - 1]);
    let light = axis(&view.across) * LIGHT[0] + axis(&view.up) * LIGHT[1] + towards * LIGHT[2];
    SHADE + (1.0 - SHADE) * normal.dot(&light.normalize()).max(0.0)
}

/// A disc with a radius, or a sphere with the visible halves of two great circles.
fn ball<const D: usize>(
    radius: f64,
    [x, y]: Point,
    place: impl Fn(&Vector<D>) -> Point,
    orientation: &Orientation,
    view: &View<D>,
) -> Face {
    let angles = |count: usize| (0..count).map(move |k| std::f64::consts::TAU * k as f64 / ROUND as f64);
    let corners = angles(ROUND).map(|angle| [x + radius * angle.cos(), y + radius * angle.sin()]).collect();
    let rim = |first: usize, second: usize, angle: f64| {
        let mut point = Vector::<D>::zeros();
        point[first] += radius * angle.cos();
        point[second] += radius * angle.sin();
        point
    };
    let marks = match view.towards() {
        None => vec![vec![[x, y], place(&rim(0, D - 1, 0.0))]],
        Some(towards) => {
            let circle = |first: usize, second: usize| {
                let gap = [f64::NAN; 2];
                angles(ROUND + 1)
                    .map(|angle| {
                        let point = rim(first, second, angle);
                        let out = orientation.turn(&point);
                        let is_seen = towards.dot(&Vector3::new(out[0], out[1], out[D - 1])) >= 0.0;
                        if is_seen { place(&point) } else { gap }
                    })
                    .collect()
            };
            vec![circle(0, 1), circle(0, D - 1)]
        }
    };
    Face { corners, light: 1.0, marks }
}
