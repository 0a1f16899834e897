//! What is gathered of a run while it goes on is what its trajectory would say in the end.

use std::ops::ControlFlow;

use stickslip::{
    metrics::{BodyError, Companion, Gauge, Metrics},
    model::Vector,
    scenario::{Body, Scenario},
    simulate::{OnFailure, simulate, stream},
    stepper::{BuildStepper, StepperName},
    trajectory::Trajectory,
};

/// A point that bounces, slides and comes to rest, in 1500 steps.
fn thrown() -> Scenario<2> {
    let mut scenario = Scenario::new("thrown");
    scenario.duration = 1.5;
    scenario.bodies = vec![Body::point(2.0, [0.0, 0.2], [1.0, 0.5])];
    scenario.ground.friction = 0.4;
    scenario.ground.restitution = 0.5;
    scenario
}

fn trajectory(scenario: &Scenario<2>, name: StepperName) -> Trajectory<2> {
    let mut stepper = scenario.stepper(name).expect("a stepper");
    simulate(scenario, stepper.as_mut())
}

#[test]
fn errors_against_the_exact_motion_do_not_depend_on_how_often_it_catches_up() {
    let scenario = thrown();
    let [run, exact] = [StepperName::HYBRID, StepperName::EXACT].map(|name| trajectory(&scenario, name));
    let truth = BodyError::of(run.track(0), exact.track(0));
    assert!(truth.position.amax() > 1e-6, "there is an error to find");
    for most in [1, 7, 1499, 1_000_000] {
        let mut stepper = scenario.stepper(StepperName::EXACT).expect("a stepper");
        let mut companion = Companion::new(&scenario, stepper.as_mut(), most);
        run.for_each_passage(|passage| {
            if companion.add(passage) {
                assert!(companion.catch_up(|| ControlFlow::Continue(())).is_continue());
            }
        });
        assert!(companion.catch_up(|| ControlFlow::Continue(())).is_continue());
        assert_eq!(companion.errors(), Some(&[truth][..]), "room for {most} states");
    }
}

#[test]
fn errors_are_unknown_where_the_exact_motion_was_stopped() {
    let scenario = thrown();
    let run = trajectory(&scenario, StepperName::HYBRID);
    let mut stepper = scenario.stepper(StepperName::EXACT).expect("a stepper");
    let mut companion = Companion::new(&scenario, stepper.as_mut(), 100);
    let mut left = 150;
    let mut watch = || {
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut stopped = 0;
    run.for_each_passage(|passage| {
        if companion.add(passage) && companion.catch_up(&mut watch).is_break() {
            stopped += 1;
        }
    });
    assert_eq!((stopped, companion.errors()), (1, None));
}

#[test]
fn measures_of_a_stream_are_those_of_the_trajectory_bit_for_bit() {
    let scenario = thrown();
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONVEX] {
        let mut stepper = scenario.stepper(name).expect("a stepper");
        let mut gauge = Gauge::new(&scenario, stepper.honours());
        stream(&scenario, stepper.as_mut(), OnFailure::Stop, |passage| {
            gauge.add(passage);
            ControlFlow::Continue(())
        });
        assert_eq!(gauge.metrics(None), Metrics::of(&trajectory(&scenario, name), None), "{name}");
    }
}

#[test]
fn a_sketch_keeps_every_nth_state_and_the_impulses_between() {
    let scenario = thrown();
    let whole = trajectory(&scenario, StepperName::LCP);
    for (most, stride) in [(10_000, 1), (1500, 1), (1499, 2), (100, 15), (7, 215)] {
        let mut sketch = Trajectory::sketch(&scenario, whole.stepper, whole.honours, most);
        whole.for_each_passage(|passage| sketch.record(passage));
        assert_eq!(sketch.stride, stride);
        let states: Vec<_> = whole.bodies[0].states.iter().step_by(stride).copied().collect();
        assert_eq!(sketch.bodies[0].states, states);
        assert_eq!(sketch.bodies[0].steps.len() + 1, states.len());
        assert_eq!(sketch.time(states.len() - 1), whole.time((states.len() - 1) * stride));
        let interval = sketch.track(0).interval();
        for (mean, steps) in sketch.bodies[0].steps.iter().zip(whole.bodies[0].steps.chunks_exact(stride)) {
            let impulse = steps.iter().fold(Vector::zeros(), |sum, step| sum + step.force * scenario.step);
            assert!((mean.force * interval - impulse).norm() <= 1e-12 * (1.0 + impulse.norm()));
        }
    }
}
