//! `gradient`, and runs as functions of their numbers that can be differentiated.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, ndarray::Array2};
use pyo3::{prelude::*, types::PyDict};
use stickslip::{
    gradient::{
        DerivativeRule, DifferentiableModels, GradientError, GradientOptions, GradientRequest, GradientStudy,
        Input, Method, Steps, default_steppers, gradient_summary, output_names, tangents, write_gradients,
        write_kinks,
    },
    scenario::{AnyScenario, Scenario},
    stepper::StepperName,
};

use crate::{compare::watched, error, scenario};

/// Values of a run, and their derivatives: a row per value.
type Values<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// The summary of a study, its figures and its kinks.
type Studied = (String, String, String);

fn refused(py: Python<'_>, fault: &GradientError) -> PyErr {
    match fault {
        GradientError::Refused(refusal) => error::refusal(py, refusal),
        GradientError::Input(_) | GradientError::Output(_) | GradientError::NoDerivative(_) => {
            error::input(py, &fault.to_string())
        }
        GradientError::Step { step, time, reason } => {
            let attributes = PyDict::new(py);
            let fill = || -> PyResult<()> {
                attributes.set_item("step", step)?;
                attributes.set_item("time", time)?;
                attributes.set_item("reason", reason)
            };
            match fill() {
                Ok(()) => error::exception(py, "StepFailure", &fault.to_string(), &attributes),
                Err(error) => error,
            }
        }
        GradientError::NotFinite { .. } | GradientError::Interrupted => {
            error::exception(py, "StickslipError", &fault.to_string(), &PyDict::new(py))
        }
    }
}

fn outputs<const D: usize>(
    py: Python<'_>,
    names: Option<&[String]>,
    scenario: &Scenario<D>,
) -> PyResult<Vec<String>>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let known = output_names(scenario);
    let Some(names) = names else { return Ok(known) };
    match names.iter().find(|name| !known.contains(name)) {
        None => Ok(names.to_vec()),
        Some(name) => {
            let message = format!("there is no result `{name}`; choose from {}", known.join(", "));
            Err(error::input(py, &message))
        }
    }
}

fn inputs<const D: usize>(
    py: Python<'_>,
    keys: Option<&[String]>,
    scenario: &Scenario<D>,
) -> PyResult<Vec<Input>> {
    let Some(keys) = keys else { return Ok(Input::of(scenario)) };
    let parse = |key: &String| {
        let input = key.parse::<Input>().and_then(|input| input.check(scenario).map(|()| input));
        input.map_err(|fault| error::input(py, &fault.to_string()))
    };
    keys.iter().map(parse).collect()
}

fn method(py: Python<'_>, word: &str) -> PyResult<Method> {
    word.parse().map_err(|fault: String| error::input(py, &fault))
}

fn checked_kappa(py: Python<'_>, kappa: f64) -> PyResult<f64> {
    if kappa > 0.0 && kappa <= 100.0 {
        return Ok(kappa);
    }
    Err(error::input(py, &format!("kappa is {kappa}, but must be in 0..100, 0 excluded")))
}

/// Derivatives of the end of a run by several steppers; gives the summary as JSON, and the texts of gradient.csv and
/// kinks.csv.
#[pyfunction]
#[pyo3(signature = (scenario, steppers=None, *, of=None, wrt=None, method=None, kappa=0.1, phases=1, check=false, set=None))]
#[expect(clippy::too_many_arguments, reason = "what the command of the same name takes")]
pub fn gradient(
    py: Python<'_>,
    scenario: &Bound<'_, PyAny>,
    steppers: Option<Vec<String>>,
    of: Option<Vec<String>>,
    wrt: Option<Vec<String>>,
    method: Option<Vec<String>>,
    kappa: f64,
    phases: usize,
    check: bool,
    set: Option<&Bound<'_, PyAny>>,
) -> PyResult<Studied> {
    let steppers = match &steppers {
        Some(names) => names.iter().map(|name| scenario::stepper_name(py, name)).collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let methods = match &method {
        Some(words) => words.iter().map(|word| self::method(py, word)).collect::<PyResult<_>>()?,
        None => vec![Method::Raw, Method::Corrected],
    };
    let kappa = checked_kappa(py, kappa)?;
    if !(1..=1000).contains(&phases) {
        return Err(error::input(py, &format!("phases is {phases}, but must be from 1 to 1000")));
    }
    let request =
        GradientRequest { steppers, methods, outputs: Vec::new(), inputs: Vec::new(), kappa, phases, check };
    let (of, wrt) = (of.as_deref(), wrt.as_deref());
    match scenario::read(scenario, set)? {
        AnyScenario::InPlane(scenario) => studied(py, &scenario, request, of, wrt),
        AnyScenario::OverPlane(scenario) => studied(py, &scenario, request, of, wrt),
    }
}

fn studied<const D: usize>(
    py: Python<'_>,
    scenario: &Scenario<D>,
    request: GradientRequest,
    of: Option<&[String]>,
    wrt: Option<&[String]>,
) -> PyResult<Studied>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let (outputs, inputs) = (outputs(py, of, scenario)?, inputs(py, wrt, scenario)?);
    let steppers = match request.steppers.is_empty() {
        true => default_steppers(scenario),
        false => request.steppers,
    };
    let request = GradientRequest { steppers, outputs, inputs, ..request };
    let study = watched(py, |watch| GradientStudy::run(scenario, &request, watch))?;
    let study = study.map_err(|fault| refused(py, &fault))?;
    if study.rows.is_empty()
        && let Some(left) = study.left_out.first()
    {
        return Err(refused(py, &left.reason));
    }
    let (mut figures, mut kinks) = (Vec::new(), Vec::new());
    write_gradients(&study, &mut figures)?;
    write_kinks(&study, &mut kinks)?;
    let [figures, kinks] = [figures, kinks].map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok((gradient_summary(scenario, &study, &request).to_string(), figures, kinks))
}

