use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::ContactProblem;
use crate::rows;

/// A contact problem by its Delassus operator: find `r` such that `u = W r + q` and `r` fulfil
/// Coulomb's law contact by contact. Each contact has `D` rows: normal, tangent(s).
#[derive(Debug, Clone, PartialEq)]
pub struct DenseProblem<const D: usize> {
    /// `W`, symmetric and positive semidefinite, `D n` by `D n`.
    pub w: DMatrix<f64>,
    /// `q`, `D n` entries.
    pub q: DVector<f64>,
    /// `mu` of the `n` contacts.
    pub friction: Vec<f64>,
}

/// Residuals are made of squares: of velocities and impulses down to this they still tell the tolerance apart.
const SMALLEST: f64 = 1e-140;
const LARGEST: f64 = 1e140;

/// What is wrong with the numbers of a [`DenseProblem`]. Rows, columns and contacts count from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DenseProblemError {
    /// There is no contact.
    #[error("the problem is empty; give at least one contact")]
    Empty,
    /// A row of `W` has another length than `W` has rows.
    #[error("`W` is not square: it has {rows} rows, but row {row} has {entries} entries")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// The first row of another length.
        row: usize,
        /// Its length.
        entries: usize,
    },
    /// `q` or `mu` does not fit `W`.
    #[error(
        "`{what}` has {entries} entries, but {rows} rows of `W` with {rows_per_contact} per contact need {expected}"
    )]
    SizeMismatch {
        /// `q`, `mu` or `rolling`.
        what: &'static str,
        /// Its length.
        entries: usize,
        /// Rows of `W`.
        rows: usize,
        /// Rows of a contact.
        rows_per_contact: usize,
        /// The length that fits.
        expected: usize,
    },
    /// The number of rows is not a multiple of the dimension.
    #[error("`W` has {rows} rows, which is not a multiple of the dimension {rows_per_contact}")]
    NotWholeContacts {
        /// Rows of `W`.
        rows: usize,
        /// Rows of a contact.
        rows_per_contact: usize,
    },
    /// A number is infinite or not one.
    #[error("`{what}` holds {value} in row {row}; every number must be finite")]
    NotFinite {
        /// `W`, `q`, `mu` or `rolling`.
        what: &'static str,
        /// The row.
        row: usize,
        /// The number.
        value: f64,
    },
    /// A coefficient of friction is negative.
    #[error("`{what}` of contact {contact} is {value}; it must be at least 0")]
    Friction {
        /// `mu` or `rolling`.
        what: &'static str,
        /// The contact.
        contact: usize,
        /// The coefficient.
        value: f64,
    },
    /// Velocities or impulses whose squares leave the range of double precision.
    #[error(
        "`q` asks for {what} of the size of {value:e}; squares of numbers beyond {SMALLEST:e} to {LARGEST:e} are \
         lost in double precision: choose other units for `W` and `q`"
    )]
    Range {
        /// Velocities, impulses, or the roots of energies.
        what: &'static str,
        /// Their size.
        value: f64,
    },
    /// A diagonal entry of `W` is not positive.
    #[error("`W` holds {value} in row {row}, column {row}; the diagonal of a Delassus operator is positive")]
    Diagonal {
        /// The row.
        row: usize,
        /// The entry.
        value: f64,
    },
}

impl DenseProblemError {
    /// Checks that coefficients of friction, one per contact, are finite and not negative.
    pub(super) fn check_coefficients(what: &'static str, values: &[f64]) -> Result<(), Self> {
        for (index, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(Self::NotFinite { what, row: index + 1, value });
            }
            if value < 0.0 {
                return Err(Self::Friction { what, contact: index + 1, value });
            }
        }
        Ok(())
    }
}

/// The square matrix of these rows.
pub(super) fn matrix_of_rows(rows: &[Vec<f64>]) -> Result<DMatrix<f64>, DenseProblemError> {
    let size = rows.len();
    if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != size) {
        return Err(DenseProblemError::NotSquare { rows: size, row: index + 1, entries: row.len() });
    }
    Ok(DMatrix::from_fn(size, size, |i, j| rows[i][j]))
}

