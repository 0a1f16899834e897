//! By which velocities bodies move that bounce within a step, and how these change.

use nalgebra::{DMatrix, RowDVector, SVector};

use super::{
    directions::Directions,
    linearisation::{Linearisation, StageRates},
    taken::TakenStage,
};
use crate::world::{DifferentiableWorld, Rebound};

/// How the velocities of a stage change, beside all of its rates, which may be others where loads are shared.
#[derive(Clone, Copy)]
pub(super) struct StageChange<'a, const D: usize> {
    pub velocity: &'a DMatrix<f64>,
    pub rates: &'a StageRates<D>,
}

/// The velocities that move the bodies, and their change, a column per direction.
pub(super) struct MovingVelocities<const N: usize> {
    pub velocities: Vec<SVector<f64, N>>,
    pub change: DMatrix<f64>,
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// That of a step in two stages, of which this is the linearisation of the second; `changes` are those of their
    /// velocities, beside all of their rates.
    pub fn moving_velocities(
        &self,
        stages: [&TakenStage<'_, D, N>; 2],
        changes: [StageChange<'_, D>; 2],
        directions: &Directions<'_>,
    ) -> MovingVelocities<N> {
        let [first, second] = stages.map(|stage| &stage.solution.velocity);
        let [moved_by, left_with] = changes.map(|change| change.velocity);
        let mut moving = MovingVelocities { velocities: first.clone(), change: moved_by.clone() };
        for (body, rebound) in self.taken.rebounds.iter().enumerate() {
            let Some(Rebound { share, contact }) = *rebound else { continue };
            let apart = second[body] - first[body];
            moving.velocities[body] += apart * share;
            let rows = left_with.fixed_rows::<N>(N * body) - moved_by.fixed_rows::<N>(N * body);
            let of_share = self.change_of_share((contact, share), stages, changes, directions);
            let mut change = moving.change.fixed_rows_mut::<N>(N * body);
            change += rows * share + apart * of_share;
        }
        moving
    }

    /// The change of the share `(phi+ - g_1)/(g_2 - g_1)` of a rebound, with the gaps `g` that the two stages lead to.
    fn change_of_share(
        &self,
        (contact, share): (usize, f64),
        stages: [&TakenStage<'_, D, N>; 2],
        changes: [StageChange<'_, D>; 2],
        directions: &Directions<'_>,
    ) -> RowDVector<f64> {
        let none = RowDVector::zeros(directions.count());
        if share <= 0.0 || share >= 1.0 {
            return none;
        }
        let dt = self.problem.contact.time_step;
        let [gap, approach] = self.gap_and_approach(contact, directions);
        let [by_gap, by_approach, by_restitution] = self.problem.slopes_of_gap_after_rebound(contact);
        let mut wanted = &gap * by_gap + &approach * by_approach;
        // Of the gaps: the change of `J v` is that of `J v + c` without that of the bias `c`.
        let ends = [0, 1].map(|k| {
            let (stage, rates) = (stages[k], changes[k].rates);
            let [of_gap, of_approach, of_restitution] = stage.bias_slopes(contact);
            let mut bias = &gap * of_gap + &approach * of_approach + rates.biases.row(contact);
            for (j, input) in self.inputs.iter().enumerate() {
                let restitution = input.surface(&stage.problem.touches[contact])[1];
                directions.add_input(&mut bias, j, of_restitution * restitution);
            }
            &gap + (rates.relative.row(D * contact) - bias) * dt
        });
        if stages[1].is_struck(contact) {
            // It left as fast as the blows have it: their restitution is `-u_n+/u_n`.
            let touch = &self.problem.touches[contact];
            let rates = changes[1].rates;
            let before = touch.relative_velocity(&self.taken.motion.velocities)[0];
            let after = touch.relative_velocity(&stages[1].solution.velocity)[0];
            let left = rates.relative.row(D * contact) - rates.biases.row(contact);
            wanted += (&approach * (after / before) - left) * (by_restitution / before);
        } else {
            let touch = &self.problem.touches[contact];
            let share = stages[1].share(contact);
            for (j, input) in self.inputs.iter().enumerate() {
                let restitution = input.surface(touch)[1];
                directions.add_input(&mut wanted, j, by_restitution * share * restitution);
            }
            if share < 1.0 {
                // It rebounds by another share of its restitution.
                let before = touch.relative_velocity(&self.taken.motion.velocities)[0];
                wanted += changes[1].rates.biases.row(contact) * (by_restitution / before);
            }
        }
        let [first, second] = self.problem.gaps_by(contact, stages.map(|stage| &stage.solution.velocity));
        (wanted - &ends[0] - (&ends[1] - &ends[0]) * share) / (second - first)
    }
}
