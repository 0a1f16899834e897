use serde_json::{Map, Value, json};

use super::{
    Comparison, ConvergenceStudy, CrossCheck, Entry, Matched, Merit, Parting, Reference, paragraph,
    table::ending,
};
use crate::{
    metrics::{Measured, Summary, When},
    model::axis_names,
    stepper::{Refusal, StepperName},
};

/// A comparison as written to `summary.json`, with the pairs that part by more than `tolerance` m.
pub fn comparison_summary<const D: usize>(
    comparison: &Comparison<D>,
    partings: &[Parting],
    tolerance: f64,
    matched: Option<&Matched<D>>,
) -> Value {
    let scenario = &comparison.scenario;
    let entries = comparison.entries.iter().map(|entry| of_entry(entry, comparison));
    json!({
        "scenario": scenario.name,
        "version": env!("CARGO_PKG_VERSION"),
        "step": scenario.step,
        "steps": scenario.time().steps,
        "steppers": entries.collect::<Vec<_>>(),
        "refused": refusals(&comparison.refused),
        "cross_check": comparison.cross_check.as_ref().map(of_cross_check),
        "events": comparison.truth.as_ref().map(|truth| truth.events.iter().map(|event| json!({
            "time": event.time,
            "event": event.kind.to_string(),
            "impulse": event.impulse.as_slice(),
        })).collect::<Vec<_>>()),
        "tolerance": tolerance,
        "partings": partings.iter().map(of_parting).collect::<Vec<_>>(),
        "matched": matched.map(of_matched),
    })
}

/// A study of convergence as written to `summary.json`.
pub fn convergence_summary<const D: usize>(study: &ConvergenceStudy<D>, refused: &[Refusal]) -> Value {
    let steppers = study.steppers.iter().map(|stepper| {
        json!({
            "stepper": stepper.stepper.as_str(),
            "order": stepper.order,
            "order_of": "rms_error",
            // A motion at a finer step is no motion at the step zero.
            "order_over": match &study.reference {
                Reference::Exact => "step".to_owned(),
                Reference::OwnMotion { step, .. } => format!("step - {step}"),
            },
            "model_error": stepper.model_error.map(|error| json!({
                "rms_error": error.rms,
                "max_error": by_axis::<D>(error.largest.as_slice()),
                "tried_at_step": error.step,
                "settled_to": error.settled,
            })),
            "ignored": stepper.ignored,
            "errors": stepper.outcomes.iter().map(|outcome| match &outcome.errors {
                Ok(errors) => json!({
                    "step": outcome.step,
                    "rms_error": errors.rms,
                    "final_error": by_axis::<D>(errors.at_end.abs().as_slice()),
                    "max_error": by_axis::<D>(errors.largest.as_slice()),
                    "max_error_angle": errors.largest_turn,
                }),
                Err(reason) => json!({ "step": outcome.step, "reason": reason.to_string() }),
            }).collect::<Vec<_>>(),
        })
    });
    json!({
        "scenario": study.scenario,
        "version": env!("CARGO_PKG_VERSION"),
        "reference": match &study.reference {
            Reference::Exact => json!({ "motion": "exact" }),
            Reference::OwnMotion { step, reason } => json!({ "motion": "own", "step": step, "reason": reason }),
        },
        "steppers": steppers.collect::<Vec<_>>(),
        "refused": refusals(refused),
    })
}

fn of_entry<const D: usize>(entry: &Entry<D>, comparison: &Comparison<D>) -> Value {
    let merit = &entry.merit;
    let summary = Summary::of(&entry.trajectory, merit.metrics.clone());
    let mut metrics = json!(summary.metrics);
    for metric in Merit::<D>::TABLE.iter().filter(|metric| metric.recorded == When::Always) {
        for (name, value) in metric.figures(merit) {
            metrics[name] = json!(value);
        }
    }
    if !comparison.scenario.layout().is_point() {
        metrics["deviation_from_mean"] = json!(merit.deviation.map(|deviation| json!({
            "position": deviation.position,
            "body": comparison.scenario.body_name(deviation.body),
            "time": deviation.time,
            "angle": deviation.angle.map(|largest| largest.angle),
            "angle_body": deviation.angle.map(|largest| comparison.scenario.body_name(largest.body)),
            "angle_time": deviation.angle.map(|largest| largest.time),
            "counts": deviation.counts,
        })));
    }
    // Nothing was timed or counted where the first step failed.
    let of_steps = |value: Value| if summary.steps == 0 { Value::Null } else { value };
    let mut status = json!(summary.status);
    status["failed"] = json!(entry.trajectory.failed_steps());
    json!({
        "stepper": summary.stepper,
        "ending": ending(entry.trajectory.ending),
        "steps": summary.steps,
        "wall_seconds": summary.wall_seconds,
        "step_microseconds": of_steps(json!(summary.step_microseconds)),
        "solver": summary.solver,
        "settings": summary.settings,
        "iterations": of_steps(json!(summary.iterations)),
        "status": status,
        "approximate": summary.approximate,
        "certificates": summary.certificates,
        "ignored": summary.ignored,
        "warnings": summary.warnings,
        "detection": entry.detection,
        "is_reference": comparison.is_reference(entry),
        "metrics": entry.is_measured().then_some(metrics),
        "artefacts": paragraph(entry, comparison.truth.as_ref()),
    })
}

fn of_cross_check(check: &CrossCheck) -> Value {
    json!({
        "stepper": StepperName::NLP.as_str(),
        "states": check.states,
        "max_position": check.max_position,
        "max_velocity": check.max_velocity,
        "max_force": check.max_force,
        "time": check.time,
        "parts": check.parts,
        "runs": check.runs.iter().map(|run| json!({
            "solver": run.solver,
            "ending": ending(run.ending),
            "step_microseconds": run.step_microseconds,
            "iterations": { "median": run.iterations_median, "total": run.iterations_total },
            "rescued": run.rescued,
            "uncertified": run.uncertified,
            "failed": run.failed,
        })).collect::<Vec<_>>(),
        "words": check.to_string(),
    })
}

fn of_parting(parting: &Parting) -> Value {
    json!({
        "steppers": parting.steppers.map(|stepper| stepper.as_str()),
        "max_distance": parting.max_distance,
        "at": parting.at.as_ref().map(|at| json!({
            "step": at.step,
            "time": at.time,
            "distance": at.distance,
            "modes": at.modes.map(|mode| mode.as_str()),
        })),
    })
}

fn of_matched<const D: usize>(matched: &Matched<D>) -> Value {
    json!({
        "speed": matched.speed,
        "alike": matched.alike,
        "restitution": matched.scenario.ground.restitution,
        "choices": matched.choices.iter().map(|choice| json!({
            "stepper": choice.stepper.as_str(),
            "settings": choice.settings.iter()
                .map(|(key, value, _)| ((*key).to_owned(), json!(value)))
                .collect::<Map<_, _>>(),
            "impact_depth": choice.impact.depth,
            "restitution": choice.impact.restitution,
        })).collect::<Vec<_>>(),
    })
}

fn refusals(refused: &[Refusal]) -> Vec<Value> {
    let refused = refused.iter();
    refused
        .map(|refusal| {
            json!({
                "stepper": refusal.stepper.as_str(),
                "reason": refusal.reason,
                "remedy": refusal.remedy,
            })
        })
        .collect()
}

fn by_axis<const D: usize>(values: &[f64]) -> Map<String, Value> {
    let named = axis_names::<D>().iter().zip(values);
    named.map(|(axis, value)| ((*axis).to_owned(), json!(value))).collect()
}
