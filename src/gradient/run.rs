//! Runs that are differentiated: forward, a column per rule and input at once, and backward from a weighed end.
//!
//! What moves is a [`Motion`]: a point, or bodies. Everything that does not depend on which is here.

use std::{ops::Range, sync::Arc};

use nalgebra::{DMatrix, DVector};

use super::{
    Branches, DifferentiableModels, GradientError, Grid, GridStep, Input, Method, MovedEdge, Nearest,
};
use crate::{scenario::Scenario, stepper::StepperName, watch::Watch};

/// Which steps are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steps {
    /// By which stepper.
    pub stepper: StepperName,
    /// The smoothing of its law in units of `(g dt)^2`, where it is smoothed; see [`Method::Smoothed`].
    pub smoothing: Option<f64>,
}

impl Steps {
    /// Those of a stepper as it is.
    pub fn by(stepper: StepperName) -> Self {
        Self { stepper, smoothing: None }
    }

    /// Those that `method` differentiates, with the smoothing `kappa` where it smooths.
    pub fn of(stepper: StepperName, method: Method, kappa: f64) -> Self {
        Self { stepper, smoothing: (method == Method::Smoothed).then_some(kappa) }
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

impl From<Method> for DerivativeRule {
    fn from(method: Method) -> Self {
        match method {
            Method::Raw | Method::Smoothed => Self::Raw,
            Method::Corrected => Self::Corrected,
        }
    }
}

/// How a gradient is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradientOptions {
    /// The steps; those of bodies are of the scenario's own [`Grid`].
    pub grid: Grid,
    /// Whether an edge of a push's window counts by the mean push of the step that it lies in. The
    /// push is sampled, and without this the gradient with respect to an edge is zero.
    pub mean_push: bool,
    /// Whether to look for the nearest kinks, which takes longer.
    pub kinks: bool,
    /// The edge of a window that has moved from where the scenario has it.
    pub moved: Option<MovedEdge>,
}

impl GradientOptions {
    /// The steps of the scenario, mean push, no kinks.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        Self { grid: Grid::new(scenario.time()), mean_push: true, kinks: false, moved: None }
    }
}

/// The numbers that a run ends with.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// Their names, of [`output_names`](super::output_names); without `stop_time` where nothing comes to rest.
    pub names: Arc<[String]>,
    /// Their values in m, rad, m/s, rad/s, s.
    pub values: Vec<f64>,
}

impl RunEnd {
    /// The number of the result of that name; `None` where the run does not end with it.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The weights of the results in order; what is missing in `given` weighs nothing.
    pub(super) fn weights(&self, given: &[f64]) -> DVector<f64> {
        DVector::from_fn(self.values.len(), |i, _| given.get(i).copied().unwrap_or(0.0))
    }

    /// The value of the result of that name.
    pub fn value(&self, name: &str) -> Option<f64> {
        Some(self.values[self.place(name)?])
    }
}

/// The end of a run, and its derivative with respect to every input.
#[derive(Debug, Clone, PartialEq)]
pub struct Tangents {
    /// The end.
    pub end: RunEnd,
    /// A row per number of the end, a column per input.
    pub jacobian: DMatrix<f64>,
    /// The change of each input at which the first branch of a step changes; empty if not asked for.
    pub nearest: Vec<Nearest>,
    /// Which branches the steps took; of none if kinks were not asked for.
    pub branches: Branches,
    /// The largest derivative of a displacement or velocity met on the way, per input, in m, rad, m/s or rad/s per unit of
    /// the input.
    pub largest: Vec<f64>,
}

impl Tangents {
    /// The derivatives of the result of that name, per input; `None` where the run does not end with it.
    pub fn gradient(&self, of: &str) -> Option<Vec<f64>> {
        Some(self.jacobian.row(self.end.place(of)?).iter().copied().collect())
    }
}

/// The end of a run, and the derivative of one number that depends on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjoint {
    /// The end, without times.
    pub end: RunEnd,
    /// The derivative of `weight . end`, per input.
    pub gradient: Vec<f64>,
}

