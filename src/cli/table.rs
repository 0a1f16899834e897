use std::path::Path;

use serde_json::Value;
use stickslip::{
    compare::{Comparison, ConvergenceStudy, Entry, Matched, NoError, Parting, Reference},
    decimal::rounded,
    metrics::{Format, Listed, Listing, Summary, Tally},
    model::axis_names,
    scenario::Scenario,
    stepper::{Ignored, Moved, Refusal, SolveReport, StepStatus},
    trajectory::{Ending, Replay, Trajectory},
};

use super::{ends, figures::grouped, output::RunFolder};

/// What a study of gradients found, from its summary: a line per stepper and method.
pub fn of_gradients(summary: &Value, folder: &Path) -> Vec<String> {
    let list = |key: &str| summary[key].as_array().cloned().unwrap_or_default();
    let mut header =
        vec!["stepper", "method", "error", "figures", "ok", "biased", "zero", "one-sided", "exploding"];
    let has = |gradient: &Value, word: &str| gradient[word].as_u64() > Some(0);
    // What only few scenarios have.
    for word in ["indeterminate", "contradicted", "unchecked"] {
        if list("gradients").iter().any(|gradient| has(gradient, word)) {
            header.push(word);
        }
    }
    let heading = |word: &str| if word == "figures" { "derivatives".to_owned() } else { word.to_owned() };
    let mut rows: Vec<Vec<String>> = vec![header.iter().map(|word| heading(word)).collect()];
    for gradient in list("gradients") {
        let word = |key: &str| gradient[key].as_str().unwrap_or("-").to_owned();
        let count = |key: &str| {
            gradient[key.replace('-', "_")].as_u64().map_or("-".to_owned(), |count| count.to_string())
        };
        let error = gradient["error"].as_f64().map_or("-".to_owned(), significant);
        let mut row = vec![word("stepper"), word("method"), error];
        row.extend(header[3..].iter().map(|key| count(key)));
        rows.push(row);
    }
    let mut lines = aligned(&rows);
    lines.push(String::new());
    lines.push("error: distance of all derivatives from those of the exact motion, over their size; - where it lacks one of them".to_owned());
    let methods =
        METHODS.iter().filter(|(method, _)| list("gradients").iter().any(|one| one["method"] == *method));
    lines
        .push(methods.map(|(method, meaning)| format!("{method}: {meaning}")).collect::<Vec<_>>().join("; "));
    lines.push("ok: within 2 %; `stickslip explain biased`, and so on, tells of the other words".to_owned());
    for left in list("left_out") {
        let word = |key: &str| left[key].as_str().unwrap_or_default().to_owned();
        // That most steppers have one method only is no news.
        if word("method") == "raw" {
            lines.push(format!("left out: {}", word("reason")));
        }
    }
    let unchecked: Vec<Value> =
        list("gradients").into_iter().filter(|gradient| has(gradient, "unchecked")).collect();
    let reasons = list("left_out").into_iter().filter(|left| {
        left["method"] == "corrected"
            && unchecked.iter().any(|gradient| gradient["stepper"] == left["stepper"])
    });
    for (reason, steppers) in by_reason(&reasons.collect::<Vec<_>>(), "stepper") {
        lines.push(format!(
            "unchecked: those of {} are the steps' own, with nothing to hold them against: {reason}",
            steppers.join(", ")
        ));
    }
    for (reason, keys) in by_reason(&list("without_exact"), "wrt") {
        // Where the motion is not known at all, a list of everything says no more.
        let of = if keys.len() == list("wrt").len() {
            String::new()
        } else {
            format!(" with respect to {}", keys.join(", "))
        };
        lines.push(format!("no exact derivative{of}: {reason}"));
    }
    for (reason, keys) in by_reason(&list("inputs_left_out"), "wrt") {
        lines.push(format!("no gradient with respect to {}: {reason}", keys.join(", ")));
    }
    lines.push(format!("wrote {}", folder.display()));
    lines
}

/// What the methods of gradients differentiate.
const METHODS: [(&str, &str); 3] = [
    ("raw", "derivative of the stepper's own step"),
    ("corrected", "that of the motion where a step meets an event"),
    ("smoothed", "that of steps whose friction and contact are smoothed by --kappa"),
];

/// The reasons, each once, and those under the key `of` that they are given for.
fn by_reason(given: &[Value], of: &str) -> Vec<(String, Vec<String>)> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for one in given {
        let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        match reasons.iter_mut().find(|(reason, _)| *reason == word("reason")) {
            Some((_, keys)) => keys.push(word(of)),
            None => reasons.push((word("reason"), vec![word(of)])),
        }
    }
    reasons
}

