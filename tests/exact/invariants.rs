//! What holds in every scenario, however the pushes turn and swing: the point never sinks, the
//! contact only pushes, friction stays in its cone, and the samples do not disturb the motion.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    metrics::max_error,
    model::tangential,
    scenario::{Push, Scenario},
    trajectory::Trajectory,
};

use crate::support::{run, scenario, sine, window};

const SCENARIOS: usize = 200;

fn random_scenario(rng: &mut StdRng) -> Scenario<3> {
    let mut component = |scale: f64| scale * rng.random_range(-1.0..1.0);
    let height = component(0.3).max(0.0);
    let velocity = [component(1.0), component(1.0), component(0.5)];
    let forces: [[f64; 3]; 3] = std::array::from_fn(|_| [component(40.0), component(40.0), component(80.0)]);
    let mut scenario = scenario([0.0, 0.0, height], velocity, 1.0);
    scenario.step = 0.1;
    scenario.ground.friction = rng.random_range(0.05..0.8);
    scenario.ground.restitution = [0.0, 0.2, 0.5, 0.8, 1.0][rng.random_range(0..5)];
    scenario.ground.slope = [0.0, 10.0][rng.random_range(0..2)];
    scenario.pushes = forces
        .into_iter()
        .take(rng.random_range(0..4))
        .map(|force| -> Push<3> {
            if rng.random_bool(0.5) {
                let from = rng.random_range(0.0..0.9);
                window(force, from, from + rng.random_range(0.0..0.5))
            } else {
                sine(force, rng.random_range(0.1..20.0), rng.random_range(0.0..6.0))
            }
        })
        .collect();
    scenario
}

fn assert_contact_law(trajectory: &Trajectory<3>) {
    assert!(trajectory.bodies[0].states.iter().all(|state| state.is_finite() && state.height() >= 0.0));
    for step in &trajectory.bodies[0].steps {
        let limit = trajectory.scenario.ground.friction * step.force[2];
        assert!(step.force[2] >= -1e-9, "the ground pulls: {:?}", step.force);
        assert!(tangential(&step.force).norm() <= limit + 1e-9, "outside the cone: {:?}", step.force);
    }
}

/// Momentum is what push, contact and gravity gave.
fn assert_momentum_balance(trajectory: &Trajectory<3>) {
    let body = trajectory.scenario.point(0);
    for (pair, step) in trajectory.bodies[0].states.windows(2).zip(&trajectory.bodies[0].steps) {
        let gained = (pair[1].velocity - pair[0].velocity) * (body.mass / trajectory.scenario.step);
        let given = step.push + step.force + body.gravity * body.mass;
        assert!(
            (gained - given).norm() <= 1e-8 * given.norm().max(1.0),
            "{gained:?} gained, {given:?} given"
        );
    }
}

#[test]
fn contact_law_holds_and_sampling_does_not_disturb_the_motion() {
    let mut rng = StdRng::seed_from_u64(11);
    let mut differences = Vec::new();
    for _ in 0..SCENARIOS {
        let mut scenario = random_scenario(&mut rng);
        let (coarse, _) = run(&scenario);
        scenario.step = 0.01;
        let (fine, _) = run(&scenario);
        assert_contact_law(&coarse);
        assert_contact_law(&fine);
        assert_momentum_balance(&coarse);
        assert_momentum_balance(&fine);
        let mut thinned = fine.clone();
        thinned.bodies[0].states = fine.bodies[0].states.iter().step_by(10).copied().collect();
        differences.push(max_error(coarse.track(0), thinned.track(0)).amax());
    }
    differences.sort_by(f64::total_cmp);
    // A graze or a long train of bounces can magnify rounding; that must stay the exception.
    let most = differences[SCENARIOS * 95 / 100];
    assert!(most < 1e-11, "{most:e}");
}
