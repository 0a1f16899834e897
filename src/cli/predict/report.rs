use stickslip::{
    predict::{Measure, Meeting, Prediction, Predictor, StepperErrors, missed_by_all},
    stepper::Refusal,
};

use super::super::{
    folder::Folder,
    table::{aligned, counted, significant},
};

/// So many rows that are out of step with the others are named by their lines.
const FEW: usize = 5;

/// How many steps there are between rows, and of which rows where it is not the same everywhere.
fn intervals<const D: usize>(predictor: &Predictor<D>) -> String {
    let spacing = predictor.spacing();
    let step = significant(spacing.step);
    let places = predictor.recording().tosses.iter().map(|toss| spacing.places(toss));
    if spacing.meeting == Meeting::Within {
        let rows = predictor.recording().tosses.iter().flat_map(|toss| &toss.states);
        let within = rows.zip(places.flatten()).filter(|(_, place)| place.share > 0.0);
        let lines: Vec<String> = within.map(|(row, _)| row.line.to_string()).collect();
        let named = match lines.len() {
            1 => format!(" (line {})", lines[0]),
            count if count <= FEW => format!(" (lines {})", lines.join(", ")),
            _ => String::new(),
        };
        let count = lines.len();
        return format!(
            "{count} of them{named} within steps of {step} s, where predictions are interpolated"
        );
    }
    let gaps: Vec<usize> = places
        .flat_map(|rows| rows.windows(2).map(|pair| pair[1].steps - pair[0].steps).collect::<Vec<_>>())
        .collect();
    let least = gaps.iter().copied().min().unwrap_or(spacing.per_row).max(1);
    let between = if gaps.iter().all(|&gap| gap == least) {
        "from row to row"
    } else if gaps.iter().all(|gap| gap % least == 0) {
        "for the smallest interval between rows, some rows are missing"
    } else {
        "for the smallest interval between rows, which are not evenly spaced"
    };
    format!("{} of {step} s {between}", counted(least, "step"))
}

/// What was predicted, how well, and what was written.
pub fn lines<const D: usize>(
    predictor: &Predictor<D>,
    errors: &[StepperErrors],
    predictions: &[Vec<Prediction<D>>],
    refused: &[Refusal],
    folder: &Folder<'_>,
    written: &[String],
) -> Vec<String> {
    let recording = predictor.recording();
    let spacing = predictor.spacing();
    let mut lines = vec![format!(
        "{}: {}, {} rows, {}, start {}",
        predictor.scenario().name,
        recording.counted(recording.tosses.len()),
        recording.rows(),
        intervals(predictor),
        predictor.start().as_str()
    )];
    lines.extend(recording.about_windows());
    if let Some(unit) = predictor.rounded() {
        lines.push(format!(
            "times are rounded to {} s and fit equal intervals of {} s: rows are taken at these",
            six_digits(unit),
            six_digits(spacing.step * spacing.per_row as f64)
        ));
    }
    if spacing.meeting == Meeting::Adapted {
        lines.push(format!(
            "the step is {} s in place of {} s, so that steps end where rows are",
            six_digits(spacing.step),
            six_digits(predictor.scenario().step)
        ));
    }
    let turns = errors.iter().any(|errors| errors.rotation.is_some());
    let (factor, unit) = if turns { (100.0, "% of the size") } else { (1.0, "m") };
    let header = [
        ("stepper", ""),
        ("position", unit),
        ("rotation", "degrees"),
        ("last position", unit),
        ("last rotation", "degrees"),
        ("ended otherwise", "throws"),
        ("failed steps", ""),
    ];
    let columns = |row: Vec<String>| -> Vec<String> {
        let keep = |index: &usize| turns || ![2, 4, 5].contains(index);
        row.into_iter().enumerate().filter(|(index, _)| keep(index)).map(|(_, cell)| cell).collect()
    };
    let names = header.map(|(name, _)| name.to_owned());
    let units = header.map(|(_, unit)| if unit.is_empty() { String::new() } else { format!("[{unit}]") });
    let mut rows = vec![columns(names.to_vec()), columns(units.to_vec())];
    for errors in errors {
        let position = |measure: &Measure| shown(measure, factor);
        let rotation = |measure: &Option<Measure>| measure.as_ref().map_or("-".to_owned(), |m| shown(m, 1.0));
        let unfinished = match errors.unfinished {
            0 => String::new(),
            count => format!(", {} left out", recording.counted(count)),
        };
        rows.push(columns(vec![
            errors.law.to_string(),
            position(&errors.position),
            rotation(&errors.rotation),
            position(&errors.final_position),
            rotation(&errors.final_rotation),
            errors.ended_otherwise.to_string(),
            format!("{}{unfinished}", errors.failed_steps),
        ]));
    }
    lines.push(String::new());
    lines.extend(aligned(&rows));
    lines.push(String::new());
    lines.push(
        match recording.is_cut() {
            false => "means over the throws with their standard errors; each throw counts with the mean over its rows",
            true => {
                "means over the windows, each with the mean over its judged rows; standard errors from how the throws differ"
            }
        }
        .to_owned(),
    );
    if turns {
        let missed = missed_by_all(predictions);
        let count = recording.counted(recording.tosses.len());
        lines.push(format!(
            "{missed} of {} end more than 45 degrees off the measurement by every stepper",
            count
        ));
    }
    lines.extend(refused.iter().map(|refusal| format!("left out: {refusal}")));
    lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    lines
}

/// Standard errors below this are written with an exponent.
const SMALL: f64 = 1e-4;

/// A number without the digits that are rounding.
fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

pub(in super::super) fn shown(measure: &Measure, factor: f64) -> String {
    let mean = factor * measure.mean;
    if !mean.is_finite() {
        return "-".to_owned();
    }
    match factor * measure.standard_error {
        error if error < SMALL => format!("{} ± {}", significant(mean), significant(error)),
        error if error.is_finite() => {
            // As many decimals as the error has to two significant digits.
            let decimals = (1.0 - error.log10().floor()).clamp(0.0, 12.0) as usize;
            format!("{mean:.decimals$} ± {error:.decimals$}")
        }
        _ => significant(mean),
    }
}
