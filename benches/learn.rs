//! How long learning takes from many samples: complementarity constraints solved by IPOPT with the
//! sparse factorisation, and the linear program with the exploration of its optimal face.

use std::{hint::black_box, ops::ControlFlow};

use criterion::{Criterion, criterion_group, criterion_main};
use stickslip::learn::{Findings, Request};

fn learn(experiment: &str, samples: usize) -> Findings {
    let experiment = experiment.parse().expect("the experiment exists");
    let request = Request { samples: Some(samples), ..Request::new(experiment, 0) };
    let prepared = request.prepare().expect("defaults are accepted");
    prepared.run(&mut |_| ControlFlow::Continue(())).expect("the experiment succeeds").1
}

fn experiments(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("learn");
    group.sample_size(10);
    for (experiment, samples) in [("mpcc", 200), ("mpcc", 2000), ("linear-program", 20_000)] {
        group.bench_function(format!("{experiment}-{samples}"), |bencher| {
            bencher.iter(|| black_box(learn(experiment, samples).error));
        });
    }
}

criterion_group!(benches, experiments);
criterion_main!(benches);
