use nalgebra::Vector2;
use stickslip::{
    learn::{
        data::{PointGenerator, Random},
        particle::{Motion, Start},
    },
    model::{PointMass, State, closed_form_step},
    predict::{RecordedState, Recording, Toss},
    stepper::PointMotion,
};

use crate::support::{
    assert_note, learn, mean, measure, number, parameter, refusal, request_with_data, root_mean_square, run,
};

/// Errors of friction and restitution over many data sets of `throws` throws.
struct Errors {
    friction: Vec<f64>,
    restitution: Vec<f64>,
    /// Data sets that do not determine the friction; they are left out of `friction`.
    undetermined: usize,
}

fn errors(throws: usize, sets: u64, settings: &[&str]) -> Errors {
    let mut errors = Errors { friction: Vec::new(), restitution: Vec::new(), undetermined: 0 };
    for seed in 0..sets {
        let findings = learn("particle", throws, seed, settings);
        let (friction, restitution) = (parameter(&findings, "friction"), parameter(&findings, "restitution"));
        if friction.identifiable {
            errors.friction.push(friction.learned - 0.4);
        } else {
            errors.undetermined += 1;
        }
        errors.restitution.push(restitution.learned - 0.5);
    }
    errors
}

fn csv(throws: &Recording<2>) -> String {
    let mut csv = Vec::new();
    throws.write_point_csv(&mut csv).expect("a vector takes everything");
    String::from_utf8(csv).expect("CSV is text")
}

/// Throws of several recordings as one, numbered from 0.
fn together(recordings: impl IntoIterator<Item = Recording<2>>) -> Recording<2> {
    let throws = recordings.into_iter().flat_map(|recording| recording.tosses).map(|toss| toss.states);
    numbered(throws)
}

fn numbered(throws: impl Iterator<Item = Vec<RecordedState<2>>>) -> Recording<2> {
    let tosses = throws.enumerate().map(|(number, rows)| Toss::new(number as f64, rows));
    Recording::new("throws", tosses.collect())
}

#[test]
fn errors_shrink_with_the_number_of_throws() {
    for (throws, sets, friction, restitution) in
        [(1, 40, 0.05, 0.007), (3, 20, 0.004, 0.004), (10, 8, 0.0025, 0.0015)]
    {
        let errors = errors(throws, sets, &[]);
        let (of_friction, of_restitution) =
            (root_mean_square(&errors.friction), root_mean_square(&errors.restitution));
        assert!(of_friction <= friction, "{throws} throws: RMSE of mu {of_friction}");
        assert!(of_restitution <= restitution, "{throws} throws: RMSE of e {of_restitution}");
        match throws {
            1 => assert!((8..28).contains(&errors.undetermined), "one throw often leaves the friction open"),
            3 => {}
            _ => assert_eq!(errors.undetermined, 0, "ten never do"),
        }
    }
}

#[test]
fn where_contacts_are_taken_from_does_not_bias_the_result_even_at_much_noise() {
    for noise in ["velocity_noise=0.02", "velocity_noise=0.1"] {
        for contacts in ["contacts=known", "contacts=height", "contacts=velocity"] {
            let errors = errors(4, 8, &[contacts, noise]);
            for (name, errors) in [("friction", &errors.friction), ("restitution", &errors.restitution)] {
                // A mean of zero within three of its standard errors.
                let most = 3.0 * root_mean_square(errors) / (errors.len() as f64).sqrt();
                assert!(mean(errors).abs() < most && most < 0.02, "{contacts} {noise} {name}: {errors:?}");
            }
        }
    }
}

