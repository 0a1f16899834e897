//! The derivative of the motion through an impact, in the place of that of the step in which it falls.

use nalgebra::{DMatrix, DVector, SVector};

use super::{
    geometry::Geometry,
    stage::{Linearisation, StageRates, add},
    taken::TakenStage,
};
use crate::{
    contact::{Branch, LinearLaw},
    world::DifferentiableWorld,
};

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// Replaces the derivative of a step with one impact by that of the motion through it.
    ///
    /// The impact comes `tau = -phi/u_n` after the start and later by `dtau = -(dphi + tau du_n)/u_n`. Up to it the
    /// bodies move as they would without it, after it with the velocities of the second stage:
    ///
    /// ```text
    /// dq_i = dq + v dtau + tau dv,   dv_i = dv + a dtau
    /// dv+ = R_q dq_i + R_v dv_i - a+ dtau,   dq+ = dq_i - v+ dtau + (dt - tau) dv+
    /// ```
    pub fn correct(
        &self,
        TakenStage { laws, links, solution, .. }: &TakenStage<'_, D, N>,
        second: &StageRates<D>,
        state: &mut DMatrix<f64>,
    ) -> Result<(), String> {
        let Self { taken, problem: posed, n, columns, .. } = *self;
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
        // Accelerations without the contact that hits, and after it.
        let free: Vec<SVector<f64, N>> = problem
            .free_velocity
            .iter()
            .zip(&taken.motion.velocities)
            .map(|(free, before)| (free - before) / dt)
            .collect();
        let answer = |laws: &[LinearLaw<D>]| {
            let mut base = DMatrix::zeros(n, 1);
            for (body, acceleration) in free.iter().enumerate() {
                add(&mut base, body, 0, acceleration);
            }
            let rows = D * problem.contacts.len() + problem.links.len();
            let one = Linearisation {
                columns: 1,
                inputs: &[],
                geometry: Geometry { touches: Vec::new(), links: Vec::new() },
                free: DMatrix::zeros(0, 0),
                taken,
                problem: posed,
                n,
            };
            one.solve((laws, links), base, DMatrix::zeros(rows, 1), DMatrix::zeros(rows, 1))
                .velocity
                .column(0)
                .into_owned()
        };
        let mut without = laws.to_vec();
        without[hit] = LinearLaw::open();
        let before = answer(&without);
        let rebounds = contact.bias < 0.0 && posed.bias_slopes(hit, false)[1] > 0.0;
        let after = if rebounds { before.clone() } else { answer(laws) };
        // dphi and du_n along every direction.
        let [gap, approach] = self.gap_and_approach(hit);
        let delay = (gap + approach * tau) * (-1.0 / speed);
        let stacked = |vectors: &[SVector<f64, N>]| {
            DVector::from_iterator(n, vectors.iter().flat_map(|vector| vector.iter().copied()))
        };
        let (v, v_after) = (stacked(&taken.motion.velocities), stacked(&solution.velocity));
        // Changes of displacement and velocity at the impact.
        let mut displaced = &v * &delay;
        let mut hastened = &before * &delay;
        for i in 0..n {
            displaced[(i, i)] += 1.0;
            displaced[(i, n + i)] += tau;
            hastened[(i, n + i)] += 1.0;
        }
        let (by_pose, by_velocity) = (second.velocity.columns(0, n), second.velocity.columns(n, n));
        let mut velocity = by_pose * &displaced + by_velocity * &hastened - &after * &delay;
        for column in 2 * n..columns {
            let mut own = velocity.column_mut(column);
            own += second.velocity.column(column);
        }
        let moved = (&displaced - &v_after * &delay) + &velocity * (dt - tau);
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
            state.fixed_rows_mut::<N>(N * body).copy_from(&turned);
        }
        state.rows_mut(n, n).copy_from(&velocity);
        Ok(())
    }
}
