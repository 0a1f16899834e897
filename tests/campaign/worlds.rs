//! Random worlds under every model that admits them.

use std::{collections::BTreeMap, fmt};

use nalgebra::UnitQuaternion;
use stickslip::{
    model::{Orientation, Spin, Vector},
    scenario::{AnyScenario, Body, Push, Rod, Scenario, Shape, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

use crate::{
    budget::{Budget, Draw},
    finds::Finds,
    invariants, linked_worlds, mechanisms, metamorphic,
    shrink::shrunk,
};

/// Steps of a world.
const STEPS: f64 = 40.0;

/// What was looked at.
#[derive(Debug, Default)]
pub struct Tally {
    worlds: usize,
    runs: usize,
    steps: usize,
    /// Runs that ended with a failed step, by stepper.
    failed: BTreeMap<&'static str, usize>,
    halvings: Halvings,
}

/// Errors of `lcp` at the end, against `exact`, with the step as it is and halved, summed over all worlds. That of a
/// single world need not shrink, by where in a step an event happens.
///
/// An error is told in parts of the way that is possible in the time, not of the way gone: a motion that ends within its
/// first step goes no way to speak of, and a few such would count for more than all others.
#[derive(Debug, Default)]
struct Halvings {
    worlds: usize,
    errors: [f64; 2],
}

impl Halvings {
    /// What the sum of errors may shrink to; a first-order method halves it.
    const EXPECTED: std::ops::Range<f64> = 0.45..0.58;
    /// Worlds from which on the sum means something.
    const ENOUGH: usize = 300;

    fn add(&mut self, scenario: &Scenario<2>) {
        // An impact with restitution happens a step late, from which on the motion is another one.
        if scenario.ground.restitution > 0.0 {
            return;
        }
        let body = &scenario.bodies[0];
        let pushed: f64 = scenario.pushes.iter().map(|push| push.force.norm()).sum();
        let time = scenario.duration;
        let way = (body.velocity.norm() + 0.5 * time * (scenario.gravity + pushed / body.mass)) * time;
        if way == 0.0 {
            return;
        }
        let error = |step: f64| {
            let scenario = Scenario { step, ..scenario.clone() };
            let [lcp, exact] = [StepperName::LCP, StepperName::EXACT].map(|name| {
                let trajectory = run(&scenario, name)?;
                (trajectory.ending == Ending::Complete).then(|| trajectory.final_state(0).position)
            });
            let (lcp, exact) = (lcp?, exact?);
            Some((lcp - exact).norm() / way)
        };
        if let (Some(whole), Some(half)) = (error(scenario.step), error(0.5 * scenario.step)) {
            self.worlds += 1;
            self.errors[0] += whole;
            self.errors[1] += half;
        }
    }

    fn fault(&self) -> Option<String> {
        let [whole, half] = self.errors;
        let is_expected = self.worlds < Self::ENOUGH || Self::EXPECTED.contains(&(half / whole));
        (!is_expected).then(|| format!("the errors of {} worlds go from {whole} to {half}", self.worlds))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            worlds,
            runs,
            steps,
            failed,
            halvings: Halvings { worlds: halved, errors: [whole, half] },
        } = self;
        write!(
            f,
            "{worlds} worlds, {runs} runs of {steps} steps; ended by a failed step: {failed:?}; halving the step takes the \
             errors of lcp in {halved} worlds to {:.2}",
            half / whole
        )
    }
}

pub fn campaign(budget: &Budget, finds: &mut Finds) -> Tally {
    let mut tally = Tally::default();
    for (round, mut draw) in budget.draws() {
        tally.worlds += 1;
        match round % 8 {
            0 => {
                let scenario = point_in_plane(&mut draw);
                tally.halvings.add(&scenario);
                look(&scenario, finds, &mut tally);
            }
            1 => look(&point_over_plane(&mut draw), finds, &mut tally),
            2 => look(&bodies_in_plane(&mut draw), finds, &mut tally),
            3 => look(&bodies_in_space(&mut draw), finds, &mut tally),
            4 => look(&linked_worlds::in_plane(&mut draw), finds, &mut tally),
            5 => look(&linked_worlds::in_space(&mut draw), finds, &mut tally),
            6 => look(&mechanisms::in_plane(&mut draw), finds, &mut tally),
            _ => look(&mechanisms::in_space(&mut draw), finds, &mut tally),
        }
    }
    if let Some(fault) = tally.halvings.fault() {
        finds.add("halving the step", "txt", &fault, fault.as_bytes());
    }
    tally
}

/// The faults of a world that a find holds.
pub fn look_again(text: &str) -> Vec<String> {
    fn under_every_model<const D: usize>(scenario: &Scenario<D>) -> Vec<String>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let names = StepperName::ALL.into_iter().flat_map(|name| {
            faults(scenario, name).into_iter().map(move |(fault, what)| format!("{name}: {fault}: {what}"))
        });
        names.collect()
    }
    match parse_scenario("find.toml", text, &[]).expect("the file of a world") {
        AnyScenario::InPlane(scenario) => under_every_model(&scenario),
        AnyScenario::OverPlane(scenario) => under_every_model(&scenario),
    }
}

