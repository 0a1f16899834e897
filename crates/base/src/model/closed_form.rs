use super::{Number, PointMass, State, Vector, gap_velocity, soft_threshold};

/// Result of [`closed_form_step`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedFormStep<const D: usize, N = f64> {
    /// State at the end of the step.
    pub state: State<D, N>,
    /// Contact impulse over the step in N s, the normal component last.
    pub impulse: Vector<D, N>,
}

/// The rigid step of a single point in closed form; the oracle of the optimisation-based steppers.
///
/// The normal impulse closes the gap, `p_z = m max(0, -(v_free_z + gap))`, and friction shrinks the
/// tangential velocity by at most `mu p_z/m`, against its own direction (an isotropic soft
/// threshold): the solution of the complementarity problem that the NLP and the gap-level
/// Stewart-Trinkle LCP pose.
pub fn closed_form_step<const D: usize, N: Number>(
    body: &PointMass<D, N>,
    state: &State<D, N>,
    push: &Vector<D, N>,
    dt: N,
) -> ClosedFormStep<D, N> {
    let free = body.free_velocity(state, push, dt);
    let gap = gap_velocity(body, state, free[D - 1], dt);
    let normal = (-(free[D - 1] + gap)).positive_part();
    let mut velocity = soft_threshold(&free, body.friction * normal);
    velocity[D - 1] = free[D - 1] + normal;
    let impulse = (velocity - free) * body.mass;
    ClosedFormStep { state: state.advance(velocity, dt), impulse }
}
