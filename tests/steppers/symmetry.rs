//! The mirror image of a scenario moves as the mirror image, under every stepper.

use stickslip::{
    scenario::{Push, Scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{point, run};

const NLP: StepperName = StepperName::NLP;
const NLP_SEED: StepperName = StepperName::NLP_SEED;
const LCP: StepperName = StepperName::LCP;
const LCP_ANITESCU: StepperName = StepperName::LCP_ANITESCU;
const LCP_FALLING_BLOCK: StepperName = StepperName::LCP_FALLING_BLOCK;
const LCP_FORWARD: StepperName = StepperName::LCP_FORWARD;
const LCP_DIRECT: StepperName = StepperName::LCP_DIRECT;
const LCP_TRADITIONAL: StepperName = StepperName::LCP_TRADITIONAL;
const LCP_MIXED: StepperName = StepperName::LCP_MIXED;
const LCP_BELBUTE_PERES: StepperName = StepperName::LCP_BELBUTE_PERES;
const LCP_POLYHEDRAL: StepperName = StepperName::LCP_POLYHEDRAL;
const LCP_FIXED_POINT: StepperName = StepperName::LCP_FIXED_POINT;
const CONVEX: StepperName = StepperName::CONVEX;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

fn mirrored<const D: usize>(scenario: &Scenario<D>) -> Scenario<D> {
    let mut mirrored = scenario.clone();
    mirrored.bodies[0].position[0] *= -1.0;
    mirrored.bodies[0].velocity[0] *= -1.0;
    for push in &mut mirrored.pushes {
        push.force[0] *= -1.0;
    }
    mirrored
}

#[track_caller]
fn assert_mirrored<const D: usize>(scenario: &Scenario<D>, name: StepperName)
where
    Scenario<D>: BuildStepper<D>,
{
    let right = run(scenario, name);
    let left = run(&mirrored(scenario), name);
    for (k, (right, left)) in right.bodies[0].states.iter().zip(&left.bodies[0].states).enumerate() {
        let mut reflected = *left;
        reflected.position[0] *= -1.0;
        reflected.velocity[0] *= -1.0;
        let off = (right.position - reflected.position).amax();
        assert!(off <= 1e-12, "{name}: step {k} is off by {off} m");
        let off = (right.velocity - reflected.velocity).amax();
        assert!(off <= 1e-9, "{name}: step {k} is off by {off} m/s");
    }
}

fn throw() -> Scenario<2> {
    let mut throw = point([0.3, 0.5], [1.0, 0.2], 1.2);
    throw.ground.restitution = 0.4;
    throw.pushes = vec![
        Push { frequency: Some(2.0), phase: 0.3, ..Push::constant([14.0, 5.0]) },
        Push { from: Some(0.2), to: Some(0.7), ..Push::constant([-9.0, 0.0]) },
    ];
    throw
}

/// On the ground all the time, to and fro.
fn shaken_block() -> Scenario<2> {
    let mut block = point([0.3, 0.0], [0.2, 0.0], 1.0);
    block.pushes = vec![Push { frequency: Some(2.0), phase: 0.3, ..Push::constant([14.0, 0.0]) }];
    block
}

fn throw_over_plane() -> Scenario<3> {
    let mut throw = point([0.3, -0.1, 0.2], [1.0, 0.4, 0.1], 0.8);
    throw.pushes = vec![Push { frequency: Some(2.0), phase: 0.3, ..Push::constant([8.0, -5.0, 0.0]) }];
    throw
}

#[test]
fn thrown_point() {
    for name in [NLP, LCP, LCP_ANITESCU, LCP_BELBUTE_PERES, CONVEX, HYBRID, SMOOTH, EXACT] {
        assert_mirrored(&throw(), name);
    }
}

#[test]
fn block_on_the_ground() {
    for name in [LCP_DIRECT, LCP_TRADITIONAL, LCP_MIXED] {
        assert_mirrored(&shaken_block(), name);
    }
}

#[test]
fn thrown_point_over_a_plane() {
    for name in [NLP, LCP_POLYHEDRAL, LCP_FIXED_POINT, CONVEX, HYBRID, SMOOTH, EXACT] {
        assert_mirrored(&throw_over_plane(), name);
    }
}

#[test]
fn the_program_as_published() {
    // On the ground and moving: at rest and in flight it is ill-posed.
    assert_mirrored(&point([0.3, 0.0], [1.0, 0.0], 0.3), NLP_SEED);
}

#[test]
fn formulations_without_left_and_right_say_so() {
    // One has no horizontal motion, one only moves forward and refuses the mirror image.
    assert_mirrored(&point([0.0, 0.5], [0.0, 0.0], 0.6), LCP_FALLING_BLOCK);
    let forward = point([0.0, 0.0], [0.5, 0.0], 0.6);
    run(&forward, LCP_FORWARD);
    let refusal = mirrored(&forward).stepper(LCP_FORWARD).err().unwrap();
    assert!(refusal.reason.contains("only moves towards +x"), "{refusal}");
}
