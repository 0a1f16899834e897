use super::{Cone, Direction, LONGEST_STEP, Minimum};

/// Relative accuracy of the step length.
const TOLERANCE: f64 = 1e-8;

/// What is left of the slope at the start that counts as none: rounding of the impulses, of which it is a difference.
const ROUNDING_OF_SLOPE: f64 = 1e-12;

/// Bisection alone narrows the bracket below the tolerance in 27 evaluations; the Newton steps in
/// between at most double that.
const MAX_EVALUATIONS: u32 = 60;

/// Root of `l'` by Newton's method from the full step, kept within a bracket that bisection halves
/// whenever Newton does not.
pub(super) fn minimize<const D: usize, C: Cone<D>>(direction: &Direction<'_, D, C>) -> Minimum {
    let (mut low, mut high) = (0.0, LONGEST_STEP);
    let mut alpha = 1.0;
    let mut last_move = LONGEST_STEP;
    let mut evaluations = 0;
    while evaluations < MAX_EVALUATIONS {
        let slope = direction.slope_at(alpha);
        evaluations += 1;
        if slope.abs() <= ROUNDING_OF_SLOPE * direction.slope.abs() {
            break; // most full steps end here
        }
        if slope > 0.0 {
            high = alpha;
        } else {
            low = alpha;
        }
        let newton = alpha - slope / curvature(direction, alpha);
        let last_but_one_move = last_move;
        last_move = (newton - alpha).abs();
        if last_move <= TOLERANCE * alpha {
            alpha = newton.min(LONGEST_STEP);
            break;
        }
        if high - low <= TOLERANCE * alpha {
            break; // the derivative is rounding, and Newton's step with it
        }
        alpha = if newton > low && newton < high && last_move <= 0.5 * last_but_one_move {
            newton
        } else if newton >= high && high == LONGEST_STEP {
            if alpha == high {
                break; // the cost still falls at the longest step
            }
            high
        } else {
            last_move = 0.5 * (high - low);
            0.5 * (low + high)
        };
    }
    Minimum { alpha, evaluations }
}

/// `l''(alpha)`.
fn curvature<const D: usize, C: Cone<D>>(direction: &Direction<'_, D, C>, alpha: f64) -> f64 {
    direction.rays.iter().fold(direction.curvature, |curvature, ray| {
        let y = ray.at(alpha);
        let change = &ray.velocity_change;
        curvature + change.dot(&(ray.cone.stiffness(&y, &ray.cone.project(&y)) * change))
    })
}