/// The end of a run as a function of some numbers of its scenario.
#[pyclass(frozen, module = "stickslip._stickslip")]
pub struct Differentiable {
    scenario: AnyScenario,
    stepper: StepperName,
    method: Method,
    kappa: f64,
    of: Vec<String>,
    wrt: Vec<String>,
}

#[pymethods]
impl Differentiable {
    #[new]
    #[pyo3(signature = (scenario, stepper, *, of, wrt, method, kappa, set=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        scenario: &Bound<'_, PyAny>,
        stepper: &str,
        of: Vec<String>,
        wrt: Vec<String>,
        method: &str,
        kappa: f64,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let this = Self {
            scenario: scenario::read(scenario, set)?,
            stepper: scenario::stepper_name(py, stepper)?,
            method: self::method(py, method)?,
            kappa: checked_kappa(py, kappa)?,
            of,
            wrt,
        };
        match &this.scenario {
            AnyScenario::InPlane(scenario) => this.check(py, scenario)?,
            AnyScenario::OverPlane(scenario) => this.check(py, scenario)?,
        }
        Ok(this)
    }

    /// The numbers as the scenario has them.
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = match &self.scenario {
            AnyScenario::InPlane(scenario) => self.values(py, scenario)?,
            AnyScenario::OverPlane(scenario) => self.values(py, scenario)?,
        };
        Ok(values.into_pyarray(py))
    }

    /// The results with the numbers set to `x`, and their derivatives: a row per result.
    fn values_and_jacobian<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Values<'py>> {
        let x = x.as_array().to_vec();
        match &self.scenario {
            AnyScenario::InPlane(scenario) => self.run(py, scenario, &x),
            AnyScenario::OverPlane(scenario) => self.run(py, scenario, &x),
        }
    }
}

impl Differentiable {
    fn check<const D: usize>(&self, py: Python<'_>, scenario: &Scenario<D>) -> PyResult<()>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        outputs(py, Some(&self.of), scenario)?;
        inputs(py, Some(&self.wrt), scenario)?;
        let refused = |fault: &GradientError| refused(py, fault);
        let steps = Steps::of(self.stepper, self.method, self.kappa);
        let run = scenario.differentiable_run(steps).map_err(|fault| refused(&fault))?;
        run.check(DerivativeRule::from(self.method)).map_err(|fault| refused(&fault))
    }

    fn values<const D: usize>(&self, py: Python<'_>, scenario: &Scenario<D>) -> PyResult<Vec<f64>> {
        let inputs = inputs(py, Some(&self.wrt), scenario)?;
        Ok(inputs.into_iter().filter_map(|input| input.value(scenario)).collect())
    }

    fn run<'py, const D: usize>(
        &self,
        py: Python<'py>,
        scenario: &Scenario<D>,
        x: &[f64],
    ) -> PyResult<Values<'py>>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        let (inputs, names) =
            (inputs(py, Some(&self.wrt), scenario)?, outputs(py, Some(&self.of), scenario)?);
        if x.len() != inputs.len() {
            let message =
                format!("x has {} numbers, but must have {}: {}", x.len(), inputs.len(), self.wrt.join(", "));
            return Err(error::input(py, &message));
        }
        let scenario =
            inputs.iter().zip(x).fold(scenario.clone(), |scenario, (input, x)| input.set(&scenario, *x));
        scenario.check().map_err(|violations| {
            let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
            error::input(py, &violations.join("; "))
        })?;
        let (steps, rule) = (Steps::of(self.stepper, self.method, self.kappa), self.method.into());
        let options = GradientOptions::of(&scenario);
        let run = watched(py, |watch| tangents(&scenario, steps, rule, &inputs, &options, watch))?;
        let run = run.map_err(|fault| refused(py, &fault))?;
        let mut values = Vec::new();
        let mut jacobian = Array2::zeros((names.len(), inputs.len()));
        for (row, name) in names.iter().enumerate() {
            let Some((value, gradient)) = run.end.value(name).zip(run.gradient(name)) else {
                let message =
                    format!("there is no `{name}`: the point does not come to rest with these numbers");
                return Err(error::input(py, &message));
            };
            values.push(value);
            for (column, entry) in gradient.into_iter().enumerate() {
                jacobian[(row, column)] = entry;
            }
        }
        Ok((values.into_pyarray(py), jacobian.into_pyarray(py)))
    }
}
