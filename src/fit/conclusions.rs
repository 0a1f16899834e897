//! What follows from a fit, in sentences: the same for who reads the table and for who reads `result.json`.

use super::{Basis, FitOutcome, FitTask, NotFromRows};
use crate::{
    decimal::{rounded_beside, rounded_text, shortest},
    wording::counted,
};

impl FitOutcome {
    /// What is not determined and why, which best values are to be read with care, and what the intervals come from.
    pub fn conclusions<const D: usize>(&self, task: &FitTask<D>) -> Vec<String> {
        self.conclusions_of(task.recording.tosses.len())
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
            Basis::None | Basis::NoEffect => None,
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
            Basis::None => Some("it was not asked for".to_owned()),
            Basis::TooFew(why) => Some(format!(
                "{}, and those from how throws differ take more throws than parameters, not {} for {}",
                self.not_from_rows(why),
                counted(tosses, "throw"),
                counted(self.parameters.len(), "parameter")
            )),
            Basis::NoEffect | Basis::NearlyExact | Basis::Rows { .. } | Basis::Throws(_) => None,
        }
    }

    /// Why nothing follows from the noise of the rows.
    pub(super) fn not_from_rows(&self, why: NotFromRows) -> String {
        match why {
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
