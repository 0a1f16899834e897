use stickslip::{
    compare::{match_compliant, measured_restitution},
    scenario::SmoothLaw,
    stepper::StepperName::{Exact, Smooth},
    trajectory::Ending,
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
    let height = comparison.entries[0].trajectory.final_state(0).position[1];
    assert_close(height, -matched.choices[0].rest_depth, 1e-5, "rest depth");
}

#[test]
fn long_steps_get_a_softer_ground() {
    let mut scenario = slide();
    scenario.step = 1e-2;
    let coarse = match_compliant(&scenario).unwrap();
    let fine = match_compliant(&slide()).unwrap();
    assert!(coarse.choices[0].rest_depth > fine.choices[0].rest_depth);
    assert_eq!(compare(&coarse.scenario, &[Smooth]).entries[0].trajectory.ending, Ending::Complete);
}

#[test]
fn choice_is_told_in_physical_units() {
    let mut scenario = slide();
    scenario.ground.restitution = 0.6;
    let matched = match_compliant(&scenario).unwrap();
    let text = matched.to_string();
    assert!(text.contains("sinks into by 1 mm"), "{text}");
    assert!(text.contains("4.43 m/s, the first of the exact motion"), "{text}");
    assert!(text.contains("restitution 0.6, as on the rigid ground"), "{text}");
    let smooth = matched.choices[0].to_string();
    assert!(smooth.starts_with("smooth: stepper.smooth.stiffness = 98100 N/m, stepper.smooth.damping = "));
    assert!(smooth.ends_with(" s/m; sinks 1.00 mm at rest, rebounds with restitution 0.600"), "{smooth}");
}

#[test]
fn where_nothing_hits_the_ground_a_speed_is_assumed_and_said() {
    let mut scenario = slide();
    scenario.bodies[0].position[1] = 0.0;
    let text = match_compliant(&scenario).unwrap().to_string();
    assert!(text.contains("1.00 m/s, as there is none in the exact motion"), "{text}");
    assert!(text.contains("restitution 0.01 at most"), "{text}");
}
