//! The motion of a single point over the ground, whose steps are differentiated in a few numbers on the stack.

mod corrected;
mod flow;
mod sampled;
mod stop;

use nalgebra::{DMatrix, DVector};

pub(super) use self::corrected::corrected_derivative;
pub use self::sampled::{Sampled, sampled};
use self::stop::StopWatch;
use super::{
    DerivativeRule, ExactGradient, GradientError, GradientOptions, GridStep, Input, Nearest, Tangents,
    Variation,
    lifted::{Direction, Lifted},
    output::output_names,
    run::{Adjoint, Beginning, Columns, DifferentiableRun, Motion, RunEnd},
    window::see_edge,
};
use crate::{
    contact::Friction,
    model::{PointMass, State, Vector},
    scenario::Scenario,
    stepper::{
        PointInput, PointStepper, SolveReport, Step,
        derivative::{NoDerivative, StepDerivative, StepRates},
    },
    watch::Watch,
};

/// A step that a point took.
pub struct TakenStep<'a, const D: usize> {
    pub(super) body: &'a PointMass<D>,
    /// That of the ground.
    pub(super) friction: &'a Friction,
    pub(super) input: &'a PointInput<D>,
    pub(super) step: &'a Step<D>,
    /// The push in the step before in N; that of the first step in the first.
    pub(super) pushed_before: Vector<D>,
}

/// The derivative of the continuous motion in the place of that of a step in contact; `None` in flight.
type Correction<const D: usize> = fn(&TakenStep<'_, D>) -> Option<StepDerivative<D>>;

/// A stepper of a point, and the corrected derivative of its steps, or why it has none.
pub struct PointModel<const D: usize> {
    pub(super) stepper: Box<dyn PointStepper<D>>,
    pub(super) correction: Result<Correction<D>, NoDerivative>,
}

impl<const D: usize> PointModel<D> {
    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError> {
        match (rule, &self.correction) {
            (DerivativeRule::Corrected, Err(none)) => Err(none.clone().into()),
            _ => Ok(()),
        }
    }
}

/// A run of a point by a stepper.
pub(super) struct PointRun<'a, const D: usize> {
    pub scenario: &'a Scenario<D>,
    pub model: PointModel<D>,
}

/// The exact motion of a point, in dual numbers.
pub(super) struct ExactRun<'a, const D: usize> {
    pub scenario: &'a Scenario<D>,
}

/// A point that moves, and how everything changes in some directions.
pub(super) struct PointMotion<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    model: PointModel<D>,
    inputs: Vec<Input>,
    lifted: Lifted<D, f64>,
    body: PointMass<D>,
    /// That of the ground.
    friction: Friction,
    state: State<D>,
    directions: Vec<Direction<D>>,
    /// How the parameters of a step change in each direction: of the step of [`PointMotion::take`].
    rates: Vec<StepRates<D>>,
    options: GradientOptions,
    stop: Option<StopWatch<D>>,
    /// The derivatives of the state, a column each.
    changes: Vec<State<D>>,
    /// What the stepper remembered before the steps that are kept, where its steps go by that.
    memories: Vec<Vec<f64>>,
}

/// The derivative of a state that begins a column.
fn read_state<const D: usize>(column: &[f64]) -> State<D> {
    let (position, velocity) = column.split_at(D);
    State {
        position: Vector::from_column_slice(position),
        velocity: Vector::from_column_slice(&velocity[..D]),
    }
}

fn write_state<const D: usize>(state: &State<D>, column: &mut [f64]) {
    for (place, component) in column.iter_mut().zip(state.position.iter().chain(state.velocity.iter())) {
        *place = *component;
    }
}

impl<'a, const D: usize> PointMotion<'a, D> {
    fn new(
        scenario: &'a Scenario<D>,
        model: PointModel<D>,
        inputs: &[Input],
        options: &GradientOptions,
    ) -> Result<Self, GradientError> {
        for input in inputs {
            input.check(scenario)?;
        }
        let start = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let variation = |&input: &Input| Variation { input: Some(input), start };
        let variations: Vec<Variation<D>> = inputs.iter().map(variation).collect();
        let motion = Self::along(scenario, model, &variations, *options);
        motion.refuse_step(inputs)?;
        Ok(Self { inputs: inputs.to_vec(), ..motion })
    }

    /// In directions whose inputs have been checked.
    fn along(
        scenario: &'a Scenario<D>,
        mut model: PointModel<D>,
        variations: &[Variation<D>],
        options: GradientOptions,
    ) -> Self {
        let direction = |variation: &Variation<D>| Direction::new(scenario, variation, options.moved);
        let directions: Vec<_> = variations.iter().map(direction).collect();
        let rates =
            directions.iter().map(|direction| direction.rates(&options.grid.step(0), options.mean_push));
        let lifted = Lifted::constant(scenario);
        model.stepper.reset();
        Self {
            scenario,
            model,
            inputs: Vec::new(),
            body: lifted.body(),
            friction: scenario.ground.surface().friction,
            state: lifted.state,
            rates: rates.collect(),
            lifted,
            directions,
            options,
            stop: None,
            changes: Vec::new(),
            memories: Vec::new(),
        }
    }

