//! How contacts share what they carry, where that is open and decides on the motion.
//!
//! A face that slides and turns has its friction along another direction at each of its corners. How four of them share the
//! weight is open, and with it how fast the face is slowed down. A solver takes one of the solutions: at the centre of
//! them all, or near the loads of the step before, or with a corner without load; the derivative of the equations says
//! nothing of which. It takes the least change. Beside it another rule is followed here, that solvers come closer to: while
//! the same contacts carry, what is open stays as it was; where others come to carry, the relative changes of
//! their loads are least, as at the centre. Where both give the same, it is no matter how the loads are shared.

use nalgebra::{DMatrix, DVector, SVector};

use super::taken::TakenStage;
use crate::{contact::Branch, world::Partner};

/// Part of an open impulse, as a velocity, that a relative velocity which it makes counts from.
const MOVES: f64 = 1e-8;

/// Loads that a stage leaves open: changes of the impulses that all its equations admit, and that change velocities.
#[derive(Debug, Clone)]
pub struct OpenLoads {
    /// Impulses in N s, a column per open direction.
    impulses: DMatrix<f64>,
    /// The velocities of the bodies that they make.
    velocity: DMatrix<f64>,
    /// The combinations of the equations that say nothing, as many.
    idle: DMatrix<f64>,
}

impl OpenLoads {
    /// Of open `directions` of the impulses in m/s, which are these impulses and make this velocity; `None` where the
    /// contacts do not move by them.
    pub fn new(
        directions: &DMatrix<f64>,
        velocity: DMatrix<f64>,
        impulses: DMatrix<f64>,
        idle: DMatrix<f64>,
        jacobian: &DMatrix<f64>,
    ) -> Option<Self> {
        let moved = jacobian * &velocity;
        let moves = (0..directions.ncols())
            .any(|column| moved.column(column).amax() > MOVES * directions.column(column).amax());
        moves.then_some(Self { impulses, velocity, idle })
    }
}

/// The derivative of the loads of a step, and of which contacts.
#[derive(Debug, Clone)]
pub struct LoadRates {
    contacts: Vec<(usize, Partner, Branch)>,
    impulses: DMatrix<f64>,
}

impl LoadRates {
    /// The derivative of the velocities, that of the equations with the least change, and of the impulses where the
    /// loads of a stage go on from those of the step `before`.
    pub fn follow<const D: usize, const N: usize>(
        stage: &TakenStage<'_, D, N>,
        open: Option<&OpenLoads>,
        (velocity, impulses): (DMatrix<f64>, DMatrix<f64>),
        before: Option<&Self>,
    ) -> (DMatrix<f64>, Self) {
        let of_contact = |(touch, law): (&crate::world::Touch<D, N>, &crate::contact::LinearLaw<D>)| {
            (touch.first, touch.second, law.branch)
        };
        let contacts: Vec<_> = stage.problem.touches.iter().zip(&stage.laws).map(of_contact).collect();
        let Some(open) = open else { return (velocity, Self { contacts, impulses }) };
        let before = before.filter(|before| before.contacts == contacts);
        let (weights, missed) = match before {
            Some(before) => (DVector::from_element(impulses.nrows(), 1.0), &before.impulses - &impulses),
            None => (relative(&stage.solution.impulses, impulses.nrows()), -&impulses),
        };
        let weighed = |mut rows: DMatrix<f64>| {
            for (mut row, weight) in rows.row_iter_mut().zip(weights.iter()) {
                row *= *weight;
            }
            rows
        };
        let own = open.idle.tr_mul(&weighed(open.impulses.clone()));
        let Some(share) = own.lu().solve(&open.idle.tr_mul(&weighed(missed))) else {
            return (velocity, Self { contacts, impulses });
        };
        let velocity = velocity + &open.velocity * &share;
        let impulses = impulses + &open.impulses * share;
        (velocity, Self { contacts, impulses })
    }
}

/// One over the square of the load of each contact, for each of its components.
fn relative<const D: usize>(impulses: &[SVector<f64, D>], rows: usize) -> DVector<f64> {
    let heaviest = impulses.iter().map(|impulse| impulse[0]).fold(0.0, f64::max);
    DVector::from_fn(rows, |row, _| match impulses.get(row / D) {
        Some(impulse) if impulse[0] > 0.0 => (heaviest / impulse[0]).powi(2),
        _ => 1.0,
    })
}
