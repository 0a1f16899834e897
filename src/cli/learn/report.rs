use stickslip::learn::{Experiment, Findings, LearnResult, Parameter};

use super::super::{
    folder::Folder,
    table::{aligned, significant_beside},
};

/// What was learned: parameters, notes, the error, and what was written.
pub fn lines(
    experiment: Experiment,
    result: &LearnResult,
    findings: &Findings,
    folder: &Folder<'_>,
    written: &[String],
) -> Vec<String> {
    let samples = if result.samples == 1 { "sample" } else { "samples" };
    let mut lines = vec![
        format!("{experiment}: {}", experiment.summary()),
        format!("  {} {samples}, seed {}, {:.3} s", result.samples, result.seed, result.seconds),
        format!("  error {} ({})", shown(result.error), result.error_measure),
    ];
    if !findings.parameters.is_empty() {
        let mut rows = vec![header()];
        rows.extend(findings.parameters.iter().map(|(name, parameter)| row(name, parameter)));
        lines.push(String::new());
        lines.extend(aligned(&rows).iter().map(|line| format!("  {}", line.trim_end())));
        lines.push(format!("  intervals: {}", result.intervals));
    }
    if !findings.notes.is_empty() {
        lines.push(String::new());
        lines.extend(findings.notes.iter().map(|note| sentence(note)));
    }
    lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    lines
}

fn header() -> Vec<String> {
    ["parameter", "learned", "true", "error", "identifiable", "interval"].map(str::to_owned).into()
}

fn row(name: &str, parameter: &Parameter) -> Vec<String> {
    let none = || "-".to_owned();
    let error = parameter.r#true.map(|truth| (parameter.learned - truth).abs());
    // The interval of a determined coefficient has no width.
    let has_width =
        |[low, high]: &[f64; 2]| parameter.level.is_some() || high - low > 1e-9 * (1.0 + low.abs());
    let wide = parameter.interval.filter(has_width);
    let level = parameter.level.map(|level| format!(" ({:.0} %)", 100.0 * level)).unwrap_or_default();
    let interval = wide.map(|[low, high]| {
        let [from, to] = [low, high].map(|end| shown_beside(end, high - low));
        format!("{from} to {to}{level}")
    });
    vec![
        name.to_owned(),
        // Zero is added so that no minus sign stands before zero.
        shown((parameter.learned * 1e12).round() / 1e12 + 0.0),
        parameter.r#true.map_or_else(none, shown),
        error.map_or_else(none, shown),
        if parameter.identifiable { "yes" } else { "no" }.to_owned(),
        interval.unwrap_or_else(none),
    ]
}

fn shown(value: f64) -> String {
    shown_beside(value, f64::INFINITY)
}

/// A number with digits enough to tell it from another so far apart.
fn shown_beside(value: f64, apart: f64) -> String {
    if value.is_nan() {
        "-".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else {
        significant_beside(value, apart)
    }
}

/// A note with a capital letter and a full stop.
fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    let stop = if note.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}
