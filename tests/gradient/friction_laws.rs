//! Gradients of steps whose friction depends on the slip: against differences of the same steps, against closed forms, and what
//! is said of them where friction falls at once as something breaks loose.

use stickslip::{
    gradient::{
        BodyQuantity, BodyTable, DerivativeRule, DifferentiableModels, FrictionQuantity, GradientError,
        GradientOptions, GradientStudy, Input, Method, Quality, Steps, adjoint, tangents,
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::{
    bodies::{asymmetry, by, deviation, plane, space},
    support::studied,
};

const G: f64 = 9.81;

const KINETIC: Input = Input::FrictionBeside(FrictionQuantity::Kinetic);
const STRIBECK: Input = Input::FrictionBeside(FrictionQuantity::StribeckVelocity);
const VISCOUS: Input = Input::FrictionBeside(FrictionQuantity::Viscous);

/// A law with all four numbers.
const LAW: &str =
    "[ground]\nfriction = 0.4\nkinetic_friction = 0.25\nstribeck_velocity = 0.1\nviscous_friction = 0.1\n";

/// The models of a point, or of bodies, and how far their derivatives may be off differences: by `nlp` of a point as far as
/// what IPOPT leaves over so narrow ones.
fn models(is_point: bool) -> Vec<(StepperName, f64)> {
    let mut models: Vec<_> =
        [StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONVEX, StepperName::SMOOTH]
            .map(|name| (name, 1e-5))
            .to_vec();
    models.push((StepperName::NLP, if is_point { 2e-4 } else { 1e-5 }));
    if !is_point {
        models.push((StepperName::CONE, 1e-5));
    }
    models
}

/// Half the width of differences, as a part of natural sizes: what gaps of 3 um leave of a slip bends within one.
const NARROW: f64 = 1e-7;

/// A crate of 1.5 kg that slides at `velocity` on the ground of these keys.
fn crate_at(velocity: f64, duration: f64, step: f64, ground: &str, more: &str) -> String {
    format!(
        "name = \"crate\"\nduration = {duration}\nstep = {step}\n{ground}[[body]]\nshape = \"box\"\nsize = [0.4, 0.1]\n\
         mass = 1.5\nposition = [0.0, 0.050003]\nvelocity = [{velocity}, 0.0]\n{more}"
    )
}

/// A point of 1.5 kg that slides like that.
fn point_at(velocity: f64, duration: f64, step: f64, ground: &str, more: &str) -> String {
    format!(
        "name = \"point\"\nduration = {duration}\nstep = {step}\n{ground}[particle]\nmass = 1.5\n\
         position = [0.0, 0.000003]\nvelocity = [{velocity}, 0.0]\n{more}"
    )
}

fn assert_differences<const D: usize>(scenario: &Scenario<D>, widest: f64, models: &[(StepperName, f64)])
where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs = Input::of(scenario);
    assert!(
        [Input::Friction, KINETIC, STRIBECK, VISCOUS].iter().all(|input| inputs.contains(input)),
        "{inputs:?}"
    );
    for &(name, allowed) in models {
        let off = deviation(scenario, name, widest);
        println!("{} by {name}: {off:e}", scenario.name);
        assert!(off <= allowed, "{} by {name}: {off:e}", scenario.name);
    }
}

#[test]
fn what_coasts_down_has_the_differences_of_its_steps() {
    let pushed = "[[push]]\nforce = [0.5, -1.0]\n";
    assert_differences(&plane(&crate_at(0.4, 0.06, 2e-3, LAW, "")), NARROW, &models(false));
    assert_differences(&plane(&point_at(0.4, 0.06, 2e-3, LAW, pushed)), NARROW, &models(true));
}

#[test]
fn what_coasts_down_over_a_plane_has_the_differences_of_its_steps() {
    let point = format!(
        "name = \"point\"\nduration = 0.05\nstep = 2e-3\n{LAW}[particle]\nmass = 1.5\nposition = [0.0, 0.0, 0.000003]\n\
         velocity = [0.4, 0.2, 0.0]\n[[push]]\nforce = [0.5, -0.3, -1.0]\n"
    );
    let ball = format!(
        "name = \"ball\"\nduration = 0.05\nstep = 2e-3\n{LAW}[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 0.0, 0.100003]\nvelocity = [0.5, 0.3, 0.0]\nspin = [2.0, 1.0, 1.0]\n"
    );
    let known = |name: StepperName, is_point: bool| {
        name != StepperName::LCP_ANITESCU && !(is_point && name == StepperName::LCP)
    };
    for (text, is_point) in [(point, true), (ball, false)] {
        let models: Vec<_> =
            models(is_point).into_iter().filter(|(name, _)| known(*name, is_point)).collect();
        assert_differences(&space(&text), NARROW, &models);
    }
}

#[test]
fn what_is_pushed_loose_has_the_differences_of_its_steps() {
    // What is released takes its number of the slip that a solve before left it with.
    let push = "[[push]]\nforce = [7.0, 0.5]\n";
    let on_crate = push.replace("[[push]]", "[[push]]\nbody = \"body-0\"");
    assert_differences(&plane(&crate_at(0.0, 0.03, 2e-3, LAW, &on_crate)), NARROW, &models(false));
    assert_differences(&plane(&point_at(0.0, 0.03, 2e-3, LAW, push)), NARROW, &models(true));
}

/// A mass on a belt, held by a spring, that sticks, slips off and is caught again.
const BELT: &str = r#"
name = "belt"
duration = 0.7
step = 2e-3
[[body]]
name = "mass"
shape = "box"
size = [0.2, 0.1]
mass = 1.0
position = [0.02, 0.250002]
velocity = [0.1, 0.0]
[[body]]
name = "anchor"
shape = "point"
mass = 1.0
fixed = true
position = [-0.15, 0.25]
[[spring]]
bodies = ["anchor", "mass"]
stiffness = 100.0
length = 0.15
[[wall]]
normal = [0.0, 1.0]
offset = 0.2
velocity = 0.1
[ground]
friction = 0.4
kinetic_friction = 0.25
stribeck_velocity = 0.1
viscous_friction = 0.1
"#;

#[test]
fn what_a_belt_drags_along_has_the_differences_of_its_steps() {
    // The corners of `lcp` share friction so that one has all of it: that is a kink, and there are no differences.
    assert_differences(&plane(BELT), 1e-6, &[(StepperName::NLP, 1e-5), (StepperName::CONE, 1e-4)]);
}

/// A box on a box, both of which slide, on laws of their own.
const STACK: &str = r#"
name = "stack"
duration = 0.05
step = 2e-3
[ground]
friction = 0.4
kinetic_friction = 0.25
stribeck_velocity = 0.1
viscous_friction = 0.1
[[pair]]
bodies = ["lower", "upper"]
friction = 0.3
kinetic_friction = 0.2
stribeck_velocity = 0.3
viscous_friction = 0.05
[[body]]
name = "lower"
shape = "box"
size = [0.6, 0.1]
mass = 2.0
position = [0.0, 0.050002]
velocity = [0.5, 0.0]
[[body]]
name = "upper"
shape = "box"
size = [0.2, 0.1]
mass = 1.0
position = [0.05, 0.150005]
velocity = [1.1, 0.0]
"#;

#[test]
fn two_boxes_that_slide_on_each_other_have_the_differences_of_their_steps() {
    let scenario = plane(STACK);
    let models = [(StepperName::LCP, 1e-5), (StepperName::NLP, 1e-5), (StepperName::SMOOTH, 1e-4)];
    assert_differences(&scenario, 1e-5, &models);
    let of_pair = |quantity| Input::PairFrictionBeside(0, quantity);
    let inputs = [FrictionQuantity::Kinetic, FrictionQuantity::StribeckVelocity, FrictionQuantity::Viscous]
        .map(of_pair);
    let slopes = by(DerivativeRule::Raw, &scenario, StepperName::LCP, &inputs).jacobian;
    let place = 6; // upper.final_x
    assert!(slopes[(place, 0)] < 0.0 && slopes[(place, 2)] < 0.0, "{slopes}");
}

#[test]
fn the_way_back_is_the_way_there() {
    let push = "[[push]]\nforce = [7.0, 0.5]\n";
    let on_crate = push.replace("[[push]]", "[[push]]\nbody = \"body-0\"");
    for text in [
        crate_at(0.3, 0.1, 2e-3, LAW, ""),
        crate_at(0.0, 0.03, 2e-3, LAW, &on_crate),
        point_at(0.3, 0.1, 2e-3, LAW, ""),
        point_at(0.0, 0.03, 2e-3, LAW, push),
    ] {
        for name in [StepperName::LCP, StepperName::SMOOTH] {
            let off = asymmetry(&plane(&text), name, DerivativeRule::Raw);
            assert!(off < 1e-10, "{name}: {off:e}");
        }
    }
}

/// The derivatives of result `of` with respect to these inputs.
fn slopes<const D: usize>(
    scenario: &Scenario<D>,
    rule: DerivativeRule,
    of: &str,
    inputs: &[Input],
) -> (f64, Vec<f64>)
where
    Scenario<D>: DifferentiableModels<D>,
{
    let all = by(rule, scenario, StepperName::LCP, inputs);
    let place = all.end.place(of).unwrap_or_else(|| panic!("no {of} in {:?}", all.end.names));
    (all.end.values[place], all.jacobian.row(place).iter().copied().collect())
}

fn assert_near(found: &[f64], expected: &[f64], relative: f64) {
    for (found, expected) in found.iter().zip(expected) {
        let off = (found - expected).abs() / expected.abs().max(1e-3);
        assert!(off <= relative, "{found} is not {expected}: off by {off:e}");
    }
}

/// x = v^2/(2 mu_k g), t = v/(mu_k g), whatever mu_s.
#[test]
fn a_slide_to_the_end_has_the_gradient_of_its_closed_form() {
    const GROUND: &str = "[ground]\nfriction = 0.4\nkinetic_friction = 0.25\n";
    let (v, mu) = (1.3, 0.25);
    let point = plane(&point_at(v, 0.7, 2e-4, GROUND, ""));
    let inputs = [Input::Velocity(0), KINETIC, Input::Gravity, Input::Friction];
    let at = [v / (mu * G), -v * v / (2.0 * mu * mu * G), -v * v / (2.0 * mu * G * G), 0.0];
    for rule in [DerivativeRule::Raw, DerivativeRule::Corrected] {
        assert_near(&slopes(&point, rule, "final_x", &inputs).1, &at, 2e-3);
        let (time, of_time) = slopes(&point, rule, "stop_time", &inputs);
        assert_near(&[time], &[v / (mu * G)], 1e-3);
        assert_near(&of_time, &[1.0 / (mu * G), -v / (mu * mu * G), -v / (mu * G * G), 0.0], 2e-3);
    }
    let crate_ = plane(&crate_at(v, 0.7, 1e-3, GROUND, ""));
    let velocity = Input::OfBody(BodyTable::Body, 0, BodyQuantity::Velocity(0));
    let inputs = [velocity, KINETIC, Input::Gravity, Input::Friction];
    assert_near(&slopes(&crate_, DerivativeRule::Raw, "body-0.final_x", &inputs).1, &at, 5e-3);
}

/// t = ln(1 + c v/mu)/(c g), x = (v - (mu/c) ln(1 + c v/mu))/(c g).
#[test]
fn a_slide_that_grows_viscous_has_the_gradient_of_its_closed_form() {
    let (v, mu, c) = (2.0, 0.2, 0.5);
    let ground = format!("[ground]\nfriction = {mu}\nviscous_friction = {c}\n");
    let point = plane(&point_at(v, 0.5, 1e-4, &ground, ""));
    let inputs = [Input::Velocity(0), Input::Friction, VISCOUS];
    let log = (1.0 + c * v / mu).ln();
    let (by_v, by_mu, by_c) = (c / (mu + c * v), -c * v / (mu * (mu + c * v)), v / (mu + c * v));
    let of_time = [by_v / (c * G), by_mu / (c * G), by_c / (c * G) - log / (c * c * G)];
    let place = (v - mu / c * log) / (c * G);
    let of_place = [
        (1.0 - mu / c * by_v) / (c * G),
        (-log / c - mu / c * by_mu) / (c * G),
        (mu / (c * c) * log - mu / c * by_c) / (c * G) - place / c,
    ];
    for rule in [DerivativeRule::Raw, DerivativeRule::Corrected] {
        let (x, of_x) = slopes(&point, rule, "final_x", &inputs);
        assert_near(&[x], &[place], 1e-3);
        assert_near(&of_x, &of_place, 5e-3);
        let (time, slopes) = slopes(&point, rule, "stop_time", &inputs);
        assert_near(&[time], &[log / (c * G)], 1e-3);
        assert_near(&slopes, &of_time, 5e-3);
    }
}

fn study<const D: usize>(
    stepper: StepperName,
    scenario: &Scenario<D>,
    of: &str,
    inputs: &[Input],
    methods: &[Method],
) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    studied(scenario, (stepper, methods), (vec![of.to_owned()], inputs), false)
}

