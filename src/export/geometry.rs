use crate::{
    model::Vector,
    scenario::{Body, Part, Shape},
    world::{planar, spatial},
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
    /// All points within a radius of a segment of a length along z.
    Capsule { radius: f64, length: f64 },
    /// A cylinder of a length along z.
    Cylinder { radius: f64, length: f64 },
    /// A cuboid of half widths.
    Cuboid { half: [f64; 3] },
    /// A polygon of corners in x and z, extruded along y to both sides by half of `depth`.
    Polygon { corners: Vec<[f64; 2]>, depth: f64 },
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
            Shape::Capsule { radius, length } => (Self::Capsule { radius: *radius, length: *length }, None),
            Shape::Cylinder { radius, length } => (Self::Cylinder { radius: *radius, length: *length }, None),
            Shape::Hull { vertices } if D == 2 => {
                // About the centre of mass, as the scenario means them.
                let corners: Vec<[f64; 2]> = match body.outline() {
                    Some(Ok(planar::Shape::Polygon(polygon))) => {
                        polygon.corners().iter().map(|&corner| corner.into()).collect()
                    }
                    _ => vertices.iter().map(|vertex| [vertex[0], vertex[1]]).collect(),
                };
                let size = corners.iter().flatten().fold(0.0, |size: f64, part| size.max(part.abs()));
                (Self::Polygon { corners, depth: DEPTH * size }, None)
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
            Shape::Compound { .. } => {
                // What a format that has one shape to a body makes of it.
                (Self::Sphere { radius: body.reach(), lift: 0.0 }, None)
            }
        }
    }

    /// The solid of a part of a body, and what is not the same about it.
    pub fn of_part<const D: usize>(part: &Part<D>) -> (Self, Option<String>) {
        Self::of(&Body { shape: part.shape.clone(), ..Body::default() })
    }

    /// The points of which it is the convex hull, where formats have no word for it.
    pub fn vertices(&self) -> Option<Vec<[f64; 3]>> {
        match self {
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Cylinder { .. } | Self::Cuboid { .. } => None,
            Self::Polygon { corners, depth } => Some(extruded(corners, *depth)),
            Self::Hull { vertices } => Some(vertices.clone()),
        }
    }
}

/// The corners in front and behind of what is extruded along y.
fn extruded(corners: &[[f64; 2]], depth: f64) -> Vec<[f64; 3]> {
    let ends = [-0.5 * depth, 0.5 * depth];
    ends.iter().flat_map(|&y| corners.iter().map(move |&[x, z]| [x, y, z])).collect()
}
