use nalgebra::{DMatrix, DVector, Dyn, SVector};

use super::FrictionPolygon;
use crate::{
    contact::DenseProblem,
    lcp::{DynamicLcp, Lemke, Solution, Status},
};

/// The complementarity problem of Stewart and Trinkle (1996) for a [`DenseProblem`], and its
/// solution by Lemke's method.
///
/// With the normal impulses `p`, the shares `beta` of the friction along unit directions `d_j` that
/// span the tangent plane positively, and the slip speeds `gamma`
///
/// ```text
/// u_n = W_nn p + W_nt D beta + q_n            >= 0   |   p     >= 0
/// D' (W_tn p + W_tt D beta + q_t) + E gamma   >= 0   |   beta  >= 0
/// mu p - E' beta                              >= 0   |   gamma >= 0
/// ```
///
/// In the plane the two directions are exact. In space the cone becomes a pyramid, whose base is the
/// contact's [`FrictionPolygon`]. Rows and columns
/// of a contact are scaled by `W_nn^-1/2`.
#[derive(Debug, Clone)]
pub(in crate::contact) struct PolyhedralProgram<const D: usize> {
    /// Number of directions of a contact in space, and how they are turned.
    count: usize,
    polygon: FrictionPolygon,
    /// The `d_j` of all contacts, one after the other.
    directions: Vec<SVector<f64, D>>,
    lemke: Option<Lemke<Dyn>>,
    solution: Solution<Dyn>,
    /// Pivots of all problems so far, and attempts of the last.
    pub pivots: u32,
    pub attempts: u32,
}

impl<const D: usize> PolyhedralProgram<D> {
    /// Friction along `directions` evenly spread directions; in the plane there are two.
    pub fn new(directions: usize, polygon: FrictionPolygon) -> Self {
        Self {
            count: if D == 2 { 2 } else { directions.max(3) },
            polygon,
            directions: Vec::new(),
            lemke: None,
            solution: Solution::empty(Dyn(0)),
            pivots: 0,
            attempts: 0,
        }
    }

    /// Solves the complementarity problem; `impulses` are then its answer, or the best guess.
    pub fn solve(&mut self, problem: &DenseProblem<D>, impulses: &mut Vec<SVector<f64, D>>) -> Status {
        let (n, k) = (problem.contacts(), self.count);
        impulses.clear();
        impulses.resize(n, SVector::zeros());
        self.directions.clear();
        for contact in 0..n {
            self.directions.extend(self.polygon.directions(k, &problem.free(contact)));
        }
        let scales: Vec<f64> = (0..n).map(|i| 1.0 / problem.w[(D * i, D * i)].sqrt()).collect();
        let unit = problem
            .q
            .iter()
            .enumerate()
            .fold(0.0_f64, |largest, (row, q)| largest.max((q * scales[row / D]).abs()));
        if unit == 0.0 {
            return Status::Solved;
        }
        let Ok(lcp) = self.pose(problem, &scales, unit) else {
            return Status::NotApplicable;
        };
        let size = lcp.dim();
        if self.lemke.is_none() || self.solution.z.len() != size.0 {
            // In the plane no more than two contacts of a face share its load, and rounding alone is zero.
            self.lemke = Some(if D == 2 { Lemke::new(size) } else { Lemke::of_deficient_rank(size) });
            self.solution = Solution::empty(size);
        }
        let Some(lemke) = &mut self.lemke else { return Status::NotApplicable };
        lemke.solve_into(&lcp, &mut self.solution);
        self.pivots += self.solution.pivots;
        self.attempts = self.solution.attempts;
        for (i, impulse) in impulses.iter_mut().enumerate() {
            impulse[0] = self.solution.z[i];
            for j in k * i..k * (i + 1) {
                *impulse += self.directions[j] * self.solution.z[n + j];
            }
            *impulse *= scales[i] * unit;
        }
        self.solution.status
    }

    fn pose(
        &self,
        problem: &DenseProblem<D>,
        scales: &[f64],
        unit: f64,
    ) -> Result<DynamicLcp, crate::lcp::ProblemError> {
        let (n, k) = (problem.contacts(), self.count);
        let of_contact = |i: usize| self.directions[k * i..k * (i + 1)].iter().enumerate();
        let size = n * (k + 2);
        let mut m = DMatrix::zeros(size, size);
        let mut q = DVector::zeros(size);
        for i in 0..n {
            let free = problem.free(i) * (scales[i] / unit);
            q[i] = free[0];
            for (a, direction) in of_contact(i) {
                let row = n + k * i + a;
                q[row] = direction.dot(&free);
                m[(row, n + n * k + i)] = 1.0;
                m[(n + n * k + i, row)] = -1.0;
            }
            m[(n + n * k + i, i)] = problem.friction[i];
            for j in 0..n {
                let block = problem.w.fixed_view::<D, D>(D * i, D * j) * (scales[i] * scales[j]);
                m[(i, j)] = block[(0, 0)];
                for (b, other) in of_contact(j) {
                    m[(i, n + k * j + b)] = (block * other)[0];
                }
                for (a, along) in of_contact(i) {
                    let of_row = block.tr_mul(along);
                    m[(n + k * i + a, j)] = of_row[0];
                    for (b, other) in of_contact(j) {
                        m[(n + k * i + a, n + k * j + b)] = of_row.dot(other);
                    }
                }
            }
        }
        DynamicLcp::new(m, q)
    }
}
