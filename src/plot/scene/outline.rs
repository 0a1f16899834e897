//! What a body looks like: the outlines of its faces that a viewer sees.

use nalgebra::Vector3;

use super::{super::geometry::Point, View};
use crate::{
    model::{Orientation, Vector},
    scenario::{Part, RIM, Shape},
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
    /// Lines on it that show how the body is turned: the radius of a disc, great circles of a sphere and of the balls of a capsule.
    pub marks: Vec<Vec<Point>>,
}

/// The faces of a body that are seen from `view`; those of a convex body do not cover each other, those of parts in front
/// cover the ones behind, which come first.
///
/// `position` is that of its centre of mass in m. In a vertical plane, and for a sphere or a capsule, there is one face.
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
    if let Shape::Capsule { radius, length } = shape {
        let end = |part: f64| {
            let mut end = Vector::zeros();
            end[D - 1] = part * length;
            end
        };
        return vec![capsule(*radius, [end(-0.5), end(0.5)], place, orientation, view)];
    }
    if let Shape::Compound { parts } = shape {
        let placed = |part: &Part<D>| {
            let centre = position + orientation.turn(&part.position);
            outline(&part.shape, &centre, &turned(orientation, &part.orientation), view)
        };
        return from_behind(parts, orientation, view).into_iter().flat_map(placed).collect();
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

/// The parts in the order of how near their middles are to the viewer, the furthest first.
fn from_behind<'p, const D: usize>(
    parts: &'p [Part<D>],
    orientation: &Orientation,
    view: &View<D>,
) -> Vec<&'p Part<D>> {
    let mut ordered: Vec<&Part<D>> = parts.iter().collect();
    if let Some(towards) = view.towards() {
        let nearness = |part: &Part<D>| {
            let place = orientation.turn(&part.position);
            Vector3::new(place[0], place[1], place[D - 1]).dot(&towards)
        };
        ordered.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    }
    ordered
}

/// How a part is turned in a body that is turned.
fn turned(body: &Orientation, part: &Orientation) -> Orientation {
    match (body, part) {
        (Orientation::Angle(body), Orientation::Angle(part)) => Orientation::Angle(body + part),
        (Orientation::Quaternion(body), Orientation::Quaternion(part)) => {
            Orientation::Quaternion(body * part)
        }
        _ => *body,
    }
}

/// Corners in the plane, counter-clockwise about the centre of mass.
fn plane_corners<const D: usize>(shape: &Shape<D>) -> Vec<Vector<D>> {
    let vector = |x: f64, z: f64| {
        let mut vector = Vector::zeros();
        (vector[0], vector[D - 1]) = (x, z);
        vector
    };
    match shape.outline(false) {
        Some(Ok(crate::world::planar::Shape::Polygon(polygon))) => {
            polygon.corners().iter().map(|corner| vector(corner.x, corner.y)).collect()
        }
        _ => vec![Vector::zeros()],
    }
}

/// Corners of a body in space, and its faces by the numbers of their corners, counter-clockwise from outside.
fn solid<const D: usize>(shape: &Shape<D>) -> (Vec<Vector<D>>, Vec<Vec<usize>>) {
    let vector = |corner: &Vector3<f64>| Vector::from_fn(|row, _| corner[row]);
    match shape {
        Shape::Box { size } => {
            let corner = |k: usize| {
                Vector::from_fn(|row, _| if k >> row & 1 == 1 { 0.5 * size[row] } else { -0.5 * size[row] })
            };
            let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
            ((0..1 << D).map(corner).collect(), faces.map(Vec::from).into())
        }
        Shape::Hull { .. } | Shape::Cylinder { .. } => match shape.solid(true) {
            Some(Ok(spatial::Shape::Cylinder(cylinder))) => {
                let corners = cylinder.rims(RIM).map(|corner| vector(&corner)).collect();
                // The two corners at each place of the rims follow each other.
                let count = RIM as usize;
                let caps =
                    [(0..count).rev().map(|k| 2 * k).collect(), (0..count).map(|k| 2 * k + 1).collect()];
                let sides = (0..count).map(|k| {
                    let next = (k + 1) % count;
                    vec![2 * k, 2 * next, 2 * next + 1, 2 * k + 1]
                });
                (corners, caps.into_iter().chain(sides).collect())
            }
            Some(Ok(spatial::Shape::Hull(hull))) => {
                let faces = hull.faces().iter().map(|face| face.corners.clone());
                (hull.corners().iter().map(vector).collect(), faces.collect())
            }
            _ => (vec![Vector::zeros()], Vec::new()),
        },
        Shape::Point
        | Shape::Rod { .. }
        | Shape::Ball { .. }
        | Shape::Capsule { .. }
        | Shape::Compound { .. } => (vec![Vector::zeros()], Vec::new()),
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

/// A capsule about a segment in its own axes: the half circles around its ends and what is between them, with the marks of
/// the balls about both.
fn capsule<const D: usize>(
    radius: f64,
    ends: [Vector<D>; 2],
    place: impl Fn(&Vector<D>) -> Point,
    orientation: &Orientation,
    view: &View<D>,
) -> Face {
    let [first, second] =
        ends.map(|end| ball(radius, place(&end), |point| place(&(end + point)), orientation, view));
    let [a, b] = ends.map(|end| place(&end));
    let along = [b[0] - a[0], b[1] - a[1]];
    // Counter-clockwise round each end, the part of its circle that looks away from the other one.
    let outer = |circle: &Face, middle: Point, way: f64| {
        let is_outer = |point: &Point| {
            way * ((point[0] - middle[0]) * along[0] + (point[1] - middle[1]) * along[1]) >= 0.0
        };
        let corners = &circle.corners;
        let count = corners.len();
        // From the first that is outer behind one that is not.
        let start =
            (0..count).find(|&k| is_outer(&corners[k]) && !is_outer(&corners[(k + count - 1) % count]));
        let from = start.unwrap_or(0);
        (0..count).map(move |k| corners[(from + k) % count]).filter(is_outer).collect::<Vec<_>>()
    };
    let corners = if along == [0.0; 2] {
        first.corners.clone()
    } else {
        [outer(&first, a, -1.0), outer(&second, b, 1.0)].concat()
    };
    Face { corners, light: 1.0, marks: [first.marks, second.marks].concat() }
}