/// A run that is about to begin.
pub trait DifferentiableRun {
    /// Whether its steps have the derivatives of a rule.
    ///
    /// # Errors
    /// Why they have not.
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError>;

    /// Carries a derivative per input along, forward in time, by several rules at once, each with its own derivatives of
    /// the same steps.
    ///
    /// # Errors
    /// [`GradientError`] if an input has no derivative, the stepper has none, or a step fails;
    /// [`GradientError::Interrupted`] if `watch` says to stop. What only one rule cannot do is its own error.
    fn forward(
        self: Box<Self>,
        inputs: &[Input],
        rules: &[DerivativeRule],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Vec<Result<Tangents, GradientError>>, GradientError>;

    /// Keeps what the derivatives of the steps need, and carries that of `weight . end` back to every input at once.
    ///
    /// # Errors
    /// As [`DifferentiableRun::forward`].
    fn backward(
        self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        rule: DerivativeRule,
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Adjoint, GradientError>;
}

/// Runs the scenario and carries a derivative per input along, forward in time.
///
/// Nothing is allocated per step of a single point.
///
/// # Errors
/// [`GradientError`] if the stepper refuses the scenario, an input has no derivative in it, a step fails, or the
/// stepper has no derivative; [`GradientError::Interrupted`] if `watch` says to stop.
pub fn tangents<const D: usize>(
    scenario: &Scenario<D>,
    steps: Steps,
    rule: DerivativeRule,
    inputs: &[Input],
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Tangents, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let all = scenario.differentiable_run(steps)?.forward(inputs, &[rule], options, watch)?;
    all.into_iter().next().unwrap_or(Err(GradientError::Interrupted))
}

/// Runs the scenario and carries the derivative of `weight . end` back to every input at once: the cost does not grow with
/// the number of inputs as that of [`tangents`] does. `weight` is in the order of
/// [`output_names`](super::output_names); what is missing weighs nothing.
///
/// # Errors
/// As [`tangents`].
pub fn adjoint<const D: usize>(
    scenario: &Scenario<D>,
    steps: Steps,
    rule: DerivativeRule,
    (inputs, weight): (&[Input], &[f64]),
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Adjoint, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    scenario.differentiable_run(steps)?.backward(inputs, weight, rule, options, watch)
}

/// The derivatives that a run carries along: a column per rule and input.
pub(super) struct Columns<'a> {
    rules: &'a [DerivativeRule],
    inputs: usize,
    /// Why a rule has no derivatives.
    refused: Vec<Result<(), GradientError>>,
    /// Displacements and velocities, and below them a row per input that does not change.
    pub change: DMatrix<f64>,
    /// Whether kinks are asked for.
    pub kinks: bool,
    /// Per column; empty if kinks are not asked for.
    pub nearest: Vec<Nearest>,
    pub branches: Branches,
}

impl<'a> Columns<'a> {
    /// From the derivative of the start, a column per input.
    fn new(
        start: &DMatrix<f64>,
        rules: &'a [DerivativeRule],
        refused: Vec<Result<(), GradientError>>,
        kinks: bool,
    ) -> Self {
        let (n, inputs) = start.shape();
        let mut change = DMatrix::zeros(n + inputs, rules.len() * inputs);
        for rule in 0..rules.len() {
            change.view_mut((0, rule * inputs), (n, inputs)).copy_from(start);
            change.view_mut((n, rule * inputs), (inputs, inputs)).fill_with_identity();
        }
        let nearest = vec![Nearest::default(); if kinks { change.ncols() } else { 0 }];
        Self { rules, inputs, refused, change, kinks, nearest, branches: Branches::default() }
    }

    /// How many displacements and velocities there are.
    pub fn state(&self) -> usize {
        self.change.nrows() - self.inputs
    }

    fn place(&self, rule: DerivativeRule) -> Option<usize> {
        self.rules.iter().position(|own| *own == rule)
    }

