//! Gradients of runs of many bodies: points, bodies in the plane, bodies in space.

mod accelerations;
mod approach;
mod assembly;
mod chosen;
mod directions;
mod event;
mod exact;
mod geometry;
mod impact;
mod least_change;
mod linearisation;
mod loads;
mod margin;
mod moving;
mod rates;
mod reversal;
mod rigid;
mod run;
mod solve;
mod stage;
mod step;
mod study;
mod taken;
mod world;

use nalgebra::DMatrix;

pub(super) use self::study::BodyStudy;
use self::{run::Run, world::GradientWorld};
use super::{Branches, GradientError, Input, Nearest};
use crate::{
    model::{Orientation, State},
    scenario::Scenario,
    simulate::simulate,
    stepper::{BuildStepper, StepperName, derivative::NoDerivative},
    watch::Watch,
    world::{Particles, planar, spatial},
};

/// Most runs that one looks for the nearest kink along one input of bodies with, whose steps take longer.
pub(super) const MOST_RUNS: usize = 4;

/// How a gradient of bodies is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BodyOptions {
    /// Whether impacts, and slip that turns around, take the derivative of the motion through them, rather than that of
    /// the step.
    pub corrected: bool,
    /// Whether to look for the nearest kinks.
    pub kinks: bool,
}

impl BodyOptions {
    fn rule(self) -> DerivativeRule {
        if self.corrected { DerivativeRule::Corrected } else { DerivativeRule::Raw }
    }
}

/// Which derivative of a step is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerivativeRule {
    /// Its own.
    Raw,
    /// At an impact, and where slip turns around, that of the motion through it.
    Corrected,
    /// Its own, but where contacts carry more than they need and the velocities depend on how they share it, with what is
    /// open kept from step to step, rather than with the least change.
    Sharing,
}

/// The numbers that a run of bodies ends with.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyEnd {
    /// Their names, `BODY.final_COLUMN` with the columns of `trajectory.csv`.
    pub names: Vec<String>,
    /// Their values in m, rad, m/s, rad/s.
    pub values: Vec<f64>,
}

/// The end of a run of bodies, and its derivative with respect to every input.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyTangents {
    /// The end.
    pub end: BodyEnd,
    /// A row per number of the end, a column per input.
    pub jacobian: DMatrix<f64>,
    /// The change of each input at which the first branch of a contact changes; empty if not asked for.
    pub nearest: Vec<Nearest>,
    /// Which branches the contacts took; of none if kinks were not asked for.
    pub branches: Branches,
    /// The largest derivative of a displacement or velocity met on the way, per input.
    pub largest: Vec<f64>,
}

