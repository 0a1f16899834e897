//! What a sweep costs beside its runs: the share of the workers' time that is spent in steppers, and what a
//! second worker is worth. `cargo bench --bench sweep`
//!
//! The time in steppers is that of the same steps taken in a bare loop, each from where the one before ended, with no look
//! at the clock between them; so it holds neither the pushes and checks of a simulation nor the clock. Steps from states
//! that are known before would overlap in the processor, as no run's can. Where errors against the exact motion are
//! measured, the share with the steps of `exact` is told as well. Medians of several rounds, in each of which everything
//! is measured once.

use std::{error::Error, fs, num::NonZeroUsize, ops::ControlFlow, path::Path, time::Instant};

use stickslip::{
    scenario::{AnyScenario, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, Moved, StepInput, StepperName},
    sweep::{Shard, Share, Sweep, parse_sweep},
};

/// Stepper, its solver, steps of a run, number of runs: about a second of work.
const CASES: [(&str, &str, u32, u32); 4] = [
    ("lcp", "ipopt", 12_000, 400),
    ("nlp", "interior-point", 1_200, 250),
    ("nlp", "ipopt", 1_200, 10),
    ("convex", "ipopt", 12_000, 600),
];

const ROUNDS: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("stickslip-sweep-{}", std::process::id()));
    for (stepper, solver, steps, count) in CASES {
        let sweep = |metrics: &str| {
            let text = format!(
                "name = \"bench\"\nscenario = \"examples/scenarios/slide.toml\"\nsteppers = [\"{stepper}\"]\n\
                 {metrics}\n[grid]\nstep = [{}]\nstepper.nlp.solver = [\"{solver}\"]\n[sample]\ncount = {count}\n\
                 [sample.keys]\nground.friction = {{ min = 0.05, max = 0.5 }}\n",
                1.2 / f64::from(steps)
            );
            parse_sweep("bench", &text, "bench", "".as_ref())
        };
        let all = sweep("")?;
        let without_exact: Vec<&String> =
            all.metrics.iter().filter(|name| !name.contains("max_error")).collect();
        let designs = [
            ("final_x", sweep("metrics = [\"final_x\"]")?),
            ("all metrics but errors", sweep(&format!("metrics = {without_exact:?}"))?),
            ("all metrics", all),
        ];
        for (what, sweep) in designs {
            println!("{stepper} ({solver}), {what}: {}", rounds(&sweep, &folder)?);
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// What a sweep costs, in words.
fn rounds(sweep: &Sweep, folder: &Path) -> Result<String, Box<dyn Error>> {
    let beside = sweep.metrics.iter().any(|name| name.contains("max_error"));
    let mut measured: [Vec<f64>; 4] = Default::default();
    for round in 0..ROUNDS {
        let own = seconds_in_steppers(sweep, None)?;
        let exact = if beside { seconds_in_steppers(sweep, Some(StepperName::EXACT))? } else { 0.0 };
        let mut walls = [0.0; 2];
        for (wall, workers) in walls.iter_mut().zip(1..) {
            let output = folder.join(format!("{round}-{workers}"));
            let share = Share::take(sweep.clone(), &output, Shard::WHOLE)?;
            let started = Instant::now();
            share.compute(NonZeroUsize::new(workers), |_| ControlFlow::Continue(()))?;
            *wall = started.elapsed().as_secs_f64();
            fs::remove_dir_all(output)?;
        }
        let figures = [
            1e3 * walls[0] / sweep.runs() as f64,
            100.0 * own / walls[0],
            100.0 * (own + exact) / walls[0],
            walls[0] / walls[1],
        ];
        measured.iter_mut().zip(figures).for_each(|(all, figure)| all.push(figure));
    }
    let [run, own, both, gain] = measured.map(median);
    let with_exact = if beside { format!(" ({both:.1} % with those of exact)") } else { String::new() };
    Ok(format!(
        "{run:.2} ms a run, {own:.1} % in steppers{with_exact}; two workers are {gain:.2} times as fast as one"
    ))
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds that all runs of a sweep spend in their steppers, or would in `another`.
fn seconds_in_steppers(sweep: &Sweep, another: Option<StepperName>) -> Result<f64, Box<dyn Error>> {
    let mut seconds = 0.0;
    for number in 0..sweep.runs() {
        let run = sweep.run(number);
        let stepper = another.unwrap_or(run.stepper);
        seconds += match sweep.base.with(&run.settings)? {
            AnyScenario::InPlane(scenario) => again(&scenario, stepper)?,
            AnyScenario::OverPlane(scenario) => again(&scenario, stepper)?,
        };
    }
    Ok(seconds)
}

/// Seconds for the steps of a run of a single point, taken again one right after the other.
fn again<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Result<f64, Box<dyn Error>>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name)?;
    let run = simulate(scenario, stepper.as_mut());
    let (mut even, mut odd) = (Moved::start(scenario), Moved::start(scenario));
    stepper.reset();
    let started = Instant::now();
    for (index, record) in run.bodies[0].steps.iter().enumerate() {
        let (before, after) = if index % 2 == 0 { (&even, &mut odd) } else { (&odd, &mut even) };
        let input = StepInput {
            index,
            time: scenario.time().at(index),
            dt: scenario.step,
            states: &before.states,
            attitudes: &[],
            forces: &[record.push],
            torques: &[],
        };
        stepper.step(&input, after)?;
    }
    let elapsed = started.elapsed();
    let last = if run.steps.len() % 2 == 0 { &even } else { &odd };
    assert_eq!(last.states[0], run.final_state(0), "the steps are those of the run");
    Ok(elapsed.as_secs_f64())
}
