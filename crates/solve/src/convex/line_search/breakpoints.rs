use super::{Direction, LONGEST_STEP, Minimum, Ray};

/// Room for the piecewise linear search, kept so that no memory is taken in the loop.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    breakpoints: Vec<f64>,
    /// The rays that have a breakpoint.
    bent: Vec<usize>,
}

/// Root of a piecewise linear `l'`: bisection over the breakpoints down to one linear piece, on
/// which the root is known in closed form. Rays without a breakpoint are linear all along and add
/// to the curvature once and for all.
pub(super) fn minimize<const D: usize>(direction: &Direction<'_, D>, scratch: &mut Scratch) -> Minimum {
    let Scratch { breakpoints, bent } = scratch;
    breakpoints.clear();
    bent.clear();
    let mut curvature = direction.curvature;
    for (index, ray) in direction.rays.iter().enumerate() {
        let before = breakpoints.len();
        push_breakpoints(ray, breakpoints);
        if breakpoints.len() == before {
            curvature += ray.slope_change(LONGEST_STEP) / LONGEST_STEP;
        } else {
            bent.push(index);
        }
    }
    let derivative = |alpha: f64| {
        let bends: f64 = bent.iter().map(|&index| direction.rays[index].slope_change(alpha)).sum();
        direction.slope + alpha * curvature + bends
    };

    let (mut low, mut slope_low) = (0.0, direction.slope);
    let (mut high, mut slope_high) = (LONGEST_STEP, derivative(LONGEST_STEP));
    let mut evaluations = 1;
    if slope_high <= 0.0 {
        return Minimum { alpha: LONGEST_STEP, evaluations };
    }
    let mut inside = breakpoints.as_mut_slice();
    while !inside.is_empty() {
        let middle = inside.len() / 2;
        let (before, &mut alpha, after) = inside.select_nth_unstable_by(middle, f64::total_cmp);
        let slope = derivative(alpha);
        evaluations += 1;
        if slope > 0.0 {
            (high, slope_high, inside) = (alpha, slope, before);
        } else {
            (low, slope_low, inside) = (alpha, slope, after);
        }
    }
    // slope_low <= 0 < slope_high
    let alpha = low + (high - low) * (-slope_low / (slope_high - slope_low));
    Minimum { alpha, evaluations }
}

/// Appends the steps at which the ray crosses a border of two regions, `y_t = +-mu y_n` or
/// `y_n = -+mu_hat y_t`.
fn push_breakpoints<const D: usize>(ray: &Ray<D>, breakpoints: &mut Vec<f64>) {
    let (mu, mu_hat) = (ray.cone.friction(), ray.cone.mu_hat());
    let (y_t, y_n) = (ray.start[0], ray.start[D - 1]);
    let (dy_t, dy_n) = (ray.direction[0], ray.direction[D - 1]);
    let borders = [
        (y_t - mu * y_n, dy_t - mu * dy_n),
        (y_t + mu * y_n, dy_t + mu * dy_n),
        (y_n + mu_hat * y_t, dy_n + mu_hat * dy_t),
        (y_n - mu_hat * y_t, dy_n - mu_hat * dy_t),
    ];
    let crossings = borders.into_iter().map(|(value, rate)| -value / rate);
    breakpoints.extend(crossings.filter(|alpha| (0.0..LONGEST_STEP).contains(alpha)));
}
