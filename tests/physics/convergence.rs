//! The error falls in proportion to the step.

use crate::{RIGID, point, run, thrown_point::ThrownPoint};

#[test]
fn the_error_is_of_first_order_in_the_step() {
    let steps = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4];
    for &name in RIGID {
        let exact = ThrownPoint { z0: 1.0, vx0: 1.0, vz0: 0.0, mu: 0.1 };
        let errors = steps.map(|dt| {
            let mut scenario = point([0.0, 1.0], [1.0, 0.0], 1.2);
            scenario.step = dt;
            let trajectory = run(&scenario, name);
            (trajectory.final_state(0).position[0] - exact.at(1.2)[0]).abs()
        });
        let slope = fitted_slope(&steps.map(f64::ln), &errors.map(f64::ln));
        assert!((0.95..=1.05).contains(&slope), "{name}: order {slope}, errors {errors:?}");
    }
}

/// Slope of the least-squares line through the points.
fn fitted_slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let covariance: f64 = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    covariance / x.iter().map(|x| (x - x_mean).powi(2)).sum::<f64>()
}