fn look<const D: usize>(scenario: &Scenario<D>, finds: &mut Finds, tally: &mut Tally)
where
    Scenario<D>: BuildStepper<D>,
{
    assert_eq!(scenario.check(), Ok(()), "a world is valid:\n{}", scenario.to_toml());
    for name in StepperName::ALL {
        let Some(trajectory) = run(scenario, name) else { continue };
        tally.runs += 1;
        tally.steps += trajectory.steps.len();
        if trajectory.ending == Ending::Failed {
            *tally.failed.entry(name.as_str()).or_default() += 1;
        }
        for (fault, _) in faults_of(&trajectory) {
            let kind = format!("{name} {fault}");
            if !finds.wants(&kind) {
                finds.add(&kind, "toml", "", &[]);
                continue;
            }
            let shows = |scenario: &Scenario<D>| {
                faults(scenario, name).into_iter().find(|(known, _)| *known == fault)
            };
            let small = shrunk(scenario.clone(), |scenario| shows(scenario).is_some());
            let (_, what) = shows(&small).unwrap_or((fault, "gone after a second look".to_owned()));
            let text = format!("# {name}: {fault}: {what}\n{}", small.to_toml());
            finds.add(&kind, "toml", &what, text.as_bytes());
        }
    }
}

/// What does not hold of a scenario under a model; nothing where the model refuses it.
fn faults<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    run(scenario, name).map(|trajectory| faults_of(&trajectory)).unwrap_or_default()
}

fn faults_of<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut faults = invariants::faults(trajectory);
    if trajectory.ending == Ending::Failed {
        // A model whose steps always have a solution; one solution, where there is a single point.
        let always_solves = matches!(trajectory.stepper, StepperName::NLP | StepperName::LCP);
        let has_solution = always_solves && !may_jam(&trajectory.scenario);
        let reason = trajectory.first_failure.as_ref().map(|failure| failure.error.to_string());
        if has_solution || reason.as_ref().is_none_or(|reason| reason.is_empty()) {
            faults.push(("unsolved", reason.unwrap_or_default()));
        }
        return faults;
    }
    faults.extend(metamorphic::faults(trajectory));
    faults
}

