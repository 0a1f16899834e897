//! Gradients that are those of the steps themselves, where steps are hard to follow: against differences of the same steps.

use stickslip::{
    gradient::{
        BodyQuantity, BodyTable, DerivativeRule, DifferentiableModels, GradientOptions, GradientRow, Input,
        Method, Quality, RunEnd, Steps, tangents,
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::{
    bodies::{plane, space},
    support::studied,
};

/// The end of a run, without derivatives.
fn end<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> RunEnd
where
    Scenario<D>: DifferentiableModels<D>,
{
    let options = GradientOptions::of(scenario);
    let run = tangents(scenario, Steps::by(name), DerivativeRule::Raw, &[], &options, &Watch::none());
    run.expect("a run").end
}

/// Asserts that the raw gradients of these results are their central differences over `change` of the natural size, to `allowed` of
/// the larger of the two and the least that counts.
fn assert_own_slopes<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    inputs: &[Input],
    results: &[&str],
    [change, allowed, least]: [f64; 3],
) where
    Scenario<D>: DifferentiableModels<D>,
{
    let options = GradientOptions::of(scenario);
    let run = tangents(scenario, Steps::by(name), DerivativeRule::Raw, inputs, &options, &Watch::none());
    let run = run.expect("a gradient");
    for (index, input) in inputs.iter().enumerate() {
        let by = change * input.natural_size(scenario);
        let [after, before] = [by, -by].map(|by| end(&input.shifted(scenario, by), name));
        for of in results {
            let own = run.gradient(of).expect("a gradient")[index];
            let value = |end: &RunEnd| end.value(of).expect("a result");
            let difference = (value(&after) - value(&before)) / (2.0 * by);
            let size = own.abs().max(difference.abs()).max(least);
            assert!(
                (own - difference).abs() < allowed * size,
                "{of} by {input} ({name}): {own} for {difference}"
            );
        }
    }
}

fn position(body: usize, axis: usize) -> Input {
    Input::OfBody(BodyTable::Body, body, BodyQuantity::Position(axis))
}

fn velocity(body: usize, axis: usize) -> Input {
    Input::OfBody(BodyTable::Body, body, BodyQuantity::Velocity(axis))
}

fn mass(body: usize) -> Input {
    Input::OfBody(BodyTable::Body, body, BodyQuantity::Mass)
}

/// A ball that slides and spins over the ground, and hits one at rest beside its middle.
fn balls(start: f64, spin: f64, duration: f64) -> Scenario<3> {
    space(&format!(
        "name = \"pairs\"\nduration = {duration}\nstep = 1e-3\n[ground]\nfriction = 0.2\n[[body]]\nname = \"a\"\n\
         shape = \"sphere\"\nsize = 0.1\nmass = 1.0\nposition = [{start}, 0.0, 0.1]\nvelocity = [1.68, 0.0, 0.0]\n\
         spin = [0.0, {spin}, 0.0]\n[[body]]\nname = \"b\"\nshape = \"sphere\"\nsize = 0.1\nmass = 2.0\n\
         position = [0.5, 0.03, 0.1]\n[[pair]]\nbodies = [\"a\", \"b\"]\nfriction = 0.1\nrestitution = 0.7\n"
    ))
}

/// Until they meet within a step the ball turns by a part of it, and with that the rows by which it sees the blow.
#[test]
fn what_turns_on_its_way_to_a_blow_has_the_slope_of_its_steps() {
    let results =
        ["a.final_vx", "a.final_vy", "a.final_wx", "a.final_wy", "a.final_wz", "b.final_wx", "b.final_wz"];
    let inputs = [position(0, 1), velocity(0, 0), velocity(0, 1), Input::Friction];
    for (start, spin, duration) in
        [(0.301, 8.05, 0.002), (0.301, 0.0, 0.002), (0.3, -6.0, 0.02), (0.27, 0.0, 0.06)]
    {
        let scenario = balls(start, spin, duration);
        for name in [StepperName::CONE, StepperName::NLP] {
            assert_own_slopes(&scenario, name, &inputs, &results, [1e-5, 2e-4, 0.1]);
        }
    }
}

/// A box that tips over and comes to lie: two corners share the friction, and that one of them gives all of its share says nothing
/// of whether the box slides.
const TIPPING: &str = r#"
name = "tipping"
duration = 0.5
step = 1e-3
[ground]
friction = 0.6
[[body]]
name = "b"
shape = "box"
size = [0.1, 0.4]
mass = 2.0
position = [0.0, 0.2]
velocity = [1.0, 0.0]
"#;

#[test]
fn a_box_that_comes_to_lie_on_two_soft_corners_has_the_slope_of_its_steps() {
    let results = ["b.final_spin", "b.final_angle", "b.final_x"];
    let inputs = [velocity(0, 0), Input::Gravity, Input::Friction];
    for duration in [0.494, 0.496, 0.5, 0.51] {
        let scenario = Scenario { duration, ..plane(TIPPING) };
        assert_own_slopes(&scenario, StepperName::SMOOTH, &inputs, &results, [1e-8, 0.01, 0.01]);
    }
    for row in study(&plane(TIPPING), StepperName::SMOOTH, &inputs, &results) {
        assert_ne!(row.quality, Quality::OneSided, "{row:?}");
    }
}

fn study<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    inputs: &[Input],
    results: &[&str],
) -> Vec<GradientRow>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let results = results.iter().map(|of| (*of).to_owned()).collect();
    studied(scenario, (name, &[Method::Raw]), (results, inputs), true).rows
}

/// Of equal masses the one that strikes stops. A little heavier it follows what it struck, and a little lighter it bounces.
#[test]
fn a_blow_that_stops_what_strikes_is_a_kink() {
    let disc = |name: &str, start: f64, rest: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [{start}, 0.1]\n{rest}"
        )
    };
    let text = format!(
        "name = \"cradle\"\nduration = 0.2\nstep = 1e-3\n[ground]\nfriction = 0.0\nrestitution = 1.0\n{}{}{}{}",
        disc("striker", -0.05, "velocity = [1.0, 0.0]\n"),
        disc("body-1", 0.2, ""),
        disc("body-2", 0.4, ""),
        disc("body-3", 0.6, ""),
    );
    let (scenario, results) = (plane(&text), ["striker.final_vx", "body-1.final_vx"]);
    let inputs = [mass(0), mass(1)];
    let change = 1e-4;
    let here = end(&scenario, StepperName::LCP);
    for row in study(&scenario, StepperName::LCP, &inputs, &results) {
        let slope = |change: f64| {
            let beside = end(&row.wrt.shifted(&scenario, change), StepperName::LCP);
            (beside.value(&row.of).unwrap() - here.value(&row.of).unwrap()) / change
        };
        let (left, right) = (slope(-change), slope(change));
        if (left - right).abs() < 1e-3 {
            assert!((row.gradient - left).abs() < 1e-3, "{row:?}: {left}");
            continue;
        }
        assert_eq!(row.quality, Quality::OneSided, "{row:?}: {left} and {right}");
        let sides = row.one_sided.expect("two sides");
        let [own_left, own_right] = [sides.left, sides.right].map(|side| side.expect("a run to each side"));
        assert!(
            (own_left - left).abs() < 1e-3 && (own_right - right).abs() < 1e-3,
            "{row:?}: {left}, {right}"
        );
    }
}
