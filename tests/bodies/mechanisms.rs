//! The mechanisms of the gallery against what is known of them.

use std::path::Path;

use nalgebra::Vector3;
use stickslip::{
    model::Orientation,
    scenario::{AnyScenario, Override, Scenario, read_scenario},
    stepper::StepperName,
    trajectory::Trajectory,
};

use crate::scenes::{example, run};

fn angle(trajectory: &Trajectory<2>, body: usize, k: usize) -> f64 {
    match trajectory.bodies[body].attitudes[k].orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => panic!("in the plane"),
    }
}

fn in_space(name: &str, overrides: &[&str]) -> Scenario<3> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/scenarios/{name}.toml"));
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    match read_scenario(&path, &overrides).unwrap() {
        AnyScenario::OverPlane(scenario) => scenario,
        AnyScenario::InPlane(_) => panic!("{name} is in space"),
    }
}

/// The angles after 1 and 2 s by an integration of the equations of Lagrange to 1e-8.
#[test]
fn a_double_pendulum_is_where_the_equations_of_lagrange_have_it() {
    let truth = [[-2.831_532_01, -2.232_446_12], [-1.434_626_60, -1.773_059_97]];
    let errors = ["1e-3", "5e-4"].map(|step| {
        let scenario = example("double-pendulum", &[&format!("step={step}")]);
        let trajectory = run(&scenario, StepperName::LCP);
        let steps = trajectory.steps.len();
        let off =
            |at: usize, body: usize| (angle(&trajectory, body, steps * (at + 1) / 2) - truth[at][body]).abs();
        [off(0, 0), off(0, 1), off(1, 0), off(1, 1)].into_iter().fold(0.0, f64::max)
    });
    assert!(errors[0] < 7.2e-3, "{errors:?}");
    assert!((1.9..2.1).contains(&(errors[0] / errors[1])), "of first order: {errors:?}");
}

/// Time in s and height of the sleeve in m of every peck: the beak's impact takes the woodpecker's spin away.
fn pecks(trajectory: &Trajectory<2>) -> Vec<(f64, f64)> {
    const SLEEVE: usize = 1;
    const WOODPECKER: usize = 2;
    let spins: Vec<f64> =
        trajectory.bodies[WOODPECKER].attitudes.iter().map(|attitude| attitude.spin[0]).collect();
    let mut pecks: Vec<(f64, f64)> = Vec::new();
    for k in (1..spins.len()).filter(|&k| spins[k - 1] - spins[k] > 3.0) {
        let time = trajectory.scenario.time().at(k);
        // A beak may strike twice before it is thrown back.
        if pecks.last().is_none_or(|(last, _)| time - last > 0.05) {
            pecks.push((time, trajectory.bodies[SLEEVE].states[k].position[1]));
        }
    }
    pecks
}

/// Three models and a fifth of the step agree on the limit cycle: how long it takes, and how far down it goes.
#[test]
fn a_woodpecker_comes_down_by_as_much_with_every_peck() {
    let cases = [
        (StepperName::NLP, "1e-4", (0.1498, 17.9e-3)),
        (StepperName::LCP, "1e-4", (0.1498, 17.9e-3)),
        (StepperName::CONE, "1e-4", (0.1498, 17.9e-3)),
        (StepperName::NLP, "2e-5", (0.149, 17.4e-3)),
    ];
    for (name, step, (period, depth)) in cases {
        let trajectory = run(&example("woodpecker", &[&format!("step={step}")]), name);
        let pecks = pecks(&trajectory);
        assert_eq!(pecks.len(), 4, "{name} at {step}: {pecks:?}");
        // The first peck is that of the start.
        for pair in pecks[1..].windows(2) {
            let ((from, high), (to, low)) = (pair[0], pair[1]);
            let (lasts, falls) = (to - from, high - low);
            assert!((lasts - period).abs() < 5e-4, "{name} at {step}: {lasts} s");
            assert!((falls - depth).abs() < 1e-4, "{name} at {step}: {falls} m");
        }
    }
}

/// With `0.9` and `0.99` of the force that holds the box it slips by `(1 - share) (g + a) t^2/2`, with a thousandth more not.
#[test]
fn a_gripper_holds_or_lets_slip_as_coulomb_has_it() {
    let holds = 1.0 * (9.81 + 2.0) / (2.0 * 0.5);
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        for (share, slips) in [(0.9, 0.053_022), (0.99, 0.005_297), (1.001, 0.0)] {
            let [left, right] = [1.0, -1.0].map(|sign| sign * share * holds);
            let pressed = [format!("joint.0.drive.force={left}"), format!("joint.1.drive.force={right}")];
            let scenario = example("gripper", &pressed.each_ref().map(String::as_str));
            let trajectory = run(&scenario, name);
            let slipped = 0.99 - trajectory.final_state(3).position[1];
            assert!((slipped - slips).abs() < 1e-5, "{name}, {share}: {slipped}");
        }
    }
}

#[test]
fn a_heavy_top_goes_round_at_its_rate_and_does_not_nod() {
    let scenario = in_space("heavy-top", &[]);
    let rate = 3.781_085_796;
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let trajectory = run(&scenario, name);
        let end = trajectory.final_state(0).position;
        let arm = Vector3::new(end[0], end[1], end[2] - 1.0);
        let off = arm.y.atan2(arm.x) - (2.0 * rate - std::f64::consts::TAU);
        let tilt = arm.xy().norm().atan2(arm.z) - 40.0_f64.to_radians();
        assert!(off.abs() < 2e-3 && tilt.abs() < 1.5e-3, "{name}: {off} {tilt}");
    }
}

/// The angles after 0.03 s, in which the crank turns two and a half times, by the test set of stiff equations.
#[test]
fn the_squeezer_turns_as_the_test_set_has_it() {
    let truth = [15.810_771_20, 0.040_822_24, 0.524_409_97, 1.048_080_74];
    let at = |step: &str| {
        let trajectory = run(&example("squeezer", &[&format!("step={step}")]), StepperName::LCP);
        [0, 2, 4, 6].map(|body| angle(&trajectory, body, trajectory.steps.len()))
    };
    let [coarse, fine] = [at("2e-5"), at("1e-5")];
    let off = [coarse[0] - truth[0], fine[0] - truth[0]];
    assert!(off[1].abs() < 0.075 && (1.95..2.05).contains(&(off[0] / off[1])), "of first order: {off:?}");
    assert!((2.0 * off[1] - off[0]).abs() < 2e-3, "in the limit of short steps: {off:?}");
    for k in 1..4 {
        assert!((fine[k] - truth[k]).abs() < 1e-4, "{k}: {}", fine[k]);
    }
}
