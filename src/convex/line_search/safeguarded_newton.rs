use super::{Direction, LONGEST_STEP, Minimum};

/// Relative accuracy of the step length.
const TOLERANCE: f64 = 1e-8;

/// Bisection alone narrows the bracket below the tolerance in 27 evaluations; the Newton steps in
/// between at most double that.
const MAX_EVALUATIONS: u32 = 60;

/// Root of `l'` by Newton's method from the full step, kept within a bracket that bisection halves
/// whenever Newton does not.
pub(super) fn minimize<const D: usize>(direction: &Direction<'_, D>) -> Minimum {
    let (mut low, mut high) = (0.0, LONGEST_STEP);
    let mut alpha = 1.0;
    let mut last_move = LONGEST_STEP;
    let mut evaluations = 0;
    while evaluations < MAX_EVALUATIONS {
        let (slope, curvature) = derivatives(direction, alpha);
        evaluations += 1;
        if slope > 0.0 {
            high = alpha;
        } else {
            low = alpha;
        }
        let newton = alpha - slope / curvature;
        let converges = (newton - alpha).abs() <= 0.5 * last_move;
        let next = if newton > low && newton < high && converges {
            newton
        } else if high == LONGEST_STEP && newton >= high {
            high // not evaluated yet: the minimum may lie beyond it
        } else {
            0.5 * (low + high)
        };
        last_move = (next - alpha).abs();
        alpha = next;
        if last_move <= TOLERANCE * alpha {
            break;
        }
    }
    Minimum { alpha, evaluations }
}

/// `l'(alpha)` and `l''(alpha)`.
fn derivatives<const D: usize>(direction: &Direction<'_, D>, alpha: f64) -> (f64, f64) {
    let mut slope = direction.slope + alpha * direction.curvature;
    let mut curvature = direction.curvature;
    for ray in direction.rays {
        let y = ray.at(alpha);
        let projection = ray.cone.project(&y);
        let change = &ray.velocity_change;
        slope += change.dot(&(ray.projection.impulse - projection.impulse));
        curvature += change.dot(&(ray.cone.stiffness(&y, &projection) * change));
    }
    (slope, curvature)
}
