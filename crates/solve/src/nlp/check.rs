use nalgebra::SVector;

use super::{Multipliers, Nlp, derivatives::lagrangian_gradient};

/// Mean multiplier above which stationarity and complementarity are scaled down (IPOPT's `s_max`).
const LARGE_MULTIPLIER: f64 = 100.0;

/// Residuals of the first-order optimality (Karush-Kuhn-Tucker) conditions of
///
/// ```text
/// min f(x)   subject to   g_lower <= g(x) <= g_upper,   x_lower <= x <= x_upper,
/// ```
///
/// recomputed from a point and its multipliers, scaled as IPOPT scales them (Waechter and Biegler
/// 2006, eq. 5 and 6):
///
/// ```text
/// s_d = max(100, mean of |y| and |z| over constraints and bounds) / 100
/// s_c = max(100, mean of |z| over bounds) / 100,
/// ```
///
/// where the bounds of inequality constraints count, with the multipliers `|y|`. IPOPT further
/// multiplies objective and constraints so that no gradient at the start exceeds 100; that is not
/// done here, so these residuals are those of the program as it was written.
///
/// Multipliers of the wrong sign, or of a bound that does not exist, count as zero in all other
/// residuals: however small, they could hide that the point is not stationary where a constraint is
/// steep. Where anything is not finite, all residuals are infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residuals {
    /// `|grad f + J^T y - z_lower + z_upper|_inf / s_d`, with admissible multipliers only.
    pub stationarity: f64,
    /// Largest violation of a bound `b` on a constraint or a variable, divided by `max(1, |b|)`.
    pub feasibility: f64,
    /// Largest product of a multiplier and the distance to its bound, divided by `s_c`; a violated
    /// bound has distance zero, since its violation counts in `feasibility`.
    pub complementarity: f64,
    /// Largest multiplier of the wrong sign, or of a bound that does not exist, divided by `s_d`.
    pub multiplier_sign: f64,
}

impl Residuals {
    /// The residuals of a point or multipliers that are not numbers.
    pub const INFINITE: Self = Self {
        stationarity: f64::INFINITY,
        feasibility: f64::INFINITY,
        complementarity: f64::INFINITY,
        multiplier_sign: f64::INFINITY,
    };

    /// The residuals of `problem` at `x` with `multipliers`.
    pub fn new<const N: usize, const M: usize, P: Nlp<N, M>>(
        problem: &P,
        x: &SVector<f64, N>,
        multipliers: &Multipliers<N, M>,
    ) -> Self {
        let values = problem.constraints(x);
        let mut numbers = x
            .iter()
            .chain(&values)
            .chain(&multipliers.constraints)
            .chain(&multipliers.lower)
            .chain(&multipliers.upper);
        if !(numbers.all(|number| number.is_finite()) && problem.objective(x).is_finite()) {
            return Self::INFINITE;
        }
        let mut bounds = BoundResiduals::default();
        let (on_x, on_g) = (problem.variable_bounds(), problem.constraint_bounds());
        let Multipliers { constraints: y, lower, upper } = multipliers;
        let lower_and_upper = SVector::from_fn(|k, _| {
            bounds.of_variable((on_x.lower[k], on_x.upper[k]), x[k], (lower[k], upper[k]))
        });
        let y =
            SVector::from_fn(|k, _| bounds.of_constraint((on_g.lower[k], on_g.upper[k]), values[k], y[k]));
        let gradient = lagrangian_gradient(problem, x, 1.0, &y) + lower_and_upper;
        bounds.finish(gradient.as_slice(), M)
    }

    /// The largest of the four.
    pub fn max(&self) -> f64 {
        [self.stationarity, self.feasibility, self.complementarity, self.multiplier_sign]
            .into_iter()
            .fold(0.0, worst)
    }
}

/// The larger of two residuals, where "not a number" is the largest.
fn worst(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

fn scale(sum: f64, count: usize) -> f64 {
    (sum / count.max(1) as f64).max(LARGE_MULTIPLIER) / LARGE_MULTIPLIER
}

/// Unscaled residuals of everything that has to do with bounds.
#[derive(Default)]
pub(super) struct BoundResiduals {
    violation: f64,
    complementarity: f64,
    wrong_sign: f64,
    multiplier_sum: f64,
    equality_multiplier_sum: f64,
    count: usize,
}

impl BoundResiduals {
    /// One variable between `bounds` with the multipliers of both. Returns `z_upper - z_lower`,
    /// admissible multipliers only.
    pub fn of_variable(&mut self, bounds: (f64, f64), x: f64, multipliers: (f64, f64)) -> f64 {
        let (lower, upper) = bounds;
        self.add(upper, upper - x, multipliers.1) - self.add(lower, x - lower, multipliers.0)
    }

    /// One constraint between `bounds`. Its multiplier plays both parts: the positive part belongs
    /// to the upper bound, the negative part to the lower; that of an equality has no sign. Returns
    /// `y` if it is admissible.
    pub fn of_constraint(&mut self, bounds: (f64, f64), value: f64, y: f64) -> f64 {
        let (lower, upper) = bounds;
        if lower == upper {
            self.add_violation(lower, -(value - lower).abs());
            self.equality_multiplier_sum += y.abs();
            y
        } else {
            self.add(upper, upper - value, y.max(0.0)) - self.add(lower, value - lower, (-y).max(0.0))
        }
    }

    /// The residuals, with the gradient of the Lagrangian of admissible multipliers and the number
    /// of constraints.
    pub fn finish(self, lagrangian_gradient: &[f64], constraints: usize) -> Residuals {
        let dual_scale = scale(self.multiplier_sum + self.equality_multiplier_sum, self.count + constraints);
        let complementarity_scale = scale(self.multiplier_sum, self.count);
        let largest = lagrangian_gradient.iter().fold(0.0, |most, entry| worst(most, entry.abs()));
        Residuals {
            stationarity: largest / dual_scale,
            feasibility: self.violation,
            complementarity: self.complementarity / complementarity_scale,
            multiplier_sign: self.wrong_sign / dual_scale,
        }
    }

    /// One bound: `distance` to it is negative where it is violated. Returns the multiplier if it
    /// is admissible, and else zero.
    fn add(&mut self, bound: f64, distance: f64, multiplier: f64) -> f64 {
        let exists = bound.is_finite();
        if multiplier < 0.0 || !exists {
            self.wrong_sign = self.wrong_sign.max(multiplier.abs());
        }
        if !exists {
            return 0.0;
        }
        let admissible = multiplier.max(0.0);
        self.count += 1;
        self.multiplier_sum += admissible;
        self.add_violation(bound, distance);
        self.complementarity = worst(self.complementarity, admissible * distance.max(0.0));
        admissible
    }

    fn add_violation(&mut self, bound: f64, distance: f64) {
        self.violation = worst(self.violation, -distance / bound.abs().max(1.0));
    }
}
