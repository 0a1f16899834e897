use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::{
    Ending, FitOutcome, FitParameter, GROUND_HEIGHT, Meanwhile, ParameterError, Roughness, SearchMethod,
    budget::{Budget, usual},
    search::unfinished,
};
use crate::{
    decimal::{rounded, rounded_text},
    gradient::{DifferentiableModels, Method},
    likelihood::{Interrupted, Loss, Slopes},
    model::Vector,
    predict::{
        ErrorSlopes, Flight, PredictError, Prediction, Predictor, Recording, Start, StepperErrors,
        the_moving_body,
    },
    scenario::{AnyScenario, Override, Scenario, ScenarioError, ScenarioText, read::related},
    stepper::{BuildStepper, Refusal, StepperName},
    watch::Watch,
};

/// Part of the curvature across an error that counts along it.
const ALONG: f64 = 0.1;
/// Part of the mean error below which an error is no smaller for its curvature.
const NEAR: f64 = 0.05;

/// What predicts with some values of the parameters.
pub(super) struct Trial<const D: usize> {
    pub predictor: Predictor<D>,
    pub flight: Flight,
}

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
    /// The recording is not one of the scenario.
    #[error(transparent)]
    Recording(#[from] PredictError),
}

/// What is to be fitted, to what, and by which model.
#[derive(Debug, Clone)]
pub struct FitTask<const D: usize> {
    /// The scenario, in which the parameters are set.
    pub text: ScenarioText,
    /// The recording, with the ground where it is if its height is not fitted.
    pub recording: Recording<D>,
    /// Where tosses start.
    pub start: Start,
    /// Who predicts.
    pub stepper: StepperName,
    /// The parameters.
    pub parameters: Vec<FitParameter>,
    /// The size of the body in m that errors are measured in, whatever size is fitted.
    pub size: f64,
    /// Sets of parameters that are tried at most.
    pub evaluations: usize,
}

