//! A push of more than the weight lifts a resting or sliding point, under every stepper that
//! can: the formulations for blocks on the ground refuse it, and the nonlinear program as published is
//! ill-posed off the ground.

use stickslip::{
    scenario::{ConvexSettings, Push},
    stepper::StepperName,
};

use crate::{GRAVITY, assert_close, point, run, with_hunt_crossley};

const NLP: StepperName = StepperName::NLP;
const LCP: StepperName = StepperName::LCP;
const LCP_ANITESCU: StepperName = StepperName::LCP_ANITESCU;
const LCP_BELBUTE_PERES: StepperName = StepperName::LCP_BELBUTE_PERES;
const CONVEX: StepperName = StepperName::CONVEX;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

#[test]
fn push_of_half_as_much_again_as_the_weight_lifts() {
    let mut sliding = point([0.0, 0.0], [0.3, 0.0], 0.5);
    sliding.pushes = vec![Push::constant([0.0, 1.5 * 10.0 * GRAVITY])];
    let models: [StepperName; 6] = [NLP, LCP, LCP_ANITESCU, LCP_BELBUTE_PERES, HYBRID, EXACT];
    for name in models {
        let end = run(&sliding, name).final_state(0);
        assert_close(end.position[1], 0.61312, 2e-3, &format!("{name}: height"));
        assert_close(end.velocity[1], 2.4525, 1e-6, &format!("{name}: vertical velocity"));
        assert_close(end.velocity[0], 0.3, 1e-6, &format!("{name}: forward velocity"));
    }
    // Convex friction lifts what slides, by a length of the order of the step; gated contacts do not act
    // before the point is below the ground.
    assert_close(run(&sliding, CONVEX).final_state(0).position[1], 0.61312, 6e-3, "convex: height");
    let mut gated = sliding.clone();
    gated.steppers.convex = ConvexSettings::PUBLISHED;
    assert_close(run(&gated, CONVEX).final_state(0).position[1], 0.61312, 2e-3, "gated convex: height");
    let end = run(&with_hunt_crossley(sliding), SMOOTH).final_state(0);
    assert_close(end.position[1], 0.61312, 2e-3, "smooth: height");
}

#[test]
fn point_lifts_in_the_middle_of_a_run_and_lands_again() {
    let mut resting = point([0.0, 0.0], [0.0, 0.0], 1.2);
    resting.pushes =
        vec![Push { from: Some(0.3), to: Some(0.5), ..Push::constant([0.0, 2.0 * 10.0 * GRAVITY]) }];
    for name in [NLP, LCP, LCP_ANITESCU, LCP_BELBUTE_PERES, CONVEX, HYBRID, SMOOTH, EXACT] {
        // On the law that does not act above the ground.
        let trajectory = run(&with_hunt_crossley(resting.clone()), name);
        let highest = trajectory.bodies[0].states.iter().map(|state| state.position[1]).fold(0.0, f64::max);
        // g t^2/2 while pushed, and as much again while it rises on.
        let expected = GRAVITY * 0.2 * 0.2;
        assert_close(highest, expected, 0.05 * expected, &format!("{name}: height"));
        let end = trajectory.final_state(0);
        assert!(end.velocity.norm() < 5e-3, "{name} rests again: {end:?}");
    }
}
