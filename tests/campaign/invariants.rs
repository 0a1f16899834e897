//! What holds of every motion, whatever the model.

use stickslip::{
    metrics::{max_cone_violation, max_energy_gain},
    model::tangential,
    scenario::{Inertia, Partner, Scenario},
    stepper::{Contact, ContactMode, StepStatus, StepperName},
    trajectory::{Passage, Trajectory},
};

/// Relative error that the solution of a program may have.
const SOLVED: f64 = 1e-6;
/// How far beyond its limit the square root of the published program lets friction go, which is smoothed by that, in N.
const SMOOTHED: f64 = 1e-4;

/// Of each invariant that does not hold its name and by how much.
pub fn faults<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(&'static str, String)> {
    let scenario = &trajectory.scenario;
    let mut faults: Vec<(&'static str, String)> = Vec::new();
    let mut note = |name: &'static str, what: String| {
        if faults.iter().all(|(known, _)| *known != name) {
            faults.push((name, what));
        }
    };
    trajectory.for_each_passage(|passage| {
        let k = passage.index;
        if let Some(off) = momentum(scenario, passage) {
            note("momentum", format!("step {k}: {off}"));
        }
        if let Some(off) = contacts(scenario, passage) {
            note("contacts", format!("step {k}: {off}"));
        }
        let report = &passage.step.report;
        if report.status != StepStatus::Failed && !report.residual.is_finite() {
            note(
                "certificate",
                format!("step {k} is called {:?} with residual {}", report.status, report.residual),
            );
        }
    });
    if !scenario.is_single_point() {
        return faults;
    }
    let track = trajectory.track(0);
    let force = track.steps.iter().map(|step| step.force.norm()).fold(0.0, f64::max);
    let off_cone = max_cone_violation(track);
    let fastest = track.states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max);
    let braking = scenario.bodies[0].mass * (scenario.gravity + fastest / scenario.step);
    let smoothed = if trajectory.stepper == StepperName::NlpSeed { SMOOTHED } else { 0.0 };
    if off_cone > SOLVED * force.max(braking) + smoothed {
        note("cone", format!("the force is {off_cone:e} N off the cone, of {force} N"));
    }
    if is_rigid(trajectory) {
        let gain = max_energy_gain(track);
        let highest = track.states.iter().map(|state| state.position.amax()).fold(0.0, f64::max);
        let (mass, dt) = (scenario.bodies[0].mass, scenario.step);
        let pushed = track.steps.iter().map(|step| step.push.norm()).fold(0.0, f64::max);
        let speed = fastest + dt * (scenario.gravity + pushed / mass);
        let scale = mass * speed * speed + mass * scenario.gravity * highest + pushed * speed * dt;
        // Newton's law of restitution gives energy to impacts so slow that they last a step.
        if gain > SOLVED * scale && scenario.ground.restitution == 0.0 {
            note("energy", format!("a step gains {gain:e} J of {scale:e} J"));
        }
        let deepest = track.states.iter().map(|state| -state.height()).fold(0.0, f64::max);
        if deepest > SOLVED * (dt * speed + highest) {
            note("penetration", format!("{deepest:e} m below the ground"));
        }
    }
    faults
}

/// Whether a model keeps points above the ground and takes energy only. The explicit flight of `hybrid` does
/// neither.
fn is_rigid<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    use StepperName as S;
    matches!(
        trajectory.stepper,
        S::NlpRelaxed | S::LcpStewartTrinkle | S::LcpPolyhedral | S::LcpFixedPoint | S::Exact
    )
}

