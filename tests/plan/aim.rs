//! Goals that are moved until the exact motion ends where it is to.

use stickslip::{
    plan::{Proof, Search, replay, search},
    stepper::StepperName,
    watch::Watch,
};

use super::support::{ROLLED_DISC, THROWN_POINT, task};

/// The search for a plan whose exact motion ends at the goal.
fn aimed(text: &str) -> Search {
    let text = text.replace("cost = ", "aim = \"exact\"\ncost = ").replace("starts = 2", "starts = 0");
    let search = search(&task(&text), &Watch::none()).expect("IPOPT starts");
    println!("{:?} {:?}", search.aimed, search.found.as_ref().map(|found| found.plan.cost));
    search
}

#[test]
fn a_throw_is_aimed_until_the_exact_motion_rests_on_the_spot() {
    let search = aimed(THROWN_POINT);
    let found = search.aimed.expect("it is aimed");
    assert_eq!(found.model, StepperName::EXACT);
    // Measured by another implementation: .108, 4.2e-3, 2.7e-4, 1.7e-5, 1.1e-6 m, in units of 1.5 m.
    for (miss, expected) in found.misses.iter().zip([0.108, 4.2e-3, 2.7e-4]) {
        assert!((1.5 * miss / expected - 1.0).abs() < 0.05, "{:?}", found.misses);
    }
    assert!(found.miss <= 2e-6, "{found:?}");
    let plan = search.found.expect("a plan").plan;
    // The cost becomes that of the continuous motion.
    assert!((plan.cost / 7.29 - 1.0).abs() < 1e-4, "{}", plan.cost);
    let proof = Proof::of(&plan, &replay(&plan, &Watch::none()), Some(&found));
    assert!(
        proof.is_followed,
        "it ends elsewhere by the steps of the plan, which lcp and nlp follow all the same"
    );
}

#[test]
fn a_disc_is_aimed_to_rounding_and_costs_what_the_closed_form_does() {
    let search = aimed(ROLLED_DISC);
    let found = search.aimed.expect("it is aimed");
    assert!(found.miss <= 1e-6, "{found:?}");
    let plan = search.found.expect("a plan").plan;
    assert!((plan.cost / 9.7926 - 1.0).abs() < 1e-4, "{}", plan.cost);
}