    fn range(&self, place: usize) -> Range<usize> {
        place * self.inputs..(place + 1) * self.inputs
    }

    /// Those of a rule; none where it is not asked for, or has been refused.
    pub fn of(&self, rule: DerivativeRule) -> Range<usize> {
        let place = self.place(rule).filter(|place| self.refused[*place].is_ok());
        place.map_or(0..0, |place| self.range(place))
    }

    /// Gives a rule up.
    pub fn refuse(&mut self, rule: DerivativeRule, reason: GradientError) {
        if let Some(place) = self.place(rule) {
            self.refused[place] = Err(reason);
        }
    }

    /// Notes derivatives that are larger than all before; what is no number counts as nothing.
    fn note_largest(&self, largest: &mut [f64]) {
        let rows = self.change.nrows();
        for (column, largest) in self.change.as_slice().chunks_exact(rows.max(1)).zip(largest) {
            for entry in &column[..self.state()] {
                if entry.abs() > *largest {
                    *largest = entry.abs();
                }
            }
        }
    }
}

/// What is about to move, step by step.
pub(super) trait Beginning {
    /// The motion.
    type Motion: Motion;

    /// Whether its steps have the derivatives of a rule.
    ///
    /// # Errors
    /// Why they have not.
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError>;

    /// Begins to move, with derivatives with respect to these inputs.
    ///
    /// # Errors
    /// [`GradientError`] where an input has none.
    fn begin(self, inputs: &[Input], options: &GradientOptions) -> Result<Self::Motion, GradientError>;
}

/// What moves step by step, and whose steps have derivatives with respect to some inputs.
pub(super) trait Motion {
    /// What the way back needs of a step.
    type Kept;

    /// The derivative of displacements and velocities at the start, a column per input.
    fn start(&self) -> DMatrix<f64>;

    /// Sees the kinks along input number `input` that no step knows of.
    fn see_start(&self, input: usize, nearest: &mut Nearest);

    /// Takes a step and carries the columns through it.
    ///
    /// # Errors
    /// [`GradientError`] if the step fails or has no derivative.
    fn step(&mut self, at: &GridStep, columns: &mut Columns<'_>) -> Result<(), GradientError>;

    /// The end, with the time of rest if there is one, and its derivative with respect to displacements and velocities, a
    /// row per number; that of the time is in [`Motion::stop`].
    fn end(&self) -> (RunEnd, DMatrix<f64>);

    /// When it came to rest, in s, and the derivative of that, per column.
    fn stop(&self) -> Option<(f64, &[f64])> {
        None
    }

    /// Takes a step and gives what the way back by a rule needs of it.
    ///
    /// # Errors
    /// As [`Motion::step`].
    fn keep(&mut self, at: &GridStep, rule: DerivativeRule) -> Result<Self::Kept, GradientError>;

    /// Carries the derivative with respect to displacements and velocities after a step back to those before it, and adds
    /// that with respect to the inputs.
    ///
    /// # Errors
    /// As [`Motion::step`].
    fn carry_back(
        &mut self,
        at: &GridStep,
        kept: Self::Kept,
        rule: DerivativeRule,
        weight: &mut DVector<f64>,
        gradient: &mut [f64],
    ) -> Result<(), GradientError>;
}

impl<B: Beginning> DifferentiableRun for B {
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError> {
        Beginning::check(self, rule)
    }

