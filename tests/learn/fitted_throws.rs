//! Friction and restitution from simulated throws, by predicting them.

use std::{cell::RefCell, ops::ControlFlow, time::Duration};

use rayon::prelude::*;
use stickslip::{
    fit::{
        Basis, Ending, FitOutcome, FitParameter, FitTask, Meanwhile, NotFromRows, SearchMethod, fit, fit_by,
        fit_keeping,
    },
    model::{Attitude, Orientation, Spin, State, Vector},
    predict::{RecordedState, Recording, Start, Toss, Windows},
    random::Random,
    scenario::{
        AnyScenario, Body, Ground, Scenario, ScenarioText, Shape, SlidingFriction, StepperSettings,
        TurningLengths,
    },
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
    world::Impacts,
};

/// What is thrown, how often, and how it is measured.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// Width of a box in m; a point without.
    width: Option<f64>,
    throws: usize,
    ground: Ground,
    parameters: &'static [&'static str],
    /// Standard deviation of the noise of positions, m.
    noise: f64,
    /// Speeds sideways, m/s.
    speed: [f64; 2],
    /// Who throws and fits.
    stepper: &'static str,
    /// Steps from row to row.
    every: usize,
    /// What is predicted from one start.
    windows: Windows,
    /// The law of impact.
    impacts: Impacts,
}

impl Kind {
    fn scenario(&self) -> Scenario<2> {
        Scenario {
            duration: 0.7,
            step: 2e-3,
            bodies: vec![Body {
                shape: self.width.map_or(Shape::Point, |width| Shape::Box { size: [width, width].into() }),
                ..Body::point(0.4, [0.0, 0.3], [0.0, 0.0])
            }],
            ground: self.ground,
            steppers: StepperSettings { impacts: Some(self.impacts), ..StepperSettings::default() },
            ..Scenario::new("thrown")
        }
    }

    /// The throws of a seed.
    fn recording(&self, seed: u64) -> Recording<2> {
        let mut random = Random::seeded(seed);
        let toss = |number| Toss::new(f64::from(number), self.throw(&mut random));
        Recording::new("simulated", (0..self.throws as u32).map(toss).collect())
            .in_windows(self.windows, &self.scenario())
            .expect("there are windows")
    }

