//! What rests is held: the impulses without which no contact would open, close or slide solve the problem of bodies at rest,
//! where they lie within the cones.
//!
//! Where many impulses would do, a proximal term chooses the least. One factorisation serves: each solution takes what the one
//! before left, as a proximal point method does. A guess from the impulses of the step before would be as near, but with it a step
//! would depend on more than the state.

use nalgebra::{SMatrix, SVector};

use super::linear::LinearSystem;
use crate::contact::scaled::Operator;

/// Contacts from which on they are held: of fewer what comes otherwise takes little longer.
const FROM: usize = 12;
/// The share of the tolerance that is left: what steps leave open adds up where they all leave the same.
const SHARE: f64 = 1e-2;
/// The proximal term.
const DELTA: f64 = 1e-9;
/// Solutions with one factorisation.
const MOST: u32 = 6;
/// The residual of the first one from which on some impulse lies outside its cone.
const FAR: f64 = 1e-3;

/// Room for the solution.
#[derive(Debug, Clone, Default)]
pub(in crate::contact) struct HeldContacts<const D: usize> {
    blocks: Vec<SMatrix<f64, D, D>>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
}

impl<const D: usize> HeldContacts<D> {
    /// Holds all contacts of `system`, from impulses `r` of zero and their velocities `u`; whether that solves the problem, to a
    /// share of the tolerance. Few contacts, and links with bounds, are left alone.
    pub fn solve(
        &mut self,
        system: &mut impl LinearSystem<D>,
        (r, u): (&mut [SVector<f64, D>], &mut [SVector<f64, D>]),
        tolerance: f64,
    ) -> bool {
        if r.len() < FROM || system.operator().has_bounded_links() {
            return false;
        }
        system.leave_path_of_links(true);
        self.blocks.clear();
        self.blocks.resize(r.len(), SMatrix::identity() / DELTA);
        self.dr.resize(r.len(), SVector::zeros());
        self.du.resize(r.len(), SVector::zeros());
        if !system.factor(&self.blocks, DELTA) {
            return false;
        }
        let mut most = FAR;
        for _ in 0..MOST {
            self.e.clear();
            self.e.extend(u.iter().map(|u| -u / DELTA));
            system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
            r.iter_mut().zip(&self.dr).for_each(|(r, dr)| *r += dr);
            system.advance_links(1.0);
            system.operator_mut().velocities(r, u);
            let residual = system.operator().residuals(r, u).max();
            if residual <= SHARE * tolerance {
                return true;
            }
            if residual.is_nan() || residual > most {
                return false;
            }
            most = 0.5 * residual;
        }
        false
    }
}
