use stickslip::{
    metrics::{force_noise, max_penetration, stop_time},
    scenario::Push,
    stepper::StepperName,
};

use crate::{GRAVITY, assert_close, point, run};

const HYBRID: StepperName = StepperName::HYBRID;

#[test]
fn friction_acts_on_negative_velocities() {
    let trajectory = run(&point([0.0, 0.0], [-0.5, 0.0], 1.0), HYBRID);
    assert_eq!(trajectory.final_state(0).velocity[0], 0.0);
    assert_close(stop_time(trajectory.track(0)).unwrap(), 0.5 / 0.981, 2e-3, "stop time");
}

#[test]
fn sticking_push_does_not_creep() {
    for share in [-0.99, 0.5, 0.99] {
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 2.0);
        scenario.pushes = vec![Push::constant([share * 9.81, 0.0])];
        let trajectory = run(&scenario, HYBRID);
        assert_eq!(trajectory.final_state(0).position[0], 0.0);
        for step in &trajectory.bodies[0].steps {
            assert_close(step.force[0], -share * 9.81, 1e-9, "friction");
        }
    }
}

#[test]
fn friction_never_reverses_the_motion() {
    let trajectory = run(&point([0.0, 0.3], [0.2, 0.0], 1.0), HYBRID);
    assert!(trajectory.bodies[0].states.iter().all(|state| state.velocity[0] >= 0.0));
}

#[test]
fn resting_point_lifts_off() {
    let mut scenario = point([0.0, 0.0], [0.0, 0.0], 1.0);
    scenario.pushes = vec![Push { from: Some(0.5), ..Push::constant([0.0, 1.5 * 98.1]) }];
    let trajectory = run(&scenario, HYBRID);
    assert_eq!(trajectory.bodies[0].states[500].position[1], 0.0);
    assert_close(trajectory.final_state(0).position[1], 0.5 * 4.905 * 0.25, 5e-3, "height");
}

#[test]
fn restitution_rebounds_and_then_rests_without_buzzing() {
    let mut scenario = point([0.0, 0.5], [0.0, 0.0], 4.0);
    scenario.ground.restitution = 0.6;
    // A push down presses harder than gravity alone.
    for push in [0.0, -300.0] {
        scenario.pushes = vec![Push::constant([0.0, push])];
        let trajectory = run(&scenario, HYBRID);
        let apex = trajectory.bodies[0].states[400..].iter().map(|state| state.height()).fold(0.0, f64::max);
        let bounced = trajectory.bodies[0]
            .states
            .windows(2)
            .filter(|pair| pair[0].velocity[1] < 0.0 && pair[1].velocity[1] > 0.0)
            .count();
        assert!(bounced >= 4, "{bounced} rebounds under {push} N");
        assert!(apex < 0.2);
        for (state, step) in trajectory.bodies[0].states.iter().zip(&trajectory.bodies[0].steps).skip(3500) {
            assert_eq!((state.position[1], state.velocity[1]), (0.0, 0.0));
            assert_close(step.force[1], 98.1 - push, 1e-9, "the ground carries the weight");
        }
    }
}

#[test]
fn rebound_height_follows_restitution() {
    let mut scenario = point([0.0, 1.0], [0.0, 0.0], 0.9);
    scenario.ground.restitution = 0.5;
    scenario.step = 1e-4;
    let trajectory = run(&scenario, HYBRID);
    let apex = trajectory.bodies[0].states[4600..].iter().map(|state| state.height()).fold(0.0, f64::max);
    assert_close(apex, 0.25, 1e-3, "apex after the first impact");
}

#[test]
fn contact_is_rigid_and_quiet() {
    let trajectory = run(&point([0.0, 1.0], [1.0, 0.0], 1.2), HYBRID);
    assert_eq!(max_penetration(trajectory.track(0)), 0.0);
    assert!(force_noise(trajectory.track(0)) < 1e-9 * 98.1);
}

