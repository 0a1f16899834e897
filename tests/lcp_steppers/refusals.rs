//! Scenarios outside a formulation's range are refused in words, before anything runs.

use stickslip::{
    scenario::{LcpSolverChoice, Push, RestitutionLaw, Scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{SLIDING, block, stepper, take};

#[track_caller]
fn refusal<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> String
where
    Scenario<D>: BuildStepper<D>,
{
    match scenario.stepper(name) {
        Ok(_) => panic!("{name} admits the scenario"),
        Err(refusal) => refusal.to_string(),
    }
}

/// The formulations that only know friction.
const ON_THE_GROUND: [StepperName; 5] = [
    StepperName::LCP_FORWARD,
    StepperName::LCP_DIRECT,
    StepperName::LCP_DIRECT2,
    StepperName::LCP_TRADITIONAL,
    StepperName::LCP_MIXED,
];

#[test]
fn a_block_has_to_start_on_the_ground() {
    let mut scenario = block(1.0, 0.1, 1.0, 1.0, 0.01);
    scenario.bodies[0].position[1] = 0.5;
    for name in ON_THE_GROUND {
        let text = refusal(&scenario, name);
        assert!(text.contains("starts at z = 0.5 m") && text.contains("use stepper `lcp`"), "{text}");
    }
    scenario.bodies[0].position[1] = 0.0;
    scenario.bodies[0].velocity[1] = 2.0;
    for name in ON_THE_GROUND {
        assert!(refusal(&scenario, name).contains("vz = 2 m/s"));
    }
}

#[test]
fn a_block_must_not_be_lifted() {
    let mut scenario = block(1.0, 0.1, 1.0, 1.0, 0.01);
    scenario.pushes = vec![Push { from: Some(0.5), ..Push::constant([0.0, 12.0]) }];
    for name in ON_THE_GROUND {
        let text = refusal(&scenario, name);
        assert!(text.contains("the push of 12 N at t = 0.5 s lifts the point"), "{text}");
    }
    // Two pushes that are never at work together do not lift.
    scenario.pushes = vec![
        Push { to: Some(0.5), ..Push::constant([0.0, 6.0]) },
        Push { from: Some(0.5), ..Push::constant([0.0, 6.0]) },
    ];
    for name in SLIDING {
        assert!(scenario.stepper(name).is_ok(), "{name}");
    }
}

#[test]
fn a_state_that_left_the_ground_is_an_error_of_the_step() {
    let scenario = block(1.0, 0.1, 1.0, 1.0, 0.01);
    for name in ON_THE_GROUND {
        let mut stepper = stepper(&scenario, name);
        let mut state = scenario.initial_state(0);
        let lifted = take(stepper.as_mut(), state, [0.0, 20.0].into(), 0.01).unwrap_err().to_string();
        assert!(lifted.contains("a push of 20 N lifts it off"), "{lifted}");
        state.position[1] = 0.1;
        let above = take(stepper.as_mut(), state, [0.0, 0.0].into(), 0.01).unwrap_err().to_string();
        assert!(above.contains("the point is at z = 0.1 m"), "{above}");
    }
}

#[test]
fn forward_refuses_motion_backwards_at_once() {
    let mut scenario = block(1.0, 0.2, 0.0, 1.0, 0.01);
    scenario.pushes = vec![Push { from: Some(0.3), ..Push::constant([-4.0, 0.0]) }];
    let text = refusal(&scenario, StepperName::LCP_FORWARD);
    assert!(text.contains("at t = 0.3 s") && text.contains("use stepper `lcp:direct`"), "{text}");
    scenario.pushes = vec![Push::constant([-1.0, 0.0])]; // friction holds
    assert!(scenario.stepper(StepperName::LCP_FORWARD).is_ok());
    let backwards = block(1.0, 0.2, -1.0, 1.0, 0.01);
    assert!(refusal(&backwards, StepperName::LCP_FORWARD).contains("only moves towards +x"));
}

#[test]
fn a_falling_block_falls_straight_down_and_stays_down() {
    let mut falling = block(1.0, 0.0, 0.0, 1.0, 0.01);
    falling.bodies[0].position[1] = 1.0;
    assert!(falling.stepper(StepperName::LCP_FALLING_BLOCK).is_ok());
    let change = |change: fn(&mut Scenario<2>)| {
        let mut scenario = falling.clone();
        change(&mut scenario);
        refusal(&scenario, StepperName::LCP_FALLING_BLOCK)
    };
    assert!(change(|scenario| scenario.bodies[0].velocity[0] = 1.0).contains("vx = 1 m/s"));
    assert!(change(|scenario| scenario.pushes = vec![Push::constant([3.0, 0.0])]).contains("fx = 3 N"));
    assert!(change(|scenario| scenario.ground.slope = 5.0).contains("slopes by 5 degrees"));
    assert!(change(|scenario| scenario.ground.restitution = 0.5).contains("restitution is 0.5"));
}

#[test]
fn formulations_for_a_vertical_plane_and_over_a_plane_refuse_each_other() {
    let over_plane = Scenario::<3>::new("over");
    for name in
        ON_THE_GROUND.into_iter().chain([StepperName::LCP_BELBUTE_PERES, StepperName::LCP_FALLING_BLOCK])
    {
        let text = refusal(&over_plane, name);
        assert!(text.contains("three coordinates") && text.contains("lcp:polyhedral"), "{text}");
    }
    for name in [StepperName::LCP, StepperName::LCP_ANITESCU] {
        assert!(over_plane.stepper(name).is_ok(), "{name} takes what does not turn as it takes bodies");
    }
    for name in [StepperName::LCP_POLYHEDRAL, StepperName::LCP_FIXED_POINT] {
        assert!(refusal(&Scenario::<2>::new("in"), name).contains("two coordinates"));
    }
}

#[test]
fn too_many_directions_for_enumeration_are_refused() {
    let mut scenario = Scenario::<3>::new("over");
    scenario.steppers.lcp.solver = Some(LcpSolverChoice::Enumeration);
    scenario.steppers.lcp.directions = Some(10);
    assert!(scenario.stepper(StepperName::LCP_POLYHEDRAL).is_ok());
    scenario.steppers.lcp.directions = Some(12);
    let text = refusal(&scenario, StepperName::LCP_POLYHEDRAL);
    assert!(text.contains("at most 12 unknowns, and this scenario needs 14"), "{text}");
}

#[test]
fn belbute_peres_knows_only_newtons_law_of_impact() {
    let mut scenario = block(1.0, 0.1, 1.0, 1.0, 0.01);
    scenario.ground.restitution = 0.5;
    scenario.steppers.lcp.restitution = RestitutionLaw::Poisson;
    assert!(refusal(&scenario, StepperName::LCP_BELBUTE_PERES).contains("Newton's"));
}
