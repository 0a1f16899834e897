use roots::{Convergency, find_root_brent};

use crate::model::Number;

/// Intervals are not halved below this fraction of the whole.
const SMALLEST_INTERVAL: f64 = 1e-13;

/// A twice differentiable function of time whose sign says whether a mode still holds.
pub(super) struct Guard<V, S> {
    /// `g(s)`: the mode holds while this is not positive.
    pub value: V,
    /// `g'(s)`.
    pub slope: S,
    /// A bound on `|g''|`.
    pub curvature: f64,
}

/// The first `s` in `[0, end]` after which `g` is positive; `None` if it never is.
///
/// Walks over `[0, end]` in intervals on which Taylor's theorem with the bound on `g''` either
/// rules a sign change out or proves `g` monotone; there Brent's method finds the root. No crossing
/// can be lost between samples. Touching zero without crossing it is not an exit.
pub(super) fn first_exit(end: f64, guard: &Guard<impl Fn(f64) -> f64, impl Fn(f64) -> f64>) -> Option<f64> {
    // Compiled once for all guards: Brent's method is long.
    walk(end, &Guard { value: &guard.value, slope: &guard.slope, curvature: guard.curvature })
}

/// A guard of any kind.
type AnyGuard<'a> = Guard<&'a dyn Fn(f64) -> f64, &'a dyn Fn(f64) -> f64>;

fn walk(end: f64, guard: &AnyGuard<'_>) -> Option<f64> {
    let smallest = SMALLEST_INTERVAL * end;
    let mut a = 0.0;
    let mut width = end;
    while a < end {
        let b = if a + width < end { a + width } else { end };
        match judge(a, b, guard) {
            Verdict::Holds => {
                a = b;
                width *= 2.0;
            }
            Verdict::Exit(s) => return Some(s),
            Verdict::Unclear if width > smallest => width *= 0.5,
            Verdict::Unclear if (guard.value)(b) > 0.0 => return Some(b),
            Verdict::Unclear => a = b,
        }
    }
    None
}

/// The root `s` of a guard as a function of what the guard depends on: one Newton step in dual
/// numbers, which changes the derivative alone.
///
/// `value` is the guard at `s`, `slope` its rate of change there. At the very start there is nothing
/// to move: the guard was past its root already.
pub(super) fn with_derivative<N: Number>(s: f64, value: impl FnOnce(N) -> N, slope: f64) -> N {
    let root = N::constant(s);
    if N::NDERIV == 0 || s == 0.0 {
        return root;
    }
    let residual = value(root);
    root - (residual - residual.re()) / slope
}

enum Verdict {
    Holds,
    Exit(f64),
    Unclear,
}

fn judge(a: f64, b: f64, guard: &AnyGuard<'_>) -> Verdict {
    let middle = 0.5 * (a + b);
    let half = 0.5 * (b - a);
    let value = (guard.value)(middle);
    let slope = (guard.slope)(middle);
    if value + half * (slope.abs() + 0.5 * half * guard.curvature) <= 0.0 {
        return Verdict::Holds;
    }
    if slope.abs() <= half * guard.curvature {
        return Verdict::Unclear;
    }
    let at_a = (guard.value)(a);
    if at_a > 0.0 {
        return Verdict::Exit(a);
    }
    if slope < 0.0 || (guard.value)(b) <= 0.0 {
        return Verdict::Holds;
    }
    match find_root_brent(a, b, guard.value, &mut ToTheLastBit) {
        Ok(root) => Verdict::Exit(root),
        Err(_) => Verdict::Unclear,
    }
}

/// Brent's method goes on until the bracket is as small as doubles allow.
struct ToTheLastBit;

impl Convergency<f64> for ToTheLastBit {
    fn is_root_found(&mut self, value: f64) -> bool {
        value == 0.0
    }

    fn is_converged(&mut self, a: f64, b: f64) -> bool {
        (a - b).abs() <= 2.0 * f64::EPSILON * a.abs().max(b.abs())
    }

    fn is_iteration_limit_reached(&mut self, iterations: usize) -> bool {
        iterations > 200
    }
}

#[cfg(test)]
mod tests {
    use super::{Guard, first_exit};

    #[test]
    fn finds_the_first_of_many_crossings() {
        let guard = Guard {
            value: |s: f64| (50.0 * s).sin() - 0.5,
            slope: |s: f64| 50.0 * (50.0 * s).cos(),
            curvature: 2500.0,
        };
        let exit = first_exit(10.0, &guard).unwrap();
        assert!((exit - 0.5_f64.asin() / 50.0).abs() < 1e-16);
    }

    #[test]
    fn sees_a_crossing_much_shorter_than_the_interval() {
        let guard = Guard {
            value: |s: f64| 1e-8 - (s - 0.3).powi(2),
            slope: |s: f64| -2.0 * (s - 0.3),
            curvature: 2.0,
        };
        let exit = first_exit(1.0, &guard).unwrap();
        assert!((exit - (0.3 - 1e-4)).abs() < 1e-12);
    }

    #[test]
    fn touching_zero_is_no_exit() {
        let guard =
            Guard { value: |s: f64| -(s - 0.3).powi(2), slope: |s: f64| -2.0 * (s - 0.3), curvature: 2.0 };
        assert_eq!(first_exit(1.0, &guard), None);
    }

    #[test]
    fn starting_at_zero_and_holding_is_no_exit() {
        let guard = Guard { value: |s: f64| -s * s * s, slope: |s: f64| -3.0 * s * s, curvature: 6.0 };
        assert_eq!(first_exit(1.0, &guard), None);
    }
}
