use stickslip::{
    scenario::{Push, Scenario, SmoothLaw},
    simulate::simulate,
    stepper::{BuildStepper, NormalForce, StepperName::Smooth},
    trajectory::Ending,
};

use crate::{assert_close, point, run, with_hunt_crossley};

fn refusal(scenario: &Scenario<2>) -> String {
    match scenario.stepper(Smooth) {
        Ok(_) => panic!("not refused"),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn original_parameters_rest_at_13_3_mm() {
    let trajectory = run(&point([0.0, 1.0], [1.0, 0.0], 3.0), Smooth);
    assert_close(trajectory.final_state(0).position[1], 0.0133, 5e-5, "rest height");
}

#[test]
fn hunt_crossley_sinks_as_deep_for_every_mass() {
    for mass in [1e-3, 1.0, 1e4] {
        let mut scenario = with_hunt_crossley(point([0.0, 0.1], [0.0, 0.0], 2.0));
        scenario.bodies[0].mass = mass;
        assert_close(run(&scenario, Smooth).final_state(0).position[1], -2e-3, 1e-6, "rest depth");
    }
}

#[test]
fn friction_acts_on_both_signs_of_the_velocity() {
    for velocity in [0.5, -0.5] {
        let trajectory = run(&point([0.0, 0.0133], [velocity, 0.0], 1.0), Smooth);
        assert_eq!(trajectory.final_state(0).velocity[0], 0.0);
        assert_close(trajectory.final_state(0).position[0], velocity * 0.25 / 0.981, 0.01, "way to rest");
    }
}

#[test]
fn sticking_push_does_not_creep() {
    let mut scenario = point([0.0, 0.0133], [0.0, 0.0], 1.0);
    scenario.pushes = vec![Push::constant([0.9 * 9.81, 0.0])];
    assert_close(run(&scenario, Smooth).final_state(0).position[0], 0.0, 1e-6, "x");
}

#[test]
fn lifts_off_without_sticking_to_the_ground() {
    let mut scenario = point([0.0, 0.0133], [0.0, 0.0], 0.5);
    scenario.pushes = vec![Push::constant([0.0, 2.0 * 98.1])];
    let trajectory = run(&scenario, Smooth);
    assert_close(trajectory.final_state(0).position[1], 0.0133 + 0.5 * 9.81 * 0.25, 0.02, "height");
    assert!(trajectory.bodies[0].steps.iter().all(|step| step.force[1] >= 0.0), "the ground pulls");
}

#[test]
fn too_long_a_step_is_refused_with_the_bound() {
    let mut scenario = point([0.0, 1.0], [1.0, 0.0], 1.2);
    scenario.step = 5e-3;
    let message = refusal(&scenario);
    assert!(message.contains("0.005 s") && message.contains("1.269e-3 s"), "{message}");
    scenario.step = 1.25e-3;
    run(&scenario, Smooth);
}

#[test]
fn light_point_is_refused_with_the_original_parameters() {
    let mut scenario = point([0.0, 1.0], [1.0, 0.0], 1.2);
    scenario.bodies[0].mass = 0.1;
    assert!(refusal(&scenario).contains("0.1 kg"));
    run(&with_hunt_crossley(scenario), Smooth);
}

#[test]
fn point_too_heavy_for_the_force_is_refused() {
    let mut scenario = point([0.0, 1.0], [1.0, 0.0], 1.2);
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
    ] {
        for drop in [0.01, 0.1, 1.0, 10.0] {
            let mut scenario = point([0.0, drop], [1.0, 0.0], 4.0);
            scenario.steppers.smooth.law = law;
            let bound =
                NormalForce::of(&scenario).stable_step(&scenario.point(0), (2.0 * 9.81 * drop).sqrt());
            scenario.step = 0.99 * bound;
            let trajectory = run(&scenario, Smooth);
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
    let mut stepper = scenario.stepper(Smooth).unwrap();
    let trajectory = simulate(&scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Failed);
    let reason = trajectory.first_failure.unwrap().error.to_string();
    assert!(reason.contains("added") && reason.contains("`step`"), "{reason}");
}
