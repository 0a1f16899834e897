//! What the rows of a study say of a gradient beside its value.

use stickslip::{
    gradient::{
        BIAS_LIMIT, BodyQuantity, BodyTable, DifferentiableModels, GradientRequest, GradientRow,
        GradientStudy, Input, KinkKind, Method, OneSided, Quality, Reference, deviations, output_names,
    },
    scenario::Scenario,
    stepper::{StepperName, derivative::MarginKind},
    watch::Watch,
};

use crate::{
    bodies::{DISC, LANDING_BOX, plane, space},
    support::studied,
};

fn study<const D: usize>(scenario: &Scenario<D>, methods: &[Method]) -> GradientStudy
where
    Scenario<D>: DifferentiableModels<D>,
{
    with_respect_to(&Input::of(scenario), scenario, StepperName::LCP, methods)
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
    studied(scenario, (stepper, methods), (output_names(scenario), inputs), false)
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
    let with =
        |inputs: &[Input], methods: &[Method]| with_respect_to(inputs, &scenario, StepperName::LCP, methods);
    let mut inputs = Input::of(&scenario);
    inputs.retain(|&input| with(&[input], &[Method::Raw]).rows.iter().all(|row| row.exact.is_some()));
    assert!(inputs.len() >= 5, "{inputs:?}");
    let sizes: Vec<f64> = inputs.iter().map(|input| input.natural_size(&scenario)).collect();
    let study = with(&inputs, &[Method::Raw, Method::Corrected]);
    assert!(study.distinct(|row| row.method).len() == 2 && study.left_out.is_empty());
    for rows in study.rows.chunks(inputs.len()) {
        let gradient: Vec<f64> = rows.iter().map(|row| row.gradient).collect();
        let exact: Vec<f64> = rows.iter().map(|row| row.exact.expect("it is known")).collect();
        for (row, expected) in rows.iter().zip(deviations(&gradient, &exact, &sizes, Reference::Motion)) {
            assert_eq!(row.bias, Some(expected), "{} {} {}", row.method, row.of, row.wrt);
        }
    }
}

