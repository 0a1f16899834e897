use stickslip::{
    compare::{Choice, match_compliant, measured_impact},
    scenario::Scenario,
    stepper::StepperName,
    trajectory::Ending,
    watch::Watch,
};

use crate::{assert_close, compare, slide};

const CONVEX: StepperName = StepperName::CONVEX;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

/// A ball dropped from 1 m.
fn ball(restitution: f64) -> Scenario<2> {
    let mut scenario = slide();
    scenario.bodies[0].velocity[0] = 0.0;
    scenario.ground.restitution = restitution;
    scenario
}

/// Heights of the tops between the first bounces under a stepper, in m.
fn tops(scenario: &Scenario<2>, name: StepperName) -> Vec<f64> {
    let trajectory = compare(scenario, &[name]).entries.remove(0).trajectory;
    let heights: Vec<f64> = trajectory.bodies[0].states.iter().map(|state| state.height()).collect();
    heights.windows(3).filter(|w| w[0] < w[1] && w[1] >= w[2] && w[1] > 0.05).map(|w| w[1]).collect()
}

#[test]
fn impacts_rebound_as_matched() {
    for restitution in [0.1, 0.2, 0.5, 0.8, 0.9] {
        let matched = match_compliant(&ball(restitution), &Watch::none()).unwrap();
        assert_close(matched.speed, 4.429447, 1e-6, "impact speed");
        for (choice, name) in matched.choices.iter().zip([SMOOTH, CONVEX]) {
            assert_eq!(choice.stepper, name);
            assert_close(choice.impact.restitution, restitution, 0.02, &format!("restitution of {name}"));
            let measured = measured_impact(&matched.scenario, name, matched.speed).unwrap();
            assert_eq!(measured, choice.impact);
            // The same where it is said, and nearly so at any speed at which gravity is nothing beside the contact.
            for (speed, allowed) in [(matched.alike[0], 0.03), (matched.alike[1], 0.03), (20.0, 0.06)] {
                let other = measured_impact(&matched.scenario, name, speed).unwrap();
                assert_close(other.restitution, restitution, allowed, &format!("{name} at {speed} m/s"));
            }
        }
        // Slower by half, the weight on the ground counts for one of them.
        let slower = 0.5 * matched.alike[0];
        let is_other = |name: StepperName, choice: &Choice| {
            let other = measured_impact(&matched.scenario, name, slower).unwrap().restitution;
            (other - choice.impact.restitution).abs() > 0.03
        };
        let mut choices = matched.choices.iter().zip([SMOOTH, CONVEX]);
        assert!(choices.any(|(choice, name)| is_other(name, choice)), "{restitution} at {slower} m/s");
    }
}

#[test]
fn a_bouncing_ball_rises_as_high_as_the_exact_one() {
    let matched = match_compliant(&ball(0.8), &Watch::none()).unwrap().scenario;
    // From e^2 = 0.64 m on.
    let exact = tops(&matched, EXACT);
    assert_close(exact[0], 0.64, 1e-3, "first top");
    for name in [SMOOTH, CONVEX] {
        assert_close(tops(&matched, name)[0], exact[0], 0.05, &format!("first top of {name}"));
    }
    // As the settings come, one gives the restitution in the mean of all phases, the other none.
    let plain = ball(0.8);
    assert_close(tops(&plain, SMOOTH)[0], exact[0], 0.1, "first top of smooth without matching");
    assert!(tops(&plain, CONVEX).is_empty());
}

#[test]
fn the_ground_is_as_stiff_as_the_steps_resolve() {
    // 4.43 m/s fall in by 4.4 mm a step.
    for (restitution, steps) in [(0.2, 2.5), (0.5, 4.0), (0.8, 8.0)] {
        let matched = match_compliant(&ball(restitution), &Watch::none()).unwrap();
        let comparison = compare(&matched.scenario, &[SMOOTH, CONVEX]);
        for (entry, choice) in comparison.entries.iter().zip(&matched.choices) {
            let depth = entry.merit.metrics.max_penetration();
            assert!(depth <= steps * 4.43e-3, "{} sinks in by {depth} m", choice.stepper);
            assert!(choice.impact.depth >= 0.8 * depth, "{} said {}", choice.stepper, choice.impact.depth);
        }
    }
}

#[test]
fn long_steps_get_a_softer_ground() {
    let mut scenario = ball(0.5);
    scenario.step = 1e-2;
    let coarse = match_compliant(&scenario, &Watch::none()).unwrap();
    let fine = match_compliant(&ball(0.5), &Watch::none()).unwrap();
    for (coarse, fine) in coarse.choices.iter().zip(&fine.choices) {
        assert!(coarse.impact.depth > fine.impact.depth);
    }
    assert_eq!(compare(&coarse.scenario, &[SMOOTH]).entries[0].trajectory.ending, Ending::Complete);
}

#[test]
fn choice_is_told_in_physical_units() {
    let mut scenario = slide();
    scenario.ground.restitution = 0.6;
    let matched = match_compliant(&scenario, &Watch::none()).unwrap();
    let text = matched.to_string();
    assert!(text.contains("in steps of 1 ms, an impact rebounds with restitution 0.6"), "{text}");
    assert!(text.contains("4.43 m/s, the first of the exact motion"), "{text}");
    let smooth = matched.choices[0].to_string();
    assert!(smooth.starts_with("smooth: stepper.smooth.stiffness = 442900 N/m, stepper.smooth.damping = "));
    assert!(smooth.contains("N s/m; an impact rebounds with restitution 0.6"), "{smooth}");
    assert!(smooth.contains("sinks in by 1") && smooth.ends_with(" mm"), "{smooth}");
}

#[test]
fn what_the_steps_cannot_match_is_said() {
    let matched = match_compliant(&ball(1.0), &Watch::none()).unwrap();
    let convex = matched.choices[1].to_string();
    assert!(convex.ends_with("; that is as near to 1 as its steps come"), "{convex}");
}

#[test]
fn where_nothing_hits_the_ground_a_speed_is_assumed_and_said() {
    let mut scenario = slide();
    scenario.bodies[0].position[1] = 0.0;
    let text = match_compliant(&scenario, &Watch::none()).unwrap().to_string();
    assert!(text.contains("1.00 m/s, as there is none in the exact motion"), "{text}");
}
