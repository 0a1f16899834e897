//! Five hundred random scenarios with pushes and restitution: the rigid closed-form step converges
//! to the exact motion at first order.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    model::closed_form_step,
    scenario::{Push, Scenario},
    trajectory::Trajectory,
};

use crate::support::{run, scenario, sine, window};

const SCENARIOS: usize = 500;
const DT: f64 = 1e-4;

fn random_scenario(rng: &mut StdRng) -> Scenario<2> {
    let mut scenario = scenario(
        [0.0, rng.random_range(0.0..0.5)],
        [rng.random_range(-2.0..2.0), rng.random_range(-1.0..1.0)],
        1.0,
    );
    scenario.bodies[0].mass = rng.random_range(0.5..20.0);
    scenario.ground.friction = rng.random_range(0.0..0.8);
    // The closed-form step rebounds from up to dt |vz| above the ground, so that the hop lasts up to
    // dt/e longer, bounce after bounce: a first-order error, but with too large a factor for the bound
    // below where e is near 0 or 1.
    scenario.ground.restitution = if rng.random_bool(0.5) { rng.random_range(0.4..0.6) } else { 0.0 };
    let weight = scenario.bodies[0].mass * 9.81;
    for _ in 0..rng.random_range(0..3) {
        let force = [weight * rng.random_range(-0.4..0.4), weight * rng.random_range(-0.2..0.2)];
        let push: Push<2> = if rng.random_bool(0.5) {
            // Whole steps: between samples the held push could not follow the edge of a window.
            let from = rng.random_range(0..6_000);
            window(force, f64::from(from) * DT, f64::from(from + rng.random_range(500..4_000)) * DT)
        } else {
            sine(force, rng.random_range(0.2..5.0), rng.random_range(0.0..6.0))
        };
        scenario.pushes.push(push);
    }
    scenario
}

/// Largest distance of the closed-form step from the exact trajectory over all samples, in m, with
/// steps `every` times as long as those of the trajectory.
fn error_of_closed_form(exact: &Trajectory<2>, every: usize) -> f64 {
    let mut scenario = exact.scenario.clone();
    scenario.step *= every as f64;
    let body = scenario.point(0);
    let mut state = scenario.initial_state(0);
    let mut error: f64 = 0.0;
    for k in 0..scenario.time().steps {
        state = closed_form_step(&body, &state, &scenario.push(0, k), scenario.step).state;
        error = error.max((state.position - exact.bodies[0].states[(k + 1) * every].position).amax());
    }
    error
}

#[test]
fn closed_form_step_converges_to_the_exact_motion() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut orders = Vec::new();
    let mut worst: f64 = 0.0;
    for _ in 0..SCENARIOS {
        let mut scenario = random_scenario(&mut rng);
        scenario.step = DT / 2.0;
        let (exact, _) = run(&scenario);
        let fastest = exact.bodies[0].states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max);
        let errors = [2, 1].map(|every| error_of_closed_form(&exact, every));
        for (error, dt) in errors.iter().zip([DT, DT / 2.0]) {
            worst = worst.max(error / (2.0 * dt * fastest + 1e-12));
        }
        if errors[0] > 1e-9 {
            orders.push((errors[0] / errors[1]).log2());
        }
    }
    orders.sort_by(f64::total_cmp);
    let median = orders[orders.len() / 2];
    assert!(worst <= 1.0, "error is {worst} times the bound 2 dt max|v|");
    assert!((0.95..=1.05).contains(&median), "median order {median}");
}
