use std::io::{self, Write};

use serde_json::{Value, json};

use super::{
    DerivativeRule, DifferentiableModels, GradientError, GradientOptions, GradientRequest, GradientRow,
    GradientStudy, Input, Method, Quality, Steps, averaged::averaged, input::natural_sizes,
    output::STOP_TIME, quality::NOTHING, tangents,
};
use crate::{
    decimal::{cell, shortest},
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

/// Writes the figures as CSV, a row each.
///
/// # Errors
/// What writing to `out` gives.
pub fn write_gradients(study: &GradientStudy, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "stepper",
        "method",
        "of",
        "wrt",
        "value",
        "gradient",
        "exact",
        "difference",
        "finite_difference",
        "valid_within",
        "bias",
        "state",
        "trend",
        "left",
        "right",
        "otherwise_shared",
    ])?;
    for row in &study.rows {
        csv.write_record([
            row.stepper.to_string(),
            row.method.to_string(),
            row.of.clone(),
            row.wrt.to_string(),
            shortest(row.value),
            cell(Some(row.gradient).filter(|gradient| gradient.is_finite())),
            cell(row.exact),
            cell(row.exact.map(|exact| row.gradient - exact).filter(|difference| difference.is_finite())),
            cell(row.finite_difference),
            cell(row.valid_within),
            cell(row.bias.filter(|bias| bias.is_finite())),
            row.quality.as_str().to_owned(),
            cell(row.trend),
            cell(row.one_sided.and_then(|sides| sides.left)),
            cell(row.one_sided.and_then(|sides| sides.right)),
            cell(row.otherwise_shared.filter(|gradient| gradient.is_finite())),
        ])?;
    }
    csv.flush()
}

/// Writes the kinks as CSV, a row each.
///
/// # Errors
/// What writing to `out` gives.
pub fn write_kinks(study: &GradientStudy, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["stepper", "step", "t", "event", "kind", "wrt", "distance", "left", "right", "of"])?;
    for kink in &study.kinks {
        csv.write_record([
            kink.stepper.to_string(),
            kink.step.to_string(),
            shortest(kink.time),
            kink.event.to_string(),
            kink.kind.to_string(),
            kink.wrt.to_string(),
            shortest(kink.distance),
            shortest(kink.left),
            shortest(kink.right),
            kink.of.clone(),
        ])?;
    }
    csv.flush()
}

/// The figures of one stepper and method.
fn groups(study: &GradientStudy) -> Vec<(StepperName, Method, Vec<&GradientRow>)> {
    let mut groups: Vec<(StepperName, Method, Vec<&GradientRow>)> = Vec::new();
    for row in &study.rows {
        match groups.last_mut() {
            Some((stepper, method, rows)) if *stepper == row.stepper && *method == row.method => {
                rows.push(row)
            }
            _ => groups.push((row.stepper, row.method, vec![row])),
        }
    }
    groups
}

/// The study for the summary: per stepper and method the error over all figures and the verdicts.
pub fn gradient_summary<const D: usize>(
    scenario: &Scenario<D>,
    study: &GradientStudy,
    request: &GradientRequest,
) -> Value {
    let steppers: Vec<Value> = groups(study)
        .into_iter()
        .map(|(stepper, method, rows)| {
            let count = |quality: Quality| rows.iter().filter(|row| row.quality == quality).count();
            json!({
                "stepper": stepper.to_string(),
                "method": method.to_string(),
                "figures": rows.len(),
                "error": error_of(scenario, &rows),
                "ok": count(Quality::Ok),
                "biased": count(Quality::Biased),
                "zero": count(Quality::Zero),
                "one_sided": count(Quality::OneSided),
                "indeterminate": count(Quality::Indeterminate),
                "contradicted": count(Quality::Contradicted),
                "unchecked": count(Quality::Unchecked),
                "exploding": count(Quality::Exploding),
            })
        })
        .collect();
    let left_out: Vec<Value> = study
        .left_out
        .iter()
        .map(|left| {
            json!({
                "stepper": left.stepper.to_string(),
                "method": left.method.to_string(),
                "reason": left.reason.to_string(),
            })
        })
        .collect();
    let without_exact: Vec<Value> = study
        .without_exact
        .iter()
        .map(|without| json!({ "wrt": without.wrt.to_string(), "reason": without.reason }))
        .collect();
    json!({
        "scenario": scenario.name,
        "of": request.outputs,
        "wrt": request.inputs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "kappa": request.kappa,
        "phases": request.phases,
        "gradients": steppers,
        "left_out": left_out,
        "without_exact": without_exact,
    })
}

/// The relative distance of the figures from the exact ones, inputs scaled by their natural sizes; `None` where these are
/// nothing, or not all known.
fn error_of<const D: usize>(scenario: &Scenario<D>, rows: &[&GradientRow]) -> Option<f64> {
    let (mut off, mut whole) = (0.0, 0.0);
    for row in rows {
        let size = row.wrt.natural_size(scenario);
        let exact = row.exact?;
        off += ((row.gradient - exact) * size).powi(2);
        whole += (exact * size).powi(2);
    }
    (whole.sqrt() > NOTHING).then(|| (off / whole).sqrt())
}

/// The relative error of the gradient of the final state at several steps, for a picture: step in s and
/// error. Steps at which the stepper refuses or fails are left out.
///
/// # Errors
/// [`GradientError`] if the exact motion has no derivative, or if `watch` says to stop.
pub fn bias_curve<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    method: Method,
    request: &GradientRequest,
    steps: &[f64],
    watch: &Watch<'_>,
) -> Result<Vec<[f64; 2]>, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs: Vec<Input> = request.inputs.iter().copied().filter(|input| *input != Input::Step).collect();
    // Its units are not the steps that runs count.
    let watch = &Watch::new(|_| watch.flow());
    let (steps_of, rule) = (Steps::of(stepper, method, request.kappa), [DerivativeRule::from(method)]);
    let mut curve = Vec::with_capacity(steps.len());
    for &step in steps {
        let scenario = Scenario { step, ..scenario.clone() };
        let options = GradientOptions::of(&scenario);
        let exact = Steps::by(StepperName::EXACT);
        let truth = tangents(&scenario, exact, DerivativeRule::Raw, &inputs, &options, watch)?;
        let runs = averaged(&scenario, steps_of, (&inputs, &rule), (&options, request.phases), watch);
        let run = match runs.map(|mut all| all.pop()) {
            Ok(Some(Ok(run))) => run,
            Err(GradientError::Interrupted) => return Err(GradientError::Interrupted),
            _ => continue,
        };
        let sizes = natural_sizes(&scenario, &inputs);
        let (mut off, mut whole) = (0.0, 0.0);
        for name in truth.end.names.iter().filter(|name| *name != STOP_TIME) {
            let (Some(exact), Some(own)) = (truth.gradient(name), run.gradient(name)) else { continue };
            for ((exact, own), size) in exact.iter().zip(own).zip(&sizes) {
                whole += (exact * size).powi(2);
                off += ((own - exact) * size).powi(2);
            }
        }
        if whole.sqrt() > NOTHING && off > 0.0 {
            curve.push([step, (off / whole).sqrt()]);
        }
    }
    Ok(curve)
}
