use nalgebra::{DMatrix, SMatrix, SVector};

use super::Operator;
use crate::contact::{DenseProblem, Residuals, Yardstick};

/// A scaled [`DenseProblem`].
#[derive(Debug, Clone, Default)]
pub(in crate::contact) struct DenseOperator<const D: usize> {
    pub yardstick: Yardstick,
    /// `W'`
    pub w: DMatrix<f64>,
    q: Vec<SVector<f64, D>>,
    friction: Vec<f64>,
    own: Vec<SMatrix<f64, D, D>>,
    /// `S_i`
    scales: Vec<f64>,
    unit: f64,
    /// `u` at the point of the sweeps.
    current: Vec<SVector<f64, D>>,
}

impl<const D: usize> DenseOperator<D> {
    pub fn set(&mut self, problem: &DenseProblem<D>) {
        self.yardstick.set_dense(problem);
        self.unit = self.yardstick.unit();
        self.scales.clear();
        self.scales.extend(self.yardstick.weights().iter().map(|weight| 1.0 / weight.sqrt()));
        self.friction.clone_from(&problem.friction);
        let scales = &self.scales;
        let velocity_unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        self.q.clear();
        self.q.extend((0..scales.len()).map(|i| problem.free(i) * (scales[i] / velocity_unit)));
        if self.w.shape() != problem.w.shape() {
            self.w = DMatrix::zeros(problem.w.nrows(), problem.w.ncols());
        }
        for column in 0..problem.w.ncols() {
            for row in 0..problem.w.nrows() {
                self.w[(row, column)] = problem.w[(row, column)] * scales[row / D] * scales[column / D];
            }
        }
        self.own.clear();
        let own = |i: usize| self.w.fixed_view::<D, D>(D * i, D * i).into_owned();
        self.own.extend((0..scales.len()).map(own));
    }

    /// Scales impulses of the problem.
    pub fn scale(&self, impulses: &[SVector<f64, D>], r: &mut Vec<SVector<f64, D>>) {
        let unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        r.clear();
        r.extend(impulses.iter().zip(&self.scales).map(|(impulse, scale)| impulse / (unit * scale)));
    }

    /// Writes `du = W dr`.
    pub fn apply(&self, dr: &[SVector<f64, D>], du: &mut [SVector<f64, D>]) {
        du.fill(SVector::zeros());
        for (i, dr) in dr.iter().enumerate() {
            add_columns(&self.w, i, dr, du);
        }
    }

    /// Turns scaled impulses into those of the problem.
    pub fn unscale(&self, r: &[SVector<f64, D>], impulses: &mut Vec<SVector<f64, D>>) {
        impulses.clear();
        impulses.extend(r.iter().zip(&self.scales).map(|(r, scale)| r * (self.unit * scale)));
    }
}

/// Adds the columns of contact `i`, times `change`, to `u`.
fn add_columns<const D: usize>(
    w: &DMatrix<f64>,
    i: usize,
    change: &SVector<f64, D>,
    u: &mut [SVector<f64, D>],
) {
    for k in 0..D {
        let factor = change[k];
        let column = w.column(D * i + k);
        for (u, entries) in u.iter_mut().zip(column.as_slice().chunks_exact(D)) {
            for row in 0..D {
                u[row] += entries[row] * factor;
            }
        }
    }
}

impl<const D: usize> Operator<D> for DenseOperator<D> {
    fn friction(&self) -> &[f64] {
        &self.friction
    }

    fn velocities(&mut self, r: &[SVector<f64, D>], u: &mut [SVector<f64, D>]) {
        u.copy_from_slice(&self.q);
        for (i, r) in r.iter().enumerate() {
            add_columns(&self.w, i, r, u);
        }
    }

    fn own_block(&self, contact: usize) -> &SMatrix<f64, D, D> {
        &self.own[contact]
    }

    fn start_sweeps(&mut self, r: &[SVector<f64, D>]) {
        self.current.clone_from(&self.q);
        for (i, r) in r.iter().enumerate() {
            add_columns(&self.w, i, r, &mut self.current);
        }
    }

    fn velocity(&self, contact: usize) -> SVector<f64, D> {
        self.current[contact]
    }

    fn change(&mut self, contact: usize, change: &SVector<f64, D>) {
        add_columns(&self.w, contact, change, &mut self.current);
    }

    fn residuals(&self, r: &[SVector<f64, D>], u: &[SVector<f64, D>]) -> Residuals {
        super::residuals(&self.yardstick, &self.scales, self.unit, r, u)
    }

    fn accepts(&self, residuals: &Residuals, tolerance: f64) -> bool {
        self.yardstick.accepts(residuals, tolerance)
    }
}
