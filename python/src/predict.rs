//! `predict`: what steppers make of recorded throws.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use stickslip::{
    compare::{admitted, default_families},
    predict::{
        Prediction, Predictor, StepperErrors, TriedLaw, error_histograms, error_over_time,
        predict as predict_all, prediction_summary, toss_poses, typical_toss, write_errors,
    },
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, Refusal, StepperName},
};

use crate::{
    compare::watched,
    error,
    layout::{rows, state_columns},
    recording::{Recorded, refusal},
    scenario,
};

/// The predictions of one dimension.
struct Predicted<const D: usize> {
    predictor: Predictor<D>,
    laws: Vec<TriedLaw>,
    predictions: Vec<Vec<Prediction<D>>>,
    errors: Vec<StepperErrors>,
    refused: Vec<Refusal>,
}

enum Any {
    InPlane(Predicted<2>),
    OverPlane(Predicted<3>),
}

/// The same expression for both dimensions.
macro_rules! each {
    ($any:expr, $predicted:ident => $value:expr) => {
        match $any {
            Any::InPlane($predicted) => $value,
            Any::OverPlane($predicted) => $value,
        }
    };
}

/// What steppers made of recorded throws.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Predictions {
    any: Any,
}

/// Starts steppers where recorded throws start, and follows them.
#[pyfunction]
#[pyo3(signature = (recorded, scenario, steppers=None, *, set=None))]
pub fn predict(
    py: Python<'_>,
    recorded: Recorded,
    scenario: &Bound<'_, PyAny>,
    steppers: Option<Vec<String>>,
    set: Option<&Bound<'_, PyAny>>,
) -> PyResult<Predictions> {
    let names = scenario::stepper_names(py, steppers)?;
    let any = match scenario::read(scenario, set)? {
        AnyScenario::InPlane(scenario) => Any::InPlane(predicted(py, &recorded, &scenario, names)?),
        AnyScenario::OverPlane(scenario) => Any::OverPlane(predicted(py, &recorded, &scenario, names)?),
    };
    Ok(Predictions { any })
}

fn predicted<const D: usize>(
    py: Python<'_>,
    recorded: &Recorded,
    scenario: &Scenario<D>,
    names: Option<Vec<StepperName>>,
) -> PyResult<Predicted<D>>
where
    Scenario<D>: BuildStepper<D>,
{
    let predictor = recorded.predictor(py, scenario)?;
    let (names, refused) = match names {
        Some(names) => (names, Vec::new()),
        None => admitted(scenario, &default_families(scenario)),
    };
    let laws: Vec<TriedLaw> = names.into_iter().map(TriedLaw::from).collect();
    let predictions = watched(py, |watch| predict_all(&predictor, &laws, watch))?;
    // Nothing but a signal interrupts, and `watched` raises what its handler did.
    let predictions = predictions.map_err(|fault| refusal(py, &fault))?.unwrap_or_default();
    let errors = (laws.iter().zip(&predictions))
        .map(|(&law, by_law)| StepperErrors::of(law, by_law, &predictor))
        .collect();
    Ok(Predicted { predictor, laws, predictions, errors, refused })
}

#[pymethods]
impl Predictions {
    /// Names of the steppers.
    #[getter]
    fn steppers(&self) -> Vec<String> {
        each!(&self.any, predicted => predicted.laws.iter().map(ToString::to_string).collect())
    }

    /// The families that do not admit the scenario: name, reason, remedy.
    #[getter]
    fn refused(&self) -> Vec<(String, String, String)> {
        let refused = each!(&self.any, predicted => &predicted.refused).iter();
        refused
            .map(|refusal| (refusal.stepper.to_string(), refusal.reason.clone(), refusal.remedy.clone()))
            .collect()
    }

    /// Numbers of the tosses.
    fn tosses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        each!(&self.any, predicted => {
            let tosses = predicted.predictor.recording().tosses.iter();
            tosses.map(|toss| toss.number).collect::<Vec<f64>>().into_pyarray(py)
        })
    }

    /// What summary.json holds, as JSON.
    fn summary(&self) -> String {
        each!(&self.any, predicted => {
            prediction_summary(&predicted.predictor, &predicted.errors, &predicted.predictions).to_string()
        })
    }

    /// The text of errors.csv.
    fn errors_csv(&self) -> PyResult<String> {
        let mut bytes = Vec::new();
        each!(&self.any, predicted => {
            write_errors(&predicted.predictor, &predicted.laws, &predicted.predictions, &mut bytes)
        })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What a stepper made of a toss: names of columns, and their values row after row.
    fn states<'py>(
        &self,
        py: Python<'py>,
        stepper: &str,
        toss: f64,
    ) -> PyResult<(Vec<String>, Bound<'py, PyArray1<f64>>)> {
        let (columns, values) = each!(&self.any, predicted => predicted.states(py, stepper, toss)?);
        Ok((columns, values.into_pyarray(py)))
    }

    /// A picture as SVG: `toss`, `errors` or `error-over-time`.
    #[pyo3(signature = (kind, toss=None))]
    fn svg(&self, py: Python<'_>, kind: &str, toss: Option<f64>) -> PyResult<String> {
        each!(&self.any, predicted => predicted.svg(py, kind, toss))
    }
}

impl<const D: usize> Predicted<D> {
    fn place_of(&self, py: Python<'_>, toss: f64) -> PyResult<usize> {
        let tosses = &self.predictor.recording().tosses;
        tosses
            .iter()
            .position(|recorded| recorded.number == toss)
            .ok_or_else(|| error::input(py, &format!("there is no toss {toss}")))
    }

    fn states(&self, py: Python<'_>, stepper: &str, toss: f64) -> PyResult<(Vec<String>, Vec<f64>)> {
        let Some(place) = self.laws.iter().position(|law| law.to_string() == stepper) else {
            let names: Vec<String> = self.laws.iter().map(ToString::to_string).collect();
            return Err(error::input(
                py,
                &format!("stepper {stepper:?} did not predict; there are {}", names.join(", ")),
            ));
        };
        let toss = self.place_of(py, toss)?;
        let prediction = &self.predictions[place][toss];
        let times = self.predictor.recording().tosses[toss].times();
        let mut values = Vec::new();
        for ((time, (state, attitude)), error) in times.zip(&prediction.states).zip(&prediction.rows) {
            values.push(time);
            values.extend(rows(&[*state], attitude.as_slice()));
            values.extend([error.distance, error.rotation]);
        }
        let turns = prediction.states.first().is_some_and(|(_, attitude)| attitude.is_some());
        let columns = std::iter::once("t".to_owned())
            .chain(state_columns::<D>(turns))
            .chain(["distance", "rotation"].map(str::to_owned));
        Ok((columns.collect(), values))
    }

    fn svg(&self, py: Python<'_>, kind: &str, toss: Option<f64>) -> PyResult<String> {
        let toss = toss.map(|toss| self.place_of(py, toss)).transpose()?;
        let Self { predictor, errors, predictions, .. } = self;
        let figure = match kind {
            "toss" => {
                toss_poses(predictor, errors, predictions, toss.unwrap_or_else(|| typical_toss(predictions)))
            }
            "errors" => error_histograms(predictor, errors, predictions),
            "error-over-time" => error_over_time(predictor, errors, predictions),
            other => {
                return Err(error::input(
                    py,
                    &format!(
                        "there is no picture {other:?}; there are \"toss\", \"errors\" and \"error-over-time\""
                    ),
                ));
            }
        };
        py.detach(|| figure.to_svg()).map_err(|fault| error::input(py, &fault.to_string()))
    }
}
