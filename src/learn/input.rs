//! What an experiment is asked to do: data and settings, all checked before anything runs.

use std::ops::ControlFlow;

use nalgebra::DVector;
use serde_json::{Map, Value};

use super::{
    data::{
        BlockGenerator, BlockSample, InvalidData, PointGenerator, Random, Selection, evenly_measured,
        read_block_csv,
    },
    findings::Findings,
    least_squares::{Minimum, Residuals, Settings, minimise_watched},
    options::{OptionFault, Options, Range},
};
use crate::{
    decimal::rounded_text,
    likelihood::Interrupted,
    nlp::SolveStatus,
    plot::Figure,
    predict::{Recording, read_recording},
};

/// Most samples that any experiment takes; some take fewer.
pub const MOST_SAMPLES: usize = 1_000_000;

/// Most states of a point that are generated, in all throws together.
const MOST_STATES: f64 = 2e7;

/// A data file, read but not yet understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Its name, for messages.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Input that an experiment cannot work with.
#[derive(Debug, Clone, thiserror::Error)]
pub enum InputError {
    /// Settings that do not exist or have values that are not allowed.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<OptionFault>),
    /// A data file that cannot be used.
    #[error(transparent)]
    Data(#[from] InvalidData),
    /// Too few or too many samples.
    #[error("{given} samples are {}, {experiment} takes {least} to {most}", if given < least { "too few" } else { "too many" })]
    Samples {
        /// The experiment.
        experiment: &'static str,
        /// Number of samples asked for or given.
        given: usize,
        /// The least that it takes.
        least: usize,
        /// The most that it takes.
        most: usize,
    },
    /// The number of samples was given for data that have their own.
    #[error(
        "the data file says how many samples there are, {given} were asked for; leave out one of the two"
    )]
    SamplesOfFile {
        /// Number of samples asked for.
        given: usize,
    },
    /// The experiment learns from known forces, which the data lack.
    #[error(
        "{experiment} learns from known forces, but the data have no columns lambda_plus, lambda_minus, gamma"
    )]
    ForcesMissing {
        /// The experiment.
        experiment: &'static str,
    },
    /// The data have no contact flags, which the settings ask for.
    #[error(
        "the data have no column `contact`; add it, or let them be found from the heights with contacts=height"
    )]
    FlagsMissing,
    /// Data or numbers that the experiment cannot work with, in words.
    #[error("{0}")]
    Unsuited(String),
}

