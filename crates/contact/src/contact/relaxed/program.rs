use std::ops::Range;

use nalgebra::SVector;

use crate::{
    contact::{
        groups::{GROUPS, ROWS},
        scaled::{BodyOperator, NOBODY, Operator},
    },
    nlp::sparse::{SparseBounds, SparseNlp},
};

/// Weight of `p^2`, which picks one of the many distributions of force that a body on four legs has.
pub(super) const REGULARIZATION: f64 = 1e-6;

/// The relaxed program of a contact problem: with `v` in the units of the step, and per contact
/// `p`, `b`, `s1`, and for each group of rows whose friction is a ball, `s2` and `lam`
///
/// ```text
/// min  weight sum (s1 + s2) + 1/2 1e-6 sum p^2
///      v - J' r - L' l = 0,   r = P p (1, mu b)         momentum
///      u_t + lam b = 0                                  maximum dissipation
///      u_n >= 0,   p >= 0,   lam >= 0
///      1 - ssqrt(|b|^2) >= 0                            friction cone
///      s1 - p u_n >= 0                                  relaxed complementarity, normal
///      s2 - lam (1 - ssqrt(|b|^2)) >= 0                 relaxed complementarity, friction
///      row . v + free + c l = 0                         links
/// ```
///
/// The tangents are one group. In scaled rows (see [`groups`](crate::contact::groups)) there are two, of what slides and drills
/// and of what rolls, with `mu = 1`; rows that a contact lacks are zero. Without friction the row of dissipation reads `lam b = 0`: with `u_t` in it the body would stick.
#[derive(Debug, Clone)]
pub(super) struct RelaxedProgram<'a, const D: usize, const N: usize> {
    pub operator: &'a BodyOperator<D, N>,
    /// `P`: the size of the normal impulse of every contact.
    pub units: Vec<f64>,
    /// Weight of the slacks.
    pub weight: f64,
    /// Smoothing of the square root.
    pub epsilon: f64,
}

/// Where the unknowns of one contact stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub p: usize,
    /// The first of `D - 1`.
    pub b: usize,
    pub s1: usize,
    /// The first, one for each group.
    s2: usize,
    /// The first, one for each group.
    slip: usize,
}

impl Places {
    pub fn s2(&self, group: usize) -> usize {
        self.s2 + group
    }

    pub fn slip(&self, group: usize) -> usize {
        self.slip + group
    }
}

/// Where the equations of one contact stand: the first of its dissipation, then those of gap, cones and complementarities.
#[derive(Debug, Clone, Copy)]
pub(super) struct Equations {
    pub dissipation: usize,
    pub gap: usize,
    /// The first, one for each group.
    cone: usize,
    pub normal: usize,
    /// The first, one for each group.
    friction: usize,
}

impl Equations {
    pub fn cone(&self, group: usize) -> usize {
        self.cone + group
    }

    pub fn friction(&self, group: usize) -> usize {
        self.friction + group
    }
}

/// The rows of each group of a contact of `D` rows.
pub(super) fn groups<const D: usize>() -> impl Iterator<Item = Range<usize>> {
    let all = if D == ROWS { &GROUPS[..] } else { &[const { 1..D }] };
    all.iter().cloned()
}

/// How many groups there are.
fn count_of_groups<const D: usize>() -> usize {
    if D == ROWS { GROUPS.len() } else { 1 }
}

/// How many unknowns a contact has, and as many equations.
fn per_contact<const D: usize>() -> usize {
    D + 1 + 2 * count_of_groups::<D>()
}

