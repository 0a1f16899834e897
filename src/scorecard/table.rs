use std::io;

use serde_json::{Value, json};

use super::{Outcome, Scorecard, Verdict};
use crate::decimal::shortest;

impl Verdict {
    /// One letter for narrow tables.
    fn letter(self) -> char {
        match self {
            Self::Right => 'R',
            Self::Off => 'o',
            Self::Wrong => 'X',
            Self::Refused => '.',
        }
    }
}

/// The scorecard for a terminal: a row per phenomenon, a column per model, a letter per step.
pub fn table(card: &Scorecard) -> Vec<String> {
    let width = |model: &str| model.len().max(card.steps.len());
    let steps: Vec<String> = card.steps.iter().map(|step| format!("{step:e}")).collect();
    let tallies: Vec<String> = steps.iter().map(|step| format!("right at {step}")).collect();
    let labels = card.phenomena.iter().map(|phenomenon| phenomenon.name);
    let name_width = labels.chain(tallies.iter().map(String::as_str)).map(str::len).max().unwrap_or(0) + 2;
    let mut lines = vec![format!(
        "R right, o off, X wrong, . refused; at steps of {} s, from left to right",
        steps.join(", ")
    )];
    let header = card.models.iter().map(|model| format!("{model:<0$}", width(model)));
    lines
        .push(format!("  {:name_width$}{}", "", header.collect::<Vec<_>>().join("  ")).trim_end().to_owned());
    let mut group = None;
    for (index, phenomenon) in card.phenomena.iter().enumerate() {
        if group != Some(phenomenon.group) {
            group = Some(phenomenon.group);
            lines.push(phenomenon.group.title().to_owned());
        }
        let cells = card.models.iter().enumerate().map(|(model, name)| {
            let letters = (0..card.steps.len()).map(|step| card.score(index, model, step).verdict.letter());
            format!("{:<1$}", letters.collect::<String>(), width(name))
        });
        let cells = cells.collect::<Vec<_>>().join("  ");
        lines.push(format!("  {:1$}{cells}", phenomenon.name, name_width).trim_end().to_owned());
    }
    for (place, label) in tallies.iter().enumerate() {
        let cells = card.models.iter().enumerate().map(|(model, name)| {
            let [right, ..] = card.tally(model, place);
            format!("{right:<0$}", width(name))
        });
        let cells = cells.collect::<Vec<_>>().join("  ");
        lines.push(format!("  {label:name_width$}{cells}").trim_end().to_owned());
    }
    lines
}

/// Writes the scores as CSV: a row per phenomenon, model and step, without a value where there is none.
///
/// Columns: `phenomenon,stepper,step,measure,unit,truth,value,verdict`.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_csv(card: &Scorecard, out: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["phenomenon", "stepper", "step", "measure", "unit", "truth", "value", "verdict"])?;
    for (index, phenomenon) in card.phenomena.iter().enumerate() {
        for (model, name) in card.models.iter().enumerate() {
            for (place, step) in card.steps.iter().enumerate() {
                let score = card.score(index, model, place);
                let value = match score.outcome {
                    Outcome::Measured(value) if value.is_finite() => shortest(value),
                    _ => String::new(),
                };
                csv.write_record([
                    phenomenon.name,
                    name,
                    &shortest(*step),
                    phenomenon.measure,
                    phenomenon.unit,
                    &shortest(phenomenon.truth),
                    &value,
                    score.verdict.as_str(),
                ])?;
            }
        }
    }
    csv.flush()
}

/// The scorecard as written to `summary.json`: how often each model got each verdict at each step, and every
/// phenomenon with its truth, its thresholds, and the verdicts on each model in the order of the steps.
pub fn summary(card: &Scorecard) -> Value {
    let models = card.models.iter().enumerate().map(|(model, name)| {
        let tallies = (0..card.steps.len()).map(|step| {
            let tally = card.tally(model, step);
            let named =
                Verdict::ALL.iter().zip(tally).map(|(verdict, count)| (verdict.to_string(), count.into()));
            Value::Object(named.collect())
        });
        (name.clone(), Value::Array(tallies.collect()))
    });
    let phenomena = card.phenomena.iter().enumerate().map(|(index, phenomenon)| {
        let verdicts = card.models.iter().enumerate().map(|(model, name)| {
            let of_steps = (0..card.steps.len()).map(|step| card.score(index, model, step).verdict.as_str());
            (name.clone(), of_steps.collect::<Vec<_>>().into())
        });
        json!({
            "phenomenon": phenomenon.name,
            "title": phenomenon.title,
            "measure": phenomenon.measure,
            "unit": phenomenon.unit,
            "truth": phenomenon.truth,
            "right": phenomenon.thresholds.right,
            "off": phenomenon.thresholds.off,
            "verdicts": Value::Object(verdicts.collect()),
        })
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "steps": card.steps,
        "models": Value::Object(models.collect()),
        "phenomena": phenomena.collect::<Vec<_>>(),
    })
}
