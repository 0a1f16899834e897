use nalgebra::SVector;
use num_dual::DualNum;

use super::SingleContact;
use crate::{
    contact::Relaxation,
    nlp::{Bounds, Nlp},
};

/// Smallest ratio of the velocity unit to the speeds in the step. `g dt` is above it unless gravity
/// is next to nothing, and then the speeds set the unit.
const SMALLEST_UNIT: f64 = 1e-6;

/// Friction coefficients above this are replaced by one that still holds the point with twice the
/// impulse it needs: the step is the same, the program better scaled.
const LARGE_FRICTION: f64 = 10.0;

/// Start value of the normal impulse, the slacks and the magnitude of the friction direction.
const START_SLACK: f64 = 0.1;
const START_DIRECTION: f64 = 0.5;

/// `|b|` of a direction with nothing in reserve: [`smooth_sqrt`] of its square is 1.
pub(super) fn full_use(epsilon: f64) -> f64 {
    (1.0 + 2.0 * epsilon).sqrt()
}

/// `ssqrt(y) = sqrt(y + epsilon^2) - epsilon`, the smooth square root of the blog post (eq. 6).
pub fn smooth_sqrt<N: DualNum<Primitive = f64>>(y: N, epsilon: f64) -> N {
    (y + epsilon * epsilon).sqrt() - epsilon
}

/// The well-posed nonlinear program of one step of a [`SingleContact`].
///
/// Unknowns `y = (v_t, v_z, b, p_z, s1, s2, lambda)`, where `v` is the relative velocity at the end of the
/// step, tangents first, `b` the friction direction and use (`F_t = mu F_z b`, `|b| <= 1`), and `v_t` and `b` have
/// `T` components (one in a vertical plane, two over a plane):
///
/// ```text
/// min  s1 + s2                                            p_z, s1, s2, lambda >= 0
/// s.t. v_t - vf_t - r mu p_z b = 0                        momentum along the ground
///      v_z - vf_z - r p_z = 0                             momentum normal to it
///      v_t + lambda b = 0                                 maximum dissipation on v_{k+1}
///      gap + v_z >= 0                                     no penetration
///      1 - ssqrt(|b|^2) >= 0                              friction cone
///      s1 - p_z (gap + v_z) >= 0                          relaxed complementarity, normal
///      s2 - lambda (1 - ssqrt(|b|^2)) >= 0                relaxed complementarity, friction
/// ```
///
/// It has the shape of the blog post's program (smooth square root, slacks, maximum dissipation)
/// with its defects removed: the linear penalty lets the slacks vanish, dissipation on the new
/// velocity lets the point stick, and friction as a fraction of the normal force keeps flight and
/// `mu = 0` well posed. Velocities, the gap and `lambda` are in units of `V`, what gravity adds to a velocity in
/// the step, `p_z` in units of `P/w` with `P = max(V, w p)` for the impulse `p` that a contact without friction
/// would take, and `r = P/V`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelaxedProgram<const T: usize> {
    /// Free tangential velocity `vf_t` in units of `V`.
    pub(super) free_tangential: SVector<f64, T>,
    /// Free normal velocity `vf_z` in units of `V`.
    pub(super) free_normal: f64,
    /// Gap in units of `V`.
    pub(super) gap: f64,
    /// Ratio `r` of the unit of impulse per mass to the unit of velocity.
    pub(super) impulse_ratio: f64,
    /// Friction coefficient `mu`.
    pub(super) friction: f64,
    /// Smoothing `epsilon` of the square root.
    pub(super) epsilon: f64,
    /// Unit of velocity `V` in m/s.
    velocity_unit: f64,
    /// Predicted normal impulse in units of `P/w`: what a contact without friction would take.
    predicted_impulse: f64,
    /// `w` in 1/kg.
    response: f64,
}

/// What the point does at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Flight,
    Slip,
    Stick,
}

impl Mode {
    pub(super) const ALL: [Self; 3] = [Self::Flight, Self::Slip, Self::Stick];
}

impl<const T: usize> RelaxedProgram<T> {
    /// The program of `contact` in a step in which gravity adds `gained` to a velocity, in m/s. `D` is `T + 1`.
    pub fn new<const D: usize>(contact: &SingleContact<D>, gained: f64, epsilon: f64) -> Self {
        let free_normal = contact.free[0];
        // A gap that the step cannot close is capped, which changes nothing for a single contact and keeps the program
        // scaled.
        let gap = contact.bias.min(2.0 * free_normal.abs() + gained);
        let predicted = (-(gap + free_normal)).max(0.0);
        let slip = contact.free.rows_range(1..).norm();
        let velocity_unit = velocity_unit(gained, slip + free_normal.abs());
        let impulse_unit = velocity_unit.max(predicted);
        Self {
            free_tangential: SVector::from_fn(|i, _| contact.free[i + 1] / velocity_unit),
            free_normal: free_normal / velocity_unit,
            gap: gap / velocity_unit,
            impulse_ratio: impulse_unit / velocity_unit,
            friction: sufficient_friction(contact.friction, slip, predicted),
            epsilon,
            velocity_unit,
            predicted_impulse: predicted / impulse_unit,
            response: contact.response,
        }
    }

