//! The equations of a stage as a linear system for the changes of its impulses.

use nalgebra::DMatrix;

use super::{
    groups::TURNING,
    least_change::LeastChange,
    linearisation::{Laws, Linearisation, StageRates, Terms},
    loads::OpenLoads,
};
use crate::{
    contact::{Branch, groups::ROWS},
    world::DifferentiableWorld,
};

/// The system for the changes of those impulses that act.
struct System {
    /// The rows that act, of all that there are.
    kept: Vec<usize>,
    matrix: DMatrix<f64>,
    right: DMatrix<f64>,
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// Solves for the change of the impulses, and with it of everything else.
    pub fn solve(&self, laws: Laws<'_, D>, terms: Terms) -> StageRates<D> {
        let jacobian = self.jacobian();
        let response = self.response(&jacobian);
        let rows = jacobian.nrows();
        let own: Vec<f64> =
            (0..rows).map(|row| jacobian.row(row).transpose().dot(&response.column(row))).collect();
        // A stop of a joint answers to nothing along its tangents, which then count as its normal does.
        let of_contacts = D * self.problem.contact.contacts.len();
        let scale = |row: usize| match own[row] {
            0.0 if row < of_contacts => own[row - row % D],
            response => response,
        };
        let System { kept, mut matrix, right } = self.system(laws, &terms, (&jacobian, &response));
        // Impulses in m/s, so that the rank does not depend on masses.
        for (i, &row) in kept.iter().enumerate() {
            let unit = 1.0 / scale(row).max(f64::MIN_POSITIVE);
            matrix.column_mut(i).scale_mut(unit);
        }
        let system = LeastChange::new(matrix);
        // Back to impulses in N s, those of contacts without force zero.
        let unscaled = |solved: &DMatrix<f64>| {
            let mut impulses = DMatrix::<f64>::zeros(rows, solved.ncols());
            for (i, &row) in kept.iter().enumerate() {
                impulses.row_mut(row).copy_from(&(solved.row(i) / scale(row).max(f64::MIN_POSITIVE)));
            }
            impulses
        };
        let impulses = unscaled(&system.solve(right));
        let open = (system.open() > 0).then(|| {
            let directions = system.open_directions();
            let mut idle = DMatrix::<f64>::zeros(rows, system.open());
            for (place, &row) in system.idle_combinations().row_iter().zip(&kept) {
                idle.row_mut(row).copy_from(&place);
            }
            let impulses = unscaled(&directions);
            OpenLoads::new(&directions, &response * &impulses, impulses, idle, &jacobian)
        });
        let velocity = terms.base + response * &impulses;
        let relative = &jacobian * &velocity + terms.drift;
        let [unhindered, choices, gaps, axes, biases] = std::array::from_fn(|_| DMatrix::zeros(0, 0));
        StageRates {
            velocity,
            impulses,
            relative,
            unhindered,
            choices,
            gaps,
            axes,
            biases,
            by_slip: None,
            earlier: Vec::new(),
            stopped: Vec::new(),
            shares: Vec::new(),
            open: open.flatten(),
        }
    }

    /// `J` as a whole: contacts, links, and what resists turning.
    fn jacobian(&self) -> DMatrix<f64> {
        let problem = &self.problem.contact;
        let contacts = problem.contacts.len();
        let mut jacobian = DMatrix::<f64>::zeros(self.rows(), self.n);
        for (index, contact) in problem.contacts.iter().enumerate() {
            for (body, rows_of_body) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    jacobian.fixed_view_mut::<D, N>(D * index, N * body).copy_from(rows_of_body);
                }
            }
        }
        for (index, link) in problem.links.iter().enumerate() {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    jacobian
                        .fixed_view_mut::<1, N>(D * contacts + index, N * body)
                        .copy_from(&row.transpose());
                }
            }
        }
        for (place, groups) in problem.groups.iter().enumerate() {
            let first = self.first_of_turning(place);
            for (body, rows) in problem.contacts[groups.contact].bodies.iter().zip(&groups.jacobian) {
                if let Some(body) = *body {
                    jacobian.fixed_view_mut::<3, N>(first, N * body).copy_from(rows);
                }
            }
        }
        jacobian
    }

    /// `M^-1 J'`.
    fn response(&self, jacobian: &DMatrix<f64>) -> DMatrix<f64> {
        let mut response = jacobian.transpose();
        for (body, inverse) in self.problem.contact.inverse_mass.iter().enumerate() {
            let own = inverse * response.fixed_rows::<N>(N * body);
            response.fixed_rows_mut::<N>(N * body).copy_from(&own);
        }
        response
    }

    fn system(
        &self,
        laws: Laws<'_, D>,
        terms: &Terms,
        (jacobian, response): (&DMatrix<f64>, &DMatrix<f64>),
    ) -> System {
        let unforced = jacobian * &terms.base + &terms.drift;
        let of_contacts = D * self.problem.contact.contacts.len();
        let of_links = of_contacts + self.problem.contact.links.len();
        // Contacts without force answer to nothing, nor do links at a bound: their rows and columns are left out.
        let acts = |row: usize| match (row.checked_sub(of_links), row.checked_sub(of_contacts)) {
            (Some(turning), _) => {
                let law = laws.grouped.get(turning / TURNING);
                law.is_some_and(|law| law.acts(TURNING + turning % TURNING))
            }
            (None, Some(link)) => !laws.links[link].is_at_bound,
            (None, None) => laws.contacts[row / D].branch != Branch::Open,
        };
        let kept: Vec<usize> = (0..jacobian.nrows()).filter(|row| acts(*row)).collect();
        let mut matrix = DMatrix::<f64>::zeros(kept.len(), kept.len());
        let mut right = DMatrix::<f64>::zeros(kept.len(), terms.base.ncols());
        let whole = jacobian.select_rows(&kept) * response.select_columns(&kept);
        for (i, &row) in kept.iter().enumerate() {
            if let Some((place, component)) = self.row_of_groups(row)
                && let Some(law) = laws.grouped.get(place)
            {
                let mut of_row = -terms.direct.row(row);
                for other in 0..ROWS {
                    let Some(other_row) = self.place_of(place, other) else { continue };
                    let (a, b) = (law.velocity[(component, other)], law.impulse[(component, other)]);
                    let Ok(column) = kept.binary_search(&other_row) else { continue };
                    if a != 0.0 {
                        for j in 0..kept.len() {
                            matrix[(i, j)] += a * whole[(column, j)];
                        }
                        of_row -= unforced.row(other_row) * a;
                    }
                    matrix[(i, column)] += b;
                }
                right.row_mut(i).copy_from(&of_row);
                continue;
            }
            if row >= of_contacts {
                matrix.row_mut(i).copy_from(&whole.row(i));
                matrix[(i, i)] += laws.links[row - of_contacts].compliance;
                right.row_mut(i).copy_from(&-(unforced.row(row) + terms.direct.row(row)));
                continue;
            }
            let (index, component) = (row / D, row % D);
            let law = &laws.contacts[index];
            let mut of_row = -terms.direct.row(row);
            for other in 0..D {
                let place = i - component + other;
                let a = law.velocity[(component, other)];
                if a != 0.0 {
                    for column in 0..kept.len() {
                        matrix[(i, column)] += a * whole[(place, column)];
                    }
                    of_row -= unforced.row(D * index + other) * a;
                }
                matrix[(i, place)] += law.impulse[(component, other)];
            }
            right.row_mut(i).copy_from(&of_row);
        }
        System { kept, matrix, right }
    }
}
