use stickslip::{
    compare::{match_compliant, measured_restitution},
    scenario::SmoothLaw,
    stepper::StepperName::{Exact, Smooth},
};

use crate::{assert_close, compare, slide};

#[test]
fn smooth_rebounds_and_rests_as_matched() {
    for restitution in [0.0, 0.2, 0.5, 0.8, 1.0] {
        let mut scenario = slide();
        scenario.ground.restitution = restitution;
        let matched = match_compliant(&scenario).unwrap();
        let choice = &matched.choices[0];
        assert_close(matched.speed, 4.429447, 1e-6, "impact speed");
        assert_close(choice.restitution, restitution.max(0.01), 0.05, "measured restitution");
        let measured = measured_restitution(&matched.scenario, Smooth, matched.speed).unwrap();
        assert_eq!(measured, choice.restitution);
        assert!(matches!(matched.scenario.steppers.smooth.law, SmoothLaw::HuntCrossley { .. }));
    }
}

#[test]
fn rest_depth_is_as_said() {
    let matched = match_compliant(&slide()).unwrap();
    let comparison = compare(&matched.scenario, &[Smooth, Exact]);
    let height = comparison.entries[0].trajectory.final_state().position[1];
    assert_close(height, -matched.choices[0].rest_depth, 1e-5, "rest depth");
}

#[test]
fn long_steps_get_a_softer_ground() {
    let mut scenario = slide();
    scenario.step = 1e-2;
    let coarse = match_compliant(&scenario).unwrap();
    let fine = match_compliant(&slide()).unwrap();
    assert!(coarse.choices[0].rest_depth > fine.choices[0].rest_depth);
    compare(&coarse.scenario, &[Smooth]).entries[0].trajectory.final_state();
}