    /// Ratio `r` of the unit of impulse per mass to the unit of velocity, at least 1; large in an
    /// impact.
    pub fn impulse_ratio(&self) -> f64 {
        self.impulse_ratio
    }

    /// Unit `V` of velocity in m/s.
    pub fn velocity_unit(&self) -> f64 {
        self.velocity_unit
    }

    /// The mode in which a rigid inelastic contact would end the step. It decides nothing but where
    /// a solver starts.
    pub(super) fn expected_mode(&self) -> Mode {
        let impulse = self.impulse_ratio * self.predicted_impulse;
        if impulse <= 0.0 {
            Mode::Flight
        } else if self.free_tangential.norm() > self.friction * impulse {
            Mode::Slip
        } else {
            Mode::Stick
        }
    }

    /// Smoothing `epsilon` of the square root.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The same program with another smoothing of the square root.
    pub fn with_epsilon(self, epsilon: f64) -> Self {
        Self { epsilon, ..self }
    }

    /// Start for a point that keeps sliding: free tangential velocity, impact closed, half of the
    /// friction in use against the motion.
    pub fn sliding_start<const N: usize>(&self) -> SVector<f64, N> {
        let speed = self.free_tangential.norm();
        let direction =
            if speed > 0.0 { self.free_tangential * (-START_DIRECTION / speed) } else { SVector::zeros() };
        self.assemble(self.free_tangential, direction, self.predicted_impulse.max(START_SLACK), speed)
    }

    /// Start for a point that sticks: no tangential velocity, as much friction as that takes.
    pub fn sticking_start<const N: usize>(&self) -> SVector<f64, N> {
        let impulse = self.predicted_impulse.max(START_SLACK);
        let available = self.impulse_ratio * self.friction * impulse;
        let needed = self.free_tangential / -available.max(f64::MIN_POSITIVE);
        let direction = needed / needed.norm().max(1.0);
        self.assemble(SVector::zeros(), direction, impulse, START_SLACK)
    }

    /// Start for a point in flight: free velocity, hardly any impulse.
    pub fn flight_start<const N: usize>(&self) -> SVector<f64, N> {
        let speed = self.free_tangential.norm();
        self.assemble(self.free_tangential, SVector::zeros(), START_SLACK * START_SLACK, speed)
    }

    fn assemble<const N: usize>(
        &self,
        tangential_velocity: SVector<f64, T>,
        direction: SVector<f64, T>,
        impulse: f64,
        lambda: f64,
    ) -> SVector<f64, N> {
        let mut y = SVector::<f64, N>::zeros();
        y.fixed_rows_mut::<T>(0).copy_from(&tangential_velocity);
        y[T] = self.free_normal + self.predicted_impulse * self.impulse_ratio;
        y.fixed_rows_mut::<T>(T + 1).copy_from(&direction);
        y[2 * T + 1] = impulse;
        y[2 * T + 2] = START_SLACK;
        y[2 * T + 3] = START_SLACK;
        y[2 * T + 4] = lambda;
        y
    }

    /// Relative velocity in m/s at the end of the step that the solution `y` describes, normal first.
    pub fn velocity<const D: usize, const N: usize>(&self, y: &SVector<f64, N>) -> SVector<f64, D> {
        SVector::from_fn(|i, _| self.velocity_unit * if i == 0 { y[T] } else { y[i - 1] })
    }

    /// Contact impulse in N s that the solution `y` describes, normal first.
    pub fn impulse<const D: usize, const N: usize>(&self, y: &SVector<f64, N>) -> SVector<f64, D> {
        let normal = y[2 * T + 1] * self.impulse_ratio;
        let unit = self.velocity_unit / self.response;
        SVector::from_fn(|i, _| unit * if i == 0 { normal } else { self.friction * normal * y[T + i] })
    }

    /// The slacks and the multiplier in the solution `y`.
    pub fn relaxation<const N: usize>(&self, y: &SVector<f64, N>) -> Relaxation {
        Relaxation { s1: y[2 * T + 2], s2: y[2 * T + 3], lambda: y[2 * T + 4] }
    }

