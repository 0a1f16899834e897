//! Plans whose cost is known in closed form, or was measured by two other implementations (CasADi with IPOPT and MUMPS).

use stickslip::{
    plan::{FoundPlan, relaxation::Kind, search},
    watch::Watch,
};

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, ROLLED_DISC, THROWN_POINT, best, costs, task};

/// `value` and `expected` differ by less than `part` of it.
#[track_caller]
fn assert_close(value: f64, expected: f64, part: f64) {
    assert!((value / expected - 1.0).abs() < part, "{value} for {expected}");
}

/// The cost of the plan that a whole search ends with.
fn searched(text: &str) -> f64 {
    let search = search(&task(text), &Watch::none()).expect("IPOPT starts");
    search.found.expect("a plan").plan.cost
}

#[test]
fn a_point_that_is_pushed_along_the_ground_costs_what_the_discrete_optimum_does() {
    // 12 (d/T^2)^2 T for the acceleration, made discrete, and (mu g)^2 T for friction.
    let (steps, drag) = (20.0_f64, 0.3 * 9.81);
    let expected = 12.0 / (1.0 - 1.0 / (steps * steps)) + drag * drag;
    let found = costs(&task(PUSHED_POINT));
    assert!(found.iter().all(|cost| (cost / expected - 1.0).abs() < 1e-6), "{found:?} for {expected}");
}

#[test]
fn a_point_that_has_time_waits() {
    let text = PUSHED_POINT.replace("duration = 1.0", "duration = 2.0");
    assert_close(best(&task(&text)), 16.4821, 1e-5);
}

#[test]
fn the_least_time_is_that_of_full_push_and_full_brake() {
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = [0.1, 5.0]\ncost = \"time\"")
        .replace("[[-20, 20], 0]", "[[-10, 10], 0]");
    assert_close(best(&task(&text)), 0.661958, 2e-6);
}

#[test]
fn a_throw_to_a_spot_is_that_of_the_closed_form_at_this_step() {
    assert_close(best(&task(THROWN_POINT)), 7.87439, 1e-5);
}

#[test]
fn a_push_that_may_lift_does_at_the_angle_of_friction() {
    let text = PUSHED_POINT
        .replace("friction = 0.3", "friction = 1.0")
        .replace("[[-20, 20], 0]", "[[-40, 40], [-40, 40]]");
    assert_close(best(&task(&text)), 50.1524, 1e-5);
}

#[test]
fn a_disc_is_thrown_with_the_spin_that_brings_it_back() {
    assert_close(best(&task(ROLLED_DISC)), 10.3214, 1e-5);
}

#[test]
fn a_box_is_moved_by_a_finger_at_the_cost_that_two_other_implementations_found() {
    let found = best(&task(PUSHED_BY_FINGER));
    assert!(found < 9.797 * 1.02, "{found}");
    assert!(found > 9.797 * 0.95, "{found} is less than anything known");
}

#[test]
fn a_push_lifts_a_point_over_a_parabola_that_it_has_to_stay_above() {
    let text = PUSHED_POINT
        .replace("friction = 0.3", "friction = 1.0")
        .replace("[[-20, 20], 0]", "[[-40, 40], [-40, 40]]")
        + "[[keep]]\nconstant = 0.7\nlinear = [-4, 1]\nquadratic = [[4, 0], [0, 0]]\n";
    assert_close(searched(&text), 63.4475, 1e-5);
    assert_close(searched(&text.replace("steps = 20", "steps = 80")), 63.5807, 1e-5);
}

#[test]
fn a_push_under_a_ceiling_that_is_not_in_the_way_costs_what_it_does_without() {
    let text = PUSHED_POINT
        .replace("friction = 0.3", "friction = 1.0")
        .replace("[[-20, 20], 0]", "[[-40, 40], [-40, 40]]")
        .replace("steps = 20", "steps = 40")
        + "[[wall]]\nnormal = [0, -1]\noffset = -0.1\nfriction = 1.0\n";
    assert_close(best(&task(&text)), 50.1704, 1e-5);
}

/// Measured by another implementation, which has a tenth of the cost, and prices the height of the carts as well: .1 (1 + 1)
/// (3 + 200), whatever they do.
#[test]
fn a_cart_that_bumps_another_costs_what_another_implementation_found() {
    let text = std::fs::read_to_string("examples/plans/two-carts.toml").expect("an example");
    for (steps, expected) in [(20, 114.68), (40, 120.36)] {
        let text =
            text.replace("steps = 40", &format!("steps = {steps}")).replace("starts = 4", "starts = 0");
        assert_close(searched(&text) / 10.0 + 40.6, expected, 1e-4);
    }
}

/// The cost in the units of another implementation that measured it, N^2 s over 100; it counts with 1 %.
#[test]
fn a_box_that_is_tipped_over_lands_in_the_step_that_makes_it_cheapest() {
    let text = std::fs::read_to_string("examples/plans/tip-box.toml").expect("an example");
    let task = task(&text.replace("steps = 40", "steps = 20").replace("starts = 4", "starts = 0"));
    let search = search(&task, &Watch::none()).expect("IPOPT starts");
    let stretched = search.attempts.iter().filter(|attempt| attempt.kind == Kind::Stretched);
    assert!(stretched.count() > 0);
    let cost = search.found.expect("a plan").plan.cost;
    assert!(cost < 1.01 * 25.143, "{cost}");
    assert!(cost > 0.95 * 25.143, "{cost} is less than anything known");
}

/// The least impulse is that of full push at once, and friction alone stops the point at the end: it undoes the impulse of
/// friction over the time of the motion, `mu m g sqrt(2 D (1/a1 + 1/a2))` with `a1 = 20 - mu g`, `a2 = mu g`.
#[test]
fn the_least_impulse_is_that_of_a_full_push_and_a_slide_to_rest() {
    let drag = 0.3 * 9.81;
    let expected = drag * (2.0_f64 * (1.0 / (20.0 - drag) + 1.0 / drag)).sqrt();
    let text = PUSHED_POINT.replace("duration = 1.0", "duration = 1.0\ncost = \"impulse\"");
    for (steps, part) in [(20, 0.06), (80, 0.015)] {
        let text = text.replace("steps = 20", &format!("steps = {steps}"));
        let found = search(&task(&text), &Watch::none()).expect("IPOPT starts").found.expect("a plan");
        let FoundPlan { cost, duration, pushes, .. } = &found.plan;
        let own: f64 = pushes.iter().map(|pushes| pushes[0][0].abs() * duration / f64::from(steps)).sum();
        assert!((cost / own - 1.0).abs() < 1e-6, "{cost} for {own}");
        assert_close(*cost, expected, part);
        assert!(pushes.iter().all(|pushes| pushes[0][0] > -1e-6), "it is never held back");
    }
}
