use super::timeline::{Segment, Wave, unit};
use crate::model::Vector;

/// Below this angle `u - sin u` is summed as a series, because the difference cancels.
const SERIES_ANGLE: f64 = 0.5;

/// The driving acceleration `a(t0 + s)` of one segment seen from the instant `t0`, and its
/// integrals over `s` in closed form.
///
/// Everything is linear in the acceleration, so `along` gives the same for any projection of it:
/// `e_z` for the gap, `d + mu e_z` for sliding along `d` (friction is `mu` times the normal
/// acceleration that the ground takes up).
#[derive(Debug, Clone, Copy)]
pub(super) struct Drive<'a, const D: usize> {
    pub segment: &'a Segment<D>,
    pub t0: f64,
}

/// The scalar `w . a(t0 + s)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along<'a, const D: usize> {
    drive: Drive<'a, D>,
    weights: Vector<D>,
}

impl<'a, const D: usize> Drive<'a, D> {
    pub fn is_constant(&self) -> bool {
        self.segment.waves.is_empty()
    }

    /// Largest acceleration that counts as rounding, in m/s^2.
    pub fn noise(&self) -> f64 {
        8.0 * f64::EPSILON * self.segment.scale
    }

    /// `a(t0 + s)` in m/s^2.
    pub fn acceleration(&self, s: f64) -> Vector<D> {
        self.sum(|wave| self.angle(wave, s).sin(), 1.0)
    }

    /// The rate of change of the acceleration in m/s^3.
    pub fn jerk(&self, s: f64) -> Vector<D> {
        self.sum(|wave| wave.omega * self.angle(wave, s).cos(), 0.0)
    }

    /// The integral of `a` from `t0` to `t0 + s` in m/s.
    pub fn velocity_gain(&self, s: f64) -> Vector<D> {
        self.sum(|wave| self.wave_velocity(wave, s), s)
    }

    /// The double integral of `a` from `t0` to `t0 + s` in m.
    pub fn displacement(&self, s: f64) -> Vector<D> {
        self.sum(|wave| self.wave_displacement(wave, s), 0.5 * s * s)
    }

    /// The projection on `weights`.
    pub fn along(self, weights: Vector<D>) -> Along<'a, D> {
        Along { drive: self, weights }
    }

    /// The component normal to the ground.
    pub fn normal(self) -> Along<'a, D> {
        self.along(unit(D - 1))
    }

    /// A bound on `|d^n a/dt^n|`, `n >= 1`.
    pub fn derivative_bound(&self, n: i32) -> f64 {
        self.segment.waves.iter().map(|wave| wave.amplitude.norm() * wave.omega.powi(n).abs()).sum()
    }

    /// Highest angular frequency in rad/s; 0 for a constant drive.
    pub fn highest_omega(&self) -> f64 {
        self.segment.waves.iter().map(|wave| wave.omega.abs()).fold(0.0, f64::max)
    }

    fn sum(&self, of_wave: impl Fn(&Wave<D>) -> f64, of_constant: f64) -> Vector<D> {
        let constant = self.segment.constant * of_constant;
        self.segment.waves.iter().fold(constant, |sum, wave| sum + wave.amplitude * of_wave(wave))
    }

    fn angle(&self, wave: &Wave<D>, s: f64) -> f64 {
        wave.omega * (self.t0 + s) + wave.phase
    }

    /// `(cos theta - cos(theta + u))/omega` with `u = omega s`, as a product.
    fn wave_velocity(&self, wave: &Wave<D>, s: f64) -> f64 {
        let half = 0.5 * wave.omega * s;
        s * sinc(half) * (self.angle(wave, 0.0) + half).sin()
    }

    /// `s^2 (cos(theta) (u - sin u)/u^2 + sin(theta) (1 - cos u)/u^2)`.
    fn wave_displacement(&self, wave: &Wave<D>, s: f64) -> f64 {
        let u = wave.omega * s;
        let (sin, cos) = self.angle(wave, 0.0).sin_cos();
        let half = sinc(0.5 * u);
        s * s * (cos * angle_minus_sine(u) + sin * 0.5 * half * half)
    }
}

impl<const D: usize> Along<'_, D> {
    /// `w . a` at `t0 + s`.
    pub fn acceleration(&self, s: f64) -> f64 {
        self.sum(|wave| self.drive.angle(wave, s).sin(), 1.0)
    }

    pub fn jerk(&self, s: f64) -> f64 {
        self.sum(|wave| wave.omega * self.drive.angle(wave, s).cos(), 0.0)
    }

    /// The integral of `w . a`.
    pub fn velocity_gain(&self, s: f64) -> f64 {
        self.sum(|wave| self.drive.wave_velocity(wave, s), s)
    }

    /// The double integral of `w . a`.
    pub fn displacement(&self, s: f64) -> f64 {
        self.sum(|wave| self.drive.wave_displacement(wave, s), 0.5 * s * s)
    }

    /// A bound on `|w . d^n a/dt^n|`.
    pub fn derivative_bound(&self, n: i32) -> f64 {
        let waves = &self.drive.segment.waves;
        let constant = if n == 0 { self.weights.dot(&self.drive.segment.constant).abs() } else { 0.0 };
        waves
            .iter()
            .map(|wave| (self.weights.dot(&wave.amplitude) * wave.omega.powi(n)).abs())
            .fold(constant, |sum, bound| sum + bound)
    }

    fn sum(&self, of_wave: impl Fn(&Wave<D>) -> f64, of_constant: f64) -> f64 {
        let segment = self.drive.segment;
        let constant = self.weights.dot(&segment.constant) * of_constant;
        segment
            .waves
            .iter()
            .fold(constant, |sum, wave| sum + self.weights.dot(&wave.amplitude) * of_wave(wave))
    }
}

/// `sin(x)/x`.
fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x }
}

/// `(u - sin u)/u^2`.
fn angle_minus_sine(u: f64) -> f64 {
    if u.abs() >= SERIES_ANGLE {
        return (u - u.sin()) / (u * u);
    }
    // u/3! - u^3/5! + u^5/7! - ..., nested: consecutive terms have the ratio -u^2/(k (k+1)).
    let u2 = u * u;
    let nested = [156.0, 110.0, 72.0, 42.0, 20.0].iter().fold(1.0, |sum, ratio| 1.0 - u2 / ratio * sum);
    u / 6.0 * nested
}

#[cfg(test)]
mod tests {
    use super::{SERIES_ANGLE, angle_minus_sine};

    #[test]
    fn series_and_difference_meet() {
        let below = SERIES_ANGLE * (1.0 - 1e-9);
        let direct = (below - below.sin()) / (below * below);
        assert!((angle_minus_sine(below) - direct).abs() < 1e-15);
    }
}