    fn forward(
        self: Box<Self>,
        inputs: &[Input],
        rules: &[DerivativeRule],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Vec<Result<Tangents, GradientError>>, GradientError> {
        let refused = rules.iter().map(|rule| Beginning::check(self.as_ref(), *rule)).collect();
        let motion = self.begin(inputs, options)?;
        forward(motion, inputs, (rules, refused), options, watch)
    }

    fn backward(
        self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        rule: DerivativeRule,
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Adjoint, GradientError> {
        Beginning::check(self.as_ref(), rule)?;
        let motion = self.begin(inputs, options)?;
        backward(motion, (inputs, weight), rule, options, watch)
    }
}

/// Carries the derivatives by these rules forward; those that are refused have none.
fn forward<M: Motion>(
    mut motion: M,
    inputs: &[Input],
    (rules, refused): (&[DerivativeRule], Vec<Result<(), GradientError>>),
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Vec<Result<Tangents, GradientError>>, GradientError> {
    let start = motion.start();
    let mut columns = Columns::new(&start, rules, refused, options.kinks);
    for (column, nearest) in columns.nearest.iter_mut().enumerate() {
        motion.see_start(column % inputs.len(), nearest);
    }
    let mut largest = vec![0.0; columns.change.ncols()];
    columns.note_largest(&mut largest);
    for at in options.grid.steps() {
        if watch.advance(1).is_break() {
            return Err(GradientError::Interrupted);
        }
        motion.step(&at, &mut columns)?;
        columns.note_largest(&mut largest);
    }
    let (end, rows) = motion.end();
    let state = columns.change.rows(0, columns.state());
    let jacobian = rows * state;
    let of_rule = |place: usize| {
        columns.refused[place].clone()?;
        let own = columns.range(place);
        let is_finite = |column: &usize| state.column(*column).iter().all(|x| x.is_finite());
        if let Some(column) = own.clone().find(|column| !is_finite(column)) {
            return Err(GradientError::NotFinite { input: inputs[column - own.start] });
        }
        let mut jacobian = jacobian.columns_range(own.clone()).into_owned();
        if let Some((_, slopes)) = motion.stop() {
            let last = jacobian.nrows() - 1;
            jacobian.row_mut(last).copy_from_slice(&slopes[own.clone()]);
        }
        Ok(Tangents {
            end: end.clone(),
            jacobian,
            nearest: if options.kinks { columns.nearest[own.clone()].to_vec() } else { Vec::new() },
            branches: columns.branches,
            largest: largest[own].to_vec(),
        })
    };
    Ok((0..rules.len()).map(of_rule).collect())
}

impl Tangents {
    /// Those of these results, each with its derivatives per input; without kinks, and none met on the way.
    pub(super) fn of(results: &[(String, f64, Vec<f64>)], inputs: usize) -> Self {
        let names = results.iter().map(|(name, ..)| name.clone()).collect();
        let values = results.iter().map(|(_, value, _)| *value).collect();
        Self {
            end: RunEnd { names, values },
            jacobian: DMatrix::from_fn(results.len(), inputs, |i, j| results[i].2[j]),
            nearest: Vec::new(),
            branches: Branches::default(),
            largest: vec![0.0; inputs],
        }
    }
}

/// Carries the derivative of the weighed end back.
fn backward<M: Motion>(
    mut motion: M,
    (inputs, weight): (&[Input], &[f64]),
    rule: DerivativeRule,
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Adjoint, GradientError> {
    let start = motion.start();
    let mut all_kept = Vec::with_capacity(options.grid.len());
    for at in options.grid.steps() {
        if watch.advance(1).is_break() {
            return Err(GradientError::Interrupted);
        }
        all_kept.push(motion.keep(&at, rule)?);
    }
    let (end, rows) = motion.end();
    let mut weight = rows.tr_mul(&end.weights(weight));
    let mut gradient = vec![0.0; inputs.len()];
    for (index, kept) in all_kept.into_iter().enumerate().rev() {
        GradientError::unless_stopped(watch)?;
        motion.carry_back(&options.grid.step(index), kept, rule, &mut weight, &mut gradient)?;
    }
    for (gradient, column) in gradient.iter_mut().zip(start.column_iter()) {
        *gradient += column.dot(&weight);
    }
    if let Some(index) = gradient.iter().position(|value| !value.is_finite()) {
        return Err(GradientError::NotFinite { input: inputs[index] });
    }
    Ok(Adjoint { end, gradient })
}
