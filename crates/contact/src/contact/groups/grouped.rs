use nalgebra::{SMatrix, SVector};

use super::{Across, FrictionGroups, GROUPS, ROWS, Rows};
use crate::contact::{Contact, ContactProblem, Solution};

/// A contact problem in scaled rows: normal, `S_1` times those of sliding and drilling, `S_2` times those of rolling.
#[derive(Debug, Clone)]
pub(in crate::contact) struct Grouped<const N: usize> {
    /// The problem, its friction coefficients 1, none of which anything reads: they are in the rows.
    pub problem: ContactProblem<ROWS, N>,
    /// `S` of each contact, 1 for the normal row and 0 for rows that it does not have.
    scales: Vec<Rows>,
    /// What differs across an axis, of each contact: its tangents are those along and across it.
    across: Vec<Option<Across>>,
}

/// Where the tangential rows of a contact stand, with groups and without.
fn of_tangents<const D: usize>() -> std::ops::Range<usize> {
    1..D
}

/// A vector along the normal and the tangents of a contact, along and across its axis where it has one.
pub(super) fn turned<const D: usize>(across: Option<Across>, x: &SVector<f64, D>) -> SVector<f64, D> {
    across.map_or(*x, |across| across.turned(x))
}

/// Where the rows of turning begin.
pub(super) const TURNING: usize = 3;

/// The rows of a contact for each of its bodies: normal, along and across its axis where it has one, and of turning.
pub(super) fn rows_of<const D: usize, const N: usize>(
    contact: &Contact<D, N>,
    groups: Option<&FrictionGroups<N>>,
) -> [SMatrix<f64, ROWS, N>; 2] {
    std::array::from_fn(|end| {
        let mut rows = SMatrix::<f64, ROWS, N>::zeros();
        rows.fixed_rows_mut::<D>(0).copy_from(&contact.jacobian[end]);
        let Some(groups) = groups else { return rows };
        if let Some(across) = groups.across {
            rows.column_iter_mut().for_each(|mut column| {
                let turned = across.turned(&column.clone_owned());
                column.copy_from(&turned);
            });
        }
        rows.fixed_rows_mut::<3>(TURNING).copy_from(&groups.jacobian[end]);
        rows
    })
}

/// `S` of a contact whose rows answer like this to impulses along them: 1 for the normal row, and 0 for rows that it does not have,
/// or that cannot turn.
pub(super) fn scales_of<const D: usize, const N: usize>(
    contact: &Contact<D, N>,
    groups: Option<&FrictionGroups<N>>,
    response: &SMatrix<f64, ROWS, ROWS>,
) -> Rows {
    let mut scale = Rows::zeros();
    scale[0] = 1.0;
    of_tangents::<D>().for_each(|row| scale[row] = contact.friction);
    if let Some(groups) = groups {
        scale[TURNING] = groups.torsional;
        GROUPS[1].clone().for_each(|row| scale[row] = groups.rolling);
        if let Some(across) = groups.across {
            scale[2] *= across.ratio;
        }
    }
    for row in 1..ROWS {
        scale[row] = if response[(row, row)] > 0.0 { scale[row] } else { 0.0 };
    }
    scale
}

impl<const N: usize> Grouped<N> {
    /// The problem in scaled rows.
    pub fn of<const D: usize>(whole: &ContactProblem<D, N>) -> Self {
        let mut problem = ContactProblem::empty(whole.time_step);
        problem.velocity_unit = whole.velocity_unit;
        problem.free_velocity.clone_from(&whole.free_velocity);
        problem.inverse_mass.clone_from(&whole.inverse_mass);
        problem.links.clone_from(&whole.links);
        let mut scales = Vec::with_capacity(whole.contacts.len());
        let mut acrosses = Vec::with_capacity(whole.contacts.len());
        for (index, contact) in whole.contacts.iter().enumerate() {
            let groups = whole.groups_of(index).map(|place| &whole.groups[place]);
            let across = groups.and_then(|groups| groups.across);
            let mut own = Contact::<ROWS, N> {
                bodies: contact.bodies,
                jacobian: rows_of(contact, groups),
                friction: 1.0,
                bias: contact.bias,
                surface_velocity: Rows::zeros(),
                restitution: contact.restitution,
                gap: contact.gap,
            };
            let scale = scales_of(contact, groups, &problem.own_delassus(&own));
            for rows in &mut own.jacobian {
                for (mut row, scale) in rows.row_iter_mut().zip(scale.iter()).skip(1) {
                    row *= *scale;
                }
            }
            let surface = turned(across, &contact.surface_velocity);
            for row in 0..D {
                own.surface_velocity[row] = surface[row] * scale[row];
            }
            problem.contacts.push(own);
            scales.push(scale);
            acrosses.push(across);
        }
        Self { problem, scales, across: acrosses }
    }

    /// The impulses of a solution in scaled rows; what it lacks is 0.
    pub fn impulses<const D: usize>(
        &self,
        whole: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
    ) -> Vec<Rows> {
        let mut impulses = vec![Rows::zeros(); self.scales.len()];
        for ((own, impulse), across) in impulses.iter_mut().zip(&solution.impulses).zip(&self.across) {
            own.fixed_rows_mut::<D>(0).copy_from(&turned(*across, impulse));
        }
        for (groups, impulse) in whole.groups.iter().zip(&solution.turning) {
            impulses[groups.contact].fixed_rows_mut::<3>(TURNING).copy_from(impulse);
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
        solution.impulses.extend((0..own.impulses.len()).map(|contact| {
            let impulse = unscaled(contact).fixed_rows::<D>(0).into_owned();
            self.across[contact].map_or(impulse, |across| across.turned_back(&impulse))
        }));
        solution.turning.clear();
        solution.turning.extend(
            whole.groups.iter().map(|one| unscaled(one.contact).fixed_rows::<3>(TURNING).into_owned()),
        );
        solution.velocity = own.velocity;
        solution.link_impulses = own.link_impulses;
        solution.is_guess = own.is_guess;
    }
}
