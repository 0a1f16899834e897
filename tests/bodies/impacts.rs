//! What runs tell of their impacts, and by which law bodies strike.

use std::ops::ControlFlow;

use stickslip::{
    metrics::{ImpactCounts, ImpactFinder, ImpulsePlane, Metrics, Summary},
    scenario::Scenario,
    simulate::{OnFailure, simulate, stream},
    stepper::{BuildStepper, StepStatus, StepperName},
    trajectory::Trajectory,
};

/// A rod without gravity whose lower end strikes after 50 ms.
fn rod(velocity: [f64; 2], friction: f64, restitution: f64, impacts: &str) -> Scenario<2> {
    let height = 0.5 * 0.7_f64.sin() - 0.05 * velocity[1];
    let [x, z] = velocity;
    format!(
        r#"
name = "rod"
duration = 0.1
step = 1e-3
gravity = 0.0
[ground]
friction = {friction:?}
restitution = {restitution:?}
[[body]]
shape = "rod"
size = 1.0
mass = 1.0
position = [0.0, {height:?}]
angle = 0.7
velocity = [{x:?}, {z:?}]
[stepper]
impacts = "{impacts}"
"#
    )
    .parse()
    .unwrap()
}

fn run(scenario: &Scenario<2>, name: StepperName) -> (Trajectory<2>, Option<ImpactCounts>) {
    let mut stepper = scenario.stepper(name).unwrap();
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.count(StepStatus::Failed), 0, "{name}: {:?}", trajectory.first_failure);
    let summary = Summary::of(&trajectory, Metrics::of(&trajectory, None));
    (trajectory, summary.impacts)
}

#[test]
fn rebounds_that_would_make_energy_are_reduced_and_told_of() {
    for impacts in ["one-stage", "two-stage"] {
        let scenario = rod([0.5, -1.0], 0.5, 1.0, impacts);
        for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE, StepperName::LCP_ANITESCU] {
            let (trajectory, counts) = run(&scenario, name);
            let counts = counts.unwrap();
            assert_eq!((counts.steps, counts.capped, counts.several), (1, 1, 0), "{name}, {impacts}");
            assert!((counts.least_share - 0.8052).abs() < 0.03, "{name}, {impacts}: {counts:?}");
            assert!(counts.to_string().contains("in 1 the rebound was reduced, by "), "{counts}");
            let gain = Metrics::of(&trajectory, None).get("max_energy_gain").unwrap();
            assert!(gain < 1e-6, "{name}, {impacts}: {gain:e} J");
            assert_eq!(trajectory.count(StepStatus::Rescued), 0, "{name}, {impacts}");
            let json = serde_json::to_value(counts).unwrap();
            assert_eq!((&json["capped"], &json["unended"]), (&1.into(), &0.into()), "{json}");
        }
    }
    // Models with a law of their own tell of none.
    for name in [StepperName::CONVEX, StepperName::SMOOTH, StepperName::EXACT] {
        let scenario = rod([0.5, -1.0], 0.5, 0.0, "one-stage");
        assert_eq!(run(&scenario, name).1, None, "{name}");
    }
}

/// The impulse along the ground of an impact in which slip turns around, by Moreau's law and by Routh's.
#[test]
fn exact_and_the_models_strike_by_the_law_that_is_named() {
    for (impacts, along, rounds) in [("one-stage", 0.050350, 0), ("incremental", -0.072775, 1)] {
        let scenario = rod([1.0, -2.0], 0.3, 0.0, impacts);
        for name in [StepperName::EXACT, StepperName::NLP, StepperName::LCP, StepperName::CONE] {
            let (trajectory, counts) = run(&scenario, name);
            let own = trajectory.final_state(0).velocity.x - 1.0;
            assert!((own - along).abs() < 4e-3, "{name}, {impacts}: {own}");
            assert!(counts.is_none_or(|counts| counts.rounds_most == rounds), "{name}: {counts:?}");
            // What makes nothing of the key says so, and nobody else.
            let says = trajectory.ignored().iter().any(|ignored| ignored.key == "stepper.impacts");
            assert!(!says, "{name}, {impacts}");
        }
        let ignored = run(&scenario, StepperName::CONVEX).0.ignored();
        assert!(ignored.iter().any(|ignored| ignored.key == "stepper.impacts"));
    }
}

/// The first impact of a run.
fn impulse_plane(scenario: &Scenario<2>, name: StepperName) -> ImpulsePlane {
    let mut stepper = scenario.stepper(name).unwrap();
    let mut finder = ImpactFinder::in_plane(scenario, 1);
    stream(scenario, stepper.as_mut(), OnFailure::Stop, |passage| {
        finder.add(passage);
        ControlFlow::Continue(())
    });
    finder.found.expect("it strikes")
}

/// Both laws' impulses are those of the table in docs/impacts.md, whichever of them the run goes by; slip ends on the line of
/// sticking, and the greatest compression lies on its own.
#[test]
fn an_impact_in_the_plane_of_its_impulses_has_the_ends_of_both_laws() {
    for (impacts, ends) in [("one-stage", [1.297859, 0.389358]), ("incremental", [1.059320, 0.038945])] {
        for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
            let plane = impulse_plane(&rod([1.0, -2.0], 0.3, 0.5, impacts), name);
            let end = plane.course.impulse_at(plane.course.ended);
            // The place of the step's start is a millimetre from that of the impact.
            for (found, expected) in [
                (end, [1.059320, 0.038945]),
                (plane.newton.expect("one end"), [1.297859, 0.389358]),
                (plane.given, ends),
            ] {
                let off = (found[0] - expected[0]).hypot(found[1] - expected[1]);
                assert!(off < 2e-3, "{name}, {impacts}: {found:?} for {expected:?}");
            }
            let slip_ends = plane.course.slip_ends.expect("it turns around");
            assert!(plane.velocity_after(plane.course.impulse_at(slip_ends))[1].abs() < 1e-12);
            assert!(plane.velocity_after(plane.course.impulse_at(plane.course.compressed))[0].abs() < 1e-12);
            assert_eq!((plane.closing, plane.between[1].as_str()), (1, "ground"));
        }
    }
}
