//! What is measured of bodies, run by run and side by side.

use stickslip::{
    compare::{
        BodyMode, Comparison, ConvergenceStudy, Entry, paragraph, partings, report, write_convergence,
        write_metrics,
    },
    metrics::{Metrics, Summary, max_turn_error},
    model::{Orientation, Spin},
    scenario::{
        AnyScenario, Body, ConvexSettings, Ground, Push, PushTable, Scenario, Shape, StepperSettings,
        read_scenario_from,
    },
    simulate::OnFailure,
    stepper::{ContactMode, StepperName},
    trajectory::Motion,
    watch::Watch,
    world::Impacts,
};

use crate::scenes::{example, run};

const NLP: StepperName = StepperName::NLP;
const LCP: StepperName = StepperName::LCP;
const LCP_ANITESCU: StepperName = StepperName::LCP_ANITESCU;
const CONE: StepperName = StepperName::CONE;
const CONVEX: StepperName = StepperName::CONVEX;
const SMOOTH: StepperName = StepperName::SMOOTH;

/// A box of 2 kg that floats without gravity.
fn floating() -> Scenario<2> {
    Scenario {
        duration: 0.1,
        gravity: 0.0,
        bodies: vec![Body {
            shape: Shape::Box { size: [0.6, 0.4].into() },
            ..Body::point(2.0, [0.0, 5.0], [0.0, 0.0])
        }],
        ..Scenario::new("floating")
    }
}

/// `m (w^2 + h^2)/12` of that box.
const INERTIA: f64 = 2.0 * (0.36 + 0.16) / 12.0;

fn compare(scenario: &Scenario<2>, names: &[StepperName]) -> Comparison<2> {
    Comparison::run(scenario, names, OnFailure::Stop, &Watch::none())
}

fn of(comparison: &Comparison<2>, name: StepperName) -> &Entry<2> {
    comparison.entries.iter().find(|entry| entry.trajectory.stepper == name).expect("it is compared")
}

fn words(comparison: &Comparison<2>, name: StepperName) -> String {
    paragraph(of(comparison, name), comparison.truth.as_ref())
}

#[test]
fn work_of_a_torque_is_no_gain_and_spin_out_of_nothing_is() {
    let mut scenario = floating();
    scenario.pushes = vec![Push { torque: [0.5, 0.0, 0.0].into(), ..Push::constant([0.0, 0.0]) }];
    let mut trajectory = run(&scenario, LCP);
    assert!(Metrics::of(&trajectory, None).max_energy_gain() < 1e-15);
    // From rest to 3 rad/s within a step: I omega^2/2, up to what the torque did.
    let last = trajectory.bodies[0].attitudes.len() - 1;
    let before = trajectory.bodies[0].attitudes[last - 1].spin[0];
    trajectory.bodies[0].attitudes[last].spin = Spin::new(before + 3.0, 0.0, 0.0);
    let gain = Metrics::of(&trajectory, None).max_energy_gain();
    let expected = 0.5 * INERTIA * ((before + 3.0).powi(2) - before.powi(2));
    assert!((gain - expected).abs() < 1e-2 * expected, "{gain}, expected {expected}");
}

/// A torque that grows from 0 to 1 N m, sampled at the left ends of 100 steps of 1 ms: 0.0495 N m s.
#[test]
fn torque_of_a_table_turns_the_body_and_survives_the_file() {
    let mut scenario = floating();
    let table = PushTable {
        rows: vec![(0.0, [0.0, 0.0].into()), (0.1, [0.0, 0.0].into())],
        torques: vec![Spin::zeros(), Spin::new(1.0, 0.0, 0.0)],
    };
    scenario.pushes = vec![Push { table: Some(table), ..Push::constant([0.0, 0.0]) }];
    let text = scenario.to_toml();
    assert!(text.contains("0.1, 0.0, 0.0, 1.0]"), "{text}");
    let AnyScenario::InPlane(read) = read_scenario_from(text.as_bytes(), "the text", &[]).unwrap() else {
        panic!("in the plane")
    };
    assert_eq!(read.pushes, scenario.pushes);
    let trajectory = run(&read, LCP);
    let spin = trajectory.bodies[0].attitudes.last().unwrap().spin[0];
    assert!((spin - 0.0495 / INERTIA).abs() < 1e-12, "{spin}");
    // A point does not turn.
    scenario.bodies[0].shape = Shape::Point;
    let violations = scenario.check().unwrap_err();
    assert!(violations.iter().any(|one| one.key == "push[0].table"), "{violations:?}");
}

