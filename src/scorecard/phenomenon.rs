use super::{Observed, Thresholds};
use crate::{
    scenario::{Scenario, StepperSettings},
    stepper::StepperName,
};

/// A thing that happens where bodies touch, with what is true of it.
#[derive(Debug, Clone)]
pub struct Phenomenon {
    /// What commands and files call it.
    pub name: &'static str,
    /// What kind of thing it is.
    pub group: Group,
    /// A few words, for headings.
    pub title: &'static str,
    /// What is to be seen, and what makes it hard.
    pub happens: &'static str,
    /// The truth as a formula, with the numbers of the scenario.
    pub formula: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What is measured.
    pub measure: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its true value.
    pub truth: f64,
    /// When a value is right, off, wrong.
    pub thresholds: Thresholds,
    /// Why models that are not right are not.
    pub remarks: &'static [Remark],
    /// A model or a setting that fails.
    pub failing: Failing,
    /// What is run.
    pub trial: Trial,
}

/// Kinds of phenomena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Friction of what does not turn.
    Sliding,
    /// Discs and spheres.
    Rolling,
    /// Boxes and rods that fall over.
    Tipping,
    /// Impacts and rebounds.
    Impact,
    /// What joints hold together.
    Mechanism,
    /// What stands, leans and is held.
    Standing,
    /// What a simulation must not make up.
    Artefact,
}

impl Group {
    /// Every group, in order.
    pub const ALL: [Self; 7] = [
        Self::Sliding,
        Self::Rolling,
        Self::Tipping,
        Self::Impact,
        Self::Mechanism,
        Self::Standing,
        Self::Artefact,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sliding => "Sliding and sticking",
            Self::Rolling => "Rolling and spinning",
            Self::Tipping => "Tipping and falling over",
            Self::Impact => "Impacts",
            Self::Mechanism => "Joints and mechanisms",
            Self::Standing => "Standing and holding",
            Self::Artefact => "What must not happen",
        }
    }
}

/// Why some steppers are not right here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remark {
    /// Which.
    pub steppers: &'static [StepperName],
    /// Why, in a sentence.
    pub why: &'static str,
}

/// A model or a setting that does not pass, so that the thresholds are known to be able to fail.
#[derive(Debug, Clone, Copy)]
pub struct Failing {
    /// Which stepper.
    pub stepper: StepperName,
    /// At which step in s.
    pub step: f64,
    /// With which settings; those of the scenario if absent.
    pub settings: Option<Adjustment>,
    /// Why it does not pass, in a sentence.
    pub why: &'static str,
}

/// Settings that are changed.
#[derive(Debug, Clone, Copy)]
pub struct Adjustment {
    /// As one writes them with `--set`.
    pub text: &'static str,
    /// Changes them.
    pub apply: fn(&mut StepperSettings),
}

/// What is run and how it is measured, in the plane or in space.
#[derive(Debug, Clone, Copy)]
pub enum Trial {
    /// In a vertical plane.
    Plane(Experiment<2>),
    /// In space.
    Space(Experiment<3>),
}

/// One scenario or a family of them, and a number that is read off the motions.
#[derive(Debug, Clone, Copy)]
pub struct Experiment<const D: usize> {
    /// The scenarios, whatever their steps.
    pub scenes: fn() -> Vec<Scenario<D>>,
    /// The number; not a number where what is to be measured does not happen.
    pub measure: fn(&[Observed<D>]) -> f64,
}

impl Trial {
    /// Steps in all with steps of `step` s.
    pub fn steps(&self, step: f64) -> usize {
        fn count<const D: usize>(scenes: Vec<Scenario<D>>, step: f64) -> usize {
            scenes.into_iter().map(|scene| Scenario { step, ..scene }.time().steps).sum()
        }
        match self {
            Self::Plane(experiment) => count((experiment.scenes)(), step),
            Self::Space(experiment) => count((experiment.scenes)(), step),
        }
    }
}
