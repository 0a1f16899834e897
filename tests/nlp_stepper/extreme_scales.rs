//! Scenarios that nobody would call everyday: from dust to mountains, from nanometres to hundreds of
//! kilometres per second. Scaling is the stepper's business, not the user's.

use proptest::prelude::*;
use stickslip::{
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Ending,
    world::Impacts,
};

use crate::{for_all, largest_scaled_error, log_uniform};

const STEPS: f64 = 24.0;

/// Zero, or of either sign with a magnitude over many decades.
fn signed(low: f64, high: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => Just(0.0),
        4 => (prop::bool::ANY, log_uniform(low, high)).prop_map(|(up, size)| if up { size } else { -size }),
    ]
}

fn scenario() -> impl Strategy<Value = Scenario<2>> {
    let height = prop_oneof![Just(0.0), log_uniform(1e-9, 1e3)];
    let point = (log_uniform(1e-12, 1e12), height, signed(1e-9, 3e5), signed(1e-9, 3e5));
    let friction = prop_oneof![1 => Just(0.0), 4 => log_uniform(1e-6, 1e4)];
    let push = prop::option::of([signed(1e-3, 10.0), signed(1e-3, 10.0)]);
    let time = log_uniform(1e-8, 1.0);
    (point, friction, 0.0..=1.0, time, log_uniform(1e-3, 1e3), push).prop_map(
        |((mass, z, vx, vz), friction, restitution, step, gravity, push)| Scenario {
            duration: STEPS * step,
            step,
            gravity,
            bodies: vec![Body::point(mass, [0.0, z], [vx, vz])],
            ground: Ground { friction, restitution, slope: 0.0, ..Ground::default() },
            pushes: push
                .map(|force| Push::constant(force.map(|weights| weights * mass * gravity)))
                .into_iter()
                .collect(),
            ..Scenario::new("extreme")
        },
    )
}

#[test]
fn no_step_fails_and_every_step_is_the_closed_form_one() {
    for solver in [NlpSolverChoice::InteriorPoint, NlpSolverChoice::Ipopt].map(Some) {
        for_all(&scenario(), 1000, |mut scenario| {
            scenario.steppers.nlp.solver = solver;
            // The closed form splits what bounces between two steps.
            scenario.steppers.impacts = Some(Impacts::TwoStage);
            let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
            let trajectory = simulate(&scenario, stepper.as_mut());
            prop_assert_eq!(
                trajectory.ending,
                Ending::Complete,
                "{:?}: {:?}",
                solver,
                trajectory.first_failure
            );
            let error = largest_scaled_error(&trajectory);
            prop_assert!(error <= 1e-4, "{:?}: off the closed-form step by {}", solver, error);
            Ok(())
        });
    }
}
