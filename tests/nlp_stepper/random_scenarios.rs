//! Random scenarios: no step fails, and every step is the closed-form one.

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

/// Heights that the point leaves within the run about as often as not, and up to 2 m.
fn height() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(0.0), 2 => log_uniform(1e-6, 2.0), 1 => 0.0..2.0]
}

/// No push, or one that is small or large against the weight, constant or oscillating.
fn push() -> impl Strategy<Value = Option<([f64; 2], Option<f64>)>> {
    let force = [-3.0..3.0, -1.0..2.0];
    prop::option::of((force, prop::option::of(0.5..50.0)))
}

fn scenario() -> impl Strategy<Value = Scenario<2>> {
    let point = (log_uniform(1e-3, 1e4), height(), -20.0..20.0, -20.0..20.0, prop::bool::ANY);
    let ground = (prop_oneof![1 => Just(0.0), 4 => 0.0..5.0], prop_oneof![1 => Just(0.0), 1 => 0.0..=1.0]);
    (point, ground, log_uniform(1e-4, 1e-2), push()).prop_map(
        |((mass, z, vx, vz, resting), (friction, restitution), step, push)| {
            let velocity = if resting { [vx * 0.01, 0.0] } else { [vx, vz] };
            let weight = mass * 9.81;
            Scenario {
                duration: STEPS * step,
                step,
                bodies: vec![Body::point(mass, [0.0, z], velocity)],
                ground: Ground { friction, restitution, slope: 0.0, ..Ground::default() },
                pushes: push
                    .map(|([x, z], frequency)| Push { frequency, ..Push::constant([x * weight, z * weight]) })
                    .into_iter()
                    .collect(),
                ..Scenario::new("random")
            }
        },
    )
}

/// Runs `test` on `cases` random scenarios, always the same ones.
pub fn for_random_scenarios(cases: u32, test: impl Fn(Scenario<2>) -> Result<(), TestCaseError>) {
    for_all(&scenario(), cases, test);
}

fn check(cases: u32, solver: NlpSolverChoice, warm_start: bool) {
    for_random_scenarios(cases, |mut scenario| {
        scenario.steppers.nlp.solver = Some(solver);
        // The closed form splits what bounces between two steps.
        scenario.steppers.impacts = Some(Impacts::TwoStage);
        scenario.steppers.nlp.warm_start = warm_start;
        let mut stepper = scenario.stepper(StepperName::NLP).expect("nlp admits every scenario");
        let trajectory = simulate(&scenario, stepper.as_mut());
        prop_assert_eq!(trajectory.ending, Ending::Complete, "{:?}", trajectory.first_failure);
        let residual = trajectory.steps.iter().map(|step| step.report.residual).fold(0.0, f64::max);
        prop_assert!(residual <= 1e-6, "residual {}", residual);
        let error = largest_scaled_error(&trajectory);
        prop_assert!(error <= 1e-5, "off the closed-form step by {}", error);
        Ok(())
    });
}

#[test]
fn ipopt_solves_two_thousand_random_scenarios_with_warm_starts() {
    check(2000, NlpSolverChoice::Ipopt, true);
}

#[test]
fn ipopt_solves_random_scenarios_with_cold_starts() {
    check(300, NlpSolverChoice::Ipopt, false);
}

#[test]
fn the_interior_point_method_solves_two_thousand_random_scenarios() {
    check(2000, NlpSolverChoice::InteriorPoint, true);
    check(2000, NlpSolverChoice::InteriorPoint, false);
}
