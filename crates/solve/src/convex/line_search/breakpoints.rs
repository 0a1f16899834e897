use super::{Cone, Direction, LONGEST_STEP, Minimum};

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
pub(super) fn minimize<const D: usize, C: Cone<D>>(
    direction: &Direction<'_, D, C>,
    scratch: &mut Scratch,
) -> Minimum {
    let Scratch { breakpoints, bent } = scratch;
    breakpoints.clear();
    bent.clear();
    let mut curvature = direction.curvature;
    for (index, ray) in direction.rays.iter().enumerate() {
        let before = breakpoints.len();
        let crossings = ray.cone.crossings(&ray.start, &ray.direction);
        breakpoints.extend(crossings.into_iter().filter(|alpha| (0.0..LONGEST_STEP).contains(alpha)));
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
