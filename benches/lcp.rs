//! How long a contact problem takes: Lemke on four unknowns, and a step of each formulation.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stickslip::{
    lcp::{Lcp, Lemke, Solution},
    scenario::{Body, Ground, Scenario},
    stepper::{BuildStepper, PointInput, StepperName},
};

/// A contact in the plane by Stewart and Trinkle, with unit response: impulses along the normal, along the ground and against,
/// and the speed of the slip; `closing` and `slip` are velocities without contact.
fn point_problem(closing: f64, slip: f64, friction: f64) -> Lcp<4> {
    Lcp::from_arrays(
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, -1.0, 1.0], [0.0, -1.0, 1.0, 1.0], [friction, -1.0, -1.0, 0.0]],
        [closing, slip, -slip, 0.0],
    )
}

fn lemke(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lemke-4x4");
    for (name, problem) in [
        ("flight", point_problem(3.0, 1.0, 0.1)),
        ("slide", point_problem(-0.00981, 0.5, 0.1)),
        ("stick", point_problem(-0.00981, 0.0005, 0.1)),
        ("impact", point_problem(-4.4, 1.0, 0.1)),
    ] {
        let mut solver = Lemke::default();
        let mut solution = Solution::empty(problem.dim());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                solver.solve_into(black_box(&problem), &mut solution);
                black_box(&solution.z);
            });
        });
        assert!(solution.is_solved());
    }
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step-sliding");
    let mut scenario =
        Scenario::<2> { bodies: vec![Body::point(10.0, [0.0, 0.0], [0.5, 0.0])], ..Scenario::new("sliding") };
    scenario.ground = Ground { friction: 0.1, ..Ground::default() };
    let input = PointInput {
        index: 0,
        time: 0.0,
        state: scenario.initial_state(0),
        push: scenario.push(0, 0),
        dt: scenario.step,
    };
    for name in [
        StepperName::LCP,
        StepperName::LCP_TRADITIONAL,
        StepperName::LCP_MIXED,
        StepperName::LCP_DIRECT,
        StepperName::LCP_BELBUTE_PERES,
    ] {
        let mut stepper = scenario.point_stepper(name).expect("the scenario suits every formulation");
        group.bench_function(name.as_str(), |bencher| {
            bencher.iter(|| black_box(stepper.step(black_box(&input))));
        });
    }
}

criterion_group!(benches, lemke, steps);
criterion_main!(benches);