#[test]
fn overlap_of_a_body_is_that_of_its_corners_and_not_of_its_centre() {
    let mut scenario = floating();
    scenario.gravity = 9.81;
    scenario.bodies[0].position = [0.0, 0.19].into();
    scenario.duration = 0.01;
    let metrics = Metrics::of(&run(&scenario, LCP), None);
    assert!((metrics.max_penetration() - 0.01).abs() < 1e-12, "{}", metrics.max_penetration());
    scenario.bodies[0].position = [0.0, 0.2].into();
    assert!(Metrics::of(&run(&scenario, LCP), None).max_penetration() < 1e-12);
}

#[test]
fn error_of_a_rotation_is_an_angle() {
    let trajectory = run(&floating(), LCP);
    let mut turned = trajectory.clone();
    let k = turned.bodies[0].attitudes.len() / 2;
    turned.bodies[0].attitudes[k].orientation = Orientation::Angle(-0.25);
    let error = max_turn_error(turned.track(0), trajectory.track(0)).expect("it turns");
    assert!((error - 0.25).abs() < 1e-15);
    let metrics = Metrics::of(&turned, Some(&trajectory));
    assert_eq!((metrics.max_turn_error, metrics.bodies[0].max_turn_error), (Some(error), Some(error)));
}

#[test]
fn metrics_have_one_row_per_stepper_with_errors_or_deviations() {
    let table = |scenario: &Scenario<2>| {
        let comparison = compare(scenario, &[NLP, LCP, LCP_ANITESCU]);
        let mut csv = Vec::new();
        write_metrics(&comparison, &mut csv).unwrap();
        String::from_utf8(csv).unwrap()
    };
    let cell = |table: &str, stepper: &str, column: &str| -> String {
        let mut lines = table.lines();
        let place = lines.next().unwrap().split(',').position(|name| name == column).expect(column);
        let mut rows = lines.filter(|line| line.starts_with(&format!("{stepper},")));
        let row = rows.next().expect(stepper);
        assert!(rows.next().is_none(), "one row per stepper: {table}");
        row.split(',').nth(place).unwrap().to_owned()
    };
    let known = table(&example("backspin-disc", &["duration=0.2"]));
    let angle: f64 = cell(&known, "lcp", "max_error_angle").parse().unwrap();
    assert!(angle > 0.0 && angle < 2e-2, "{known}");
    assert_eq!(cell(&known, "lcp", "deviation"), "");
    assert!(cell(&known, "nlp", "max_natural_map").parse::<f64>().unwrap() < 1e-6, "{known}");
    let unknown = table(&example("dominoes", &["duration=0.7"]));
    assert_eq!(cell(&unknown, "lcp", "max_error_x"), "");
    assert!(cell(&unknown, "lcp:anitescu", "deviation").parse::<f64>().unwrap() > 0.0, "{unknown}");
    assert!(!cell(&unknown, "lcp", "deviating_body").is_empty(), "{unknown}");
}

/// Two models are equally far from their mean.
#[test]
fn without_an_exact_motion_models_are_measured_from_their_mean() {
    let comparison = compare(&example("stack", &["duration=0.4"]), &[LCP, LCP_ANITESCU]);
    let [a, b] =
        [LCP, LCP_ANITESCU].map(|name| of(&comparison, name).merit.deviation.expect("no exact motion"));
    assert!((a.position - b.position).abs() < 1e-12 && a.body == b.body && a.time == b.time, "{a:?} {b:?}");
    let [x, y] = [LCP, LCP_ANITESCU].map(|name| &of(&comparison, name).trajectory);
    let distances = x.tracks().zip(y.tracks()).flat_map(|(x, y)| {
        x.states.iter().zip(y.states).map(|(x, y)| 0.5 * (x.position - y.position).norm()).collect::<Vec<_>>()
    });
    let largest = distances.fold(0.0, f64::max);
    assert!((a.position - largest).abs() <= 1e-12, "{a:?}, {largest}");
    let told = words(&comparison, LCP);
    // Both leave the stack standing.
    assert!(
        largest < 1e-11 && told.contains("Moves like the mean of the models, to within rounding."),
        "{told}"
    );
}

