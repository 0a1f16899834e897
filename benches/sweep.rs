//! What a sweep costs beside its runs: the share of the workers' time that is spent in steppers, and what a
//! second worker is worth. `cargo bench --bench sweep`

use std::{error::Error, fs, num::NonZeroUsize, time::Instant};

use stickslip::sweep::{Shard, Share, StoreError, parse_sweep};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("stickslip-sweep-{}", std::process::id()));
    for (stepper, steps, count) in [("lcp", 12_000, 400), ("convex", 1_200, 400), ("nlp", 1_200, 60)] {
        let text = format!(
            "name = \"bench\"\nscenario = \"examples/scenarios/slide.toml\"\nsteppers = [\"{stepper}\"]\n\
             metrics = [\"final_x\"]\n[grid]\nstep = [{}]\n[sample]\ncount = {count}\n[sample.keys]\n\
             ground.friction = {{ min = 0.05, max = 0.5 }}\n",
            1.2 / f64::from(steps)
        );
        let sweep = parse_sweep("bench", &text, "bench", "".as_ref())?;
        let mut elapsed = Vec::new();
        for workers in [1, 2] {
            let output = folder.join(format!("{stepper}-{workers}"));
            let share = Share::take(sweep.clone(), &output, Shard::WHOLE)?;
            let started = Instant::now();
            share.compute(NonZeroUsize::new(workers), |_| std::ops::ControlFlow::Continue(()))?;
            let wall = started.elapsed().as_secs_f64();
            let mut in_steppers = 0.0;
            let sum = |row: &stickslip::sweep::Row| {
                in_steppers += row.seconds;
                Ok::<(), StoreError>(())
            };
            share.store().read()?.rows(share.store(), sum)?;
            println!(
                "{stepper}, {count} runs of {:.2} ms, {workers} workers: {wall:.2} s, {:.1} % in steppers",
                1e3 * in_steppers / f64::from(count),
                100.0 * in_steppers / (wall * workers as f64)
            );
            elapsed.push(wall);
        }
        println!("{stepper}: two workers are {:.2} times as fast as one", elapsed[0] / elapsed[1]);
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}
