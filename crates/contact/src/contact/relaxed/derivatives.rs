//! Jacobian and Hessian of the relaxed program, entry by entry.

use nalgebra::SVector;

use super::program::{REGULARIZATION, RelaxedProgram, groups};
use crate::contact::scaled::Operator;

impl<const D: usize, const N: usize> RelaxedProgram<'_, D, N> {
    /// Visits every entry of the Jacobian at `x` in a fixed order: row, column, value.
    pub(super) fn visit_jacobian(&self, x: &[f64], mut visit: impl FnMut(usize, usize, f64)) {
        for body in 0..N * self.operator.bodies() {
            visit(body, body, 1.0);
        }
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let unit = self.units[contact];
            let b = self.b(x, places);
            let p = x[places.p];
            let gap = self.relative_velocity(contact, x)[0];
            let equations = self.equations(contact);
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
                        visit(equations.dissipation + k - 1, N * body + i, friction * rows[(i, k)]);
                    }
                    visit(equations.gap, N * body + i, rows[(i, 0)]);
                    visit(equations.normal, N * body + i, -p * rows[(i, 0)]);
                }
            }
            for (group, rows) in groups::<D>().enumerate() {
                let slip = x[places.slip(group)];
                let (length, root) = self.length(&b, &rows);
                for k in rows {
                    let row = equations.dissipation + k - 1;
                    visit(row, places.slip(group), b[k]);
                    visit(row, places.b + k - 1, slip);
                    visit(equations.cone(group), places.b + k - 1, -b[k] / root);
                    visit(equations.friction(group), places.b + k - 1, slip * b[k] / root);
                }
                visit(equations.friction(group), places.s2(group), 1.0);
                visit(equations.friction(group), places.slip(group), length - 1.0);
            }
            visit(equations.normal, places.s1, 1.0);
            visit(equations.normal, places.p, -gap);
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
    pub(super) fn visit_hessian(
        &self,
        x: &[f64],
        sigma: f64,
        y: &[f64],
        mut visit: impl FnMut(usize, usize, f64),
    ) {
        for contact in 0..self.operator.contacts.len() {
            let (places, mu) = (self.places(contact), self.operator.friction()[contact]);
            let unit = self.units[contact];
            let b = self.b(x, places);
            let equations = self.equations(contact);
            visit(places.p, places.p, sigma * REGULARIZATION);
            let mut along = SVector::<f64, D>::zeros();
            for (body, rows) in self.ends(contact) {
                for i in 0..N {
                    visit(places.p, N * body + i, -y[equations.normal] * rows[(i, 0)]);
                    for k in 1..D {
                        along[k] -= y[N * body + i] * rows[(i, k)] * unit * mu;
                    }
                }
            }
            for (group, rows) in groups::<D>().enumerate() {
                let slip = x[places.slip(group)];
                let root = self.length(&b, &rows).1;
                let of_friction = y[equations.friction(group)];
                for k in rows.clone() {
                    let of_dissipation = y[equations.dissipation + k - 1];
                    visit(places.b + k - 1, places.p, along[k]);
                    visit(places.slip(group), places.b + k - 1, of_dissipation + of_friction * b[k] / root);
                    for l in rows.start..=k {
                        // The second derivative of the root.
                        let curvature = f64::from(u8::from(k == l)) / root - b[k] * b[l] / root.powi(3);
                        let value = (of_friction * slip - y[equations.cone(group)]) * curvature;
                        visit(places.b + k - 1, places.b + l - 1, value);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, SVector};

    use super::RelaxedProgram;
    use crate::{
        contact::{Contact, ContactProblem, Link, groups::ROWS, scaled::BodyOperator},
        nlp::sparse::SparseNlp,
        random::Random,
    };

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
                restitution: 0.0,
                gap: 0.0,
            });
        }
        let jacobian = [0; 2].map(|_| SVector::from_fn(|_, _| number()));
        problem.links.push(Link {
            bodies: [Some(0), Some(1)],
            jacobian,
            bias: 0.2,
            terms: 0.0,
            compliance: 0.3,
            bounds: Link::<N>::UNBOUNDED,
        });
        problem
    }

    fn check<const D: usize, const N: usize>() {
        let mut random = Random::seeded(5);
        let mut operator = BodyOperator::<D, N>::default();
        operator.set(&problem(&mut random));
        let program =
            RelaxedProgram { operator: &operator, units: vec![1.5, 0.7, 2.0], weight: 1.3, epsilon: 1e-6 };
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
        // Sliding and drilling, and rolling.
        check::<ROWS, 6>();
    }
}
