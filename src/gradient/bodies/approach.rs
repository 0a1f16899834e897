//! How the surfaces of a contact come to each other otherwise.

use nalgebra::{RowDVector, SVector};

use super::{directions::Directions, linearisation::Linearisation};
use crate::world::DifferentiableWorld;

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The change of the gap of a contact, and of its normal velocity at the start of the step.
    pub fn gap_and_approach(&self, index: usize, directions: &Directions<'_>) -> [RowDVector<f64>; 2] {
        let mut gap = RowDVector::<f64>::zeros(self.columns);
        for change in &self.geometry.touches[index] {
            gap[change.column] += change.gap;
        }
        let normal = SVector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 });
        [directions.derivative_of_one(gap), self.change_of_velocity(index, &normal, directions)]
    }

    /// The change of the relative velocity of a contact at the start of the step, along this unit vector, normal first.
    pub fn change_of_velocity(
        &self,
        index: usize,
        along: &SVector<f64, D>,
        directions: &Directions<'_>,
    ) -> RowDVector<f64> {
        let (contact, velocities) = (&self.problem.contact.contacts[index], &self.taken.motion.velocities);
        let mut whole = RowDVector::<f64>::zeros(self.columns);
        for (end, body) in contact.bodies.iter().enumerate() {
            let Some(body) = *body else { continue };
            for change in &self.geometry.touches[index] {
                whole[change.column] += along.dot(&(change.jacobian[end] * velocities[body]));
            }
            for k in 0..N {
                whole[self.n + body * N + k] += along.dot(&contact.jacobian[end].column(k));
            }
        }
        directions.derivative_of_one(whole)
    }
}