/// What makes a problem dubious without making it impossible to try.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// `W` is not symmetric: the largest difference of mirrored entries, relative to the largest entry.
    Asymmetric(f64),
    /// The symmetric part of `W` is indefinite: the smallest pivot, relative to the largest entry.
    Indefinite(f64),
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Asymmetric(size) => write!(
                f,
                "`W` is not symmetric (mirrored entries differ by {size:.1e} of the largest), so it is the Delassus operator of no mechanical system"
            ),
            Self::Indefinite(pivot) => write!(
                f,
                "`W` is indefinite (an eigenvalue at or below {pivot:.1e} of the largest entry), so it is the Delassus operator of no mechanical system"
            ),
        }
    }
}

impl<const D: usize> DenseProblem<D> {
    /// A problem, its sizes and numbers checked.
    ///
    /// # Errors
    /// [`DenseProblemError`] for the first fault found.
    pub fn new(w: DMatrix<f64>, q: DVector<f64>, friction: Vec<f64>) -> Result<Self, DenseProblemError> {
        let rows = w.nrows();
        if rows == 0 {
            return Err(DenseProblemError::Empty);
        }
        if w.ncols() != rows {
            return Err(DenseProblemError::NotSquare { rows, row: 1, entries: w.ncols() });
        }
        if !rows.is_multiple_of(D) {
            return Err(DenseProblemError::NotWholeContacts { rows, rows_per_contact: D });
        }
        for (what, entries, expected) in [("q", q.len(), rows), ("mu", friction.len(), rows / D)] {
            if entries != expected {
                return Err(DenseProblemError::SizeMismatch {
                    what,
                    entries,
                    rows,
                    rows_per_contact: D,
                    expected,
                });
            }
        }
        let problem = Self { w, q, friction };
        problem.check_numbers()?;
        Ok(problem)
    }

    /// A problem from rows of `W`.
    ///
    /// # Errors
    /// [`DenseProblemError`] for the first fault found.
    pub fn from_rows(w: &[Vec<f64>], q: &[f64], friction: &[f64]) -> Result<Self, DenseProblemError> {
        Self::new(matrix_of_rows(w)?, DVector::from_column_slice(q), friction.to_vec())
    }

    fn check_numbers(&self) -> Result<(), DenseProblemError> {
        for row in 0..self.w.nrows() {
            let not_finite = |what, value| DenseProblemError::NotFinite { what, row: row + 1, value };
            if let Some(value) = self.w.row(row).iter().find(|value| !value.is_finite()) {
                return Err(not_finite("W", *value));
            }
            if !self.q[row].is_finite() {
                return Err(not_finite("q", self.q[row]));
            }
            let diagonal = self.w[(row, row)];
            if diagonal <= 0.0 {
                return Err(DenseProblemError::Diagonal { row: row + 1, value: diagonal });
            }
        }
        DenseProblemError::check_coefficients("mu", &self.friction)?;
        let largest = |of: fn(f64, f64) -> f64| {
            let contacts = 0..self.contacts();
            let sizes = contacts.map(|contact| of(self.free(contact).amax(), self.weight(contact)));
            sizes.fold(0.0, f64::max)
        };
        for (what, value) in [
            ("velocities", largest(|q, _| q)),
            ("roots of energies", largest(|q, weight| q / weight.sqrt())),
            ("impulses", largest(|q, weight| q / weight)),
        ] {
            if value != 0.0 && !(SMALLEST..=LARGEST).contains(&value) {
                return Err(DenseProblemError::Range { what, value });
            }
        }
        Ok(())
    }

