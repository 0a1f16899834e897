use super::timeline::{Segment, Wave, unit};
use crate::model::{Number, Vector, magnitude};

/// Below this angle `u - sin u` is summed as a series, because the difference cancels.
const SERIES_ANGLE: f64 = 0.5;

/// The driving acceleration `a(t0 + s)` of one segment seen from the instant `t0`, and its
/// integrals over `s` in closed form.
///
/// Everything is linear in the acceleration, so `along` gives the same for any projection of it:
/// `e_z` for the gap, `d + mu e_z` for sliding along `d` (friction is `mu` times the normal
/// acceleration that the ground takes up).
#[derive(Debug, Clone, Copy)]
pub(super) struct Drive<'a, const D: usize, N> {
    pub segment: &'a Segment<D, N>,
    pub t0: N,
}

/// The scalar `w . a(t0 + s)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along<'a, const D: usize, N> {
    drive: Drive<'a, D, N>,
    weights: Vector<D, N>,
}

impl<'a, const D: usize, N: Number> Drive<'a, D, N> {
    pub fn is_constant(&self) -> bool {
        self.segment.waves.is_empty()
    }

    /// Largest acceleration that counts as rounding, in m/s^2.
    pub fn noise(&self) -> f64 {
        8.0 * f64::EPSILON * self.segment.scale
    }

    /// `a(t0 + s)` in m/s^2.
    pub fn acceleration(&self, s: N) -> Vector<D, N> {
        self.sum(|wave| self.angle(wave, s).sin(), N::one())
    }

    /// The rate of change of the acceleration in m/s^3.
    pub fn jerk(&self, s: N) -> Vector<D, N> {
        self.sum(|wave| wave.omega * self.angle(wave, s).cos(), N::zero())
    }

    /// The integral of `a` from `t0` to `t0 + s` in m/s.
    pub fn velocity_gain(&self, s: N) -> Vector<D, N> {
        self.sum(|wave| self.wave_velocity(wave, s), s)
    }

    /// The double integral of `a` from `t0` to `t0 + s` in m.
    pub fn displacement(&self, s: N) -> Vector<D, N> {
        self.sum(|wave| self.wave_displacement(wave, s), s * s * 0.5)
    }

    /// The projection on `weights`.
    pub fn along(self, weights: Vector<D, N>) -> Along<'a, D, N> {
        Along { drive: self, weights }
    }

    /// The component normal to the ground.
    pub fn normal(self) -> Along<'a, D, N> {
        self.along(unit(D - 1))
    }

    /// A bound on `|d^n a/dt^n|`, `n >= 1`.
    pub fn derivative_bound(&self, n: i32) -> f64 {
        let waves = self.segment.waves.iter();
        waves.map(|wave| magnitude(&wave.amplitude).re() * wave.omega.re().powi(n).abs()).sum()
    }

    /// Highest angular frequency in rad/s; 0 for a constant drive.
    pub fn highest_omega(&self) -> f64 {
        self.segment.waves.iter().map(|wave| wave.omega.re().abs()).fold(0.0, f64::max)
    }

    fn sum(&self, of_wave: impl Fn(&Wave<D, N>) -> N, of_constant: N) -> Vector<D, N> {
        let constant = self.segment.constant * of_constant;
        self.segment.waves.iter().fold(constant, |sum, wave| sum + wave.amplitude * of_wave(wave))
    }

    fn angle(&self, wave: &Wave<D, N>, s: N) -> N {
        wave.omega * (self.t0 + s) + wave.phase
    }

    /// `(cos theta - cos(theta + u))/omega` with `u = omega s`, as a product.
    fn wave_velocity(&self, wave: &Wave<D, N>, s: N) -> N {
        let half = wave.omega * s * 0.5;
        s * sinc(half) * (self.angle(wave, N::zero()) + half).sin()
    }

    /// `s^2 (cos(theta) (u - sin u)/u^2 + sin(theta) (1 - cos u)/u^2)`.
    fn wave_displacement(&self, wave: &Wave<D, N>, s: N) -> N {
        let u = wave.omega * s;
        let (sin, cos) = self.angle(wave, N::zero()).sin_cos();
        let half = sinc(u * 0.5);
        s * s * (cos * angle_minus_sine(u) + sin * half * half * 0.5)
    }
}

impl<const D: usize, N: Number> Along<'_, D, N> {
    /// `w . a` at `t0 + s`.
    pub fn acceleration(&self, s: N) -> N {
        self.sum(|wave| self.drive.angle(wave, s).sin(), N::one())
    }

    pub fn jerk(&self, s: N) -> N {
        self.sum(|wave| wave.omega * self.drive.angle(wave, s).cos(), N::zero())
    }

    /// The integral of `w . a`.
    pub fn velocity_gain(&self, s: N) -> N {
        self.sum(|wave| self.drive.wave_velocity(wave, s), s)
    }

    /// The double integral of `w . a`.
    pub fn displacement(&self, s: N) -> N {
        self.sum(|wave| self.drive.wave_displacement(wave, s), s * s * 0.5)
    }

    /// A bound on `|w . d^n a/dt^n|`.
    pub fn derivative_bound(&self, n: i32) -> f64 {
        let waves = &self.drive.segment.waves;
        let constant = if n == 0 { self.weights.dot(&self.drive.segment.constant).re().abs() } else { 0.0 };
        waves
            .iter()
            .map(|wave| (self.weights.dot(&wave.amplitude).re() * wave.omega.re().powi(n)).abs())
            .fold(constant, |sum, bound| sum + bound)
    }

    fn sum(&self, of_wave: impl Fn(&Wave<D, N>) -> N, of_constant: N) -> N {
        let segment = self.drive.segment;
        let constant = self.weights.dot(&segment.constant) * of_constant;
        segment
            .waves
            .iter()
            .fold(constant, |sum, wave| sum + self.weights.dot(&wave.amplitude) * of_wave(wave))
    }
}

/// `sin(x)/x`.
fn sinc<N: Number>(x: N) -> N {
    if x.re().abs() < 1e-4 { -x * x / 6.0 + 1.0 } else { x.sin() / x }
}

/// `(u - sin u)/u^2`.
fn angle_minus_sine<N: Number>(u: N) -> N {
    if u.re().abs() >= SERIES_ANGLE {
        return (u - u.sin()) / (u * u);
    }
    // u/3! - u^3/5! + u^5/7! - ..., nested: consecutive terms have the ratio -u^2/(k (k+1)).
    let u2 = u * u;
    let nested =
        [156.0, 110.0, 72.0, 42.0, 20.0].iter().fold(N::one(), |sum, &ratio| -u2 / ratio * sum + 1.0);
    u / 6.0 * nested
}

#[cfg(test)]
mod tests {
    use super::{SERIES_ANGLE, angle_minus_sine};

    #[test]
    fn series_and_difference_meet() {
        let below: f64 = SERIES_ANGLE * (1.0 - 1e-9);
        let direct = (below - below.sin()) / (below * below);
        assert!((angle_minus_sine(below) - direct).abs() < 1e-15);
    }
}
