use nalgebra::{Point2, Vector3};

use super::{
    Inertia, Part,
    part::{outline_of, solid_of},
};
use crate::{
    model::Vector,
    world::{planar, spatial},
};

/// The shape of a body, about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape<const D: usize> {
    /// A point, or a particle: it touches where it is and does not turn.
    Point,
    /// A rectangle in the plane, a cuboid in space, of full widths in m along its own axes.
    Box {
        /// The widths.
        size: Vector<D>,
    },
    /// A thin rod along its own x axis; in the plane only.
    Rod {
        /// Length in m.
        length: f64,
    },
    /// A disc in the plane, a sphere in space.
    Ball {
        /// Radius in m.
        radius: f64,
    },
    /// All points within a radius of a segment along its own z axis; in space only.
    Capsule {
        /// Radius in m.
        radius: f64,
        /// Length of the segment in m.
        length: f64,
    },
    /// A cylinder along its own z axis, in space only.
    Cylinder {
        /// Radius in m.
        radius: f64,
        /// Height in m.
        length: f64,
    },
    /// A convex polygon in the plane, the convex hull of points in space.
    Hull {
        /// Its corners in m, in the plane counter-clockwise, wherever their origin is. Those of a polyhedron
        /// whose inertia is given count from its centre of mass.
        vertices: Vec<Vector<D>>,
    },
    /// Convex parts that are fixed to each other, in axes of their own. The body's are parallel to these, about the common
    /// centre of mass, or, where its inertia is given, these themselves.
    Compound {
        /// The parts, at least one.
        parts: Vec<Part<D>>,
    },
}

impl<const D: usize> Shape<D> {
    /// The word that scenario files use.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Box { .. } => "box",
            Self::Rod { .. } => "rod",
            Self::Ball { .. } => {
                if D == 2 {
                    "disc"
                } else {
                    "sphere"
                }
            }
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Hull { .. } => {
                if D == 2 {
                    "polygon"
                } else {
                    "polyhedron"
                }
            }
            Self::Compound { .. } => "compound",
        }
    }

    /// The size in m that distances are compared with: the largest width of a box, the length of a rod, the
    /// radius of a disc or sphere, the reach of a body of parts, of other bodies the largest extent along their own axes.
    /// `None` for a point.
    pub fn size(&self) -> Option<f64> {
        match self {
            Self::Point => None,
            Self::Box { size } => Some(size.max()),
            Self::Rod { length } => Some(*length),
            Self::Ball { radius } => Some(*radius),
            Self::Capsule { radius, length } => Some(length + 2.0 * radius),
            Self::Cylinder { radius, length } => Some(length.max(2.0 * radius)),
            Self::Hull { vertices } => {
                let extent = |axis: usize| {
                    let values = || vertices.iter().map(|vertex| vertex[axis]);
                    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
                };
                Some((0..D).map(extent).fold(0.0, f64::max))
            }
            Self::Compound { .. } => {
                let in_plane = self.outline(false).and_then(Result::ok).map(|shape| shape.reach());
                in_plane.or_else(|| Some(self.solid(false)?.ok()?.reach()))
            }
        }
    }

    /// The outline in the plane; `None` for a point, and in space. Parts count from their centre of mass, or as they are
    /// given where the centre of mass is their origin.
    ///
    /// # Errors
    /// [`planar::ShapeError`] if the numbers make no shape.
    pub fn outline(&self, centred: bool) -> Option<Result<planar::Shape, planar::ShapeError>> {
        if D != 2 {
            return None;
        }
        let plane = |vertex: &Vector<D>| Point2::new(vertex[0], vertex[1]);
        Some(match self {
            Self::Point => return None,
            Self::Box { size } => planar::Shape::rectangle(size[0], size[1]),
            Self::Rod { length } => planar::Shape::rod(*length),
            Self::Ball { radius } => planar::Shape::disc(*radius),
            Self::Capsule { .. } | Self::Cylinder { .. } => return None,
            Self::Hull { vertices } => {
                planar::Shape::polygon(&vertices.iter().map(plane).collect::<Vec<_>>())
            }
            Self::Compound { parts } => outline_of(parts, centred),
        })
    }

    /// The shape in space; `None` for a point, and in the plane. The corners of a polyhedron, and parts, count from the
    /// centre of mass, or as they are given where the centre of mass is their origin.
    ///
    /// # Errors
    /// [`spatial::ShapeError`] if the numbers make no shape.
    pub(crate) fn solid(&self, centred: bool) -> Option<Result<spatial::Shape, spatial::ShapeError>> {
        if D != 3 {
            return None;
        }
        let vector = |vertex: &Vector<D>| Vector3::from_fn(|i, _| vertex[i.min(D - 1)]);
        Some(match self {
            Self::Point | Self::Rod { .. } => return None,
            Self::Box { size } => spatial::Shape::cuboid(vector(size).into()),
            Self::Ball { radius } => spatial::Shape::sphere(*radius),
            Self::Capsule { radius, length } => spatial::Shape::capsule(*radius, *length),
            Self::Cylinder { radius, length } => spatial::Shape::cylinder(*radius, *length),
            Self::Hull { vertices } => {
                let vertices: Vec<_> = vertices.iter().map(vector).collect();
                if centred {
                    spatial::Shape::polyhedron_about_origin(&vertices)
                } else {
                    spatial::Shape::polyhedron(&vertices)
                }
            }
            Self::Compound { parts } => solid_of(parts, centred),
        })
    }

    /// Moment of inertia of a body of `mass` kg about its centre of mass, uniform or of parts that share it as they weigh;
    /// `None` for a point, and where the numbers make no shape.
    pub fn uniform_inertia(&self, mass: f64) -> Option<Inertia> {
        if let Some(outline) = self.outline(false) {
            return Some(Inertia::Plane(outline.ok()?.inertia(mass)));
        }
        if let Self::Box { size } = self {
            let square = |axis: usize| size[axis % 3].powi(2);
            let about = |axis: usize| mass * (square(axis + 1) + square(axis + 2)) / 12.0;
            return Some(Inertia::principal([about(0), about(1), about(2)]));
        }
        Some(Inertia::Space(self.solid(false)?.ok()?.inertia(mass)))
    }

    /// Area in m^2 in the plane, volume in m^3 in space; 0 for a rod, and where the numbers make no shape.
    pub fn extent(&self) -> f64 {
        let in_plane = self.outline(false).and_then(Result::ok).map(|shape| shape.area());
        in_plane.or_else(|| Some(self.solid(false)?.ok()?.volume())).unwrap_or(0.0)
    }

    /// Whether it is one of those that there are in space only.
    pub(super) fn is_spatial(&self) -> bool {
        matches!(self, Self::Capsule { .. } | Self::Cylinder { .. })
    }
}
