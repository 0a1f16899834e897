use crate::{
    model::{Orientation, Spin},
    trajectory::{Track, Trajectory},
};

/// Largest energy that a body gained in a step beyond the work `U.(x+ - x)` of the push, in J; 0 if it
/// never did. What other bodies and springs do to it counts as gain.
///
/// A passive ground never gives: semi-implicit Euler itself loses `m |a|^2 dt^2/2` per step under
/// a constant acceleration `a`.
pub fn max_energy_gain<const D: usize>(track: Track<'_, D>) -> f64 {
    (0..track.steps.len()).map(|k| gain(track, k)).fold(0.0, f64::max)
}

/// Largest energy that all bodies and springs together gained in a step beyond the work of the pushes,
/// in J; 0 if they never did.
pub fn max_energy_gain_of_all<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let steps = 0..trajectory.steps.len();
    let gain = |k| trajectory.tracks().map(|track| gain(track, k)).sum::<f64>() + stored(trajectory, k);
    steps.map(gain).fold(0.0, f64::max)
}

/// Energy that a body gained in step `k` beyond the work of the push, in J.
fn gain<const D: usize>(track: Track<'_, D>, k: usize) -> f64 {
    let body = track.point();
    let (before, after) = (&track.states[k], &track.states[k + 1]);
    let work = track.steps[k].push.dot(&(after.position - before.position));
    // The difference of energies written so that large common parts do not cancel.
    let mean_velocity = (before.velocity + after.velocity) * 0.5;
    let kinetic = body.mass * mean_velocity.dot(&(after.velocity - before.velocity));
    let potential = -body.mass * body.gravity.dot(&(after.position - before.position));
    kinetic + potential - work + turning_gain(track, k)
}

/// What the rotation of a body gained in step `k` beyond the work of the pushes' torque, in J.
fn turning_gain<const D: usize>(track: Track<'_, D>, k: usize) -> f64 {
    let (Some([before, after]), Some(torque)) = (track.attitudes.get(k..k + 2), track.push_torques.get(k))
    else {
        return 0.0;
    };
    let turned = match (&before.orientation, &after.orientation) {
        (Orientation::Angle(before), Orientation::Angle(after)) => Spin::new(after - before, 0.0, 0.0),
        (_, Orientation::Quaternion(turn)) => turn * after.spin * track.scenario.step,
        (Orientation::Quaternion(_), Orientation::Angle(_)) => Spin::zeros(),
    };
    let energy = |attitude| track.scenario.rotational_energy(track.body, attitude);
    energy(after) - energy(before) - torque.dot(&turned)
}

/// Energy that the springs took up in step `k`, in J.
fn stored<const D: usize>(trajectory: &Trajectory<D>, k: usize) -> f64 {
    let scenario = &trajectory.scenario;
    let springs = scenario.springs.iter().map(|spring| {
        let length = spring.length.unwrap_or_else(|| scenario.initial_distance(spring.bodies));
        let [first, second] = spring.bodies.map(|body| &trajectory.bodies[body].states);
        let stretch = |k: usize| (first[k].position - second[k].position).norm() - length;
        0.5 * spring.stiffness * (stretch(k + 1).powi(2) - stretch(k).powi(2))
    });
    springs.sum()
}