    /// What makes the problem dubious: an operator of mechanics is symmetric and positive
    /// semidefinite, up to the rounding of the digits that a file holds.
    pub fn doubts(&self) -> Vec<Doubt> {
        const ROUNDING: f64 = 1e-9;
        let mut doubts = Vec::new();
        let largest = self.w.amax();
        let asymmetry = (&self.w - self.w.transpose()).amax() / largest;
        if asymmetry > ROUNDING {
            doubts.push(Doubt::Asymmetric(asymmetry));
        }
        // With the shift a semidefinite matrix passes Cholesky; the test fails on what lies below.
        let n = self.w.nrows();
        let shifted = (&self.w + self.w.transpose()) * (0.5 / largest)
            + DMatrix::identity(n, n) * (ROUNDING * n as f64);
        if shifted.cholesky().is_none() {
            doubts.push(Doubt::Indefinite(-ROUNDING * n as f64));
        }
        doubts
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// `q_i`: the relative velocity of a contact without any impulse.
    #[inline]
    pub fn free(&self, contact: usize) -> SVector<f64, D> {
        self.q.fixed_rows::<D>(D * contact).into_owned()
    }

    /// `W_ii`.
    pub fn own_block(&self, contact: usize) -> SMatrix<f64, D, D> {
        self.w.fixed_view::<D, D>(D * contact, D * contact).into_owned()
    }

    /// `w_i = tr W_ii/D`.
    pub fn weight(&self, contact: usize) -> f64 {
        (0..D).map(|k| self.w[(D * contact + k, D * contact + k)]).sum::<f64>() / D as f64
    }

    /// Writes `u = W r + q`.
    pub fn velocities(&self, impulses: &[SVector<f64, D>], velocities: &mut Vec<SVector<f64, D>>) {
        velocities.clear();
        velocities.extend((0..self.contacts()).map(|contact| self.free(contact)));
        for (column, impulse) in impulses.iter().enumerate() {
            for k in 0..D {
                let entries = self.w.column(D * column + k);
                for (velocity, entries) in velocities.iter_mut().zip(entries.as_slice().chunks_exact(D)) {
                    for i in 0..D {
                        velocity[i] += entries[i] * impulse[k];
                    }
                }
            }
        }
    }
}

impl<const D: usize, const N: usize> ContactProblem<D, N> {
    /// The problem by its Delassus operator, the links eliminated: with `B = L M^-1 L' + C`,
    ///
    /// ```text
    /// W = J (M^-1 - M^-1 L' B^-1 L M^-1) J',   q = J v_0 + c n + s,
    /// v_0 = v_f - M^-1 L' B^-1 (L v_f + b)
    /// ```
    ///
    /// Links that contradict or repeat each other are taken in the sense of least squares, and bounds are not looked at.
    pub fn delassus(&self) -> DenseProblem<D> {
        let (rows, links) = (D * self.contacts.len(), self.links.len());
        let mut w = DMatrix::zeros(rows, rows);
        let mut q = DVector::zeros(rows);
        for (j, other) in self.contacts.iter().enumerate() {
            let free = self.relative_velocity(other, &self.free_velocity);
            q.fixed_rows_mut::<D>(D * j).copy_from(&free);
            let response = self.responses(other);
            for (i, contact) in self.contacts.iter().enumerate() {
                let mut block = SMatrix::<f64, D, D>::zeros();
                for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                    for (other_body, response) in other.bodies.iter().zip(&response) {
                        if body.is_some() && body == other_body {
                            block += jacobian * response;
                        }
                    }
                }
                w.fixed_view_mut::<D, D>(D * i, D * j).copy_from(&block);
            }
        }
        if links > 0 {
            let rods = self.link_elimination();
            // Columns of M^-1 L' seen by the contacts: J M^-1 L'.
            let mut seen = DMatrix::zeros(rows, links);
            for (i, contact) in self.contacts.iter().enumerate() {
                let response = self.responses(contact);
                for (j, link) in self.links.iter().enumerate() {
                    for (body, response) in contact.bodies.iter().zip(&response) {
                        for (other, row) in link.bodies.iter().zip(&link.jacobian) {
                            if body.is_some() && body == other {
                                let column = response.tr_mul(row);
                                let mut entries = seen.fixed_view_mut::<D, 1>(D * i, j);
                                entries += column;
                            }
                        }
                    }
                }
            }
            let rates = DVector::from_iterator(
                links,
                self.links.iter().map(|link| self.link_rate(link, &self.free_velocity)),
            );
            q -= &seen * (&rods * rates);
            w -= &seen * rods * seen.transpose();
        }
        DenseProblem { w, q, friction: self.contacts.iter().map(|contact| contact.friction).collect() }
    }

    /// `M^-1 J'` for the two ends of a contact.
    fn responses(&self, contact: &super::Contact<D, N>) -> [SMatrix<f64, N, D>; 2] {
        [0, 1].map(|end| match contact.bodies[end] {
            Some(body) => self.inverse_mass[body] * contact.jacobian[end].transpose(),
            None => SMatrix::zeros(),
        })
    }

