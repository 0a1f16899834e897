use std::io::{self, Write};

use super::{Comparison, ConvergenceStudy, Entry, Parting, Reference};
use crate::{
    decimal::{cell, shortest},
    metrics::{Listed, Listing},
    model::axis_names,
    stepper::{Event, StepStatus},
    trajectory::Ending,
};

/// Writes the figures of merit as CSV, a row per stepper; values that do not exist are empty.
///
/// Of a run that a failed step ended there are the steps alone, `failed` with that one.
///
/// Lengths in m, times in s, energies in J, forces in N, angles in rad, errors of impulse and deceleration
/// relative. Of several bodies a figure is that of the worst of them, their final position that of the common
/// centre of mass, `deviation` and `deviation_angle` the largest from the mean of the models at the
/// `deviating_body`; those of every body are in `summary.json`.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_metrics<const D: usize>(comparison: &Comparison<D>, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut has_header = false;
    for entry in &comparison.entries {
        let figures = figures(comparison, entry);
        if !has_header {
            csv.write_record(figures.iter().map(|(name, _)| name))?;
            has_header = true;
        }
        csv.write_record(figures.iter().map(|(_, value)| value))?;
    }
    csv.flush()
}

/// The place in a row of the counts of steps that were not solved at the first attempt.
const COUNTS: u16 = 170;

/// The figures of merit of a stepper, by name.
fn figures<const D: usize>(comparison: &Comparison<D>, entry: &Entry<D>) -> Vec<(String, String)> {
    let trajectory = &entry.trajectory;
    let mut figures = vec![
        ("stepper".to_owned(), trajectory.stepper.to_string()),
        ("ending".to_owned(), ending(trajectory.ending).to_owned()),
        ("steps".to_owned(), trajectory.steps.len().to_string()),
    ];
    let listed = comparison.listed(entry, Listing::Csv);
    let (before, after) = listed.split_at(listed.partition_point(|figure| figure.rank < COUNTS));
    let named = |figure: &Listed| (figure.label.clone(), cell(figure.value.filter(|_| entry.is_measured())));
    figures.extend(before.iter().map(named));
    for (name, count) in
        [("rescued", trajectory.count(StepStatus::Rescued)), ("failed", trajectory.failed_steps())]
    {
        figures.push((name.to_owned(), count.to_string()));
    }
    figures.extend(after.iter().map(named));
    if !comparison.scenario.layout().is_point() {
        let farthest = entry.merit.deviation.map(|deviation| comparison.scenario.body_name(deviation.body));
        figures.push(("deviating_body".to_owned(), farthest.unwrap_or_default()));
    }
    figures
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
            cell(at.map(|at| at.time)),
            cell(at.map(|at| at.distance)),
            at.map_or(String::new(), |at| at.modes[0].to_string()),
            at.map_or(String::new(), |at| at.modes[1].to_string()),
            cell(Some(parting.max_distance)),
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
        let mut row = vec![cell(Some(event.time)), event.kind.to_string()];
        row.extend(event.impulse.iter().map(|value| cell(Some(*value))));
        csv.write_record(row)?;
    }
    csv.flush()
}

/// Writes a study of convergence as CSV, a row per stepper and step.
///
/// Columns: the root mean square error over the whole motion and all coordinates, the error of the final
/// position and the largest error along each axis, in m, of bodies that turn the largest angle in rad, `outcome` (`complete` or why there is no error),
/// `order`, the fitted order of the root mean square error, `model_error`, what no smaller step takes
/// away of it, in m, where that hides the order, and `reference`, from which the errors are measured: `exact`, or the
/// step in s at which the model itself is.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_convergence<const D: usize>(study: &ConvergenceStudy<D>, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let mut header = ["stepper", "step", "rms_error"].map(str::to_owned).to_vec();
    for kind in ["final_error", "max_error"] {
        header.extend(axis_names::<D>().iter().map(|axis| format!("{kind}_{axis}")));
    }
    let turns = study.steppers.iter().flat_map(|stepper| &stepper.outcomes);
    let turns =
        turns.filter_map(|outcome| outcome.errors.as_ref().ok()).any(|errors| errors.largest_turn.is_some());
    header.extend(turns.then(|| "max_error_angle".to_owned()));
    header.extend(["outcome", "order", "model_error", "reference"].map(str::to_owned));
    csv.write_record(header)?;
    let reference = match study.reference {
        Reference::Exact => "exact".to_owned(),
        Reference::OwnMotion { step, .. } => shortest(step),
    };
    for stepper in &study.steppers {
        for outcome in &stepper.outcomes {
            let errors = outcome.errors.as_ref();
            let mut row = vec![stepper.stepper.to_string(), cell(Some(outcome.step))];
            row.push(cell(errors.ok().map(|errors| errors.rms)));
            row.extend((0..D).map(|axis| cell(errors.ok().map(|errors| errors.at_end[axis].abs()))));
            row.extend((0..D).map(|axis| cell(errors.ok().map(|errors| errors.largest[axis]))));
            row.extend(turns.then(|| cell(errors.ok().and_then(|errors| errors.largest_turn))));
            row.push(errors.err().map_or("complete".to_owned(), ToString::to_string));
            row.push(cell(stepper.order));
            row.push(cell(stepper.model_error.map(|error| error.rms)));
            row.push(reference.clone());
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
