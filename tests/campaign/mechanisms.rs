//! Bodies that joints hold together, in trees and in loops, over a floor and beside each other; and what must hold of them.

use nalgebra::UnitQuaternion;
use stickslip::{
    metrics::max_energy_created,
    model::{Orientation, Vector},
    scenario::{Body, DriveSetup, Ground, JointKind, JointPlace, JointSetup, Scenario, Shape},
    stepper::{StepStatus, StepperName},
    trajectory::{Passage, Trajectory},
    world::{Schedule, Target},
};

use crate::{
    budget::Draw,
    worlds::{push_a_body, world},
};

/// How far the centres of bodies are from each other at the start, in m.
const APART: f64 = 0.5;
/// Relative error that the solution of a step may have; the sweeps of `cone` end at a part of the largest velocity.
const SOLVED: f64 = 1e-6;
const SWEPT: f64 = 1e-5;
/// What a rigid row of a redundant loop gives way, in units of its response to what it carries; and how many times the force of a
/// step it may be, as impacts carry otherwise where the way ends than where the velocity does.
const COMPLIANCE: f64 = 1e-4;
const CARRIED: f64 = 4.0;

/// Up to six bodies in the plane.
pub fn in_plane(draw: &mut Draw) -> Scenario<2> {
    const KINDS: &[JointKind] =
        &[JointKind::Hinge, JointKind::Hinge, JointKind::Hinge, JointKind::Slider, JointKind::Weld];
    mechanism(draw, KINDS, |draw| Orientation::Angle(draw.uniform(-1.5, 1.5)))
}

/// The same in space.
pub fn in_space(draw: &mut Draw) -> Scenario<3> {
    const KINDS: &[JointKind] = &[
        JointKind::Hinge,
        JointKind::Hinge,
        JointKind::Ball,
        JointKind::Slider,
        JointKind::Weld,
        JointKind::Universal,
        JointKind::Cylindrical,
    ];
    mechanism(draw, KINDS, |draw| {
        let turn = [0, 1, 2].map(|_| draw.uniform(-1.5, 1.5));
        Orientation::Quaternion(UnitQuaternion::new(Vector::<3>::from(turn)))
    })
}

fn mechanism<const D: usize>(
    draw: &mut Draw,
    kinds: &[JointKind],
    turned: impl Fn(&mut Draw) -> Orientation,
) -> Scenario<D> {
    let mut scenario = world::<D>(draw);
    let friction = draw.one_of(&[0.0, 0.3, 0.8]);
    scenario.ground = Ground { friction, restitution: draw.one_of(&[0.0, 0.0, 0.5]), ..scenario.ground };
    let count = 1 + draw.below(6);
    let speed = draw.one_of(&[0.0, 0.05, 2.0]);
    scenario.bodies.clear();
    for index in 0..count {
        let size = draw.uniform(0.1, 0.4);
        let shape = match draw.below(2) {
            0 => Shape::Ball { radius: 0.5 * size },
            _ => Shape::Box { size: Vector::from_fn(|axis, _| if axis == 0 { size } else { 0.4 * size }) },
        };
        let mut body = Body::point(draw.log_uniform(0.1, 10.0), [0.0; D], [0.0; D]);
        body.shape = shape;
        body.orientation = turned(draw);
        body.position = Vector::from_fn(|axis, _| match axis {
            0 => APART * index as f64,
            _ => 0.1 * draw.uniform(-1.0, 1.0),
        });
        scenario.bodies.push(body);
    }
    // Nothing is in the ground at the start, and something may be close above it.
    let lowest = scenario.bodies.iter().map(|body| body.position[D - 1] - body.reach());
    let lift = draw.one_of(&[1e-3, 0.05, 2.0]) - lowest.fold(f64::INFINITY, f64::min);
    scenario.bodies.iter_mut().for_each(|body| body.position[D - 1] += lift);
    if draw.chance(0.4) {
        // All fly as one, at first.
        let velocity = Vector::from_fn(|_, _| speed * draw.uniform(-1.0, 1.0));
        scenario.bodies.iter_mut().for_each(|body| body.velocity = velocity);
    } else {
        let at = joint_point(draw, &scenario, [None, Some(0)]);
        let joint = joint(draw, kinds, [None, Some(0)], at);
        scenario.joints.push(joint);
    }
    for second in 1..count {
        // Mostly a chain, now and then a tree, or two pieces that meet.
        let first = if draw.chance(0.7) { second - 1 } else { draw.below(second) };
        if draw.chance(0.9) {
            let bodies = [Some(first), Some(second)];
            let at = joint_point(draw, &scenario, bodies);
            let joint = joint(draw, kinds, bodies, at);
            scenario.joints.push(joint);
        }
    }
    if count > 2 && draw.chance(0.3) {
        // A loop, which turns where the joint is a plain one.
        let closing = if D == 2 { JointKind::Hinge } else { JointKind::Ball };
        let bodies = [Some(0), Some(count - 1)];
        let at = joint_point(draw, &scenario, bodies);
        scenario.joints.push(JointSetup::of(closing, bodies, at));
    }
    push_a_body(draw, &mut scenario);
    scenario
}

