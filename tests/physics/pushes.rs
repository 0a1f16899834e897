//! A pushed point sticks, slides, reverses or lifts off as Coulomb's law says.

use stickslip::{metrics::max_energy_gain, scenario::Push, stepper::StepperName};

use crate::{GRAVITY, RIGID, assert_close, point, run};

/// The weight of the point and the friction it can take, in N.
const WEIGHT: f64 = 10.0 * GRAVITY;
const FRICTION: f64 = 0.1 * WEIGHT;

#[test]
fn a_push_inside_the_friction_cone_moves_nothing() {
    for &name in RIGID {
        for fraction in [0.5, 0.99] {
            let push = fraction * FRICTION;
            let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.5);
            scenario.pushes.push(Push::constant([push, 0.0]));
            let trajectory = run(&scenario, name);
            assert!(trajectory.final_state(0).position[0].abs() < 1e-8, "{name} creeps");
            for step in &trajectory.bodies[0].steps {
                assert_close(step.force[0], -push, 1e-4 * WEIGHT, "friction balances the push");
            }
        }
    }
}

#[test]
fn a_push_beyond_the_friction_cone_accelerates() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.5);
        scenario.pushes.push(Push::constant([1.5 * FRICTION, 0.0]));
        let state = run(&scenario, name).final_state(0);
        assert_close(state.position[0], 0.06131, 0.75e-3 * 0.25 + 1e-5, "x");
    }
}

#[test]
fn a_push_against_the_motion_reverses_it() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.0], [0.3, 0.0], 0.5);
        scenario.pushes.push(Push::constant([-1.5 * FRICTION, 0.0]));
        let state = run(&scenario, name).final_state(0);
        assert_close(state.position[0], -0.01663, 0.75e-3 * 0.3 + 1e-5, "x");
        assert_close(state.velocity[0], -0.18525, 0.1 * GRAVITY * 1e-3, "vx");
    }
}

#[test]
fn a_push_beyond_the_weight_lifts_the_point_off() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.0], [0.3, 0.0], 0.5);
        scenario.pushes.push(Push::constant([0.0, 1.5 * WEIGHT]));
        let trajectory = run(&scenario, name);
        let state = trajectory.final_state(0);
        assert_close(state.position[1], 0.61312, 0.75e-3 * 2.5, "z");
        assert_close(state.velocity[1], 2.4525, 1e-5, "vz");
        assert_close(state.velocity[0], 0.3, 1e-6, "vx");
    }
}

#[test]
fn a_push_acts_in_the_steps_of_its_window_and_no_other() {
    for &name in RIGID {
        let mut scenario = point([0.0, 1.0], [0.0, 0.0], 0.4);
        scenario.ground.friction = 0.0;
        scenario.pushes.push(Push { from: Some(0.1), to: Some(0.3), ..Push::constant([5.0, 0.0]) });
        let trajectory = run(&scenario, name);
        let pushed: Vec<usize> = (0..trajectory.bodies[0].steps.len())
            .filter(|&k| trajectory.bodies[0].steps[k].push[0] != 0.0)
            .collect();
        assert_eq!(pushed, (100..300).collect::<Vec<_>>());
        assert_close(trajectory.final_state(0).velocity[0], 5.0 * 0.2 / 10.0, 1e-9, "vx");
    }
}

/// A push that begins within a step does its work over a part of it only, which the mean push of the step, all that is
/// recorded, does not tell: such a step of `exact` once counted as one that the ground gave energy to.
#[test]
fn a_push_that_begins_within_a_step_makes_no_energy() {
    let mut scenario = point([0.0, 0.0], [0.0, 0.0], 0.01);
    scenario.step = 2e-3;
    scenario.pushes.push(Push { from: Some(3.05e-3), ..Push::constant([386.0, 118.0]) });
    for &name in RIGID.iter().chain([&StepperName::EXACT]) {
        let trajectory = run(&scenario, name);
        let kinetic = 0.5 * 10.0 * trajectory.final_state(0).velocity.norm_squared();
        assert!(kinetic > 0.1, "{name} is pushed");
        let gain = max_energy_gain(trajectory.track(0));
        assert!(gain <= 1e-9 * kinetic, "{name} gains {gain} J of {kinetic} J");
    }
    let push = &scenario.pushes[0];
    assert_eq!([0, 1, 2].map(|k| push.is_constant_over_step(k, 2e-3)), [true, false, true]);
    let swinging = Push { frequency: Some(1.0), ..push.clone() };
    assert_eq!([0, 1, 2].map(|k| swinging.is_constant_over_step(k, 2e-3)), [true, false, false]);
    let ends_on_a_sample = Push { from: None, to: Some(0.3), ..push.clone() };
    assert!((295..305).all(|k| ends_on_a_sample.is_constant_over_step(k, 1e-3)));
}
