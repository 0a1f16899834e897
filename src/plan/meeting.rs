//! Contacts that the simulator finds on the way of a step.
//!
//! Where more than one axis may part two bodies, as a disc near the end of a face, the simulator takes normal, point and gap of
//! their contact from where they meet on the way that the step takes without it, and not from the start of the step: the normal
//! of a box that turns is another one there. On which way they meet is known once the step is taken. So the steps of a plan are
//! taken one by one, each from the state that the plan has, and the plan is solved again with the contacts that they find, until
//! they find the same ones. Every pass leaves about a tenth of the change of the pass before.

use super::{
    candidates::Candidate,
    found::FoundPlan,
    program::Program,
    relaxation::{self, Beginning, Point},
    state::set_start,
    step_rows::Way,
};
use crate::{
    contact::Solution,
    model::{Spin, Vector},
    nlp::IpoptError,
    scenario::{Partner, Scenario},
    stepper::{Choice, Choose, StepperName, planar_scene},
    watch::Watch,
    world::{Motion, StepProblem, TimeStepper, Touch, planar},
};

/// Solves at most.
const PASSES: usize = 12;

/// A change of the ways, in units of the plan or rad, that is none.
const SAME: f64 = 1e-8;

/// The sine of the angle between two normals that are one.
const SAME_NORMAL: f64 = 1e-9;

/// How a plan is solved again with contacts that are new to it, and where it is not, so closely that it stays the plan that it is:
/// from further away solves end now at one of two plans and now at the other, whose contacts are not the same.
const BEGINNINGS: [Beginning; 2] = [
    Beginning { barrier: 1e-4, push: 1e-5, warm: true, exact: false },
    Beginning { barrier: 1e-7, push: 1e-8, warm: true, exact: false },
];

/// Passes in which contacts are new.
const NEW: usize = 2;

/// Solves `program` again from `point` until its steps have the contacts that the simulator finds, and gives the iterations of
/// IPOPT; where that comes to no end, both are as they were.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn meet(program: &mut Program, point: &mut Point, watch: &Watch<'_>) -> Result<u32, IpoptError> {
    let mut iterations = 0;
    if program.rows.candidates.iter().all(|candidate| candidate.second_body().is_none()) {
        return Ok(iterations);
    }
    let (mut own, mut at) = (program.clone(), point.clone());
    for pass in 0..=PASSES {
        let Some(ways) = ways(&own, &FoundPlan::of(&own, &at.x)) else { break };
        if largest_change(&own, &ways) <= SAME {
            (*program, *point) = (own, at);
            break;
        }
        if pass == PASSES || watch.flow().is_break() {
            break;
        }
        own.set_ways(ways);
        own.relaxation = relaxation::LAST;
        let [far, close] = BEGINNINGS;
        let mut solution = relaxation::solve(&own, &at, if pass < NEW { far } else { close }, watch)?;
        iterations += solution.iterations;
        if pass >= NEW && !relaxation::is_plan(&solution) {
            solution = relaxation::solve(&own, &at, far, watch)?;
            iterations += solution.iterations;
        }
        if !relaxation::is_plan(&solution) {
            break;
        }
        at = Point { x: solution.x, multipliers: solution.multipliers };
    }
    Ok(iterations)
}

/// The largest change of the ways of `program`, in units or rad.
fn largest_change(program: &Program, ways: &[Vec<Way>]) -> f64 {
    let length = program.rows.units.length;
    let pairs = program.ways().flatten().flatten().zip(ways.iter().flatten().flatten());
    let change = |(old, new): (&[f64; 3], &[f64; 3])| {
        (0..3)
            .map(|axis| (new[axis] - old[axis]).abs() / if axis < 2 { length } else { 1.0 })
            .fold(0.0, f64::max)
    };
    pairs.map(change).fold(0.0, f64::max)
}

/// The ways on which `lcp` finds the contacts of every step of a plan; nothing where it takes no such steps.
fn ways(program: &Program, plan: &FoundPlan) -> Option<Vec<Vec<Way>>> {
    let candidates = &program.rows.candidates;
    let scenario = plan.scenario();
    let Choice { model, impacts, .. } = Choice::<2, 3>::of(&scenario, StepperName::LCP).ok()?;
    let world = planar_scene(&scenario, StepperName::LCP).ok()?;
    let mut stepper = TimeStepper::new(model, impacts);
    let of_step = |k: usize| {
        let nothing = vec![Way::default(); candidates.len()];
        let (mut motion, wrenches) = start(&scenario, plan, k);
        if stepper.step(&world, &mut motion, &wrenches, scenario.step).is_err() {
            return nothing;
        }
        let (problem, solution) = (stepper.problem(), stepper.solution());
        let own = candidates.iter().map(|candidate| {
            way(candidate, &plan.states[k], (problem, solution), scenario.step).unwrap_or_default()
        });
        own.collect()
    };
    Some((0..plan.task.steps).map(of_step).collect())
}

/// The bodies at the start of step `k` of a plan, and what pushes them.
fn start(
    scenario: &Scenario<2>,
    plan: &FoundPlan,
    k: usize,
) -> (Motion<planar::Pose, 3>, Vec<planar::Twist>) {
    let states = &plan.states[k];
    let pose = |[x, z, angle, ..]: &[f64; 6]| planar::Pose { position: [*x, *z].into(), angle: *angle };
    let twist = |[.., vx, vz, spin]: &[f64; 6]| planar::Twist::new(*vx, *vz, *spin);
    let motion =
        Motion { poses: states.iter().map(pose).collect(), velocities: states.iter().map(twist).collect() };
    let attitudes: Vec<_> = scenario
        .bodies
        .iter()
        .zip(states)
        .map(|(body, state)| {
            let mut body = body.clone();
            set_start(&mut body, *state);
            body.attitude()
        })
        .collect();
    let mut forces = vec![Vector::zeros(); states.len()];
    let mut torques = vec![Spin::zeros(); states.len()];
    scenario.loads_at(k, &attitudes, &mut forces, &mut torques);
    let loads = forces.iter().zip(&torques);
    (motion, loads.map(|(force, torque)| planar::Twist::new(force[0], force[1], torque[0])).collect())
}

/// On which way the contact of a candidate was found that carries most; nothing where it is that of the start, or another one
/// than that of the candidate.
fn way(
    candidate: &Candidate,
    states: &[[f64; 6]],
    (problem, solution): (&StepProblem<2, 3>, &Solution<2, 3>),
    dt: f64,
) -> Option<Way> {
    let second = candidate.second_body()?;
    let ends = [candidate.first, second];
    let is_own = |touch: &Touch<2, 3>| {
        let Partner::Body(other) = touch.second else { return false };
        [touch.first, other] == ends || [other, touch.first] == ends
    };
    let touches = problem.touches.iter().zip(&solution.impulses).filter(|(touch, _)| is_own(touch));
    let (touch, _) = touches.max_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]))?;
    let place = touch.on_way?;
    let mut way = place.velocities.map(|twist| [0, 1, 2].map(|axis| place.share * dt * twist[axis]));
    if touch.first != candidate.first {
        way.reverse();
    }
    let [first, other] = [0, 1].map(|end| [0, 1, 2].map(|axis| states[ends[end]][axis] + way[end][axis]));
    let [x, z, _] = candidate.at(first, other).rows[0][0];
    let sine = x * touch.normal[1] - z * touch.normal[0];
    (sine.abs() <= SAME_NORMAL).then_some(way)
}
