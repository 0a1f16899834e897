//! Scenarios that are on a kink themselves: both sides are told, and nothing is measured against one of them.

use stickslip::{
    gradient::{
        DerivativeRule, DifferentiableModels, GradientRequest, GradientRow, GradientStudy, Method, Quality,
        default_steppers, gradient_summary, output_names,
    },
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use super::bodies::{by, plane};

/// A point that is pushed as hard as friction holds it.
const AT_THE_THRESHOLD: &str = r#"
name = "threshold"
duration = 0.2
step = 1e-3
gravity = 10.0
[ground]
friction = 0.5
[particle]
mass = 10.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]
[[push]]
force = [50.0, 0.0]
"#;

/// A disc that slides on the ground, which it touches.
const TOUCHING: &str = r#"
name = "touching"
duration = 0.05
step = 1e-3
[ground]
friction = 0.3
[[body]]
name = "disc"
shape = "disc"
size = 0.1
mass = 1.0
position = [0.0, 0.1]
velocity = [1.0, 0.0]
"#;

fn study<const D: usize>(
    scenario: &Scenario<D>,
    (steppers, methods): (Vec<StepperName>, Vec<Method>),
    inputs: &[&str],
) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    let request = request(scenario, (steppers, methods), inputs);
    GradientStudy::run(scenario, &request, &Watch::none()).expect("nobody interrupts")
}

fn request<const D: usize>(
    scenario: &Scenario<D>,
    (steppers, methods): (Vec<StepperName>, Vec<Method>),
    inputs: &[&str],
) -> GradientRequest
where
    Scenario<D>: DifferentiableModels<D>,
{
    GradientRequest {
        steppers,
        methods,
        outputs: output_names(scenario),
        inputs: inputs.iter().map(|key| key.parse().expect("it is a key")).collect(),
        kappa: 0.1,
        phases: 1,
        check: true,
    }
}

/// A one-sided difference of the place to which a stepper moves the point.
fn one_sided(scenario: &Scenario<2>, row: &GradientRow, h: f64) -> f64 {
    let end = |change: f64| {
        let beside = row.wrt.shifted(scenario, change);
        let mut stepper = beside.stepper(row.stepper).expect("it admits a point");
        simulate(&beside, stepper.as_mut()).bodies[0].states.last().expect("it moves").position[0]
    };
    (end(h) - end(0.0)) / h
}

#[test]
fn at_the_threshold_of_sticking_the_motion_has_two_gradients_and_no_bias() {
    let scenario = plane(AT_THE_THRESHOLD);
    let inputs = ["push.0.force.0", "ground.friction"];
    let methods = vec![Method::Raw, Method::Corrected];
    let study = study(&scenario, (default_steppers(&scenario), methods), &inputs);
    let place: Vec<&GradientRow> = study.rows.iter().filter(|row| row.of == "final_x").collect();
    assert!(place.len() > 12);
    for row in &place {
        assert!(row.exact.is_none() && row.bias.is_none(), "{row:?}");
    }
    for stepper in [StepperName::EXACT, StepperName::LCP, StepperName::HYBRID] {
        for row in place.iter().filter(|row| row.stepper == stepper && row.method == Method::Raw) {
            assert_eq!(row.quality, Quality::OneSided, "{row:?}");
            assert_eq!(row.finite_difference, None, "{row:?}");
            let sides = row.one_sided.expect("it has two sides");
            for (told, h) in [(sides.left, -1e-3), (sides.right, 1e-3)] {
                let own = one_sided(&scenario, row, h);
                let told = told.expect("there is a run on either side");
                assert!((told - own).abs() < 1e-6, "{row:?}: {own}");
            }
            let [left, right] = [sides.left, sides.right].map(Option::unwrap_or_default);
            assert!(left.abs().max(right.abs()) > 1e-3 && left.abs().min(right.abs()) < 1e-9, "{row:?}");
        }
    }
    let told: Vec<_> = study.without_exact.iter().map(|without| without.wrt.to_string()).collect();
    assert_eq!(told, inputs);
}

