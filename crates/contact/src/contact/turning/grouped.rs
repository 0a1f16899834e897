use nalgebra::SMatrix;

use super::{GROUPS, ROWS, Rows};
use crate::contact::{Contact, ContactProblem, Solution};

/// A contact problem in scaled rows: normal, `S_1` times those of sliding and drilling, `S_2` times those of rolling.
#[derive(Debug, Clone)]
pub(in crate::contact) struct Grouped<const N: usize> {
    /// The problem, its friction coefficients 1, none of which anything reads: they are in the rows.
    pub problem: ContactProblem<ROWS, N>,
    /// `S` of each contact, 1 for the normal row and 0 for rows that it does not have.
    scales: Vec<Rows>,
}

/// Where the tangential rows of a contact stand, with groups and without.
fn of_tangents<const D: usize>() -> std::ops::Range<usize> {
    1..D
}

/// Where the rows of turning begin.
const TURNING: usize = 3;

impl<const N: usize> Grouped<N> {
    /// The problem in scaled rows.
    pub fn of<const D: usize>(whole: &ContactProblem<D, N>) -> Self {
        let mut problem = ContactProblem::empty(whole.time_step);
        problem.velocity_unit = whole.velocity_unit;
        problem.free_velocity.clone_from(&whole.free_velocity);
        problem.inverse_mass.clone_from(&whole.inverse_mass);
        problem.links.clone_from(&whole.links);
        let mut scales = Vec::with_capacity(whole.contacts.len());
        for (index, contact) in whole.contacts.iter().enumerate() {
            let mut scale = Rows::zeros();
            scale[0] = 1.0;
            of_tangents::<D>().for_each(|row| scale[row] = contact.friction);
            let turning = whole.turning_of(index).map(|place| &whole.turning[place]);
            if let Some(turning) = turning {
                scale[TURNING] = turning.torsional;
                GROUPS[1].clone().for_each(|row| scale[row] = turning.rolling);
            }
            let mut own = Contact::<ROWS, N> {
                bodies: contact.bodies,
                jacobian: [SMatrix::zeros(); 2],
                friction: 1.0,
                bias: contact.bias,
                surface_velocity: Rows::zeros(),
                restitution: contact.restitution,
                gap: contact.gap,
            };
            for (end, rows) in own.jacobian.iter_mut().enumerate() {
                rows.fixed_rows_mut::<D>(0).copy_from(&contact.jacobian[end]);
                if let Some(turning) = turning {
                    rows.fixed_rows_mut::<3>(TURNING).copy_from(&turning.jacobian[end]);
                }
            }
            // What cannot turn has no such rows.
            let response = problem.own_delassus(&own);
            for row in 1..ROWS {
                scale[row] = if response[(row, row)] > 0.0 { scale[row] } else { 0.0 };
                for rows in &mut own.jacobian {
                    rows.row_mut(row).iter_mut().for_each(|entry| *entry *= scale[row]);
                }
            }
            for row in 0..D {
                own.surface_velocity[row] = contact.surface_velocity[row] * scale[row];
            }
            problem.contacts.push(own);
            scales.push(scale);
        }
        Self { problem, scales }
    }

    /// The impulses of a solution in scaled rows; what it lacks is 0.
    pub fn impulses<const D: usize>(
        &self,
        whole: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
    ) -> Vec<Rows> {
        let mut impulses = vec![Rows::zeros(); self.scales.len()];
        for (own, impulse) in impulses.iter_mut().zip(&solution.impulses) {
            own.fixed_rows_mut::<D>(0).copy_from(impulse);
        }
        for (turning, impulse) in whole.turning.iter().zip(&solution.turning) {
            impulses[turning.contact].fixed_rows_mut::<3>(TURNING).copy_from(impulse);
        }
        for (impulse, scale) in impulses.iter_mut().zip(&self.scales) {
            *impulse = impulse.zip_map(scale, |r, scale| if scale > 0.0 { r / scale } else { 0.0 });
        }
        impulses
    }

    /// A solution of the whole as one in scaled rows.
    pub fn scaled<const D: usize>(
        &self,
        whole: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
    ) -> Solution<ROWS, N> {
        Solution {
            velocity: solution.velocity.clone(),
            impulses: self.impulses(whole, solution),
            link_impulses: solution.link_impulses.clone(),
            turning: Vec::new(),
            is_guess: solution.is_guess && solution.fits(whole),
        }
    }

    /// Writes a solution in scaled rows as one of the whole.
    pub fn write<const D: usize>(
        &self,
        whole: &ContactProblem<D, N>,
        own: Solution<ROWS, N>,
        solution: &mut Solution<D, N>,
    ) {
        let unscaled = |contact: usize| own.impulses[contact].component_mul(&self.scales[contact]);
        solution.impulses.clear();
        solution
            .impulses
            .extend((0..own.impulses.len()).map(|i| unscaled(i).fixed_rows::<D>(0).into_owned()));
        solution.turning.clear();
        solution.turning.extend(
            whole.turning.iter().map(|one| unscaled(one.contact).fixed_rows::<3>(TURNING).into_owned()),
        );
        solution.velocity = own.velocity;
        solution.link_impulses = own.link_impulses;
        solution.is_guess = own.is_guess;
    }
}
