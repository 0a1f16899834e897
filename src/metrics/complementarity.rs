use crate::{
    model::{PointMass, State, gap_velocity, tangential},
    stepper::Honours,
    trajectory::{Record, Track},
};

/// Largest violation over the run of the complementarity that a time step poses, dimensionless; the
/// same measure for every stepper that steps in time. `None` for those that resolve the instant of an
/// impact ([`Honours::impacts_within_steps`](crate::stepper::Honours::impacts_within_steps)): they pose
/// complementarity at every instant, and the step as a whole need not fulfil it.
///
/// Normal: `min(1, p_z/(m g dt)) |vz+ + gap|/(g dt)`, contact force where the gap (with the rebound
/// of restitution) is not closed. Friction: `min(1, |vt+|/(g dt)) (mu p_z - |p_t|)/max(m g dt, p_z)`,
/// sliding inside the friction cone. The impulses are those of the step, `p = dt F`. Zero without
/// gravity, which sets the scales.
pub fn max_complementarity<const D: usize>(track: Track<'_, D>) -> Option<f64> {
    let body = track.point();
    let products = track.steps.iter().zip(track.states.windows(2));
    let products =
        products.map(|(step, pair)| violation(&body, track.scenario.step, [&pair[0], &pair[1]], step));
    poses_complementarity(&track.honours).then(|| products.fold(0.0, f64::max))
}

/// Whether a stepper poses complementarity for its steps.
pub(super) fn poses_complementarity(honours: &Honours) -> bool {
    !honours.impacts_within_steps
}

/// That violation in one step.
pub(super) fn violation<const D: usize>(
    body: &PointMass<D>,
    dt: f64,
    [before, after]: [&State<D>; 2],
    step: &Record<D>,
) -> f64 {
    let velocity_scale = body.gravity_norm() * dt;
    if velocity_scale == 0.0 {
        return 0.0;
    }
    let impulse_scale = body.mass * velocity_scale;
    let free = body.free_velocity(before, &step.push, dt);
    let gap = gap_velocity(body, before, free[D - 1], dt);
    let impulse = step.force * dt;
    let normal_impulse = impulse[D - 1].max(0.0);
    let opening = (after.velocity[D - 1] + gap).abs() / velocity_scale;
    let normal = (normal_impulse / impulse_scale).min(1.0) * opening;
    let slip = tangential(&after.velocity).norm() / velocity_scale;
    let reserve = (body.friction * normal_impulse - tangential(&impulse).norm()).abs();
    let friction = slip.min(1.0) * reserve / impulse_scale.max(normal_impulse);
    normal.max(friction)
}