impl<const D: usize, const N: usize> RelaxedProgram<'_, D, N> {
    pub(super) fn places(&self, contact: usize) -> Places {
        let p = N * self.operator.bodies() + per_contact::<D>() * contact;
        let s2 = p + D + 1;
        Places { p, b: p + 1, s1: p + D, s2, slip: s2 + count_of_groups::<D>() }
    }

    pub(super) fn first_link(&self) -> usize {
        N * self.operator.bodies() + per_contact::<D>() * self.operator.contacts.len()
    }

    pub(super) fn equations(&self, contact: usize) -> Equations {
        let dissipation = N * self.operator.bodies() + per_contact::<D>() * contact;
        let (gap, count) = (dissipation + D - 1, count_of_groups::<D>());
        let cone = gap + 1;
        Equations { dissipation, gap, cone, normal: cone + count, friction: cone + count + 1 }
    }

    /// Where the equations of the links begin: there are as many of contacts as unknowns.
    pub(super) fn first_link_row(&self) -> usize {
        self.first_link()
    }

    pub(super) fn b(&self, x: &[f64], places: Places) -> SVector<f64, D> {
        SVector::from_fn(|i, _| if i == 0 { 0.0 } else { x[places.b + i - 1] })
    }

    /// `ssqrt(|b|^2)` of the rows of a group, the root in it.
    pub(super) fn length(&self, b: &SVector<f64, D>, rows: &Range<usize>) -> (f64, f64) {
        let squared = rows.clone().map(|row| b[row] * b[row]).sum::<f64>();
        let root = (squared + self.epsilon * self.epsilon).sqrt();
        (root - self.epsilon, root)
    }

    /// The variables from impulses, velocities and the least of `lam`.
    pub fn start(
        &self,
        r: &[SVector<f64, D>],
        velocity: &[SVector<f64, N>],
        u: &[SVector<f64, D>],
        longest: f64,
    ) -> Vec<f64> {
        let mut x = vec![0.0; self.variables()];
        for (body, velocity) in velocity.iter().enumerate() {
            x[N * body..N * (body + 1)].copy_from_slice(velocity.as_slice());
        }
        for (contact, (r, u)) in r.iter().zip(u).enumerate() {
            let places = self.places(contact);
            let mu = self.operator.friction()[contact];
            x[places.p] = r[0] / self.units[contact];
            let mut b = if mu > 0.0 && r[0] > 0.0 { r / (mu * r[0]) } else { SVector::zeros() };
            b[0] = 0.0;
            x[places.s1] = 0.1;
            for (group, rows) in groups::<D>().enumerate() {
                shorten(&mut b, &rows, longest);
                x[places.s2(group)] = 0.1;
                x[places.slip(group)] = size(u, &rows).max(0.1);
            }
            for i in 1..D {
                x[places.b + i - 1] = b[i];
            }
        }
        let first = self.first_link();
        x[first..].copy_from_slice(&self.operator.link_impulses);
        x
    }

    /// The scaled impulses, pulled onto the cone, and those of the links.
    pub fn impulses(&self, x: &[f64]) -> (Vec<SVector<f64, D>>, Vec<f64>) {
        let contacts = 0..self.operator.contacts.len();
        let impulses = contacts.map(|contact| {
            let places = self.places(contact);
            let p = self.units[contact] * x[places.p].max(0.0);
            let mut b = self.b(x, places);
            groups::<D>().for_each(|rows| shorten(&mut b, &rows, 1.0));
            let mut r = b * (self.operator.friction()[contact] * p);
            r[0] = p;
            r
        });
        (impulses.collect(), x[self.first_link()..].to_vec())
    }

    pub(super) fn relative_velocity(&self, contact: usize, x: &[f64]) -> SVector<f64, D> {
        let contact = &self.operator.contacts[contact];
        let mut u = contact.q;
        for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
            if body != NOBODY {
                u += rows.tr_mul(&SVector::<f64, N>::from_column_slice(&x[N * body..N * (body + 1)]));
            }
        }
        u
    }

    /// Calls `visit` with the body and rows of each end that can move.
    pub(super) fn ends(
        &self,
        contact: usize,
    ) -> impl Iterator<Item = (usize, &nalgebra::SMatrix<f64, N, D>)> {
        let contact = &self.operator.contacts[contact];
        let ends = contact.bodies.iter().zip(&contact.rows);
        ends.filter(|(body, _)| **body != NOBODY).map(|(&body, rows)| (body, rows))
    }

    pub(super) fn link_ends(&self, link: usize) -> impl Iterator<Item = (usize, &SVector<f64, N>)> {
        let link = &self.operator.links[link];
        let ends = link.bodies.iter().zip(&link.rows);
        ends.filter(|(body, _)| **body != NOBODY).map(|(&body, row)| (body, row))
    }
}

/// The size of these rows of a vector.
fn size<const D: usize>(x: &SVector<f64, D>, rows: &Range<usize>) -> f64 {
    rows.clone().map(|row| x[row] * x[row]).sum::<f64>().sqrt()
}

