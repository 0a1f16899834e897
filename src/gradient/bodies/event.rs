//! The derivative of the motion through an event within a step.

use nalgebra::{DMatrix, DVector, RowDVector, SVector};

use super::{
    directions::Directions,
    linearisation::{Linearisation, StageRates},
    taken::TakenStage,
};
use crate::world::DifferentiableWorld;

/// Something that changes what accelerates the bodies, and maybe their velocities.
///
/// Up to it the bodies move as before it, and after it as it leaves them:
///
/// ```text
/// dq_i = dq + v dtau + tau dv,   dv_i = dv + a dtau
/// dv+ = R_q dq_i + R_v dv_i - a+ dtau,   dq+ = dq_i - v+ dtau + (dt - tau) dv+
/// ```
///
/// with the accelerations `a` under what holds before it and `a+` under what holds after it.
pub(super) struct Event<const N: usize> {
    /// `tau`: how long in s after the start of the step it is.
    pub tau: f64,
    /// `dtau`: by how much later it is, a column per direction.
    pub delay: RowDVector<f64>,
    /// `a`, stacked.
    pub before: DVector<f64>,
    /// `a+`, stacked.
    pub after: DVector<f64>,
    /// `v+`.
    pub velocities: Vec<SVector<f64, N>>,
}

/// The velocities of all bodies in one.
pub(super) fn stacked<const N: usize>(velocities: &[SVector<f64, N>]) -> DVector<f64> {
    let all = velocities.iter().flat_map(|velocity| velocity.iter().copied());
    DVector::from_iterator(N * velocities.len(), all)
}

impl<const N: usize> Event<N> {
    /// `dq_i`: the change of displacements at the event, where the bodies started with these velocities.
    pub fn displaced(&self, start: &[SVector<f64, N>], directions: &DMatrix<f64>) -> DMatrix<f64> {
        let n = N * start.len();
        directions.rows(0, n) + directions.rows(n, n) * self.tau + stacked(start) * &self.delay
    }
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of the motion through a step with an event, along the columns of `directions`: displacements and
    /// velocities at its end. `R` is the derivative of the step's own `stage`, at the changes `at_event`.
    pub fn through(
        &self,
        stage: &TakenStage<'_, D, N>,
        event: &Event<N>,
        (directions, mut at_event): (&DMatrix<f64>, DMatrix<f64>),
    ) -> DMatrix<f64> {
        let Self { taken, problem, n, .. } = *self;
        let dt = problem.contact.time_step;
        let start = &taken.motion.velocities;
        let hastened = directions.rows(n, n) + &event.before * &event.delay;
        at_event.rows_mut(n, n).copy_from(&hastened);
        let StageRates { velocity, .. } = self.stage(stage, &Directions::along(&at_event, self.inputs.len()));
        let velocity = velocity - &event.after * &event.delay;
        let moved = event.displaced(start, directions) - stacked(&event.velocities) * &event.delay
            + &velocity * (dt - event.tau);
        let mut change = DMatrix::zeros(2 * n, directions.ncols());
        // The axes of a body that turns are those of the end of the step.
        for (body, before) in start.iter().enumerate() {
            let (pose, after) = (&taken.motion.poses[body], &stage.solution.velocity[body]);
            let rates = taken.world.advance_rates(body, pose, after, dt);
            let turned = rates.pose * moved.fixed_rows::<N>(N * body);
            change.fixed_rows_mut::<N>(N * body).copy_from(&turned);
            let rates = taken.world.carried_rates(body, before, after, after, dt);
            let left = (rates.after + rates.moved) * velocity.fixed_rows::<N>(N * body)
                + rates.before * hastened.fixed_rows::<N>(N * body);
            change.fixed_rows_mut::<N>(n + N * body).copy_from(&left);
        }
        change
    }
}
