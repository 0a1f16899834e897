//! Impacts at gap level and at velocity level, by Newton's and by Poisson's law.

use stickslip::{
    metrics::{max_energy_gain, max_penetration},
    model::State,
    scenario::{RestitutionLaw, Scenario},
    stepper::StepperName,
    trajectory::Trajectory,
};

use crate::{GRAVITY, assert_close, block, run, stepper, take};

const LAWS: [RestitutionLaw; 2] = [RestitutionLaw::Newton, RestitutionLaw::Poisson];

fn thrown(restitution: f64, law: RestitutionLaw, velocity: [f64; 2], duration: f64) -> Scenario<2> {
    let mut scenario = block(10.0, 0.1, velocity[0], duration, 1e-3);
    scenario.bodies[0].position[1] = 1.0;
    scenario.bodies[0].velocity[1] = velocity[1];
    scenario.ground.restitution = restitution;
    scenario.steppers.lcp.restitution = law;
    scenario
}

/// The highest point after the first impact.
fn rebound_height(trajectory: &Trajectory<2>) -> f64 {
    let impact = trajectory.bodies[0].steps.iter().position(|step| step.force[1] > 0.0).expect("an impact");
    trajectory.bodies[0].states[impact + 2..].iter().map(State::height).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_ball_rebounds_to_e_squared_of_its_height() {
    for name in [StepperName::LCP, StepperName::LCP_ANITESCU] {
        for law in LAWS {
            for e in [0.3, 0.5, 0.9] {
                let trajectory = run(&thrown(e, law, [0.0, 0.0], 1.5), name);
                // One step of free fall decides where in the step the impact comes.
                let slack = 3.0 * e * 4.43 * 1e-3 * (1.0 + e);
                assert_close(rebound_height(&trajectory), e * e, slack, &format!("{name} {law:?} e = {e}"));
            }
        }
    }
}

#[test]
fn friction_takes_its_share_of_the_whole_impact() {
    // v1 = vx - mu (1 + e) vi
    let vi = (2.0 * GRAVITY).sqrt();
    for name in [StepperName::LCP, StepperName::LCP_ANITESCU] {
        for law in LAWS {
            let trajectory = run(&thrown(0.5, law, [2.0, 0.0], 0.6), name);
            let expected = 2.0 - 0.1 * 1.5 * vi;
            // The steps around the impact add up to two steps of gravity to its impulse.
            let slack = 0.1 * 1.5 * 2.0 * GRAVITY * 1e-3;
            assert_close(trajectory.final_state(0).velocity[0], expected, slack, &format!("{name} {law:?}"));
        }
    }
}

#[test]
fn for_a_single_point_the_two_laws_agree() {
    for e in [0.2, 0.5, 0.9] {
        let [newton, poisson] = LAWS
            .map(|law| run(&thrown(e, law, [2.0, -1.0], 3.0), StepperName::LCP).final_state(0).position[0]);
        assert_close(newton, poisson, 1e-10, &format!("final x, e = {e}"));
    }
}

#[test]
fn bouncing_ends_and_nothing_gains_energy() {
    for name in [StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::LCP_BELBUTE_PERES] {
        for law in LAWS {
            if name == StepperName::LCP_BELBUTE_PERES && law == RestitutionLaw::Poisson {
                continue;
            }
            for e in [0.0, 0.3, 0.5, 0.9] {
                let trajectory = run(&thrown(e, law, [1.0, 0.0], 10.0), name);
                let what = format!("{name} {law:?} e = {e}");
                // A rebound also lifts the point by e vz dt within its step, which costs more than the
                // impact took where vz < 2 g dt e/(1 - e^2): above the threshold if e > 0.62.
                let gain = max_energy_gain(trajectory.track(0));
                assert!(e > 0.62 || gain <= 1e-9 * 10.0 * GRAVITY, "{what} gains {gain} J");
                let end = trajectory.final_state(0);
                assert_close(end.velocity[1], 0.0, 1e-12, &what);
                let at_rest = &trajectory.bodies[0].states[9_500..];
                let bounce =
                    at_rest.iter().map(|state| (state.height() - end.height()).abs()).fold(0.0, f64::max);
                assert!(bounce <= 1e-12, "{what} still bounces by {bounce} m");
                assert_eq!(end.velocity[0], 0.0, "{what}");
            }
        }
    }
}

#[test]
fn gap_level_never_penetrates_and_velocity_level_by_one_step_of_the_impact() {
    let scenario = thrown(0.0, RestitutionLaw::Newton, [1.0, 0.0], 1.2);
    assert!(max_penetration(run(&scenario, StepperName::LCP).track(0)) <= 1e-12);
    assert_close(
        max_penetration(run(&scenario, StepperName::LCP_ANITESCU).track(0)),
        4.328e-3,
        1e-6,
        "penetration",
    );
}

#[test]
fn the_impulse_that_carries_the_weight_does_not_return_by_poissons_law() {
    let mut scenario = block(10.0, 0.1, 0.0, 1.0, 1e-3);
    scenario.ground.restitution = 0.9;
    scenario.steppers.lcp.restitution = RestitutionLaw::Poisson;
    let mut lcp = stepper(&scenario, StepperName::LCP);
    let step = take(lcp.as_mut(), scenario.initial_state(0), [0.0, 0.0].into(), 1e-3).unwrap();
    assert_eq!(step.state.velocity[1], 0.0);
    // The threshold: a rebound faster than 2 g dt.
    for (rebound, rebounds) in [(1.99, false), (2.01, true)] {
        let mut state = scenario.initial_state(0);
        state.velocity[1] = -rebound / 0.9 * GRAVITY * 1e-3;
        let step = take(lcp.as_mut(), state, [0.0, 0.0].into(), 1e-3).unwrap();
        let expected = if rebounds { rebound * GRAVITY * 1e-3 } else { 0.0 };
        assert_close(step.state.velocity[1], expected, 1e-15, "vz");
    }
}
