//! Microseconds per step of the nonlinear-program steppers, on the states of real runs.

use criterion::{Criterion, criterion_group, criterion_main};
use stickslip::{
    scenario::{Body, Ground, NlpSolverChoice, Scenario},
    stepper::{BuildStepper, PointInput, PointStepper, StepperName},
};

/// The blog post's nominal case.
fn nominal() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("slide")
    }
}

/// Takes every step of the scenario; criterion divides by their number.
fn whole_run(scenario: &Scenario<2>, stepper: &mut dyn PointStepper<2>) {
    let mut state = scenario.initial_state(0);
    stepper.reset();
    for index in 0..scenario.time().steps {
        let input = PointInput {
            index,
            time: scenario.time().at(index),
            state,
            push: scenario.push(0, index),
            dt: scenario.step,
        };
        state = stepper.step(&input).expect("every step of the benchmark is solved").state;
    }
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("nlp");
    group.sample_size(10);
    let relaxed = |solver, warm_start| {
        let mut scenario = nominal();
        scenario.steppers.nlp.solver = Some(solver);
        scenario.steppers.nlp.warm_start = warm_start;
        scenario
    };
    let (own, ipopt) = (NlpSolverChoice::InteriorPoint, NlpSolverChoice::Ipopt);
    let mut seed = nominal();
    seed.bodies[0].position = [0.0, 0.0].into();
    seed.duration = 0.3;
    let cases = [
        ("relaxed, interior point, warm", relaxed(own, true), StepperName::NLP),
        ("relaxed, interior point, cold", relaxed(own, false), StepperName::NLP),
        ("relaxed, IPOPT, warm", relaxed(ipopt, true), StepperName::NLP),
        ("relaxed, IPOPT, cold", relaxed(ipopt, false), StepperName::NLP),
        ("seed, contact benchmark", seed, StepperName::NLP_SEED),
    ];
    for (name, scenario, stepper) in cases {
        let mut stepper = scenario.point_stepper(stepper).expect("the stepper admits the scenario");
        group.throughput(criterion::Throughput::Elements(scenario.time().steps as u64));
        group.bench_function(name, |bencher| bencher.iter(|| whole_run(&scenario, stepper.as_mut())));
    }
    group.finish();
}

criterion_group!(nlp, benches);
criterion_main!(nlp);
