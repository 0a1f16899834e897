use stickslip::{
    metrics::max_error,
    scenario::{Push, Scenario, SmoothLaw},
    simulate::simulate,
    stepper::{BuildStepper, NormalForce, StepperName},
    trajectory::Ending,
};

use crate::{assert_close, point, run, with_hunt_crossley, with_original};

const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

fn refusal(scenario: &Scenario<2>) -> String {
    match scenario.stepper(SMOOTH) {
        Ok(_) => panic!("not refused"),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn original_parameters_rest_at_13_3_mm() {
    let trajectory = run(&with_original(point([0.0, 1.0], [1.0, 0.0], 3.0)), SMOOTH);
    assert_close(trajectory.final_state(0).position[1], 0.0133, 5e-5, "rest height");
}

#[test]
fn hunt_crossley_sinks_as_deep_for_every_mass() {
    for mass in [1e-3, 1.0, 1e4] {
        let mut scenario = with_hunt_crossley(point([0.0, 0.1], [0.0, 0.0], 2.0));
        scenario.bodies[0].mass = mass;
        assert_close(run(&scenario, SMOOTH).final_state(0).position[1], -2e-3, 1e-6, "rest depth");
    }
}

#[test]
fn friction_acts_on_both_signs_of_the_velocity() {
    for velocity in [0.5, -0.5] {
        let trajectory = run(&with_original(point([0.0, 0.0133], [velocity, 0.0], 1.0)), SMOOTH);
        assert_eq!(trajectory.final_state(0).velocity[0], 0.0);
        assert_close(trajectory.final_state(0).position[0], velocity * 0.25 / 0.981, 0.01, "way to rest");
    }
}

#[test]
fn sticking_push_does_not_creep() {
    let mut scenario = with_original(point([0.0, 0.0133], [0.0, 0.0], 1.0));
    scenario.pushes = vec![Push::constant([0.9 * 9.81, 0.0])];
    assert_close(run(&scenario, SMOOTH).final_state(0).position[0], 0.0, 1e-6, "x");
}

#[test]
fn lifts_off_without_sticking_to_the_ground() {
    let mut scenario = with_original(point([0.0, 0.0133], [0.0, 0.0], 0.5));
    scenario.pushes = vec![Push::constant([0.0, 2.0 * 98.1])];
    let trajectory = run(&scenario, SMOOTH);
    assert_close(trajectory.final_state(0).position[1], 0.0133 + 0.5 * 9.81 * 0.25, 0.02, "height");
    assert!(trajectory.bodies[0].steps.iter().all(|step| step.force[1] >= 0.0), "the ground pulls");
}

#[test]
fn too_long_a_step_is_refused_with_the_bound() {
    let mut scenario = with_original(point([0.0, 1.0], [1.0, 0.0], 1.2));
    scenario.step = 5e-3;
    let message = refusal(&scenario);
    assert!(message.contains("0.005 s") && message.contains("1.269e-3 s"), "{message}");
    scenario.step = 1.25e-3;
    run(&scenario, SMOOTH);
}

#[test]
fn light_point_is_refused_with_the_original_parameters() {
    let mut scenario = with_original(point([0.0, 1.0], [1.0, 0.0], 1.2));
    scenario.bodies[0].mass = 0.1;
    assert!(refusal(&scenario).contains("0.1 kg"));
    run(&with_hunt_crossley(scenario), SMOOTH);
}

#[test]
fn point_too_heavy_for_the_force_is_refused() {
    let mut scenario = with_original(point([0.0, 1.0], [1.0, 0.0], 1.2));
    scenario.bodies[0].mass = 200.0;
    let message = refusal(&scenario);
    assert!(message.contains("at most 1500 N") && message.contains("amplitude"), "{message}");
}

#[test]
fn steps_up_to_the_bound_are_stable() {
    for law in [
        SmoothLaw::TANH,
        SmoothLaw::Tanh { amplitude: 1e4, sharpness: 1e3, damping: 0.01 },
        SmoothLaw::Tanh { amplitude: 300.0, sharpness: 50.0, damping: 0.0 },
        SmoothLaw::HuntCrossley { stiffness: None, damping: None },
        SmoothLaw::HuntCrossley { stiffness: Some(1e6), damping: Some(0.5) },
        SmoothLaw::HuntCrossley { stiffness: Some(1e5), damping: Some(0.0) },
        SmoothLaw::KelvinVoigt { stiffness: Some(1e6), damping: Some(1e3) },
        SmoothLaw::KelvinVoigt { stiffness: Some(1e5), damping: Some(0.0) },
    ] {
        for drop in [0.01, 0.1, 1.0, 10.0] {
            let mut scenario = point([0.0, drop], [1.0, 0.0], 4.0);
            scenario.steppers.smooth.law = law;
            let bound =
                NormalForce::of(&scenario).stable_step(&scenario.point(0), (2.0 * 9.81 * drop).sqrt());
            scenario.step = 0.99 * bound;
            let trajectory = run(&scenario, SMOOTH);
            let highest = trajectory.bodies[0].states.iter().map(|state| state.height()).fold(0.0, f64::max);
            assert!(highest < 1.2 * drop + 0.05, "{law:?} from {drop} m rises to {highest} m");
        }
    }
}

#[test]
fn blow_up_by_a_push_that_no_bound_foresaw_is_reported() {
    // Gravity alone is harmless; the push slams the point down a thousand times harder.
    let mut scenario = with_hunt_crossley(point([0.0, 0.5], [0.0, 0.0], 2.0));
    scenario.step = 2e-3;
    scenario.pushes = vec![Push::constant([0.0, -1e5])];
    let mut stepper = scenario.stepper(SMOOTH).unwrap();
    let trajectory = simulate(&scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Failed);
    let reason = trajectory.first_failure.unwrap().error.to_string();
    assert!(reason.contains("added") && reason.contains("`step`"), "{reason}");
}

/// Ordinary scenarios by name, with the largest speed in them in m/s.
fn ordinary(mass: f64, step: f64) -> Vec<(&'static str, Scenario<2>, f64)> {
    let new = |position, velocity, friction, slope| {
        let mut scenario = point(position, velocity, 2.0);
        (scenario.bodies[0].mass, scenario.step) = (mass, step);
        (scenario.ground.friction, scenario.ground.slope) = (friction, slope);
        scenario
    };
    let mut held = new([0.0, 0.0], [0.0, 0.0], 0.1, 0.0);
    held.pushes = vec![Push { to: Some(0.6), ..Push::constant([0.05 * mass * 9.81, 0.0]) }];
    let mut lifted = new([0.0, 0.0], [0.3, 0.0], 0.1, 0.0);
    lifted.pushes = vec![Push::constant([0.0, 1.5 * mass * 9.81])];
    vec![
        ("thrown", new([0.0, 1.0], [1.0, 0.0], 0.1, 0.0), 4.5),
        ("dropped from 5 m", new([0.0, 5.0], [0.0, 0.0], 0.5, 0.0), 9.9),
        ("braking from 30 m/s", new([0.0, 0.0], [30.0, 0.0], 0.12, 0.0), 30.0),
        ("sliding down a slope", new([0.0, 0.0], [0.0, 0.0], 0.3, 30.0), 5.0),
        ("thrown at a slope", new([0.0, 0.5], [2.0, 0.0], 0.3, 10.0), 4.0),
        ("pushed and held", held, 0.1),
        ("lifted off", lifted, 9.8),
    ]
}

#[test]
fn ordinary_scenarios_of_any_mass_and_step_are_admitted_and_off_by_a_few_steps_of_motion() {
    for mass in [1e-3, 1.0, 10.0, 1e4] {
        for step in [1e-4, 1e-3, 1e-2] {
            for (name, scenario, speed) in ordinary(mass, step) {
                let (smooth, exact) = (run(&scenario, SMOOTH), run(&scenario, EXACT));
                let error = max_error(smooth.track(0), exact.track(0)).norm();
                // The resting depth is of the second order in the step.
                let bound = 1.2 * step * speed + 12.0 * 9.81 * step * step;
                assert!(error <= bound, "{name}, {mass} kg, {step} s: {error} m, more than {bound}");
            }
        }
    }
}

#[test]
fn restitution_is_honoured_by_the_default_and_by_no_other_law() {
    let mut scenario = point([0.0, 1.0], [0.0, 0.0], 1.0);
    scenario.ground.restitution = 0.8;
    let highest = |scenario: &Scenario<2>| {
        let trajectory = run(scenario, SMOOTH);
        let landed =
            trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 0.0).expect("it lands");
        trajectory.bodies[0].states[landed..].iter().map(|state| state.height()).fold(0.0, f64::max)
    };
    assert_close(highest(&scenario), 0.64, 0.06, "height of the rebound");
    let ignored = |scenario: &Scenario<2>| {
        scenario.ignored(&scenario.stepper(SMOOTH).expect("admitted").honours()).len()
    };
    assert_eq!(ignored(&scenario), 0);
    for law in [
        SmoothLaw::TANH,
        SmoothLaw::HuntCrossley { stiffness: None, damping: None },
        SmoothLaw::KelvinVoigt { stiffness: None, damping: Some(100.0) },
    ] {
        scenario.steppers.smooth.law = law;
        assert_eq!(ignored(&scenario), 1, "{law:?}");
    }
}