/// A push F = 2.9 N/s t breaks a crate of 1.5 kg loose at t_b = mu_s m g/2.9 s, and then v = (F t/2 - ..)/m. Steps know of mu_s
/// nothing but when, and only to the step.
#[test]
fn where_friction_falls_at_once_the_break_is_corrected_and_the_steps_are_called_biased() {
    const GROUND: &str = "[ground]\nfriction = 0.4\nkinetic_friction = 0.25\n";
    let (mass, rate, end) = (1.5, 2.9, 2.5);
    let push =
        format!("[[push]]\nbody = \"body-0\"\ntable = [[0.0, 0.0, 0.0], [5.0, {}, 0.0]]\n", 5.0 * rate);
    let pushed = plane(&crate_at(0.0, end, 2e-3, GROUND, &push));
    let weight = mass * G;
    let (broke, falls) = (0.4 * weight / rate, -0.15 * weight);
    let inputs = [Input::Friction, KINETIC, Input::Gravity];
    // dv = -a dt_b, and what mu_k takes from then on.
    let of_mu_k = -G * (end - broke);
    let expected =
        [falls * weight / rate / mass, of_mu_k, falls * (0.4 * mass / rate) / mass - 0.25 * (end - broke)];
    let of = "body-0.final_vx";
    let (_, raw) = slopes(&pushed, DerivativeRule::Raw, of, &inputs);
    assert!(raw[0].abs() < 1e-6, "the steps change with mu_s: {}", raw[0]);
    assert_near(&slopes(&pushed, DerivativeRule::Corrected, of, &inputs).1, &expected, 5e-3);
    // The way back does not have the steps before.
    let weight = vec![1.0; 6];
    let (steps, options) = (Steps::by(StepperName::LCP), GradientOptions::of(&pushed));
    let back =
        adjoint(&pushed, steps, DerivativeRule::Corrected, (&inputs, &weight), &options, &Watch::none());
    assert!(matches!(back, Err(GradientError::NoDerivative(_))), "{back:?}");
    for name in [StepperName::LCP, StepperName::NLP, StepperName::CONE] {
        let study = study(name, &pushed, of, &inputs, &[Method::Raw, Method::Corrected]);
        assert!(study.left_out.is_empty(), "{:?}", study.left_out);
        for row in &study.rows {
            let is_missed = row.method == Method::Raw && row.wrt != KINETIC;
            let expected = if is_missed { Quality::Biased } else { Quality::Ok };
            assert_eq!(row.quality, expected, "{name} {} {}: {}", row.method, row.wrt, row.gradient);
        }
    }
}

