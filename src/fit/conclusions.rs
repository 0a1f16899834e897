//! What follows from a fit, in sentences: the same for who reads the table and for who reads `result.json`.

use super::{Basis, BreakAway, Ending, FitOutcome, FitTask, NotFromRows};
use crate::{
    decimal::{rounded_beside, rounded_text, shortest},
    model::tangential,
    wording::counted,
};

impl FitOutcome {
    /// What is not determined and why, which best values are to be read with care, and what the intervals come from.
    pub fn conclusions<const D: usize>(&self, task: &FitTask<D>) -> Vec<String> {
        let mut found = self.about_roughness(task.recording.is_cut());
        found.extend(match self.ending {
            Ending::Finished => None,
            Ending::Interrupted => Some("The search was interrupted: these are the best parameters so far.".to_owned()),
            Ending::OutOfEvaluations => Some(format!(
                "The search had not come to its end after the {} that it was allowed: these are the best parameters so far.",
                counted(task.evaluations, "set")
            )),
        });
        found.extend(self.conclusions_of(task.recording.throws()));
        let tests = self.parameters.iter().filter_map(|one| Some((&one.key, one.break_away?)));
        found.extend(
            tests.map(|(key, found)| broken_away(key, found, |throw| task.recording.number_of_throw(throw))),
        );
        let starts = task.recording.tosses.iter().filter_map(|toss| toss.states.first());
        let speeds = starts.map(|start| tangential(&start.state.velocity).norm());
        let slowest = speeds.fold(f64::INFINITY, f64::min);
        let parameters = self.parameters.iter();
        found.extend(parameters.filter_map(|one| passed_by(&one.key, one.value, slowest)));
        found
    }

    /// Along which parameters the error is rough, and what to do about it.
    fn about_roughness(&self, is_cut: bool) -> Vec<String> {
        let lines = self.rough.iter().map(|rough| {
            let [low, high] = rough.between;
            format!(
                "Along {} the error is rough: from {} to {} it turns {} times, by {} % in all. {}",
                rough.key,
                shortest(rounded_beside(low, 3, high - low)),
                shortest(rounded_beside(high, 3, high - low)),
                rough.turns,
                rounded_text(100.0 * rough.height, 2),
                match is_cut {
                    false => {
                        "Throws through several contacts are chaotic in their parameters: `--windows flights` predicts \
                         each contact by itself."
                    }
                    true => "Its best value is to be read with care: shorter windows, or more throws, make it smoother.",
                }
            )
        });
        lines.collect()
    }

    fn conclusions_of(&self, tosses: usize) -> Vec<String> {
        let mut found = Vec::new();
        for parameter in &self.parameters {
            let reason = parameter.reason(self.basis);
            found.extend(reason.map(|reason| format!("{} is not determined: {reason}.", parameter.key)));
        }
        if let Basis::Rows { .. } = self.basis {
            found.extend(self.parameters.iter().filter(|parameter| parameter.is_at_end()).map(|parameter| {
                format!(
                    "The best value of {} is an end of its interval, which is that of least squares: the mean error is \
                     least beside them.",
                    parameter.key
                )
            }));
        }
        for (parameter, value) in self.parameters.iter().filter_map(|one| Some((one, one.moved_by_steps()?)))
        {
            found.push(format!(
                "By half the steps {} is best at {}: the error of the steps, about twice the difference, is not in its \
                 interval. A smaller `step` makes it smaller.",
                parameter.key,
                shortest(rounded_beside(value, 4, value - parameter.value))
            ));
        }
        found.extend(self.about_intervals(tosses));
        found
    }

    /// What the intervals come from, or why there are none though they were asked for.
    fn about_intervals(&self, tosses: usize) -> Option<String> {
        match self.basis {
            Basis::None | Basis::NoEffect | Basis::BreakAway => None,
            Basis::TooFew(_) => self.why_no_intervals(tosses).map(|why| format!("There are no intervals: {why}.")),
            Basis::NearlyExact => Some(
                "The throws are predicted nearly exactly: intervals are of errors up to three times the least."
                    .to_owned(),
            ),
            Basis::Rows { position, rotation } => {
                let turned = match rotation > 0.0 {
                    true => format!(" and {} degrees", rounded_text(rotation.to_degrees(), 4)),
                    false => String::new(),
                };
                Some(format!(
                    "Intervals are from the noise of the rows, {} m{turned}: no more is left of them than white noise and \
                     the error of the starts.",
                    rounded_text(position, 4)
                ))
            }
            Basis::Throws(why) => Some(format!(
                "Intervals are from how the throws differ among themselves: {}.",
                self.not_from_rows(why)
            )),
        }
    }