    /// Refuses the length of the step as an input of a stepper whose results depend on where between two
    /// samples events fall: they are no function of it that had a derivative.
    fn refuse_step(&self, inputs: &[Input]) -> Result<(), GradientError> {
        let stepper = &self.model.stepper;
        let none = |reason: String| Err(NoDerivative { stepper: stepper.name(), reason }.into());
        let from_table = self.scenario.pushes.iter().any(|push| push.table.is_some());
        if !inputs.contains(&Input::Step) {
            return Ok(());
        }
        if stepper.divides_steps() {
            let reason = "its derivative with respect to `step` is not taken through a push from a table";
            return if from_table { none(reason.to_owned()) } else { Ok(()) };
        }
        let reason = "its derivative with respect to `step` does not exist where events fall between samples; \
                      use exact, or lcp or nlp with time_of_impact = true";
        none(reason.to_owned())
    }

    /// What pushes in a step, in N.
    fn push(&self, at: &GridStep) -> Vector<D> {
        let mut push = self.lifted.push(at.time, at.h);
        for (push_of, forcing) in self.scenario.pushes.iter().zip(&self.lifted.pushes) {
            if let Some(table) = push_of.table.as_ref().filter(|_| forcing.acts_at(at.time, at.h)) {
                push += table.at(at.time);
            }
        }
        if let Some(moved) = &self.options.moved {
            push += moved.push(&self.lifted.pushes, at);
        }
        push
    }

    /// The input of a step from `state`.
    fn input(&self, at: &GridStep, state: State<D>) -> PointInput<D> {
        PointInput { index: at.index, time: at.time, state, push: self.push(at), dt: at.h }
    }

    /// Comes to a step: takes the rates that are not the same in every step.
    fn reach(&mut self, at: &GridStep) {
        for (direction, rates) in self.directions.iter().zip(&mut self.rates) {
            if direction.varies {
                *rates = direction.rates(at, self.options.mean_push);
            }
        }
    }

    /// Takes a step.
    fn take(&mut self, at: &GridStep) -> Result<(PointInput<D>, Step<D>), GradientError> {
        let input = self.input(at, self.state);
        let taken = self.model.stepper.step(&input).map_err(|error| GradientError::step(at, &error))?;
        self.reach(at);
        self.state = taken.state;
        Ok((input, taken))
    }

    fn derivative(
        &self,
        rule: DerivativeRule,
        input: &PointInput<D>,
        taken: &Step<D>,
    ) -> Result<StepDerivative<D>, GradientError> {
        let PointModel { stepper, correction } = &self.model;
        let corrected = match (rule, correction) {
            (DerivativeRule::Corrected, Ok(correction)) => {
                let before = self.options.grid.step(input.index.saturating_sub(1));
                correction(&TakenStep {
                    body: &self.body,
                    friction: &self.friction,
                    input,
                    step: taken,
                    pushed_before: self.push(&before),
                })
            }
            _ => None,
        };
        match corrected {
            Some(corrected) => Ok(corrected),
            None => Ok(stepper.step_derivative(input, taken)?),
        }
    }

    /// Sees what decides the branches of a step.
    fn look(&self, at: &GridStep, (input, taken): (&PointInput<D>, &Step<D>), columns: &mut Columns<'_>) {
        let margins = self.model.stepper.margins(input, taken);
        columns.branches.see(&margins);
        let seen = columns.nearest.iter_mut().zip(&self.changes).zip(self.rates.iter().cycle());
        for ((nearest, change), rates) in seen {
            nearest.look(at, &margins, change, rates);
        }
    }
}

