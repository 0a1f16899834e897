//! How long contact problems of 1 to 4,096 contacts take, by every exact model: first criterion's
//! figures for one cube and for a chain, then a table with time, iterations and growth.
//!
//! The last column counts the problems whose answer fulfils Coulomb's law to 1e-8, and beside them those solved
//! by a law of the model's own: in space `lcp` has a pyramid in the place of the cone.
//!
//! `cargo bench --bench contacts` runs both; `cargo bench --bench contacts -- table` the table alone,
//! `-- table nlp` with one model only.

#[path = "../crates/contact/tests/contact/generator.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod generator;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{BatchSize, Criterion};
use generator::{Kind, Recipe};
use stickslip::contact::{
    Accuracy, AlternatingDirections, ContactModel, ContactProblem, Solution, StewartTrinkle, Structured,
};

/// Sizes of the table.
const SIZES: [usize; 7] = [1, 4, 16, 64, 256, 1024, 4096];
/// Problems of each size, of which the median counts.
const PROBLEMS: u64 = 8;
/// A size is left out where the one before took longer than this.
const PATIENCE: Duration = Duration::from_millis(150);

fn recipe(kind: Kind, contacts: usize, seed: u64) -> Recipe {
    let kinds = Kind::ALL.iter().position(|&other| other == kind).unwrap_or_default() as u64;
    Recipe {
        kind,
        contacts,
        friction: 0.5,
        restitution: 0.0,
        mass_ratio: 1.0,
        agitation: 1.0,
        seed: seed * Kind::ALL.len() as u64 + kinds,
    }
}

fn single(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("contacts");
    for (name, kind, contacts) in [("cube", Kind::Tower, 4), ("chain-252", Kind::Chain, 252)] {
        let problem = recipe(kind, contacts, 1).problem::<3, 6>();
        let mut model = Structured::<3, 6>::default();
        let mut solution = Solution::default();
        group.bench_function(format!("{name}/cold"), |bencher| {
            bencher.iter(|| {
                solution.is_guess = false;
                black_box(model.solve(black_box(&problem), &mut solution))
            });
        });
        let mut moved = problem.clone();
        let largest = problem.free_velocity.iter().fold(0.0_f64, |largest, v| largest.max(v.amax()));
        moved.free_velocity.iter_mut().for_each(|velocity| velocity[0] += 1e-3 * largest);
        solution.is_guess = true;
        group.bench_function(format!("{name}/warm"), |bencher| {
            bencher.iter_batched_ref(
                || solution.clone(),
                |solution| black_box(model.solve(black_box(&moved), solution)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// Median time and iterations over the problems of one size, how many were certified and how many solved by the
/// model's own law, and of how many: after one that takes long no more are tried.
fn measure<const D: usize, const N: usize>(
    problems: &[ContactProblem<D, N>],
    model: &mut dyn ContactModel<D, N>,
) -> (Duration, u32, [usize; 2], usize) {
    let mut runs = Vec::new();
    let mut solved = [0; 2];
    for problem in problems {
        let mut solution = Solution::default();
        // Once to make memory and structure, once to measure.
        let mut time = Duration::MAX;
        let mut iterations = 0;
        for repetition in 0..3 {
            let start = Instant::now();
            let result = model.solve(problem, &mut solution);
            let elapsed = start.elapsed();
            time = if repetition > 0 { time.min(elapsed) } else { time };
            if let Ok(report) = result {
                iterations = report.iterations;
                for (count, accuracy) in solved.iter_mut().zip([Accuracy::Certified, Accuracy::OwnLaw]) {
                    *count += usize::from(repetition == 0 && report.accuracy == accuracy);
                }
            }
            if elapsed > PATIENCE {
                time = time.min(elapsed);
                break;
            }
        }
        runs.push((time, iterations));
        if time > 4 * PATIENCE {
            break;
        }
    }
    runs.sort_unstable();
    let (time, iterations) = runs[runs.len() / 2];
    (time, iterations, solved, runs.len())
}

fn table_of<const D: usize, const N: usize>(kind: Kind) {
    let models: [Box<dyn ContactModel<D, N>>; 3] = [
        Box::new(Structured::default()),
        Box::new(AlternatingDirections::default()),
        Box::new(StewartTrinkle::default()),
    ];
    let arguments: Vec<String> = std::env::args().collect();
    let is_named = |name: &str| arguments.iter().any(|argument| argument == name);
    let asks_for_one = ["nlp", "cone", "lcp"].iter().any(|name| is_named(name));
    for mut model in models {
        if asks_for_one && !is_named(model.name()) {
            continue;
        }
        let mut points: Vec<(f64, f64)> = Vec::new();
        for size in SIZES {
            let problems: Vec<_> =
                (0..PROBLEMS).map(|seed| recipe(kind, size, seed).problem::<D, N>()).collect();
            let contacts =
                problems.iter().map(|problem| problem.contacts.len()).sum::<usize>() / problems.len();
            if contacts == 0 {
                continue;
            }
            let (time, iterations, [certified, own_law], tried) = measure(&problems, &mut *model);
            let micros = time.as_secs_f64() * 1e6;
            println!(
                "{:8} {D}D {:14} {contacts:5} contacts {iterations:6} iterations {micros:12.1} us {:8.2} us/contact/iteration  {certified}/{tried} exact, {own_law} by its own law",
                format!("{kind:?}"),
                model.name(),
                micros / f64::from(iterations.max(1)) / contacts as f64,
            );
            if contacts >= 16 {
                points.push(((contacts as f64).ln(), micros.ln()));
            }
            if time > PATIENCE {
                break;
            }
        }
        if points.len() > 2 {
            let n = points.len() as f64;
            let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
            let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
                (above + (point.0 - x) * (point.1 - y), below + (point.0 - x).powi(2))
            });
            println!(
                "{:8} {D}D {:14} grows as contacts^{:.2} from 16 on",
                format!("{kind:?}"),
                model.name(),
                above / below
            );
        }
    }
}

fn main() {
    let asks_for_table = std::env::args().any(|argument| argument == "table");
    if !asks_for_table {
        let mut criterion = Criterion::default().configure_from_args();
        single(&mut criterion);
        criterion.final_summary();
    }
    for kind in [Kind::Chain, Kind::Wall, Kind::Tower, Kind::Pile] {
        table_of::<2, 3>(kind);
        table_of::<3, 6>(kind);
    }
}