/// Shortens these rows of a vector to the size `longest`, where they are longer.
fn shorten<const D: usize>(x: &mut SVector<f64, D>, rows: &Range<usize>, longest: f64) {
    let size = size(x, rows);
    if size > longest {
        rows.clone().for_each(|row| x[row] *= longest / size);
    }
}

impl<const D: usize, const N: usize> SparseNlp for RelaxedProgram<'_, D, N> {
    fn variables(&self) -> usize {
        self.first_link() + self.operator.links.len()
    }

    fn constraints(&self) -> usize {
        self.first_link_row() + self.operator.links.len()
    }

    fn variable_bounds(&self) -> SparseBounds {
        let count = self.variables();
        let mut bounds =
            SparseBounds { lower: vec![f64::NEG_INFINITY; count], upper: vec![f64::INFINITY; count] };
        for contact in 0..self.operator.contacts.len() {
            let places = self.places(contact);
            bounds.lower[places.p] = 0.0;
            bounds.lower[places.s1..places.slip(count_of_groups::<D>())].fill(0.0);
        }
        bounds
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let count = self.constraints();
        let mut bounds = SparseBounds { lower: vec![0.0; count], upper: vec![0.0; count] };
        for contact in 0..self.operator.contacts.len() {
            let equations = self.equations(contact);
            bounds.upper[equations.gap..equations.friction(count_of_groups::<D>())].fill(f64::INFINITY);
        }
        bounds
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let of_contact = |contact| {
            let places = self.places(contact);
            let slacks = &x[places.s1..places.slip(0)];
            self.weight * slacks.iter().sum::<f64>() + 0.5 * REGULARIZATION * x[places.p].powi(2)
        };
        (0..self.operator.contacts.len()).map(of_contact).sum()
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for contact in 0..self.operator.contacts.len() {
            let places = self.places(contact);
            gradient[places.s1..places.slip(0)].fill(self.weight);
            gradient[places.p] = REGULARIZATION * x[places.p];
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        let bodies = N * self.operator.bodies();
        values[..bodies].copy_from_slice(&x[..bodies]);
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let b = self.b(x, places);
            let p = x[places.p];
            let mut r = b * (mu * p * self.units[contact]);
            r[0] = p * self.units[contact];
            for (body, rows) in self.ends(contact) {
                let change = rows * r;
                for i in 0..N {
                    values[N * body + i] -= change[i];
                }
            }
            let u = self.relative_velocity(contact, x);
            let equations = self.equations(contact);
            values[equations.gap] = u[0];
            values[equations.normal] = x[places.s1] - p * u[0];
            for (group, rows) in groups::<D>().enumerate() {
                let slip = x[places.slip(group)];
                let reserve = 1.0 - self.length(&b, &rows).0;
                for k in rows {
                    values[equations.dissipation + k - 1] = slip * b[k] + if mu > 0.0 { u[k] } else { 0.0 };
                }
                values[equations.cone(group)] = reserve;
                values[equations.friction(group)] = x[places.s2(group)] - slip * reserve;
            }
        }
        for (index, link) in self.operator.links.iter().enumerate() {
            let impulse = x[self.first_link() + index];
            let mut sum = link.free + link.compliance * impulse;
            for (body, row) in self.link_ends(index) {
                for i in 0..N {
                    sum += row[i] * x[N * body + i];
                    values[N * body + i] -= row[i] * impulse;
                }
            }
            values[self.first_link_row() + index] = sum;
        }
    }

    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        self.visit_jacobian(&vec![0.0; self.variables()], |row, column, _| entries.push((row, column)));
        entries
    }

    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
        let mut values = values.iter_mut();
        self.visit_jacobian(x, |_, _, value| {
            if let Some(entry) = values.next() {
                *entry = value;
            }
        });
    }

    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        let (x, y) = (vec![0.0; self.variables()], vec![0.0; self.constraints()]);
        self.visit_hessian(&x, 0.0, &y, |row, column, _| entries.push((row, column)));
        entries
    }

    fn hessian_values(&self, x: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
        let mut values = values.iter_mut();
        self.visit_hessian(x, sigma, y, |_, _, value| {
            if let Some(entry) = values.next() {
                *entry = value;
            }
        });
    }
}
