//! What rests is solved from the impulses of the problem before: where no bodies come to touch and none begins to slip, these
//! miss the next problem by little, and Newton's method on the natural map takes them the rest of the way.
//!
//! Only the residual decides whether they serve. They come from the middle of the solutions, where a path ends: those at a vertex
//! may flip from step to step.

use nalgebra::SVector;

use super::{body_lu::BodySystem, path::Path};
use crate::contact::{Accuracy, Report, Solution};

/// Contacts from which on impulses are kept: fewer take no longer by the path.
const FROM: usize = 8;
/// The residual of the impulses before up to which they are taken up.
const NEAR: f64 = 1e-3;
/// The share of the tolerance that they have to meet, unless the path that led to them left more: what steps leave open adds up
/// where they all leave the same open.
const ENOUGH: f64 = 1e-2;
/// What rounding leaves of a velocity, in units of the largest impulse.
const ROUNDING: f64 = 20.0 * f64::EPSILON;
/// Iterations of Newton's method; where it takes more, the path is as good.
const MOST: u32 = 3;

/// The impulses of a problem that was solved, as they were given out.
#[derive(Debug, Clone, Default)]
pub(super) struct Rest<const D: usize> {
    impulses: Vec<SVector<f64, D>>,
    link_impulses: Vec<f64>,
    /// The weights of the path that led to them, `p/g` where it began.
    rho: Vec<f64>,
    /// The residual that the path left.
    left: f64,
}

impl<const D: usize> Rest<D> {
    /// Solves `system` from what is kept, if that is near, and gives the iterations; the impulses are then in the path.
    pub fn resume<const N: usize>(
        &self,
        system: &mut BodySystem<D, N>,
        path: &mut Path<D>,
        tolerance: f64,
    ) -> Option<u32> {
        let operator = &mut system.operator;
        let contacts = operator.contacts.len();
        let fits = [self.impulses.len(), self.rho.len()] == [contacts; 2];
        if contacts < FROM || !fits || self.link_impulses.len() != operator.links.len() {
            return None;
        }
        operator.scale((&self.impulses, &self.link_impulses), &mut path.r);
        let largest = path.r.iter().map(|r| r.amax()).fold(0.0, f64::max);
        let enough = (ENOUGH * tolerance).max(self.left).max(ROUNDING * largest).min(tolerance);
        path.resume(system, &self.rho, (NEAR, enough, MOST))
    }

    /// Keeps the impulses of a problem that was solved to the tolerance, with the weights of the path; `is_resumed` says that they
    /// come from those that were kept.
    pub fn keep<const N: usize>(
        &mut self,
        report: &Report,
        solution: &Solution<D, N>,
        (rho, is_resumed): (&[f64], bool),
    ) {
        if report.accuracy != Accuracy::Certified || solution.impulses.len() < FROM {
            self.forget();
            return;
        }
        if !is_resumed {
            self.left = report.residuals.max();
        }
        self.impulses.clone_from(&solution.impulses);
        self.link_impulses.clone_from(&solution.link_impulses);
        self.rho.clear();
        self.rho.extend_from_slice(rho);
    }

    /// Keeps nothing.
    pub fn forget(&mut self) {
        self.impulses.clear();
    }

    /// As numbers: a count of contacts, the residual that the path left, their impulses and weights, the impulses of links.
    pub fn memory(&self) -> Vec<f64> {
        if self.impulses.is_empty() {
            return Vec::new();
        }
        let mut memory = vec![self.impulses.len() as f64, self.left];
        memory.extend(self.impulses.iter().flatten());
        memory.extend(&self.rho);
        memory.extend(&self.link_impulses);
        memory
    }

    /// Takes such numbers; those that do not fit count as none.
    pub fn restore(&mut self, memory: &[f64]) {
        self.forget();
        let [contacts, left, ref numbers @ ..] = *memory else { return };
        let contacts = contacts.max(0.0) as usize;
        let Some((impulses, numbers)) = numbers.split_at_checked(contacts.saturating_mul(D)) else { return };
        let Some((rho, link_impulses)) = numbers.split_at_checked(contacts) else { return };
        self.left = left;
        self.impulses.extend(impulses.chunks_exact(D).map(SVector::from_column_slice));
        self.rho = rho.to_vec();
        self.link_impulses = link_impulses.to_vec();
    }
}
