//! Inclined ground, for every stepper: held below the angle of friction, sliding down beyond it.

use stickslip::{
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

use crate::{GRAVITY, assert_close, point, run};

const FRICTION: f64 = 0.3;

/// At rest on ground inclined by `slope` degrees; x points downhill.
fn inclined<const D: usize>(slope: f64) -> Scenario<D> {
    let mut scenario = point([0.0; D], [0.0; D], 0.5);
    scenario.ground.friction = FRICTION;
    scenario.ground.slope = slope;
    scenario
}

/// How far the stepper may be off rest, and off the closed form of sliding, in m and m/s.
fn tolerances(name: StepperName) -> (f64, f64) {
    match name {
        // It falls into its layer of springs first, and its friction creeps.
        StepperName::SMOOTH => (2e-3, 0.03),
        // It moves by g dt^2 before it sinks in, creeps at sigma w F dt, and hops off the layer on which it glides.
        StepperName::CONVEX => (5e-6, 0.06),
        // Its smoothed friction lets it creep.
        StepperName::NLP_SEED => (1e-3, 2e-3),
        _ => (1e-8, 2e-3),
    }
}

/// Steppers that are known not to get through, and why.
fn excused(name: StepperName) -> Option<&'static str> {
    match name {
        StepperName::LCP_FALLING_BLOCK => Some("the ground slopes by"),
        StepperName::LCP_DIRECT2 => Some("the formulation is infeasible"),
        StepperName::NLP_SEED => Some("the published program was not solved"),
        _ => None,
    }
}

/// The run of every stepper that admits the dimension; the others have to say why they fail.
fn every_run<const D: usize>(scenario: &Scenario<D>) -> Vec<(StepperName, Trajectory<D>)>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut runs = Vec::new();
    for name in StepperName::ALL {
        let told = match scenario.stepper(name) {
            Err(refusal) => refusal.to_string(),
            Ok(mut stepper) => {
                let trajectory = simulate(scenario, stepper.as_mut());
                match (&trajectory.first_failure, trajectory.ending) {
                    (None, Ending::Complete) => {
                        runs.push((name, trajectory));
                        continue;
                    }
                    (failure, _) => format!("{failure:?}"),
                }
            }
        };
        let wrong_dimension = told.contains("two coordinates") || told.contains("three coordinates");
        let known = excused(name).is_some_and(|reason| told.contains(reason));
        assert!(wrong_dimension || known, "{name}: {told}");
    }
    runs
}

fn assert_holds<const D: usize>(expected_runs: usize)
where
    Scenario<D>: BuildStepper<D>,
{
    let runs = every_run(&inclined::<D>(15.0));
    for (name, trajectory) in &runs {
        let end = trajectory.final_state(0).position;
        let moved = (end - trajectory.bodies[0].states[0].position).as_slice()[..D - 1]
            .iter()
            .map(|x| x.abs())
            .sum::<f64>();
        assert!(moved <= tolerances(*name).0, "{name} moved by {moved} m");
    }
    assert!(runs.len() >= expected_runs, "{:?}", runs.iter().map(|(name, _)| name).collect::<Vec<_>>());
}

fn assert_slides<const D: usize>(expected_runs: usize)
where
    Scenario<D>: BuildStepper<D>,
{
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let speed = 0.5 * GRAVITY * (sin - FRICTION * cos);
    let runs = every_run(&inclined::<D>(30.0));
    for (name, trajectory) in &runs {
        let end = trajectory.final_state(0);
        let tolerance = tolerances(*name).1;
        assert_close(end.velocity[0], speed, tolerance, &format!("vx of {name}"));
        assert_close(end.position[0], 0.25 * speed, tolerance, &format!("x of {name}"));
        assert!(end.position.as_slice()[1..D - 1].iter().all(|y| y.abs() < 1e-9), "{name} turns aside");
    }
    assert!(runs.len() >= expected_runs, "{:?}", runs.iter().map(|(name, _)| name).collect::<Vec<_>>());
}

#[test]
fn below_the_angle_of_friction_every_stepper_holds() {
    assert_holds::<2>(12);
    assert_holds::<3>(7);
}

#[test]
fn beyond_the_angle_of_friction_every_stepper_slides_down() {
    assert_slides::<2>(12);
    assert_slides::<3>(7);
}

#[test]
fn the_other_way_round_is_the_mirror_image() {
    for name in [StepperName::CONVEX, StepperName::HYBRID, StepperName::SMOOTH, StepperName::EXACT] {
        let right = run(&inclined::<2>(30.0), name).final_state(0);
        let left = run(&inclined::<2>(-30.0), name).final_state(0);
        assert_close(left.position[0], -right.position[0], 1e-12, name.as_str());
        assert_close(left.position[1], right.position[1], 1e-12, name.as_str());
    }
}