/// What a run did, in a dozen lines.
pub fn of_run<const D: usize>(
    scenario: &Scenario<D>,
    summary: &Summary<D>,
    folder: &RunFolder,
    written: &[String],
) -> Vec<String> {
    let mut lines = Vec::new();
    let solver = summary.solver.as_ref().map(|solver| format!(" ({} {})", solver.name, solver.version));
    lines.push(format!(
        "{} by {}{}: {}{} of {} s in {:.3} s",
        summary.scenario,
        summary.stepper,
        solver.unwrap_or_default(),
        summary.bodies.map_or(String::new(), |count| match count {
            1 => "1 body, ".to_owned(),
            _ => format!("{count} bodies, "),
        }),
        counted(summary.steps, "step"),
        scenario.step,
        summary.wall_seconds
    ));
    let status = &summary.status;
    let mut row = |name: &str, value: String| lines.push(format!("  {name:<21} {}", value.trim_end()));
    // Whether rescued ones pass the same checks is worth a word where there are some.
    let of_rescued = match (status.rescued, summary.approximate) {
        (0, _) => String::new(),
        (_, None) => " (by a later attempt, with the same checks)".to_owned(),
        (_, Some(approximate)) => format!(" (by a later attempt; {approximate})"),
    };
    let uncertified = match status.uncertified {
        0 => String::new(),
        count => format!("{count} uncertified, "),
    };
    row(
        "steps",
        format!(
            "{} solved, {} rescued{of_rescued}, {uncertified}{} failed",
            status.solved, status.rescued, status.failed
        ),
    );
    let complaint = summary.certificates.and_then(|certificates| certificates.complaint());
    complaint.into_iter().for_each(|complaint| row("uncertified", complaint));
    summary.impacts.iter().for_each(|impacts| row("impacts", impacts.to_string()));
    not_as_written_rows(&summary.warnings, &summary.ignored, &mut row);
    summary.overlap.iter().for_each(|overlap| row("overlap", overlap.clone()));
    summary.stretched.iter().for_each(|stretched| row("rod or joint", stretched.clone()));
    summary.energy.iter().for_each(|energy| row("energy", energy.clone()));
    let time = &summary.step_microseconds;
    row(
        "time per step",
        format!("median {:.3} us, 99 % {:.3} us, max {:.3} us", time.median, time.p99, time.max),
    );
    if summary.solver.is_some() {
        let iterations = &summary.iterations;
        row("iterations per step", format!("median {}, max {}", iterations.median, iterations.max));
    }
    let metrics = &summary.metrics;
    ends::of_run(scenario, metrics).into_iter().for_each(|(name, told)| row(&name, told));
    for figure in metrics.listed(Listing::Run) {
        if let Some(value) = figure.value {
            row(&figure.label, format!("{} {}", in_format(value, figure.format), figure.unit));
        }
    }
    let found = summary.detection.iter().flat_map(|detection| detection.sentences());
    found.for_each(|sentence| row("solutions of steps", sentence));
    lines.push(format!("wrote {}: {}", folder.path().display(), grouped(written)));
    lines
}

/// The rows on what is not done as written.
fn not_as_written_rows(warnings: &[String], ignored: &[Ignored], row: &mut impl FnMut(&str, String)) {
    warnings.iter().for_each(|warning| row("not as written", warning.clone()));
    ignored.iter().for_each(|ignored| row("not as written", ignored.to_string()));
}

/// The step that a replay found.
pub fn of_step<const D: usize>(replay: &Replay, moved: &Moved<D>, report: &SolveReport) -> Vec<String> {
    let mut lines = vec![format!(
        "step {} at t = {} s: {} in {} iterations, residual {:.1e}",
        replay.index,
        rounded(replay.time, 12),
        report.status.as_str(),
        report.iterations,
        report.residual
    )];
    for (index, (state, impulse)) in moved.states.iter().zip(&moved.impulses).enumerate() {
        if moved.states.len() > 1 {
            lines.push(format!("body {index}"));
        }
        lines.extend([
            format!("  position  {:?} m", state.position.as_slice()),
            format!("  velocity  {:?} m/s", state.velocity.as_slice()),
            format!("  impulse   {:?} N s", impulse.as_slice()),
        ]);
        if let Some(attitude) = moved.attitudes.get(index) {
            lines.extend([
                format!("  turned    {:?}", attitude.orientation),
                format!("  spin      {:?} rad/s", attitude.spin.as_slice()),
            ]);
        }
    }
    lines
}