/// Whoever looks into the trajectories finds distance and angle of the bodies that are named, when they are.
#[test]
fn the_largest_distance_and_the_largest_angle_have_bodies_and_times_of_their_own() {
    let comparison = compare(&example("dominoes", &["duration=0.7"]), &[LCP, LCP_ANITESCU]);
    let deviation = of(&comparison, LCP).merit.deviation.expect("no exact motion");
    let angle = deviation.angle.expect("bodies turn");
    let at = |time: f64| (time / comparison.scenario.step).round() as usize;
    let [x, y] = [LCP, LCP_ANITESCU].map(|name| &of(&comparison, name).trajectory.bodies);
    let place = |bodies: &[Motion<2>]| bodies[deviation.body].states[at(deviation.time)].position;
    let there = 0.5 * (place(x) - place(y)).norm();
    assert!((there - deviation.position).abs() <= 1e-12 && there > 0.0, "{deviation:?}: {there}");
    let turned = |bodies: &[Motion<2>]| bodies[angle.body].attitudes[at(angle.time)].orientation;
    let there = 0.5 * turned(x).angle_to(&turned(y));
    assert!((there - angle.angle).abs() <= 1e-12 && there > 0.0, "{deviation:?}: {there}");
    let told = words(&comparison, LCP);
    assert!(
        told.contains("centres of mass get up to") && told.contains("); its bodies turn up to "),
        "{told}"
    );
}

/// A ground without stiffness lets a stack fall for ever: the mean of the others is not dragged along.
#[test]
fn a_model_that_runs_away_is_no_part_of_the_mean() {
    let soft = ["duration=0.6", "stepper.smooth.stiffness=1e-3", "stepper.smooth.damping=0.0"];
    let comparison = compare(&example("stack", &soft), &[LCP, NLP, CONE, SMOOTH]);
    let deviation = |name| of(&comparison, name).merit.deviation.expect("no exact motion");
    assert!(!deviation(SMOOTH).counts && deviation(SMOOTH).position > 1.0, "{:?}", deviation(SMOOTH));
    assert!(words(&comparison, SMOOTH).contains("runs away from"), "{}", words(&comparison, SMOOTH));
    for name in [LCP, NLP, CONE] {
        let deviation = deviation(name);
        assert!(deviation.counts && deviation.position < 1e-3, "{name}: {deviation:?}");
        assert!(!words(&comparison, name).contains("runs away"), "{}", words(&comparison, name));
    }
    // Without it the mean is the same.
    let without = compare(&example("stack", &soft), &[LCP, NLP, CONE]);
    assert_eq!(of(&without, LCP).merit.deviation, of(&comparison, LCP).merit.deviation);
}

#[test]
fn the_report_has_rows_for_angles_for_the_mean_and_for_coulombs_law() {
    let page = |comparison: &Comparison<2>| report(comparison, &[], 1e-3, None, &[], None);
    let (known, unknown) = (
        compare(&example("backspin-disc", &["duration=0.1"]), &[LCP, NLP]),
        compare(&example("stack", &["duration=0.1"]), &[LCP, NLP]),
    );
    let (known, unknown) = (page(&known), page(&unknown));
    let [angle, mean, law] =
        ["largest error in angle [rad]", "from the mean of the models [m]", "residual of Coulomb"];
    assert!(known.contains(angle) && !known.contains(mean) && known.contains(law));
    assert!(!unknown.contains(angle) && unknown.contains(mean) && unknown.contains(law));
    assert!(unknown.contains("No exact motion is known") && !known.contains("No exact motion is known"));
}

const ARTEFACTS: [&str; 5] = ["Penetrates", "Hops", "Creeps", "Gains", "indeterminate"];

fn artefacts(comparison: &Comparison<2>, name: StepperName) -> Vec<&'static str> {
    let words = words(comparison, name);
    ARTEFACTS.into_iter().filter(|artefact| words.contains(artefact)).collect()
}

#[test]
fn published_convex_contact_hops_and_rigid_contact_does_not() {
    let mut scenario = example("backspin-disc", &["duration=0.5"]);
    scenario.steppers.convex = ConvexSettings::PUBLISHED;
    let comparison = compare(&scenario, &[NLP, LCP, CONE, CONVEX]);
    assert!(artefacts(&comparison, CONVEX).contains(&"Hops"), "{}", words(&comparison, CONVEX));
    let hop = of(&comparison, CONVEX).merit.conduct.as_ref().unwrap().hop.unwrap();
    assert!(hop.height > 1e-2, "{hop:?}");
    for name in [NLP, LCP, CONE] {
        assert!(artefacts(&comparison, name).is_empty(), "{name}: {}", words(&comparison, name));
    }
}

