use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{BreakAway, FitTask, Load, NotFromRows, Roughness, SearchMethod};
use crate::{
    decimal::{rounded, shortest},
    likelihood::{Doubt, Estimate},
    predict::StepperErrors,
};

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
    /// What speaks against the scenario with the best parameters being that of the recording, in sentences.
    pub doubts: Vec<String>,
    /// What the intervals come from.
    pub basis: Basis,
    /// Along which parameters the error is rough.
    pub rough: Vec<Roughness>,
    /// How the search ended.
    pub ending: Ending,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With all that was asked for.
    Finished,
    /// Somebody stopped it: the parameters are the best so far.
    Interrupted,
    /// It had tried as many sets of parameters as it might: the same.
    OutOfEvaluations,
}

/// What intervals come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// None were asked for.
    None,
    /// There are none: the predictions depend on none of the parameters.
    NoEffect,
    /// There are none: nothing follows from the noise of the rows, and the throws are no more than the parameters.
    TooFew(NotFromRows),
    /// All parameters that predictions depend on are frictions of which the throws are tests of break-away.
    BreakAway,
    /// The throws are predicted nearly exactly, and the intervals are of errors up to three times the least.
    NearlyExact,
    /// White noise of the rows and of the starts that are fitted to them, which is all that is left of them.
    Rows {
        /// Standard deviation of the noise of positions, m: that of the noisiest component.
        position: f64,
        /// Of rotations about an axis, rad; 0 for a point.
        rotation: f64,
    },
    /// How the throws differ among themselves, as nothing follows from the noise of the rows.
    Throws(NotFromRows),
}

impl Basis {
    /// What the intervals are.
    pub fn intervals(self) -> &'static str {
        match self {
            Self::None => "none: they were not asked for",
            Self::NoEffect => "none: the predictions depend on none of the parameters",
            Self::TooFew(_) => {
                "none: nothing follows from the noise of the rows, and there are too few throws to compare them among \
                 themselves"
            }
            Self::BreakAway => "between what held and what slipped, which is no interval of confidence",
            Self::NearlyExact => {
                "values with a mean error of up to three times the least, since the throws are predicted nearly exactly"
            }
            Self::Rows { .. } => {
                "from the noise of the rows: what is left of them once the error of each start is taken out, held against \
                 what a change of the parameter would leave"
            }
            Self::Throws(_) => {
                "from how the throws differ among themselves: differences of their errors below and above each value, \
                 held against those with flipped signs, of fewer than six throws against Student's t"
            }
        }
    }

    /// The noise of the rows that intervals are from: in m, and in degrees for what turns.
    fn row_noise(self) -> Value {
        match self {
            Self::Rows { position, rotation } => {
                let rotation = (rotation > 0.0).then(|| rotation.to_degrees());
                json!({ "position": position, "rotation": rotation })
            }
            _ => Value::Null,
        }
    }

    /// Why intervals are not from the noise of the rows, where that was looked at.
    fn not_from_rows(self) -> Option<NotFromRows> {
        match self {
            Self::TooFew(why) | Self::Throws(why) => Some(why),
            Self::None | Self::NoEffect | Self::BreakAway | Self::NearlyExact | Self::Rows { .. } => None,
        }
    }
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
    /// Whether the predictions depend on it.
    pub has_effect: bool,
    /// The value that predicts best by steps of half the length, where there are intervals that it can be held against.
    pub at_half_steps: Option<f64>,
    /// What held and what slipped, where the throws are tests of break-away: the interval is between these.
    pub break_away: Option<BreakAway>,
    /// Values with the least mean error at each, the other parameters at their best.
    pub profile: Vec<[f64; 2]>,
}

impl FittedParameter {
    /// Whether the throws determine it.
    pub fn is_determined(&self) -> bool {
        self.verdict.is_some_and(|estimate| estimate.doubt.is_none())
    }

