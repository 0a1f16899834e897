//! What a sweep asks for, held against its scenario.

use super::{Draft, Reader};
use crate::{
    scenario::{
        AnyScenario, ScenarioError,
        read::{Source, closest},
    },
    sweep::{measure::metric_names, plan::Base},
};

/// Values of a range in the grid that are held against the rules at most: all of so many, else the ends and some between.
const MOST_OF_RANGE: usize = 1000;

impl Reader<'_> {
    /// Holds every value that is written in the grid, those of its ranges as far as there are not too many, and both ends
    /// of every range of a sample against the rules of the scenario, each alone; combinations that are not valid become
    /// rows of the table.
    pub(super) fn try_values(&mut self, base: &Base, draft: &Draft) {
        let mut attempts: Vec<(&str, String, &Source)> = Vec::new();
        for (axis, sources) in &draft.grid {
            let at = |place: usize| &sources[place.min(sources.len() - 1)];
            let last = axis.values.len().saturating_sub(1);
            // A range is written in one place, a list has one for each value.
            let places: Vec<usize> = match sources.len() {
                1 if last >= MOST_OF_RANGE => {
                    (0..MOST_OF_RANGE).map(|part| part * last / (MOST_OF_RANGE - 1)).collect()
                }
                _ => (0..axis.values.len()).collect(),
            };
            attempts
                .extend(places.into_iter().map(|place| (&*axis.key, axis.values[place].clone(), at(place))));
        }
        for (range, source) in
            draft.sample.iter().flat_map(|(sample, sources)| sample.ranges.iter().zip(sources))
        {
            attempts.push((&range.key, range.value(0.0), source));
            attempts.push((&range.key, range.value(1.0 - f64::EPSILON), source));
        }
        let swept: Vec<String> = attempts.iter().map(|(key, ..)| (*key).to_owned()).collect();
        for (key, value, source) in attempts {
            let argument = format!("{key}={value}");
            let outcome = match base.with(&[(key.to_owned(), value)]) {
                Ok(_) => Ok(()),
                Err(ScenarioError::Invalid(invalid)) => Err(invalid.problems.first().map_or_else(
                    || ("it is not valid".to_owned(), String::new()),
                    |problem| (problem.message.clone(), problem.help.clone()),
                )),
                Err(error) => Err((error.to_string(), String::new())),
            };
            // What depends on another number that is swept, too, is judged in each run.
            let is_of_several = |message: &str| {
                swept.iter().any(|other| other != key && message.contains(&format!("`{other}`")))
            };
            if let Err((message, help)) = outcome
                && !is_of_several(&message)
            {
                let help = if help.is_empty() { "change the value or the key".to_owned() } else { help };
                self.fault(
                    source,
                    key,
                    format!("{argument} does not fit `{}`: {message}", base.path()),
                    help,
                );
            }
        }
    }

    /// The metrics that are kept: those named, or all that the steppers give.
    pub(super) fn metrics(&mut self, scenario: &AnyScenario, draft: &Draft) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for stepper in &draft.steppers {
            for name in metric_names(scenario, *stepper) {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        let Some(chosen) = &draft.metrics else { return known };
        let mut names: Vec<String> = Vec::new();
        for (name, source) in chosen {
            if names.contains(name) {
                self.fault(source, "metrics", format!("`{name}` is named twice"), "name it once");
            } else if !known.contains(name) {
                let list = known.join(", ");
                let help = match closest(name, known.iter().map(String::as_str)) {
                    Some(close) => format!("did you mean `{close}`? (there are {list})"),
                    None => format!("there are {list}"),
                };
                let message = format!("no stepper of the sweep gives the metric `{}`", name.escape_default());
                self.fault(source, "metrics", message, help);
            } else {
                names.push(name.clone());
            }
        }
        names
    }
}