/// A box that friction holds on a slope.
#[test]
fn convex_contact_creeps_where_friction_holds_and_rigid_contact_does_not() {
    let scenario = Scenario {
        duration: 0.4,
        bodies: vec![Body {
            shape: Shape::Box { size: [0.5, 0.2].into() },
            ..Body::point(1.0, [0.0, 0.1], [0.0, 0.0])
        }],
        ground: Ground { friction: 0.8, slope: 20.0, ..Ground::default() },
        ..Scenario::new("held")
    };
    let comparison = compare(&scenario, &[NLP, LCP, CONE, CONVEX]);
    assert!(artefacts(&comparison, CONVEX).contains(&"Creeps"), "{}", words(&comparison, CONVEX));
    for name in [NLP, LCP, CONE] {
        assert!(!artefacts(&comparison, name).contains(&"Creeps"), "{name}: {}", words(&comparison, name));
    }
}

#[test]
fn anitescus_impacts_penetrate_and_those_at_gap_level_do_not() {
    let comparison = compare(&example("rod-drop", &["duration=0.4"]), &[NLP, LCP, CONE, LCP_ANITESCU]);
    assert!(
        artefacts(&comparison, LCP_ANITESCU).contains(&"Penetrates"),
        "{}",
        words(&comparison, LCP_ANITESCU)
    );
    for name in [NLP, LCP, CONE] {
        assert!(artefacts(&comparison, name).is_empty(), "{name}: {}", words(&comparison, name));
    }
}

/// Newton's law of restitution gains energy where friction turns the slip around in the impact, and an impact that is followed
/// over its impulse does not.
#[test]
fn elastic_impacts_with_friction_gain_energy_and_inelastic_or_followed_ones_do_not() {
    let thrown = |restitution: f64, impacts: Impacts| Scenario {
        duration: 0.02,
        bodies: vec![Body {
            shape: Shape::Rod { length: 1.0 },
            orientation: Orientation::Angle(0.9),
            ..Body::point(1.0, [0.0, 0.5 * 0.9_f64.sin() + 0.005], [1.0, -2.0])
        }],
        ground: Ground { friction: 0.8, restitution, ..Ground::default() },
        steppers: StepperSettings { impacts: Some(impacts), ..StepperSettings::default() },
        ..Scenario::new("thrown-rod")
    };
    let gains = |restitution, impacts| {
        let comparison = compare(&thrown(restitution, impacts), &[LCP]);
        artefacts(&comparison, LCP).contains(&"Gains")
    };
    assert!(gains(1.0, Impacts::OneStage));
    assert!(!gains(0.0, Impacts::OneStage));
    assert!(!gains(1.0, Impacts::Incremental));
}

#[test]
fn forces_that_the_motion_leaves_open_are_told_by_models_that_disagree_on_them() {
    let scenario = example("wedge", &["ground.friction=1.0", "duration=0.6"]);
    let comparison = compare(&scenario, &[NLP, LCP]);
    for name in [NLP, LCP] {
        assert!(artefacts(&comparison, name).contains(&"indeterminate"), "{}", words(&comparison, name));
    }
}

/// One contact, whose force follows from the motion: nothing is open, and nothing of the kind is said.
#[test]
fn forces_that_the_motion_determines_are_not_called_indeterminate() {
    for (name, duration) in [("backspin-disc", "duration=0.3"), ("rod-drop", "duration=0.4")] {
        let comparison = compare(&example(name, &[duration]), &[NLP, LCP, CONE]);
        for model in [NLP, LCP, CONE] {
            assert!(
                !artefacts(&comparison, model).contains(&"indeterminate"),
                "{name}: {}",
                words(&comparison, model)
            );
        }
    }
}

#[test]
fn bodies_part_where_they_turn_apart_and_say_what_their_contacts_do() {
    let comparison = compare(&example("backspin-disc", &["duration=0.3"]), &[LCP, NLP]);
    let track = of(&comparison, LCP).trajectory.track(0);
    assert_eq!(BodyMode::of(track, 10), Some(BodyMode::Sliding));
    let truth = &comparison.truth.as_ref().expect("exact").trajectory;
    assert_eq!(BodyMode::of(truth.track(0), 10), Some(BodyMode::Sliding));
    let mut comparison = comparison;
    let turned = &mut comparison.entries[1].trajectory.bodies[0].attitudes;
    let Orientation::Angle(angle) = turned[100].orientation else { panic!("in the plane") };
    turned[100].orientation = Orientation::Angle(angle + 1.0);
    let [parting] = partings(&comparison, 1e-2)[..] else { panic!("one pair") };
    let at = parting.at.expect("it turned away");
    assert_eq!((at.step, at.modes), (99, [BodyMode::Sliding; 2]));
    assert!(
        (at.distance - 0.2 * 0.5_f64.sin()).abs() < 1e-7,
        "the chord of the rim of a disc of 0.1 m: {at:?}"
    );
}

