//! Steps at whose end joints are closed.
//!
//! A joint is held by the tangent of what it is off, `L v+ + phi(q_k)/dt = 0`, and bends away from it as bodies turn: an arm of the
//! length l that turns at w is `l w^2 dt^2/2` off its length, in every step anew. Solved again with what is left at the end,
//!
//! ```text
//! bias <- bias + phi(q_k + dt v+)/dt,    until phi(q_k+1) = 0
//! ```
//!
//! which is Newton's method on `phi(q_k+1) = 0` with the directions at the start, it ends closed to rounding.

use nalgebra::SVector;

use super::{
    Motion, StepProblem, World,
    time_stepper::{StepFailure, StepReport, stage},
};
use crate::contact::{ContactModel, Solution};

/// Where a step leaves its joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JointClosing {
    /// Off by what bends away from their tangents, of the second order in the step; it is made up for in the next one.
    #[default]
    Linear,
    /// Closed to rounding, by solving the step again.
    Closed,
}

/// What a joint may be off by at the end, in m or rad, and in units of the lengths that it is the difference of where these are larger.
const CLOSED: f64 = 2e-13;

/// Solves beyond the first, each of which leaves about `w dt` of what was left before.
const MOST_CLOSINGS: u32 = 8;

/// Solves `problem` again until its rigid joints are closed where `solution` moves the bodies.
///
/// # Errors
/// [`StepFailure`] where a solve fails.
pub(super) fn close<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    model: &mut dyn ContactModel<D, N>,
    (problem, solution): (&mut StepProblem<D, N>, &mut Solution<D, N>),
    (world, motion): (&W, &Motion<W::Pose, N>),
) -> Result<StepReport, StepFailure> {
    let mut report = StepReport::FREE;
    let rigid: Vec<usize> = (0..problem.contact.links.len()).filter(|link| problem.is_rigid(*link)).collect();
    if rigid.is_empty() {
        return Ok(report);
    }
    let dt = problem.contact.time_step;
    let size = rigid.iter().map(|link| dt * problem.contact.links[*link].terms).fold(1.0, f64::max);
    let mut left = f64::INFINITY;
    for _ in 0..MOST_CLOSINGS {
        let off = rates_at_end(problem, &solution.velocity, (world, motion));
        let most = rigid.iter().map(|link| dt * off[*link].abs()).fold(0.0, f64::max);
        // What does not come nearer is rounding, or bodies that no motion of these directions closes.
        if most <= CLOSED * size || most >= left {
            break;
        }
        left = most;
        for link in &rigid {
            problem.contact.links[*link].bias += off[*link];
        }
        solution.velocity.clone_from(&motion.velocities);
        solution.is_guess = false;
        report = report.and(&stage(model, problem, solution, false)?);
    }
    Ok(report)
}

/// `phi/dt` of the links where these velocities lead.
fn rates_at_end<W: World<D, N> + ?Sized, const D: usize, const N: usize>(
    problem: &StepProblem<D, N>,
    velocities: &[SVector<f64, N>],
    (world, motion): (&W, &Motion<W::Pose, N>),
) -> Vec<f64> {
    let dt = problem.contact.time_step;
    let poses = motion.poses.iter().zip(velocities).enumerate();
    let poses = poses.map(|(body, (pose, velocity))| world.advance(body, pose, velocity, dt)).collect();
    let end = Motion { poses, velocities: velocities.to_vec() };
    let mut links = Vec::new();
    world.links(&end, dt, &mut problem.joints.clone(), &mut links);
    links.iter().map(|link| link.bias).collect()
}
