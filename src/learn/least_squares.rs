//! Nonlinear least squares by the Levenberg-Marquardt method.

use std::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

/// `min |r(x)|^2 / 2` over `x`.
pub trait Residuals {
    /// Residuals `r(x)` and their Jacobian `dr_i/dx_j`.
    fn evaluate(&self, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>);
}

impl<F: Fn(&DVector<f64>) -> (DVector<f64>, DMatrix<f64>)> Residuals for F {
    fn evaluate(&self, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        self(x)
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Most evaluations of residuals and Jacobian.
    pub max_evaluations: usize,
    /// Largest entry of the gradient `J^T r`, over `|r|` and the length of its column of `J`, at
    /// which the point counts as stationary: the cosine of the angle between them.
    pub gradient_tolerance: f64,
    /// Norm of the residuals that counts as zero.
    pub zero_residual: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_evaluations: 500, gradient_tolerance: 1e-10, zero_residual: 1e-14 }
    }
}

/// Where the search ended.
#[derive(Debug, Clone)]
pub struct Minimum {
    /// The best point.
    pub x: DVector<f64>,
    /// Residuals there.
    pub residuals: DVector<f64>,
    /// Jacobian there.
    pub jacobian: DMatrix<f64>,
    /// Evaluations that were needed.
    pub evaluations: usize,
    /// Whether the point is stationary; otherwise the limit was reached, or no step improved.
    pub converged: bool,
    /// `|r|^2` after every accepted step.
    pub costs: Vec<f64>,
}

impl Minimum {
    /// `|r|^2` at the best point.
    pub fn cost(&self) -> f64 {
        self.residuals.norm_squared()
    }

    /// Root mean square of the residuals.
    pub fn rms(&self) -> f64 {
        (self.cost() / self.residuals.len().max(1) as f64).sqrt()
    }
}

/// Minimises from `start`.
///
/// Each step solves `(J^T J + nu D) p = -J^T r` as a least-squares problem, with `D` the largest
/// squared column norms seen (Marquardt's scaling as in MINPACK: Moré 1978) and the damping `nu`
/// steered by the ratio of the actual to the predicted decrease (Nielsen 1999). Points where a
/// residual is not finite are refused like points that are worse.
pub fn minimise(problem: &impl Residuals, start: DVector<f64>, settings: &Settings) -> Minimum {
    minimise_watched(problem, start, settings, &mut || ControlFlow::Continue(())).0
}

/// The same; `watch` is asked before every evaluation whether to go on, and the answer returned with the best
/// point so far.
pub fn minimise_watched(
    problem: &impl Residuals,
    start: DVector<f64>,
    settings: &Settings,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> (Minimum, ControlFlow<()>) {
    let (residuals, jacobian) = problem.evaluate(&start);
    let mut best =
        Minimum { x: start, residuals, jacobian, evaluations: 1, converged: false, costs: Vec::new() };
    best.costs.push(best.cost());
    let mut scale = DVector::from_element(best.x.len(), 0.0);
    let (mut damping, mut growth) = (1e-3, 2.0);
    while best.evaluations < settings.max_evaluations {
        if watch().is_break() {
            return (best, ControlFlow::Break(()));
        }
        let gradient = best.jacobian.tr_mul(&best.residuals);
        if is_stationary(&best, &gradient, settings) {
            best.converged = true;
            break;
        }
        for (scale, column) in scale.iter_mut().zip(best.jacobian.column_iter()) {
            *scale = column.norm_squared().max(*scale);
        }
        let Some(step) = damped_step(&best, &scale, damping) else { break };
        // |r|^2 - |r + J p|^2 of the linear model.
        let predicted = step.dot(&(step.component_mul(&scale) * damping - &gradient));
        let candidate = &best.x + &step;
        if candidate == best.x {
            best.converged = true;
            break;
        }
        let (residuals, jacobian) = problem.evaluate(&candidate);
        best.evaluations += 1;
        let gain = (best.cost() - residuals.norm_squared()) / predicted;
        let is_finite = jacobian.iter().chain(&residuals).all(|entry| entry.is_finite());
        if gain > 0.0 && is_finite {
            best = Minimum { x: candidate, residuals, jacobian, ..best };
            best.costs.push(best.cost());
            damping = (damping * (1.0 - (2.0 * gain.min(1.0) - 1.0).powi(3)).max(1.0 / 3.0)).max(1e-15);
            growth = 2.0;
        } else {
            damping *= growth;
            growth *= 2.0;
            if !damping.is_finite() {
                break;
            }
        }
    }
    (best, ControlFlow::Continue(()))
}

fn is_stationary(best: &Minimum, gradient: &DVector<f64>, settings: &Settings) -> bool {
    let norm = best.residuals.norm();
    let columns = best.jacobian.column_iter();
    norm <= settings.zero_residual
        || gradient
            .iter()
            .zip(columns)
            .all(|(entry, column)| entry.abs() <= settings.gradient_tolerance * norm * column.norm())
}

/// Solves `[J; sqrt(nu D)] p = [-r; 0]` in the least-squares sense by QR, which keeps the digits
/// that forming `J^T J` would lose.
fn damped_step(best: &Minimum, scale: &DVector<f64>, damping: f64) -> Option<DVector<f64>> {
    let (rows, columns) = best.jacobian.shape();
    let mut matrix = DMatrix::zeros(rows + columns, columns);
    matrix.rows_mut(0, rows).copy_from(&best.jacobian);
    for (index, scale) in scale.iter().enumerate() {
        // A column that is zero so far gets the weight of a unit column, so that it stays put.
        let weight = if *scale > 0.0 { *scale } else { 1.0 };
        matrix[(rows + index, index)] = (damping * weight).sqrt();
    }
    let mut right = DVector::zeros(rows + columns);
    right.rows_mut(0, rows).copy_from(&-&best.residuals);
    let decomposition = matrix.qr();
    decomposition.q_tr_mul(&mut right);
    decomposition.unpack_r().solve_upper_triangular(&right.rows(0, columns).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        let rosenbrock = |x: &DVector<f64>| {
            let residuals = DVector::from_vec(vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]);
            (residuals, DMatrix::from_row_slice(2, 2, &[-20.0 * x[0], 10.0, -1.0, 0.0]))
        };
        let minimum = minimise(&rosenbrock, DVector::from_vec(vec![-1.2, 1.0]), &Settings::default());
        assert!(minimum.converged);
        assert!((minimum.x - DVector::from_element(2, 1.0)).amax() < 1e-12);
    }

    #[test]
    fn a_column_of_zeros_leaves_its_variable_where_it_was() {
        let flat = |x: &DVector<f64>| {
            (DVector::from_vec(vec![x[0] - 3.0]), DMatrix::from_row_slice(1, 2, &[1.0, 0.0]))
        };
        let minimum = minimise(&flat, DVector::from_vec(vec![0.0, 7.0]), &Settings::default());
        assert!((minimum.x[0] - 3.0).abs() < 1e-10);
        assert_eq!(minimum.x[1], 7.0);
    }
}
