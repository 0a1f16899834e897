//! Time of one cold solve of problem 71 of Hock and Schittkowski (8 iterations) on a solver that is
//! used again and again: `cargo bench --bench ipopt`.

use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{SVector, vector};
use num_dual::DualNum;
use stickslip::nlp::{Bounds, Ipopt, IpoptOptions, Nlp, NlpSolver, Start};

struct Problem71;

impl Nlp<4, 2> for Problem71 {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> T {
        x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> SVector<T, 2> {
        vector![x[0] * x[1] * x[2] * x[3], x.dot(x)]
    }

    fn variable_bounds(&self) -> Bounds<4> {
        Bounds::new([1.0; 4], [5.0; 4])
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([25.0, 40.0], [f64::INFINITY, 40.0])
    }
}

fn hock_schittkowski_71(criterion: &mut Criterion) {
    let mut solver = Ipopt::new(&Problem71, &IpoptOptions::default()).expect("the default options are valid");
    let start = Start::cold(vector![1.0, 5.0, 5.0, 1.0]);
    criterion.bench_function("ipopt/hock_schittkowski_71/cold", |bencher| {
        bencher.iter(|| solver.solve(&Problem71, &start));
    });
}

criterion_group!(benches, hock_schittkowski_71);
criterion_main!(benches);