impl<const D: usize> Motion for PointMotion<'_, D> {
    /// The state before the step and the impulse in it: 48 bytes in the plane.
    type Kept = (State<D>, Vector<D>);

    fn start(&self) -> DMatrix<f64> {
        let mut start = DMatrix::zeros(2 * D, self.directions.len());
        for (direction, column) in self.directions.iter().zip(start.as_mut_slice().chunks_exact_mut(2 * D)) {
            write_state(&direction.start, column);
        }
        start
    }

    fn see_start(&self, input: usize, nearest: &mut Nearest) {
        let GradientOptions { mean_push, moved, grid, .. } = self.options;
        if mean_push {
            see_edge(self.scenario, self.inputs[input], moved, grid, nearest);
        }
    }

    fn step(&mut self, at: &GridStep, columns: &mut Columns<'_>) -> Result<(), GradientError> {
        let rows = columns.change.nrows();
        if self.stop.is_none() {
            let all = columns.change.as_slice().chunks_exact(rows.max(1));
            self.changes = all.map(read_state).collect();
            self.stop = Some(StopWatch::new(self.scenario, self.body, columns.change.ncols()));
        }
        let (input, taken) = self.take(at)?;
        if let Some(stop) = &mut self.stop {
            stop.look(at, &input, &taken, &columns.change, &self.rates);
        }
        if columns.kinks {
            self.look(at, (&input, &taken), columns);
        }
        for rule in [DerivativeRule::Raw, DerivativeRule::Corrected, DerivativeRule::Sharing] {
            let own = columns.of(rule);
            if own.is_empty() {
                continue;
            }
            let derivative = self.derivative(rule, &input, &taken)?;
            let changes = self.changes[own].iter_mut().zip(&self.rates);
            derivative.tangents(&self.body, &input, changes);
        }
        let all = columns.change.as_mut_slice().chunks_exact_mut(rows.max(1));
        for (column, change) in all.zip(&self.changes) {
            write_state(change, column);
        }
        Ok(())
    }

    fn end(&self) -> (RunEnd, DMatrix<f64>) {
        let mut values = Vec::with_capacity(2 * D + 1);
        values.extend(self.state.position.iter().chain(self.state.velocity.iter()));
        values.extend(self.stop().map(|(time, _)| time));
        let mut names = output_names(self.scenario);
        names.truncate(values.len());
        let rows = DMatrix::identity(values.len(), 2 * D);
        (RunEnd { names: names.into(), values }, rows)
    }

    fn stop(&self) -> Option<(f64, &[f64])> {
        self.stop.as_ref()?.stop()
    }

    fn keep(&mut self, at: &GridStep, _rule: DerivativeRule) -> Result<Self::Kept, GradientError> {
        if self.friction.depends_on_slip() {
            self.memories.push(self.model.stepper.memory());
        }
        let (input, taken) = self.take(at)?;
        Ok((input.state, taken.contact_impulse))
    }

    fn carry_back(
        &mut self,
        at: &GridStep,
        (before, contact_impulse): Self::Kept,
        rule: DerivativeRule,
        weight: &mut DVector<f64>,
        gradient: &mut [f64],
    ) -> Result<(), GradientError> {
        let input = self.input(at, before);
        let taken = Step { state: self.state, contact_impulse, report: SolveReport::CLOSED_FORM };
        if let Some(memory) = self.memories.pop() {
            self.model.stepper.restore(&memory);
        }
        self.model.stepper.recall(&input).map_err(|error| GradientError::step(at, &error))?;
        let derivative = self.derivative(rule, &input, &taken)?;
        self.state = before;
        self.reach(at);
        let mut of_state = read_state(weight.as_slice());
        let mut gained = StepRates::zero();
        derivative.adjoint(&self.body, &input, &mut of_state, &mut gained);
        write_state(&of_state, weight.as_mut_slice());
        for (gradient, rates) in gradient.iter_mut().zip(&self.rates) {
            *gradient += gained.dot(rates);
        }
        Ok(())
    }
}

impl<'a, const D: usize> Beginning for PointRun<'a, D> {
    type Motion = PointMotion<'a, D>;

    fn check(&self, rule: DerivativeRule) -> Result<(), GradientError> {
        self.model.check(rule)
    }

    fn begin(self, inputs: &[Input], options: &GradientOptions) -> Result<Self::Motion, GradientError> {
        PointMotion::new(self.scenario, self.model, inputs, options)
    }
}

impl<const D: usize> ExactRun<'_, D> {
    fn tangents(
        &self,
        inputs: &[Input],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Tangents, GradientError> {
        let exact = ExactGradient::new(self.scenario, inputs, options.grid, watch)?;
        let result = |name: String| exact.result(&name).map(|(value, slopes)| (name, value, slopes));
        let results: Vec<_> = output_names(self.scenario).into_iter().filter_map(result).collect();
        let nearest = vec![Nearest::default(); if options.kinks { inputs.len() } else { 0 }];
        Ok(Tangents { nearest, ..Tangents::of(&results, inputs.len()) })
    }
}

impl<const D: usize> DifferentiableRun for ExactRun<'_, D> {
    /// The motion itself has one derivative, whatever the rule.
    fn check(&self, _rule: DerivativeRule) -> Result<(), GradientError> {
        Ok(())
    }

    fn forward(
        self: Box<Self>,
        inputs: &[Input],
        rules: &[DerivativeRule],
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Vec<Result<Tangents, GradientError>>, GradientError> {
        let tangents = self.tangents(inputs, options, watch)?;
        Ok(rules.iter().map(|_| Ok(tangents.clone())).collect())
    }

    fn backward(
        self: Box<Self>,
        inputs: &[Input],
        weight: &[f64],
        _rule: DerivativeRule,
        options: &GradientOptions,
        watch: &Watch<'_>,
    ) -> Result<Adjoint, GradientError> {
        let Tangents { end, jacobian, .. } = self.tangents(inputs, options, watch)?;
        let gradient = jacobian.tr_mul(&end.weights(weight)).as_slice().to_vec();
        Ok(Adjoint { end, gradient })
    }
}
