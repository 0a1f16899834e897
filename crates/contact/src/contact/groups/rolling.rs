use nalgebra::{DMatrix, DVector, SVector};

use super::{GROUPS, ROWS, Rows, Weights, project};
use crate::contact::{
    DenseProblem, DenseProblemError, DenseSolution, ExactCone, Method, Report, SolveFailure, StewartTrinkle,
    StewartTrinkleSettings, Structured, StructuredSettings,
};

/// A contact problem by its Delassus operator whose contacts resist rolling: find `r` such that `u = W r + q` and `r` fulfil
///
/// ```text
/// |r_t| <= mu r_n,   |r_w| <= rho r_n;   v = u + n (mu |u_t| + rho |u_w|) in K*,   r in K,   r.v = 0
/// ```
///
/// contact by contact. Each has `R` rows: three in the plane, normal, tangent and rolling, and five in space, normal, two
/// tangents and rolling about both of them. Impulses of the rolling rows are torques over the step. It is the problem that is
/// called rolling friction in Siconos (Acary and Bourrier 2021).
#[derive(Debug, Clone, PartialEq)]
pub struct RollingProblem<const R: usize> {
    /// `W`, `q` and `mu`.
    pub problem: DenseProblem<R>,
    /// `rho` of the contacts, at least 0, in m.
    pub rolling: Vec<f64>,
}

impl<const R: usize> RollingProblem<R> {
    /// Rows along tangents, as many as those of rolling.
    const TANGENTS: usize = (R - 1) / 2;

    /// Where the rows stand among those of contacts with groups, which have drilling as well.
    const PLACES: [usize; R] = {
        let mut places = [0; R];
        let mut row = 1;
        while row < R {
            places[row] =
                if row <= Self::TANGENTS { row } else { GROUPS[1].start + row - Self::TANGENTS - 1 };
            row += 1;
        }
        places
    };

    /// A problem, its sizes and numbers checked.
    ///
    /// # Errors
    /// [`DenseProblemError`] for the first fault found.
    pub fn new(
        w: DMatrix<f64>,
        q: DVector<f64>,
        friction: Vec<f64>,
        rolling: Vec<f64>,
    ) -> Result<Self, DenseProblemError> {
        let problem = DenseProblem::new(w, q, friction)?;
        if rolling.len() != problem.contacts() {
            return Err(DenseProblemError::SizeMismatch {
                what: "rolling",
                entries: rolling.len(),
                rows: problem.q.len(),
                rows_per_contact: R,
                expected: problem.contacts(),
            });
        }
        DenseProblemError::check_coefficients("rolling", &rolling)?;
        Ok(Self { problem, rolling })
    }

    /// Solves the problem by `method` with this bound on both residuals in scaled rows; `solution` then holds the answer or
    /// the best candidate.
    ///
    /// # Errors
    /// [`SolveFailure`] when there is no solution to vouch for, and where the method knows one coefficient alone.
    pub fn solve(
        &self,
        method: Method,
        tolerance: f64,
        solution: &mut DenseSolution<R>,
    ) -> Result<Report, SolveFailure> {
        let scaled = self.scaled();
        let mut own = DenseSolution::default();
        let settings = StructuredSettings { tolerance, ..Default::default() };
        let answer = match method {
            Method::Nlp => Structured::<3, 6>::new(settings).solve_dense_groups(&scaled, &mut own),
            Method::Lcp => {
                let settings = StewartTrinkleSettings { tolerance, ..Default::default() };
                match Self::TANGENTS {
                    1 => StewartTrinkle::<2, 3>::new(settings).solve_dense_groups(&scaled, &mut own),
                    _ => StewartTrinkle::<3, 6>::new(settings).solve_dense_groups(&scaled, &mut own),
                }
            }
            Method::Cone => ExactCone::<3, 6>::new(tolerance).solve_dense_groups(&scaled, &mut own),
            Method::Convex => Err(SolveFailure::Refused {
                reason: "contacts resist rolling, and `convex` without bodies knows one coefficient alone"
                    .to_owned(),
                remedy: "take `nlp`, `lcp` or `cone`".to_owned(),
            }),
        };
        own.impulses.resize(self.problem.contacts(), Rows::zeros());
        solution.impulses.clear();
        solution.impulses.extend(own.impulses.iter().enumerate().map(|(contact, impulse)| {
            let unscaled = impulse.component_mul(&self.scale(contact));
            SVector::from_fn(|row, _| unscaled[Self::PLACES[row]])
        }));
        self.problem.velocities(&solution.impulses, &mut solution.velocities);
        answer
    }

    /// The natural map `r - P_K(r - v)` of a contact in the rows as they are.
    pub(in crate::contact) fn missed(
        &self,
        contact: usize,
        impulse: &SVector<f64, R>,
        velocity: &SVector<f64, R>,
    ) -> SVector<f64, R> {
        let [mu, rho] = [self.problem.friction[contact], self.rolling[contact]];
        let mut free = impulse - velocity;
        let slip = velocity.rows_range(1..=Self::TANGENTS).norm();
        let spin = velocity.rows_range(Self::TANGENTS + 1..).norm();
        free[0] -= mu * slip + rho * spin;
        // In rows divided by their coefficients the cone is that of groups, and distances count by their squares.
        let scale = self.scale(contact);
        let square = |coefficient: f64| if coefficient > 0.0 { coefficient * coefficient } else { 1.0 };
        let weights = Weights::new([1.0, square(mu), square(rho)]);
        let mut scaled = Rows::zeros();
        for (row, place) in Self::PLACES.into_iter().enumerate() {
            scaled[place] = if scale[place] > 0.0 { free[row] / scale[place] } else { 0.0 };
        }
        let projected = project(&scaled, &weights).component_mul(&scale);
        SVector::from_fn(|row, _| impulse[row] - projected[Self::PLACES[row]])
    }

    /// The same in scaled rows, in which the friction of both groups is a ball.
    fn scaled(&self) -> DenseProblem<ROWS> {
        let contacts = self.problem.contacts();
        let mut w = DMatrix::zeros(ROWS * contacts, ROWS * contacts);
        let mut q = DVector::zeros(ROWS * contacts);
        let scales: Vec<Rows> = (0..contacts).map(|contact| self.scale(contact)).collect();
        for (j, of_column) in scales.iter().enumerate() {
            for (column, to) in Self::PLACES.into_iter().enumerate() {
                let source = R * j + column;
                q[ROWS * j + to] = self.problem.q[source] * of_column[to];
                for (i, of_row) in scales.iter().enumerate() {
                    for (row, at) in Self::PLACES.into_iter().enumerate() {
                        let entry = self.problem.w[(R * i + row, source)];
                        w[(ROWS * i + at, ROWS * j + to)] = entry * of_row[at] * of_column[to];
                    }
                }
            }
        }
        DenseProblem { w, q, friction: vec![1.0; contacts] }
    }

    /// What the rows of a contact are multiplied with; 0 for drilling, which is free.
    fn scale(&self, contact: usize) -> Rows {
        let [mu, rho] = [self.problem.friction[contact], self.rolling[contact]];
        Rows::from([1.0, mu, mu, 0.0, rho, rho])
    }
}