/// Half way between two bodies, or beside the one that the world holds.
fn joint_point<const D: usize>(
    draw: &mut Draw,
    scenario: &Scenario<D>,
    bodies: [Option<usize>; 2],
) -> JointPlace<D> {
    let centres = bodies.map(|body| body.map(|body| scenario.bodies[body].position));
    let beside =
        |centre: Vector<D>, draw: &mut Draw| centre + Vector::from_fn(|_, _| 0.3 * draw.uniform(-1.0, 1.0));
    JointPlace::At(match centres {
        [Some(first), Some(second)] => (first + second) * 0.5,
        [Some(only), None] | [None, Some(only)] => beside(only, draw),
        [None, None] => Vector::zeros(),
    })
}

fn joint<const D: usize>(
    draw: &mut Draw,
    kinds: &[JointKind],
    bodies: [Option<usize>; 2],
    place: JointPlace<D>,
) -> JointSetup<D> {
    let kind = draw.one_of(kinds);
    let mut joint = JointSetup::of(kind, bodies, place);
    let direction = |draw: &mut Draw| {
        let mut axis = Vector::<D>::from_fn(|_, _| draw.uniform(-1.0, 1.0));
        axis[0] += 0.1;
        axis / axis.norm()
    };
    if kind.axes::<D>() > 0 {
        joint.axis = Some(direction(draw));
    }
    if let (2, Some(axis)) = (kind.axes::<D>(), joint.axis) {
        let other = direction(draw);
        let across = other - axis * axis.dot(&other);
        joint.axis2 = Some(across / across.norm());
    }
    if !kind.has_coordinate() {
        return joint;
    }
    if draw.chance(0.4) {
        let room = draw.one_of(&[0.0, 1e-3, 0.1]);
        joint.limits = Some([-room, room + draw.uniform(0.0, 0.5)]);
        joint.restitution = draw.one_of(&[0.0, 0.0, 0.4]);
    }
    if draw.chance(0.3) {
        joint.friction = draw.log_uniform(1e-2, 10.0);
    }
    if draw.chance(0.3) {
        joint.stiffness = draw.log_uniform(0.1, 1e3);
        joint.rest = draw.uniform(-0.2, 0.2);
    }
    if draw.chance(0.3) {
        joint.damping = draw.log_uniform(1e-2, 10.0);
    }
    if draw.chance(0.2) {
        joint.armature = draw.log_uniform(1e-3, 1.0);
    }
    if draw.chance(0.2) {
        let schedule = Schedule::constant(draw.uniform(-0.3, 0.3));
        let mut drive = DriveSetup::by(match draw.below(3) {
            0 => Target::Force(schedule),
            1 => Target::Velocity(schedule),
            _ => Target::Position(schedule),
        });
        if !matches!(drive.target, Target::Force(_)) {
            drive.kv = draw.log_uniform(0.1, 100.0);
            drive.limit = draw.chance(0.5).then(|| draw.log_uniform(0.1, 100.0));
        }
        if matches!(drive.target, Target::Position(_)) {
            drive.kp = draw.log_uniform(0.1, 1000.0);
        }
        joint.drive = Some(drive);
    }
    if joint.kind.second_coordinate().is_some() && draw.chance(0.5) {
        joint.second.start = draw.uniform(-0.5, 0.5);
        let [below, above] = [draw.uniform(0.0, 0.5), draw.uniform(0.0, 0.5)];
        joint.second.limits = Some([joint.second.start - below, joint.second.start + above]);
        let mut drive = DriveSetup::by(Target::Velocity(Schedule::constant(draw.uniform(-0.3, 0.3))));
        drive.kv = draw.log_uniform(0.1, 100.0);
        joint.second.drive = draw.chance(0.5).then_some(drive);
    }
    joint
}

