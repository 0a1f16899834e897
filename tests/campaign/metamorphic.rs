//! Two worlds that differ in what must make no difference, or a known one.

use nalgebra::Rotation2;
use stickslip::{
    model::{State, Vector},
    scenario::{Body, Ends, Pair, Partner, Scenario, Shape, SmoothLaw},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

use crate::{
    invariants::distance,
    worlds::{may_jam, run},
};

/// How well two motions agree whose steps are solved to a tolerance, and those found by finitely many operations.
const BY_TOLERANCE: f64 = 1e-4;
const BY_ROUNDING: f64 = 1e-7;
/// Distance between two places that is none, over the places themselves.
const NO_DISTANCE: f64 = 1e-9;

/// A change of a scenario, and what becomes of its states.
struct Change<const D: usize> {
    name: &'static str,
    scenario: Scenario<D>,
    map: Box<dyn Fn(&State<D>) -> State<D>>,
}

pub fn faults<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    let name = trajectory.stepper;
    let mut faults = Vec::new();
    // The program as published has a tolerance and a smoothing in units of its own.
    if scenario.is_single_point() && name != StepperName::NLP_SEED {
        for Change { name: change, scenario, map } in changes(scenario, name) {
            faults.extend(compared(change, allowed(name), &scenario, name, |changed| {
                distance(trajectory, changed, &map)
            }));
        }
        faults.extend(continued(trajectory));
    }
    if has_one_solution(name) {
        if scenario.is_single_point() {
            faults.extend(split(scenario, name));
        } else {
            faults.extend(far_body(trajectory));
            faults.extend(other_order(trajectory));
            faults.extend(continued(trajectory));
        }
    }
    faults
}

/// How well two motions of a point must agree.
fn allowed(name: StepperName) -> f64 {
    match name {
        StepperName::NLP | StepperName::LCP_FIXED_POINT => BY_TOLERANCE,
        // Sweeps end at a tolerance, under both its names.
        _ if name.family() == "cone" => BY_TOLERANCE,
        _ => BY_ROUNDING,
    }
}

/// Models of Coulomb's law between rigid bodies, whose motion is the only one where bodies do not touch each other.
fn has_one_solution(name: StepperName) -> bool {
    matches!(name, StepperName::NLP | StepperName::LCP)
}

/// The fault that the changed world moves otherwise, or not at all.
fn compared<const D: usize>(
    change: &'static str,
    allowed: f64,
    changed: &Scenario<D>,
    name: StepperName,
    distance: impl Fn(&Trajectory<D>) -> f64,
) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    if let Err(violation) = changed.check() {
        return Some((change, format!("the changed world is invalid: {violation:?}")));
    }
    match run(changed, name) {
        Some(changed) if changed.ending == Ending::Complete => {
            let off = distance(&changed);
            (off > allowed).then(|| (change, format!("the motions differ by {off:e} of their size")))
        }
        Some(_) => Some((change, "the changed world is not solved".to_owned())),
        None => Some((change, "the changed world is refused".to_owned())),
    }
}

fn changes<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<Change<D>> {
    let mut changes = Vec::new();
    let body = &scenario.bodies[0];
    // The formulations of a block that slides one way know no other.
    if name != StepperName::LCP_FORWARD {
        let mut mirrored = scenario.clone();
        mirrored.bodies[0].position[0] *= -1.0;
        mirrored.bodies[0].velocity[0] *= -1.0;
        mirrored.ground.slope *= -1.0;
        mirrored.pushes.iter_mut().for_each(|push| push.force[0] *= -1.0);
        let flip = |v: &Vector<D>| Vector::<D>::from_fn(|i, _| if i == 0 { -v[i] } else { v[i] });
        changes.push(Change {
            name: "mirror",
            scenario: mirrored,
            map: Box::new(move |s| State { position: flip(&s.position), velocity: flip(&s.velocity) }),
        });
    }
    let mut moved = scenario.clone();
    moved.bodies[0].position[0] += 4.0;
    let shift = |s: &State<D>| {
        let mut position = s.position;
        position[0] += 4.0;
        State { position, ..*s }
    };
    changes.push(Change { name: "place", scenario: moved, map: Box::new(shift) });

    let mut heavier = scenario.clone();
    heavier.bodies[0].mass *= 1024.0;
    heavier.pushes.iter_mut().for_each(|push| push.force *= 1024.0);
    if body.mass * 1024.0 < 1e12 {
        changes.push(Change { name: "unit of mass", scenario: heavier, map: Box::new(|s| *s) });
    }
    let mut larger = scenario.clone();
    larger.gravity *= 4.0;
    larger.bodies[0].position *= 4.0;
    larger.bodies[0].velocity *= 4.0;
    larger.pushes.iter_mut().for_each(|push| push.force *= 4.0);
    let grow = |s: &State<D>| State { position: s.position * 4.0, velocity: s.velocity * 4.0 };
    // Where it only just slides, the sweeps of `cone` end on one side or the other.
    if name.family() != "cone" {
        changes.push(Change { name: "unit of length", scenario: larger, map: Box::new(grow) });
    }
    // A polygon of friction has corners, which do not turn with the rest.
    if D == 3 && name != StepperName::LCP_POLYHEDRAL {
        let turn = Rotation2::new(0.7);
        let turned = move |v: &Vector<D>| {
            let across = turn * nalgebra::Vector2::new(v[0], v[1]);
            Vector::<D>::from_fn(|i, _| if i < 2 { across[i] } else { v[i] })
        };
        let mut around = scenario.clone();
        around.bodies[0].position = turned(&body.position);
        around.bodies[0].velocity = turned(&body.velocity);
        around.pushes.iter_mut().for_each(|push| push.force = turned(&push.force));
        changes.push(Change {
            name: "rotation about the vertical",
            scenario: around,
            map: Box::new(move |s| State { position: turned(&s.position), velocity: turned(&s.velocity) }),
        });
    }
    changes
}

