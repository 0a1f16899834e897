//! Goals that are moved until the exact motion ends where it is to.

use stickslip::{
    plan::{AimedModel, Proof, Search, replay, search},
    stepper::StepperName,
    watch::Watch,
};

use super::support::{PUSHED_POINT, ROLLED_DISC, THROWN_POINT, task};

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

/// What the search and the replays of a text prove.
fn proved(text: &str) -> (Search, Proof) {
    let search = search(&task(text), &Watch::none()).expect("IPOPT starts");
    let plan = &search.found.as_ref().expect("a plan").plan;
    let proof = Proof::of(plan, &replay(plan, &Watch::none()), search.aimed.as_ref());
    println!("{:?} {proof:?}", search.aimed);
    (search, proof)
}

/// Rest is not aimed at, so that there is nothing to move; that the model ends at rest is seen in its replay.
#[test]
fn a_goal_of_rest_alone_is_met_by_the_exact_motion_that_comes_to_rest() {
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = 1.0\naim = \"exact\"")
        .replace("velocity = [0.0, 0.0]\n[ground]", "velocity = [4.0, 0.0]\n[ground]")
        .replace("position = [1.0, nan]\n", "")
        .replace("starts = 2", "starts = 0");
    let (search, proof) = proved(&text);
    assert_eq!(search.aimed, None);
    assert_eq!((proof.is_at_goal, proof.model, proof.missed), (true, Some(StepperName::EXACT), None));
}

/// A finer model is further from the plan than the goal allows: the end of the plan itself proves nothing.
#[test]
fn the_end_that_counts_is_that_of_the_model_that_was_aimed_with() {
    let text = THROWN_POINT.replace("starts = 2", "starts = 0");
    let mut plan = search(&task(&text), &Watch::none()).expect("IPOPT starts").found.expect("a plan").plan;
    let replays = replay(&plan, &Watch::none());
    assert!(Proof::of(&plan, &replays, None).is_at_goal, "the plan ends at the goal by its own steps");
    plan.task.aim = AimedModel::Exact;
    let Proof { is_at_goal, model, missed, .. } = Proof::of(&plan, &replays, None);
    let (body, component, miss) = missed.expect("it is missed");
    assert_eq!((is_at_goal, model, body, component), (false, Some(StepperName::EXACT), 0, 0));
    assert!((miss / 0.108 - 1.0).abs() < 0.05, "{miss}");
}

#[test]
fn a_throw_is_aimed_by_lcp_at_a_tenth_of_the_step() {
    let text = THROWN_POINT.replace("cost = ", "aim = \"lcp\"\ncost = ").replace("starts = 2", "starts = 0");
    let (search, proof) = proved(&text);
    let aimed = search.aimed.expect("it is aimed");
    assert_eq!((aimed.model, proof.model), (StepperName::LCP, Some(StepperName::LCP)));
    assert!(aimed.misses[0] > 1e-2 && aimed.miss <= aimed.within, "{aimed:?}");
    assert!(proof.is_at_goal, "{proof:?}");
    // By steps a tenth as long, the error of which is of first order: that of 20 steps is .0584 above 7.29.
    let cost = search.found.expect("a plan").plan.cost;
    assert!((cost / 7.29 - 1.0).abs() < 0.015, "{cost}");
}
