//! Sliding on friction that grows with the speed, under a constant push.

use super::{
    drive::Drive,
    motion::{ContactEnd, Motion},
    timeline::unit,
};
use crate::model::{Number, Vector};

/// Below this the second of the functions of the exponential is summed as a series, because the difference cancels.
const SERIES: f64 = 0.5;

impl<const D: usize, N: Number> Motion<'_, D, N> {
    /// Slides on a straight line along `direction` until the point stops or the time is up.
    ///
    /// With the normal force `N = -m a_z` and the coefficient `mu_k + c w` the speed obeys
    ///
    /// ```text
    /// w' = A - B w,   A = d.a - mu_k N/m,   B = c N/m,   w = A/B + (w_0 - A/B) exp(-B s)
    /// ```
    ///
    /// a constant push lifts nothing off that it presses to the plane.
    pub(super) fn slide_viscously(
        &mut self,
        direction: Vector<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> (N, ContactEnd<D, N>) {
        let law = self.law();
        let acceleration = drive.acceleration(N::zero());
        let pushed = (direction + unit::<D, N>(D - 1) * law.kinetic_coefficient()).dot(&acceleration);
        let damping = (-law.viscous_coefficient() * acceleration[D - 1]).positive_part();
        let speed = direction.dot(&self.state.velocity);
        let stop = (pushed.re() < 0.0).then(|| {
            let undamped = -speed / pushed;
            if damping.re() > 0.0 { (damping * undamped).ln_1p() / damping } else { undamped }
        });
        let stop = stop.filter(|stop| stop.re() <= horizon.re());
        let duration = stop.unwrap_or(horizon);
        let (first, slowing) = (pushed - damping * speed, -damping * duration);
        let velocity = match stop {
            Some(_) => Vector::zeros(),
            None => direction * (speed + first * duration * exponential_mean(slowing)).positive_part(),
        };
        let way = speed * duration + first * duration * duration * exponential_second_mean(slowing);
        self.advance_on_ground(drive, duration, direction * way, velocity);
        let end = stop.map_or(ContactEnd::Horizon, |_| ContactEnd::Stopped(direction));
        (duration, end)
    }
}

/// `(exp(x) - 1)/x`.
fn exponential_mean<N: Number>(x: N) -> N {
    if x.re().abs() < 1e-8 { x * 0.5 + 1.0 } else { x.exp_m1() / x }
}

/// `(exp(x) - 1 - x)/x^2`.
fn exponential_second_mean<N: Number>(x: N) -> N {
    if x.re().abs() >= SERIES {
        return (x.exp_m1() - x) / (x * x);
    }
    // 1/2! + x/3! + x^2/4! + ..., nested.
    (3..=17).rev().fold(N::one(), |sum, k| x / f64::from(k) * sum + 1.0) * 0.5
}

#[cfg(test)]
mod tests {
    use super::{SERIES, exponential_mean, exponential_second_mean};

    #[test]
    fn series_and_difference_meet() {
        for x in [-SERIES, SERIES] {
            let x: f64 = x * (1.0 - 1e-9);
            assert!((exponential_second_mean(x) - (x.exp_m1() - x) / (x * x)).abs() < 1e-15);
        }
        assert_eq!((exponential_mean(0.0), exponential_second_mean(0.0)), (1.0, 0.5));
        assert!((exponential_mean(-1e-8_f64) - (1.0 - 0.5e-8)).abs() < 1e-15);
    }
}
