//! The report measures what a compliant contact does that a rigid one does not, and names it.

use stickslip::{
    compare::{Comparison, match_compliant, paragraph},
    scenario::{Ground, Push, Scenario},
    stepper::StepperName,
    watch::Watch,
};

use crate::{compare, published, slide};

const LCP: StepperName = StepperName::LCP;
const CONVEX: StepperName = StepperName::CONVEX;
const EXACT: StepperName = StepperName::EXACT;

/// What is said of the convex stepper.
fn convex(comparison: &Comparison<2>) -> String {
    let entry = comparison.entries.iter().find(|entry| entry.trajectory.stepper == CONVEX).unwrap();
    paragraph(entry, comparison.truth.as_ref())
}

/// Pushed with half of what friction holds for 0.6 s, and with 1.5 times that for 0.4 s.
fn push_and_hold() -> Scenario<2> {
    let mut scenario = slide();
    scenario.duration = 1.5;
    scenario.bodies[0].position.fill(0.0);
    scenario.bodies[0].velocity.fill(0.0);
    let push = |force, from, to| Push { from: Some(from), to: Some(to), ..Push::constant([force, 0.0]) };
    scenario.pushes = vec![push(4.905, 0.0, 0.6), push(14.715, 0.6, 1.0)];
    scenario
}

#[test]
fn creep_while_sticking_is_measured() {
    // sigma w F dt = 1e-3 4.905 N 1 ms/(10 kg sqrt 2) = 346.8 nm/s
    let text = convex(&compare(&push_and_hold(), &[CONVEX, EXACT]));
    assert!(text.contains("Creeps at 347 nm/s while it should stick."), "{text}");
}

#[test]
fn gliding_is_measured() {
    let mut scenario = published(push_and_hold());
    scenario.steppers.convex.gated = false;
    let text = convex(&compare(&scenario, &[CONVEX, EXACT]));
    // The layer is up to (dt + tau_d) mu v = 21 ms 0.1 0.196 m/s = 412 um above the resting depth.
    assert!(
        text.contains("Slides at a height that follows its speed") && text.contains("pushes it in 100 %"),
        "{text}"
    );
    let highest =
        text.split(" and ").find_map(|part| part.split_once(" µm, rather than")).expect("a height").0;
    let highest: f64 = highest.parse().expect("a number");
    assert!((300.0..412.0).contains(&highest), "{text}");
}

#[test]
fn popping_out_is_measured_and_explained() {
    // 4.33 mm deep after the step of impact, undone over 21 ms, less what the compliance leaves: a bit
    // under 0.206 m/s of the 4.43 m/s of the fall.
    let text = convex(&compare(&published(slide()), &[CONVEX, EXACT]));
    assert!(text.contains("a restitution of 0.04"), "{text}");
    assert!(text.contains("it pops out, for its dissipation time is only 20.0 steps"), "{text}");
    let mut damped = published(slide());
    damped.steppers.convex.dissipation_time = Some(0.2);
    let text = convex(&compare(&damped, &[CONVEX, EXACT]));
    assert!(!text.contains("pops out"), "{text}");
}

#[test]
fn a_missing_rebound_is_measured_and_matching_restores_it() {
    let mut bouncing = slide();
    bouncing.ground = Ground { restitution: 0.6, ..bouncing.ground };
    let text = convex(&compare(&bouncing, &[CONVEX, EXACT]));
    assert!(text.contains("instead of 0.6") && !text.contains("pops out"), "{text}");
    let matched = match_compliant(&bouncing, &Watch::none()).expect("it can be matched").scenario;
    let text = convex(&compare(&matched, &[CONVEX, EXACT]));
    assert!(!text.contains("instead of 0.6"), "{text}");
}

#[test]
fn rigid_steppers_have_none_of_it() {
    let comparison = compare(&push_and_hold(), &[EXACT, LCP]);
    for entry in &comparison.entries {
        let text = paragraph(entry, comparison.truth.as_ref());
        assert!(!text.contains("Creeps at") && !text.contains("Slides at a height"), "{text}");
    }
}
