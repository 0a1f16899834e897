//! From few steps to many.

use stickslip::{
    plan::{levels, search},
    watch::Watch,
};

use super::support::{PUSHED_POINT, task};

#[test]
fn steps_are_halved_to_those_that_were_asked_for() {
    assert_eq!(levels(7), [7]);
    assert_eq!(levels(20), [10, 20]);
    assert_eq!(levels(30), [15, 30]);
    assert_eq!(levels(40), [10, 20, 40]);
    assert_eq!(levels(80), [10, 20, 40, 80]);
    assert_eq!(levels(100), [13, 26, 52, 104]);
    assert_eq!(levels(2000), [250, 500, 1000, 2000]);
    for steps in 1..=2000 {
        let levels = levels(steps);
        assert!(levels.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{levels:?}");
        assert!(levels.last().is_some_and(|last| (steps..steps + 8).contains(last)), "{levels:?}");
    }
}

#[test]
fn a_halved_plan_costs_what_the_optimum_at_its_steps_does() {
    let text = PUSHED_POINT.replace("steps = 20", "steps = 80").replace("starts = 2", "starts = 0");
    let found = search(&task(&text), &Watch::none()).expect("IPOPT starts");
    let expected = 12.0 / (1.0 - 1.0 / 6400.0) + (0.3_f64 * 9.81).powi(2);
    let plan = found.found.expect("a plan").plan;
    assert_eq!((plan.task.steps, found.refinements.len()), (80, 3));
    assert!((plan.cost / expected - 1.0).abs() < 1e-6, "{} for {expected}", plan.cost);
    for refinement in &found.refinements {
        assert!(refinement.rolled_out && refinement.work.iterations <= 100, "{refinement:?}");
    }
}
