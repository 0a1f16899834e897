//! Every step by itself: from the measured velocity before a contact, predict the one after it.

use nalgebra::{DMatrix, DVector, SVector};
use num_dual::{Derivative, DualNum, DualSVec64};

use super::contacts::{Contact, ContactStep};
use crate::learn::least_squares::{Minimum, Settings, minimise};

/// Frictions from which the search starts: with too much friction every step sticks, whatever it
/// is exactly, so one start is not enough.
const FRICTION_STARTS: [f64; 4] = [0.02, 0.1, 0.5, 2.0];
/// Restitution from which the search starts.
const RESTITUTION_START: f64 = 0.5;

/// Friction and restitution that predict the steps best: the minimum over `(mu, e)` of
///
/// ```text
/// sum of (vx_next - soft(vx, mu p_n))^2 over contacts + (vz_next - e |vz|)^2 over rebounds,
/// p_n = |vz| + e |vz| + g dt in a rebound,   soft(v, h) = sign(v) max(0, |v| - h).
/// ```
///
/// `gravity_step` is `g dt`. The best of the minima from several starts.
pub fn fit(steps: &[ContactStep], gravity_step: f64) -> Option<Minimum> {
    let problem = |x: &DVector<f64>| residuals(steps, gravity_step, x);
    let minima = FRICTION_STARTS.into_iter().map(|friction| {
        minimise(&problem, DVector::from_vec(vec![friction, RESTITUTION_START]), &Settings::default())
    });
    minima.filter(|minimum| minimum.x[0] >= 0.0).min_by(|a, b| a.cost().total_cmp(&b.cost()))
}

/// Residuals in `vx` and `vz` of every step, and their derivatives by `(mu, e)`.
fn residuals(steps: &[ContactStep], gravity_step: f64, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let variable = |index: usize| DualSVec64::<2>::from_re(x[index]).derivative(index);
    let (friction, restitution) = (variable(0), variable(1));
    let mut values = DVector::zeros(2 * steps.len());
    let mut jacobian = DMatrix::zeros(2 * steps.len(), 2);
    for (index, step) in steps.iter().enumerate() {
        for (kind, error) in errors(step, gravity_step, friction, restitution).into_iter().enumerate() {
            values[2 * index + kind] = error.re;
            let Derivative(gradient) = error.eps;
            let gradient = gradient.unwrap_or_else(SVector::zeros);
            jacobian.set_row(2 * index + kind, &gradient.transpose());
        }
    }
    (values, jacobian)
}

/// Prediction errors of one step in `vx` and `vz`.
fn errors<T: DualNum<Primitive = f64> + Copy>(
    step: &ContactStep,
    gravity_step: f64,
    friction: T,
    restitution: T,
) -> [T; 2] {
    let (impulse, rise_error) = match step.contact {
        Contact::Rebound { speed } => {
            ((restitution + 1.0) * speed + gravity_step, restitution * speed - step.next_rise)
        }
        Contact::Press { impulse } => (T::from(impulse), T::from(0.0)),
    };
    let kept = -(friction * impulse) + step.slip.abs();
    let predicted = if kept.re() > 0.0 { kept * step.slip.signum() } else { T::from(0.0) };
    [predicted - step.next_slip, rise_error]
}