#[test]
fn convergence_of_bodies_counts_their_rotation() {
    let scenario = example("rod-drop", &["duration=0.3"]);
    let (study, _) = ConvergenceStudy::run(&scenario, &[LCP], &[4e-3, 2e-3, 1e-3], &Watch::none());
    let order = study.steppers[0].order.expect("errors above rounding");
    assert!((order - 1.0).abs() < 0.1, "{order}");
    let backspin = example("backspin-disc", &["duration=0.2"]);
    let (study, _) = ConvergenceStudy::run(&backspin, &[LCP], &[2e-3, 1e-3], &Watch::none());
    let errors = study.steppers[0].outcomes[1].errors.as_ref().unwrap();
    let turned = errors.largest_turn.expect("it turns");
    assert!(turned > 1e-3 && errors.rms > 0.1 * 0.3 * turned, "{errors:?}");
    let mut csv = Vec::new();
    write_convergence(&study, &mut csv).unwrap();
    assert!(
        String::from_utf8(csv)
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .contains("max_error_z,max_error_angle,outcome")
    );
}

#[test]
fn the_centre_of_mass_is_that_of_what_moves() {
    let scenario = example("ram", &["duration=0.01"]);
    let metrics = Metrics::of(&run(&scenario, LCP), None);
    let of = |name: &str| {
        let body = metrics.bodies.iter().find(|body| body.name == name).expect("of the scene");
        body.final_state.position
    };
    // The beam has 5 kg and the crate 2 kg; the hooks, a kilogram each, are fixed.
    let expected = (of("beam") * 5.0 + of("crate") * 2.0) / 7.0;
    assert!((metrics.final_center - expected).norm() < 1e-12, "{:?}", metrics.final_center);
}

/// Laws that make friction of a velocity have what it holds creep, which is no slip.
#[test]
fn what_friction_holds_sticks_and_what_it_does_not_hold_slips() {
    let pushed = |force: f64| Scenario {
        duration: 0.2,
        ground: Ground { friction: 0.5, ..Ground::default() },
        bodies: vec![Body {
            shape: Shape::Box { size: [0.4, 0.2].into() },
            ..Body::point(1.0, [0.0, 0.1], [0.0, 0.0])
        }],
        pushes: vec![Push::constant([force, 0.0])],
        ..Scenario::<2>::new("pushed")
    };
    // Friction holds 4.905 N.
    for (force, mode) in [(3.0, ContactMode::Stick), (4.8, ContactMode::Stick), (5.0, ContactMode::Slip)] {
        for name in [NLP, LCP, LCP_ANITESCU, CONE, CONVEX, SMOOTH] {
            let trajectory = run(&pushed(force), name);
            for k in [100, 150, 199] {
                let modes: Vec<_> =
                    trajectory.contacts.of_step(k).iter().map(|contact| contact.mode).collect();
                assert_eq!(modes, [mode; 2], "{name}, {force} N, step {k}");
            }
        }
    }
}

/// A box of 10 kg on one of 100 g, both at rest.
const HEAVY_ON_LIGHT: &str = r#"
name = "heavy"
duration = 0.3
step = 1e-3
[[body]]
name = "light"
shape = "box"
size = [0.4, 0.2]
mass = 0.1
position = [0.0, 0.1]
[[body]]
name = "heavy"
shape = "box"
size = [0.4, 0.2]
mass = 10.0
position = [0.0, 0.3]
[ground]
friction = 0.5
"#;

#[test]
fn a_summary_tells_of_bodies_that_are_deep_in_others() {
    let scenario: Scenario<2> = HEAVY_ON_LIGHT.parse().unwrap();
    let overlap = |name: StepperName| {
        let trajectory = run(&scenario, name);
        Summary::of(&trajectory, Metrics::of(&trajectory, None)).overlap
    };
    let told = overlap(SMOOTH).expect("the spring has to be soft for the light one");
    assert!(told.contains("overlap by up to 0.03") && told.contains("% of its size"), "{told}");
    assert_eq!(overlap(NLP), None);
}
