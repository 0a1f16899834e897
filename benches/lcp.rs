//! How long a contact problem takes: Lemke on four unknowns.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stickslip::lcp::{Lcp, Lemke, Solution};

/// Stewart and Trinkle's problem of a point, impulses divided by the mass.
fn contact(normal: f64, tangential: f64, mu: f64) -> Lcp<4> {
    Lcp::from_arrays(
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, -1.0, 1.0], [0.0, -1.0, 1.0, 1.0], [mu, -1.0, -1.0, 0.0]],
        [normal, tangential, -tangential, 0.0],
    )
}

fn lemke(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lemke-4x4");
    for (name, problem) in [
        ("flight", contact(3.0, 1.0, 0.1)),
        ("slide", contact(-0.00981, 0.5, 0.1)),
        ("stick", contact(-0.00981, 0.0005, 0.1)),
        ("impact", contact(-4.4, 1.0, 0.1)),
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

criterion_group!(benches, lemke);
criterion_main!(benches);