/// Six decimals, and no minus before what they round to zero.
pub(super) fn micro(value: f64) -> String {
    let text = format!("{value:.6}");
    if text == "-0.000000" { text[1..].to_owned() } else { text }
}

/// A number of things: `1 step`, `2 steps`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Four significant digits, in whichever notation is shorter to read.
pub(super) fn significant(value: f64) -> String {
    significant_beside(value, f64::INFINITY)
}

/// The same with digits enough for two numbers so far apart to differ in the last two.
pub(super) fn significant_beside(value: f64, apart: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&magnitude) {
        let usual = (3.0 - magnitude.log10().floor()).max(0.0);
        let asked = if apart > 0.0 { 1.0 - apart.log10().floor() } else { 0.0 };
        let decimals = asked.clamp(usual, 15.0) as usize;
        format!("{value:.decimals$}")
    } else {
        let asked = if apart > 0.0 { magnitude.log10().floor() + 1.0 - apart.log10().floor() } else { 3.0 };
        let decimals = asked.clamp(3.0, 15.0) as usize;
        format!("{value:.decimals$e}")
    }
}

/// A comparison: what was matched, a row per stepper, who parts first, and who was left out.
pub fn of_comparison<const D: usize>(
    comparison: &Comparison<D>,
    partings: &[Parting],
    tolerance: f64,
    matched: Option<&Matched<D>>,
    folder: &Path,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(matched) = matched {
        lines.push(matched.to_string());
        lines.extend(matched.choices.iter().map(|choice| format!("  {choice}")));
        lines.push(String::new());
    }
    lines.extend(in_width(&merits(comparison), WIDTH));
    lines.extend(ends::of_comparison(comparison));
    lines.extend(comparison.entries.iter().filter_map(|entry| continued(&entry.trajectory)));
    lines.extend(approximate_and_uncertified(comparison));
    lines.extend(not_as_written(comparison));
    lines.extend(first_parting(partings, tolerance));
    lines.extend(detections(comparison));
    if let Some(check) = &comparison.cross_check {
        lines.push(format!("{check}. {}", check.cost()));
    }
    lines.extend(left_out(comparison));
    lines.push(format!("wrote {}: metrics.csv, summary.json, report.html and more", folder.display()));
    lines
}

/// The figures of merit, a row per stepper under two of names and units; a figure that no stepper has is left out.
fn merits<const D: usize>(comparison: &Comparison<D>) -> Vec<Vec<String>> {
    let entries = &comparison.entries;
    let figures: Vec<Vec<Listed>> =
        entries.iter().map(|entry| comparison.listed(entry, Listing::Comparison)).collect();
    let count = figures.iter().map(Vec::len).min().unwrap_or(0);
    let is_known = |place: &usize| {
        figures
            .iter()
            .zip(entries)
            .any(|(figures, entry)| entry.is_measured() && figures[*place].value.is_some())
    };
    let known: Vec<usize> = (0..count).filter(is_known).collect();
    let row = |first: &str, cell: &dyn Fn(usize) -> String| {
        std::iter::once(first.to_owned()).chain(known.iter().map(|place| cell(*place))).collect::<Vec<_>>()
    };
    let mut rows = Vec::new();
    if let Some(of_first) = figures.first() {
        rows.push(row("stepper", &|place| of_first[place].label.clone()));
        rows.push(row("", &|place| match of_first[place].unit {
            "" => String::new(),
            unit => format!("[{unit}]"),
        }));
    }
    for (entry, figures) in entries.iter().zip(&figures) {
        let stepper = entry.trajectory.stepper.as_str();
        let is_reference = comparison.is_reference(entry);
        rows.push(match entry.is_measured() {
            true => row(stepper, &|place| figure_cell(&figures[place], is_reference)),
            false => {
                vec![stepper.to_owned(), format!("failed at step {}", entry.trajectory.steps.len())]
            }
        });
    }
    rows
}

/// Letters of a line that a terminal shows without breaking it.
const WIDTH: usize = 100;

/// Rows in columns that are no wider than `width` letters: what does not fit follows in further blocks, each with the first
/// column again.
fn in_width(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let of_column = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = usize::MAX;
    for column in 1..columns {
        let own = of_column(column) + 2;
        if used.saturating_add(own) > width {
            blocks.push(vec![0]);
            used = of_column(0);
        }
        used += own;
        blocks.last_mut().into_iter().for_each(|block| block.push(column));
    }
    let mut lines = Vec::new();
    for block in blocks {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let part = |row: &Vec<String>| block.iter().filter_map(|column| row.get(*column).cloned()).collect();
        lines.extend(aligned(&rows.iter().map(part).collect::<Vec<_>>()));
    }
    lines
}

