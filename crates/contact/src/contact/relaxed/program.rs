use nalgebra::SVector;

use crate::{
    contact::scaled::{BodyOperator, NOBODY, Operator},
    nlp::sparse::{SparseBounds, SparseNlp},
};

/// Weight of `p^2`, which picks one of the many distributions of force that a body on four legs has.
pub(super) const REGULARIZATION: f64 = 1e-6;

/// The relaxed program of a contact problem: with `v` in the units of the step, and per contact
/// `p`, `b`, `s1`, `s2`, `lam`
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
/// Without friction the row of dissipation reads `lam b = 0`: with `u_t` in it the body would stick.
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
    pub s2: usize,
    pub slip: usize,
}

/// Where the first equation of one contact stands: dissipation, gap, cone, two complementarities.
fn rows_per_contact<const D: usize>() -> usize {
    D + 3
}

impl<const D: usize, const N: usize> RelaxedProgram<'_, D, N> {
    pub(super) fn places(&self, contact: usize) -> Places {
        let p = N * self.operator.bodies() + (D + 3) * contact;
        Places { p, b: p + 1, s1: p + D, s2: p + D + 1, slip: p + D + 2 }
    }

    pub(super) fn first_link(&self) -> usize {
        N * self.operator.bodies() + (D + 3) * self.operator.contacts.len()
    }

    pub(super) fn first_row(&self, contact: usize) -> usize {
        N * self.operator.bodies() + rows_per_contact::<D>() * contact
    }

    pub(super) fn first_link_row(&self) -> usize {
        self.first_row(self.operator.contacts.len())
    }

    pub(super) fn b(&self, x: &[f64], places: Places) -> SVector<f64, D> {
        SVector::from_fn(|i, _| if i == 0 { 0.0 } else { x[places.b + i - 1] })
    }

    /// `ssqrt(|b|^2)`, the root in it.
    pub(super) fn length(&self, b: &SVector<f64, D>) -> (f64, f64) {
        let root = (b.norm_squared() + self.epsilon * self.epsilon).sqrt();
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
            let length = b.norm();
            if length > longest {
                b *= longest / length;
            }
            for i in 1..D {
                x[places.b + i - 1] = b[i];
            }
            x[places.s1] = 0.1;
            x[places.s2] = 0.1;
            let speed = crate::contact::friction_cone::tangential_norm(u);
            x[places.slip] = speed.max(0.1);
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
            b /= b.norm().max(1.0);
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
            let Places { p, s1, s2, slip, .. } = self.places(contact);
            for place in [p, s1, s2, slip] {
                bounds.lower[place] = 0.0;
            }
        }
        bounds
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let count = self.constraints();
        let mut bounds = SparseBounds { lower: vec![0.0; count], upper: vec![0.0; count] };
        for contact in 0..self.operator.contacts.len() {
            let row = self.first_row(contact);
            bounds.upper[row + D - 1..row + rows_per_contact::<D>()].fill(f64::INFINITY);
        }
        bounds
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let of_contact = |contact| {
            let places = self.places(contact);
            self.weight * (x[places.s1] + x[places.s2]) + 0.5 * REGULARIZATION * x[places.p].powi(2)
        };
        (0..self.operator.contacts.len()).map(of_contact).sum()
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for contact in 0..self.operator.contacts.len() {
            let places = self.places(contact);
            gradient[places.s1] = self.weight;
            gradient[places.s2] = self.weight;
            gradient[places.p] = REGULARIZATION * x[places.p];
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        let bodies = N * self.operator.bodies();
        values[..bodies].copy_from_slice(&x[..bodies]);
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let b = self.b(x, places);
            let (p, slip) = (x[places.p], x[places.slip]);
            let mut r = b * (mu * p * self.units[contact]);
            r[0] = p * self.units[contact];
            for (body, rows) in self.ends(contact) {
                let change = rows * r;
                for i in 0..N {
                    values[N * body + i] -= change[i];
                }
            }
            let u = self.relative_velocity(contact, x);
            let row = self.first_row(contact);
            let reserve = 1.0 - self.length(&b).0;
            for k in 1..D {
                values[row + k - 1] = slip * b[k] + if mu > 0.0 { u[k] } else { 0.0 };
            }
            values[row + D - 1] = u[0];
            values[row + D] = reserve;
            values[row + D + 1] = x[places.s1] - p * u[0];
            values[row + D + 2] = x[places.s2] - slip * reserve;
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
