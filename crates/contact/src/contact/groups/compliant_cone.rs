//! The cone of a contact with groups in the norm of a regularisation, as convex programs of compliant contact take it.

use std::ops::Range;

use nalgebra::SMatrix;

use super::{GROUPS, ROWS, Rows, Weights, group_norm, project, projection_derivative};
use crate::convex::{Cone, Projection, Region};

/// The cone `K = {|r_g| <= r_n for both groups}` of scaled rows, under the norm of a regularisation that is the same for all
/// rows of a group. Vectors hold the tangential rows first and the normal one last, as convex programs do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompliantCone {
    regularization: Weights,
}

impl CompliantCone {
    /// From the regularisation of the normal row and those of the rows of both groups, all positive, in 1/kg.
    pub fn new(normal: f64, groups: [f64; 2]) -> Self {
        Self { regularization: Weights::new([normal, groups[0], groups[1]]) }
    }
}

/// The rows of a group where the tangential ones come first.
pub fn tangential_rows(group: usize) -> Range<usize> {
    let Range { start, end } = GROUPS[group];
    start - 1..end - 1
}

/// Tangential rows first.
fn normal_last(x: &Rows) -> Rows {
    Rows::from_fn(|row, _| x[(row + 1) % ROWS])
}

/// The normal row first.
fn normal_first(x: &Rows) -> Rows {
    Rows::from_fn(|row, _| x[(row + ROWS - 1) % ROWS])
}

impl Cone<ROWS> for CompliantCone {
    const IS_PIECEWISE_LINEAR: bool = false;

    fn blank() -> Self {
        Self { regularization: Weights::EVEN }
    }

    fn is_valid(&self) -> bool {
        let rows = self.regularization.of_rows();
        rows.iter().all(|r| r.is_normal() && *r > 0.0 && (1.0 / r).is_finite())
    }

    fn friction(&self) -> f64 {
        1.0
    }

    fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        (0..GROUPS.len()).map(tangential_rows)
    }

    fn scale(&self, x: &Rows) -> Rows {
        x.component_mul(&normal_last(&self.regularization.of_rows()))
    }

    fn unscale(&self, x: &Rows) -> Rows {
        x.component_div(&normal_last(&self.regularization.of_rows()))
    }

    fn project(&self, y: &Rows) -> Projection<ROWS> {
        let free = normal_first(y);
        let projected = project(&free, &self.regularization);
        let sticks = (0..GROUPS.len()).all(|group| group_norm(&free, group) <= free[0]);
        let region = match projected[0] > 0.0 {
            false => Region::Open,
            true if sticks => Region::Stick,
            true => Region::Slide,
        };
        Projection { impulse: normal_last(&projected), region }
    }

    fn stiffness(&self, y: &Rows, _projection: &Projection<ROWS>) -> SMatrix<f64, ROWS, ROWS> {
        let derivative = projection_derivative(&normal_first(y), &self.regularization);
        let regularization = self.regularization.of_rows();
        SMatrix::from_fn(|i, j| {
            let (row, column) = ((i + 1) % ROWS, (j + 1) % ROWS);
            derivative[(row, column)] / regularization[column]
        })
    }

    fn is_one_piece(&self, _start: (&Rows, &Projection<ROWS>), _end: &Rows) -> bool {
        false
    }

    fn crossings(&self, _start: &Rows, _direction: &Rows) -> [f64; 4] {
        [f64::NAN; 4]
    }
}