#[test]
fn off_the_threshold_there_is_one_gradient() {
    for (force, quality) in [("49.9", Quality::Zero), ("50.1", Quality::Ok)] {
        let scenario = plane(&AT_THE_THRESHOLD.replace("50.0", force));
        let steppers = vec![StepperName::LCP, StepperName::EXACT];
        let study = study(&scenario, (steppers, vec![Method::Raw]), &["push.0.force.0"]);
        assert!(study.without_exact.is_empty());
        for row in study.rows.iter().filter(|row| row.of == "final_x") {
            assert_eq!(row.quality, quality, "{row:?}");
            assert!(row.exact.is_some() && row.one_sided.is_none(), "{row:?}");
        }
    }
}

/// Whatever is lost in its impacts, it goes as far and as long: `x + mu z` slows down by `mu g` through flight, impacts
/// and sliding.
const BOUNCES: &str = r#"
name = "bounces"
duration = 2.5
step = 1e-3
[ground]
friction = 0.1
restitution = 0.6
[particle]
mass = 10.0
position = [0.0, 1.0]
velocity = [2.0, 0.0]
"#;

#[test]
fn a_derivative_that_is_nothing_is_no_kink_where_it_rounds_to_another_on_either_side() {
    let scenario = plane(BOUNCES);
    let steppers = vec![StepperName::EXACT, StepperName::LCP];
    let study = study(&scenario, (steppers, vec![Method::Raw]), &["ground.restitution"]);
    assert!(study.without_exact.is_empty(), "{:?}", study.without_exact);
    for row in &study.rows {
        assert!(row.exact.is_some_and(|exact| exact.abs() < 1e-12), "{row:?}");
        assert!(row.one_sided.is_none() && row.quality != Quality::OneSided, "{row:?}");
    }
    let request = request(&scenario, (Vec::new(), Vec::new()), &["ground.restitution"]);
    for of_stepper in
        gradient_summary(&scenario, &study, &request)["gradients"].as_array().expect("it is a list")
    {
        assert!(of_stepper["error"].is_null(), "nothing is off by a part of nothing: {of_stepper}");
    }
    let exact = study.rows.iter().filter(|row| row.stepper == StepperName::EXACT);
    assert!(exact.clone().any(|row| row.of == "stop_time"));
    for row in exact {
        assert_eq!(row.quality, Quality::Zero, "{row:?}");
    }
}

#[test]
fn a_kink_between_derivatives_that_are_small_beside_the_motion_is_one() {
    // Of `T^2/(2 m)` = 5e-8 m/N for larger forces, a metre from the origin.
    let heavy = AT_THE_THRESHOLD
        .replace("duration = 0.2", "duration = 0.01")
        .replace("mass = 10.0", "mass = 1000.0")
        .replace("[50.0, 0.0]", "[5000.0, 0.0]")
        .replace("position = [0.0, 0.0]", "position = [1.0, 0.0]");
    let study = study(&plane(&heavy), (vec![StepperName::EXACT], vec![Method::Raw]), &["push.0.force.0"]);
    let row = study.rows.iter().find(|row| row.of == "final_x").expect("it is a result");
    let sides = row.one_sided.expect("it has two sides");
    let (left, right) = sides.left.zip(sides.right).expect("there is a motion on either side");
    assert!(left == 0.0 && (right - 5e-8).abs() < 1e-12, "{row:?}");
}

/// A box that is pushed as hard as friction holds it, low enough not to tip.
const HELD_BOX: &str = r#"
name = "held"
duration = 1.0
step = 0.0625
gravity = 10.0
[ground]
friction = 0.5
[[body]]
name = "b"
shape = "box"
size = [1.0, 0.25]
mass = 1.0
position = [0.0, 0.125]
[[push]]
force = [5.0, 0.0]
"#;

/// A box that slides, and just does not tip over.
const AT_THE_THRESHOLD_OF_TIPPING: &str = r#"
name = "tip"
duration = 0.4
step = 0.01
gravity = 10.0
[ground]
friction = 0.4
[[body]]
name = "b"
shape = "box"
size = [0.4, 1.0]
mass = 1.0
position = [0.0, 0.5]
velocity = [2.0, 0.0]
"#;

