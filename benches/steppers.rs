//! Steps per second of the steppers of a point as a run takes them, on the blog post's throw.
//!
//! `cargo bench --bench steppers`; the reported throughput is in steps per second on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stickslip::{
    scenario::{Body, Ground, Scenario},
    stepper::{BuildStepper, Moved, StepInput, StepperName},
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
    for name in [
        StepperName::LCP,
        StepperName::LCP_ANITESCU,
        StepperName::CONVEX,
        StepperName::HYBRID,
        StepperName::SMOOTH,
        StepperName::EXACT,
    ] {
        let mut stepper = scenario.stepper(name).expect("the throw is admitted by all of them");
        let mut moved = Moved::start(&scenario);
        group.bench_function(name.as_str(), |bencher| {
            bencher.iter(|| {
                let mut states = scenario.initial_states();
                stepper.reset();
                for index in 0..STEPS {
                    let (time, dt) = (index as f64 * scenario.step, scenario.step);
                    let forces = [scenario.push(0, index)];
                    let (attitudes, torques) = (&[], &[]);
                    let input =
                        StepInput { index, time, dt, states: &states, attitudes, forces: &forces, torques };
                    stepper.step(black_box(&input), &mut moved).expect("the throw is harmless");
                    states.copy_from_slice(&moved.states);
                }
                states
            });
        });
    }
    group.finish();
}

criterion_group!(benches, steps_per_second);
criterion_main!(benches);
