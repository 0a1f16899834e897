//! Steps per second of the steppers that need no solver, on the blog post's throw.
//!
//! `cargo bench --bench steppers`; the reported throughput is in steps per second on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stickslip::{
    scenario::{Body, Ground, Scenario},
    stepper::{BuildStepper, PointInput, StepperName},
};

const STEPS: usize = 1200;

/// A flight of 0.45 s, an impact, sliding until 1.02 s, and rest.
fn throw() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("throw")
    }
}

fn steps_per_second(criterion: &mut Criterion) {
    let scenario = throw();
    let mut group = criterion.benchmark_group("steps");
    group.throughput(Throughput::Elements(STEPS as u64));
    for name in [StepperName::HYBRID, StepperName::SMOOTH, StepperName::EXACT] {
        let mut stepper = scenario.point_stepper(name).expect("the throw is admitted by all three");
        group.bench_function(name.as_str(), |bencher| {
            bencher.iter(|| {
                let mut state = scenario.initial_state(0);
                stepper.reset();
                for index in 0..STEPS {
                    let time = index as f64 * scenario.step;
                    let push = scenario.push(0, index);
                    let input = PointInput { index, time, state, push, dt: scenario.step };
                    state = stepper.step(black_box(&input)).expect("the throw is harmless").state;
                }
                state
            });
        });
    }
    group.finish();
}

criterion_group!(benches, steps_per_second);
criterion_main!(benches);