#[test]
fn impulse_is_the_change_of_momentum_less_weight_and_push() {
    let mut scenario = point([0.0, 0.2], [1.0, 0.0], 0.6);
    scenario.pushes = vec![Push::constant([2.0, 3.0])];
    let trajectory = run(&scenario, HYBRID);
    for (step, pair) in trajectory.bodies[0].steps.iter().zip(trajectory.bodies[0].states.windows(2)) {
        let change = (pair[1].velocity - pair[0].velocity) * (10.0 / scenario.step);
        assert_close(step.force[0], change[0] - 2.0, 1e-8, "fx");
        assert_close(step.force[1], change[1] - 3.0 + 10.0 * GRAVITY, 1e-8, "fz");
        assert!(step.force[1] >= 0.0 && step.force[0].abs() <= 0.1 * step.force[1] + 1e-9);
    }
}

#[test]
fn lively_bouncing_comes_to_its_end_too() {
    // The end of the bouncing, 2 vi/g e/(1 - e) after the first impact, is 8.58 s for e = 0.9.
    let mut scenario = point([0.0, 1.0], [0.0, 0.0], 9.5);
    scenario.ground.restitution = 0.9;
    let trajectory = run(&scenario, HYBRID);
    assert_close(stop_time(trajectory.track(0)).unwrap(), 8.58, 0.1, "end of bouncing");
    assert_eq!(trajectory.final_state(0).velocity[1], 0.0);
}

#[test]
fn elastic_bouncing_keeps_its_height() {
    let mut scenario = point([0.0, 1.0], [0.0, 0.0], 20.0);
    scenario.ground.restitution = 1.0;
    let trajectory = run(&scenario, HYBRID);
    let apex = trajectory.bodies[0].states[18_000..].iter().map(|state| state.height()).fold(0.0, f64::max);
    assert_close(apex, 1.0, 0.02, "apex after twenty bounces");
}

#[test]
fn push_that_turns_the_point_around_within_the_step_does_not_let_it_through_the_ground() {
    // Falling at 1 m/s from 0.1 mm, pulled up so hard that it would rise by the end of the step.
    let mut scenario = point([0.0, 1e-4], [1.0, -1.0], 0.02);
    scenario.ground.friction = 0.3;
    scenario.pushes = vec![Push::constant([0.0, 15_000.0])];
    for restitution in [0.0, 0.6] {
        scenario.ground.restitution = restitution;
        let trajectory = run(&scenario, HYBRID);
        assert_eq!(max_penetration(trajectory.track(0)), 0.0);
        // The exact motion: a = 1500 - g upwards, an impact at the first root, friction mu (1 + e) of it.
        let a = 1500.0 - GRAVITY;
        let impact = (1.0 - 2.0 * a * 1e-4).sqrt();
        let (after, until) = (restitution * impact, (1.0 - impact) / a);
        let state = trajectory.final_state(0);
        let left = 0.02 - until;
        assert_close(state.velocity[0], 1.0 - 0.3 * (1.0 + restitution) * impact, 0.3 * a * 1e-3, "slip");
        assert_close(state.velocity[1], after + a * left, a * 1e-3, "speed upwards");
        assert_close(state.position[1], left * (after + 0.5 * a * left), 0.02 * a * 1e-3, "height");
    }
}

#[test]
fn no_sequence_of_pushes_takes_the_point_under_the_ground() {
    let mut scenario = point([0.0, 0.02], [0.5, 0.0], 2.0);
    scenario.step = 1e-2;
    scenario.pushes = vec![
        Push { frequency: Some(7.3), ..Push::constant([30.0, 900.0]) },
        Push { frequency: Some(1.7), phase: 1.0, ..Push::constant([-20.0, 400.0]) },
    ];
    for restitution in [0.0, 0.3, 0.9, 1.0] {
        scenario.ground.restitution = restitution;
        assert_eq!(max_penetration(run(&scenario, HYBRID).track(0)), 0.0, "restitution {restitution}");
    }
}