#[test]
fn a_body_at_a_threshold_has_two_gradients() {
    for (text, inputs, outputs) in [
        (HELD_BOX, &["push.0.force.0", "ground.friction"][..], ["b.final_x", "b.final_vx"]),
        (AT_THE_THRESHOLD_OF_TIPPING, &["ground.friction"][..], ["b.final_angle", "b.final_spin"]),
    ] {
        let scenario = plane(text);
        let steppers = vec![StepperName::NLP, StepperName::LCP];
        let study = study(&scenario, (steppers, vec![Method::Raw]), inputs);
        let names = output_names(&scenario);
        for row in study.rows.iter().filter(|row| outputs.contains(&row.of.as_str())) {
            assert_eq!((row.quality, row.exact), (Quality::OneSided, None), "{row:?}");
            let place = names.iter().position(|name| *name == row.of).expect("it is a result");
            let end = |change: f64| {
                let beside = row.wrt.shifted(&scenario, change);
                by(DerivativeRule::Raw, &beside, row.stepper, &[]).end.values[place]
            };
            let sides = row.one_sided.expect("it has two sides");
            for (told, h) in [(sides.left, -1e-3), (sides.right, 1e-3)] {
                let own = (end(h) - end(0.0)) / h;
                let told = told.expect("there is a run on either side");
                assert!((told - own).abs() < 0.02 * own.abs().max(0.1), "{row:?}: {own}");
            }
            let [left, right] = [sides.left, sides.right].map(Option::unwrap_or_default);
            assert!(left.abs().max(right.abs()) > 0.1 && left.abs().min(right.abs()) < 1e-6, "{row:?}");
        }
    }
}

#[test]
fn contacts_that_are_there_only_at_a_touch_end_with_a_jump() {
    for (height, nearest) in [("0.1", 1e-12), ("0.1000001", -1e-7)] {
        let scenario = plane(&TOUCHING.replace("0.0, 0.1]", &format!("0.0, {height}]")));
        let steppers = vec![StepperName::LCP_ANITESCU];
        let study = study(&scenario, (steppers, vec![Method::Raw]), &["body.0.position.1"]);
        let kink = study.kinks.iter().find(|kink| kink.of == "disc.final_z").expect("there is one");
        assert!((kink.distance - nearest).abs() < 1e-11, "{kink:?}");
        let end = |change: f64| {
            let beside = kink.wrt.shifted(&scenario, change);
            by(DerivativeRule::Raw, &beside, kink.stepper, &[]).end.values[1]
        };
        let [before, behind] = [0.9, 1.1].map(|part| end(part * kink.distance));
        assert!((before - behind).abs() > 9e-6, "{before} {behind}");
        let row = study.rows.iter().find(|row| row.of == "disc.final_z").expect("there is one");
        assert_eq!(row.quality == Quality::OneSided, nearest.abs() < 1e-9, "{row:?}");
        assert_eq!(row.valid_within.map(|within| (within / nearest).abs().round()), Some(1.0), "{row:?}");
    }
}

/// A box on another, which is pressed down and would part from it without the ground.
const STACKED: &str = r#"
name = "stacked"
duration = 0.05
step = 1e-3
[ground]
friction = 0.474
[[body]]
name = "below"
shape = "box"
size = [0.3749, 0.1143]
mass = 0.7672
position = [0.0138, 0.05715]
[[body]]
name = "above"
shape = "box"
size = [0.2538, 0.1356]
mass = 1.4799
position = [0.0061, 0.1821]
[[push]]
body = "below"
force = [0.7443, -2.9138]
"#;

#[test]
fn an_overlap_that_would_be_left_alone_is_a_kink_of_what_others_hold_together_too() {
    let scenario = plane(STACKED);
    let steppers = vec![StepperName::LCP, StepperName::CONE];
    let study = study(&scenario, (steppers, vec![Method::Raw]), &["body.1.angle"]);
    let end = |stepper: StepperName, change: f64| {
        let beside = study.rows[0].wrt.shifted(&scenario, change);
        by(DerivativeRule::Raw, &beside, stepper, &[]).end.values[8]
    };
    // A corner is as deep as a millionth of what a corner is away from the middle at most.
    let within = 1e-6 * (0.1269_f64.hypot(0.0678)) / 0.1269;
    for row in study.rows.iter().filter(|row| row.of == "above.final_angle") {
        let told = row.valid_within.expect("there is a kink");
        assert!(told < 1.05 * within, "{row:?}: {within}");
        assert!(end(row.stepper, 0.9 * within).abs() < 1e-9, "it is pushed out");
        assert!(end(row.stepper, 1.2 * within).abs() > 1e-7, "it is left alone");
    }
}
