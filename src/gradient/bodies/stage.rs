//! The equations of a stage of a step, linearised about its solution.

use nalgebra::DMatrix;

use super::{
    assembly::Assembly,
    blows::{BlowChanges, STOPPED},
    directions::Directions,
    linearisation::{Laws, Linearisation, StageRates, Terms},
    taken::TakenStage,
};
use crate::{contact::LinearLaw, world::DifferentiableWorld};

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of a stage along these directions.
    pub fn stage(&self, stage: &TakenStage<'_, D, N>, directions: &Directions<'_>) -> StageRates<D> {
        let mut earlier = Vec::with_capacity(stage.earlier.len());
        for solve in &stage.earlier {
            earlier.push(self.last_solve(solve, (&stage.earlier, &earlier), directions));
        }
        let last = self.last_solve(stage, (&stage.earlier, &earlier), directions);
        StageRates { earlier, ..last }
    }

    /// That of a solve, after `earlier` ones of its stage.
    fn last_solve(
        &self,
        stage: &TakenStage<'_, D, N>,
        earlier: (&[TakenStage<'_, D, N>], &[StageRates<D>]),
        directions: &Directions<'_>,
    ) -> StageRates<D> {
        let by_slip = self.changes_by_slip(stage, earlier, directions);
        let mut blows = self.blow_changes(stage);
        let mut stopped = blows.as_mut().map_or_else(Vec::new, |blows| std::mem::take(&mut blows.stopped));
        let mut shares = blows.as_mut().map_or_else(Vec::new, |blows| std::mem::take(&mut blows.shares));
        for margin in stopped.iter_mut().chain(shares.iter_mut().filter_map(|share| share.margin.as_mut())) {
            margin.row = directions.derivative_of_one(margin.row.clone());
        }
        let unhindered = self.unhindered(&stage.laws, blows.as_ref());
        let Assembly { terms: Terms { base, drift, direct }, choices, gaps, axes, biases } =
            self.assemble(stage, &unhindered, blows);
        let [base, drift, mut direct, unhindered, choices, gaps, axes, biases] =
            [base, drift, direct, unhindered, choices, gaps, axes, biases]
                .map(|whole| directions.derivative(whole));
        if let Some(by_slip) = &by_slip {
            for (index, law) in stage.laws.iter().enumerate() {
                for i in 0..D {
                    let mut row = direct.row_mut(D * index + i);
                    row += by_slip.row(index) * law.friction[i];
                }
            }
            self.add_slip_to_groups(stage, by_slip, &mut direct);
        }
        let laws = Laws { contacts: &stage.laws, links: &stage.links, grouped: &stage.grouped };
        let rates = self.solve(laws, Terms { base, drift, direct });
        // What rounding leaves of changes that cancel is no change, and no kink.
        for margin in &mut stopped {
            for (slope, change) in margin.row.iter_mut().zip(rates.velocity.column_iter()) {
                if slope.abs() <= STOPPED * change.amax() {
                    *slope = 0.0;
                }
            }
        }
        let mut rates = StageRates { unhindered, choices, gaps, axes, biases, by_slip, stopped, ..rates };
        shares.extend(self.keep_from_work(stage, directions, &mut rates));
        StageRates { shares, ..rates }
    }

    /// The change of the tangential relative velocities without contacts, of those contacts that look at them.
    fn unhindered(&self, laws: &[LinearLaw<D>], blows: Option<&BlowChanges<N>>) -> DMatrix<f64> {
        let problem = &self.problem.contact;
        let mut unhindered = DMatrix::<f64>::zeros(D * problem.contacts.len(), self.columns);
        for (index, contact) in problem.contacts.iter().enumerate() {
            if laws[index].corners[0].is_none() {
                continue;
            }
            let mut own = unhindered.fixed_rows_mut::<D>(D * index);
            for (end, body) in contact.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                own += contact.jacobian[end] * self.free.fixed_rows::<N>(N * body);
                let mut free_velocity = problem.free_velocity[body];
                if let Some(BlowChanges { free: (velocity, change), .. }) = blows {
                    own += contact.jacobian[end] * change.fixed_rows::<N>(N * body);
                    free_velocity += velocity[body];
                }
                for change in &self.geometry.touches[index] {
                    let mut column = own.column_mut(change.column);
                    column += change.jacobian[end] * free_velocity;
                }
            }
        }
        unhindered
    }
}