#[test]
fn a_throw_whose_slip_ends_in_its_first_impact_says_that_it_only_bounds_the_friction() {
    // Seed 0 throws slowly sideways.
    for method in ["method=one-step", "method=shooting"] {
        let findings = learn("particle", 1, 0, &[method]);
        let friction = parameter(&findings, "friction");
        let [low, high] = friction.interval.expect("noisy data have an interval");
        assert!(!friction.identifiable && (low..=high).contains(&0.4) && high.is_infinite(), "{friction:?}");
        assert!(parameter(&findings, "restitution").identifiable, "{method}");
        assert_note(&findings, "friction is not determined: slip ends in the contacts that there are");
    }
}

#[test]
fn a_throw_that_never_lands_determines_nothing_and_says_so() {
    let findings = learn("particle", 1, 0, &["duration=0.05"]);
    assert!(findings.parameters.iter().all(|(_, parameter)| !parameter.identifiable));
    for (_, parameter) in &findings.parameters {
        assert!(parameter.learned.is_nan() && parameter.interval.is_some(), "{parameter:?}");
    }
    assert_note(&findings, "friction is not determined: no contact takes slip");
    assert_note(&findings, "restitution is not determined: no rebound is fast enough");
}

#[test]
fn shooting_uses_all_data_and_is_closer_than_the_contacts_alone() {
    let (mut by_shooting, mut by_steps) = (Vec::new(), Vec::new());
    for seed in 0..8 {
        let findings = learn("particle", 3, seed, &["method=shooting"]);
        by_shooting.push(parameter(&findings, "restitution").learned - 0.5);
        by_steps.push(parameter(&learn("particle", 3, seed, &[]), "restitution").learned - 0.5);
        for (noise, truth) in [("velocity_noise", 0.02), ("position_noise", 1e-3)] {
            let found = measure(&findings, noise);
            assert!((found - truth).abs() < 0.1 * truth, "seed {seed}: {noise} is {found}");
        }
    }
    assert!(root_mean_square(&by_shooting) < 0.3 * root_mean_square(&by_steps));
}

#[test]
fn every_search_is_told_and_the_best_of_their_ends_is_the_result() {
    let findings = learn("particle", 1, 3, &["method=shooting"]);
    let searches = findings.measures["searches"].as_array().expect("a list");
    let costs: Vec<f64> = searches.iter().map(|search| number(&search["cost"])).collect();
    let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let end = &searches[costs.iter().position(|cost| *cost == best).expect("there is a best")]["end"];
    assert!((number(&end[1]) - parameter(&findings, "restitution").learned).abs() < 1e-4, "{searches:?}");
}

#[test]
fn without_noise_both_parameters_are_found_to_rounding() {
    let findings = learn("particle", 3, 1, &["velocity_noise=0", "position_noise=0"]);
    assert!(findings.error < 1e-12, "{:e}", findings.error);
}

#[test]
fn throws_may_be_measured_at_intervals_of_their_own() {
    let exact = PointGenerator { velocity_noise: 0.0, position_noise: 0.0, ..PointGenerator::default() };
    let throws = together([exact.generate(3, 1), PointGenerator { step: 0.05, ..exact }.generate(1, 2)]);
    let (_, findings) = run(request_with_data("particle", &csv(&throws), &[]));
    let friction = parameter(&findings, "friction");
    assert!((friction.learned - 0.4).abs() < 1e-12 && friction.identifiable, "{friction:?}");
}

#[test]
fn where_there_is_no_friction_it_is_found_to_be_zero_within_its_interval() {
    for seed in 0..6 {
        let findings = learn("particle", 5, seed, &["friction=0"]);
        let (friction, restitution) = (parameter(&findings, "friction"), parameter(&findings, "restitution"));
        assert!((0.0..0.01).contains(&friction.learned), "seed {seed}: {friction:?}");
        assert!(friction.identifiable && restitution.identifiable, "seed {seed}: {:?}", findings.notes);
        assert!((restitution.learned - 0.5).abs() < 0.02, "seed {seed}: {restitution:?}");
        assert_eq!(findings.notes, [""; 0], "seed {seed}");
    }
}

