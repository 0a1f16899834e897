use nalgebra::Point2;

use super::Inertia;
use crate::{model::Vector, world::planar};

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
    /// A convex polygon in the plane, the convex hull of points in space.
    Hull {
        /// Its corners in m, in the plane counter-clockwise. Those of a polygon count from its centre of
        /// mass, wherever their origin is; those of a polyhedron are given about it.
        vertices: Vec<Vector<D>>,
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
            Self::Hull { .. } => {
                if D == 2 {
                    "polygon"
                } else {
                    "polyhedron"
                }
            }
        }
    }

    /// The outline in the plane; `None` for a point, and in space.
    ///
    /// # Errors
    /// [`planar::ShapeError`] if the numbers make no shape.
    pub fn outline(&self) -> Option<Result<planar::Shape, planar::ShapeError>> {
        if D != 2 {
            return None;
        }
        let plane = |vertex: &Vector<D>| Point2::new(vertex[0], vertex[1]);
        Some(match self {
            Self::Point => return None,
            Self::Box { size } => planar::Shape::rectangle(size[0], size[1]),
            Self::Rod { length } => planar::Shape::rod(*length),
            Self::Ball { radius } => planar::Shape::disc(*radius),
            Self::Hull { vertices } => {
                planar::Shape::polygon(&vertices.iter().map(plane).collect::<Vec<_>>())
            }
        })
    }

    /// Moment of inertia of a uniform body of `mass` kg; `None` for a point, for a polyhedron and where
    /// the numbers make no shape.
    pub fn uniform_inertia(&self, mass: f64) -> Option<Inertia> {
        if let Some(outline) = self.outline() {
            return Some(Inertia::Plane(outline.ok()?.inertia(mass)));
        }
        match self {
            Self::Box { size } => {
                let square = |axis: usize| size[axis % 3].powi(2);
                let about = |axis: usize| mass * (square(axis + 1) + square(axis + 2)) / 12.0;
                Some(Inertia::principal([about(0), about(1), about(2)]))
            }
            Self::Ball { radius } => Some(Inertia::principal([0.4 * mass * radius * radius; 3])),
            Self::Point | Self::Rod { .. } | Self::Hull { .. } => None,
        }
    }
}
