//! The velocities of joined bodies at an impact.
//!
//! Joints turn as bodies move. A step solves with their directions at its start, `L_(k-1) v_k + phi_(k-1)/dt = 0`, so that the next one,
//! with `L_k`, finds velocities that its joints do not allow, by the turn of a step, and has the way go on by a rate
//! `-phi_k/dt` that makes up for it. A blow that took such velocities for those of the bodies would reflect an approach that is not theirs,
//! and make or take energy of the first order in the step. It begins with what the joints allow, and what makes up comes on top of what it
//! leaves:
//!
//! ```text
//! v' = v_k + M^-1 L' l,    L v' = 0              the blows begin with J v'
//! v_b = M^-1 L' l_b,       L v_b = -phi/dt       what is left to solve ends with v'' + v_b behind the blows
//! ```
//!
//! `v'' M v_b = l_b L v'' = 0`: the second does no work on what the blows leave, and its own energy is of the second order.

use nalgebra::{DMatrix, SVector};

use super::StepProblem;
use crate::contact::ContactProblem;

/// What rigid joints do to velocities before and behind an impact.
#[derive(Debug, Clone)]
pub struct JointDirections<const N: usize> {
    /// The pseudo-inverse of `L M^-1 L' + C` of the rigid links; rows and columns of others are zero.
    pub elimination: DMatrix<f64>,
    /// `v' - v_k`, and the impulses of the links that lead there.
    pub allowed: (Vec<SVector<f64, N>>, Vec<f64>),
    /// `v_b`, and those of it.
    pub made_up: (Vec<SVector<f64, N>>, Vec<f64>),
}

impl<const N: usize> JointDirections<N> {
    /// `v'`, from the velocities `before` the step.
    pub fn start(&self, before: &[SVector<f64, N>]) -> Vec<SVector<f64, N>> {
        before.iter().zip(&self.allowed.0).map(|(before, allowed)| before + allowed).collect()
    }
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Those of a `part` of the problem, or all of it, at these velocities of its bodies; `number` says which link of the problem one
    /// of the part is. `None` where none is rigid.
    pub fn joint_directions(
        &self,
        part: &ContactProblem<D, N>,
        number: impl Fn(usize) -> usize,
        before: &[SVector<f64, N>],
    ) -> Option<JointDirections<N>> {
        let is_rigid = |own: usize| self.is_rigid(number(own));
        if !(0..part.links.len()).any(is_rigid) {
            return None;
        }
        let driven = |own: usize| self.joints.driven_rates().get(number(own)).copied().unwrap_or(0.0);
        let elimination = part.elimination_of(|own, _| is_rigid(own));
        let rates = part.links.iter().enumerate().map(|(own, link)| link.rate(before) + driven(own));
        let allowed = part.undo_rates(&elimination, rates);
        let biases = part.links.iter().enumerate().map(|(own, link)| link.bias - driven(own));
        let made_up = part.undo_rates(&elimination, biases);
        Some(JointDirections { elimination, allowed, made_up })
    }
}