    /// Largest residual of the contact conditions at `y`, computed from the conditions themselves
    /// and not from anything the solver says.
    ///
    /// Momentum, dissipation and penetration are velocities in units of `V`, relative to the
    /// largest velocity in the step where that is above 1; the cone is relative to `mu p_z`; the
    /// complementarity products `p_z (gap + v_z)` and `lambda (1 - ssqrt(|b|^2))` are in the units
    /// of the program, the latter relative to the sliding speed like the other velocities.
    pub fn residual<const N: usize>(&self, y: &SVector<f64, N>) -> f64 {
        let velocity = y.fixed_rows::<T>(0);
        let direction = y.fixed_rows::<T>(T + 1);
        let (normal_velocity, impulse, lambda) = (y[T], y[2 * T + 1], y[2 * T + 4]);
        let speed_scale = self.speed_scale();
        let opening = self.gap + normal_velocity;
        let reserve = 1.0 - self.smooth_norm(&direction.into_owned());
        let push = self.impulse_ratio * impulse;
        let velocities = [
            (velocity - self.free_tangential - direction * (push * self.friction)).norm(),
            (normal_velocity - self.free_normal - push).abs(),
            (velocity + direction * lambda).norm(),
            -opening,
            -lambda,
            lambda * reserve.abs(),
        ];
        let ratios = [-reserve, -impulse, impulse * opening.abs()];
        let largest = |values: &[f64]| {
            // `f64::max` drops NaN, which must not pass for a small residual.
            values.iter().fold(
                0.0,
                |largest: f64, &value| {
                    if value.is_nan() { f64::INFINITY } else { largest.max(value) }
                },
            )
        };
        (largest(&velocities) / speed_scale).max(largest(&ratios))
    }

    /// The largest velocity in the step, in units of `V`, and at least 1.
    pub(super) fn speed_scale(&self) -> f64 {
        self.free_tangential.norm().max(self.free_normal.abs()).max(self.impulse_ratio).max(1.0)
    }

    /// `ssqrt(|b|^2)`
    pub(super) fn smooth_norm(&self, direction: &SVector<f64, T>) -> f64 {
        smooth_sqrt(direction.norm_squared(), self.epsilon)
    }

    fn constraint_rows<N: DualNum<Primitive = f64> + Copy, const V: usize, const C: usize>(
        &self,
        y: &SVector<N, V>,
    ) -> SVector<N, C> {
        let (normal_velocity, impulse) = (y[T], y[2 * T + 1]);
        let (s1, s2, lambda) = (y[2 * T + 2], y[2 * T + 3], y[2 * T + 4]);
        let push = impulse * self.impulse_ratio;
        let mut squared = y[T + 1] * y[T + 1];
        for i in 1..T {
            squared += y[T + 1 + i] * y[T + 1 + i];
        }
        let opening = normal_velocity + self.gap;
        let reserve = -smooth_sqrt(squared, self.epsilon) + 1.0;
        SVector::from_fn(|row, _| match row {
            row if row < T => y[row] - self.free_tangential[row] - push * y[T + 1 + row] * self.friction,
            row if row == T => normal_velocity - self.free_normal - push,
            row if row <= 2 * T => y[row - T - 1] + lambda * y[row],
            row if row == 2 * T + 1 => opening,
            row if row == 2 * T + 2 => reserve,
            row if row == 2 * T + 3 => s1 - impulse * opening,
            _ => s2 - lambda * reserve,
        })
    }

    fn bounds_of_variables<const N: usize>() -> Bounds<N> {
        let mut bounds = Bounds::free();
        for i in 2 * T + 1..N {
            bounds.lower[i] = 0.0;
        }
        bounds
    }

    fn bounds_of_constraints<const M: usize>() -> Bounds<M> {
        let mut bounds = Bounds::non_negative();
        for i in 0..=2 * T {
            bounds.upper[i] = 0.0;
        }
        bounds
    }
}

/// Implements the program for a number of tangent directions, with `2 T + 5` variables and as many
/// constraints.
macro_rules! program {
    ($tangent:literal, $size:literal) => {
        impl Nlp<$size, $size> for RelaxedProgram<$tangent> {
            fn objective<N: DualNum<Primitive = f64> + Copy>(&self, y: &SVector<N, $size>) -> N {
                y[2 * $tangent + 2] + y[2 * $tangent + 3]
            }

            fn constraints<N: DualNum<Primitive = f64> + Copy>(
                &self,
                y: &SVector<N, $size>,
            ) -> SVector<N, $size> {
                self.constraint_rows(y)
            }

            fn variable_bounds(&self) -> Bounds<$size> {
                Self::bounds_of_variables()
            }

            fn constraint_bounds(&self) -> Bounds<$size> {
                Self::bounds_of_constraints()
            }
        }
    };
}

program!(1, 7);
program!(2, 9);

/// The unit of velocity in m/s: `g dt`, or a small part of the speeds if gravity hardly matters.
pub(super) fn velocity_unit(gravity_step: f64, speed: f64) -> f64 {
    let unit = gravity_step.max(SMALLEST_UNIT * speed);
    if unit > 0.0 { unit } else { 1.0 }
}

fn sufficient_friction(friction: f64, slip: f64, predicted: f64) -> f64 {
    let needed = if predicted > 0.0 { slip / predicted } else { 0.0 };
    friction.min((2.0 * needed).max(LARGE_FRICTION))
}
