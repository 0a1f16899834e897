use crate::{
    model::{gap_velocity, tangential},
    trajectory::Track,
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
    if track.honours.impacts_within_steps {
        return None;
    }
    let body = track.point();
    let dt = track.scenario.step;
    let velocity_scale = body.gravity_norm() * dt;
    if velocity_scale == 0.0 {
        return Some(0.0);
    }
    let impulse_scale = body.mass * velocity_scale;
    let products = track.steps.iter().zip(track.states.windows(2)).map(|(step, pair)| {
        let free = body.free_velocity(&pair[0], &step.push, dt);
        let gap = gap_velocity(&body, &pair[0], free[D - 1], dt);
        let impulse = step.force * dt;
        let normal_impulse = impulse[D - 1].max(0.0);
        let opening = (pair[1].velocity[D - 1] + gap).abs() / velocity_scale;
        let normal = (normal_impulse / impulse_scale).min(1.0) * opening;
        let slip = tangential(&pair[1].velocity).norm() / velocity_scale;
        let reserve = (body.friction * normal_impulse - tangential(&impulse).norm()).abs();
        let friction = slip.min(1.0) * reserve / impulse_scale.max(normal_impulse);
        normal.max(friction)
    });
    Some(products.fold(0.0, f64::max))
}