/// An experiment that did not come to a result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LearnError {
    /// A linear program was not solved.
    #[error("the linear program of {what} was not solved: {reason}")]
    LinearProgram {
        /// What it was to find.
        what: String,
        /// The solver's word.
        reason: String,
    },
    /// A quadratic program was not solved.
    #[error("the inner quadratic program at mu = {} was not solved: {reason}", rounded_text(*friction, 4))]
    QuadraticProgram {
        /// Friction at which.
        friction: f64,
        /// The solver's word.
        reason: String,
    },
    /// A nonlinear program was not solved.
    #[error("the nonlinear program at relaxation tau = {relaxation:e} was not solved: {status}")]
    NonlinearProgram {
        /// Relaxation of the complementarity at which.
        relaxation: f64,
        /// How the solve ended.
        status: SolveStatus,
    },
    /// The nonlinear solver could not be set up.
    #[cfg(feature = "ipopt")]
    #[error(transparent)]
    Ipopt(#[from] crate::nlp::IpoptError),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for LearnError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// Told the share of the work that is done, 0 to 1; says whether to go on.
pub type Progress<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// Pictures, each with the name of its file.
pub type Figures = Vec<(&'static str, Figure)>;

/// Reports progress.
///
/// # Errors
/// [`LearnError::Interrupted`] if the answer is to stop.
pub(super) fn report(progress: &mut Progress<'_>, share: f64) -> Result<(), LearnError> {
    if progress(share).is_break() { Err(LearnError::Interrupted) } else { Ok(()) }
}

/// Minimises, and reports that the `share` is done before every evaluation.
///
/// # Errors
/// [`LearnError::Interrupted`] if the answer is to stop.
pub(super) fn minimise_reporting(
    problem: &impl Residuals,
    start: DVector<f64>,
    settings: &Settings,
    share: f64,
    progress: &mut Progress<'_>,
) -> Result<Minimum, LearnError> {
    match minimise_watched(problem, start, settings, &mut || progress(share)) {
        (minimum, ControlFlow::Continue(())) => Ok(minimum),
        (_, ControlFlow::Break(())) => Err(LearnError::Interrupted),
    }
}

/// An experiment with its data and settings, ready to run.
pub trait Run {
    /// Learns.
    ///
    /// # Errors
    /// [`LearnError`] where a solver failed, or progress was told to stop.
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError>;

    /// Pictures of what was found; made when they are wanted, and not before.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`] if progress was told to stop; [`LearnError::QuadraticProgram`] where
    /// a picture needs one that is not solved.
    fn figures(&self, _: &Findings, _: &mut Progress<'_>) -> Result<Figures, LearnError> {
        Ok(Figures::new())
    }
}

/// Steps of a block, and the truth behind them where it is known.
#[derive(Debug, Clone)]
pub struct BlockData {
    /// The steps.
    pub samples: Vec<BlockSample>,
    /// What made them; `None` for data from a file.
    pub generator: Option<BlockGenerator>,
}

impl BlockData {
    /// `count` steps from `generator`.
    pub fn drawn(generator: BlockGenerator, count: usize, seed: u64) -> Self {
        Self { samples: generator.generate(count, seed), generator: Some(generator) }
    }

    /// Where the data are one step that was drawn, takes the step from the velocity under the push
    /// that `step` gives instead: a random one may stick and say nothing. The noise is drawn anew.
    pub(super) fn replace_single(&mut self, seed: u64, step: impl FnOnce() -> [f64; 2]) {
        if let (Some(generator), [sample]) = (self.generator, self.samples.as_mut_slice()) {
            let [velocity, push] = step();
            *sample = generator.step(velocity, push, 0.0, Random::seeded(seed).normal(generator.noise));
        }
    }

    /// The friction behind the data, where it is known.
    pub fn friction(&self) -> Option<f64> {
        self.generator.map(|generator| generator.friction)
    }
}

/// Throws of a point, and the truth behind them where it is known.
#[derive(Debug, Clone)]
pub struct PointData {
    /// The throws, the rows of each at equal intervals.
    pub recording: Recording<2>,
    /// What made them; `None` for data from a file.
    pub generator: Option<PointGenerator>,
}

/// How many and which data an experiment wants if nobody says otherwise.
pub(super) struct Wish {
    pub experiment: &'static str,
    pub samples: usize,
    pub least: usize,
    pub most: usize,
    pub needs_forces: bool,
    /// Why noise on the velocities after steps changes nothing that is learned, and what to do; `None` where it does.
    pub ignores_noise: Option<&'static str>,
}

/// Why noise changes nothing that is learned from the forces alone.
pub(super) const FROM_FORCES: &str =
    "it learns from v, u and the forces, which are generated without noise: leave it out";

/// Settings of generated data.
const BLOCK_GENERATOR: [&str; 4] = ["friction", "range", "selection", "noise"];
const POINT_GENERATOR: [&str; 6] =
    ["friction", "restitution", "step", "duration", "velocity_noise", "position_noise"];

/// The request, from which an experiment takes what it needs.
pub(super) struct Input {
    pub options: Options,
    pub seed: u64,
    file: Option<DataFile>,
    samples: Option<usize>,
}

impl Input {
    pub fn new(file: Option<DataFile>, samples: Option<usize>, seed: u64, arguments: &[String]) -> Self {
        Self { options: Options::new(arguments), seed, file, samples }
    }

    /// Steps of the block, from the file or generated.
    pub fn block(&mut self, wish: &Wish, defaults: BlockGenerator) -> Result<BlockData, InputError> {
        let data = match self.file.take() {
            Some(file) => {
                self.refuse_count()?;
                self.refuse_generator(&BLOCK_GENERATOR);
                BlockData { samples: read_block_csv(&file.name, &file.text)?, generator: None }
            }
            None => {
                let generator = self.block_generator(wish, defaults);
                let count = self.samples.unwrap_or(wish.samples);
                wish.check(count)?;
                BlockData::drawn(generator, count, self.seed)
            }
        };
        wish.check(data.samples.len())?;
        if wish.needs_forces && data.samples.iter().any(|sample| sample.lambda.is_none()) {
            return Err(InputError::ForcesMissing { experiment: wish.experiment });
        }
        Ok(data)
    }

    fn block_generator(&mut self, wish: &Wish, defaults: BlockGenerator) -> BlockGenerator {
        let mut selections = Selection::ALL.to_vec();
        selections.sort_by_key(|selection| *selection != defaults.selection);
        BlockGenerator {
            friction: self.options.number("friction", defaults.friction, Range::above(0.0, 1e6)),
            range: self.options.number("range", defaults.range, Range::above(0.0, 1e6)),
            selection: self.options.choice("selection", &selections, Selection::as_str),
            noise: match wish.ignores_noise {
                Some(reason) => {
                    self.options.lacks("noise", ", which would change nothing", reason);
                    0.0
                }
                None => self.options.number("noise", defaults.noise, Range::closed(0.0, 1e6)),
            },
        }
    }

    /// Throws of the point, from the file or generated, and gravity in m/s^2.
    pub fn point(&mut self, wish: &Wish, defaults: PointGenerator) -> Result<(PointData, f64), InputError> {
        let gravity = self.options.number("gravity", defaults.gravity, Range::above(0.0, 1e3));
        let data = match self.file.take() {
            Some(file) => {
                self.refuse_count()?;
                self.refuse_generator(&POINT_GENERATOR);
                let recording = evenly_measured(read_recording(&file.name, &file.text, false)?)?;
                PointData { recording, generator: None }
            }
            None => {
                let mut number = |key, default, range| self.options.number(key, default, range);
                let generator = PointGenerator {
                    gravity,
                    friction: number("friction", defaults.friction, Range::closed(0.0, 10.0)),
                    restitution: number("restitution", defaults.restitution, Range::closed(0.0, 1.0)),
                    step: number("step", defaults.step, Range::closed(1e-5, 0.1)),
                    duration: number("duration", defaults.duration, Range::above(0.0, 10.0)),
                    velocity_noise: number(
                        "velocity_noise",
                        defaults.velocity_noise,
                        Range::closed(0.0, 10.0),
                    ),
                    position_noise: number(
                        "position_noise",
                        defaults.position_noise,
                        Range::closed(0.0, 10.0),
                    ),
                };
                let count = self.samples.unwrap_or(wish.samples);
                wish.check(count)?;
                let states = count as f64 * (generator.duration / generator.step + 1.0);
                if states > MOST_STATES {
                    return Err(InputError::Unsuited(format!(
                        "{count} throws of {} s at intervals of {} s have {states:.1e} states, of which at most \
                         {MOST_STATES:e} are taken; ask for fewer throws, or a longer `step`",
                        generator.duration, generator.step
                    )));
                }
                PointData { recording: generator.generate(count, self.seed), generator: Some(generator) }
            }
        };
        wish.check(data.recording.tosses.len())?;
        Ok((data, gravity))
    }

    /// For experiments that make their own data: how many samples.
    pub fn count(&mut self, wish: &Wish) -> Result<usize, InputError> {
        if self.file.is_some() {
            return Err(InputError::Unsuited(format!(
                "{} makes its own data and takes no file; leave out --data",
                wish.experiment
            )));
        }
        let count = self.samples.unwrap_or(wish.samples);
        wish.check(count)?;
        Ok(count)
    }

    /// Whoever gives settings of generated data with a file is told so, unless the experiment asks for them itself.
    fn refuse_generator(&mut self, keys: &[&'static str]) {
        for key in keys {
            let help = "it is a setting of generated data: leave it out, or leave out --data";
            self.options.lacks(key, " where the data come from a file", help);
        }
    }

    fn refuse_count(&self) -> Result<(), InputError> {
        self.samples.map_or(Ok(()), |given| Err(InputError::SamplesOfFile { given }))
    }

    /// The settings in force, once the experiment has taken all that it knows.
    pub fn finish(self) -> Result<Map<String, Value>, InputError> {
        self.options.finish().map_err(InputError::Settings)
    }
}

impl Wish {
    fn check(&self, given: usize) -> Result<(), InputError> {
        if (self.least..=self.most).contains(&given) {
            return Ok(());
        }
        Err(InputError::Samples { experiment: self.experiment, given, least: self.least, most: self.most })
    }
}