#[test]
fn without_noise_either_the_absence_of_friction_is_exact() {
    let findings = learn("particle", 3, 1, &["friction=0", "velocity_noise=0", "position_noise=0"]);
    let friction = parameter(&findings, "friction");
    assert!(friction.learned.abs() < 1e-12 && friction.identifiable, "{friction:?}: {:?}", findings.notes);
}

#[test]
fn an_interval_as_wide_as_all_restitutions_determines_none() {
    let findings = learn("particle", 1, 1, &["velocity_noise=1", "position_noise=0.3"]);
    let restitution = parameter(&findings, "restitution");
    assert!(!restitution.identifiable, "{restitution:?}");
    assert_note(&findings, "restitution is not determined");
    let friction = parameter(&findings, "friction").interval;
    assert!(friction.is_none_or(|[low, _]| low >= 0.0), "{friction:?}");
}

/// Throws as a stepper of the step `dt` of the data has them, with noise on the velocities: what was once
/// taken for the truth behind data.
fn stepped(count: usize, seed: u64) -> Recording<2> {
    let body = PointMass { mass: 1.0, friction: 0.4, restitution: 0.5, gravity: Vector2::new(0.0, -9.81) };
    let mut random = Random::seeded(seed);
    let mut throw = || {
        let mut state = State {
            position: Vector2::new(0.0, random.uniform(0.2, 1.0)),
            velocity: Vector2::new(random.uniform(-5.0, 5.0), random.uniform(-1.0, 1.0)),
        };
        let states = (0..=100).map(|index| {
            let step = closed_form_step(&body, &state, &Vector2::zeros(), 0.01);
            let noise = Vector2::new(random.normal(0.02), random.normal(0.02));
            let measured = State { velocity: state.velocity + noise, ..state };
            state = step.state;
            let contact = Some(step.impulse.y > 0.0);
            RecordedState { contact, ..RecordedState::new(0.01 * f64::from(index), measured, None) }
        });
        states.collect()
    };
    numbered((0..count).map(|_| throw()))
}

#[test]
fn data_of_a_stepper_with_a_large_step_are_not_taken_for_the_motion_of_a_point() {
    for method in ["method=one-step", "method=shooting"] {
        let (_, findings) = run(request_with_data("particle", &csv(&stepped(3, 4)), &[method]));
        for (name, parameter) in &findings.parameters {
            assert!(!parameter.identifiable, "{method} {name}: {parameter:?}");
            assert!(
                parameter.reason.as_ref().is_some_and(|reason| reason.contains("do not follow the motion"))
            );
        }
        assert_note(&findings, "nothing is determined: the data do not follow the motion");
    }
}

/// Throws through air that slows them by `k |v| v`, bouncing and sliding as a point does otherwise, measured to 1 mm and
/// 2 cm/s.
fn through_air(count: usize, drag: f64, seed: u64) -> Recording<2> {
    const FINE: u32 = 1000;
    let (friction, restitution, dt) = (0.3, 0.5, 0.01 / f64::from(FINE));
    let mut random = Random::seeded(seed);
    let mut throw = || {
        let mut place = Vector2::new(0.0, random.uniform(0.3, 0.8));
        let mut velocity = Vector2::new(random.uniform(4.0, 6.0), random.uniform(-1.0, 1.0));
        let states = (0..=100).map(|index| {
            if index > 0 {
                for _ in 0..FINE {
                    velocity -= (velocity * (drag * velocity.norm()) + Vector2::new(0.0, 9.81)) * dt;
                    place += velocity * dt;
                    if place.y < 0.0 && velocity.y < 0.0 {
                        let lost = friction * (1.0 + restitution) * -velocity.y;
                        velocity.x -= velocity.x.signum() * lost.min(velocity.x.abs());
                        velocity.y *= -restitution;
                        place.y = 0.0;
                    }
                }
            }
            let measured = State {
                position: place + Vector2::new(random.normal(1e-3), random.normal(1e-3)),
                velocity: velocity + Vector2::new(random.normal(0.02), random.normal(0.02)),
            };
            RecordedState::new(0.01 * f64::from(index), measured, None)
        });
        states.collect()
    };
    numbered((0..count).map(|_| throw()))
}