/// A run of bodies that is about to begin.
pub trait BodyRun {
    /// Carries a derivative per input along, forward in time.
    ///
    /// # Errors
    /// [`GradientError`] if an input has no derivative, the stepper has none, or a step fails;
    /// [`GradientError::Interrupted`] if `watch` says to stop.
    fn forward(
        self: Box<Self>,
        inputs: &[Input],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<BodyTangents, GradientError> {
        let all = self.forward_by(inputs, &[options.rule()], options.kinks, watch)?;
        all.into_iter().next().unwrap_or(Err(GradientError::Interrupted))
    }

    /// The same by several rules at once, each with its own derivatives of the same steps; `kinks` says whether to look
    /// for the nearest ones.
    ///
    /// # Errors
    /// As [`BodyRun::forward`]; what only one rule cannot do is its own error.
    fn forward_by(
        self: Box<Self>,
        inputs: &[Input],
        rules: &[DerivativeRule],
        kinks: bool,
        watch: &Watch<'_>,
    ) -> Result<Vec<Result<BodyTangents, GradientError>>, GradientError>;

    /// Keeps the derivatives of the steps, and carries that of `weight . end` back to every input at once; gives the
    /// end and that gradient.
    ///
    /// # Errors
    /// As [`BodyRun::forward`].
    fn backward(
        self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<(BodyEnd, Vec<f64>), GradientError>;
}

/// Scenarios whose bodies have gradients.
pub trait BodyGradients {
    /// The names of the numbers that a run ends with, in order.
    fn end_names(&self) -> Vec<String>;

    /// What the exact motion ends with, where it is known.
    ///
    /// # Errors
    /// Why it is not known.
    fn exact_end(&self) -> Result<Vec<f64>, String>;

    /// A run by `stepper`, to be differentiated.
    ///
    /// # Errors
    /// [`GradientError`] if the stepper refuses the scenario or has no derivative.
    fn body_run(&self, stepper: StepperName) -> Result<Box<dyn BodyRun + '_>, GradientError>;

    /// Runs the scenario by `stepper` and carries a derivative per input along, forward in time.
    ///
    /// # Errors
    /// As [`BodyGradients::body_run`] and [`BodyRun::forward`].
    fn body_tangents(
        &self,
        stepper: StepperName,
        inputs: &[Input],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<BodyTangents, GradientError> {
        self.body_run(stepper)?.forward(inputs, options, watch)
    }

    /// Runs the scenario and carries the derivative of `weight . end` back to every input at once; gives the end and
    /// that gradient.
    ///
    /// # Errors
    /// As [`BodyGradients::body_run`] and [`BodyRun::backward`].
    fn body_adjoint(
        &self,
        stepper: StepperName,
        inputs: &[Input],
        weight: &[f64],
        options: BodyOptions,
        watch: &Watch<'_>,
    ) -> Result<(BodyEnd, Vec<f64>), GradientError> {
        self.body_run(stepper)?.backward(inputs, weight, options, watch)
    }
}

impl BodyGradients for Scenario<2> {
    fn end_names(&self) -> Vec<String> {
        match self.has_turning_bodies() {
            true => end_names(self, planar::Scene::columns()),
            false => end_names(self, Particles::<2>::columns()),
        }
    }

    fn exact_end(&self) -> Result<Vec<f64>, String> {
        exact_end(self)
    }

    fn body_run(&self, stepper: StepperName) -> Result<Box<dyn BodyRun + '_>, GradientError> {
        Ok(match self.has_turning_bodies() {
            true => Box::new(Run::<planar::Scene, 2, 3>::new(self, stepper)?),
            false => Box::new(Run::<Particles<2>, 2, 2>::new(self, stepper)?),
        })
    }
}

impl BodyGradients for Scenario<3> {
    fn end_names(&self) -> Vec<String> {
        match self.has_turning_bodies() {
            true => end_names(self, spatial::Scene::columns()),
            false => end_names(self, Particles::<3>::columns()),
        }
    }

    fn exact_end(&self) -> Result<Vec<f64>, String> {
        exact_end(self)
    }

    fn body_run(&self, stepper: StepperName) -> Result<Box<dyn BodyRun + '_>, GradientError> {
        Ok(match self.has_turning_bodies() {
            true => Box::new(Run::<spatial::Scene, 3, 6>::new(self, stepper)?),
            false => Box::new(Run::<Particles<3>, 3, 3>::new(self, stepper)?),
        })
    }
}

/// The numbers of [`BodyGradients::end_names`] where the exact motion ends.
fn exact_end<const D: usize>(scenario: &Scenario<D>) -> Result<Vec<f64>, String>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut exact = scenario.stepper(StepperName::EXACT).map_err(|refusal| refusal.reason)?;
    let trajectory = simulate(scenario, exact.as_mut());
    if let Some(failure) = &trajectory.first_failure {
        return Err(failure.error.to_string());
    }
    let mut end = Vec::new();
    for (index, motion) in trajectory.bodies.iter().enumerate() {
        let State { position, velocity } = trajectory.final_state(index);
        end.extend_from_slice(position.as_slice());
        let attitude = motion.attitudes.last();
        let spin = match attitude.map(|attitude| (attitude.orientation, attitude.spin)) {
            None => Vec::new(),
            Some((Orientation::Angle(angle), spin)) => {
                end.push(angle);
                vec![spin[0]]
            }
            Some((Orientation::Quaternion(turn), spin)) => {
                end.extend([turn.w, turn.i, turn.j, turn.k]);
                spin.as_slice().to_vec()
            }
        };
        end.extend_from_slice(velocity.as_slice());
        end.extend(spin);
    }
    Ok(end)
}

/// The `columns` that every body ends with, under its name.
fn end_names<const D: usize>(scenario: &Scenario<D>, columns: &[&str]) -> Vec<String> {
    let of_body = |body: usize| {
        columns.iter().map(move |column| format!("{}.final_{column}", scenario.body_name(body)))
    };
    (0..scenario.bodies.len()).flat_map(of_body).collect()
}

fn no_derivative(stepper: StepperName, reason: &str) -> GradientError {
    GradientError::NoDerivative(NoDerivative { stepper, reason: reason.to_owned() })
}