/// What does not hold of the joints of a run.
pub fn faults<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(&'static str, String)> {
    if trajectory.scenario.joints.is_empty() {
        return Vec::new();
    }
    let parted = if keeps_joints(trajectory.stepper) { parted(trajectory) } else { None };
    let made = if keeps_joints(trajectory.stepper) { energy_made(trajectory) } else { None };
    parted.map(|off| ("joints", off)).into_iter().chain(made.map(|off| ("energy", off))).collect()
}

/// Models in which a joint does not give.
fn keeps_joints(name: StepperName) -> bool {
    use StepperName as S;
    matches!(name, S::NLP | S::LCP | S::LCP_ANITESCU | S::CONE)
}

/// A joint whose places on its two bodies are further apart than the turning of the bodies within a step explains.
fn parted<const D: usize>(trajectory: &Trajectory<D>) -> Option<String> {
    use JointKind as K;
    let scenario = &trajectory.scenario;
    let solved = if trajectory.stepper.family() == "cone" { SWEPT } else { SOLVED };
    let has_loop = has_loop(scenario);
    let mut fault = None;
    trajectory.for_each_passage(|passage| {
        if fault.is_some() || passage.step.report.status != StepStatus::Solved {
            return;
        }
        for (index, joint) in scenario.joints.iter().enumerate() {
            if !matches!(joint.kind, K::Hinge | K::Weld | K::Ball | K::Universal) {
                continue;
            }
            let arms = arms(scenario, joint);
            let [before, after] = [0, 1].map(|time| places(joint, &arms, passage, time));
            let off = (after[0] - after[1]).norm();
            let way = (0..2).map(|end| (after[end] - before[end]).norm()).fold(0.0, f64::max);
            let largest = after.iter().map(|place| place.norm()).fold(0.0, f64::max);
            let arcs: f64 = (0..2).map(|end| arc(joint, end, &arms[end], passage, scenario.step)).sum();
            let sag =
                if has_loop { sag(scenario, joint, &arms, passage.joints[index].force.norm()) } else { 0.0 };
            let bound = 2.0 * arcs + solved * (way + 1e-2 * largest) + CARRIED * sag;
            if off.is_nan() || off > bound {
                fault =
                    Some(format!("step {}: joint {index} is off by {off:e} m, not {bound:e}", passage.index));
                return;
            }
        }
    });
    fault
}

/// How far in m the place of a joint gives way under a force in N, where the rows of a loop are short of rank.
fn sag<const D: usize>(
    scenario: &Scenario<D>,
    joint: &JointSetup<D>,
    arms: &[Vector<D>; 2],
    force: f64,
) -> f64 {
    let response = |end: usize| {
        joint.bodies[end].map_or(0.0, |body| {
            let body = &scenario.bodies[body];
            1.0 / body.mass + arms[end].norm_squared() / least_inertia(body)
        })
    };
    COMPLIANCE * (response(0) + response(1)) * force * scenario.step.powi(2)
}

/// The least moment of inertia in kg m^2 that a ball or a box has about an axis through its centre.
fn least_inertia<const D: usize>(body: &Body<D>) -> f64 {
    match &body.shape {
        Shape::Ball { radius } => 0.4 * body.mass * radius.powi(2),
        Shape::Box { size } => {
            let mut squares: Vec<f64> = size.iter().map(|side| side.powi(2)).collect();
            squares.sort_by(f64::total_cmp);
            body.mass * (squares[0] + squares[1]) / 12.0
        }
        other => unreachable!("mechanisms have balls and boxes, and no {other:?}"),
    }
}

