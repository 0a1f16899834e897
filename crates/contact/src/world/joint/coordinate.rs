use nalgebra::SVector;

use super::separation;
use crate::model::Real;

/// A coordinate of the anchors in each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate<const D: usize> {
    /// Their distance in m.
    Distance,
    /// How far in m the second lies from the first along this unit vector, which is fixed in the axes of the first.
    Along(SVector<f64, D>),
    /// The cosine between two unit vectors, one fixed in the axes of each.
    Cosine([SVector<f64, D>; 2]),
    /// The angle in rad by which a unit vector has turned in a plane.
    Angle {
        /// Which of the two carries the plane; the other one carries the vector.
        of: usize,
        /// Two orthogonal unit vectors in it: the angle counts from the first to the second.
        plane: [SVector<f64, D>; 2],
        /// The vector.
        line: SVector<f64, D>,
    },
}

impl<const D: usize> Coordinate<D> {
    /// Whether it is an angle, which turns by more than once.
    pub fn is_angle(&self) -> bool {
        matches!(self, Self::Angle { .. })
    }

    /// Whether it is a length, in m.
    pub fn is_length(&self) -> bool {
        matches!(self, Self::Distance | Self::Along(_))
    }

    /// Its value with the anchors at these `places`, where `turn` takes a vector of the axes of the first or of the second to
    /// those of the world. Angles are from -pi to pi.
    pub(super) fn value<S: Real>(
        &self,
        places: &[SVector<S, D>; 2],
        turn: impl Fn(usize, &SVector<f64, D>) -> SVector<S, D>,
    ) -> S {
        match self {
            Self::Distance => separation(&places[0], &places[1]).0,
            Self::Along(axis) => turn(0, axis).dot(&(places[1] - places[0])),
            Self::Cosine([first, second]) => turn(0, first).dot(&turn(1, second)),
            Self::Angle { of, plane: [start, next], line } => {
                let line = turn(1 - of, line);
                turn(*of, next).dot(&line).atan2(turn(*of, start).dot(&line))
            }
        }
    }

    /// How fast it grows: the rows for the velocities of the two, of which `moving` gives that of a point at an arm from the
    /// anchor, along a direction, and `turning` that of a vector that the one carries, along a direction.
    pub(super) fn rows<S: Real, const N: usize>(
        &self,
        places: &[SVector<S, D>; 2],
        turn: impl Fn(usize, &SVector<f64, D>) -> SVector<S, D>,
        moving: impl Fn(usize, &SVector<S, D>, &SVector<S, D>) -> SVector<S, N>,
        turning: impl Fn(usize, &SVector<S, D>, &SVector<S, D>) -> SVector<S, N>,
    ) -> [SVector<S, N>; 2] {
        let zero = SVector::zeros();
        match self {
            Self::Distance => {
                let (_, direction) = separation(&places[0], &places[1]);
                [moving(0, &zero, &direction), -moving(1, &zero, &direction)]
            }
            Self::Along(axis) => {
                let axis = turn(0, axis);
                // The direction turns with the first body, which the other anchor feels as one of its points.
                [-moving(0, &(places[1] - places[0]), &axis), moving(1, &zero, &axis)]
            }
            Self::Cosine([first, second]) => {
                let (first, second) = (turn(0, first), turn(1, second));
                [turning(0, &first, &second), turning(1, &second, &first)]
            }
            Self::Angle { of, plane, .. } => {
                let [start, next] = plane.map(|vector| turn(*of, &vector));
                let mut rows = [0, 1].map(|end| turning(end, &start, &next));
                rows[*of] = -rows[*of];
                rows
            }
        }
    }
}
