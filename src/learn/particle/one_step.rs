//! Every step by itself: from the measured velocity before a contact, predict the one after it.

use nalgebra::{DMatrix, DVector, SVector};
use num_dual::{Derivative, DualNum, DualSVec64};

use super::contacts::{Contact, ContactData, ContactStep};
use crate::learn::least_squares::{Minimum, Settings, minimise};

/// Frictions from which the search starts: with too much friction every step sticks, whatever it
/// is exactly, so one start is not enough.
const FRICTION_STARTS: [f64; 5] = [0.02, 0.1, 0.3, 1.0, 3.0];
/// Restitution from which the search starts.
const RESTITUTION_START: f64 = 0.5;

/// Friction and restitution that predict the steps best: the minimum over `(mu, e)` of
///
/// ```text
/// sum of (vx_next - soft(vx, mu p_n))^2 over contacts + (vz_next - e |vz|)^2 over rebounds,
/// p_n = |vz| + e |vz| + g dt in a rebound,   soft(v, h) = sign(v) max(0, |v| - h).
/// ```
///
/// The best of the minima from several starts; where one of them has `mu < 0`, so that of `mu = 0`.
pub fn fit(data: &ContactData) -> Option<Minimum> {
    let problem = |x: &DVector<f64>| residuals(data, x);
    let minima = FRICTION_STARTS.map(|friction| {
        minimise(&problem, DVector::from_vec(vec![friction, RESTITUTION_START]), &Settings::default())
    });
    let at_bound = minima.iter().any(|minimum| minimum.x[0] < 0.0).then(|| fit_without_friction(data));
    let allowed = minima.into_iter().filter(|minimum| minimum.x[0] >= 0.0);
    allowed.chain(at_bound).min_by(|a, b| a.cost().total_cmp(&b.cost()))
}

/// The restitution that predicts the steps best at `mu = 0`. The Jacobian of the minimum is that of
/// both unknowns, which tells how exactly the data hold the friction there.
fn fit_without_friction(data: &ContactData) -> Minimum {
    let problem = |x: &DVector<f64>| {
        let (values, mut jacobian) = residuals(data, x);
        jacobian.column_mut(0).fill(0.0);
        (values, jacobian)
    };
    let start = DVector::from_vec(vec![0.0, RESTITUTION_START]);
    let mut minimum = minimise(&problem, start, &Settings::default());
    // The factorisation leaves a rounding error there.
    minimum.x[0] = 0.0;
    (minimum.residuals, minimum.jacobian) = residuals(data, &minimum.x);
    minimum
}

/// Sum of squares at `(mu, e)`.
pub fn cost(data: &ContactData, friction: f64, restitution: f64) -> f64 {
    data.steps.iter().flat_map(|step| errors(step, friction, restitution)).map(|error| error * error).sum()
}

/// Residuals of every step, and their derivatives by `(mu, e)`.
fn residuals(data: &ContactData, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let variable = |index: usize| DualSVec64::<2>::from_re(x[index]).derivative(index);
    let (friction, restitution) = (variable(0), variable(1));
    let errors = data.steps.iter().flat_map(|step| errors(step, friction, restitution));
    let (mut values, mut gradients) = (Vec::new(), Vec::new());
    for error in errors {
        values.push(error.re);
        let Derivative(gradient) = error.eps;
        gradients.extend(gradient.unwrap_or_else(SVector::zeros).iter().copied());
    }
    (DVector::from_vec(values.clone()), DMatrix::from_row_slice(values.len(), 2, &gradients))
}

/// Prediction error of one step in `vx`, and in `vz` for a rebound.
fn errors<T: DualNum<Primitive = f64> + Copy>(
    step: &ContactStep,
    friction: T,
    restitution: T,
) -> impl Iterator<Item = T> {
    let (impulse, rise_error) = match step.contact {
        Contact::Rebound { speed, rise } => {
            ((restitution + 1.0) * speed + step.fall, Some(restitution * speed - rise))
        }
        Contact::Press { impulse } => (T::from(impulse), None),
    };
    let kept = -(friction * impulse) + step.slip.abs();
    let predicted = if kept.re() > 0.0 { kept * step.slip.signum() } else { T::from(0.0) };
    std::iter::once(predicted - step.next_slip).chain(rise_error)
}
