//! What the rows of a study say of a gradient beside its value.

use stickslip::{
    gradient::{
        BIAS_LIMIT, DifferentiableModels, GradientRequest, GradientStudy, Input, Method, Quality, deviations,
        output_names,
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::bodies::{DISC, LANDING_BOX, plane};

fn study<const D: usize>(scenario: &Scenario<D>, methods: &[Method]) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    with_respect_to(&Input::of(scenario), scenario, StepperName::LcpStewartTrinkle, methods)
}

fn with_respect_to<const D: usize>(
    inputs: &[Input],
    scenario: &Scenario<D>,
    stepper: StepperName,
    methods: &[Method],
) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    let request = GradientRequest {
        steppers: vec![stepper],
        methods: methods.to_vec(),
        outputs: output_names(scenario),
        inputs: inputs.to_vec(),
        kappa: 0.1,
        phases: 1,
        check: false,
    };
    GradientStudy::run(scenario, &request, &Watch::none()).expect("nobody interrupts")
}

const BOUNCE: &str = r#"
name = "bounce"
duration = 0.3
step = 1e-3
[particle]
mass = 1.0
position = [0.0, 0.1]
velocity = [1.0, 0.0]
[ground]
friction = 0.2
restitution = 0.5
"#;

#[test]
fn a_gradient_is_valid_up_to_the_nearest_kink() {
    for text in [BOUNCE, DISC, LANDING_BOX] {
        let study = study(&plane(text), &[Method::Raw]);
        let mut seen = 0;
        for row in &study.rows {
            let mut kinks = study.kinks.iter().filter(|kink| kink.wrt == row.wrt && kink.of == row.of);
            if let Some(kink) = kinks.next() {
                assert_eq!(row.valid_within, Some(kink.distance.abs()), "{} {}", row.of, row.wrt);
                seen += 1;
            }
        }
        assert!(seen >= 10, "{seen} kinks of {text}");
    }
}

/// The corrected gradient is itself only what the raw one is held against where nothing better is known.
#[test]
fn every_gradient_of_bodies_is_held_against_that_of_the_exact_motion_where_it_is_known() {
    let scenario = plane(DISC);
    let with = |inputs: &[Input], methods: &[Method]| {
        with_respect_to(inputs, &scenario, StepperName::LcpStewartTrinkle, methods)
    };
    let mut inputs = Input::of(&scenario);
    inputs.retain(|&input| with(&[input], &[Method::Raw]).rows.iter().all(|row| row.exact.is_some()));
    assert!(inputs.len() >= 5, "{inputs:?}");
    let sizes: Vec<f64> = inputs.iter().map(|input| input.natural_size(&scenario)).collect();
    let study = with(&inputs, &[Method::Raw, Method::Corrected]);
    assert!(study.distinct(|row| row.method).len() == 2 && study.left_out.is_empty());
    for rows in study.rows.chunks(inputs.len()) {
        let gradient: Vec<f64> = rows.iter().map(|row| row.gradient).collect();
        let exact: Vec<f64> = rows.iter().map(|row| row.exact.expect("it is known")).collect();
        for (row, expected) in rows.iter().zip(deviations(&gradient, &exact, &sizes)) {
            assert_eq!(row.bias, Some(expected), "{} {} {}", row.method, row.of, row.wrt);
        }
    }
}

#[test]
fn a_gradient_of_bodies_that_is_off_is_called_biased() {
    let study = study(&plane(LANDING_BOX), &[Method::Raw]);
    let off: Vec<_> =
        study.rows.iter().filter(|row| row.bias.is_some_and(|bias| bias > BIAS_LIMIT)).collect();
    assert!(off.len() >= 5, "{} of {}", off.len(), study.rows.len());
    assert!(off.iter().all(|row| row.quality == Quality::Biased), "{off:?}");
    let right = study.rows.iter().filter(|row| row.bias.is_some_and(|bias| bias < BIAS_LIMIT));
    assert!(right.clone().count() > 0 && right.clone().all(|row| row.quality != Quality::Biased));
}

/// A disc flies to and fro between two that are fixed: each bounce takes it several times as far off its line.
#[test]
fn gradients_of_bodies_that_grow_from_bounce_to_bounce_explode() {
    let scenario = plane(
        r#"
name = "billiard"
duration = 1.0
step = 1e-3
gravity = 0.0
[ground]
friction = 0.0
restitution = 1.0
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [-0.3, 1.0]
fixed = true
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.3, 1.0]
fixed = true
[[body]]
shape = "disc"
size = 0.05
mass = 1.0
position = [0.0, 1.0]
velocity = [6.0, 0.0]
"#,
    );
    let study = study(&scenario, &[Method::Raw]);
    let exploding = study.rows.iter().filter(|row| row.quality == Quality::Exploding).count();
    assert!(exploding > 0, "{:?}", study.rows);
}

/// It is pushed by less than friction holds: nothing depends on how much that is.
#[test]
fn a_gradient_of_bodies_that_points_nowhere_is_called_zero() {
    let scenario = plane(
        r#"
name = "held"
duration = 0.05
step = 1e-3
[ground]
friction = 0.3
[[body]]
shape = "box"
size = [0.4, 0.2]
mass = 2.0
position = [0.0, 0.1]
[[push]]
body = "body-0"
force = [1.0, 0.0]
"#,
    );
    let study = study(&scenario, &[Method::Raw]);
    let of_friction: Vec<_> = study.rows.iter().filter(|row| row.wrt == Input::Friction).collect();
    assert!(!of_friction.is_empty());
    for row in of_friction {
        assert_eq!((row.gradient, row.quality), (0.0, Quality::Zero), "{}", row.of);
    }
}

#[test]
fn an_exact_gradient_that_points_nowhere_is_called_zero() {
    let scenario = plane(
        r#"
name = "at-rest"
duration = 0.05
step = 1e-3
[particle]
mass = 1.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]
[ground]
friction = 0.3
[[push]]
force = [1.0, 0.0]
"#,
    );
    let inputs = [Input::Friction, Input::Position(0)];
    let study = with_respect_to(&inputs, &scenario, StepperName::Exact, &[Method::Raw]);
    assert!(!study.rows.is_empty() && study.left_out.is_empty());
    for row in &study.rows {
        let expected = if row.wrt == Input::Friction { Quality::Zero } else { Quality::Ok };
        assert_eq!(row.quality, expected, "{} by {}", row.of, row.wrt);
    }
}
