use std::io::{self, Write};

use super::{Comparison, ConvergenceStudy, Parting};
use crate::{
    model::axis_names,
    stepper::{Event, StepStatus},
    trajectory::{Ending, format_number},
};

/// Writes the figures of merit as CSV, a row per stepper, of several bodies a row per stepper and `body`;
/// values that do not exist are empty.
///
/// Lengths in m, times in s, energies in J, forces in N, errors of impulse and deceleration relative.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_metrics<const D: usize>(comparison: &Comparison<D>, out: impl Write) -> io::Result<()> {
    let axes = axis_names::<D>();
    let mut csv = csv::Writer::from_writer(out);
    let has_bodies = !comparison.scenario.is_single_point();
    let mut header = vec!["stepper".to_owned()];
    header.extend(has_bodies.then(|| "body".to_owned()));
    header.extend(["ending", "steps"].map(str::to_owned));
    header.extend(axes.iter().map(|axis| format!("final_{axis}")));
    header.push("stop_time".to_owned());
    header.extend(axes.iter().map(|axis| format!("max_error_{axis}")));
    header.extend(
        [
            "max_penetration",
            "impulse_error",
            "max_energy_gain",
            "force_noise",
            "drift_after_stop",
            "deceleration_error",
            "max_complementarity",
            "max_cone_violation",
            "iterations_median",
            "iterations_max",
            "rescued",
            "failed",
        ]
        .map(str::to_owned),
    );
    csv.write_record(header)?;
    for entry in &comparison.entries {
        let (trajectory, merit) = (&entry.trajectory, &entry.merit);
        let metrics = &merit.metrics;
        for body in &metrics.bodies {
            let mut row = vec![trajectory.stepper.to_string()];
            row.extend(has_bodies.then(|| body.name.clone()));
            row.extend([ending(trajectory.ending).to_owned(), trajectory.steps.len().to_string()]);
            row.extend(body.final_position.iter().map(|value| number(Some(*value))));
            row.push(number(metrics.stop_time));
            row.extend((0..D).map(|axis| number(body.max_error.map(|error| error[axis]))));
            row.extend(
                [
                    Some(body.max_penetration),
                    merit.impulse_error,
                    Some(body.max_energy_gain),
                    metrics.force_noise,
                    merit.drift_after_stop,
                    merit.deceleration_error,
                    metrics.max_complementarity,
                    merit.max_cone_violation,
                    Some(f64::from(merit.iterations_median)),
                    Some(f64::from(merit.iterations_max)),
                    Some(trajectory.count(StepStatus::Rescued) as f64),
                    Some(trajectory.count(StepStatus::Failed) as f64),
                ]
                .map(number),
            );
            csv.write_record(row)?;
        }
    }
    csv.flush()
}

/// Writes where the pairs part as CSV, a row per pair; empty where they never do.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_partings(partings: &[Parting], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["a", "b", "step", "t", "distance", "mode_a", "mode_b", "max_distance"])?;
    for parting in partings {
        let [a, b] = parting.steppers.map(|stepper| stepper.to_string());
        let at = parting.at.as_ref();
        csv.write_record([
            a,
            b,
            at.map_or(String::new(), |at| at.step.to_string()),
            number(at.map(|at| at.time)),
            number(at.map(|at| at.distance)),
            at.map_or(String::new(), |at| at.modes[0].to_string()),
            at.map_or(String::new(), |at| at.modes[1].to_string()),
            number(Some(parting.max_distance)),
        ])?;
    }
    csv.flush()
}

/// Writes the events of the exact motion as CSV.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_events<const D: usize>(events: &[Event<D>], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut header = vec!["t".to_owned(), "event".to_owned()];
    header.extend(axis_names::<D>().iter().map(|axis| format!("impulse_{axis}")));
    csv.write_record(header)?;
    for event in events {
        let mut row = vec![number(Some(event.time)), event.kind.to_string()];
        row.extend(event.impulse.iter().map(|value| number(Some(*value))));
        csv.write_record(row)?;
    }
    csv.flush()
}

/// Writes a study of convergence as CSV, a row per stepper and step.
///
/// Columns: the root mean square error over the whole motion and all coordinates, the error of the final
/// position and the largest error along each axis, in m, `outcome` (`complete` or why there is no error),
/// `order`, the fitted order of the root mean square error, and `model_error`, what no smaller step takes
/// away of it, in m, where that hides the order.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_convergence<const D: usize>(study: &ConvergenceStudy<D>, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut header = ["stepper", "step", "rms_error"].map(str::to_owned).to_vec();
    for kind in ["final_error", "max_error"] {
        header.extend(axis_names::<D>().iter().map(|axis| format!("{kind}_{axis}")));
    }
    header.extend(["outcome", "order", "model_error"].map(str::to_owned));
    csv.write_record(header)?;
    for stepper in &study.steppers {
        for outcome in &stepper.outcomes {
            let errors = outcome.errors.as_ref();
            let mut row = vec![stepper.stepper.to_string(), number(Some(outcome.step))];
            row.push(number(errors.ok().map(|errors| errors.rms)));
            row.extend((0..D).map(|axis| number(errors.ok().map(|errors| errors.at_end[axis].abs()))));
            row.extend((0..D).map(|axis| number(errors.ok().map(|errors| errors.largest[axis]))));
            row.push(errors.err().map_or("complete".to_owned(), ToString::to_string));
            row.push(number(stepper.order));
            row.push(number(stepper.model_error.map(|error| error.rms)));
            csv.write_record(row)?;
        }
    }
    csv.flush()
}

/// The word for how a run ended.
pub(super) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Interrupted => "interrupted",
        Ending::Failed => "failed",
    }
}

/// A number in full precision, or nothing.
fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), format_number)
}
