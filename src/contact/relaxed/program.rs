use nalgebra::SVector;

use crate::{
    contact::scaled::{BodyOperator, NOBODY, Operator},
    nlp::sparse::{SparseBounds, SparseNlp},
};

/// Smoothing of the square root.
const EPSILON: f64 = 1e-6;
/// Weight of `p^2`, which picks one of the many distributions of force that a body on four legs has.
const REGULARIZATION: f64 = 1e-6;

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
}

/// Where the unknowns of one contact stand.
#[derive(Debug, Clone, Copy)]
struct Places {
    p: usize,
    /// The first of `D - 1`.
    b: usize,
    s1: usize,
    s2: usize,
    slip: usize,
}

/// Where the first equation of one contact stands: dissipation, gap, cone, two complementarities.
fn rows_per_contact<const D: usize>() -> usize {
    D + 3
}

impl<const D: usize, const N: usize> RelaxedProgram<'_, D, N> {
    fn places(&self, contact: usize) -> Places {
        let p = N * self.operator.bodies() + (D + 3) * contact;
        Places { p, b: p + 1, s1: p + D, s2: p + D + 1, slip: p + D + 2 }
    }

    fn first_link(&self) -> usize {
        N * self.operator.bodies() + (D + 3) * self.operator.contacts.len()
    }

    fn first_row(&self, contact: usize) -> usize {
        N * self.operator.bodies() + rows_per_contact::<D>() * contact
    }

    fn first_link_row(&self) -> usize {
        self.first_row(self.operator.contacts.len())
    }

    fn b(&self, x: &[f64], places: Places) -> SVector<f64, D> {
        SVector::from_fn(|i, _| if i == 0 { 0.0 } else { x[places.b + i - 1] })
    }

    /// `ssqrt(|b|^2)`, the root in it.
    fn length(b: &SVector<f64, D>) -> (f64, f64) {
        let root = (b.norm_squared() + EPSILON * EPSILON).sqrt();
        (root - EPSILON, root)
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

    fn relative_velocity(&self, contact: usize, x: &[f64]) -> SVector<f64, D> {
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
    fn ends(&self, contact: usize) -> impl Iterator<Item = (usize, &nalgebra::SMatrix<f64, N, D>)> {
        let contact = &self.operator.contacts[contact];
        let ends = contact.bodies.iter().zip(&contact.rows);
        ends.filter(|(body, _)| **body != NOBODY).map(|(&body, rows)| (body, rows))
    }

    fn link_ends(&self, link: usize) -> impl Iterator<Item = (usize, &SVector<f64, N>)> {
        let link = &self.operator.links[link];
        let ends = link.bodies.iter().zip(&link.rows);
        ends.filter(|(body, _)| **body != NOBODY).map(|(&body, row)| (body, row))
    }

    /// Visits every entry of the Jacobian at `x` in a fixed order: row, column, value.
    fn visit_jacobian(&self, x: &[f64], mut visit: impl FnMut(usize, usize, f64)) {
        for body in 0..N * self.operator.bodies() {
            visit(body, body, 1.0);
        }
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let unit = self.units[contact];
            let b = self.b(x, places);
            let (p, slip) = (x[places.p], x[places.slip]);
            let (reserve, root) = (1.0 - Self::length(&b).0, Self::length(&b).1);
            let gap = self.relative_velocity(contact, x)[0];
            let row = self.first_row(contact);
            let (gap_row, cone_row) = (row + D - 1, row + D);
            for (body, rows) in self.ends(contact) {
                let friction = if mu > 0.0 { 1.0 } else { 0.0 };
                for i in 0..N {
                    let mut along = rows[(i, 0)];
                    for k in 1..D {
                        along += mu * b[k] * rows[(i, k)];
                    }
                    visit(N * body + i, places.p, -unit * along);
                    for k in 1..D {
                        visit(N * body + i, places.b + k - 1, -unit * mu * p * rows[(i, k)]);
                        visit(row + k - 1, N * body + i, friction * rows[(i, k)]);
                    }
                    visit(gap_row, N * body + i, rows[(i, 0)]);
                    visit(cone_row + 1, N * body + i, -p * rows[(i, 0)]);
                }
            }
            for k in 1..D {
                visit(row + k - 1, places.slip, b[k]);
                visit(row + k - 1, places.b + k - 1, slip);
                visit(cone_row, places.b + k - 1, -b[k] / root);
                visit(cone_row + 2, places.b + k - 1, slip * b[k] / root);
            }
            visit(cone_row + 1, places.s1, 1.0);
            visit(cone_row + 1, places.p, -gap);
            visit(cone_row + 2, places.s2, 1.0);
            visit(cone_row + 2, places.slip, -reserve);
        }
        for index in 0..self.operator.links.len() {
            let (row, column) = (self.first_link_row() + index, self.first_link() + index);
            for (body, rows) in self.link_ends(index) {
                for i in 0..N {
                    visit(N * body + i, column, -rows[i]);
                    visit(row, N * body + i, rows[i]);
                }
            }
            visit(row, column, self.operator.links[index].compliance);
        }
    }

    /// Visits every entry of the Hessian of the Lagrangian likewise, lower triangle.
    fn visit_hessian(&self, x: &[f64], sigma: f64, y: &[f64], mut visit: impl FnMut(usize, usize, f64)) {
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let unit = self.units[contact];
            let b = self.b(x, places);
            let slip = x[places.slip];
            let root = Self::length(&b).1;
            let row = self.first_row(contact);
            let cone_row = row + D;
            visit(places.p, places.p, sigma * REGULARIZATION);
            let mut along = SVector::<f64, D>::zeros();
            for (body, rows) in self.ends(contact) {
                for i in 0..N {
                    visit(places.p, N * body + i, -y[cone_row + 1] * rows[(i, 0)]);
                    for k in 1..D {
                        along[k] -= y[N * body + i] * rows[(i, k)] * unit * mu;
                    }
                }
            }
            for k in 1..D {
                visit(places.b + k - 1, places.p, along[k]);
                visit(places.slip, places.b + k - 1, y[row + k - 1] + y[cone_row + 2] * b[k] / root);
                for l in 1..=k {
                    // The second derivative of the root.
                    let curvature = f64::from(u8::from(k == l)) / root - b[k] * b[l] / root.powi(3);
                    let value = (y[cone_row + 2] * slip - y[cone_row]) * curvature;
                    visit(places.b + k - 1, places.b + l - 1, value);
                }
            }
        }
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
            let reserve = 1.0 - Self::length(&b).0;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        contact::{Contact, ContactProblem, Link},
        random::Random,
    };
    use nalgebra::SMatrix;

    /// Two bodies, three contacts, one of them without friction, a link.
    fn problem<const D: usize, const N: usize>(random: &mut Random) -> ContactProblem<D, N> {
        let mut number = || random.normal(1.0);
        let mut problem = ContactProblem::empty(1.0);
        for _ in 0..2 {
            problem.free_velocity.push(SVector::from_fn(|_, _| number()));
            problem.inverse_mass.push(SMatrix::identity());
        }
        for (bodies, friction) in [([Some(0), None], 0.4), ([None, Some(1)], 0.0), ([Some(1), Some(0)], 0.8)]
        {
            problem.contacts.push(Contact {
                bodies,
                jacobian: [0; 2].map(|_| SMatrix::from_fn(|_, _| number())),
                friction,
                bias: number(),
                surface_velocity: SVector::zeros(),
                gap: 0.0,
            });
        }
        let jacobian = [0; 2].map(|_| SVector::from_fn(|_, _| number()));
        problem.links.push(Link { bodies: [Some(0), Some(1)], jacobian, bias: 0.2, compliance: 0.3 });
        problem
    }

    fn check<const D: usize, const N: usize>() {
        let mut random = Random::seeded(5);
        let mut operator = BodyOperator::<D, N>::default();
        operator.set(&problem(&mut random));
        let program = RelaxedProgram { operator: &operator, units: vec![1.5, 0.7, 2.0], weight: 1.3 };
        let (n, m) = (program.variables(), program.constraints());
        let x: Vec<f64> = (0..n).map(|_| random.normal(0.5)).collect();
        let y: Vec<f64> = (0..m).map(|_| random.normal(1.0)).collect();
        let dense = |entries: Vec<(usize, usize)>, values: Vec<f64>, rows: usize| {
            let mut matrix = nalgebra::DMatrix::<f64>::zeros(rows, n);
            for ((row, column), value) in entries.into_iter().zip(values) {
                matrix[(row, column)] += value;
            }
            matrix
        };
        let jacobian = |x: &[f64]| {
            let entries = program.jacobian_entries();
            let mut values = vec![0.0; entries.len()];
            program.jacobian_values(x, &mut values);
            dense(entries, values, m)
        };
        let entries = program.hessian_entries();
        assert!(entries.iter().all(|(row, column)| row >= column));
        let mut values = vec![0.0; entries.len()];
        program.hessian_values(&x, 0.9, &y, &mut values);
        let lower = dense(entries, values, n);
        let gradient = |x: &[f64]| {
            let mut gradient = vec![0.0; n];
            program.gradient(x, &mut gradient);
            let y = nalgebra::DVector::from_column_slice(&y);
            nalgebra::DVector::from_vec(gradient) * 0.9 + jacobian(x).tr_mul(&y)
        };
        let constraints = |x: &[f64]| {
            let mut values = vec![0.0; m];
            program.constraint_values(x, &mut values);
            nalgebra::DVector::from_vec(values)
        };
        let exact = jacobian(&x);
        for column in 0..n {
            let moved = |step: f64| {
                let mut moved = x.clone();
                moved[column] += step;
                moved
            };
            let h = 1e-6;
            let slope = (constraints(&moved(h)) - constraints(&moved(-h))) / (2.0 * h);
            assert!((slope - exact.column(column)).amax() < 1e-7, "Jacobian, column {column}");
            let slope = (gradient(&moved(h)) - gradient(&moved(-h))) / (2.0 * h);
            for row in 0..n {
                let entry = if row >= column { lower[(row, column)] } else { lower[(column, row)] };
                assert!((slope[row] - entry).abs() < 1e-6, "Hessian, ({row}, {column})");
            }
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        check::<2, 3>();
        check::<3, 6>();
    }
}
