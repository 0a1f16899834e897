//! What holds of every motion, whatever the model.

use stickslip::{
    metrics::{max_cone_violation, max_energy_gain},
    model::{Vector, tangential},
    scenario::{Ends, Scenario},
    stepper::{ContactMode, StepStatus, StepperName},
    trajectory::{Passage, Trajectory},
};

use crate::{balance, mechanisms};

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
        if let Some(off) = balance::fault(scenario, trajectory.stepper, passage) {
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
    if keeps_rods(trajectory.stepper)
        && let Some(off) = stretched(trajectory)
    {
        note("rods", off);
    }
    for (name, off) in mechanisms::faults(trajectory) {
        note(name, off);
    }
    if !scenario.is_single_point() {
        return faults;
    }
    let track = trajectory.track(0);
    let force = track.steps.iter().map(|step| step.force.norm()).fold(0.0, f64::max);
    let off_cone = max_cone_violation(track);
    let fastest = track.states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max);
    let braking = scenario.bodies[0].mass * (scenario.gravity + fastest / scenario.step);
    let smoothed = if trajectory.stepper == StepperName::NLP_SEED { SMOOTHED } else { 0.0 };
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
    matches!(trajectory.stepper, S::NLP | S::LCP | S::LCP_POLYHEDRAL | S::LCP_FIXED_POINT | S::EXACT)
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
    let of_walls = scenario.walls.iter().map(|wall| wall.surface_velocity().norm());
    let meeting = 2.0 * fastest.chain(of_walls).fold(scenario.gravity * scenario.step, f64::max);
    let mass = scenario.bodies.iter().map(|body| body.mass).sum::<f64>();
    // So do those that a spring would give without the contacts that hold it.
    let lightest = scenario.bodies.iter().map(|body| body.mass).fold(f64::INFINITY, f64::min);
    let by_springs = if scenario.springs.is_empty() { 0.0 } else { largest * scenario.step / lightest };
    // And those that pushes would, where contacts hold against them.
    let pushed = scenario.pushes.iter().map(|push| push.force.norm()).sum::<f64>();
    let meeting = meeting.max(by_springs).max(pushed * scenario.step / lightest);
    let open = 2.0 * SOLVED * mass * meeting / scenario.step;
    for contact in passage.contacts {
        let normal = contact.force.dot(&contact.normal);
        let along = (contact.force - contact.normal * normal).norm();
        let slack = SOLVED * (largest + mass * scenario.gravity) + 1e-3 * open;
        if normal < -slack {
            return Some(format!("a contact pulls with {:e} N", -normal));
        }
        if contact.mode == ContactMode::Open && contact.force.norm() > slack + open {
            return Some(format!("an open contact bears {:e} N", contact.force.norm()));
        }
        let surface = scenario.surface(contact.first, contact.second);
        let limit = surface.friction.static_coefficient() * normal.max(0.0);
        if along > limit + 10.0 * slack {
            return Some(format!("friction {along:e} N beyond its limit {limit:e} N"));
        }
    }
    None
}

/// Models in which a rod does not give. The others are as soft as their contacts, and that of the plane has what is
/// left of the last step in it.
fn keeps_rods(name: StepperName) -> bool {
    use StepperName as S;
    matches!(name, S::NLP | S::LCP | S::LCP_ANITESCU | S::CONE)
}

/// A rod whose length is off by more than its turning within a step explains: a step keeps the speed of its ends
/// along it, as it is at the start, to what the length was off then.
fn stretched<const D: usize>(trajectory: &Trajectory<D>) -> Option<String> {
    let scenario = &trajectory.scenario;
    // The sweeps of `cone` end at a part of the largest velocity, whichever it is.
    let solved = if trajectory.stepper.family() == "cone" { 10.0 * SOLVED } else { SOLVED };
    let mut fault = None;
    trajectory.for_each_passage(|passage| {
        if passage.step.report.status != StepStatus::Solved {
            return;
        }
        for (index, rod) in scenario.rods.iter().enumerate() {
            let length = rod.length_in(scenario);
            let [before, after] =
                [0, 1].map(|time| balance::places(&rod.ends, passage.states[time], passage.attitudes[time]));
            let off = ((after[0] - after[1]).norm() - length).abs();
            let way = (0..2).map(|end| (after[end] - before[end]).norm()).fold(0.0, f64::max);
            let largest = after.iter().map(|place| place.norm()).fold(length, f64::max);
            let curved = turned(before, after) + arcs(&rod.ends, passage, scenario.step);
            let bound = 2.0 * curved + solved * (way + 1e-2 * largest);
            if fault.is_none() && (off.is_nan() || off > bound) {
                fault =
                    Some(format!("step {}: rod {index} is off by {off:e} m, not {bound:e}", passage.index));
            }
        }
    });
    fault
}

/// By how much what the ends of a link are moved against each other in a step may change their distance to second
/// order, in m.
fn turned<const D: usize>(before: [Vector<D>; 2], after: [Vector<D>; 2]) -> f64 {
    let [before, after] = [before, after].map(|ends| ends[0] - ends[1]);
    (after - before).norm_squared() / before.norm().min(after.norm())
}

/// How far the ends of a link leave the tangents of the arcs that they run on about the centres of mass, in m.
/// A body that turns out of its axis comes to rest later than its spin.
fn arcs<const D: usize>(ends: &Ends<D>, passage: &Passage<'_, D>, dt: f64) -> f64 {
    let off = |end: usize| {
        let attitudes = [0, 1].map(|time| passage.attitudes[time].get(ends.bodies[end]));
        let [Some(before), Some(after)] = attitudes else { return 0.0 };
        let spun = dt * before.spin.norm().max(after.spin.norm());
        before.orientation.angle_to(&after.orientation).max(spun).powi(2) * ends.points[end].norm()
    };
    off(0) + off(1)
}

/// The largest distance between two motions, relative to the lengths and speeds in them and to what gravity, the
/// pushes and the springs as they are at the start do in a step, by which a body may be held in its place; `map` takes the states of the first to those of the
/// second.
pub fn distance<const D: usize>(
    first: &Trajectory<D>,
    second: &Trajectory<D>,
    map: impl Fn(&stickslip::model::State<D>) -> stickslip::model::State<D>,
) -> f64 {
    let mut largest: f64 = 0.0;
    // Without gravity the speed of a body that others hold where it is may be rounding of theirs, or of a conveyor's.
    let all = second.bodies.iter().flat_map(|motion| &motion.states);
    let belts = second.scenario.walls.iter().map(|wall| wall.velocity[0].hypot(wall.velocity[1]));
    let rounding = 1e-9 * all.map(|state| state.velocity.norm()).chain(belts).fold(0.0, f64::max);
    for ((a, b), body) in first.bodies.iter().zip(&second.bodies).zip(&second.scenario.bodies) {
        if a.states.len() != b.states.len() {
            return f64::INFINITY;
        }
        let pushed = second.scenario.pushes.iter().map(|push| push.force.norm()).sum::<f64>() / body.mass;
        let drawn = second.scenario.springs.iter().map(|spring| {
            let stretch =
                (second.scenario.initial_distance(&spring.ends) - spring.length_in(&second.scenario)).abs();
            spring.stiffness * stretch / body.mass
        });
        let pulled = (second.scenario.gravity + pushed + drawn.sum::<f64>()) * second.scenario.step;
        let least = pulled.max(rounding).max(f64::MIN_POSITIVE);
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