/// Steps that jump over the fall of friction have some derivative, and it is that of nothing.
#[test]
fn a_fall_within_a_step_is_not_called_right() {
    const GROUND: &str = "[ground]\nfriction = 0.4\nkinetic_friction = 0.25\nstribeck_velocity = 1e-6\n";
    let push = "[[push]]\nbody = \"body-0\"\ntable = [[0.0, 5.0, 0.0], [5.0, 19.5, 0.0]]\n";
    let pushed = plane(&crate_at(0.0, 0.4, 2e-3, GROUND, push));
    let both = [Method::Raw, Method::Corrected];
    let study = study(StepperName::LCP, &pushed, "body-0.final_vx", &[Input::Friction], &both);
    assert!(study.left_out.iter().any(|left| left.method == Method::Corrected), "{:?}", study.left_out);
    assert!(
        study.rows.iter().all(|row| !matches!(row.quality, Quality::Ok | Quality::Zero)),
        "{:?}",
        study.rows
    );
}

/// The same of a point, whose push swings: F = A sin(w t), until it would turn.
#[test]
fn a_point_that_breaks_loose_is_corrected_too() {
    const GROUND: &str = "[ground]\nfriction = 0.4\nkinetic_friction = 0.25\n";
    let (mass, size, frequency, end) = (1.5, 12.0, 0.25, 1.0);
    let push = format!("[[push]]\nforce = [{size}, 0.0]\nfrequency = {frequency}\n");
    let pushed = plane(&point_at(0.0, end, 1e-3, GROUND, &push));
    let w = std::f64::consts::TAU * frequency;
    let weight = mass * G;
    let broke = (0.4 * weight / size).asin() / w;
    let later = weight / (size * w * (w * broke).cos());
    let expected = [-0.15 * weight / mass * later, -G * (end - broke)];
    let inputs = [Input::Friction, KINETIC];
    let (v, corrected) = slopes(&pushed, DerivativeRule::Corrected, "final_vx", &inputs);
    let exact = (size / w * ((w * broke).cos() - (w * end).cos()) - 0.25 * weight * (end - broke)) / mass;
    assert_near(&[v], &[exact], 2e-3);
    assert_near(&corrected, &expected, 5e-3);
    let study = study(StepperName::LCP, &pushed, "final_vx", &inputs, &[Method::Raw, Method::Corrected]);
    let verdicts: Vec<_> = study.rows.iter().map(|row| (row.method, row.wrt, row.quality)).collect();
    assert!(verdicts.contains(&(Method::Raw, Input::Friction, Quality::Biased)), "{verdicts:?}");
    assert!(verdicts.contains(&(Method::Corrected, Input::Friction, Quality::Ok)), "{verdicts:?}");
    assert!(verdicts.contains(&(Method::Raw, KINETIC, Quality::Ok)), "{verdicts:?}");
}

