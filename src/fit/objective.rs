use rayon::prelude::*;

use super::{FitParameter, GROUND_HEIGHT, ParameterError};
use crate::{
    likelihood::{Interrupted, Loss},
    predict::{Prediction, Predictor, Recording, Start},
    scenario::{AnyScenario, Override, Scenario, ScenarioError, parse_scenario},
    stepper::{BuildStepper, Refusal, StepperName},
    watch::Watch,
};

/// Why something cannot be fitted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FitError {
    /// A parameter cannot be.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A parameter is no key of the scenario, or may not have what is to be searched.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The stepper does not admit the scenario.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// What is to be fitted, to what, and by which model.
#[derive(Debug, Clone)]
pub struct FitTask<const D: usize> {
    /// The text of the scenario.
    pub text: String,
    /// The recording, in whose coordinates the ground has the height 0 if it is not fitted.
    pub recording: Recording<D>,
    /// Where tosses start.
    pub start: Start,
    /// Who predicts.
    pub stepper: StepperName,
    /// The parameters.
    pub parameters: Vec<FitParameter>,
    /// The size of the body in m that errors are measured in, whatever size is fitted.
    pub size: f64,
}

impl<const D: usize> FitTask<D> {
    /// The scenario with these values of the parameters.
    ///
    /// # Errors
    /// [`ScenarioError`] with all that is wrong with them.
    pub fn scenario(&self, values: &[f64]) -> Result<AnyScenario, ScenarioError> {
        let settings = self.parameters.iter().zip(values).filter(|(one, _)| one.key != GROUND_HEIGHT);
        let overrides = settings.map(|(parameter, value)| {
            let setting = format!("{}={}", parameter.key, parameter.setting(*value));
            Override::parse(&setting)
        });
        // What is no key at all is told by the scenario, in which it has no place.
        let overrides: Vec<Override> = overrides.filter_map(Result::ok).collect();
        parse_scenario("the scenario", &self.text, &overrides)
    }

    /// The height of the ground with these values of the parameters.
    fn ground_height(&self, values: &[f64]) -> f64 {
        let place = self.parameters.iter().position(|parameter| parameter.key == GROUND_HEIGHT);
        place.map_or(0.0, |place| values[place])
    }
}

impl<const D: usize> FitTask<D>
where
    Scenario<D>: BuildStepper<D> + TryFrom<AnyScenario>,
{
    /// For `parameters` of `scenario`, as [`FitParameter::parse`] reads them, and what `predictor` predicts.
    ///
    /// # Errors
    /// [`FitError`], before anything runs.
    pub fn new(
        scenario: &AnyScenario,
        predictor: &Predictor<D>,
        stepper: StepperName,
        parameters: &[String],
    ) -> Result<Self, FitError> {
        predictor.scenario().stepper(stepper)?;
        let mut parsed: Vec<FitParameter> = Vec::with_capacity(parameters.len());
        for text in parameters {
            let parameter = FitParameter::parse(text, scenario, predictor.moving(), predictor.size())?;
            if parsed.iter().any(|other| other.key == parameter.key) {
                return Err(FitError::Parameter(ParameterError {
                    key: parameter.key,
                    message: "it is given twice".to_owned(),
                    help: "name every parameter once".to_owned(),
                }));
            }
            parsed.push(parameter);
        }
        let task = Self {
            text: scenario.to_toml(),
            recording: predictor.recording().clone(),
            start: predictor.start(),
            stepper,
            parameters: parsed,
            size: predictor.size(),
        };
        let given: Vec<f64> = task.parameters.iter().map(|parameter| parameter.value).collect();
        task.scenario(&given)?;
        for (place, parameter) in task.parameters.iter().enumerate() {
            for end in parameter.range {
                let mut values = given.clone();
                values[place] = end;
                task.scenario(&values)?;
            }
        }
        Ok(task)
    }

    /// The predictions of all tosses with these values of the parameters; `None` where these make no sense.
    ///
    /// # Errors
    /// [`Interrupted`] if `watch` said to stop.
    pub fn predictions(
        &self,
        values: &[f64],
        watch: &Watch<'_>,
    ) -> Result<Option<(Predictor<D>, Vec<Prediction<D>>)>, Interrupted> {
        let scenario = self.scenario(values).ok().and_then(|any| Scenario::<D>::try_from(any).ok());
        let Some(scenario) = scenario else { return Ok(None) };
        let recording = self.recording.with_ground_at(self.ground_height(values));
        let predictor = Predictor::new(&scenario, recording, self.start);
        let Ok(predictor) = predictor.map(|predictor| predictor.in_units_of(self.size)) else {
            return Ok(None);
        };
        let Ok(flight) = predictor.flight(self.stepper) else { return Ok(None) };
        let tosses = self.recording.tosses.len();
        let found: Vec<_> = (0..tosses)
            .into_par_iter()
            .map(|toss| predictor.toss(toss, self.stepper, &flight, watch))
            .collect();
        let mut predictions = Vec::with_capacity(tosses);
        for prediction in found {
            match prediction {
                Ok(Some(prediction)) => predictions.push(prediction),
                Ok(None) => return Err(Interrupted),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some((predictor, predictions)))
    }

    /// The losses of the tosses, for a search that `watch` follows.
    pub fn loss<'a>(&'a self, watch: &'a Watch<'_>) -> impl Loss + 'a {
        move |values: &[f64]| -> Result<Vec<f64>, Interrupted> {
            let found = self.predictions(values, watch)?;
            let turns = self.turns();
            Ok(match found {
                None => vec![f64::INFINITY; self.recording.tosses.len()],
                Some((_, predictions)) => {
                    predictions.iter().map(|prediction| loss(prediction, turns)).collect()
                }
            })
        }
    }

    /// Whether the body has an orientation.
    pub fn turns(&self) -> bool {
        let states = self.recording.tosses.iter().flat_map(|toss| &toss.states);
        states.clone().next().is_some_and(|state| state.attitude.is_some())
    }
}

/// Position error in per cent and rotation error in degrees, added; of a point the distance in m. A toss that
/// did not come to its end rules the parameters out.
fn loss<const D: usize>(prediction: &Prediction<D>, turns: bool) -> f64 {
    match prediction.error {
        None => f64::INFINITY,
        Some(error) if turns => 100.0 * error.position + error.rotation,
        Some(error) => error.position,
    }
}
