//! The equations of a stage of a step, linearised about its solution.

use nalgebra::DMatrix;

use super::{
    assembly::Assembly,
    directions::Directions,
    linearisation::{Laws, Linearisation, StageRates, Terms},
    taken::TakenStage,
};
use crate::{contact::LinearLaw, world::DifferentiableWorld};

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The derivative of a stage along these directions.
    pub fn stage(&self, stage: &TakenStage<'_, D, N>, directions: &Directions<'_>) -> StageRates<D> {
        let unhindered = self.unhindered(&stage.laws);
        let Assembly { terms: Terms { base, drift, direct }, choices, gaps } =
            self.assemble(stage, &unhindered);
        let [base, drift, direct, unhindered, choices, gaps] =
            [base, drift, direct, unhindered, choices, gaps].map(|whole| directions.derivative(whole));
        let laws = Laws { contacts: &stage.laws, links: &stage.links };
        StageRates { unhindered, choices, gaps, ..self.solve(laws, Terms { base, drift, direct }) }
    }

    /// The change of the tangential relative velocities without contacts, of those contacts that look at them.
    fn unhindered(&self, laws: &[LinearLaw<D>]) -> DMatrix<f64> {
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
                for (moved, rates) in &self.geometry.touches[index] {
                    for k in 0..N {
                        let mut column = own.column_mut(moved * N + k);
                        column += rates.jacobian[end][k] * problem.free_velocity[body];
                    }
                }
            }
        }
        unhindered
    }
}
