//! How long problems of stacks take by every exact model, and how many of a set they solve.
//!
//! `cargo run --release -p stickslip-contact --example stacks [MODEL]...`

#[path = "../tests/contact/generator.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod generator;
#[path = "../tests/contact/stacks.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod stacks;

use std::time::{Duration, Instant};

use generator::{Kind, Recipe};
use stacks::Stack;
use stickslip_contact::contact::{
    Accuracy, ContactModel, ContactProblem, ExactCone, GaussSeidel, Solution, StewartTrinkle,
    StewartTrinkleSettings, Structured,
};
use stickslip_solve::lcp;

type Problem = ContactProblem<3, 6>;

fn asked_for(name: &str) -> bool {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    names.is_empty() || names.iter().any(|given| given == name)
}

type Make<const D: usize, const N: usize> = (&'static str, fn() -> Box<dyn ContactModel<D, N>>);

/// The models that are asked for, by name.
fn models<const D: usize, const N: usize>() -> Vec<Make<D, N>> {
    let all: [Make<D, N>; 5] = [
        ("nlp", || Box::new(Structured::default())),
        ("lcp", || {
            Box::new(StewartTrinkle::new(StewartTrinkleSettings { directions: 4, ..Default::default() }))
        }),
        ("lemke", || {
            let solver = Some(lcp::Method::Lemke);
            Box::new(StewartTrinkle::new(StewartTrinkleSettings {
                directions: 4,
                solver,
                ..Default::default()
            }))
        }),
        ("cone", || Box::new(ExactCone::default())),
        ("gauss-seidel", || Box::new(GaussSeidel::default())),
    ];
    all.into_iter().filter(|(name, _)| asked_for(name)).collect()
}

/// Median time of a step, of its iterations, and how many steps were solved, to Coulomb's law or to the model's own; each
/// problem is the step after the one before.
fn measure<const D: usize, const N: usize>(
    model: &mut dyn ContactModel<D, N>,
    problems: &[ContactProblem<D, N>],
) -> (Duration, u32, usize, f64) {
    let (mut runs, mut solved, mut worst) = (Vec::new(), 0, 0.0_f64);
    let mut solution = Solution::default();
    for problem in problems {
        let start = Instant::now();
        let answer = model.solve(problem, &mut solution);
        let elapsed = start.elapsed();
        solution.is_guess = false;
        let mut iterations = u32::MAX;
        if let Ok(report) = answer {
            iterations = report.iterations;
            solved += usize::from(report.accuracy != Accuracy::Approximate);
            worst = worst.max(report.residuals.scaled);
        }
        runs.push((elapsed, iterations));
        if elapsed > Duration::from_secs(2) {
            break;
        }
    }
    runs.sort_unstable();
    let (time, _) = runs[runs.len() / 2];
    runs.sort_unstable_by_key(|run| run.1);
    (time, runs[runs.len() / 2].1, solved, worst)
}

fn stack_table() {
    let mut masses = vec![1.0; 10];
    masses[9] = 1e4;
    let scenes: [(&str, Stack<3>); 5] = [
        ("one cube", Stack::tower(&[1.0])),
        ("ten cubes", Stack::tower(&[1.0; 10])),
        ("1e4 on nine", Stack::tower(&masses)),
        ("pyramid 100", Stack::pyramid(5)),
        ("pyramid 400", Stack::pyramid(10)),
    ];
    for agitation in [0.0, 1e-6, 1e-3, 0.1, 1.0] {
        println!(
            "velocities before the step of {agitation} g dt: median us, iterations, solved of 20, worst residual"
        );
        for (name, stack) in &scenes {
            let problems: Vec<Problem> = (0..20).map(|seed| stack.problem(0.5, agitation, seed)).collect();
            print!("  {name:12}");
            for (model, make) in models::<3, 6>() {
                let (time, iterations, solved, worst) = measure(&mut *make(), &problems);
                print!("  {model} {:8.1} {iterations:5} {solved:2} {worst:7.1e}", time.as_secs_f64() * 1e6);
            }
            println!();
        }
    }
}

/// How many of a set of problems each model solves, each from nothing.
fn set_table<const D: usize, const N: usize>() {
    println!("set in {D} dimensions: solved, and the median and nine tenths of us and iterations of these");
    let ratios = [1.0, 1e2, 1e4, 1e6];
    for kind in [Kind::Tower, Kind::Wall, Kind::Chain, Kind::Pile, Kind::Graph] {
        let recipes: Vec<Recipe> = (0..32)
            .map(|index| Recipe {
                kind,
                contacts: [8, 24, 60, 150][index as usize / 4 % 4],
                friction: [0.2, 0.5, 0.6, 1.0][index as usize / 8 % 4],
                restitution: 0.0,
                mass_ratio: ratios[index as usize % 4],
                agitation: [0.0, 1.0][index as usize % 2],
                seed: 100 + index,
            })
            .collect();
        print!("  {kind:?}");
        for (model, make) in models::<D, N>() {
            let mut runs = Vec::new();
            for recipe in &recipes {
                let problem = recipe.problem::<D, N>();
                let mut model = make();
                let start = Instant::now();
                let answer = model.solve(&problem, &mut Solution::default());
                let elapsed = start.elapsed();
                if let Ok(report) = answer
                    && report.accuracy != Accuracy::Approximate
                {
                    runs.push((elapsed, report.iterations));
                }
            }
            runs.sort_unstable();
            let of = |share: f64| {
                let run = runs.get((share * runs.len() as f64) as usize);
                run.map_or((0.0, 0), |run| (run.0.as_secs_f64() * 1e6, run.1))
            };
            let ((time, iterations), (long, many)) = (of(0.5), of(0.9));
            print!("  {model} {}/32 {time:.0} {iterations} | {long:.0} {many}", runs.len());
        }
        println!();
    }
}

fn main() {
    stack_table();
    set_table::<2, 3>();
    set_table::<3, 6>();
}