    /// Why they do not, by an interval of that `basis`. Where throws are only compared with each other, what they do not
    /// rule out may predict each of them badly.
    pub fn reason(&self, basis: Basis) -> Option<String> {
        let doubt = self.verdict?.doubt?;
        let known = match (basis, doubt) {
            _ if self.break_away.is_some() => return Some(doubt.to_string()),
            (Basis::Throws(_), Doubt::Silent) if self.has_effect => {
                "none of the values that were looked at".to_owned()
            }
            (Basis::Throws(_), Doubt::OpenAbove(low)) => format!("no value above about {}", rounded(low, 4)),
            (Basis::Throws(_), Doubt::OpenBelow(high)) => {
                format!("no value below about {}", rounded(high, 4))
            }
            (Basis::Throws(_), Doubt::Kink) => {
                return Some(
                    "how the throws differ among themselves does not speak against other values as beside a smooth \
                     minimum: it lies at a kink or a jump, or few throws say most, and the interval need not hold"
                        .to_owned(),
                );
            }
            _ => return Some(doubt.to_string()),
        };
        Some(format!("how the throws differ among themselves rules out {known}"))
    }

    /// The value by steps of half the length, where it is so far off that the error of the steps, about twice as much,
    /// is no small part of the interval.
    pub fn moved_by_steps(&self) -> Option<f64> {
        let (at_half_steps, [low, high]) = (self.at_half_steps?, self.verdict?.interval);
        let end = if at_half_steps < self.value { low } else { high };
        // The best value may be at an end of the interval.
        let half = 0.5 * (high - low);
        let far = SLIGHT * if half.is_finite() { half } else { (end - self.value).abs() };
        (2.0 * (at_half_steps - self.value).abs() > far).then_some(at_half_steps)
    }

    /// Whether the best value is an end of its interval: one from the noise of the rows is that of least squares, drawn out to
    /// the value that makes the mean error least where that is beside it.
    pub fn is_at_end(&self) -> bool {
        self.is_determined() && self.verdict.is_some_and(|estimate| estimate.interval.contains(&self.value))
    }

    fn to_json(&self, basis: Basis, why_no_intervals: Option<&str>, number: impl Fn(usize) -> f64) -> Value {
        let end = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let load =
            |load: Option<Load>| load.map(|load| json!({ "value": load.value, "toss": number(load.throw) }));
        let level = self.verdict.filter(|_| self.break_away.is_none()).map(|estimate| estimate.level);
        json!({
            "value": self.value,
            "interval": self.verdict.map(|estimate| estimate.interval.map(end)),
            "level": level,
            "determined": self.verdict.map(|_| self.is_determined()),
            "reason": match self.verdict {
                Some(_) => self.reason(basis),
                None => why_no_intervals.map(|why| format!("there is no interval: {why}")),
            },
            "best_is_an_end": self.verdict.map(|_| self.is_at_end()),
            "at_half_steps": self.at_half_steps,
            "held": self.break_away.and_then(|found| load(found.held())),
            "slipped": self.break_away.and_then(|found| load(found.slipped())),
        })
    }
}

/// Part of the half width of the interval that the error of the steps may be without a word.
const SLIGHT: f64 = 0.25;

