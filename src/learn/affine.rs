//! Predictions that are affine in measured forces, `x = f(v, u) + G(v, u) lambda`, with `f` and `G`
//! affine in `v` and `u`: the model of the direct formulations, with 18 coefficients.

use nalgebra::{DMatrix, DVector, SVector, Vector2};

use super::data::BlockSample;

/// Number of features, `(1, v, u)` times `(1, lambda_1, lambda_2)`.
pub const FEATURES: usize = 9;
/// Number of coefficients: the features for each of the two outputs.
pub const COEFFICIENTS: usize = 2 * FEATURES;

/// Names of the coefficients, in order: `f1`, `f1 v`, `f1 u`, `G11`, `G11 v`, ... `G22 u`.
pub fn coefficient_names() -> Vec<String> {
    let parts = |output: usize| [format!("f{output}"), format!("G{output}1"), format!("G{output}2")];
    (1..=2)
        .flat_map(parts)
        .flat_map(|part| [part.clone(), format!("{part}_v"), format!("{part}_u")])
        .collect()
}

/// Features of a step with the two forces `lambda`.
pub fn features(sample: &BlockSample, lambda: Vector2<f64>) -> SVector<f64, FEATURES> {
    let (v, u) = (sample.velocity, sample.push);
    SVector::from([1.0, v, u, lambda.x, v * lambda.x, u * lambda.x, lambda.y, v * lambda.y, u * lambda.y])
}

/// `[max(v, 0), max(-v, 0)]`: a velocity in two complementary parts.
pub fn split(velocity: f64) -> Vector2<f64> {
    Vector2::new(velocity.max(0.0), (-velocity).max(0.0))
}

/// The outputs of the model at one step.
pub fn predict(coefficients: &DVector<f64>, features: &SVector<f64, FEATURES>) -> Vector2<f64> {
    let output = |index: usize| features.dot(&coefficients.fixed_rows::<FEATURES>(index * FEATURES));
    Vector2::new(output(0), output(1))
}

/// Least-squares solution of smallest norm of `A c = b`, and the residuals.
pub fn linear_least_squares(matrix: &DMatrix<f64>, right: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
    let decomposition = matrix.clone().svd(true, true);
    let cut = 1e-12 * decomposition.singular_values.max();
    // Both factors were asked for, so the solution exists.
    let solution = decomposition.solve(right, cut).unwrap_or_else(|_| DVector::zeros(matrix.ncols()));
    let residuals = matrix * &solution - right;
    (solution, residuals)
}

/// Root mean square over all entries.
pub fn rms(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1);
    (values.map(|value| value * value).sum::<f64>() / count as f64).sqrt()
}
