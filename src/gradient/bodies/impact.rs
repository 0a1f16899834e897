//! The derivative of the motion through an impact, in the place of that of the step in which it falls.

use nalgebra::{DMatrix, DVector, SVector};

use super::{
    accelerations::Instant,
    directions::Directions,
    stage::{Linearisation, StageRates},
    taken::TakenStage,
};
use crate::{contact::Branch, world::DifferentiableWorld};

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of the motion through a step with one impact, along the columns of `directions`: displacements and
    /// velocities at its end.
    ///
    /// The impact comes `tau = -phi/u_n` after the start and later by `dtau = -(dphi + tau du_n)/u_n`. Up to it the
    /// bodies move as they would without it, after it with the velocities of the second stage:
    ///
    /// ```text
    /// dq_i = dq + v dtau + tau dv,   dv_i = dv + a dtau
    /// dv+ = R_q dq_i + R_v dv_i - a+ dtau,   dq+ = dq_i - v+ dtau + (dt - tau) dv+
    /// ```
    ///
    /// with the accelerations `a` under what holds before the impact and `a+` under what holds after it.
    ///
    /// # Errors
    /// Why there is none: several contacts hit, or which of them hold is open.
    pub fn through_impact(
        &self,
        stage: &TakenStage<'_, D, N>,
        directions: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, String> {
        let TakenStage { laws, links, solution, .. } = stage;
        let Self { taken, problem: posed, n, .. } = *self;
        let problem = &posed.contact;
        let dt = problem.time_step;
        let hits: Vec<usize> = (0..laws.len())
            .filter(|index| posed.is_hit(*index) && laws[*index].branch != Branch::Open)
            .collect();
        let &[hit] = hits.as_slice() else {
            return Err(format!(
                "{} contacts hit in one step, and the order in which they do decides",
                hits.len()
            ));
        };
        let contact = &problem.contacts[hit];
        let touch = &posed.touches[hit];
        let speed = touch.relative_velocity(&taken.motion.velocities)[0];
        let tau = -touch.gap / speed;
        let resting: Vec<usize> =
            (0..laws.len()).filter(|index| *index != hit && posed.is_resting(*index)).collect();
        if (0..laws.len())
            .any(|index| index != hit && laws[index].branch != Branch::Open && !resting.contains(&index))
        {
            return Err("has an impact with which another contact closes, and the order decides".to_owned());
        }
        // What holds after the impact need not be what held before, nor what the impulse acted against: it may slide at
        // once that is stopped, and part at once that does not bounce.
        let rebounds = contact.bias < 0.0 && posed.bias_slopes(hit, false)[1] > 0.0;
        let stays = |index: &usize| posed.stays_closed(*index, &solution.velocity);
        let mut holding: Vec<usize> = resting.iter().copied().filter(stays).collect();
        if !rebounds {
            holding.push(hit);
        }
        let before = Instant { velocities: &taken.motion.velocities, touching: resting };
        let after = Instant { velocities: &solution.velocity, touching: holding };
        let [before, after] = [before, after].map(|at| self.accelerations(links, &at));
        let (before, after) = (before?, after?);
        // dphi and du_n.
        let given = Directions::along(directions, self.inputs.len());
        let [gap, approach] = self.gap_and_approach(hit, &given);
        let delay = (gap + approach * tau) * (-1.0 / speed);
        let stacked = |vectors: &[SVector<f64, N>]| {
            DVector::from_iterator(n, vectors.iter().flat_map(|vector| vector.iter().copied()))
        };
        let (v, v_after) = (stacked(&taken.motion.velocities), stacked(&solution.velocity));
        // Changes of displacement and velocity at the impact, and what follows from them.
        let displaced = directions.rows(0, n) + directions.rows(n, n) * tau + &v * &delay;
        let hastened = directions.rows(n, n) + &before * &delay;
        let mut at_impact = directions.clone();
        at_impact.rows_mut(0, n).copy_from(&displaced);
        at_impact.rows_mut(n, n).copy_from(&hastened);
        let StageRates { velocity, .. } =
            self.stage(stage, &Directions::along(&at_impact, self.inputs.len()));
        let velocity = velocity - &after * &delay;
        let moved = (displaced - &v_after * &delay) + &velocity * (dt - tau);
        let mut change = DMatrix::zeros(2 * n, directions.ncols());
        // The axes of a body that turns are those of the end of the step.
        for body in 0..n / N {
            let pose = &taken.motion.poses[body];
            let rates = taken.world.advance_rates(
                body,
                pose,
                &taken.motion.velocities[body],
                &solution.velocity[body],
                dt,
            );
            let turned = rates.pose * moved.fixed_rows::<N>(N * body);
            change.fixed_rows_mut::<N>(N * body).copy_from(&turned);
        }
        change.rows_mut(n, n).copy_from(&velocity);
        Ok(change)
    }
}
