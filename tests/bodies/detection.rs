//! The solutions that rigid contact has in the steps of a run.

use stickslip::{
    compare::Comparison,
    metrics::{Counter, Detections, write_detections_csv},
    scenario::{AnyScenario, Body, Ground, Push, Scenario, parse_scenario},
    simulate::OnFailure,
    stepper::StepperName,
    watch::Watch,
};

use crate::scenes::{example, run};

fn detect(scenario: &Scenario<2>, stepper: StepperName) -> Detections {
    Detections::of(&run(scenario, stepper), Counter::in_plane, &Watch::none()).expect("nobody stops it")
}

/// The rod of Painleve's paradox, pulled up with twice its weight: it may open, slide or stick.
fn pulled_rod() -> Scenario<2> {
    let mut scenario = example("painleve-rod", &["duration=0.003"]);
    scenario.pushes = vec![Push::constant([0.0, 2.0 * 9.81])];
    scenario
}

#[test]
fn painleves_rod_has_three_motions_of_which_complementarity_takes_the_open_one() {
    let found = detect(&pulled_rod(), StepperName::LCP);
    let first = found.several().next().expect("the first step has three");
    assert_eq!((first.index, first.solutions.len(), first.in_impact), (0, 3, false));
    let mut modes: Vec<&str> = first.solutions.iter().map(|solution| solution.modes[0].as_str()).collect();
    modes.sort_unstable();
    assert_eq!(modes, ["open", "slide -", "stick"]);
    let taken: Vec<&str> = first
        .solutions
        .iter()
        .filter(|solution| solution.taken)
        .map(|solution| solution.modes[0].as_str())
        .collect();
    assert_eq!(taken, ["open"]);
    assert_eq!(first.contacts, [["rod".to_owned(), "ground".to_owned()]]);
    let words = found.sentences().join("; ");
    assert!(
        words.contains("with several solutions, the first at t = 0 s") && words.contains("open, taken"),
        "{words}"
    );
    assert_eq!(found.none().count(), 0);
}

/// Friction may press a disc that rests between two walls against them as hard as it likes.
#[test]
fn wedge_leaves_the_forces_open_once_the_disc_is_at_rest() {
    let scenario = example("wedge", &["ground.friction=1.0", "duration=0.6"]);
    let found = detect(&scenario, StepperName::LCP);
    assert!(found.indeterminate_forces().count() > 0, "{found:?}");
    let open = found.indeterminate_forces().next().unwrap();
    assert_eq!(open.contacts.len(), 2);
    assert!(open.solutions[0].forces_are_indeterminate && open.solutions[0].taken, "{open:?}");
}

/// Nothing is said of motions that the laws determine.
#[test]
fn determined_motions_are_not_reported() {
    let slide = Scenario {
        duration: 0.2,
        bodies: vec![Body::point(10.0, [0.0, 0.05], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    };
    for scenario in
        [slide, example("tipping-box", &["duration=0.15"]), example("rod-drop", &["duration=0.33"])]
    {
        for stepper in [StepperName::LCP, StepperName::NLP] {
            let found = detect(&scenario, stepper);
            assert!(found.counted > 10, "{}: {found:?}", scenario.name);
            assert!(found.steps.is_empty(), "{} {stepper}: {found:?}", scenario.name);
            assert!(found.sentences()[0].starts_with("one in each of the"), "{:?}", found.sentences());
        }
    }
}

#[test]
fn steps_with_too_many_contacts_are_said_not_to_be_counted() {
    let found = detect(&example("stack", &["duration=0.01"]), StepperName::LCP);
    assert_eq!((found.counted, found.too_many), (0, 10));
    assert!(found.sentences()[0].contains("more than 4 contacts"), "{:?}", found.sentences());
}

#[test]
fn a_comparison_tells_what_each_stepper_took() {
    let names = [StepperName::LCP, StepperName::NLP];
    let mut comparison = Comparison::run(&pulled_rod(), &names, OnFailure::Stop, &Watch::none());
    comparison.detect(Counter::in_plane, &Watch::none());
    let found: Vec<_> = comparison
        .entries
        .iter()
        .map(|entry| (entry.trajectory.stepper.as_str(), entry.detection.as_ref().expect("counted")))
        .collect();
    let mut csv = Vec::new();
    write_detections_csv(found, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("stepper,step,t,stage,contacts,solutions,modes,taken,forces,beyond\n"));
    for name in ["lcp", "nlp"] {
        let row = csv
            .lines()
            .find(|line| line.starts_with(&format!("{name},0,")))
            .expect("a row of the first step");
        assert!(row.contains("gap,rod on ground,3,") && row.ends_with("determined,"), "{row}");
    }
}

/// A disc between upright walls of a distance of its diameter.
fn slot(walls: &[f64], friction: f64) -> Scenario<2> {
    let mut text = format!(
        "name = \"slot\"\nduration = 2e-3\nstep = 1e-3\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
         position = [0.0, 1.0]\n[ground]\nfriction = {friction:?}\n"
    );
    for normal in walls {
        text += &format!("[[wall]]\nnormal = [{normal:?}, 0.0]\noffset = -0.1\n");
    }
    match parse_scenario("slot", &text, &[]).unwrap() {
        AnyScenario::InPlane(scenario) => scenario,
        AnyScenario::OverPlane(_) => panic!("it is in the plane"),
    }
}

/// Walls may press a disc between them as hard as they like: it falls freely, is held, or does anything between.
#[test]
fn disc_between_walls_has_infinitely_many_motions_from_free_fall_to_rest() {
    let found = detect(&slot(&[1.0, -1.0], 0.5), StepperName::LCP);
    let step = found.several().next().expect("the first step");
    assert!(step.is_infinite && !step.is_undecided && step.index == 0, "{step:?}");
    let has = |mode: &str| step.solutions.iter().any(|one| one.modes.iter().all(|own| own.as_str() == mode));
    assert!(has("stick"), "{step:?}");
    assert!(step.solutions.iter().any(|one| one.taken), "{step:?}");
    let words = found.sentences().join("; ");
    assert!(words.contains("infinitely many between them") && !words.contains("one in each"), "{words}");
}

#[test]
fn smooth_walls_leave_a_disc_between_them_one_motion_and_one_wall_its_forces_too() {
    let smooth = detect(&slot(&[1.0, -1.0], 0.0), StepperName::LCP);
    assert_eq!((smooth.several().count(), smooth.undecided().count()), (0, 0), "{smooth:?}");
    assert_eq!(smooth.indeterminate_forces().count(), 2, "{smooth:?}");
    let one = detect(&slot(&[1.0], 0.5), StepperName::LCP);
    assert!(one.counted == 2 && one.steps.is_empty(), "{one:?}");
}