    /// Why there are no intervals; `None` where there are.
    pub(super) fn why_no_intervals(&self, tosses: usize) -> Option<String> {
        match self.basis {
            Basis::None if self.ending != Ending::Finished => {
                Some("the search did not come to its end".to_owned())
            }
            Basis::None => Some("it was not asked for".to_owned()),
            Basis::TooFew(why) => Some(format!(
                "{}, and those from how throws differ take more throws than parameters, not {} for {}",
                self.not_from_rows(why),
                counted(tosses, "throw"),
                counted(self.parameters.len(), "parameter")
            )),
            Basis::NoEffect
            | Basis::BreakAway
            | Basis::NearlyExact
            | Basis::Rows { .. }
            | Basis::Throws(_) => None,
        }
    }

    /// Why nothing follows from the noise of the rows.
    pub(super) fn not_from_rows(&self, why: NotFromRows) -> String {
        match why {
            NotFromRows::Windows => "windows of one throw share rows".to_owned(),
            NotFromRows::Many => "there are too many rows to measure them all anew".to_owned(),
            NotFromRows::MoreThanNoise => {
                "more is left of their rows than white noise and the error of the starts".to_owned()
            }
            NotFromRows::NotLinear(parameter) => format!(
                "as far as the noise of the rows leaves {} open, predictions jump or bend with it",
                self.parameters[parameter].key
            ),
        }
    }
}

/// What tests of break-away say about the friction of that `key`; `number` is that of a throw in the recording.
fn broken_away(key: &str, found: BreakAway, number: impl Fn(usize) -> f64) -> String {
    let of = |throw: usize| shortest(number(throw));
    let apart = match found {
        BreakAway::Both { held, slipped } => (held.value - slipped.value).abs(),
        BreakAway::Held(load) | BreakAway::Slipped(load) => load.value,
    };
    let text = |value: f64| shortest(rounded_beside(value, 4, apart));
    match found {
        BreakAway::Both { held, slipped } if found.is_contradictory() => format!(
            "Throw {} held as if {key} were {} at least, and throw {} slipped as if it were {} at most: friction at rest differed from test to test.",
            of(held.throw),
            text(held.value),
            of(slipped.throw),
            text(slipped.value)
        ),
        BreakAway::Both { held, slipped } => format!(
            "{key} is between {} (throw {} held) and {} (throw {} slipped). Predictions are the same in between: this is no interval of confidence, and loads in between make it narrower.",
            text(held.value),
            of(held.throw),
            text(slipped.value),
            of(slipped.throw)
        ),
        BreakAway::Held(held) => format!(
            "{key} is at least {} (throw {} held). What slips, at rest under a larger load, says what it is at most.",
            text(held.value),
            of(held.throw)
        ),
        BreakAway::Slipped(slipped) => format!(
            "{key} is at most {} (throw {} slipped). What holds, at rest under a smaller load, says what it is at least.",
            text(slipped.value),
            of(slipped.throw)
        ),
    }
}

/// How many times a Stribeck velocity the slowest throw may start at, to say something of the slips about it.
const SLOW: f64 = 2.0;

/// What is to be said of a Stribeck velocity where no throw starts near it; `slowest` is the least speed along the ground at a
/// start, in m/s.
///
/// A slide that starts fast passes the slips in which friction falls in a few rows: from one of 1 m/s, at 100 Hz and 1 mm, a
/// velocity of 0.1 m/s is known to its own size, from five of 0.1 to 2 m/s to a tenth.
fn passed_by(key: &str, value: f64, slowest: f64) -> Option<String> {
    let is_stribeck = key.rsplit('.').next() == Some("stribeck_velocity");
    (is_stribeck && value > 0.0 && slowest.is_finite() && slowest > SLOW * value).then(|| {
        format!(
            "No throw starts slower than {} m/s: all of them pass the slips about {key}, in which friction falls, in a few rows, \
             which hardly tell that from the friction at rest. Throws that start below twice its value, {} m/s, do; and \
             what breaks away, on a slope or under a push, tells the friction at rest.",
            rounded_text(slowest, 3),
            rounded_text(SLOW * value, 3)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::passed_by;

    #[test]
    fn a_stribeck_velocity_that_all_throws_pass_fast_is_doubted() {
        let said = passed_by("ground.stribeck_velocity", 0.1, 0.9).expect("all are fast");
        assert!(said.contains("0.9 m/s") && said.contains("0.2 m/s"), "{said}");
        assert_eq!(passed_by("ground.stribeck_velocity", 0.1, 0.15), None, "one is slow enough");
        assert_eq!(passed_by("wall.0.stribeck_velocity", 0.0, 0.9), None, "friction jumps");
        assert_eq!(passed_by("ground.friction", 0.1, 0.9), None);
    }
}
