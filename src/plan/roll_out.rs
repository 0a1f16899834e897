//! The simulator's own steps under the pushes of a plan, as a point of the program.

use nalgebra::Vector2;

use super::{
    candidates::Geometry,
    found::FoundPlan,
    program::Program,
    pushed::Pushed,
    replay::why_it_ended,
    starts::{put, settle},
    state::components,
};
use crate::{
    nlp::sparse::SparseNlp,
    scenario::{Partner, Scenario},
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
    watch::Watch,
};

/// Slips below this, in units, stick.
const STUCK: f64 = 1e-9;

/// The motion by `lcp` of the pushes of `plan` at the step of `program`, as its variables.
///
/// # Errors
/// Why the simulator does not get through: which step failed, when and for what reason, or that the watch said to stop.
pub fn roll_out(program: &Program, plan: &FoundPlan, watch: &Watch<'_>) -> Result<Vec<f64>, String> {
    motion(program, &plan.pushed(), watch)
}

/// The same of pushes that are no plan.
pub(super) fn motion(program: &Program, plan: &Pushed<'_>, watch: &Watch<'_>) -> Result<Vec<f64>, String> {
    let parts = program.task.steps / plan.task.steps;
    let scenario = plan.scenario_in_steps(parts);
    // Pushes that are given may be more than a scenario takes; where one is, all may be, and the first says it for all.
    if let Some(violation) = scenario.check().err().and_then(|violations| violations.into_iter().next()) {
        return Err(violation.to_string());
    }
    let mut stepper = scenario.stepper(StepperName::LCP).map_err(|refusal| refusal.to_string())?;
    let trajectory = simulate_observed(&scenario, stepper.as_mut(), OnFailure::Stop, |_| watch.flow());
    if trajectory.ending != Ending::Complete {
        return Err(why_it_ended(&trajectory));
    }
    Ok(point(program, plan, parts, &scenario, &trajectory))
}

fn point(
    program: &Program,
    plan: &Pushed<'_>,
    parts: usize,
    scenario: &Scenario<2>,
    trajectory: &Trajectory<2>,
) -> Vec<f64> {
    let rows = &program.rows;
    let layout = rows.layout().clone();
    let mut x = vec![0.0; program.variables()];
    for k in 0..program.task.steps {
        let mut local = program.local(k, &x);
        local[layout.duration] = plan.duration;
        let pushes = &plan.pushes[k / parts];
        for (control, push) in pushes.iter().enumerate() {
            for part in 0..3 {
                local[layout.push + 3 * control + part] = push[part] / rows.units.of_push(part);
            }
        }
        let mut place_before = vec![[0.0; 3]; scenario.bodies.len()];
        for (body, place) in place_before.iter_mut().enumerate() {
            let motion = &trajectory.bodies[body];
            let at = |k: usize| components(&motion.states[k], motion.attitudes.get(k));
            let (before, after) = (at(k), at(k + 1));
            *place = [before[0], before[1], before[2]];
            for (axis, freedom) in rows.freedoms(body).enumerate() {
                let scaled = |state: &[f64; 6], component: usize| {
                    state[component] / rows.units.of_component(component)
                };
                if k == 0 {
                    local[layout.place + freedom] = scaled(&before, axis);
                    local[layout.velocity + freedom] = scaled(&before, axis + 3);
                }
                local[layout.place_after + freedom] = scaled(&after, axis);
                local[layout.velocity_after + freedom] = scaled(&after, axis + 3);
            }
        }
        let ends = rows.velocities(&local[layout.velocity_after..layout.velocity_after + layout.freedom]);
        let h = plan.duration / program.task.steps as f64;
        for (at, candidate) in layout.contacts.iter().zip(&rows.candidates) {
            let first = place_before[candidate.first];
            let second = candidate.second_body().map_or([0.0; 3], |body| place_before[body]);
            let met = candidate.at(first, second);
            let mut speeds = [0.0, met.belt];
            for (side, body) in [Some(candidate.first), candidate.second_body()].into_iter().enumerate() {
                let Some(body) = body else { continue };
                for (axis, freedom) in rows.freedoms(body).enumerate() {
                    for (speed, row) in speeds.iter_mut().zip(&met.rows) {
                        *speed += row[side][axis] * ends[freedom];
                    }
                }
            }
            let normal = [met.rows[0][0][0], met.rows[0][0][1]];
            let touch = place(&candidate.geometry, first, normal);
            let [load, friction] = forces(trajectory, k, (candidate.first, candidate.second), touch, normal);
            local[*at] = (load / rows.units.force).max(0.0);
            local[at + 1] = ((met.gap + h * speeds[0]) / rows.units.length).max(0.0);
            if candidate.friction > 0.0 {
                let slip = speeds[1] / rows.units.velocity;
                let limit = candidate.friction * load;
                local[at + 2] = match (limit > 0.0, slip.abs() > STUCK) {
                    (true, _) => (friction / limit).clamp(-1.0, 1.0),
                    (false, true) => -slip.signum(),
                    (false, false) => 0.0,
                };
                local[at + 3] = slip.max(0.0);
                local[at + 4] = (-slip).max(0.0);
            }
        }
        put(program, k, &local, &mut x);
    }
    settle(program, &mut x);
    x
}

/// Where a candidate touches, to tell the corners of a body apart.
fn place(geometry: &Geometry, first: [f64; 3], normal: [f64; 2]) -> Vector2<f64> {
    let (arm, radius) = match geometry {
        Geometry::Plane { arm, radius, .. } => ([arm.x, arm.y], *radius),
        Geometry::Face { radius, .. } => ([0.0; 2], *radius),
        Geometry::Discs { radii } => ([0.0; 2], radii[0]),
    };
    let arm = super::candidates::turn(first[2], arm);
    Vector2::new(first[0] + arm[0] - radius * normal[0], first[1] + arm[1] - radius * normal[1])
}

/// Normal force and friction in N of a contact in a step of a run.
fn forces(
    trajectory: &Trajectory<2>,
    k: usize,
    (first, second): (usize, Partner),
    touch: Vector2<f64>,
    normal: [f64; 2],
) -> [f64; 2] {
    let parts = |force: Vector2<f64>| {
        [force.x * normal[0] + force.y * normal[1], force.x * normal[1] - force.y * normal[0]]
    };
    if trajectory.contacts.is_empty() {
        // Of a point on the ground alone the contacts need no telling apart.
        let is_ground = second == Partner::Ground;
        return if is_ground { parts(trajectory.bodies[first].steps[k].force) } else { [0.0; 2] };
    }
    let away = |contact: &crate::stepper::Contact<2>| (contact.point - touch).norm();
    let pair = |contact: &&crate::stepper::Contact<2>| {
        let is_same = contact.first == first && contact.second == second;
        is_same || (contact.second == Partner::Body(first) && second == Partner::Body(contact.first))
    };
    let nearest =
        trajectory.contacts.of_step(k).iter().filter(pair).min_by(|a, b| away(a).total_cmp(&away(b)));
    match nearest {
        // Corners of a body are further apart than rounding.
        Some(contact) if away(contact) < 1e-6 + contact.gap.abs() => {
            let along = contact.normal[0] * normal[0] + contact.normal[1] * normal[1];
            parts(if along < 0.0 { -contact.force } else { contact.force })
        }
        _ => [0.0; 2],
    }
}
