//! What a gradient costs beside the run itself: 1e5 steps of a bouncing point that comes to rest.
//!
//! `cargo bench --bench gradient`; the reported throughput is in steps per second on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stickslip::{
    gradient::{DerivativeRule, GradientOptions, Input, Steps, adjoint, tangents},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
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

fn cost(criterion: &mut Criterion) {
    let scenario = bounce();
    let ten = Input::of(&scenario);
    assert_eq!(ten.len(), 10);
    let four = [Input::Position(1), Input::Velocity(0), Input::Friction, Input::Restitution];
    let options = GradientOptions::of(&scenario);
    let raw = DerivativeRule::Raw;
    let mut group = criterion.benchmark_group("gradient");
    group.throughput(Throughput::Elements(STEPS as u64)).sample_size(10);
    for name in [StepperName::LCP, StepperName::NLP] {
        let steps = Steps::by(name);
        let mut stepper = scenario.stepper(name).expect("the bounce is admitted");
        group.bench_function(format!("{name} run"), |bencher| {
            bencher.iter(|| simulate(black_box(&scenario), stepper.as_mut()));
        });
        for (what, inputs) in [("tangents of 4 inputs", &four[..]), ("tangents of 10", &ten[..])] {
            group.bench_function(format!("{name} {what}"), |bencher| {
                bencher.iter(|| tangents(&scenario, steps, raw, black_box(inputs), &options, &Watch::none()));
            });
        }
        group.bench_function(format!("{name} adjoint of 10"), |bencher| {
            bencher
                .iter(|| adjoint(&scenario, steps, raw, (black_box(&ten), &[1.0]), &options, &Watch::none()));
        });
    }
    group.finish();
}

criterion_group!(benches, cost);
criterion_main!(benches);
