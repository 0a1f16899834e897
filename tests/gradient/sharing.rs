//! How four corners of a face share what they carry is open; where the result depends on it, its gradient says so.

use stickslip::{
    gradient::{DerivativeRule, GradientRow, Input, Method, Quality},
    scenario::Scenario,
    stepper::StepperName,
};

use super::{
    bodies::{by, space},
    support::studied,
};

/// A flat block that slides and turns, pressed on one of its corners by what pushes it.
const TURNING: &str = r#"
name = "turning"
duration = 0.06
step = 1e-3
[ground]
friction = 0.25
[[body]]
name = "block"
shape = "box"
size = [0.3, 0.2, 0.1]
mass = 1.3
position = [0.0, 0.0, 0.05001]
velocity = [1.0, 0.2, 0.0]
spin = [0.0, 0.0, 5.0]
[[push]]
body = "block"
force = [3.0, 1.0, -0.3]
torque = [0.05, 0.02, 0.03]
"#;

/// A block that is thrown, lands on a corner and then slides and turns on a face.
const THROWN: &str = r#"
name = "thrown"
duration = 0.35
step = 1e-3
[ground]
friction = 0.25
restitution = 0.1
[[body]]
name = "block"
shape = "box"
size = [0.3, 0.2, 0.1]
mass = 1.3
position = [0.0, 0.0, 0.25]
velocity = [1.0, 0.2, -0.5]
spin = [1.0, 2.0, 3.0]
orientation = [0.9, 0.1, 0.3, 0.2]
[[push]]
body = "block"
force = [3.0, 1.0, 0.3]
torque = [0.01, 0.02, 0.03]
"#;

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::CONE, StepperName::LCP];

/// Velocities and spin at the end, with respect to these.
fn figures(scenario: &Scenario<3>, stepper: StepperName, inputs: &[&str]) -> Vec<GradientRow> {
    figures_by(Method::Raw, scenario, stepper, inputs)
}

fn figures_by(
    method: Method,
    scenario: &Scenario<3>,
    stepper: StepperName,
    inputs: &[&str],
) -> Vec<GradientRow> {
    let outputs = ["vx", "vy", "wz"].map(|column| format!("block.final_{column}")).to_vec();
    let inputs: Vec<Input> = inputs.iter().map(|key| key.parse().expect("it is a key")).collect();
    studied(scenario, (stepper, &[method]), (outputs, &inputs), false).rows
}

/// A central difference of the runs of a stepper.
fn difference(scenario: &Scenario<3>, row: &GradientRow, h: f64) -> f64 {
    let end = |change: f64| {
        let beside = row.wrt.shifted(scenario, change);
        let run = by(DerivativeRule::Raw, &beside, row.stepper, &[]);
        run.end.value(&row.of).expect("it has that number")
    };
    (end(h) - end(-h)) / (2.0 * h)
}

/// By how much each figure is off the difference of the runs, as a part of it or of what is small beside the others.
fn errors(scenario: &Scenario<3>, rows: &[GradientRow], part: f64) -> Vec<f64> {
    let scaled = |row: &GradientRow| (row.gradient * row.wrt.natural_size(scenario)).abs();
    let error = |row: &GradientRow| {
        let size = row.wrt.natural_size(scenario);
        let h = (part * size).min(row.valid_within.unwrap_or(f64::INFINITY) / 3.0);
        let of_result = rows.iter().filter(|other| other.of == row.of);
        let largest = of_result.map(scaled).fold(0.0, f64::max);
        (difference(scenario, row, h) - row.gradient).abs() * size / scaled(row).max(0.02 * largest)
    };
    rows.iter().map(error).collect()
}