/// By a thirtieth of the speed per metre: the fit leaves a third more than the noise, and friction was said to be
/// determined to a thousandth, off by ten times its interval.
#[test]
fn a_little_drag_is_seen_by_what_goes_on_from_state_to_state() {
    for (drag, follows) in [(0.03, false), (0.0, true)] {
        for seed in [1, 2] {
            let data = csv(&through_air(3, drag, seed));
            let settings = ["method=shooting", "contacts=height"];
            let (_, findings) = run(request_with_data("particle", &data, &settings));
            for name in ["friction", "restitution"] {
                let parameter = parameter(&findings, name);
                assert_eq!(parameter.identifiable, follows, "drag {drag} seed {seed} {name}: {parameter:?}");
                assert_eq!(parameter.interval.is_some(), follows, "what holds nothing has no interval");
            }
        }
    }
}

/// A contact by itself hardly shows the drag, which shifts what it tells: all flights are asked.
#[test]
fn drag_is_seen_where_each_contact_is_looked_at_by_itself() {
    for (drag, follows) in [(0.03, false), (0.0, true)] {
        for seed in [1, 2, 3] {
            let data = csv(&through_air(3, drag, seed));
            let (_, findings) = run(request_with_data("particle", &data, &["contacts=height"]));
            for name in ["friction", "restitution"] {
                let parameter = parameter(&findings, name);
                assert_eq!(
                    parameter.interval.is_some(),
                    follows,
                    "drag {drag} seed {seed} {name}: {parameter:?}"
                );
                assert!(follows || !parameter.identifiable);
            }
        }
    }
}

/// Velocities that are central differences of the places.
#[test]
fn differences_of_places_are_named_where_they_smear_the_impacts() {
    let generator = PointGenerator { velocity_noise: 0.0, position_noise: 1e-4, ..PointGenerator::default() };
    let mut throws = generator.generate(3, 2);
    for Toss { states, .. } in &mut throws.tosses {
        let places: Vec<Vector2<f64>> = states.iter().map(|row| row.state.position).collect();
        for (index, row) in states.iter_mut().enumerate() {
            let (before, after) = (index.saturating_sub(1), (index + 1).min(places.len() - 1));
            row.state.velocity = (places[after] - places[before]) / (0.01 * (after - before) as f64);
        }
    }
    let (_, findings) = run(request_with_data("particle", &csv(&throws), &["contacts=height"]));
    assert_note(&findings, "velocities may be differences of places");
    assert_note(&findings, "`stickslip fit` looks at places alone");
}

/// A camera of 30 Hz whose times are written to the microsecond.
#[test]
fn times_rounded_from_equal_intervals_are_taken_as_those() {
    let generator = PointGenerator { step: 1.0 / 30.0, ..PointGenerator::default() };
    let mut throws = generator.generate(3, 1);
    let (_, exact) = run(request_with_data("particle", &csv(&throws), &[]));
    let rows = throws.tosses.iter_mut().flat_map(|toss| &mut toss.states);
    rows.for_each(|row| row.time = (row.time * 1e6).round() / 1e6);
    let (_, rounded) = run(request_with_data("particle", &csv(&throws), &[]));
    for name in ["friction", "restitution"] {
        let [one, other] = [&exact, &rounded].map(|findings| parameter(findings, name));
        assert!((one.learned - other.learned).abs() < 1e-3, "{one:?} {other:?}");
        assert_eq!(one.identifiable, other.identifiable);
    }
    throws.tosses[1].states.remove(9);
    let refused = refusal(request_with_data("particle", &csv(&throws), &[]));
    let stickslip::learn::InputError::Data(invalid) = &refused else { panic!("{refused}") };
    assert_eq!(invalid.faults.len(), 1, "{refused}");
    assert!(
        invalid.faults[0].help.contains("rows are missing before this one"),
        "{}",
        invalid.faults[0].help
    );
}