impl<const D: usize> FitTask<D> {
    /// The values where the search begins.
    pub fn given(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Numbers of the tosses, such that their mean over the throws is that over the tosses: those of each throw added up.
    fn of_throws(&self, of_tosses: &[f64]) -> Vec<f64> {
        let throws = self.recording.throws();
        let share = throws as f64 / of_tosses.len() as f64;
        let mut sums = vec![0.0; throws];
        for (unit, value) in self.recording.units().into_iter().zip(of_tosses) {
            sums[unit] += share * value;
        }
        sums
    }

    /// The scenario with these values of the parameters.
    ///
    /// # Errors
    /// [`ScenarioError`] with all that is wrong with them.
    pub fn scenario(&self, values: &[f64]) -> Result<AnyScenario, ScenarioError> {
        let settings = self.parameters.iter().zip(values).filter(|(one, _)| one.key != GROUND_HEIGHT);
        // What is no key at all has been refused.
        let overrides: Vec<Override> =
            settings.filter_map(|(parameter, value)| parameter.set_to(*value).ok()).collect();
        self.text.with(&overrides)
    }

    /// The same task by steps of half the length.
    ///
    /// # Errors
    /// [`ScenarioError`] where the scenario may not have such a step.
    pub(super) fn with_half_steps(&self) -> Result<Self, ScenarioError> {
        let mut halved = self.text.with(&[])?;
        match &mut halved {
            AnyScenario::InPlane(scenario) => scenario.step *= 0.5,
            AnyScenario::OverPlane(scenario) => scenario.step *= 0.5,
        }
        let text = ScenarioText::read("the scenario", halved.to_toml());
        text.with(&[])?;
        Ok(Self { text, ..self.clone() })
    }

    /// The height of the ground with these values of the parameters.
    pub(super) fn ground_height(&self, values: &[f64]) -> f64 {
        let place = self.parameters.iter().position(|parameter| parameter.key == GROUND_HEIGHT);
        place.map_or(self.recording.ground_height, |place| values[place])
    }
}

impl<const D: usize> FitTask<D>
where
    Scenario<D>: BuildStepper<D> + TryFrom<AnyScenario>,
{
    /// For `parameters` of `scenario`, as [`FitParameter::parse`] reads them, and what `stepper` predicts of a
    /// recording; with what predicts where the search begins.
    ///
    /// # Errors
    /// [`FitError`], before anything runs.
    pub fn new(
        any: &AnyScenario,
        (recording, start): (Recording<D>, Start),
        stepper: StepperName,
        parameters: &[String],
    ) -> Result<(Self, Predictor<D>), FitError> {
        let scenario = &in_dimension::<D>(any.clone())?;
        let moving = the_moving_body(scenario)?;
        let size = scenario.bodies[moving].shape.size().unwrap_or(1.0);
        let ignores = scenario.stepper(stepper)?.honours().ignores;
        let mut parsed: Vec<FitParameter> = Vec::with_capacity(parameters.len());
        for text in parameters {
            let parameter = FitParameter::parse(text, any, (moving, size), recording.ground_height)?;
            if let Some(other) = parsed.iter().find(|other| related(&other.key, &parameter.key)) {
                let message = match other.key == parameter.key {
                    true => "it is given twice".to_owned(),
                    false => format!("it and `{}` set the same numbers", other.key),
                };
                let help = "name every parameter once".to_owned();
                return Err(FitError::Parameter(ParameterError { key: parameter.key, message, help }));
            }
            if let Some((_, reason)) = ignores.iter().find(|(key, _)| parameter.is_of(key)) {
                return Err(FitError::Parameter(ParameterError {
                    key: parameter.key,
                    message: format!("stepper `{stepper}` makes nothing of it: {reason}"),
                    help: "leave it out, or predict by another --stepper".to_owned(),
                }));
            }
            if let Some(family) = stepper.foreign_family(&parameter.key) {
                return Err(FitError::Parameter(ParameterError {
                    message: format!(
                        "it is a setting of `{family}`, and stepper `{stepper}` makes nothing of it"
                    ),
                    help: format!("leave it out, or predict with --stepper {family}"),
                    key: parameter.key,
                }));
            }
            parsed.push(parameter);
        }
        let text = ScenarioText::read("the scenario", any.to_toml());
        let mut task = Self {
            text,
            recording,
            start,
            stepper,
            evaluations: usual(parsed.len()),
            parameters: parsed,
            size,
        };
        let given = task.given();
        for (place, parameter) in task.parameters.iter().enumerate() {
            for end in parameter.range {
                let mut values = given.clone();
                values[place] = end;
                task.scenario(&values).map_err(|refusal| parameter.not_up_to(end, refusal))?;
            }
        }
        task.scenario(&given)?;
        let predictor = task.begin()?;
        Ok((task, predictor))
    }

    /// What predicts where the search begins. Throws that start in the ground where its height is given are no fault as
    /// long as they do not where it is lowest: the search then begins there.
    fn begin(&mut self) -> Result<Predictor<D>, FitError> {
        let given = self.given();
        let refusal = match self.predictor(&given, None) {
            Ok(predictor) => return Ok(predictor),
            Err(refusal) => refusal,
        };
        let Some(height) = self.parameters.iter_mut().find(|parameter| parameter.key == GROUND_HEIGHT) else {
            return Err(refusal);
        };
        height.value = height.range[0];
        let lowest = self.given();
        self.predictor(&lowest, None).map_err(|_| refusal)
    }

    /// What predicts with these values of the parameters; `known` is what does with others.
    fn predictor(&self, values: &[f64], known: Option<&Predictor<D>>) -> Result<Predictor<D>, FitError> {
        let scenario = in_dimension(self.scenario(values)?)?;
        let height = self.ground_height(values);
        let known = known.filter(|known| known.recording().ground_height == height);
        if let Some(alike) = known.and_then(|known| known.in_alike(&scenario)) {
            return Ok(alike);
        }
        let recording = self.recording.with_ground_at(height);
        Ok(Predictor::new(&scenario, recording, self.start)?.in_units_of(self.size))
    }

    /// What predicts with these values of the parameters, or why nothing does.
    fn attempt(&self, values: &[f64], known: Option<&Predictor<D>>) -> Result<Trial<D>, FitError> {
        let predictor = self.predictor(values, known)?;
        let flight = predictor.flight(self.stepper)?;
        Ok(Trial { predictor, flight })
    }

    /// What predicts with these values of the parameters; `None` where they make no sense.
    pub(super) fn trial(&self, values: &[f64]) -> Option<Trial<D>> {
        self.attempt(values, None).ok()
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
        self.predictions_beside(None, values, watch)
    }

    /// The same, where `known` is what predicts with other values.
    pub(super) fn predictions_beside(
        &self,
        known: Option<&Predictor<D>>,
        values: &[f64],
        watch: &Watch<'_>,
    ) -> Result<Option<(Predictor<D>, Vec<Prediction<D>>)>, Interrupted> {
        let Ok(Trial { predictor, flight }) = self.attempt(values, known) else { return Ok(None) };
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

    /// Why no throw is predicted to its end with these values of the parameters, in a sentence; `None` where one is.
    pub fn refusal(&self, values: &[f64]) -> Option<String> {
        let Trial { predictor, flight } = match self.attempt(values, None) {
            Ok(trial) => trial,
            Err(error) => return Some(error.to_string()),
        };
        let mut first = None;
        for (place, toss) in self.recording.tosses.iter().enumerate() {
            let why = match predictor.toss(place, self.stepper, &flight, &Watch::none()) {
                Ok(Some(prediction)) if prediction.error.is_some() => return None,
                Ok(prediction) => {
                    prediction.and_then(|prediction| prediction.failure).map(|(time, reason)| {
                        format!(
                            "stepper `{}` fails at t = {} s of toss {}: {reason}",
                            self.stepper,
                            rounded(time, 12),
                            toss.number
                        )
                    })
                }
                Err(error) => Some(error.to_string()),
            };
            first = first.or(why);
        }
        first
    }

    /// Whether the body has an orientation.
    pub fn turns(&self) -> bool {
        let states = self.recording.tosses.iter().flat_map(|toss| &toss.states);
        states.clone().next().is_some_and(|state| state.attitude.is_some())
    }
}

/// The scenario in the dimension of the recording.
fn in_dimension<const D: usize>(any: AnyScenario) -> Result<Scenario<D>, PredictError>
where
    Scenario<D>: TryFrom<AnyScenario>,
{
    Scenario::try_from(any).map_err(|_| PredictError::Unsuited {
        message: format!("the recording has positions of {D} coordinates, and the scenario others"),
        help: "give the scenario of the throws".to_owned(),
    })
}

/// The losses of the tosses, for a search that `watch` follows.
pub(super) struct ThrowLoss<'a, 'w, const D: usize> {
    pub task: &'a FitTask<D>,
    pub search: &'a SearchMethod,
    pub watch: &'a Watch<'w>,
    pub budget: &'a Budget,
    /// The best that was tried.
    pub best: Option<BestSoFar>,
    /// Along which parameters the error is rough, once that is known.
    pub rough: Vec<Roughness>,
    /// What predicted last, whose starts may be those of the next parameters.
    pub known: Option<Predictor<D>>,
    /// Who is handed the best so far.
    pub meanwhile: Option<&'a Meanwhile<'a>>,
}

/// The best parameters that were tried.
#[derive(Debug, Clone)]
pub(super) struct BestSoFar {
    pub parameters: Vec<f64>,
    /// The mean error.
    pub error: f64,
    /// The predictions with them, where they were made without derivatives.
    pub errors: Option<StepperErrors>,
}

impl<const D: usize> ThrowLoss<'_, '_, D> {
    /// Keeps what is better than all before, and tells it.
    fn keep(&mut self, values: &[f64], losses: &[f64], errors: impl FnOnce() -> Option<StepperErrors>) {
        let error = losses.iter().sum::<f64>() / losses.len() as f64;
        if !error.is_finite() || self.best.as_ref().is_some_and(|best| best.error <= error) {
            return;
        }
        let shown = self.task.parameters.iter().zip(values);
        let shown: Vec<String> =
            shown.map(|(one, value)| format!("{} {}", one.key, rounded_text(*value, 4))).collect();
        self.watch.tell(format!("best so far {}, error {}", shown.join(", "), rounded_text(error, 4)));
        self.best = Some(BestSoFar { parameters: values.to_vec(), error, errors: errors() });
    }
}

impl<const D: usize> ThrowLoss<'_, '_, D>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    fn hand_on(&self) {
        let (Some(meanwhile), Some(best)) = (self.meanwhile, &self.best) else { return };
        meanwhile.hand_on(best.error, || {
            let found = unfinished(self.task, self.search, Some(best.clone()), Ending::Interrupted)?;
            Some(FitOutcome { evaluations: self.budget.spent(), rough: self.rough.clone(), ..found })
        });
    }
}

impl<const D: usize> Loss for ThrowLoss<'_, '_, D>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    fn losses(&mut self, values: &[f64]) -> Result<Vec<f64>, Interrupted> {
        self.budget.spend()?;
        let found = self.task.predictions_beside(self.known.as_ref(), values, self.watch)?;
        let Some((predictor, predictions)) = found else {
            return Ok(vec![f64::INFINITY; self.task.recording.throws()]);
        };
        let turns = self.task.turns();
        let of_tosses: Vec<f64> = predictions.iter().map(|prediction| loss(prediction, turns)).collect();
        let losses = self.task.of_throws(&of_tosses);
        let stepper = self.task.stepper;
        self.keep(values, &losses, || Some(StepperErrors::of(stepper, &predictions, &predictor)));
        self.known = Some(predictor);
        self.hand_on();
        Ok(losses)
    }

