//! What a gradient costs beside the run itself: 1e5 steps of a bouncing point that comes to rest.
//!
//! `cargo bench --bench gradient`; the reported throughput is in steps per second on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stickslip::{
    gradient::{GradientOptions, Input, adjoint, tangents},
    model::State,
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    stepper::{BuildStepper, PointInput, PointStepper, StepperName},
    watch::Watch,
};

const STEPS: usize = 100_000;

fn bounce() -> Scenario<2> {
    let mut scenario = Scenario {
        duration: 2.5,
        step: 2.5 / STEPS as f64,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [2.0, 0.0])],
        ground: Ground { friction: 0.1, restitution: 0.6, ..Ground::default() },
        pushes: vec![Push::constant([1.0, 2.0])],
        ..Scenario::new("bounce")
    };
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario
}

/// The run alone, without derivatives.
fn run(scenario: &Scenario<2>, stepper: &mut dyn PointStepper<2>) -> State<2> {
    stepper.reset();
    let mut state = scenario.initial_state(0);
    for index in 0..STEPS {
        let (time, push) = (scenario.time().at(index), scenario.push(0, index));
        let input = PointInput { index, time, state, push, dt: scenario.step };
        state = stepper.step(&input).expect("the bounce is solved").state;
    }
    state
}

fn cost(criterion: &mut Criterion) {
    let scenario = bounce();
    let ten = Input::of(&scenario);
    assert_eq!(ten.len(), 10);
    let four = [Input::Position(1), Input::Velocity(0), Input::Friction, Input::Restitution];
    let options = GradientOptions::of(&scenario);
    let weight = State { position: [1.0, 0.0].into(), velocity: [0.0, 0.0].into() };
    let mut group = criterion.benchmark_group("gradient");
    group.throughput(Throughput::Elements(STEPS as u64)).sample_size(10);
    for name in [StepperName::LCP, StepperName::NLP] {
        let mut stepper = scenario.point_stepper(name).expect("the bounce is admitted");
        group.bench_function(format!("{name} run"), |bencher| {
            bencher.iter(|| run(black_box(&scenario), stepper.as_mut()));
        });
        for (what, inputs) in [("tangents of 4 inputs", &four[..]), ("tangents of 10", &ten[..])] {
            group.bench_function(format!("{name} {what}"), |bencher| {
                bencher.iter(|| {
                    tangents(&scenario, stepper.as_mut(), black_box(inputs), &options, &Watch::none())
                });
            });
        }
        group.bench_function(format!("{name} adjoint of 10"), |bencher| {
            bencher.iter(|| {
                adjoint(&scenario, stepper.as_mut(), black_box(&ten), &weight, &options, &Watch::none())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, cost);
criterion_main!(benches);
