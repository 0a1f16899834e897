//! Contact models side by side: what is measured, where they part, how fast they converge, what is
//! matched, and the report.

mod compliance;
mod convergence;
mod cross_check;
mod defaults;
mod matching;
mod measures;
mod noise;
mod partings;
mod recorded;
mod report;
mod streaming;
mod words;

use stickslip::{
    compare::Comparison,
    scenario::{Body, ConvexSettings, Ground, Scenario, SmoothLaw},
    simulate::OnFailure,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

/// The blog post's point, thrown forward: it lands after 0.45 s and comes to rest after 1.02 s.
fn slide() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    }
}

/// The same with the published parameters of the compliant models.
fn published<const D: usize>(mut scenario: Scenario<D>) -> Scenario<D> {
    scenario.steppers.convex = ConvexSettings::PUBLISHED;
    scenario.steppers.smooth.law = SmoothLaw::TANH;
    scenario
}

fn compare<const D: usize>(scenario: &Scenario<D>, names: &[StepperName]) -> Comparison<D>
where
    Scenario<D>: BuildStepper<D>,
{
    Comparison::run(scenario, names, OnFailure::Stop, &Watch::none())
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual}, expected {expected} +- {tolerance:e}");
}
