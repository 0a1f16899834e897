use crate::trajectory::Trajectory;

/// Largest energy that a step gained beyond the work `U.(x+ - x)` of the push, in J; 0 if none did.
///
/// A passive contact never gains: semi-implicit Euler itself loses `m |a|^2 dt^2/2` per step under
/// a constant acceleration `a`.
pub fn max_energy_gain<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let body = trajectory.scenario.point();
    trajectory
        .steps
        .iter()
        .zip(trajectory.states.windows(2))
        .map(|(step, pair)| {
            let work = step.push.dot(&(pair[1].position - pair[0].position));
            // The difference of energies written so that large common parts do not cancel.
            let mean_velocity = (pair[0].velocity + pair[1].velocity) * 0.5;
            let kinetic = body.mass * mean_velocity.dot(&(pair[1].velocity - pair[0].velocity));
            let potential = -body.mass * body.gravity.dot(&(pair[1].position - pair[0].position));
            kinetic + potential - work
        })
        .fold(0.0, f64::max)
}