/// A figure of merit in the table of a comparison.
fn figure_cell(figure: &Listed, of_reference: bool) -> String {
    if figure.is_error && of_reference {
        return "reference".to_owned();
    }
    figure.value.map_or("-".to_owned(), |value| in_format(value, figure.format))
}

fn in_format(value: f64, format: Format) -> String {
    match format {
        Format::Significant | Format::Decimals => significant(value),
        Format::Micrometres => micro(value),
        Format::Percent | Format::Hundredfold => format!("{:+.2} %", 100.0 * value),
        Format::Whole => format!("{value}"),
    }
}

/// What no stepper or not all of them do as the scenario has it: a line for each, with the steppers.
fn not_as_written<const D: usize>(comparison: &Comparison<D>) -> Vec<String> {
    let texts = comparison.entries.iter().flat_map(|Entry { trajectory, .. }| {
        let ignored = trajectory.ignored().into_iter().map(|ignored| ignored.to_string());
        let texts = trajectory.warnings().into_iter().chain(ignored);
        texts.map(|text| (trajectory.stepper.as_str(), text))
    });
    let all = comparison.entries.len();
    let who = |names: Vec<&str>| if names.len() == all { "all".to_owned() } else { names.join(", ") };
    shared(texts).map(|(names, text)| format!("{}: {text}", who(names))).collect()
}

/// What was found of the solutions of steps, a line for each that several steppers share.
fn detections<const D: usize>(comparison: &Comparison<D>) -> Vec<String> {
    let found = comparison.entries.iter().filter_map(|entry| {
        Some((entry.trajectory.stepper.as_str(), entry.detection.as_ref()?.sentences().join("; ")))
    });
    shared(found).map(|(names, text)| format!("solutions of steps by {}: {text}", names.join(", "))).collect()
}

/// Texts with everybody whose they are, in the order in which they first come.
pub(super) fn shared<'a>(
    texts: impl Iterator<Item = (&'a str, String)>,
) -> impl Iterator<Item = (Vec<&'a str>, String)> {
    let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, text) in texts {
        match lines.iter_mut().find(|(_, known)| *known == text) {
            Some((names, _)) => names.push(name),
            None => lines.push((vec![name], text)),
        }
    }
    lines.into_iter()
}

/// How many steps failed in a run that went on all the same.
fn continued<const D: usize>(trajectory: &Trajectory<D>) -> Option<String> {
    let failed = trajectory.count(StepStatus::Failed);
    let (name, steps) = (trajectory.stepper, trajectory.steps.len());
    let went_on = failed > 0 && trajectory.ending != Ending::Failed;
    went_on.then(|| {
        let steps = counted(steps, "step");
        format!("{name}: {failed} of {steps} failed, and went on from their best candidates")
    })
}

/// How many steps miss the tolerance, and what the motions of steps say of their contacts, a line for each text that several
/// steppers share.
fn approximate_and_uncertified<const D: usize>(comparison: &Comparison<D>) -> Vec<String> {
    let tallies = comparison.entries.iter().map(|entry| {
        let mut tally = Tally::default();
        entry.trajectory.steps.iter().for_each(|step| tally.add(step));
        (entry.trajectory.stepper.as_str(), tally)
    });
    let tallies: Vec<(&str, Tally)> = tallies.collect();
    let approximate = tallies
        .iter()
        .filter_map(|(name, tally)| Some((*name, format!("of the rescued steps {}", tally.approximate()?))));
    let uncertified =
        tallies.iter().filter_map(|(name, tally)| Some((*name, tally.certificates()?.complaint()?)));
    let lines = shared(approximate).chain(shared(uncertified));
    lines.map(|(names, text)| format!("{}: {text}", names.join(", "))).collect()
}

/// How many pairs part, and which of them first; nothing if there is no pair.
fn first_parting(partings: &[Parting], tolerance: f64) -> Option<String> {
    let tolerance = significant(tolerance);
    let parted = partings.iter().filter_map(|parting| Some((parting.steppers, parting.at?)));
    let count = parted.clone().count();
    match parted.min_by_key(|(_, at)| at.step) {
        None if partings.is_empty() => None,
        None => Some(format!("no two get more than {tolerance} m apart")),
        Some(([a, b], at)) => Some(format!(
            "{count} of {} pairs get more than {tolerance} m apart, the first {a} ({}) and {b} ({}) in the step from \
             t = {} s; all are in partings.csv",
            partings.len(),
            at.modes[0],
            at.modes[1],
            significant(at.time),
        )),
    }
}