/// Newton's second law over a step, of every body that moves: `m (v+ - v) = dt (F + U + m g)`, and in the plane
/// that of rotation.
fn momentum<const D: usize>(scenario: &Scenario<D>, passage: &Passage<'_, D>) -> Option<String> {
    let dt = scenario.step;
    for (index, body) in scenario.bodies.iter().enumerate().filter(|(_, body)| !body.fixed) {
        let [before, after] = passage.states.map(|states| states[index].velocity);
        let record = &passage.records[index];
        let weight = scenario.point(index).gravity * body.mass;
        let impulse = (record.force + record.push + weight) * dt;
        let off = ((after - before) * body.mass - impulse).norm();
        // What squeezes a light body from two sides cancels in the sum of its forces, and its rounding does not.
        let touches =
            |contact: &&Contact<D>| contact.first == index || contact.second == Partner::Body(index);
        let squeezes: f64 = passage.contacts.iter().filter(touches).map(|contact| contact.force.norm()).sum();
        let scale = body.mass * (before.norm() + after.norm())
            + dt * (record.force.norm().max(squeezes) + record.push.norm() + weight.norm());
        if off.is_nan() || off > 1e-7 * scale {
            return Some(format!("{off:e} N s of body {index} come from nowhere, of {scale:e} N s"));
        }
        let turning = [0, 1].map(|time| passage.attitudes[time].get(index));
        if let ([Some(before), Some(after)], Some(Inertia::Plane(moment))) =
            (turning, body.moment_of_inertia())
        {
            let torque = passage.torques[index][0] + passage.push_torques[index][0];
            let off = (moment * (after.spin[0] - before.spin[0]) - dt * torque).abs();
            let reach = (moment / body.mass).sqrt();
            let scale =
                moment * (before.spin[0].abs() + after.spin[0].abs()) + scale * reach + dt * torque.abs();
            if off.is_nan() || off > 1e-7 * scale {
                return Some(format!("{off:e} N m s of body {index} come from nowhere, of {scale:e} N m s"));
            }
        }
    }
    None
}

/// The cone of every contact that is told apart, and what its mode says.
fn contacts<const D: usize>(scenario: &Scenario<D>, passage: &Passage<'_, D>) -> Option<String> {
    let forces = passage.contacts.iter().map(|contact| contact.force.norm());
    let largest = forces.fold(0.0, f64::max);
    // A contact is open if it changes velocities by less than a millionth of those that meet in the step.
    let fastest = (0..scenario.bodies.len()).map(|body| {
        let at = |time: usize| {
            let spin = passage.attitudes[time].get(body).map_or(0.0, |attitude| attitude.spin.norm());
            passage.states[time][body].velocity.norm() + spin * scenario.bodies[body].reach()
        };
        at(0).max(at(1))
    });
    let meeting = 2.0 * fastest.fold(scenario.gravity * scenario.step, f64::max);
    let mass = scenario.bodies.iter().map(|body| body.mass).sum::<f64>();
    let open = 2.0 * SOLVED * mass * meeting / scenario.step;
    for contact in passage.contacts {
        let normal = contact.force.dot(&contact.normal);
        let along = (contact.force - contact.normal * normal).norm();
        let slack = SOLVED * (largest + mass * scenario.gravity);
        if normal < -slack {
            return Some(format!("a contact pulls with {:e} N", -normal));
        }
        if contact.mode == ContactMode::Open && contact.force.norm() > slack + open {
            return Some(format!("an open contact bears {:e} N", contact.force.norm()));
        }
        // What holds for every contact of these scenes is one coefficient.
        let limit = scenario.ground.friction * normal.max(0.0);
        if along > limit + 10.0 * slack {
            return Some(format!("friction {along:e} N beyond its limit {limit:e} N"));
        }
    }
    None
}

/// The largest distance between two motions, relative to the lengths and speeds in them and to what gravity and the
/// pushes do in a step, by which a body may be held in its place; `map` takes the states of the first to those of the
/// second.
pub fn distance<const D: usize>(
    first: &Trajectory<D>,
    second: &Trajectory<D>,
    map: impl Fn(&stickslip::model::State<D>) -> stickslip::model::State<D>,
) -> f64 {
    let mut largest: f64 = 0.0;
    for ((a, b), body) in first.bodies.iter().zip(&second.bodies).zip(&second.scenario.bodies) {
        if a.states.len() != b.states.len() {
            return f64::INFINITY;
        }
        let pushed = second.scenario.pushes.iter().map(|push| push.force.norm()).sum::<f64>() / body.mass;
        let least = ((second.scenario.gravity + pushed) * second.scenario.step).max(f64::MIN_POSITIVE);
        let speed = b.states.iter().map(|state| state.velocity.norm()).fold(least, f64::max);
        let start = b.states[0].position;
        let way = b.states.iter().map(|state| (state.position - start).norm());
        let way = way.fold(speed * second.scenario.step, f64::max) + tangential(&start).norm();
        for (a, b) in a.states.iter().map(&map).zip(&b.states) {
            let off = ((a.position - b.position).norm() / way).max((a.velocity - b.velocity).norm() / speed);
            largest = if off.is_nan() { f64::INFINITY } else { largest.max(off) };
        }
    }
    largest
}
