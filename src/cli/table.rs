use std::io::{self, Write};

use stickslip::{
    metrics::Summary,
    model::axis_names,
    stepper::Step,
    trajectory::{Replay, Trajectory},
};

use super::output::RunFolder;

/// Prints what a run did, in a dozen lines.
pub fn print_run<const D: usize>(
    trajectory: &Trajectory<D>,
    summary: &Summary,
    folder: &RunFolder,
    written: &[String],
) {
    let mut lines = Vec::new();
    let solver = summary.solver.as_ref().map(|solver| format!(" ({} {})", solver.name, solver.version));
    lines.push(format!(
        "{} by {}{}: {} steps of {} s in {:.3} s",
        summary.scenario,
        summary.stepper,
        solver.unwrap_or_default(),
        summary.steps,
        trajectory.scenario.step,
        summary.wall_seconds
    ));
    let status = &summary.status;
    let mut row = |name: &str, value: String| lines.push(format!("  {name:<22}{value}"));
    row("steps", format!("{} solved, {} rescued, {} failed", status.solved, status.rescued, status.failed));
    let time = &summary.step_microseconds;
    row(
        "time per step",
        format!("median {:.3} us, 99 % {:.3} us, max {:.3} us", time.median, time.p99, time.max),
    );
    if summary.solver.is_some() {
        let iterations = &summary.iterations;
        row("iterations per step", format!("median {}, max {}", iterations.median, iterations.max));
    }
    let axes = axis_names::<D>();
    let state = trajectory.final_state();
    let vector =
        |values: &[f64]| values.iter().map(|value| format!("{value:.6}")).collect::<Vec<_>>().join(", ");
    row(&format!("final {}", axes.join(", ")), format!("{} m", vector(state.position.as_slice())));
    row(&format!("final v{}", axes.join(", v")), format!("{} m/s", vector(state.velocity.as_slice())));
    for (key, unit) in UNITS {
        if let Some(value) = summary.metrics.get(*key).and_then(serde_json::Value::as_f64) {
            row(&key.replace('_', " "), format!("{} {unit}", significant(value)));
        }
    }
    lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    print(&lines);
}

/// Metrics that the table shows where they are known, and their units.
const UNITS: &[(&str, &str)] = &[
    ("stop_time", "s"),
    ("max_penetration", "m"),
    ("max_energy_gain", "J"),
    ("max_complementarity", ""),
    ("force_noise", "N"),
    ("max_error_x", "m"),
    ("max_error_y", "m"),
    ("max_error_z", "m"),
];

/// Prints the step that a replay found.
pub fn print_step<const D: usize>(replay: &Replay, step: &Step<D>) {
    print(&[
        format!(
            "step {} at t = {} s: {} in {} iterations, residual {:.1e}",
            replay.index,
            replay.time,
            step.report.status.as_str(),
            step.report.iterations,
            step.report.residual
        ),
        format!("  position  {:?} m", step.state.position.as_slice()),
        format!("  velocity  {:?} m/s", step.state.velocity.as_slice()),
        format!("  impulse   {:?} N s", step.contact_impulse.as_slice()),
    ]);
}

/// Four significant digits, in whichever notation is shorter to read.
fn significant(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&magnitude) {
        let decimals = (3.0 - magnitude.log10().floor()).max(0.0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}")
    }
}

/// Prints lines to standard output; a reader that went away is no error.
fn print(lines: &[String]) {
    let _ = writeln!(io::stdout().lock(), "{}", lines.join("\n"));
}