/// Who was left out: with the reason where that leaves out a whole family, by name otherwise.
fn left_out<const D: usize>(comparison: &Comparison<D>) -> Vec<String> {
    let has_family = |refusal: &&Refusal| {
        let mut entries = comparison.entries.iter();
        entries.any(|entry| entry.trajectory.stepper.family() == refusal.stepper.family())
    };
    let (formulations, families): (Vec<_>, Vec<_>) = comparison.refused.iter().partition(has_family);
    let mut lines: Vec<String> = families.iter().map(|refusal| format!("left out: {refusal}")).collect();
    if !formulations.is_empty() {
        let names: Vec<&str> = formulations.iter().map(|refusal| refusal.stepper.as_str()).collect();
        lines.push(format!("left out, for reasons in report.html and summary.json: {}", names.join(", ")));
    }
    lines
}

/// A study of convergence: the errors at every step and the fitted orders.
pub fn of_convergence<const D: usize>(
    study: &ConvergenceStudy<D>,
    refused: &[Refusal],
    folder: &Path,
) -> Vec<String> {
    let mut rows = Vec::new();
    for stepper in &study.steppers {
        if rows.is_empty() {
            let mut header = ["stepper", "order"].map(str::to_owned).to_vec();
            header.extend(stepper.outcomes.iter().map(|outcome| format!("dt = {}", outcome.step)));
            rows.push(header);
        }
        let order = match (stepper.order, stepper.model_error) {
            (_, Some(_)) => "model error".to_owned(),
            (Some(order), None) => format!("{order:.3}"),
            (None, None) => "-".to_owned(),
        };
        let mut row = vec![stepper.stepper.to_string(), order];
        row.extend(stepper.outcomes.iter().map(|outcome| match &outcome.errors {
            Err(NoError::Failed(_)) => "failed".to_owned(),
            Ok(errors) => significant(errors.rms),
            Err(_) => "-".to_owned(),
        }));
        rows.push(row);
    }
    let mut lines = match &study.reference {
        Reference::Exact => {
            vec!["root mean square error over the whole motion and all coordinates, in m:".to_owned()]
        }
        Reference::OwnMotion { step, reason } => vec![
            format!("there is no exact motion: {reason}"),
            format!(
                "root mean square distance of each model from its own motion at dt = {step} s, over the whole motion and \
                 all coordinates, in m; it says how fast a model settles, not whether on what is right; orders are over \
                 the distance of the steps from {step} s:"
            ),
        ],
    };
    lines.extend(aligned(&rows));
    for stepper in &study.steppers {
        lines.extend(stepper.model_error.map(|error| {
            let by_axis = axis_names::<D>().iter().zip(error.largest.iter());
            let by_axis: Vec<String> =
                by_axis.map(|(axis, value)| format!("{} m in {axis}", significant(*value))).collect();
            format!(
                "{}: an error of the model, {} m, at most {}: at dt = {} s it is still there, while the motion has \
                 settled to within {} m",
                stepper.stepper,
                significant(error.rms),
                by_axis.join(", "),
                error.step,
                significant(error.settled),
            )
        }));
        if let (Some(order), None) = (stepper.order, stepper.model_error)
            && order < NO_ORDER
        {
            let told =
                if order < -NO_ORDER { "grows as steps get shorter" } else { "does not fall with the step" };
            lines.push(format!("{}: over these steps its error {told}", stepper.stepper));
        }
        lines.extend(stepper.ignored.iter().map(|ignored| format!("{}: {ignored}", stepper.stepper)));
        let refused = stepper.outcomes.iter().find_map(|outcome| match &outcome.errors {
            Err(NoError::Refused(reason)) => Some((outcome.step, reason)),
            _ => None,
        });
        if let Some((step, reason)) = refused {
            lines.push(format!("{}: no error at dt = {step}: {reason}", stepper.stepper));
        }
    }
    lines.extend(refused.iter().map(|refusal| format!("left out: {refusal}")));
    lines.push(format!("wrote {}", folder.display()));
    lines
}

/// Order below which errors do not fall with the step.
const NO_ORDER: f64 = 0.1;

/// Rows in columns, the first one flush left, the others flush right.
pub(super) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
