//! Friction in the solves of a stage, where its coefficients depend on how the contacts slip.

use nalgebra::SVector;

use super::{StepProblem, Touch};
use crate::contact::{FrictionPass, Solution};

/// Part of the largest approach of a step below which a contact neither presses nor slips.
const SLIGHT: f64 = 1e-6;

/// The contacts of a stage whose friction has more than one coefficient.
#[derive(Debug, Clone, Default)]
pub(super) struct FrictionPasses<const D: usize> {
    contacts: Vec<Slipping<D>>,
}

#[derive(Debug, Clone)]
struct Slipping<const D: usize> {
    /// Which contact it is.
    index: usize,
    /// As the stage begins.
    first: FrictionPass<D>,
    /// In the next solve.
    pass: FrictionPass<D>,
}

impl<const D: usize> FrictionPasses<D> {
    /// Takes up the contacts of a step whose friction depends on how they slip; `velocities` are those of the bodies at
    /// its start. A slip counts as rest up to `mu_s` times the speed in m/s from which on a contact hits.
    pub fn take<const N: usize>(
        &mut self,
        touches: &[Touch<D, N>],
        velocities: &[SVector<f64, N>],
        impact_speed: f64,
    ) {
        self.contacts.clear();
        for (index, touch) in touches.iter().enumerate() {
            let friction = touch.surface.friction;
            if friction.depends_on_slip() {
                let zone = friction.static_coefficient() * impact_speed;
                let first = FrictionPass::first(&touch.relative_velocity(velocities), zone);
                self.contacts.push(Slipping { index, first, pass: first });
            }
        }
    }

    /// Leaves these contacts with what they have.
    pub fn leave(&mut self, is_left: impl Fn(usize) -> bool) {
        self.contacts.retain(|contact| !is_left(contact.index));
    }
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Sets the coefficients of the first solve of a stage.
    pub(super) fn begin_friction(&mut self) {
        let Self { touches, contact: problem, passes, .. } = self;
        for Slipping { index, first, pass } in &mut passes.contacts {
            *pass = *first;
            problem.contacts[*index].friction = touches[*index].surface.friction.coefficient(pass.hold);
        }
    }

    /// Sets the coefficients that follow from a solve; whether there has to be another one.
    pub(super) fn revise_friction(&mut self, solution: &Solution<D, N>) -> bool {
        if self.passes.contacts.is_empty() {
            return false;
        }
        let slight = SLIGHT * self.largest_approach();
        let Self { touches, contact: problem, passes, .. } = self;
        let mut is_changed = false;
        for Slipping { index, pass, .. } in &mut passes.contacts {
            let (touch, contact) = (&touches[*index], &problem.contacts[*index]);
            let response = problem.delassus_trace(contact) / D as f64;
            let after = touch.relative_velocity(&solution.velocity);
            let presses = response * solution.impulses[*index][0] > slight;
            if presses && after.rows_range(1..).norm() > slight && pass.decide(&after) {
                problem.contacts[*index].friction = touch.surface.friction.coefficient(pass.hold);
                is_changed = true;
            }
        }
        is_changed
    }

    /// The largest relative velocity in m/s that the bodies have at a contact without impulses, the bias included.
    fn largest_approach(&self) -> f64 {
        let approaches = self.touches.iter().zip(&self.contact.contacts).map(|(touch, contact)| {
            let mut approach = touch.relative_velocity(&self.contact.free_velocity);
            approach[0] += contact.bias;
            approach.amax()
        });
        approaches.fold(0.0, f64::max)
    }
}
