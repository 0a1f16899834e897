use nalgebra::Vector2;

use super::{Pose, Shape};

/// The outline of a body at its pose, in the world's axes.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// Corners, counter-clockwise.
    Polygon(Vec<Vector2<f64>>),
    /// A disc.
    Disc { centre: Vector2<f64>, radius: f64 },
}

/// A side of a polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub start: Vector2<f64>,
    pub end: Vector2<f64>,
    /// Outward unit normal.
    pub normal: Vector2<f64>,
}

impl Outline {
    /// The outline of `shape` at `pose`.
    pub fn at(shape: &Shape, pose: &Pose) -> Self {
        match shape {
            Shape::Polygon(polygon) => {
                Self::Polygon(polygon.corners().iter().map(|corner| pose.transform(corner)).collect())
            }
            Shape::Disc { radius } => Self::Disc { centre: pose.position, radius: *radius },
        }
    }
}

/// The sides of a polygon in order; a rod has two, back to back.
pub(super) fn sides(corners: &[Vector2<f64>]) -> impl Iterator<Item = Side> + '_ {
    (0..corners.len()).map(|i| {
        let (start, end) = (corners[i], corners[(i + 1) % corners.len()]);
        let along = (end - start).normalize();
        Side { start, end, normal: Vector2::new(along.y, -along.x) }
    })
}

impl Side {
    /// Distance of `point` from the line of the side, positive outside.
    pub fn distance(&self, point: &Vector2<f64>) -> f64 {
        self.normal.dot(&(point - self.start))
    }
}