#[test]
fn numbers_at_the_edge_of_their_range_are_refused() {
    let edges = [
        ("friction = 0.4\nkinetic_friction = 0.4\nviscous_friction = 0.1\n", vec![Input::Friction, KINETIC]),
        ("friction = 0.4\nkinetic_friction = 0.0\n", vec![KINETIC]),
        ("friction = 0.4\nkinetic_friction = 0.1\nstribeck_velocity = 0.0\n", vec![STRIBECK]),
        ("friction = 0.4\nviscous_friction = 0.0\n", vec![VISCOUS]),
        ("friction = 0.4\n", vec![KINETIC, STRIBECK, VISCOUS]),
    ];
    for (keys, refused) in edges {
        let scenario = plane(&point_at(1.0, 0.1, 1e-3, &format!("[ground]\n{keys}"), ""));
        for input in refused {
            assert!(input.check(&scenario).is_err(), "{input} with {keys}");
        }
    }
    assert_eq!("ground.kinetic_friction".parse(), Ok(KINETIC));
    assert_eq!(
        "pair.2.viscous_friction".parse(),
        Ok(Input::PairFrictionBeside(2, FrictionQuantity::Viscous))
    );
}

/// The gradient of the exact motion knows one coefficient, and is no truth for two.
#[test]
fn the_exact_motion_of_one_coefficient_is_not_taken_for_that_of_two() {
    let point = plane(&point_at(1.0, 0.1, 1e-3, LAW, ""));
    let (steps, options) = (Steps::by(StepperName::EXACT), GradientOptions::of(&point));
    let by_exact = tangents(&point, steps, DerivativeRule::Raw, &[Input::Friction], &options, &Watch::none());
    assert!(matches!(by_exact, Err(GradientError::Refused(_))), "{by_exact:?}");
}

/// A push from a table pushes a point in its gradient as in its run: F = 3 t on 1.5 kg with mu = 0.1 slides from
/// t_b = mu m g/3 on, by x = (T - t_b)^3/3 and what m g takes.
#[test]
fn a_point_is_pushed_by_a_table() {
    let push = "[[push]]\ntable = [[0.0, 0.0, 0.0], [5.0, 15.0, 0.0]]\n";
    let pushed = plane(&point_at(0.0, 1.0, 1e-3, "[ground]\nfriction = 0.1\n", push));
    let late = 1.0 - 0.1 * 1.5 * G / 3.0;
    let (x, of_x) = slopes(&pushed, DerivativeRule::Raw, "final_x", &[Input::Friction]);
    assert_near(&[x], &[late.powi(3) / 3.0], 1e-2);
    assert_near(&of_x, &[-late * late * 0.5 * G], 1e-2);
    let study = study(StepperName::LCP, &pushed, "final_x", &[Input::Friction], &[Method::Raw]);
    let [row] = study.rows.as_slice() else { panic!("one row") };
    assert_eq!((row.exact, row.quality), (None, Quality::Ok), "{row:?}");
}
