use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{FitTask, SearchMethod};
use crate::{likelihood::Estimate, predict::StepperErrors};

/// The parameters that predict best.
#[derive(Debug, Clone)]
pub struct FitOutcome {
    /// The parameters, in the order in which they were asked for.
    pub parameters: Vec<FittedParameter>,
    /// The mean error that was made least: per cent and degrees, added; of a point metres.
    pub error: f64,
    /// The same where the search began.
    pub error_before: f64,
    /// The predictions with these parameters.
    pub errors: StepperErrors,
    /// Sets of parameters that were tried.
    pub evaluations: usize,
    /// Of these, how many with derivatives.
    pub differentiated: usize,
    /// How they were searched for.
    pub search: SearchMethod,
    /// Whether there are too few throws for intervals.
    pub too_few: bool,
    /// Whether the throws are predicted nearly exactly, so that intervals are of errors up to three times the least.
    pub nearly_exact: bool,
}

/// A parameter that was fitted.
#[derive(Debug, Clone)]
pub struct FittedParameter {
    /// Its key.
    pub key: String,
    /// The value that predicts best.
    pub value: f64,
    /// What the throws say about it, if that was asked for.
    pub verdict: Option<Estimate>,
    /// The value that predicts best by steps of half the length, where there are intervals that it can be held against.
    pub at_half_steps: Option<f64>,
    /// Values with the least mean error at each, the other parameters at their best.
    pub profile: Vec<[f64; 2]>,
}

impl FittedParameter {
    /// Whether the throws determine it.
    pub fn is_determined(&self) -> bool {
        self.verdict.is_some_and(|estimate| estimate.doubt.is_none())
    }

    /// Why they do not.
    pub fn reason(&self) -> Option<String> {
        self.verdict.and_then(|estimate| estimate.doubt).map(|doubt| doubt.to_string())
    }

    /// The value by steps of half the length, where it is so far off that the error of the steps, about twice as much,
    /// is no small part of the interval.
    pub fn moved_by_steps(&self) -> Option<f64> {
        let (at_half_steps, [low, high]) = (self.at_half_steps?, self.verdict?.interval);
        let end = if at_half_steps < self.value { low } else { high };
        let far = SLIGHT * (end - self.value).abs();
        (2.0 * (at_half_steps - self.value).abs() > far).then_some(at_half_steps)
    }

    fn to_json(&self) -> Value {
        let end = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        json!({
            "value": self.value,
            "interval": self.verdict.map(|estimate| estimate.interval.map(end)),
            "level": self.verdict.map(|estimate| estimate.level),
            "determined": self.verdict.map(|_| self.is_determined()),
            "reason": self.reason(),
            "at_half_steps": self.at_half_steps,
        })
    }
}

/// Part of the way to the end of the interval that the error of the steps may be without a word.
const SLIGHT: f64 = 0.25;

/// What the intervals are.
pub(super) const INTERVALS: &str = "from how the throws differ among themselves: differences of their errors below and \
                                    above each value, held against Student's t";

/// What they are where the throws are predicted nearly exactly.
const INTERVALS_OF_EXACT: &str = "values with a mean error of up to three times the least, since the throws are \
                                  predicted nearly exactly";

impl FitOutcome {
    /// What `error` is.
    pub fn error_measure(&self) -> &'static str {
        match self.errors.rotation {
            Some(_) => {
                "mean over the throws of the position error in % of the size plus the rotation error in degrees"
            }
            None => "mean over the throws of the position error, m",
        }
    }

    /// As written to `result.json`.
    pub fn to_json<const D: usize>(&self, task: &FitTask<D>, scenario: &str) -> Value {
        let parameters: Map<String, Value> =
            self.parameters.iter().map(|parameter| (parameter.key.clone(), parameter.to_json())).collect();
        let ranges: Map<String, Value> =
            task.parameters.iter().map(|parameter| (parameter.key.clone(), json!(parameter.range))).collect();
        json!({
            "scenario": scenario,
            "version": env!("CARGO_PKG_VERSION"),
            "stepper": task.stepper.as_str(),
            "data": task.recording.file,
            "tosses": task.recording.tosses.len(),
            "rows": task.recording.rows(),
            "start": task.start.as_str(),
            "parameters": parameters,
            "ranges": ranges,
            "intervals": if self.nearly_exact { INTERVALS_OF_EXACT } else { INTERVALS },
            "error": self.error,
            "error_measure": self.error_measure(),
            "error_before": if self.error_before.is_finite() { json!(self.error_before) } else { Value::Null },
            "position": self.errors.position.mean,
            "rotation": self.errors.rotation.map(|rotation| rotation.mean),
            "standard_error": {
                "position": self.errors.position.standard_error,
                "rotation": self.errors.rotation.map(|rotation| rotation.standard_error),
            },
            "failed_steps": self.errors.failed_steps,
            "evaluations": self.evaluations,
            "search": self.search.to_string(),
            "evaluations_with_derivatives": self.differentiated,
        })
    }
}

/// Writes `profile.csv`: `parameter,value,error`, the least mean error for each value that was tried.
///
/// # Errors
/// Those of `out`.
pub fn write_profiles(outcome: &FitOutcome, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["parameter", "value", "error"])?;
    for parameter in &outcome.parameters {
        for [value, error] in &parameter.profile {
            csv.write_record([parameter.key.clone(), format!("{value:?}"), format!("{error:?}")])?;
        }
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::{Doubt, LEVEL};

    #[test]
    fn what_is_doubted_or_was_not_looked_at_is_not_determined() {
        let parameter = |verdict| FittedParameter {
            key: "ground.friction".to_owned(),
            value: 0.3,
            verdict,
            at_half_steps: None,
            profile: Vec::new(),
        };
        let estimate = |doubt| Estimate { value: 0.3, interval: [0.2, 0.4], level: LEVEL, doubt };
        let sure = parameter(Some(estimate(None)));
        assert!(sure.is_determined() && sure.reason().is_none());
        assert_eq!(sure.to_json()["determined"], true);
        let doubted = parameter(Some(estimate(Some(Doubt::Kink))));
        assert!(!doubted.is_determined() && doubted.reason().is_some());
        assert_eq!(doubted.to_json()["determined"], false);
        let moved = |at_half_steps| {
            let at_half_steps = Some(at_half_steps);
            FittedParameter { at_half_steps, ..sure.clone() }.moved_by_steps()
        };
        assert_eq!([0.299, 0.31, 0.32, 0.2].map(moved), [None, None, Some(0.32), Some(0.2)]);
        let unknown = parameter(None);
        assert!(!unknown.is_determined() && unknown.reason().is_none());
        assert!(unknown.to_json()["determined"].is_null());
    }
}