/// A verdict on a figure that is more than a five-hundredth of the others says the same whether these were asked for or not.
#[test]
fn what_a_gradient_is_worth_does_not_depend_on_which_others_are_asked_for() {
    let text = format!("{BOUNCE}slope = 0.05\n");
    let scenario = plane(&text);
    let (all, slope) = (Input::of(&scenario), [Input::Slope]);
    assert!(all.len() >= 5 && all.contains(&Input::Slope), "{all:?}");
    let mut seen = 0;
    for step in [1e-3, 4e-3, 1e-2] {
        let scenario = Scenario { step, ..scenario.clone() };
        let by = |inputs: &[Input]| with_respect_to(inputs, &scenario, StepperName::LCP, &[Method::Raw]).rows;
        let (all, slope) = (by(&all), by(&slope));
        for alone in &slope {
            let same = |row: &&GradientRow| row.of == alone.of && row.wrt == Input::Slope;
            let beside = all.iter().find(same).expect("it was asked for");
            let largest = all.iter().filter(|row| row.of == alone.of);
            let largest = largest.map(|row| row.gradient.abs() * row.wrt.natural_size(&scenario));
            if alone.gradient.abs() > largest.fold(0.0, f64::max) / 400.0 {
                assert_eq!(alone.quality, beside.quality, "{step}: {}", alone.of);
                seen += 1;
            }
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn all_steps_are_done_at_the_end_whatever_is_left_out() {
    for text in [BOUNCE, DISC] {
        let scenario = plane(text);
        let request = GradientRequest {
            steppers: vec![StepperName::EXACT, StepperName::LCP],
            methods: vec![Method::Raw, Method::Corrected],
            outputs: output_names(&scenario),
            inputs: Input::of(&scenario)[..1].to_vec(),
            kappa: 0.1,
            phases: 1,
            check: false,
        };
        let watch = Watch::none();
        GradientStudy::run(&scenario, &request, &watch).expect("nobody interrupts");
        assert_eq!(watch.done(), request.most_steps(&scenario));
    }
}

/// Where the steps are long the corrected gradient is as far off the motion as the raw one: that is not `ok`.
#[test]
fn a_gradient_of_a_point_that_is_off_the_exact_one_is_called_biased() {
    let mut seen = 0;
    for step in [2e-3, 1e-2, 3e-2] {
        let scenario = Scenario { step, ..plane(BOUNCE) };
        let study = study(&scenario, &[Method::Raw, Method::Corrected]);
        for row in study.rows.iter().filter(|row| row.quality == Quality::Ok) {
            let Some(exact) = row.exact else { continue };
            let size = row.wrt.natural_size(&scenario);
            let entries = study.rows.iter().filter(|other| other.of == row.of && other.method == row.method);
            let largest = entries
                .filter_map(|other| Some(other.exact?.abs() * other.wrt.natural_size(&scenario)))
                .fold(0.0, f64::max);
            let allowed = BIAS_LIMIT * (exact.abs() * size).max(largest / 500.0);
            let off = (row.gradient - exact).abs() * size;
            assert!(off <= allowed + 1e-8, "{step}: {} {} {}: {off} {exact}", row.method, row.of, row.wrt);
            seen += 1;
        }
    }
    assert!(seen >= 10, "{seen}");
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
    let study = with_respect_to(&inputs, &scenario, StepperName::EXACT, &[Method::Raw]);
    assert!(!study.rows.is_empty() && study.left_out.is_empty());
    for row in &study.rows {
        let expected = if row.wrt == Input::Friction { Quality::Zero } else { Quality::Ok };
        assert_eq!(row.quality, expected, "{} by {}", row.of, row.wrt);
    }
}

/// A point that is pushed in mid-air, and one that slides, from a border of steps to another.
fn pushed() -> [Scenario<2>; 2] {
    [("in-the-air", [0.0, 5.0], [1.0, 0.0]), ("sliding", [0.0, 0.0], [2.0, 0.0])].map(
        |(name, position, velocity)| {
            plane(&format!(
                r#"
name = "{name}"
duration = 0.4
step = 1e-2
[particle]
mass = 2.0
position = {position:?}
velocity = {velocity:?}
[ground]
friction = 0.2
[[push]]
force = [3.0, 0.0]
from = 0.1
to = 0.3
"#
            ))
        },
    )
}

/// A row of a study with differences.
fn checked_row(
    scenario: &Scenario<2>,
    (stepper, of, wrt): (StepperName, &str, Input),
) -> (GradientRow, GradientStudy) {
    let request = GradientRequest {
        steppers: vec![stepper],
        methods: vec![Method::Raw],
        outputs: vec![of.to_owned()],
        inputs: vec![wrt],
        kappa: 0.1,
        phases: 1,
        check: true,
    };
    let study = GradientStudy::run(scenario, &request, &Watch::none()).expect("nobody interrupts");
    (study.rows[0].clone(), study)
}

/// The impulse of a push ends up in the velocity whichever step it falls in, and in the place a step earlier or later:
/// an edge on a border is a kink of the place, by `f/m dt`, and none of the velocity.
#[test]
fn an_edge_of_a_window_on_a_border_of_steps_has_two_gradients() {
    for scenario in pushed() {
        let acceleration = 3.0 / 2.0;
        for stepper in ["lcp", "nlp", "smooth", "convex"] {
            let stepper: StepperName = stepper.parse().unwrap();
            for (wrt, edge, sign) in [(Input::PushFrom(0), 0.1, -1.0), (Input::PushTo(0), 0.3, 1.0)] {
                let case = format!("{} by {stepper}: {wrt}", scenario.name);
                let (place, study) = checked_row(&scenario, (stepper, "final_x", wrt));
                assert_eq!((place.quality, place.valid_within), (Quality::OneSided, Some(0.0)), "{case}");
                assert_eq!(place.finite_difference, None, "{case}");
                let OneSided { left: Some(left), right: Some(right) } = place.one_sided.expect("it has")
                else {
                    panic!("{case}: {place:?}")
                };
                // A push in the step from `t` moves the point for the time from there to the end.
                let after = sign * acceleration * (0.4 - edge);
                let before = after + sign * acceleration * 1e-2;
                // A sliding point of `convex` rides on a layer.
                let allowed = if stepper == StepperName::CONVEX { 2e-2 } else { 1e-5 };
                assert!((right - after).abs() < allowed * after.abs(), "{case}: {right} and {after}");
                assert!((left - before).abs() < allowed * before.abs(), "{case}: {left} and {before}");
                assert!((left - right - (before - after)).abs() < 1e-4, "{case}: {left}, {right}");
                let kink = &study.kinks[0];
                assert_eq!((kink.event, kink.kind, kink.distance), (MarginKind::Window, KinkKind::Bend, 0.0));
                assert_eq!((kink.left, kink.right), (left, right), "{case}");

                let (velocity, _) = checked_row(&scenario, (stepper, "final_vx", wrt));
                assert_eq!((velocity.quality, velocity.one_sided), (Quality::Ok, None), "{case}");
                let expected = sign * acceleration;
                assert!(
                    (velocity.gradient - expected).abs() < allowed * acceleration,
                    "{case}: {velocity:?}"
                );
                let difference = velocity.finite_difference.expect("the velocity has no kink there");
                assert!((difference - velocity.gradient).abs() < 1e-3, "{case}: {difference} {velocity:?}");
                // The next border.
                let within = velocity.valid_within.expect("there is one");
                assert!((within - 1e-2).abs() < 1e-6 || within < 1e-2, "{case}: {within}");
            }
        }
    }
}

/// What falls without moving along the ground does so as what moves: `smooth` gave it no derivative.
#[test]
fn what_falls_straight_down_can_be_thrown_aside() {
    let [mut scenario, _] = pushed();
    scenario.pushes.clear();
    scenario.bodies[0].velocity[0] = 0.0;
    for stepper in ["lcp", "nlp", "hybrid", "smooth", "convex"] {
        let (row, _) = checked_row(&scenario, (stepper.parse().unwrap(), "final_x", Input::Velocity(0)));
        assert!((row.gradient - 0.4).abs() < 1e-9 && row.quality == Quality::Ok, "{stepper}: {row:?}");
    }
}

/// Off a border, an edge may move as far as the next one, and differences of the mean push are its gradient.
#[test]
fn an_edge_of_a_window_within_a_step_is_valid_up_to_the_border() {
    for mut scenario in pushed() {
        (scenario.pushes[0].from, scenario.pushes[0].to) = (Some(0.103), Some(0.298));
        for stepper in ["lcp", "smooth", "convex"] {
            let stepper: StepperName = stepper.parse().unwrap();
            for (wrt, within) in [(Input::PushFrom(0), 3e-3), (Input::PushTo(0), 2e-3)] {
                let (row, study) = checked_row(&scenario, (stepper, "final_x", wrt));
                let case = format!("{} by {stepper}: {wrt}: {row:?}", scenario.name);
                assert!(row.one_sided.is_none() && row.quality != Quality::OneSided, "{case}");
                assert!((row.valid_within.expect("a border") - within).abs() < 1e-9, "{case}");
                let difference = row.finite_difference.expect("no kink is close by");
                assert!((difference - row.gradient).abs() < 1e-6, "{case}");
                assert_eq!(study.kinks[0].event, MarginKind::Window, "{case}");
            }
        }
    }
}

/// Where a push ends as another begins, the one that ends later pushes with it, and the one that ends sooner leaves a
/// gap in which the point sticks.
#[test]
fn windows_that_meet_have_two_exact_gradients() {
    let scenario = plane(
        r#"
name = "meeting"
duration = 1.5
step = 1e-3
[particle]
mass = 10.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]
[ground]
friction = 0.1
[[push]]
force = [4.905, 0.0]
to = 0.6
[[push]]
force = [14.715, 0.0]
from = 0.6
to = 1.0
"#,
    );
    let exact = |wrt| checked_row(&scenario, (StepperName::EXACT, "final_x", wrt));
    // The slide goes on for 0.6 s, to whose speed 0.4905 m/s^2 are added or are missing, or twice as much.
    for (wrt, sides) in [(Input::PushTo(0), [0.0, 0.2943]), (Input::PushFrom(1), [-0.5886, -0.2943])] {
        let (row, study) = exact(wrt);
        let one_sided = row.one_sided.expect("it is on a kink");
        for (found, expected) in [one_sided.left, one_sided.right].into_iter().zip(sides) {
            assert!((found.expect("there is one") - expected).abs() < 1e-6, "{wrt}: {row:?}");
        }
        assert_eq!((row.quality, row.exact), (Quality::OneSided, None), "{wrt}");
        assert_eq!(study.without_exact[0].wrt, wrt);
    }
    let (end, study) = exact(Input::PushTo(1));
    assert!((end.gradient - 0.2943).abs() < 1e-9 && study.without_exact.is_empty(), "{end:?}");
}

/// It rests on the ground from the start. Where it starts a ten millionth of its radius lower it is left where it is,
/// a bit higher it falls.
#[test]
fn a_disc_that_starts_on_the_ground_is_at_a_jump() {
    let mut scenario = plane(DISC);
    scenario.bodies[0].position[1] = 0.1;
    let height = Input::OfBody(BodyTable::Body, 0, BodyQuantity::Position(1));
    for stepper in ["lcp", "nlp", "cone"] {
        let (row, study) = checked_row(&scenario, (stepper.parse().unwrap(), "body-0.final_z", height));
        let within = row.valid_within.expect("there is a kink");
        assert!((within - 1e-7).abs() < 5e-9, "{stepper}: {row:?}");
        let kink = &study.kinks[0];
        assert_eq!((kink.event, kink.kind), (MarginKind::Overlap, KinkKind::Jump), "{stepper}");
        assert!(kink.distance < 0.0 && (kink.left - 1.0).abs() < 1e-6 && kink.right.abs() < 1e-6, "{kink:?}");
        assert!(row.gradient.abs() < 1e-6 && row.finite_difference.expect("nearer").abs() < 1e-4, "{row:?}");
    }
    // By depth: above the ground it flies, below it is pushed.
    let (row, study) = checked_row(&scenario, (StepperName::SMOOTH, "body-0.final_z", height));
    assert_eq!((row.quality, row.valid_within, row.finite_difference), (Quality::OneSided, Some(0.0), None));
    let OneSided { left: Some(left), right: Some(right) } = row.one_sided.expect("it has") else {
        panic!("{row:?}")
    };
    assert!((study.kinks[0].left, study.kinks[0].right) == (left, right));
    let end = |change: f64| {
        let shifted = height.shifted(&scenario, change);
        checked_row(&shifted, (StepperName::SMOOTH, "body-0.final_z", height)).0.value
    };
    for (side, change) in [(left, -1e-7), (right, 1e-7)] {
        let difference = (end(change) - end(0.0)) / change;
        assert!((difference - side).abs() < 0.02 * side.abs() + 1e-7, "{side} and {difference}");
    }
    // Ungated compliance acts above the ground as below.
    scenario.steppers.convex.gated = false;
    let (row, _) = checked_row(&scenario, (StepperName::CONVEX, "body-0.final_z", height));
    assert!(row.one_sided.is_none() && row.valid_within.is_none_or(|within| within > 1e-5), "{row:?}");
    let difference = row.finite_difference.expect("there is no kink");
    assert!((difference - row.gradient).abs() < 1e-3 * row.gradient.abs(), "{row:?}");
}

/// Of the numbers of a disc on the ground the height alone has no exact derivative; the others keep theirs.
#[test]
fn an_input_without_an_exact_derivative_costs_the_others_nothing() {
    let mut scenario = plane(DISC);
    scenario.bodies[0].position[1] = 0.1;
    let inputs = Input::of(&scenario);
    let study = with_respect_to(&inputs, &scenario, StepperName::LCP, &[Method::Raw]);
    let height = Input::OfBody(BodyTable::Body, 0, BodyQuantity::Position(1));
    let without: Vec<Input> = study.without_exact.iter().map(|without| without.wrt).collect();
    assert_eq!(without, [height]);
    assert!(study.without_exact[0].reason.contains("deep in the ground"), "{:?}", study.without_exact);
    assert!(inputs.len() >= 8);
    for row in &study.rows {
        assert_eq!(row.exact.is_some(), row.wrt != height, "{} by {}", row.of, row.wrt);
        assert_eq!(row.exact.is_some(), row.bias.is_some() && row.wrt != height, "{} by {}", row.of, row.wrt);
    }
}

/// A box that falls flat, with both corners in one step: its height after the bounce grows with that from which it fell,
/// and the steps bounce by the same speed until another one takes it there.
#[test]
fn what_several_contacts_that_hit_at_once_leave_open_is_not_called_ok() {
    const FLAT: &str = r#"
name = "flat"
duration = 0.4
step = 1e-3
[[body]]
name = "b"
shape = "box"
size = [0.4, 0.3]
mass = 2.0
position = [0.0, 0.45]
velocity = [0.5, 0.0]
[ground]
friction = 0.2
restitution = 0.6
[stepper]
impacts = "one-stage"
"#;
    let height = [Input::OfBody(BodyTable::Body, 0, BodyQuantity::Position(1))];
    for stepper in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let of_steps = |text: &str| {
            let study = with_respect_to(&height, &plane(text), stepper, &[Method::Raw, Method::Corrected]);
            let row = |row: &&GradientRow| row.method == Method::Raw && row.of == "b.final_z";
            let row = study.rows.iter().find(row).unwrap().clone();
            (row, study.left_out)
        };
        let (row, left_out) = of_steps(FLAT);
        // That of the motion is .39.
        assert!((row.gradient - 0.39).abs() < 0.03, "{stepper}: {row:?}");
        assert_eq!((row.quality, row.bias), (Quality::Unchecked, None), "{stepper}");
        assert!(
            left_out.iter().any(|left| left.reason.to_string().contains("2 contacts hit")),
            "{left_out:?}"
        );
        // In flight the steps are right; on one corner there is a gradient of the motion, from which they are off.
        let (flying, _) = of_steps(&FLAT.replace("duration = 0.4", "duration = 0.1"));
        assert_eq!(flying.quality, Quality::Ok, "{stepper}");
        let (on_a_corner, _) = of_steps(&FLAT.replace("velocity", "angle = 0.3\nvelocity"));
        assert_eq!(on_a_corner.quality, Quality::Biased, "{stepper}");
    }
}

/// A sphere bounces four times: at 1 ms the steps are elsewhere in a bounce than the motion, and the correction with
/// them; at .05 ms it is within 2 % of the motion's .5386.
#[test]
fn a_corrected_gradient_that_the_step_still_changes_is_not_called_ok() {
    let sphere = r#"
name = "sphere"
duration = 1.165
step = 1e-3
[[body]]
name = "s"
shape = "sphere"
size = 0.1
mass = 2.0
position = [0.0, 0.0, 0.351]
velocity = [0.952, 0.0, 0.32]
spin = [0.0, 4.938, 0.0]
[ground]
friction = 0.169
restitution = 0.758
"#;
    let height = [Input::OfBody(BodyTable::Body, 0, BodyQuantity::Position(2))];
    let corrected = |text: &str| {
        let lcp = StepperName::LCP;
        let study = with_respect_to(&height, &space(text), lcp, &[Method::Raw, Method::Corrected]);
        let row = |row: &&GradientRow| row.method == Method::Corrected && row.of == "s.final_z";
        study.rows.iter().find(row).unwrap().clone()
    };
    let coarse = corrected(sphere);
    assert_eq!(coarse.quality, Quality::Biased, "{coarse:?}");
    let fine = corrected(&sphere.replace("step = 1e-3", "step = 5e-5"));
    assert_eq!(fine.quality, Quality::Ok, "{fine:?}");
    assert!((fine.gradient - 0.5386).abs() < 0.02 * 0.5386, "{fine:?}");
}

/// A throw that comes to rest by `convex`, which has no restitution, and bounces on by the exact motion.
const STOPS_BY_CONVEX_ONLY: &str = r#"
name = "throw"
duration = 0.73
step = 1e-3
[particle]
mass = 0.7
position = [-0.2, 0.616]
velocity = [1.167, 0.305]
[ground]
friction = 0.438
restitution = 0.572
"#;

#[test]
fn a_result_that_the_motion_does_not_have_leaves_its_gradients_unchecked() {
    let scenario = plane(STOPS_BY_CONVEX_ONLY);
    let inputs = Input::of(&scenario);
    let study = with_respect_to(&inputs, &scenario, StepperName::CONVEX, &[Method::Raw]);
    let of_stop: Vec<&GradientRow> = study.rows.iter().filter(|row| row.of == "stop_time").collect();
    assert_eq!(of_stop.len(), inputs.len(), "it stops by its steps");
    for row in of_stop {
        assert_eq!((row.exact, row.bias), (None, None), "{}", row.wrt);
        assert!(
            matches!(row.quality, Quality::Unchecked | Quality::OneSided),
            "{}: {:?}",
            row.wrt,
            row.quality
        );
    }
}
