use super::{Experiment, Observed, Trial};
use crate::{
    plot::{self, Figure},
    scenario::{Scenario, StepperSettings},
    simulate::{OnFailure, simulate, simulate_observed},
    stepper::{BuildStepper, Refusal, StepperName},
    trajectory::Ending,
    watch::Watch,
};

/// What became of a trial.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A value; not a number where what is to be measured did not happen.
    Measured(f64),
    /// A step failed.
    Failed {
        /// When in s, and why.
        reason: String,
    },
    /// The stepper does not admit a scenario of the trial.
    Refused {
        /// Why.
        reason: String,
    },
}

impl Trial {
    /// Runs the trial with `stepper` in steps of `step` s; `adjust` changes the settings first.
    ///
    /// `None` where `watch` said to stop.
    pub fn run(
        &self,
        stepper: StepperName,
        step: f64,
        adjust: Option<fn(&mut StepperSettings)>,
        watch: &Watch<'_>,
    ) -> Option<Outcome> {
        match self {
            Self::Plane(experiment) => experiment.run(stepper, step, adjust, watch),
            Self::Space(experiment) => experiment.run(stepper, step, adjust, watch),
        }
    }
}

impl Trial {
    /// The last scene of the trial as it moves by `stepper` in steps of `step` s; `None` if that does not admit it.
    pub fn picture(&self, stepper: StepperName, step: f64) -> Option<Figure> {
        match self {
            Self::Plane(experiment) => experiment.picture(stepper, step),
            Self::Space(experiment) => experiment.picture(stepper, step),
        }
    }
}

impl<const D: usize> Experiment<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// The scenarios in steps of `step` s.
    pub fn scenarios(&self, step: f64) -> Vec<Scenario<D>> {
        (self.scenes)().into_iter().map(|scene| Scenario { step, ..scene }).collect()
    }

    fn picture(&self, stepper: StepperName, step: f64) -> Option<Figure> {
        let scenario = self.scenarios(step).pop()?;
        let trajectory = simulate(&scenario, scenario.stepper(stepper).ok()?.as_mut());
        Some(plot::path(&trajectory))
    }

    fn run(
        &self,
        stepper: StepperName,
        step: f64,
        adjust: Option<fn(&mut StepperSettings)>,
        watch: &Watch<'_>,
    ) -> Option<Outcome> {
        let mut observed = Vec::new();
        for mut scenario in self.scenarios(step) {
            if let Some(adjust) = adjust {
                adjust(&mut scenario.steppers);
            }
            match observe(&scenario, stepper, watch) {
                Ok(motion) => observed.push(motion?),
                Err(outcome) => return Some(outcome),
            }
        }
        Some(Outcome::Measured((self.measure)(&observed)))
    }
}

/// Simulates one scenario; `None` where `watch` said to stop.
fn observe<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    watch: &Watch<'_>,
) -> Result<Option<Observed<D>>, Outcome>
where
    Scenario<D>: BuildStepper<D>,
{
    let refused = |Refusal { reason, remedy, .. }| Outcome::Refused { reason: format!("{reason}; {remedy}") };
    let mut stepper = scenario.stepper(stepper).map_err(refused)?;
    let trajectory = simulate_observed(scenario, stepper.as_mut(), OnFailure::Stop, |_| watch.advance(1));
    match (&trajectory.ending, &trajectory.first_failure) {
        (Ending::Complete, _) => Ok(Some(trajectory.into())),
        (Ending::Failed, Some(failure)) => {
            Err(Outcome::Failed { reason: format!("at t = {:.4} s {}", failure.time, failure.error) })
        }
        _ => Ok(None),
    }
}

/// The exact motion of a scenario in steps of 0.1 ms, where there is one.
pub(super) fn motion_of_one(scenario: &Scenario<2>) -> Option<Observed<2>> {
    let scenario = Scenario { step: 1e-4, ..scenario.clone() };
    observe(&scenario, StepperName::EXACT, &Watch::none()).ok().flatten()
}