/// Whether joints lead from a body, or from the world, back to it.
fn has_loop<const D: usize>(scenario: &Scenario<D>) -> bool {
    let world = scenario.bodies.len();
    let mut pieces: Vec<usize> = (0..=world).collect();
    scenario.joints.iter().any(|joint| {
        let [first, second] = joint.bodies.map(|body| pieces[body.unwrap_or(world)]);
        pieces.iter_mut().filter(|piece| **piece == second).for_each(|piece| *piece = first);
        first == second
    })
}

/// From the centres of its bodies to the place of a joint, in the axes of each; in the world the place itself.
fn arms<const D: usize>(scenario: &Scenario<D>, joint: &JointSetup<D>) -> [Vector<D>; 2] {
    [0, 1].map(|end| match (&joint.place, joint.bodies[end]) {
        (JointPlace::At(point), Some(body)) => {
            let body = &scenario.bodies[body];
            body.orientation.turn_back(&(point - body.position))
        }
        (JointPlace::At(point), None) => *point,
        (JointPlace::Points(points), _) => points[end],
    })
}

/// Where the two bodies of a joint have it, before or after a step.
fn places<const D: usize>(
    joint: &JointSetup<D>,
    arms: &[Vector<D>; 2],
    passage: &Passage<'_, D>,
    time: usize,
) -> [Vector<D>; 2] {
    [0, 1].map(|end| {
        let Some(body) = joint.bodies[end] else { return arms[end] };
        let attitude = passage.attitudes[time].get(body);
        let arm = attitude.map_or(arms[end], |attitude| attitude.orientation.turn(&arms[end]));
        passage.states[time][body].position + arm
    })
}

/// How far the place of a joint leaves the tangent of the arc that it runs on about the centre of a body, in m.
fn arc<const D: usize>(
    joint: &JointSetup<D>,
    end: usize,
    arm: &Vector<D>,
    passage: &Passage<'_, D>,
    dt: f64,
) -> f64 {
    let Some(body) = joint.bodies[end] else { return 0.0 };
    let attitudes = [0, 1].map(|time| passage.attitudes[time].get(body));
    let [Some(before), Some(after)] = attitudes else { return 0.0 };
    let spun = dt * before.spin.norm().max(after.spin.norm());
    before.orientation.angle_to(&after.orientation).max(spun).powi(2) * arm.norm()
}

/// Energy that comes from nowhere: more of it than steps along tangents make, whose error goes by the square of the
/// turning within a step. In an impact it goes by the turning itself: what joints do there is along rows that have turned since
/// the velocities before obeyed them.
fn energy_made<const D: usize>(trajectory: &Trajectory<D>) -> Option<String> {
    let scenario = &trajectory.scenario;
    let mut allowed = 0.0;
    let mut largest = 0.0_f64;
    trajectory.for_each_passage(|passage| {
        let mut turned = 0.0_f64;
        let mut kinetic = 0.0;
        for (index, body) in scenario.bodies.iter().enumerate() {
            let fastest = (0..2).map(|time| passage.states[time][index].velocity.norm()).fold(0.0, f64::max);
            let spins = (0..2).filter_map(|time| passage.attitudes[time].get(index));
            let spin = spins.map(|attitude| attitude.spin.norm()).fold(0.0, f64::max);
            turned = turned.max(scenario.step * spin);
            let speed = fastest + spin * body.reach() + scenario.gravity * scenario.step;
            kinetic += body.mass * speed * speed;
        }
        largest = largest.max(kinetic);
        allowed += kinetic * if passage.step.impact.is_some() { turned } else { turned * turned };
    });
    let made = max_energy_created(trajectory);
    let heights = scenario.bodies.iter().map(|body| body.mass * scenario.gravity * body.position.norm());
    let springs = scenario.joints.iter().map(|joint| 0.5 * joint.stiffness * joint.rest.powi(2));
    let scale = largest + heights.sum::<f64>() + springs.sum::<f64>();
    // Speeds of some 1e-5 m/s are what tolerances leave of bodies at rest.
    let rounding: f64 = scenario.bodies.iter().map(|body| 1e-10 * body.mass).sum();
    let bound = 4.0 * allowed + SWEPT * scale + rounding;
    (made.is_nan() || made > bound)
        .then(|| format!("{made:e} J are made, of {scale:e} J; {bound:e} J may be"))
}
