//! Whole throws: simulate each from its start and compare all velocities.

use nalgebra::{DMatrix, DVector, SVector};
use num_dual::{Derivative, DualNum, DualSVec64};

use crate::learn::{
    data::Throw,
    least_squares::{Minimum, Settings, minimise},
};

/// Unknowns of one throw: friction and restitution, common to all, and its initial velocity.
const UNKNOWNS: usize = 4;

/// Friction, restitution and the initial velocities that reproduce the throws best, searched from
/// `(mu, e)` and the measured initial velocities. Unknowns are `mu`, `e`, and `vx`, `vz` of every
/// throw.
///
/// The time of an impact is a whole number of steps, so the error has jumps, and plateaus where all
/// slip ends in one impact: start several times.
pub fn fit(throws: &[Throw], gravity: f64, start: [f64; 2]) -> Minimum {
    let first = throws.iter().filter_map(|throw| throw.first());
    let velocities = first.flat_map(|sample| [sample.velocity.x, sample.velocity.y]);
    let start = DVector::from_iterator(2 + 2 * throws.len(), start.into_iter().chain(velocities));
    let settings = Settings { max_evaluations: 60, ..Settings::default() };
    minimise(&|x: &DVector<f64>| residuals(throws, gravity, x), start, &settings)
}

fn residuals(throws: &[Throw], gravity: f64, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let count: usize = throws.iter().map(Vec::len).sum();
    let mut values = DVector::zeros(2 * count);
    let mut jacobian = DMatrix::zeros(2 * count, x.len());
    let mut place = 0;
    for (index, throw) in throws.iter().enumerate() {
        let columns = [0, 1, 2 + 2 * index, 3 + 2 * index];
        let variable = |k: usize| DualSVec64::<UNKNOWNS>::from_re(x[columns[k]]).derivative(k);
        for error in errors(throw, gravity, [variable(0), variable(1), variable(2), variable(3)]) {
            values[place] = error.re;
            let Derivative(gradient) = error.eps;
            let gradient = gradient.unwrap_or_else(SVector::zeros);
            for (column, derivative) in columns.into_iter().zip(gradient.iter()) {
                jacobian[(place, column)] = *derivative;
            }
            place += 1;
        }
    }
    (values, jacobian)
}

/// Differences between simulated and measured velocities of one throw; the steps are those of
/// [`closed_form_step`](crate::model::closed_form_step).
fn errors<T: DualNum<Primitive = f64> + Copy>(
    throw: &Throw,
    gravity: f64,
    [friction, restitution, vx, vz]: [T; UNKNOWNS],
) -> Vec<T> {
    let mut errors = Vec::with_capacity(2 * throw.len());
    let Some(first) = throw.first() else { return errors };
    let (mut height, mut slip, mut rise) = (T::from(first.position.y.max(0.0)), vx, vz);
    for (index, sample) in throw.iter().enumerate() {
        errors.push(slip - sample.velocity.x);
        errors.push(rise - sample.velocity.y);
        let Some(next) = throw.get(index + 1) else { break };
        let dt = next.time - sample.time;
        let free = rise - gravity * dt;
        let rebounds = height.re() + dt * free.re() <= 0.0 && -(restitution * rise).re() > 2.0 * gravity * dt;
        let gap = if rebounds { restitution * rise } else { height / dt };
        let lift = -(free + gap);
        let impulse = if lift.re() > 0.0 { lift } else { T::from(0.0) };
        let kept = slip.abs() - friction * impulse;
        slip = if kept.re() > 0.0 { kept * slip.re().signum() } else { T::from(0.0) };
        rise = free + impulse;
        height += rise * dt;
    }
    errors
}
