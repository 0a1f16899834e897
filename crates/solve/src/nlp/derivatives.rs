//! Derivatives of a nonlinear program by dual numbers, exact to rounding.
//!
//! The dense functions return whole vectors and matrices. The sparse ones fill the values of the
//! entries that a [`Sparsity`] lists, do not allocate, and are the fast ones for the programs of
//! a few to a few dozen variables this crate is made for.

use nalgebra::{SMatrix, SVector};
use num_dual::{Derivative, Dual64, DualNum, DualSVec64, HyperDual64};

use super::{Nlp, Sparsity};

/// Gradient of the objective, `df/dx_j`.
pub fn objective_gradient<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
) -> SVector<f64, N> {
    gradient_part(&problem.objective(&seeded(x)))
}

/// Jacobian of the constraints, `dg_i/dx_j`.
pub fn constraint_jacobian<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
) -> SMatrix<f64, M, N> {
    let mut jacobian = SMatrix::<f64, M, N>::zeros();
    for (row, value) in problem.constraints(&seeded(x)).iter().enumerate() {
        jacobian.set_row(row, &gradient_part(value).transpose());
    }
    jacobian
}

/// Gradient of the Lagrangian `sigma f(x) + y^T g(x)`.
pub fn lagrangian_gradient<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
    sigma: f64,
    y: &SVector<f64, M>,
) -> SVector<f64, N> {
    gradient_part(&lagrangian(problem, &seeded(x), sigma, y))
}

/// Hessian of the Lagrangian `sigma f(x) + y^T g(x)`, both triangles.
pub fn lagrangian_hessian<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
    sigma: f64,
    y: &SVector<f64, M>,
) -> SMatrix<f64, N, N> {
    let mut hessian = SMatrix::<f64, N, N>::zeros();
    for row in 0..N {
        for column in 0..=row {
            let entry = hessian_entry(problem, x, sigma, y, row, column);
            hessian[(row, column)] = entry;
            hessian[(column, row)] = entry;
        }
    }
    hessian
}

/// Values of the Jacobian entries that `sparsity` lists, in its order.
///
/// One pass with scalar dual numbers per group of variables that share no constraint, which is
/// cheaper than one pass with `N` derivatives in every number. `values` must be as long as
/// [`Sparsity::jacobian`]; further places are left alone.
pub fn jacobian_values<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
    sparsity: &Sparsity<N, M>,
    values: &mut [f64],
) {
    for group in sparsity.column_groups() {
        let mut dual = x.map(Dual64::from_re);
        for &variable in &group.variables {
            dual[variable].eps = 1.0;
        }
        let constraints = problem.constraints(&dual);
        for &(position, row) in &group.entries {
            values[position] = constraints[row].eps;
        }
    }
}

/// Values of the Hessian entries of `sigma f(x) + y^T g(x)` that `sparsity` lists, in its order.
///
/// One pass with scalar hyper-dual numbers per entry: variables that enter linearly cost nothing.
/// `values` must be as long as [`Sparsity::hessian`]; further places are left alone.
pub fn hessian_values<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
    sigma: f64,
    y: &SVector<f64, M>,
    sparsity: &Sparsity<N, M>,
    values: &mut [f64],
) {
    for (value, &(row, column)) in values.iter_mut().zip(sparsity.hessian()) {
        *value = hessian_entry(problem, x, sigma, y, row, column);
    }
}

fn hessian_entry<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
    sigma: f64,
    y: &SVector<f64, M>,
    row: usize,
    column: usize,
) -> f64 {
    let mut dual = x.map(HyperDual64::from_re);
    dual[row].eps1 = 1.0;
    dual[column].eps2 = 1.0;
    lagrangian(problem, &dual, sigma, y).eps1eps2
}

/// `sigma f(x) + y^T g(x)` for any kind of number.
fn lagrangian<const N: usize, const M: usize, P: Nlp<N, M>, T: DualNum<Primitive = f64> + Copy>(
    problem: &P,
    x: &SVector<T, N>,
    sigma: f64,
    y: &SVector<f64, M>,
) -> T {
    let mut sum = problem.objective(x) * sigma;
    for (constraint, multiplier) in problem.constraints(x).iter().zip(y.iter()) {
        sum += *constraint * *multiplier;
    }
    sum
}

/// Every variable with its own direction of derivation.
fn seeded<const N: usize>(x: &SVector<f64, N>) -> SVector<DualSVec64<N>, N> {
    SVector::from_fn(|variable, _| DualSVec64::from_re(x[variable]).derivative(variable))
}

fn gradient_part<const N: usize>(value: &DualSVec64<N>) -> SVector<f64, N> {
    let Derivative(gradient) = value.eps;
    gradient.unwrap_or_else(SVector::zeros)
}