/// A body far away, which changes nothing for the others where their motion is the only one.
fn far_body<const D: usize>(trajectory: &Trajectory<D>) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    if scenario.bodies.len() > 1 || lands_by_rounding(trajectory) {
        return None;
    }
    let joined = with_far_body(scenario);
    let distance = |joined: &Trajectory<D>| distance(trajectory, joined, |state| *state);
    compared("far body", BY_TOLERANCE, &joined, trajectory.stepper, distance)
}

/// Whether a step takes the free motion of a body as far as the ground to within rounding: that decides whether it
/// bounces in this step or in the next.
fn lands_by_rounding<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let scenario = &trajectory.scenario;
    let mut found = false;
    trajectory.for_each_passage(|passage| {
        for (index, body) in scenario.bodies.iter().enumerate() {
            let [before, after] = passage.states.map(|states| states[index]);
            let free = after.velocity - passage.records[index].force * (scenario.step / body.mass);
            let fall = scenario.step * free[D - 1];
            found |= (before.height() + fall).abs() <= NO_DISTANCE * (before.height() + fall.abs());
        }
    });
    found
}

fn with_far_body<const D: usize>(scenario: &Scenario<D>) -> Scenario<D> {
    let mut joined = scenario.clone();
    let mut far = Body {
        velocity: Vector::zeros(),
        spin: Default::default(),
        name: None,
        ..scenario.bodies[0].clone()
    };
    far.position[0] += 1e3;
    far.position[D - 1] += 1e3;
    joined.bodies.push(far);
    joined
}

/// A point as two of half its mass in the same place, on each half of its pushes: both move as the one did. A far
/// point makes bodies of both worlds.
fn split<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let whole = run(&with_far_body(scenario), name)?;
    if lands_by_rounding(&whole) {
        return None;
    }
    let mut halves = scenario.clone();
    halves.bodies[0].mass *= 0.5;
    for push in &mut halves.pushes {
        push.force *= 0.5;
        push.body = None;
    }
    halves.bodies.push(halves.bodies[0].clone());
    halves.pairs.extend(scenario.pairs.iter().map(|pair| Pair { first: 1, ..*pair }));
    let halves = with_far_body(&halves);
    if whole.ending != Ending::Complete {
        return None;
    }
    compared("split mass", BY_TOLERANCE, &halves, name, |halves| {
        // The far point is pushed half as hard, and is not compared.
        let only = |all: &Trajectory<D>, index: usize| Trajectory {
            bodies: vec![all.bodies[index].clone()],
            ..all.clone()
        };
        let off = |index| distance(&only(&whole, 0), &only(halves, index), |state| *state);
        off(0).max(off(1))
    })
}

/// The bodies in another order, which moves them as before where none touches another.
fn other_order<const D: usize>(trajectory: &Trajectory<D>) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    let has_one_solution = !(bodies_touch(trajectory)
        || has_indeterminate_pressure(trajectory)
        || may_jam(scenario)
        || may_be_wedged(trajectory)
        || strikes_in_turn(trajectory));
    if scenario.bodies.len() < 2 || !has_one_solution {
        return None;
    }
    let mut turned = scenario.clone();
    turned.bodies.reverse();
    let place = |body: usize| scenario.bodies.len() - 1 - body;
    for push in &mut turned.pushes {
        push.body = push.body.map(place);
    }
    for ends in links(&mut turned) {
        ends.bodies = ends.bodies.map(place);
    }
    for joint in &mut turned.joints {
        joint.bodies = joint.bodies.map(|body| body.map(place));
    }
    for pair in &mut turned.pairs {
        pair.first = place(pair.first);
        if let Partner::Body(other) = &mut pair.second {
            *other = place(*other);
        }
    }
    compared("order of bodies", BY_TOLERANCE, &turned, trajectory.stepper, |turned| {
        let mut back = turned.clone();
        back.bodies.reverse();
        distance(trajectory, &back, |state| *state)
    })
}