    /// The pseudo-inverse of `B = L M^-1 L' + C`.
    pub fn link_elimination(&self) -> DMatrix<f64> {
        self.elimination_of(|_, _| true)
    }

    /// The same in no time, in which what gives a bounded force gives no impulse: its rows and columns are zero.
    pub fn impulsive_link_elimination(&self) -> DMatrix<f64> {
        self.elimination_of(|_, link| !link.is_bounded())
    }

    /// The same with the rows and columns of those links alone that take part.
    pub(crate) fn elimination_of(&self, takes_part: impl Fn(usize, &super::Link<N>) -> bool) -> DMatrix<f64> {
        let count = self.links.len();
        let mut b = DMatrix::<f64>::zeros(count, count);
        let taken = || self.links.iter().enumerate().filter(|(index, link)| takes_part(*index, link));
        for (i, link) in taken() {
            for (j, other) in taken() {
                for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                    for (other_body, other_row) in other.bodies.iter().zip(&other.jacobian) {
                        if let (Some(body), true) = (*body, body == other_body) {
                            b[(i, j)] += row.dot(&(self.inverse_mass[body] * other_row));
                        }
                    }
                }
            }
            b[(i, i)] += link.compliance;
        }
        // B is symmetric: its eigenvalues below rounding belong to links that repeat others.
        let eigen = b.symmetric_eigen();
        let largest = eigen.eigenvalues.amax();
        let inverse = eigen.eigenvalues.map(|value| if value > 1e-12 * largest { 1.0 / value } else { 0.0 });
        &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose()
    }

    /// How the velocities of the bodies change by impulses at these contacts in N s, forces aside, and the impulses by which the
    /// links answer. `elimination` is that of [`ContactProblem::link_elimination`]; without it links do not answer.
    pub fn answer(
        &self,
        elimination: Option<&DMatrix<f64>>,
        impulses: impl IntoIterator<Item = (usize, SVector<f64, D>)>,
    ) -> (Vec<SVector<f64, N>>, Vec<f64>) {
        let mut pushes = vec![SVector::<f64, N>::zeros(); self.bodies()];
        for (contact, impulse) in impulses {
            let contact = &self.contacts[contact];
            for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    pushes[body] += rows::transposed_times(jacobian, &impulse);
                }
            }
        }
        let mut changes: Vec<_> =
            self.inverse_mass.iter().zip(&pushes).map(|(inverse, push)| inverse * push).collect();
        let Some(elimination) = elimination else { return (changes, Vec::new()) };
        let rates = self.links.iter().map(|link| link.rate(&changes));
        let (held, impulses) = self.undo_rates(elimination, rates);
        for (change, held) in changes.iter_mut().zip(held) {
            *change += held;
        }
        (changes, impulses)
    }

    /// How the velocities of the bodies change least, and by which impulses of the links, so that these `rates` of the links become
    /// 0; those that have no part in the `elimination` do nothing.
    pub(crate) fn undo_rates(
        &self,
        elimination: &DMatrix<f64>,
        rates: impl IntoIterator<Item = f64>,
    ) -> (Vec<SVector<f64, N>>, Vec<f64>) {
        let impulses = elimination * -DVector::from_iterator(self.links.len(), rates);
        let mut pushes = vec![SVector::<f64, N>::zeros(); self.bodies()];
        for (link, impulse) in self.links.iter().zip(&impulses) {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    pushes[body] += row * *impulse;
                }
            }
        }
        let changes = self.inverse_mass.iter().zip(&pushes).map(|(inverse, push)| inverse * push);
        (changes.collect(), impulses.iter().copied().collect())
    }

    /// The impulses of the links that go with the `impulses` of the contacts.
    pub fn link_impulses(&self, impulses: &[SVector<f64, D>], link_impulses: &mut Vec<f64>) {
        link_impulses.clear();
        if self.links.is_empty() {
            return;
        }
        let mut velocity = Vec::new();
        self.velocities(impulses, &[], &mut velocity);
        let rates = self.links.iter().map(|link| self.link_rate(link, &velocity));
        let rates = DVector::from_iterator(self.links.len(), rates);
        link_impulses.extend((self.link_elimination() * -rates).iter());
    }
}