    /// Of a point: the mean over the rows of `|r|`, `r` the error in a row and `J` its derivative, has the slope
    /// `J'r/|r|` and the curvature `J'(1 - r r'/|r|^2)J/|r|`. Of what `r` is itself, along which a distance has none,
    /// a part is counted: the steps would be too long where all errors point one way.
    fn slopes(&mut self, values: &[f64]) -> Result<Option<Slopes>, Interrupted> {
        if *self.search != SearchMethod::Derivatives {
            return Ok(None);
        }
        self.budget.spend()?;
        let Some(trial) = self.task.trial(values) else { return Ok(None) };
        let Ok(varied) = self.task.varied(trial.predictor.scenario()) else { return Ok(None) };
        let model = (self.task.stepper, Method::Raw);
        let Ok(tosses) = self.task.error_slopes(&trial, model, &varied, self.watch)? else {
            return Ok(None);
        };
        let mean =
            |errors: &[Vector<D>]| errors.iter().map(|error| error.norm()).sum::<f64>() / errors.len() as f64;
        let of_tosses: Vec<f64> = tosses.iter().map(|toss| mean(&toss.errors) / self.task.size).collect();
        let overall = of_tosses.iter().sum::<f64>() * self.task.size / of_tosses.len() as f64;
        let losses = self.task.of_throws(&of_tosses);
        self.keep(values, &losses, || None);
        self.hand_on();
        let count = varied.len();
        let (mut gradient, mut curvature) = (DVector::zeros(count), DMatrix::zeros(count, count));
        for ErrorSlopes { errors, slopes, .. } in &tosses {
            let share = 1.0 / (errors.len() * tosses.len()) as f64 / self.task.size;
            for (error, slopes) in errors.iter().zip(slopes) {
                let distance = error.norm();
                let direction = if distance > 0.0 { error / distance } else { Vector::zeros() };
                let bend = share / distance.max(NEAR * overall);
                for (i, first) in slopes.iter().enumerate() {
                    let along = first.dot(&direction);
                    gradient[i] += share * along;
                    for (j, second) in slopes.iter().enumerate() {
                        let both = along * second.dot(&direction);
                        curvature[(i, j)] += bend * (first.dot(second) - (1.0 - ALONG) * both);
                    }
                }
            }
        }
        Ok(Some(Slopes { losses, gradient, curvature }))
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
