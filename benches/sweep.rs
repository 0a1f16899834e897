//! What a sweep costs beside its runs: the share of the workers' time that is spent in steppers, and what a
//! second worker is worth. `cargo bench --bench sweep`
//!
//! The time in steppers is that of the same steps taken in a bare loop, from the states that the runs went through, with
//! no look at the clock between them; so it holds neither the pushes and checks of a simulation nor the clock.

use std::{error::Error, fs, num::NonZeroUsize, ops::ControlFlow, time::Instant};

use stickslip::{
    scenario::{AnyScenario, Scenario},
    simulate::simulate,
    stepper::{BuildStepper, Moved, StepInput, StepperName},
    sweep::{Shard, Share, Sweep, parse_sweep},
};

/// Stepper, its solver, steps of a run, number of runs.
const CASES: [(&str, &str, u32, u32); 4] = [
    ("lcp", "ipopt", 12_000, 400),
    ("nlp", "interior-point", 1_200, 400),
    ("nlp", "ipopt", 1_200, 40),
    ("convex", "ipopt", 1_200, 400),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("stickslip-sweep-{}", std::process::id()));
    for (stepper, solver, steps, count) in CASES {
        for metrics in ["metrics = [\"final_x\"]", ""] {
            let text = format!(
                "name = \"bench\"\nscenario = \"examples/scenarios/slide.toml\"\nsteppers = [\"{stepper}\"]\n\
                 {metrics}\n[grid]\nstep = [{}]\nstepper.nlp.solver = [\"{solver}\"]\n[sample]\ncount = {count}\n\
                 [sample.keys]\nground.friction = {{ min = 0.05, max = 0.5 }}\n",
                1.2 / f64::from(steps)
            );
            let sweep = parse_sweep("bench", &text, "bench", "".as_ref())?;
            let what = if metrics.is_empty() { "all metrics" } else { "final_x" };
            let mut elapsed = Vec::new();
            for workers in [1, 2] {
                let in_steppers = if workers == 1 { seconds_in_steppers(&sweep)? } else { f64::NAN };
                let output = folder.join(format!("{stepper}-{solver}-{}-{workers}", metrics.len()));
                let share = Share::take(sweep.clone(), &output, Shard::WHOLE)?;
                let started = Instant::now();
                share.compute(NonZeroUsize::new(workers), |_| ControlFlow::Continue(()))?;
                let wall = started.elapsed().as_secs_f64();
                elapsed.push(wall);
                if workers == 1 {
                    println!(
                        "{stepper} ({solver}), {what}: {count} runs of {:.2} ms in {wall:.2} s, {:.1} % in steppers",
                        1e3 * in_steppers / f64::from(count),
                        100.0 * in_steppers / wall
                    );
                }
            }
            println!("    two workers are {:.2} times as fast as one", elapsed[0] / elapsed[1]);
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Seconds that all runs of a sweep spend in their steppers.
fn seconds_in_steppers(sweep: &Sweep) -> Result<f64, Box<dyn Error>> {
    let mut seconds = 0.0;
    for number in 0..sweep.runs() {
        let run = sweep.run(number);
        seconds += match sweep.base.with(&run.settings)? {
            AnyScenario::InPlane(scenario) => again(&scenario, run.stepper)?,
            AnyScenario::OverPlane(scenario) => again(&scenario, run.stepper)?,
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
    let motion = &run.bodies[0];
    let mut moved = Moved::start(scenario);
    stepper.reset();
    let started = Instant::now();
    for (index, (state, record)) in motion.states.iter().zip(&motion.steps).enumerate() {
        let input = StepInput {
            index,
            time: scenario.time().at(index),
            dt: scenario.step,
            states: &[*state],
            attitudes: &[],
            forces: &[record.push],
            torques: &[],
        };
        stepper.step(&input, &mut moved)?;
    }
    Ok(started.elapsed().as_secs_f64())
}
