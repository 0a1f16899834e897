use nalgebra::{SMatrix, SVector, matrix, vector};
use stickslip_solve::nlp::{Nlp, Sparsity, derivatives};

use crate::programs::{ContactStep, HockSchittkowski71};

const STEP: ContactStep = ContactStep { free_velocity: [30.0, -1.0], gap: 0.2, friction: 0.3 };

#[test]
fn of_hock_schittkowski_71_are_those_derived_by_hand() {
    let x = vector![1.0, 5.0, 4.0, 2.0];
    let y = vector![-0.5, 0.25];
    let (a, b, c, d) = (x[0], x[1], x[2], x[3]);

    let gradient = derivatives::objective_gradient(&HockSchittkowski71, &x);
    assert_eq!(gradient, vector![d * (2.0 * a + b + c), a * d, a * d + 1.0, a * (a + b + c)]);

    let jacobian = derivatives::constraint_jacobian(&HockSchittkowski71, &x);
    assert_eq!(
        jacobian,
        matrix![b * c * d, a * c * d, a * b * d, a * b * c; 2.0 * a, 2.0 * b, 2.0 * c, 2.0 * d]
    );

    let sigma = 2.0;
    let of_objective = matrix![
        2.0 * d, d, d, 2.0 * a + b + c;
        d, 0.0, 0.0, a;
        d, 0.0, 0.0, a;
        2.0 * a + b + c, a, a, 0.0];
    let of_product = matrix![
        0.0, c * d, b * d, b * c;
        c * d, 0.0, a * d, a * c;
        b * d, a * d, 0.0, a * b;
        b * c, a * c, a * b, 0.0];
    let expected = of_objective * sigma + of_product * y[0] + SMatrix::identity() * (2.0 * y[1]);
    let hessian = derivatives::lagrangian_hessian(&HockSchittkowski71, &x, sigma, &y);
    assert!((hessian - expected).amax() < 1e-13, "{hessian} is not {expected}");
}

/// Central differences of step 1e-6: truncation and rounding stay below 1e-8 relative to the
/// largest term.
#[test]
fn agree_with_finite_differences() {
    compare_with_finite_differences(&HockSchittkowski71, &vector![1.3, 4.2, 3.9, 1.7]);
    compare_with_finite_differences(&STEP, &vector![29.0, 0.1, -0.7, 1.2, 0.3, 0.2, 31.0]);
}

fn compare_with_finite_differences<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
) {
    let sigma = 0.7;
    let y = SVector::<f64, M>::from_fn(|row, _| 0.5 - row as f64);
    let gradient = derivatives::objective_gradient(problem, x);
    let jacobian = derivatives::constraint_jacobian(problem, x);
    let hessian = derivatives::lagrangian_hessian(problem, x, sigma, &y);
    for column in 0..N {
        let step = 1e-6 * x[column].abs().max(1.0);
        let (mut ahead, mut behind) = (*x, *x);
        ahead[column] += step;
        behind[column] -= step;
        let slope = (problem.objective(&ahead) - problem.objective(&behind)) / (2.0 * step);
        assert!((slope - gradient[column]).abs() < 1e-7 * gradient.amax().max(1.0));
        let slope = (problem.constraints(&ahead) - problem.constraints(&behind)) / (2.0 * step);
        assert!((slope - jacobian.column(column)).amax() < 1e-7 * jacobian.amax());
        let slope = (derivatives::lagrangian_gradient(problem, &ahead, sigma, &y)
            - derivatives::lagrangian_gradient(problem, &behind, sigma, &y))
            / (2.0 * step);
        assert!((slope - hessian.column(column)).amax() < 1e-7 * hessian.amax());
    }
}

#[test]
fn sparse_values_equal_the_dense_matrices() {
    compare_sparse_with_dense(&HockSchittkowski71, &vector![1.3, 4.2, 3.9, 1.7]);
    compare_sparse_with_dense(&STEP, &vector![29.0, 0.1, -0.7, 1.2, 0.3, 0.2, 31.0]);
}

fn compare_sparse_with_dense<const N: usize, const M: usize, P: Nlp<N, M>>(problem: &P, x: &SVector<f64, N>) {
    let sparsity = Sparsity::probe(problem);
    let y = SVector::<f64, M>::from_fn(|row, _| 0.5 - row as f64);

    let mut values = vec![f64::NAN; sparsity.jacobian().len()];
    derivatives::jacobian_values(problem, x, &sparsity, &mut values);
    let mut jacobian = SMatrix::<f64, M, N>::zeros();
    for (&(row, column), value) in sparsity.jacobian().iter().zip(values) {
        jacobian[(row, column)] = value;
    }
    assert_eq!(jacobian, derivatives::constraint_jacobian(problem, x));

    let mut values = vec![f64::NAN; sparsity.hessian().len()];
    derivatives::hessian_values(problem, x, 0.7, &y, &sparsity, &mut values);
    let mut hessian = SMatrix::<f64, N, N>::zeros();
    for (&(row, column), value) in sparsity.hessian().iter().zip(values) {
        hessian[(row, column)] = value;
        hessian[(column, row)] = value;
    }
    assert_eq!(hessian, derivatives::lagrangian_hessian(problem, x, 0.7, &y));
}