/// Whether friction may take bodies where there is no room: a conveyor that carries one against a wall or on a rod, a
/// rod to what is fixed that presses one on the ground, or one both of whose ends are thrown at what is fixed. Such a step has
/// no solution, or several.
pub fn may_jam<const D: usize>(scenario: &Scenario<D>) -> bool {
    let moves = scenario.walls.iter().any(|wall| wall.velocity != [0.0; 2]);
    let is_held = |rod: &Rod<D>| rod.ends.bodies.iter().any(|body| scenario.bodies[*body].fixed);
    // A spring of 6e5 N/m throws a box at a fixed disc, and with it the point at the other end of its rod: with a friction
    // of 1 neither nlp nor lcp nor cone finds a step, in which forces are 3e7 N.
    let is_thrown = !scenario.rods.is_empty()
        && !scenario.springs.is_empty()
        && scenario.bodies.iter().any(|body| body.fixed);
    // So do joints, whose loops and stops leave as little room.
    moves || is_thrown || !scenario.joints.is_empty() || scenario.rods.iter().any(is_held)
}

pub fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Option<Trajectory<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).ok()?;
    Some(simulate(scenario, stepper.as_mut()))
}

/// Gravity, ground and time of any world.
pub fn world<const D: usize>(draw: &mut Draw) -> Scenario<D> {
    let mut scenario = Scenario::new("world");
    scenario.step = draw.one_of(&[1e-4, 1e-3, 2e-3, 1e-2]);
    scenario.duration = STEPS * scenario.step;
    scenario.gravity = draw.one_of(&[9.81, 9.81, 9.81, 1.62, 0.0]);
    scenario.ground.friction = draw.one_of(&[0.0, 0.1, 0.4, 0.8, 1.5]);
    if draw.chance(0.5) {
        scenario.ground.friction = draw.uniform(0.0, 2.0);
    }
    scenario
}

/// Pushes one of the bodies now and then, in any direction.
pub fn push_a_body<const D: usize>(draw: &mut Draw, scenario: &mut Scenario<D>) {
    if draw.chance(0.3) {
        let body = draw.below(scenario.bodies.len());
        let mass = scenario.bodies[body].mass;
        let mut push = Push { body: Some(body), ..Push::constant([0.0; D]) };
        push.force = Vector::from_fn(|_, _| mass * draw.uniform(-12.0, 12.0));
        scenario.pushes.push(push);
    }
}

/// A point near the ground: resting, sliding, landing or flying, pushed or not.
fn point<const D: usize>(draw: &mut Draw) -> Scenario<D> {
    let mut scenario = world::<D>(draw);
    let mass = draw.log_uniform(1e-2, 1e3);
    let speed = draw.one_of(&[0.0, 1e-3, 0.1, 3.0, 30.0]);
    let mut body = Body::point(mass, [0.0; D], [0.0; D]);
    for axis in 0..D {
        body.velocity[axis] = speed * draw.uniform(-1.0, 1.0);
    }
    if draw.chance(0.5) {
        body.position[D - 1] = draw.log_uniform(1e-6, 1.0);
    } else if draw.chance(0.7) {
        body.velocity[D - 1] = 0.0;
    }
    scenario.bodies = vec![body];
    if draw.chance(0.3) {
        scenario.ground.restitution = draw.uniform(0.0, 1.0);
    }
    if draw.chance(0.2) {
        scenario.ground.slope = draw.uniform(-25.0, 25.0);
    }
    for _ in 0..draw.below(3) {
        let mut push = Push::constant([0.0; D]);
        for axis in 0..D {
            push.force[axis] = mass * draw.uniform(-12.0, 12.0);
        }
        if draw.chance(0.4) {
            push.frequency = Some(draw.uniform(0.5, 0.2 / scenario.step));
            push.phase = draw.uniform(0.0, 6.0);
        }
        if draw.chance(0.3) {
            push.from = Some(draw.uniform(0.0, 0.5) * scenario.duration);
            push.to = Some(draw.uniform(0.5, 1.5) * scenario.duration);
        }
        scenario.pushes.push(push);
    }
    scenario
}

fn point_in_plane(draw: &mut Draw) -> Scenario<2> {
    point(draw)
}

fn point_over_plane(draw: &mut Draw) -> Scenario<3> {
    let mut scenario = point(draw);
    scenario.ground.slope = 0.0;
    scenario
}

