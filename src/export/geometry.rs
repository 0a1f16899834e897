use crate::{
    model::Vector,
    scenario::{Body, Shape},
    world::spatial,
};

/// Depth of what is planar, as a part of its size.
pub(super) const DEPTH: f64 = 0.2;

/// Thickness of a rod, as a part of its length.
pub(super) const ROD_THICKNESS: f64 = 1e-3;

/// Radius in m of the sphere that stands for a point.
pub(super) const POINT_RADIUS: f64 = 1e-3;

/// A solid in the axes of its body, in m.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Geometry {
    /// A sphere whose centre is `lift` above the origin.
    Sphere { radius: f64, lift: f64 },
    /// A cuboid of half widths.
    Cuboid { half: [f64; 3] },
    /// The convex hull of points.
    Hull { vertices: Vec<[f64; 3]> },
}

/// A vector in space: that of the plane has no y.
pub(super) fn in_space<const D: usize>(vector: &Vector<D>) -> [f64; 3] {
    if D == 2 { [vector[0], 0.0, vector[1]] } else { [vector[0], vector[1], vector[2]] }
}

impl Geometry {
    /// The solid of a body, and what is not the same about it.
    pub fn of<const D: usize>(body: &Body<D>) -> (Self, Option<String>) {
        match &body.shape {
            Shape::Point => {
                let note = format!(
                    "a point: it becomes the lowest point of a sphere of {POINT_RADIUS} m, since these formats have no points"
                );
                (Self::Sphere { radius: POINT_RADIUS, lift: POINT_RADIUS }, Some(note))
            }
            Shape::Box { size } if D == 2 => {
                let depth = DEPTH * size[0].max(size[1]);
                (Self::Cuboid { half: [0.5 * size[0], 0.5 * depth, 0.5 * size[1]] }, None)
            }
            Shape::Box { size } => {
                let half = in_space(size).map(|width| 0.5 * width);
                (Self::Cuboid { half }, None)
            }
            Shape::Rod { length } => {
                let thickness = ROD_THICKNESS * length;
                let half = [0.5 * length, 0.5 * DEPTH * length, 0.5 * thickness];
                let note = format!("a rod without thickness: it is a plate {thickness} m thick");
                (Self::Cuboid { half }, Some(note))
            }
            Shape::Ball { radius } => {
                let note = (D == 2).then(|| {
                    "a disc: it is a sphere, whose section in the plane of motion is the same".to_owned()
                });
                (Self::Sphere { radius: *radius, lift: 0.0 }, note)
            }
            Shape::Hull { vertices } if D == 2 => {
                (Self::Hull { vertices: extruded(&about_centre(vertices)) }, None)
            }
            Shape::Hull { vertices } => {
                // Where they count from is for the body to say: from the centroid, unless it has an inertia.
                let vertices = match body.solid() {
                    Some(Ok(spatial::Shape::Hull(hull))) => {
                        hull.corners().iter().map(|&corner| corner.into()).collect()
                    }
                    _ => vertices.iter().map(in_space).collect(),
                };
                (Self::Hull { vertices }, None)
            }
        }
    }
}

/// The corners of a polygon about its centre of mass, as the scenario means them.
fn about_centre<const D: usize>(corners: &[Vector<D>]) -> Vec<[f64; 2]> {
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    for (index, a) in corners.iter().enumerate() {
        let b = &corners[(index + 1) % corners.len()];
        let cross = a[0] * b[1] - a[1] * b[0];
        area += cross;
        moment = [moment[0] + (a[0] + b[0]) * cross, moment[1] + (a[1] + b[1]) * cross];
    }
    let centre = moment.map(|part| part / (3.0 * area));
    corners.iter().map(|corner| [corner[0] - centre[0], corner[1] - centre[1]]).collect()
}

fn extruded(corners: &[[f64; 2]]) -> Vec<[f64; 3]> {
    let size = corners.iter().flatten().fold(0.0, |size: f64, part| size.max(part.abs()));
    let ends = [-0.5 * DEPTH * size, 0.5 * DEPTH * size];
    ends.iter().flat_map(|&y| corners.iter().map(move |&[x, z]| [x, y, z])).collect()
}

/// The outline in x and z of what is extruded along y, and its depth in m.
pub(super) fn in_plane_outline(vertices: &[[f64; 3]]) -> (Vec<[f64; 2]>, f64) {
    let front = vertices.first().map_or(0.0, |vertex| vertex[1]);
    let outline = vertices.iter().filter(|vertex| vertex[1] == front).map(|&[x, _, z]| [x, z]);
    (outline.collect(), 2.0 * front.abs())
}