#[test]
fn what_is_wrong_because_loads_are_shared_otherwise_is_called_indeterminate() {
    let scenario = space(TURNING);
    let inputs = [
        "body.0.position.0",
        "body.0.velocity.0",
        "body.0.velocity.1",
        "body.0.spin.0",
        "body.0.spin.1",
        "body.0.spin.2",
        "body.0.mass",
        "ground.friction",
        "gravity",
        "push.0.force.0",
        "push.0.force.1",
        "push.0.force.2",
    ];
    let (mut wrong, mut biased) = (0, 0);
    for stepper in RIGID {
        let rows = figures(&scenario, stepper, &inputs);
        for (row, error) in rows.iter().zip(errors(&scenario, &rows, 1e-3)) {
            // One small figure is that of the runs, and another step changes it by 3 %.
            assert!([Quality::Ok, Quality::Indeterminate, Quality::Biased].contains(&row.quality), "{row:?}");
            biased += usize::from(row.quality == Quality::Biased);
            assert!(error < 0.01 || row.quality == Quality::Indeterminate, "{error}: {row:?}");
            wrong += usize::from(error > 0.01);
            // Where the block stands on a plane is no matter to anything.
            assert!(row.wrt != inputs[0].parse().unwrap() || row.quality == Quality::Ok, "{row:?}");
        }
    }
    assert!(wrong > 5, "{wrong}");
    assert!(biased <= RIGID.len(), "{biased}");
}

/// There is nothing to correct, and another step changes one figure by 3 %.
#[test]
fn one_figure_has_one_verdict_by_the_steps_and_corrected() {
    let scenario = space(TURNING);
    let inputs = ["body.0.velocity.0", "body.0.spin.2", "ground.friction", "push.0.force.1"];
    for stepper in RIGID {
        let [raw, corrected] =
            [Method::Raw, Method::Corrected].map(|method| figures_by(method, &scenario, stepper, &inputs));
        assert_eq!((raw.len(), corrected.len()), (12, 12));
        for (raw, corrected) in raw.iter().zip(&corrected) {
            assert!((raw.gradient - corrected.gradient).abs() < 1e-9, "{raw:?} {corrected:?}");
            assert_eq!(raw.quality, corrected.quality, "{raw:?} {corrected:?}");
        }
        assert!(raw.iter().any(|row| row.quality == Quality::Biased), "{stepper}: {raw:?}");
    }
}

#[test]
fn a_throw_that_ends_turning_on_a_face_is_told_where_it_is_off() {
    let scenario = space(THROWN);
    for (stepper, key) in [
        (StepperName::NLP, "body.0.velocity.1"),
        (StepperName::CONE, "body.0.velocity.1"),
        (StepperName::CONE, "ground.restitution"),
    ] {
        let rows = figures(&scenario, stepper, &[key]);
        let spin = &rows[2];
        let off = difference(&scenario, spin, 1e-5) / spin.gradient - 1.0;
        assert!(off.abs() > 3e-3, "{stepper} {key}: {off}");
        assert_eq!(spin.quality, Quality::Indeterminate, "{stepper} {key}");
        assert!(spin.otherwise_shared.is_some_and(|other| (other / spin.gradient - 1.0).abs() > 2e-3));
    }
}

#[test]
fn a_face_that_does_not_turn_or_turns_on_the_spot_has_its_gradients() {
    let straight = TURNING.replace("[0.0, 0.0, 5.0]", "[0.0, 0.0, 0.0]").replace("torque", "# torque");
    let centred = |text: &str| text.replace("force = [3.0, 1.0, -0.3]", "force = [0.0, 0.0, -0.3]");
    let on_the_spot = centred(&TURNING.replace("velocity = [1.0, 0.2, 0.0]", "velocity = [0.0, 0.0, 0.0]"))
        .replace("torque", "# torque")
        .replace("[0.3, 0.2, 0.1]", "[0.2, 0.2, 0.1]");
    for text in [straight, on_the_spot] {
        let scenario = space(&text);
        let inputs: &[&str] = &[
            "body.0.velocity.0",
            "body.0.spin.2",
            "body.0.mass",
            "ground.friction",
            "gravity",
            "push.0.force.2",
        ];
        for stepper in RIGID {
            let rows = figures(&scenario, stepper, inputs);
            assert!(rows.iter().any(|row| row.quality == Quality::Ok && row.gradient.abs() > 0.1));
            for (row, error) in rows.iter().zip(errors(&scenario, &rows, 1e-5)) {
                assert!([Quality::Ok, Quality::Zero].contains(&row.quality), "{row:?}");
                assert_eq!(row.otherwise_shared, None, "{row:?}");
                assert!(error < 2e-3, "{error}: {row:?}");
            }
        }
    }
}