    fn throw(&self, random: &mut Random) -> Vec<RecordedState<2>> {
        let mut scenario = self.scenario();
        let body = &mut scenario.bodies[0];
        body.position = Vector::<2>::new(0.0, random.uniform(0.15, 0.3));
        let side = if random.uniform(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        body.velocity =
            Vector::<2>::new(side * random.uniform(self.speed[0], self.speed[1]), random.uniform(0.0, 1.0));
        if self.width.is_some() {
            body.orientation = Orientation::Angle(random.uniform(0.0, 1.5));
            body.spin = Spin::new(random.uniform(-6.0, 6.0), 0.0, 0.0);
        }
        let mut stepper = scenario.stepper(named(self.stepper)).expect("admitted");
        let motion = &simulate(&scenario, stepper.as_mut()).bodies[0];
        (0..motion.states.len())
            .step_by(self.every)
            .map(|k| {
                let state = motion.states[k];
                let position = state.position.map(|value| value + random.normal(self.noise));
                let time = k as f64 * scenario.step;
                let attitude = self.width.zip(motion.attitudes.get(k)).map(|(width, &attitude)| {
                    let Orientation::Angle(angle) = attitude.orientation else { panic!("in the plane") };
                    let angle = angle + random.normal(self.noise / width);
                    Attitude { orientation: Orientation::Angle(angle), ..attitude }
                });
                RecordedState::new(time, State { position, ..state }, attitude)
            })
            .collect()
    }

    fn fit(&self, seed: u64) -> FitOutcome {
        let task = self.task(seed, named(self.stepper), self.ground);
        fit(&task, 1, true, &Watch::none()).expect("throws can be predicted")
    }

    /// A fit that begins at a guess.
    fn task(&self, seed: u64, stepper: StepperName, guess: Ground) -> FitTask<2> {
        let scenario: AnyScenario = Scenario { ground: guess, ..self.scenario() }.into();
        let size = self.width.unwrap_or(1.0);
        let parameters = self
            .parameters
            .iter()
            .map(|key| FitParameter::parse(key, &scenario, (0, size), 0.0).expect("a key"));
        FitTask {
            text: ScenarioText::read("the scenario", scenario.to_toml()),
            recording: self.recording(seed),
            start: Start::Fit,
            stepper,
            parameters: parameters.collect(),
            size,
            evaluations: 10_000,
        }
    }

    fn truth(&self, key: &str) -> f64 {
        match key {
            "ground.friction" => self.ground.friction,
            "ground-height" => 0.0,
            _ => self.ground.restitution,
        }
    }
}

const GROUND: Ground = Ground {
    friction: 0.25,
    restitution: 0.4,
    slope: 0.0,
    sliding: SlidingFriction::NONE,
    turning: TurningLengths::NONE,
};

const POINT: Kind = Kind {
    name: "point",
    width: None,
    throws: 8,
    ground: GROUND,
    parameters: BOTH,
    noise: 1e-3,
    speed: [1.0, 3.0],
    stepper: "lcp:stewart-trinkle",
    every: 5,
    windows: Windows::Whole,
    impacts: Impacts::Incremental,
};

/// A box as a camera with 250 pictures a second sees it: every throw bounces and tumbles several times.
const TUMBLING: Kind = Kind {
    name: "tumbling boxes",
    width: Some(0.1),
    noise: 1e-4,
    every: 2,
    windows: Windows::Flights,
    ..POINT
};

#[test]
fn friction_of_thrown_points_is_found() {
    let kind = Kind { throws: 5, parameters: &["ground.friction"], ..POINT };
    let outcome = kind.fit(3);
    for parameter in &outcome.parameters {
        let truth = kind.truth(&parameter.key);
        let verdict = parameter.verdict.expect("intervals were asked for");
        assert!((parameter.value - truth).abs() < 0.02, "{parameter:?}");
        assert!(verdict.interval[0] <= truth && truth <= verdict.interval[1], "{verdict:?}");
        assert!(verdict.interval[1] - verdict.interval[0] < 0.05, "{verdict:?}");
        assert!(parameter.profile.len() > 5);
    }
    assert!(outcome.error < 0.01 && outcome.error <= outcome.error_before, "{}", outcome.error);
}

#[test]
fn throws_straight_down_do_not_determine_the_friction() {
    let kind = Kind { throws: 5, speed: [0.0, 1e-9], parameters: &["ground.friction"], ..POINT };
    let outcome = kind.fit(1);
    let verdict = outcome.parameters[0].verdict.expect("intervals were asked for");
    assert_eq!(outcome.basis, Basis::Throws(NotFromRows::NotLinear(0)));
    // Where noise gives a throw some slip, the least friction stops it.
    assert!(verdict.doubt.is_some(), "{verdict:?}");
    assert!(verdict.interval[1].is_infinite(), "{verdict:?}");
}

const BOTH: &[&str] = &["ground.friction", "ground.restitution"];
const HEIGHT: &[&str] = &["ground.friction", "ground-height=-0.01..0.01"];
const FLAT: Ground = Ground { restitution: 0.0, ..GROUND };
const GUESS: Ground = Ground {
    friction: 0.15,
    restitution: 0.3,
    slope: 0.0,
    sliding: SlidingFriction::NONE,
    turning: TurningLengths::NONE,
};

fn named(stepper: &str) -> StepperName {
    stepper.parse().expect("a stepper")
}

fn search_method(task: &FitTask<2>) -> SearchMethod {
    let given: Vec<f64> = task.parameters.iter().map(|parameter| parameter.value).collect();
    task.search_method(&given, &Watch::none()).expect("nobody interrupts")
}

#[test]
fn gradients_lead_to_the_same_place_in_fewer_runs() {
    let slides: &[&str] = &["ground.friction", "gravity=8..12", "ground-height=-0.01..0.01"];
    let bounces: &[&str] = &["ground.friction", "ground.restitution", "gravity=8..12"];
    for (stepper, kind) in [
        ("lcp", Kind { ground: FLAT, parameters: slides, ..POINT }),
        ("hybrid", Kind { parameters: bounces, ..POINT }),
        ("exact", Kind { parameters: bounces, ..POINT }),
    ] {
        let guess = Ground { restitution: 0.75 * kind.ground.restitution, ..GUESS };
        let task = kind.task(5, named(stepper), guess);
        let search = search_method(&task);
        assert_eq!(search, SearchMethod::Derivatives, "{stepper}");
        let without = SearchMethod::WithoutDerivatives(String::new());
        let [by, without] = [search, without]
            .map(|search| fit_by(&task, &search, 1, true, &Watch::none()).expect("predicted"));
        println!(
            "{stepper}: {:.6e} by {} sets, {} with derivatives; {:.6e} by {} without",
            by.error, by.evaluations, by.differentiated, without.error, without.evaluations
        );
        assert!(by.error <= (1.0 + 1e-4) * without.error, "{stepper}: {} and {}", by.error, without.error);
        assert!(2 * by.evaluations <= without.evaluations, "{stepper}: {} sets", by.evaluations);
        assert!(by.differentiated > 0 && without.differentiated == 0, "{stepper}");
        for (one, other) in by.parameters.iter().zip(&without.parameters) {
            let [low, high] = other.verdict.expect("intervals were asked for").interval;
            assert!((one.value - other.value).abs() <= 0.2 * (high - low), "{stepper}: {one:?} {other:?}");
        }
    }
}

#[test]
fn where_gradients_would_mislead_the_search_does_without_and_says_why() {
    let reason = |stepper: &str, kind: Kind| match search_method(&kind.task(5, named(stepper), GUESS)) {
        SearchMethod::WithoutDerivatives(reason) => reason,
        SearchMethod::Derivatives => panic!("{stepper} by gradients"),
    };
    for (stepper, kind, words) in [
        ("lcp", Kind { parameters: &["ground.friction"], ..POINT }, "a single parameter"),
        ("lcp", Kind { width: Some(0.1), ..POINT }, "bodies"),
        ("lcp", Kind { parameters: &["ground.friction", "ground.slope=-1..1"], ..POINT }, "`ground.slope`"),
        (
            "smooth",
            Kind { parameters: &["ground.friction", "stepper.smooth.stiffness=1e3..1e6"], ..POINT },
            "`stepper.smooth.stiffness`",
        ),
        ("lcp:anitescu", POINT, "noise beside the trend"),
        ("lcp:anitescu", Kind { ground: FLAT, parameters: HEIGHT, ..POINT }, "biased"),
        ("hybrid", Kind { speed: [0.0, 1e-9], ..POINT }, "`ground.friction` is zero"),
    ] {
        let reason = reason(stepper, kind);
        println!("{stepper}: {reason}");
        assert!(reason.contains(words), "{stepper}: {reason}");
    }
    // An impact with restitution is taken whole, and its derivatives by friction and restitution are those of the motion.
    assert!(matches!(search_method(&POINT.task(5, named("lcp"), GUESS)), SearchMethod::Derivatives));
}

/// Data sets of each kind.
const SETS: u64 = 200;

#[test]
#[ignore = "200 fits take minutes"]
fn intervals_of_fitted_throws_hold() {
    let kinds = [
        Kind { name: "few points", throws: 5, parameters: &["ground.friction"], ..POINT },
        Kind { name: "one throw", throws: 1, stepper: "exact", ..POINT },
        Kind { name: "exact points", throws: 3, stepper: "exact", ..POINT },
        // Along gradients.
        Kind { name: "slides", ground: FLAT, parameters: HEIGHT, ..POINT },
        POINT,
        Kind { name: "boxes", width: Some(0.1), throws: 8, ..POINT },
        Kind { throws: 16, ..TUMBLING },
        Kind { name: "tumbling squares", throws: 16, width: Some(0.06), ..TUMBLING },
    ];
    // One of them alone, where that is asked for.
    let wanted = std::env::var("STICKSLIP_KIND").ok();
    let kinds = kinds.into_iter().filter(|kind| wanted.as_ref().is_none_or(|name| name == kind.name));
    let mut faults = Vec::new();
    for kind in kinds {
        let outcomes: Vec<FitOutcome> = (0..SETS).into_par_iter().map(|seed| kind.fit(1000 + seed)).collect();
        for (index, key) in kind.parameters.iter().enumerate() {
            let key = key.split('=').next().unwrap_or(key);
            let truth = kind.truth(key);
            let verdicts: Vec<_> =
                outcomes.iter().filter_map(|outcome| outcome.parameters[index].verdict).collect();
            let holds = |interval: [f64; 2]| interval[0] <= truth && truth <= interval[1];
            let all = verdicts.iter().filter(|verdict| holds(verdict.interval)).count();
            let determined: Vec<_> = verdicts.iter().filter(|verdict| verdict.doubt.is_none()).collect();
            let hits = determined.iter().filter(|verdict| holds(verdict.interval)).count();
            let share = 100.0 * hits as f64 / determined.len().max(1) as f64;
            let share_of_all = 100.0 * all as f64 / verdicts.len().max(1) as f64;
            let mut widths: Vec<f64> =
                determined.iter().map(|verdict| verdict.interval[1] - verdict.interval[0]).collect();
            widths.sort_by(f64::total_cmp);
            let by_rows =
                outcomes.iter().filter(|outcome| matches!(outcome.basis, Basis::Rows { .. })).count();
            let line = format!(
                "{} {key}: {by_rows} of {SETS} by the noise of their rows, {all} hold, {} determined, {share:.1} % of these hold, median width {:.2e}",
                kind.name,
                determined.len(),
                widths.get(widths.len() / 2).copied().unwrap_or(f64::NAN)
            );
            println!("{line}");
            // Bounces a step later or sooner make jumps, and tumbling makes many: most of it is doubted, and holds. Windows
            // are smooth.
            let is_cut = kind.windows != Windows::Whole;
            let is_ragged = !is_cut && (kind.width.is_some() || key == "ground.restitution");
            let is_useful = is_ragged || is_cut || determined.len() as u64 >= SETS / 2;
            let holds = match (is_ragged, is_cut) {
                (true, _) => share.min(share_of_all) >= 92.0,
                (_, true) => (92.0..=98.0).contains(&share_of_all),
                _ => (92.0..=98.0).contains(&share),
            };
            if !is_useful || !holds {
                faults.push(line);
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whole throws say next to nothing of what their windows determine, as the error is rough in both parameters.
#[test]
fn windows_of_tumbling_boxes_determine_friction_and_restitution() {
    // Of what tumbles most contacts are one of several in a row, which make no window.
    let many = Kind { throws: 2 * TUMBLING.throws, ..TUMBLING };
    let outcome = many.fit(5);
    assert_eq!((outcome.ending, outcome.basis), (Ending::Finished, Basis::Throws(NotFromRows::Windows)));
    for parameter in &outcome.parameters {
        let truth = TUMBLING.truth(&parameter.key);
        let [low, high] = parameter.verdict.expect("intervals were asked for").interval;
        assert!(low <= truth && truth <= high && high - low < 0.1, "{parameter:?}");
    }
    // By Newton's law, which gives another impulse where the slip would turn around.
    let whole = Kind { windows: Windows::Whole, impacts: Impacts::OneStage, ..TUMBLING };
    let task = whole.task(5, named(whole.stepper), whole.ground);
    let outcome =
        fit(&FitTask { evaluations: 400, ..task }, 1, false, &Watch::none()).expect("it is predicted");
    assert!(!outcome.rough.is_empty(), "{:?}", outcome.ending);
}

/// Where whole throws determine a number, their windows determine the same.
#[test]
fn whole_and_windowed_fits_agree_where_both_are_determined() {
    let whole = Kind { stepper: "exact", noise: 1e-4, every: 2, speed: [1.0, 2.0], ..POINT };
    let windows = Kind { windows: Windows::Flights, ..whole };
    let mut both = [0; 2];
    for seed in 20..25 {
        let outcomes = [whole, windows].map(|kind| kind.fit(seed));
        for (index, key) in whole.parameters.iter().enumerate() {
            let [one, other] = outcomes.each_ref().map(|outcome| &outcome.parameters[index]);
            println!("{seed} {key}: {} {:?}, {} {:?}", one.value, one.verdict, other.value, other.verdict);
            if !(one.is_determined() && other.is_determined()) {
                continue;
            }
            both[index] += 1;
            let [of_whole, of_windows] =
                [one, other].map(|parameter| parameter.verdict.expect("it is determined").interval);
            assert!(
                of_whole[0] <= of_windows[1] && of_windows[0] <= of_whole[1],
                "{seed} {key}: {of_whole:?} {of_windows:?}"
            );
        }
    }
    assert!(both.iter().all(|count| *count >= 3), "{both:?}");
}

#[test]
fn a_search_ends_with_the_best_so_far_where_it_may_try_no_more() {
    let kind = Kind { throws: 5, ..POINT };
    let task = kind.task(3, named(kind.stepper), Ground { friction: 0.9, ..kind.ground });
    for evaluations in [1, 7, 40] {
        let outcome =
            fit(&FitTask { evaluations, ..task.clone() }, 1, true, &Watch::none()).expect("it is predicted");
        assert_eq!(outcome.ending, Ending::OutOfEvaluations);
        assert!(outcome.evaluations <= evaluations, "{}", outcome.evaluations);
        assert!(outcome.parameters.iter().all(|parameter| parameter.verdict.is_none()));
        assert!(outcome.error.is_finite() && outcome.error <= outcome.error_before, "{}", outcome.error);
        let result = outcome.to_json(&task, "thrown");
        assert_eq!(
            (&result["finished"], &result["evaluations_at_most"]),
            (&false.into(), &task.evaluations.into())
        );
        assert!(result["parameters"]["ground.friction"]["interval"].is_null());
    }
}

/// A watch that says stop at any moment.
#[test]
fn a_search_that_is_stopped_says_the_best_so_far_at_any_moment() {
    let kind = Kind { throws: 3, ..POINT };
    let task = kind.task(3, named(kind.stepper), Ground { friction: 0.9, ..kind.ground });
    for steps in [0, 100, 1500, 20_000, 200_000] {
        let watch = Watch::new(|done| match done > steps {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let outcome = fit(&task, 1, true, &watch).expect("it begins somewhere");
        assert_eq!(outcome.ending, Ending::Interrupted, "{steps}");
        assert_eq!(outcome.to_json(&task, "thrown")["finished"], false);
        let values: Vec<f64> = outcome.parameters.iter().map(|parameter| parameter.value).collect();
        assert!(values.len() == 2 && values.iter().all(|value| value.is_finite()), "{values:?}");
        assert!(outcome.error.is_nan() == (outcome.evaluations == 0), "{steps}: {}", outcome.error);
    }
}

/// What is killed says nothing in the end.
#[test]
fn the_best_so_far_is_handed_on_whenever_it_is_better() {
    let kind = Kind { throws: 3, ..POINT };
    let task = kind.task(3, named(kind.stepper), Ground { friction: 0.9, ..kind.ground });
    let handed_on = RefCell::new(Vec::new());
    let keep = |outcome: &FitOutcome| handed_on.borrow_mut().push(outcome.clone());
    let meanwhile = Meanwhile::new(Duration::ZERO, &keep);
    let outcome =
        fit_keeping(&task, 1, true, &Watch::none(), Some(&meanwhile)).expect("throws can be predicted");
    assert_eq!(outcome.ending, Ending::Finished);
    let handed_on = handed_on.into_inner();
    assert!(handed_on.len() > 5, "{}", handed_on.len());
    assert!(handed_on.windows(2).all(|pair| pair[1].error < pair[0].error));
    assert!(handed_on.windows(2).all(|pair| pair[1].evaluations > pair[0].evaluations));
    for one in &handed_on {
        assert_eq!(one.to_json(&task, "thrown")["finished"], false);
        assert!(one.parameters.iter().all(|parameter| parameter.verdict.is_none()));
    }
    let last = &handed_on[handed_on.len() - 1];
    assert!(last.error <= outcome.error && last.evaluations <= outcome.evaluations + outcome.differentiated);
    // Nobody is bothered before it is time.
    let meanwhile = Meanwhile::new(Duration::from_secs(3600), &|_| panic!("it is too soon"));
    fit_keeping(&task, 1, false, &Watch::none(), Some(&meanwhile)).expect("throws can be predicted");
}

/// The throws of which every one comes to its end, along a parabola and sliding: predictions are linear in the friction.
const SLIDES: Kind = Kind { name: "slides", ground: FLAT, parameters: &["ground.friction"], ..POINT };

#[test]
fn one_throw_determines_what_its_rows_show_beyond_their_noise() {
    let kind = Kind { throws: 1, ..SLIDES };
    let outcome = kind.fit(4);
    let Basis::Rows { position, rotation } = outcome.basis else { panic!("{:?}", outcome.basis) };
    assert!((position / kind.noise - 1.0).abs() < 0.5 && rotation == 0.0, "{position}");
    let friction = &outcome.parameters[0];
    let [low, high] = friction.verdict.expect("intervals were asked for").interval;
    assert!(friction.is_determined() && high - low < 0.02, "{friction:?}");
    assert!(low <= kind.ground.friction && kind.ground.friction <= high, "{friction:?}");
    assert!(friction.profile.len() > 5);
}

/// A parameter that nothing depends on takes nothing from the others.
#[test]
fn what_has_no_effect_is_left_out_of_what_the_noise_of_the_rows_says() {
    let kind = Kind { parameters: &["ground.friction", "particle.mass=0.1..1"], ..SLIDES };
    let [friction, mass] = &kind.fit(4).parameters[..] else { panic!("two parameters") };
    assert!(friction.is_determined() && !mass.is_determined() && !mass.has_effect);
    let outcome = Kind { parameters: &["particle.mass=0.1..1"], ..SLIDES }.fit(4);
    assert_eq!(outcome.basis, Basis::NoEffect);
}

/// Gravity is 2 % more than the scenario says: no value of the friction leaves white noise.
#[test]
fn what_the_model_is_wrong_by_is_not_taken_for_noise() {
    let task = SLIDES.task(4, named(SLIDES.stepper), FLAT);
    let light: AnyScenario = Scenario { gravity: 9.61, ..SLIDES.scenario() }.into();
    let task = FitTask { text: ScenarioText::read("the scenario", light.to_toml()), ..task };
    let outcome = fit(&task, 1, true, &Watch::none()).expect("predicted");
    assert_eq!(outcome.basis, Basis::Throws(NotFromRows::MoreThanNoise));
}

/// Bounces that come a step later or sooner.
#[test]
fn where_predictions_jump_the_noise_of_the_rows_says_nothing() {
    let outcome = POINT.fit(3);
    assert!(matches!(outcome.basis, Basis::Throws(_)), "{:?}", outcome.basis);
}

/// Where the noise of the rows says nothing, the spread of the throws does not either where they are no more than the
/// parameters.
#[test]
fn too_few_throws_give_values_and_no_intervals() {
    // Contact that begins a step late moves with the time of the impact by jumps, and nothing follows from the rows.
    let jumps = Kind { stepper: "lcp:anitescu", ..POINT };
    let outcome = Kind { throws: 2, ..jumps }.fit(3);
    assert!(matches!(outcome.basis, Basis::TooFew(_)), "{:?}", outcome.basis);
    for parameter in &outcome.parameters {
        assert!(parameter.verdict.is_none() && !parameter.is_determined(), "{parameter:?}");
    }
    let three = Kind { throws: 3, ..jumps }.fit(3).basis;
    assert!(matches!(three, Basis::Throws(_)), "{three:?}");
    // What bounces goes on within the step of its impact, smoothly, and the noise of two throws says how well.
    let two = Kind { throws: 2, ..POINT }.fit(3);
    assert!(matches!(two.basis, Basis::Rows { .. }), "{:?}", two.basis);
}