/// Three slow throws, all of whose slip ends in their first impact: once said to determine a friction of
/// 0.0645 within 0.056 to 0.073, where 0.4 is true.
#[test]
fn slow_throws_do_not_determine_a_friction_far_from_the_truth() {
    for method in ["method=one-step", "method=shooting"] {
        let (_, of_stepper) = run(request_with_data("particle", &csv(&stepped(3, 399)), &[method]));
        for findings in [of_stepper, learn("particle", 3, 399, &[method])] {
            let friction = parameter(&findings, "friction");
            assert!(!friction.identifiable && friction.reason.is_some(), "{method}: {friction:?}");
        }
    }
    let of_all = learn("particle", 3, 399, &["method=shooting"]);
    let [low, high] = parameter(&of_all, "friction").interval.expect("noisy data have an interval");
    assert!((0.05..0.1).contains(&low) && high.is_infinite(), "{low} to {high}");
}

#[test]
fn throws_of_two_frictions_determine_none() {
    let half =
        |friction: f64, seed: u64| PointGenerator { friction, ..PointGenerator::default() }.generate(3, seed);
    let throws = together([half(0.2, 1), half(0.6, 2)]);
    for method in ["method=one-step", "method=shooting"] {
        let (_, findings) = run(request_with_data("particle", &csv(&throws), &[method]));
        assert!(!parameter(&findings, "friction").identifiable, "{method}");
        assert_note(&findings, "nothing is determined");
    }
}

#[test]
fn a_value_far_from_the_others_is_noticed() {
    let mut throws = PointGenerator::default().generate(3, 5);
    throws.tosses[1].states[60].state.velocity.x += 1.0;
    let (_, findings) = run(request_with_data("particle", &csv(&throws), &[]));
    assert!(findings.parameters.iter().all(|(_, parameter)| !parameter.identifiable));
    assert_note(&findings, "nothing is determined");
}

/// The continuous motion against the event-driven stepper, which shares no line with it.
#[test]
fn the_motion_that_is_fitted_is_that_of_the_exact_stepper() {
    let mut random = Random::seeded(3);
    for case in 0..60 {
        let (friction, restitution) = match case % 6 {
            0 => (0.0, 0.6),
            1 => (0.3, 0.0),
            2 => (0.2, 1.0),
            _ => (random.uniform(0.0, 1.0), random.uniform(0.0, 0.98)),
        };
        let position = Vector2::new(0.0, random.uniform(0.0, 1.0));
        let velocity = Vector2::new(random.uniform(-3.0, 3.0), random.uniform(-1.0, 1.0));
        let body = PointMass { mass: 1.0, friction, restitution, gravity: Vector2::new(0.0, -9.81) };
        let mut exact = PointMotion::of(body, &[]);
        let mut state = State { position, velocity };
        let mut states = Vec::new();
        for index in 0..150 {
            states.push([state.position.x, state.position.y, state.velocity.x, state.velocity.y]);
            (state, _) = exact.advance(state, 0.01 * f64::from(index), 0.01).expect("a throw without push");
        }
        let start = Start::Flight([position.x, position.y, velocity.x, velocity.y]);
        let times = (0..150).map(|index| 0.01 * f64::from(index));
        let mut states = states.into_iter();
        let motion = Motion { friction, restitution, gravity: 9.81 };
        motion.follow(start, times, 0.0, |state, _| {
            let exact = states.next().expect("as many states");
            for (one, other) in state.into_iter().zip(exact) {
                assert!((one - other).abs() < 1e-8, "mu {friction} e {restitution}: {state:?} {exact:?}");
            }
        });
    }
}
