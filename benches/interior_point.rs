//! One contact step as a nonlinear program: the crate's interior-point method and IPOPT, from the
//! same starts.

#[path = "../crates/solve/tests/interior_point/step_program.rs"]
mod step_program;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use step_program::StepProgram;
use stickslip::model::{PointMass, State, Vector};
use stickslip::nlp::{InteriorPoint, InteriorPointOptions, Ipopt, IpoptOptions, NlpSolver, Start};

/// A point that slides over the ground, one that sticks under a push, and one that flies.
fn programs() -> [(&'static str, StepProgram); 3] {
    let body = PointMass { mass: 10.0, friction: 0.1, restitution: 0.0, gravity: Vector::from([0.0, -9.81]) };
    let step = |height: f64, vx: f64, push: f64| {
        let state = State { position: Vector::from([0.0, height]), velocity: Vector::from([vx, 0.0]) };
        StepProgram::new(&body, &state, &Vector::from([push, 0.0]), 1e-3)
    };
    [("slide", step(0.0, 0.5, 0.0)), ("stick", step(0.0, 0.0, 4.0)), ("flight", step(0.5, 1.0, 0.0))]
}

fn step_program(criterion: &mut Criterion) {
    for (name, program) in programs() {
        let mut group = criterion.benchmark_group(format!("step program, {name}"));
        let cold = Start::cold(program.start());
        let mut own = InteriorPoint::new(&program, InteriorPointOptions::default());
        group.bench_function("interior point, cold", |bencher| {
            bencher.iter(|| own.solve(black_box(&program), &cold));
        });
        let warm = Start::warm(&own.solve(&program, &cold));
        group.bench_function("interior point, warm", |bencher| {
            bencher.iter(|| own.solve(black_box(&program), &warm));
        });
        let mut ipopt = Ipopt::new(&program, &IpoptOptions::default()).expect("the options are valid");
        group.bench_function("IPOPT, cold", |bencher| {
            bencher.iter(|| ipopt.solve(black_box(&program), &cold));
        });
        group.finish();
    }
}

criterion_group!(benches, step_program);
criterion_main!(benches);
