//! Which scenarios a formulation admits, found out before anything runs.

use crate::{
    contact::FailureKind,
    model::{PointMass, State, Vector, closed_form_step},
    scenario::Scenario,
    stepper::{PointInput, Refusal, StepError, StepFailure, StepperName},
};

/// Height in m and speed in m/s up to which a point counts as being on the ground, at rest.
const ON_THE_GROUND: f64 = 1e-9;

/// Part of a weight by which rounding can make a push that balances it exceed it.
const ROUNDING: f64 = 1e-14;

/// Refuses a scenario in which the point does not stay on the ground.
pub(super) fn stays_on_the_ground(scenario: &Scenario<2>, stepper: StepperName) -> Result<(), Refusal> {
    let refuse = |reason: String, remedy: &str| Err(Refusal { stepper, reason, remedy: remedy.to_owned() });
    let state = scenario.initial_state(0);
    if state.height() > ON_THE_GROUND {
        return refuse(
            format!("it slides a block on the ground, and the point starts at z = {} m", state.height()),
            "start at z = 0, or use stepper `lcp`",
        );
    }
    if state.velocity[1].abs() > ON_THE_GROUND {
        return refuse(
            format!(
                "it slides a block on the ground, and the point starts with vz = {} m/s",
                state.velocity[1]
            ),
            "start with vz = 0, or use stepper `lcp`",
        );
    }
    let body = scenario.point(0);
    let weight = -body.gravity[1] * body.mass;
    let upward: f64 = scenario.pushes.iter().map(|push| push.range(1).1).sum();
    let most = weight * (1.0 + ROUNDING);
    if upward <= most {
        return Ok(());
    }
    let time = scenario.time();
    match (0..time.steps).find(|&k| scenario.push(0, k)[1] > most) {
        None => Ok(()),
        Some(k) => refuse(
            format!(
                "it slides a block on the ground, and the push of {} N at t = {} s lifts the point, which \
                 weighs {weight} N on the ground",
                scenario.push(0, k)[1],
                time.at(k)
            ),
            "push with less than the weight, or use stepper `lcp`",
        ),
    }
}

/// Refuses a scenario in which the velocity without friction falls below `-h` in some step, where a
/// block that can only move forward would be silently wrong. Follows the closed-form motion.
pub(super) fn moves_forward(scenario: &Scenario<2>, stepper: StepperName) -> Result<(), Refusal> {
    let body = scenario.point(0);
    let mut state = scenario.initial_state(0);
    let pushed_back = scenario.pushes.iter().any(|push| push.range(0).0 < 0.0);
    if state.velocity[0] >= 0.0 && body.gravity[0] >= 0.0 && !pushed_back {
        return Ok(());
    }
    let time = scenario.time();
    for k in 0..time.steps {
        let push = scenario.push(0, k);
        let free = body.free_velocity(&state, &push, time.dt);
        let bound = (-body.friction * free[1]).max(0.0);
        if free[0] < -bound {
            return Err(Refusal {
                stepper,
                reason: format!(
                    "it only moves towards +x, and at t = {} s the velocity without friction, {} m/s, is below \
                     -{bound} m/s, beyond what friction can hold",
                    time.at(k),
                    free[0]
                ),
                remedy: "mirror the scenario, or use stepper `lcp:direct`".to_owned(),
            });
        }
        state = closed_form_step(&body, &state, &push, time.dt).state;
    }
    Ok(())
}

/// Refuses a scenario with motion along the ground.
pub(super) fn moves_only_vertically(scenario: &Scenario<2>, stepper: StepperName) -> Result<(), Refusal> {
    let refuse = |reason: String, remedy: &str| Err(Refusal { stepper, reason, remedy: remedy.to_owned() });
    let velocity = scenario.bodies[0].velocity[0];
    if velocity != 0.0 {
        return refuse(
            format!("it has no horizontal motion, and the point starts with vx = {velocity} m/s"),
            "start with vx = 0, or use stepper `lcp`",
        );
    }
    if let Some(push) = scenario.pushes.iter().find(|push| push.range(0) != (0.0, 0.0)) {
        return refuse(
            format!("it has no horizontal motion, and a push has fx = {} N", push.force[0]),
            "push only vertically, or use stepper `lcp`",
        );
    }
    if scenario.ground.slope != 0.0 {
        return refuse(
            format!(
                "it has no motion along the ground, and the ground slopes by {} degrees",
                scenario.ground.slope
            ),
            "set ground.slope = 0, or use stepper `lcp`",
        );
    }
    if scenario.ground.restitution != 0.0 {
        return refuse(
            format!("it lands without rebound, and ground.restitution is {}", scenario.ground.restitution),
            "set ground.restitution = 0, or use stepper `lcp`",
        );
    }
    Ok(())
}

/// The error of a step from a state that the formulation does not admit.
pub(super) fn inadmissible<const D: usize>(reason: String) -> StepError<D> {
    StepFailure::new(FailureKind::OutOfRange, reason).into()
}

/// The bound `h` on the change of velocity by friction, for a point on the ground; an error if the
/// point is not there, or is lifted off. Of a push that balances the weight rounding may leave a little
/// upwards.
pub(super) fn friction_bound(
    body: &PointMass<2>,
    state: &State<2>,
    free: &Vector<2>,
    input: &PointInput<2>,
) -> Result<f64, StepError<2>> {
    if state.height().abs() > ON_THE_GROUND {
        return Err(inadmissible(format!(
            "the formulation slides a block on the ground, and the point is at z = {} m; use stepper `lcp`",
            state.height()
        )));
    }
    if free[1] > 4.0 * ROUNDING * input.dt * body.gravity[1].abs() {
        return Err(inadmissible(format!(
            "the formulation slides a block on the ground, and a push of {} N lifts it off; use stepper `lcp`",
            input.push[1]
        )));
    }
    Ok((-body.friction * free[1]).max(0.0))
}
