use std::f64::consts::{PI, TAU};

use crate::{
    model::{State, Vector, closed_form_step},
    scenario::{Body, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, PointInput, PointStepper, StepperName},
};

/// A block on a plane with friction, in units where only `h = mu g dt` matters.
pub(super) fn block(directions: usize) -> Scenario<3> {
    let mut scenario = Scenario::<3>::new("plane");
    scenario.ground.friction = 0.3;
    scenario.steppers.lcp.directions = Some(directions);
    scenario
}

/// Distance of one step of the pyramid from one step of the cone, in units of `h`, for a block that
/// moves at `speed` (in units of `h`) in the direction `angle`. `None` if the step fails.
pub(super) fn one_step_error(
    scenario: &Scenario<3>,
    stepper: &mut dyn PointStepper<3>,
    angle: f64,
    speed: f64,
) -> Option<f64> {
    let (body, dt) = (scenario.point(0), scenario.step);
    let h = body.friction * scenario.gravity * dt;
    let (sin, cos) = angle.sin_cos();
    let state = State {
        position: Vector::<3>::zeros(),
        velocity: Vector::<3>::new(speed * h * cos, speed * h * sin, 0.0),
    };
    let push = Vector::<3>::zeros();
    let step = stepper.step(&PointInput { index: 0, time: 0.0, state, push, dt }).ok()?;
    let exact = closed_form_step(&body, &state, &push, dt).state;
    Some((step.state.velocity - exact.velocity).norm() / h)
}

/// Highest speed of [`largest_error`], in units of `h`.
pub(super) const HIGHEST_SPEED: f64 = 8.0;

/// The largest [`one_step_error`] over directions and speeds up to [`HIGHEST_SPEED`].
pub(super) fn largest_error(directions: usize) -> f64 {
    let scenario = block(directions);
    let Ok(mut stepper) = scenario.point_stepper(StepperName::LCP_POLYHEDRAL) else { return f64::NAN };
    let mut largest = 0.0_f64;
    for i in 0..=200 {
        // Every sector looks like the first one, and its halves are mirror images.
        let angle = PI / directions as f64 * f64::from(i) / 200.0;
        for j in 1..=40 {
            let speed = HIGHEST_SPEED * f64::from(j) / 40.0;
            largest =
                largest.max(one_step_error(&scenario, stepper.as_mut(), angle, speed).unwrap_or(f64::NAN));
        }
    }
    largest
}

/// What [`largest_error`] ought to be. The nearest point of the polygon is the corner as soon as
/// the velocity lies outside the strip over the edge, at the angle `asin(sin(pi/k)/speed)` from the
/// bisector; there the corner's friction is off by the angle that is left.
pub(super) fn largest_error_law(directions: usize) -> f64 {
    let half_sector = PI / directions as f64;
    let from_bisector = (half_sector.sin() / HIGHEST_SPEED).asin();
    2.0 * (0.5 * (half_sector - from_bisector)).sin()
}

/// [`one_step_error`] around the circle, for a block at twice the speed that friction stops.
pub(super) fn errors_by_direction(directions: usize) -> Vec<[f64; 2]> {
    let scenario = block(directions);
    let Ok(mut stepper) = scenario.point_stepper(StepperName::LCP_POLYHEDRAL) else { return Vec::new() };
    let errors = (0..=720).map(|i| {
        let angle = TAU * f64::from(i) / 720.0;
        let error = one_step_error(&scenario, stepper.as_mut(), angle, 2.0);
        [angle.to_degrees(), error.unwrap_or(f64::NAN)]
    });
    errors.collect()
}

/// How far a block slides until it rests, started at 1 m/s in the direction `angle`.
pub(super) fn stop_distance(directions: usize, angle: f64) -> f64 {
    let mut scenario = block(directions);
    scenario.bodies =
        vec![Body { velocity: Vector::<3>::new(angle.cos(), angle.sin(), 0.0), ..Body::default() }];
    scenario.duration = 0.6;
    match scenario.stepper(StepperName::LCP_POLYHEDRAL) {
        Ok(mut stepper) => simulate(&scenario, stepper.as_mut()).final_state(0).position.norm(),
        Err(_) => f64::NAN,
    }
}

/// Largest stop distance over the directions, as a percentage beyond that of the cone.
pub(super) fn largest_overrun(directions: usize) -> f64 {
    let exact = stop_distance_of_the_cone();
    let sector = (0..=30).map(|i| PI / directions as f64 * f64::from(i) / 30.0);
    let longest = sector.map(|angle| stop_distance(directions, angle)).fold(0.0, f64::max);
    100.0 * (longest / exact - 1.0)
}

fn stop_distance_of_the_cone() -> f64 {
    // Along one of its own directions the pyramid is the cone.
    stop_distance(4, 0.0)
}
