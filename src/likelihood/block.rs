//! One block of data: its normal equations, and its own unknowns at their best.

use nalgebra::{DMatrix, DVector};

/// Most evaluations for the unknowns of one block.
const MOST_EVALUATIONS: usize = 60;
/// Decrease of the sum of squares, in units of the variance, that counts as none.
const NEGLIGIBLE: f64 = 1e-9;
/// Share of a curvature that is added to it, so that a direction without any stays put.
const RIDGE: f64 = 1e-13;

/// Sum of squares `r'r` of a block with its half gradient `J'r` and Gauss-Newton curvature `J'J`; the
/// parameters come first, the unknowns of the block after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    /// Sum of squares.
    pub squares: f64,
    /// Half its gradient.
    pub gradient: DVector<f64>,
    /// Half its curvature.
    pub curvature: DMatrix<f64>,
}

impl Normal {
    /// Without residuals so far, in so many variables.
    pub fn new(variables: usize) -> Self {
        Self {
            squares: 0.0,
            gradient: DVector::zeros(variables),
            curvature: DMatrix::zeros(variables, variables),
        }
    }

    /// Forgets all residuals.
    pub fn clear(&mut self) {
        self.squares = 0.0;
        self.gradient.fill(0.0);
        self.curvature.fill(0.0);
    }

    /// Adds a residual with its derivatives by all variables.
    pub fn add(&mut self, residual: f64, slope: &[f64]) {
        self.squares += residual * residual;
        for (entry, by_row) in self.gradient.iter_mut().zip(slope) {
            *entry += residual * by_row;
        }
        // The lower triangle, along the columns as they are stored.
        let columns = self.curvature.as_mut_slice().chunks_exact_mut(self.gradient.len().max(1));
        for (first, (column, &by_column)) in columns.zip(slope).enumerate() {
            if by_column != 0.0 {
                for (entry, by_row) in column[first..].iter_mut().zip(&slope[first..]) {
                    *entry += by_row * by_column;
                }
            }
        }
    }

    /// Of how many residuals of each kind the unknowns take the freedom, where the residuals of a block were
    /// added up by kinds: the traces of `(J'J)^-1 J_k'J_k`, whose sum is the number of unknowns.
    pub fn leverages<const K: usize>(kinds: &[Self; K], parameters: usize) -> [f64; K] {
        let own = kinds[0].gradient.len() - parameters;
        let part = |normal: &Self| {
            let mut whole = normal.curvature.clone();
            whole.fill_upper_triangle_with_lower_triangle();
            whole.view((parameters, parameters), (own, own)).into_owned()
        };
        let parts = kinds.each_ref().map(part);
        let mut matrix = parts.iter().fold(DMatrix::zeros(own, own), |sum, part| sum + part);
        damp(&mut matrix, 0.0);
        match matrix.cholesky() {
            Some(factor) => parts.map(|part| factor.solve(&part).trace()),
            None => [0.0; K],
        }
    }

    /// To be called after the last residual: fills the upper triangle.
    fn complete(&mut self) {
        self.curvature.fill_upper_triangle_with_lower_triangle();
    }

    fn is_finite(&self) -> bool {
        self.squares.is_finite()
            && self.gradient.iter().chain(self.curvature.iter()).all(|entry| entry.is_finite())
    }
}

/// Moves the unknowns of a block to where its sum of squares is least, by the Levenberg-Marquardt
/// method, and returns the normal equations there. `evaluate` adds the residuals at some unknowns.
pub(super) fn settle(
    parameters: usize,
    unknowns: &mut [f64],
    evaluate: &dyn Fn(&[f64], &mut Normal),
) -> Normal {
    let own = unknowns.len();
    let mut best = Normal::new(parameters + own);
    evaluate(unknowns, &mut best);
    best.complete();
    if own == 0 {
        return best;
    }
    let mut other = Normal::new(parameters + own);
    let mut candidate = vec![0.0; own];
    let (mut damping, mut growth) = (0.0, 2.0);
    for _ in 0..MOST_EVALUATIONS {
        let gradient = best.gradient.rows(parameters, own);
        let mut matrix = best.curvature.view((parameters, parameters), (own, own)).into_owned();
        damp(&mut matrix, damping);
        let Some(factor) = matrix.cholesky() else {
            damping = next_damping(damping, &mut growth);
            continue;
        };
        let step = -factor.solve(&gradient);
        // Twice the decrease of the linear model, less the part of the damping.
        if -gradient.dot(&step) <= NEGLIGIBLE {
            break;
        }
        for (place, value) in candidate.iter_mut().enumerate() {
            *value = unknowns[place] + step[place];
        }
        if candidate == unknowns {
            break;
        }
        other.clear();
        evaluate(&candidate, &mut other);
        other.complete();
        if other.is_finite() && other.squares < best.squares {
            std::mem::swap(&mut best, &mut other);
            unknowns.copy_from_slice(&candidate);
            damping = if damping <= 1e-6 { 0.0 } else { 0.1 * damping };
            growth = 2.0;
        } else {
            damping = next_damping(damping, &mut growth);
            if damping > 1e16 {
                break;
            }
        }
    }
    best
}

/// Adds `damping` times the diagonal, and a trace of it in any case.
pub(super) fn damp(matrix: &mut DMatrix<f64>, damping: f64) {
    let most = matrix.diagonal().amax().max(f64::MIN_POSITIVE);
    for index in 0..matrix.nrows() {
        let own = matrix[(index, index)];
        matrix[(index, index)] = own + damping * own.max(1e-12 * most) + RIDGE * own.max(1e-6 * most);
    }
}

pub(super) fn next_damping(damping: f64, growth: &mut f64) -> f64 {
    let next = if damping == 0.0 { 1e-4 } else { damping * *growth };
    *growth *= 2.0;
    next
}