/// Whether blows ever follow each other in a step: of two that close as fast the first body's comes first.
fn strikes_in_turn<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    trajectory.steps.iter().any(|step| step.impact.is_some_and(|impact| impact.rounds > 1))
}

/// What the rods and the springs of a scenario join.
fn links<const D: usize>(scenario: &mut Scenario<D>) -> impl Iterator<Item = &mut Ends<D>> {
    let rods = scenario.rods.iter_mut().map(|rod| &mut rod.ends);
    rods.chain(scenario.springs.iter_mut().map(|spring| &mut spring.ends))
}

/// Whether rods, springs or joints join bodies.
fn are_joined<const D: usize>(scenario: &Scenario<D>) -> bool {
    !(scenario.rods.is_empty() && scenario.springs.is_empty() && scenario.joints.is_empty())
}

/// Whether a body that is joined to others ever rests on more corners than pressure and friction on each of them are
/// determined by: how they share the load decides on which way it turns as it slides.
fn has_indeterminate_pressure<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let scenario = &trajectory.scenario;
    let mut found = false;
    trajectory.for_each_passage(|passage| {
        let corners = |body: usize| passage.contacts.iter().filter(|contact| contact.first == body).count();
        found |= (0..scenario.bodies.len()).any(|body| corners(body) > D);
    });
    are_joined(scenario) && found
}

/// Whether bodies that are joined ever touch the ground and a wall: between the two friction may hold what a rod presses
/// apart, or not.
fn may_be_wedged<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let [mut ground, mut wall] = [false; 2];
    trajectory.for_each_passage(|passage| {
        for contact in passage.contacts {
            ground |= contact.second == Partner::Ground;
            wall |= matches!(contact.second, Partner::Wall(_));
        }
    });
    are_joined(&trajectory.scenario) && ground && wall
}

/// Whether two bodies ever press on each other, so that there may be several motions.
fn bodies_touch<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let mut touch = false;
    trajectory.for_each_passage(|passage| {
        touch |= passage.contacts.iter().any(|contact| matches!(contact.second, Partner::Body(_)));
    });
    touch
}

/// A run that is cut in the middle, and continued from there with the time and the pushes that are left.
fn continued<const D: usize>(trajectory: &Trajectory<D>) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    let cut = trajectory.steps.len() / 2;
    let is_single = scenario.is_single_point();
    // What a stepper remembers of the steps before, and the one motion of `exact` from its start, are not continued.
    if cut == 0 || bodies_touch(trajectory) {
        return None;
    }
    // Joints count their coordinates from the start.
    if !scenario.joints.is_empty() {
        return None;
    }
    // Without a stiffness, `convex` makes the ground as soft as the start asks for, and that of the rest is another.
    if trajectory.stepper == StepperName::CONVEX && scenario.steppers.convex.stiffness.is_none() {
        return None;
    }
    // Nor is the damping the same that `smooth` chooses for the speed of the impact that the start leads to.
    let is_chosen = matches!(scenario.steppers.smooth.law, SmoothLaw::KelvinVoigt { damping: None, .. });
    if trajectory.stepper == StepperName::SMOOTH && is_single && is_chosen {
        return None;
    }
    let passed = scenario.time().at(cut);
    let mut rest = scenario.clone();
    rest.duration = (trajectory.steps.len() - cut) as f64 * scenario.step;
    for (body, motion) in rest.bodies.iter_mut().zip(&trajectory.bodies) {
        body.position = motion.states[cut].position;
        body.velocity = motion.states[cut].velocity;
        if body.shape == Shape::Point && body.position[D - 1] < 0.0 {
            // What a solver left of it below the ground is rounding; a model that lets it sink cannot be started there.
            if body.position[D - 1]
                < -1e-12 * body.position.norm().max(scenario.gravity * scenario.step.powi(2))
            {
                return None;
            }
            body.position[D - 1] = 0.0;
        }
        if let Some(attitude) = motion.attitudes.get(cut) {
            (body.orientation, body.spin) = (attitude.orientation, attitude.spin);
        }
    }
    // Lengths that are not given are those of the start.
    for (rod, whole) in rest.rods.iter_mut().zip(&scenario.rods) {
        rod.length = Some(whole.length_in(scenario));
    }
    for (spring, whole) in rest.springs.iter_mut().zip(&scenario.springs) {
        spring.length = Some(whole.length_in(scenario));
    }
    rest.pushes = scenario.pushes.iter().filter_map(|push| push.after(passed, scenario.step)).collect();
    let mut second = trajectory.clone();
    for motion in &mut second.bodies {
        drop(motion.states.drain(..cut));
    }
    let allowed = if trajectory.stepper == StepperName::CONVEX || are_joined(scenario) {
        BY_TOLERANCE
    } else {
        allowed(trajectory.stepper)
    };
    compared("cut in two", allowed, &rest, trajectory.stepper, |rest| distance(rest, &second, |state| *state))
}