impl FitOutcome {
    /// What `error` is.
    pub fn error_measure(&self) -> &'static str {
        match self.errors.rotation {
            Some(_) => {
                "mean over the throws, or their windows, of the position error in % of the size plus the rotation error in degrees"
            }
            None => "mean over the throws, or their windows, of the position error, m",
        }
    }

    /// As written to `result.json`.
    pub fn to_json<const D: usize>(&self, task: &FitTask<D>, scenario: &str) -> Value {
        let why_none = self.why_no_intervals(task.recording.throws());
        let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let rough: Vec<Value> = (self.rough.iter())
            .map(|one| json!({ "parameter": one.key, "between": one.between, "turns": one.turns, "height": one.height }))
            .collect();
        let parameters: Map<String, Value> = (self.parameters.iter())
            .map(|one| {
                let found = one
                    .to_json(self.basis, why_none.as_deref(), |throw| task.recording.number_of_throw(throw));
                (one.key.clone(), found)
            })
            .collect();
        let ranges: Map<String, Value> =
            task.parameters.iter().map(|parameter| (parameter.key.clone(), json!(parameter.range))).collect();
        json!({
            "scenario": scenario,
            "version": env!("CARGO_PKG_VERSION"),
            "stepper": task.stepper.as_str(),
            "data": task.recording.file,
            "finished": self.ending == Ending::Finished,
            "tosses": task.recording.throws(),
            "rows": task.recording.rows(),
            "windows": task.recording.windows_to_json(),
            "start": task.start.as_str(),
            "parameters": parameters,
            "ranges": ranges,
            "intervals": self.basis.intervals(),
            "row_noise": self.basis.row_noise(),
            "not_from_rows": self.basis.not_from_rows().map(|why| self.not_from_rows(why)),
            "conclusions": self.conclusions(task),
            "error": number(self.error),
            "error_measure": self.error_measure(),
            "error_before": number(self.error_before),
            "position": self.errors.position.mean,
            "rotation": self.errors.rotation.map(|rotation| rotation.mean),
            "standard_error": {
                "position": self.errors.position.standard_error,
                "rotation": self.errors.rotation.map(|rotation| rotation.standard_error),
            },
            "failed_steps": self.errors.failed_steps,
            "doubts": self.doubts,
            "evaluations": self.evaluations,
            "evaluations_at_most": task.evaluations,
            "rough": rough,
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
            csv.write_record([parameter.key.clone(), shortest(*value), shortest(*error)])?;
        }
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::LEVEL;

    const THROWS: Basis = Basis::Throws(NotFromRows::MoreThanNoise);
    const ROWS: Basis = Basis::Rows { position: 1e-3, rotation: 0.0 };

    fn parameter(verdict: Option<Estimate>) -> FittedParameter {
        FittedParameter {
            key: "ground.friction".to_owned(),
            value: 0.3,
            verdict,
            has_effect: true,
            at_half_steps: None,
            break_away: None,
            profile: Vec::new(),
        }
    }

    fn estimate(doubt: Option<Doubt>) -> Estimate {
        Estimate { value: 0.3, interval: [0.2, 0.4], level: LEVEL, doubt }
    }

    #[test]
    fn what_is_doubted_or_was_not_looked_at_is_not_determined() {
        let sure = parameter(Some(estimate(None)));
        assert!(sure.is_determined() && sure.reason(THROWS).is_none());
        assert_eq!(sure.to_json(THROWS, None, |_| 0.0)["determined"], true);
        let doubted = parameter(Some(estimate(Some(Doubt::Kink))));
        assert!(!doubted.is_determined() && doubted.reason(THROWS).is_some());
        assert_eq!(doubted.to_json(THROWS, None, |_| 0.0)["determined"], false);
        let moved = |at_half_steps| {
            let at_half_steps = Some(at_half_steps);
            FittedParameter { at_half_steps, ..sure.clone() }.moved_by_steps()
        };
        assert_eq!([0.299, 0.31, 0.32, 0.2].map(moved), [None, None, Some(0.32), Some(0.2)]);
        let unknown = parameter(None);
        assert!(!unknown.is_determined() && unknown.reason(THROWS).is_none());
        assert!(unknown.to_json(THROWS, None, |_| 0.0)["determined"].is_null());
    }

    /// Throws that are only compared with each other may rule out next to nothing, and yet be predicted badly.
    #[test]
    fn what_the_throws_leave_open_among_themselves_is_not_said_of_the_data() {
        for doubt in [Doubt::Silent, Doubt::OpenAbove(0.2), Doubt::OpenBelow(0.2)] {
            let doubted = parameter(Some(estimate(Some(doubt))));
            let [throws, rows] = [THROWS, ROWS].map(|basis| doubted.reason(basis).expect("it is doubted"));
            assert!(throws.starts_with("how the throws differ among themselves rules out no"), "{throws}");
            assert!(rows.starts_with("the data"), "{rows}");
        }
        let without_effect =
            FittedParameter { has_effect: false, ..parameter(Some(estimate(Some(Doubt::Silent)))) };
        assert!(without_effect.reason(THROWS).expect("it is doubted").starts_with("the data"));
    }
}
