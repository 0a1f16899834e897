//! What a sweep consists of, and what each of its runs is.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};
use toml::Table;

use super::{design::Design, sample::Sample};
use crate::{
    scenario::{AnyScenario, InvalidScenario, Override, Place, Problem, ScenarioError, ScenarioText},
    stepper::StepperName,
};

/// Many runs of one scenario, with some of its keys varied.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// Name, `[a-z0-9-]+`; names the output folder.
    pub name: String,
    /// The scenario that is varied.
    pub base: Base,
    /// The steppers that run every variation.
    pub steppers: Vec<StepperName>,
    /// Keys of which every combination of values is run; the last one varies fastest.
    pub grid: Vec<Axis>,
    /// Keys that are sampled, for every combination of the grid.
    pub sample: Option<Sample>,
    /// The metrics that are kept, by the names of `summary.json`.
    pub metrics: Vec<String>,
    /// Curves to be drawn over the maps of two keys; no run depends on them.
    pub borders: Vec<Border>,
    design: Design,
}

/// A scenario as text, which is read once however often it is varied.
#[derive(Debug, Clone)]
pub struct Base(Arc<ScenarioText>);

impl Base {
    /// Reads `text`; `path` is its path or other name, for messages.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self(Arc::new(ScenarioText::read(path, text)))
    }

    /// Path or other name of the text, for messages.
    pub fn path(&self) -> &str {
        self.0.name()
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The scenario with `settings`, pairs of a key and a value in TOML.
    ///
    /// # Errors
    /// [`ScenarioError::Invalid`] with all the problems.
    pub fn with(&self, settings: &[(String, String)]) -> Result<AnyScenario, ScenarioError> {
        let (mut overrides, mut problems) = (Vec::with_capacity(settings.len()), Vec::new());
        for (key, value) in settings {
            let argument = format!("{key}={value}");
            match Override::parse(&argument) {
                Ok(setting) => overrides.push(setting),
                Err(error) => problems.push(Problem {
                    place: Place::Override(argument),
                    key: Some(key.clone()),
                    message: error.to_string(),
                    help: "keys and values are written as for --set".to_owned(),
                }),
            }
        }
        if problems.is_empty() {
            return self.0.with(&overrides);
        }
        let (path, text) = (self.path().to_owned(), self.text().to_owned());
        Err(InvalidScenario { path, text, problems }.into())
    }

    /// What the text says, whatever its comments, its spaces and the order of its keys.
    pub(super) fn keys_and_values(&self) -> String {
        self.text().parse::<Table>().map_or_else(|_| self.text().to_owned(), |table| format!("{table:?}"))
    }

    /// The scenarios that depend on files, with what the files hold: the base by itself, and with each value of the `grid`
    /// that names a file. One that is not valid holds nothing.
    pub(super) fn resolved(&self, grid: &[Axis]) -> impl Iterator<Item = String> {
        let of_axis = |axis: &Axis| -> Vec<Vec<(String, String)>> {
            let values =
                axis.values.iter().filter(|value| axis.key.contains("file") || value.contains("file"));
            values.map(|value| vec![(axis.key.clone(), value.clone())]).collect()
        };
        let settings = std::iter::once(Vec::new()).chain(grid.iter().flat_map(of_axis));
        settings.map(|settings| self.with(&settings).map(|scenario| scenario.to_toml()).unwrap_or_default())
    }
}

/// A key and the values that it takes in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Full key of the scenario, as `--set` takes it.
    pub key: String,
    /// Values in TOML, at least one.
    pub values: Vec<String>,
}

/// A curve in the plane of two keys, to be drawn over their maps: a border that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// What the legend says.
    pub label: String,
    /// The two keys.
    pub keys: [String; 2],
    /// Pairs of their values.
    pub points: Vec<[f64; 2]>,
}

/// One run of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub number: u64,
    /// The stepper.
    pub stepper: StepperName,
    /// The swept keys with their values in TOML, those of the grid first.
    pub settings: Vec<(String, String)>,
}

impl Sweep {
    /// Most runs of a sweep.
    pub const MAX_RUNS: u64 = 1_000_000_000;

    /// A sweep of these parts; `None` if it has no run, or more than [`Sweep::MAX_RUNS`].
    pub fn new(
        name: String,
        base: Base,
        steppers: Vec<StepperName>,
        grid: Vec<Axis>,
        sample: Option<Sample>,
        metrics: Vec<String>,
    ) -> Option<Self> {
        let count = sample.as_ref().map_or(1, |sample| sample.count);
        let runs = grid
            .iter()
            .map(|axis| axis.values.len())
            .chain([count, steppers.len()])
            .try_fold(1u64, |product, count| product.checked_mul(count as u64))?;
        if runs == 0 || runs > Self::MAX_RUNS {
            return None;
        }
        let design = Design::new(sample.as_ref());
        Some(Self { name, base, steppers, grid, sample, metrics, borders: Vec::new(), design })
    }

    /// The same with curves to be drawn over its maps.
    #[must_use]
    pub fn with_borders(self, borders: Vec<Border>) -> Self {
        Self { borders, ..self }
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        let grid: u64 = self.grid.iter().map(|axis| axis.values.len() as u64).product();
        grid * self.sample.as_ref().map_or(1, |sample| sample.count as u64) * self.steppers.len() as u64
    }