/// Up to four bodies side by side or on each other.
fn bodies_in_plane(draw: &mut Draw) -> Scenario<2> {
    let mut scenario = world::<2>(draw);
    scenario.gravity = 9.81;
    scenario.ground.restitution = draw.one_of(&[0.0, 0.0, 0.5]);
    let count = 1 + draw.below(4);
    let stacked = draw.chance(0.4);
    let speed = draw.one_of(&[0.0, 0.05, 2.0]);
    let mut height = 0.0;
    scenario.bodies = (0..count)
        .map(|index| {
            let size = draw.uniform(0.1, 0.6);
            let (shape, half) = match draw.below(3) {
                0 => (Shape::Ball { radius: size }, size),
                1 => (Shape::Rod { length: 2.0 * size }, 0.0),
                _ => (Shape::Box { size: [2.0 * size, size].into() }, 0.5 * size),
            };
            let gap = if draw.chance(0.5) { 0.0 } else { draw.uniform(0.0, 0.2) };
            let place = match stacked {
                true => [draw.uniform(-0.05, 0.05), height + half + gap],
                false => [1.5 * index as f64, half + gap],
            };
            height += 2.0 * half + gap;
            let mut body = Body::point(draw.log_uniform(0.1, 100.0), place, [0.0; 2]);
            body.shape = shape;
            body.velocity = [speed * draw.uniform(-1.0, 1.0), speed * draw.uniform(-1.0, 0.3)].into();
            if gap > 0.0 && !stacked {
                body.orientation = Orientation::Angle(draw.uniform(-0.2, 0.2));
                body.position[1] += 2.0 * size;
                body.spin = Spin::new(speed * draw.uniform(-3.0, 3.0), 0.0, 0.0);
            }
            body
        })
        .collect();
    if draw.chance(0.3) {
        let body = draw.below(count);
        let mass = scenario.bodies[body].mass;
        let force = [mass * draw.uniform(-12.0, 12.0), mass * draw.uniform(-5.0, 12.0)];
        scenario.pushes.push(Push { body: Some(body), ..Push::constant(force) });
    }
    scenario
}

/// Up to three bodies side by side, a little turned where they fly.
fn bodies_in_space(draw: &mut Draw) -> Scenario<3> {
    let mut scenario = world::<3>(draw);
    scenario.gravity = 9.81;
    scenario.ground.restitution = draw.one_of(&[0.0, 0.0, 0.5]);
    let count = 1 + draw.below(3);
    let speed = draw.one_of(&[0.0, 0.05, 2.0]);
    scenario.bodies = (0..count)
        .map(|index| {
            let size = draw.uniform(0.1, 0.5);
            let shape = match draw.below(3) {
                0 => Shape::Ball { radius: size },
                1 => Shape::Box { size: [2.0 * size, size, size].into() },
                _ => Shape::Hull {
                    vertices: [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
                        .map(|corner| Vector::<3>::from(corner) * size)
                        .to_vec(),
                },
            };
            let flies = draw.chance(0.6) || matches!(shape, Shape::Hull { .. });
            let mut body =
                Body::point(draw.log_uniform(0.1, 100.0), [2.0 * index as f64, 0.0, 0.0], [0.0; 3]);
            body.velocity = [0, 1, 2].map(|_| speed * draw.uniform(-1.0, 1.0)).into();
            body.position[2] = match shape {
                Shape::Box { .. } => 0.5 * size,
                _ => size,
            };
            body.shape = shape;
            if flies {
                let turn = [0, 1, 2].map(|_| draw.uniform(-0.5, 0.5));
                body.orientation = Orientation::Quaternion(UnitQuaternion::new(Vector::<3>::from(turn)));
                body.spin = [0, 1, 2].map(|_| speed * draw.uniform(-3.0, 3.0)).into();
                body.position[2] = body.reach() + draw.one_of(&[0.0, 0.01, 0.1]);
            } else {
                body.velocity[2] = 0.0;
            }
            body
        })
        .collect();
    push_a_body(draw, &mut scenario);
    scenario
}
