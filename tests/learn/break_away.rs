//! Friction at rest from recorded tests of break-away: bodies that were put down on slopes, and loads that were raised.

use stickslip::{
    fit::{Basis, FitOutcome, FitTask, fit},
    predict::{RecordedState, Recording, Start, Toss},
    random::Random,
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

const G: f64 = 9.81;
/// At rest and in motion.
const TRUTH: [f64; 2] = [0.4, 0.25];
/// Standard deviation of measured places, m.
const NOISE: f64 = 2e-4;
/// From one row to the next, s.
const ROWS: f64 = 0.01;
const HOLDING: [StepperName; 2] = [StepperName::LCP, StepperName::CONE];

fn read(text: &str) -> Scenario<2> {
    match parse_scenario("tests.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

fn law([at_rest, in_motion]: [f64; 2]) -> String {
    format!("[ground]\nfriction = {at_rest}\nkinetic_friction = {in_motion}\n")
}

/// A point at rest on the plane of that number in a valley of planes with these tangents of their slopes, which touch a wide
/// parabola.
fn on_slope(tangents: &[f64], number: usize, friction: [f64; 2]) -> Scenario<2> {
    const WIDTH: f64 = 100.0;
    let place = |tangent: f64| [WIDTH * tangent, 0.5 * WIDTH * tangent * tangent];
    let walls: Vec<String> = (tangents.iter())
        .map(|&tangent| {
            let (sin, cos) = tangent.atan().sin_cos();
            let [x, z] = place(tangent);
            format!("[[wall]]\nnormal = [{}, {cos}]\noffset = {}\n", -sin, cos * z - sin * x)
        })
        .collect();
    let [x, z] = place(tangents[number]);
    read(&format!(
        "name = \"slopes\"\nduration = 0.2\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [{x}, {z}]\nvelocity = [0.0, 0.0]\n\
         {}{}",
        law(friction),
        walls.concat()
    ))
}

/// A point on level ground under such pushes.
fn pushed(pushes: &str, duration: f64, friction: [f64; 2]) -> Scenario<2> {
    read(&format!(
        "name = \"pushed\"\nduration = {duration}\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [0.0, 0.0]\n{}{pushes}",
        law(friction)
    ))
}

/// What a stepper makes of a scenario, as it would be measured.
fn measured(scenario: &Scenario<2>, stepper: StepperName, number: usize, noise: f64) -> Toss<2> {
    let mut random = Random::seeded(17 + number as u64);
    let mut built = scenario.stepper(stepper).unwrap_or_else(|refusal| panic!("{refusal}"));
    let states = &simulate(scenario, built.as_mut()).bodies[0].states;
    let every = (ROWS / scenario.step).round() as usize;
    let rows = (0..states.len()).step_by(every).map(|k| {
        let mut state = states[k];
        // The first row is where it was put.
        if k > 0 {
            state.position = state.position.map(|place| place + random.normal(noise));
        }
        RecordedState::new(k as f64 * scenario.step, state, None)
    });
    Toss::new(number as f64, rows.collect())
}

/// Tests on slopes with these tangents, under a friction at rest of each; numbered from 1.
fn slopes(
    tangents: &[f64],
    at_rest: impl Fn(usize) -> f64,
    stepper: StepperName,
    noise: f64,
) -> Recording<2> {
    let test = |number: usize| {
        let scenario = on_slope(tangents, number, [at_rest(number), TRUTH[1]]);
        measured(&scenario, stepper, number + 1, noise)
    };
    Recording::new("slopes", (0..tangents.len()).map(test).collect())
}

/// A fit that begins at another friction.
fn fitted(
    scenario: Scenario<2>,
    recording: Recording<2>,
    stepper: StepperName,
    keys: &[&str],
) -> (FitOutcome, FitTask<2>) {
    let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    let (task, _) =
        FitTask::new(&scenario.into(), (recording, Start::Raw), stepper, &keys).expect("it can be fitted");
    (fit(&task, 1, true, &Watch::none()).expect("it can be predicted"), task)
}

const TANGENTS: [f64; 5] = [0.33, 0.36, 0.38, 0.41, 0.45];

#[track_caller]
fn assert_near(found: f64, truth: f64, near: f64) {
    assert!((found - truth).abs() <= near, "{found} for {truth}");
}

/// With and without noise: nothing is known between the third slope, which held, and the fourth.
#[test]
fn slopes_say_between_which_tangents_the_friction_is() {
    for stepper in HOLDING {
        for noise in [0.0, NOISE] {
            let recording = slopes(&TANGENTS, |_| TRUTH[0], stepper, noise);
            let guess = on_slope(&TANGENTS, 0, [0.6, TRUTH[1]]);
            let (outcome, task) = fitted(guess, recording, stepper, &["ground.friction"]);
            let friction = &outcome.parameters[0];
            let estimate = friction.verdict.expect("intervals were asked for");
            assert_eq!(outcome.basis, Basis::BreakAway, "{stepper}, {noise}: {estimate:?}");
            assert!(friction.is_determined(), "{estimate:?}");
            assert_near(estimate.interval[0], 0.38, 1e-4);
            assert_near(estimate.interval[1], 0.41, 1e-4);
            assert_near(friction.value, 0.395, 1e-4);
            let result = outcome.to_json(&task, "slopes");
            let found = &result["parameters"]["ground.friction"];
            assert_eq!(
                (&found["held"]["toss"], &found["slipped"]["toss"]),
                (&3.0.into(), &4.0.into()),
                "{found}"
            );
            assert!(found["level"].is_null(), "{found}");
            let said = outcome.conclusions(&task).concat();
            assert!(said.contains("is between 0.38 (throw 3 held) and 0.41 (throw 4 slipped)"), "{said}");
        }
    }
}

/// Weights that are added one after the other are one throw, and enough.
#[test]
fn a_load_that_is_raised_in_steps_says_between_which_it_slipped() {
    let loads = [3.4, 3.6, 3.8, 4.0];
    let pushes: Vec<String> = (loads.iter().enumerate())
        .map(|(place, load)| {
            let [from, to] = [place, place + 1].map(|place| 0.2 * place as f64);
            format!("[[push]]\nforce = [{load}, 0.0]\nfrom = {from:?}\nto = {to:?}\n")
        })
        .collect();
    for stepper in HOLDING {
        let truth = pushed(&pushes.concat(), 0.8, TRUTH);
        let recording = Recording::new("loads", vec![measured(&truth, stepper, 1, NOISE)]);
        let guess = pushed(&pushes.concat(), 0.8, [0.6, TRUTH[1]]);
        let (outcome, _) = fitted(guess, recording, stepper, &["ground.friction"]);
        let estimate = outcome.parameters[0].verdict.expect("intervals were asked for");
        assert_eq!(outcome.basis, Basis::BreakAway, "{stepper}: {estimate:?}");
        assert!(estimate.doubt.is_none(), "{stepper}: {estimate:?}");
        assert_near(estimate.interval[0], 3.8 / G, 1e-4);
        assert_near(estimate.interval[1], 4.0 / G, 1e-4);
    }
}

/// The errors are stairs, on each of which the friction of motion has another best value, and a plain above them where nothing slips.
#[test]
fn a_search_that_begins_far_from_the_load_that_slipped_comes_to_it_over_the_stairs() {
    let pushes: Vec<String> = (0..7)
        .map(|place| {
            let [from, to] = [place, place + 1].map(|place| 0.1 * f64::from(place));
            format!(
                "[[push]]\nforce = [{:?}, 0.0]\nfrom = {from:?}\nto = {to:?}\n",
                3.0 + 0.2 * f64::from(place)
            )
        })
        .collect();
    let stepper = StepperName::LCP;
    let truth = pushed(&pushes.concat(), 0.7, TRUTH);
    let recording = Recording::new("loads", vec![measured(&truth, stepper, 1, NOISE)]);
    for start in [0.33, 0.45, 0.55, 0.8] {
        for in_motion in [TRUTH[1], 0.2] {
            let guess = pushed(&pushes.concat(), 0.7, [start, in_motion]);
            let keys = ["ground.friction", "ground.kinetic_friction"];
            let (outcome, _) = fitted(guess, recording.clone(), stepper, &keys);
            let [at_rest, moving] = [0, 1].map(|place| &outcome.parameters[place]);
            let estimate = at_rest.verdict.expect("intervals were asked for");
            let case = format!("{start}, {in_motion}: {estimate:?}, {}", moving.value);
            assert!(at_rest.break_away.is_some() && estimate.doubt.is_none(), "{case}");
            assert_near(estimate.interval[0], 3.8 / G, 1e-4);
            assert_near(estimate.interval[1], 4.0 / G, 1e-4);
            assert!((moving.value - TRUTH[1]).abs() < 2e-2, "{case}");
        }
    }
}

/// Beside the friction of motion, which the slides tell with an interval of confidence.
#[test]
fn the_friction_of_motion_keeps_its_interval_of_confidence() {
    let stepper = StepperName::CONE;
    let recording = slopes(&TANGENTS, |_| TRUTH[0], stepper, NOISE);
    let guess = on_slope(&TANGENTS, 0, [0.5, 0.2]);
    let keys = ["ground.friction=0.3..0.6", "ground.kinetic_friction=0.1..0.3"];
    let (outcome, _) = fitted(guess, recording, stepper, &keys);
    let [at_rest, in_motion] = [0, 1].map(|place| &outcome.parameters[place]);
    let estimate = at_rest.verdict.expect("intervals were asked for");
    assert!(at_rest.break_away.is_some() && estimate.doubt.is_none(), "{estimate:?}");
    assert_near(estimate.interval[0], 0.38, 1e-4);
    assert_near(estimate.interval[1], 0.41, 1e-4);
    let estimate = in_motion.verdict.expect("intervals were asked for");
    assert!(
        in_motion.break_away.is_none() && !matches!(outcome.basis, Basis::BreakAway),
        "{:?}",
        outcome.basis
    );
    assert!(estimate.interval[0] <= TRUTH[1] && TRUTH[1] <= estimate.interval[1], "{estimate:?}");
    assert!(estimate.interval[1] - estimate.interval[0] < 0.01, "{estimate:?}");
}

#[test]
fn where_all_held_or_all_slipped_one_end_is_open() {
    let stepper = StepperName::LCP;
    for (tangents, open, words) in [
        ([0.3, 0.38], 1, "is at least 0.38 (throw 2 held)"),
        ([0.45, 0.42], 0, "is at most 0.42 (throw 2 slipped)"),
    ] {
        let recording = slopes(&tangents, |_| TRUTH[0], stepper, NOISE);
        let guess = on_slope(&tangents, 0, [0.6, TRUTH[1]]);
        let (outcome, task) = fitted(guess, recording, stepper, &["ground.friction"]);
        let friction = &outcome.parameters[0];
        let estimate = friction.verdict.expect("intervals were asked for");
        assert!(!friction.is_determined() && estimate.interval[open].is_infinite(), "{estimate:?}");
        assert_near(estimate.interval[1 - open], tangents[1], 1e-4);
        let said = outcome.conclusions(&task).concat();
        assert!(said.contains(words), "{said}");
    }
}

/// Friction at rest differs from test to test: one held on a steeper slope than another slipped on.
#[test]
fn tests_that_contradict_each_other_determine_nothing_and_are_named() {
    let stepper = StepperName::LCP;
    let tangents = [0.3, 0.38, 0.41, 0.45];
    let recording = slopes(&tangents, |number| [0.4, 0.37, 0.42, 0.4][number], stepper, NOISE);
    let guess = on_slope(&tangents, 0, [0.6, TRUTH[1]]);
    let (outcome, task) = fitted(guess, recording, stepper, &["ground.friction"]);
    let friction = &outcome.parameters[0];
    assert!(!friction.is_determined(), "{friction:?}");
    let said = outcome.conclusions(&task).concat();
    assert!(said.contains("Throw 3 held") && said.contains("throw 2 slipped"), "{said}");
    assert!(said.contains("differed from test to test"), "{said}");
}

/// When a load that grows evenly makes it slip is known to a row and better, and goes on with the friction: what held and what
/// slipped would be two steps after each other.
#[test]
fn a_load_that_grows_evenly_is_no_test_of_what_held_and_what_slipped() {
    let ramp = "[[push]]\ntable = [[0.0, 2.0, 0.0], [2.0, 6.0, 0.0]]\n";
    let stepper = StepperName::LCP;
    let recording = Recording::new("ramp", vec![measured(&pushed(ramp, 1.3, TRUTH), stepper, 1, NOISE)]);
    let (outcome, _) = fitted(pushed(ramp, 1.3, [0.5, TRUTH[1]]), recording, stepper, &["ground.friction"]);
    let friction = &outcome.parameters[0];
    assert!(friction.break_away.is_none(), "{friction:?}");
    assert_near(friction.value, TRUTH[0], 2e-3);
}

/// With one coefficient slides tell the friction as well, and better.
#[test]
fn slides_by_the_same_coefficient_decide_where_there_are_some() {
    let stepper = StepperName::LCP;
    let one = |friction: f64| [friction, friction];
    let test = |number: usize| measured(&on_slope(&TANGENTS, number, one(0.4)), stepper, number + 1, NOISE);
    let recording = Recording::new("slopes", (0..TANGENTS.len()).map(test).collect());
    let mut guess = on_slope(&TANGENTS, 0, one(0.3));
    guess.ground.sliding = stickslip::scenario::SlidingFriction::NONE;
    let (outcome, _) = fitted(guess, recording, stepper, &["ground.friction"]);
    let friction = &outcome.parameters[0];
    assert!(friction.break_away.is_none(), "{friction:?}");
    assert_near(friction.value, 0.4, 2e-3);
}
