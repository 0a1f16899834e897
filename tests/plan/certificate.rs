//! What is said of plans, where it must be and where it must not.

use stickslip::{
    plan::{Found, Verdict, search},
    watch::Watch,
};

use super::support::{PUSHED_POINT, ROLLED_DISC, THROWN_POINT, task};

fn found(text: &str) -> Found {
    let found = search(&task(text), &Watch::none()).expect("IPOPT starts").found.expect("a plan");
    println!(
        "{} {:e} {:e} {:?} {}",
        found.verdict, found.kkt, found.complementarity, found.switches, found.plan.cost
    );
    found
}

#[test]
fn optima_with_curvature_in_all_directions_are_called_that() {
    let waits = PUSHED_POINT.replace("duration = 1.0", "duration = 2.0");
    let lifts = PUSHED_POINT
        .replace("friction = 0.3", "friction = 1.0")
        .replace("[[-20, 20], 0]", "[[-40, 40], [-40, 40]]");
    for text in [&waits, &lifts, THROWN_POINT, ROLLED_DISC] {
        let Found { verdict, kkt, complementarity, .. } = found(text);
        assert_eq!(verdict, Verdict::LocalOptimum, "{text}");
        assert!(kkt < 1e-6 && complementarity < 1e-14, "{kkt} {complementarity}\n{text}");
    }
}

#[test]
fn a_plan_that_is_not_determined_is_not_called_an_optimum() {
    // Two pushes at one point: only their sum matters but for their squares, which time does not price.
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = [0.1, 5.0]\ncost = \"time\"")
        .replace("[goal]", "[[control]]\nforce = [[-20, 20], 0]\n[goal]");
    let Found { verdict, .. } = found(&text);
    assert_ne!(verdict, Verdict::LocalOptimum);
}
