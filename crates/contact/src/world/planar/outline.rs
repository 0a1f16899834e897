use nalgebra::Vector2;

use super::{Part, Polygon, Pose, Shape};
use crate::model::Real;

/// The outline of a part of a body at its pose, in the world's axes.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline<S: Real = f64> {
    /// Corners, counter-clockwise.
    Polygon(Vec<Vector2<S>>),
    /// A disc.
    Disc { centre: Vector2<S>, radius: f64 },
}

/// A side of a polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<S: Real> {
    pub start: Vector2<S>,
    pub end: Vector2<S>,
    /// Outward unit normal.
    pub normal: Vector2<S>,
}

impl<S: Real> Outline<S> {
    /// The outline of a part of `shape` at `pose`.
    pub fn at(shape: &Shape, part: usize, pose: &Pose<S>) -> Self {
        let placed = |polygon: &Polygon| {
            let corners = polygon.corners().iter();
            Self::Polygon(corners.map(|corner| pose.transform(&corner.map(S::constant))).collect())
        };
        match shape {
            Shape::Polygon(polygon) => placed(polygon),
            Shape::Compound(compound) => match &compound.parts()[part] {
                Part::Polygon(polygon) => placed(polygon),
                Part::Disc { centre, radius } => {
                    Self::Disc { centre: pose.transform(&centre.map(S::constant)), radius: *radius }
                }
            },
            Shape::Disc { radius } => Self::Disc { centre: pose.position, radius: *radius },
        }
    }
}

/// The sides of a polygon in order; a rod has two, back to back.
pub(super) fn sides<S: Real>(corners: &[Vector2<S>]) -> impl Iterator<Item = Side<S>> + '_ {
    (0..corners.len()).map(|i| {
        let (start, end) = (corners[i], corners[(i + 1) % corners.len()]);
        let along = (end - start).normalize();
        Side { start, end, normal: Vector2::new(along.y, -along.x) }
    })
}

impl<S: Real> Side<S> {
    /// Distance of `point` from the line of the side, positive outside.
    pub fn distance(&self, point: &Vector2<S>) -> S {
        self.normal.dot(&(point - self.start))
    }
}