    /// The swept keys, those of the grid first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let sampled = self.sample.iter().flat_map(|sample| &sample.ranges);
        self.grid.iter().map(|axis| axis.key.as_str()).chain(sampled.map(|range| range.key.as_str()))
    }

    /// The run of this number, which is below [`Sweep::runs`].
    ///
    /// The number is read as one of mixed radix: the stepper is the last digit, then the point of
    /// the sample, then the keys of the grid from the last to the first.
    pub fn run(&self, number: u64) -> Run {
        let mut rest = number;
        let mut digit = |base: usize| {
            let digit = rest % base as u64;
            rest /= base as u64;
            digit as usize
        };
        let stepper = self.steppers[digit(self.steppers.len())];
        let point = digit(self.sample.as_ref().map_or(1, |sample| sample.count));
        let mut settings: Vec<(String, String)> = self
            .grid
            .iter()
            .rev()
            .map(|axis| (axis.key.clone(), axis.values[digit(axis.values.len())].clone()))
            .collect();
        settings.reverse();
        if let Some(sample) = &self.sample {
            let shares = sample.ranges.iter().zip(self.design.point(point));
            settings.extend(shares.map(|(range, u)| (range.key.clone(), range.value(u))));
        }
        Run { number, stepper, settings }
    }
}

/// A share of the runs of a sweep: one of every `count` runs in a row, at a place that wanders from block to block.
///
/// Were the place always the same, what comes around with a period that has a factor in common with `count`, as the steppers
/// do, would go to some of the shares only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 0.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// All the runs.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The numbers of its runs among `runs`, in order.
    pub fn numbers(self, runs: u64) -> impl Iterator<Item = u64> {
        let blocks = runs.div_ceil(self.count);
        (0..blocks).map(move |block| self.number_in(block)).filter(move |number| *number < runs)
    }

    /// How many of `runs` runs are its own.
    pub fn size(self, runs: u64) -> u64 {
        let whole_blocks = runs / self.count;
        whole_blocks + u64::from(self.number_in(whole_blocks) < runs)
    }

    /// Its number among the `count` ones from `block * count` on.
    fn number_in(self, block: u64) -> u64 {
        // Multiples of the golden section, here of 2^64, are spread evenly over an interval, whatever period is picked out.
        let turn = (u128::from(block.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * u128::from(self.count)) >> 64;
        let place = (u128::from(self.index) + turn) % u128::from(self.count);
        (block * self.count).saturating_add(place as u64)
    }

    /// The name in file names, `0-of-4`.
    pub fn label(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no shard; write I/N with 0 <= I < N, for example 0/4 (the first of four)")]
pub struct ShardError {
    given: String,
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        text.split_once('/')
            .and_then(|(index, count)| {
                Some(Self { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? })
            })
            .filter(|shard| shard.index < shard.count)
            .ok_or_else(|| ShardError { given: text.chars().take(60).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_of_one_share() {
        for count in [1, 2, 3, 4, 7, 8, 100, 1000] {
            for runs in [1, 2, 7, 60, 128, 1000, 1001] {
                let mut owners = vec![0; runs as usize];
                for index in 0..count {
                    let shard = Shard { index, count };
                    let numbers: Vec<u64> = shard.numbers(runs).collect();
                    assert!(numbers.is_sorted() && numbers.len() as u64 == shard.size(runs), "{shard}");
                    assert!(numbers.len() as u64 <= runs.div_ceil(count), "{shard} of {runs}");
                    numbers.iter().for_each(|&number| owners[number as usize] += 1);
                }
                assert!(owners.iter().all(|&owners| owners == 1), "{runs} runs in {count} shares");
            }
        }
        assert_eq!(Shard { index: 5, count: u64::MAX }.numbers(60).collect::<Vec<_>>(), [5]);
    }

    /// What comes around with a period, steppers above all, is in every share alike.
    #[test]
    fn no_share_has_all_the_work() {
        const BLOCKS: u64 = 240;
        for count in 2..=12 {
            for period in 1..=4 {
                for index in 0..count {
                    let mut found = vec![0; period as usize];
                    let shard = Shard { index, count };
                    shard.numbers(BLOCKS * count).for_each(|number| found[(number % period) as usize] += 1);
                    let mean = BLOCKS as f64 / period as f64;
                    let most = found.iter().map(|&found| (f64::from(found) - mean).abs()).fold(0.0, f64::max);
                    assert!(most <= 0.25 * mean, "{shard} with a period of {period}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn settings_of_which_one_cannot_be_read_are_refused() {
        let base = Base::new(
            "a.toml",
            "name = 'a'\nduration = 0.1\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
             velocity = [1.0, 0.0]\n[ground]\nfriction = 0.1\n",
        );
        let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert!(base.with(&[setting("step", "1e-3")]).is_ok());
        let outcome = base.with(&[setting("step", "1e-3"), setting("ground.friction", "[0.1")]);
        let Err(ScenarioError::Invalid(invalid)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(invalid.problems.len(), 1);
        assert_eq!(invalid.problems[0].place, Place::Override("ground.friction=[0.1".to_owned()));
    }
}
