//! Plans whose cost is known in closed form, or was measured by two other implementations (CasADi with IPOPT and MUMPS).

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, ROLLED_DISC, THROWN_POINT, best, costs, task};

/// `value` and `expected` differ by less than `part` of it.
#[track_caller]
fn assert_close(value: f64, expected: f64, part: f64) {
    assert!((value / expected - 1.0).abs() < part, "{value} for {expected}");
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
