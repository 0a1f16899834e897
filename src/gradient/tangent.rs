use super::{
    Branches, Grid, Input,
    error::GradientError,
    lifted::{Direction, Lifted},
    nearest::Nearest,
    stop::StopWatch,
    variation::Variation,
    window::{MovedEdge, see_edge},
};
use crate::{
    model::{PointMass, State, Vector},
    scenario::Scenario,
    stepper::{
        PointInput, PointStepper,
        derivative::{NoDerivative, StepRates},
    },
    watch::Watch,
};

/// When the point came to rest, and the derivative of that time with respect to every input.
#[derive(Debug, Clone, PartialEq)]
pub struct StopTime {
    /// In s.
    pub time: f64,
    /// A derivative per input.
    pub gradient: Vec<f64>,
}

/// How a gradient is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradientOptions {
    /// The steps.
    pub grid: Grid,
    /// Whether an edge of a push's window counts by the mean push of the step that it lies in. The
    /// push is sampled, and without this the gradient with respect to an edge is zero.
    pub mean_push: bool,
    /// Whether to look for the nearest kinks, which takes longer.
    pub kinks: bool,
}

impl GradientOptions {
    /// The steps of the scenario, mean push, no kinks.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        Self { grid: Grid::new(scenario.time()), mean_push: true, kinks: false }
    }
}

/// The end of a run, and its derivative with respect to every input.
#[derive(Debug, Clone, PartialEq)]
pub struct Tangents<const D: usize> {
    /// The state at the end.
    pub state: State<D>,
    /// Its derivative, per input.
    pub tangents: Vec<State<D>>,
    /// When the point came to rest, if it does.
    pub stop: Option<StopTime>,
    /// The change of each input at which the first branch of a step changes; empty if not asked for.
    pub nearest: Vec<Nearest>,
    /// Which branches the steps took; of none if kinks were not asked for.
    pub branches: Branches,
    /// The largest derivative met on the way, per input: the largest component of the state's, in
    /// m or m/s per unit of the input.
    pub largest: Vec<f64>,
}

/// What a run is differentiated with respect to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub inputs: &'a [Input],
    /// The edge of a window that has moved already.
    pub moved: Option<MovedEdge>,
}

impl<'a> Asked<'a> {
    /// Of the scenario as it is.
    pub fn of(inputs: &'a [Input]) -> Self {
        Self { inputs, moved: None }
    }
}

/// Everything that a run of the steps shares, forward and backward.
pub(super) struct Course<'a, const D: usize> {
    pub lifted: Lifted<D, f64>,
    pub body: PointMass<D>,
    pub directions: Vec<Direction<D>>,
    /// How the parameters of a step change in each direction: of the step of [`Course::reach`].
    pub rates: Vec<StepRates<D>>,
    pub options: &'a GradientOptions,
    moved: Option<MovedEdge>,
}

impl<'a, const D: usize> Course<'a, D> {
    pub fn new(
        scenario: &Scenario<D>,
        inputs: &[Input],
        options: &'a GradientOptions,
        moved: Option<MovedEdge>,
    ) -> Result<Self, GradientError> {
        for input in inputs {
            input.check(scenario)?;
        }
        let start = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let variation = |&input: &Input| Variation { input: Some(input), start };
        let variations: Vec<Variation<D>> = inputs.iter().map(variation).collect();
        Ok(Self::along(scenario, &variations, options, moved))
    }

    /// In directions whose inputs have been checked.
    pub fn along(
        scenario: &Scenario<D>,
        variations: &[Variation<D>],
        options: &'a GradientOptions,
        moved: Option<MovedEdge>,
    ) -> Self {
        let direction = |variation: &Variation<D>| Direction::new(scenario, variation, moved);
        let directions: Vec<_> = variations.iter().map(direction).collect();
        let rates =
            directions.iter().map(|direction| direction.rates(&options.grid.step(0), options.mean_push));
        let lifted = Lifted::constant(scenario);
        Self { body: lifted.body(), lifted, rates: rates.collect(), directions, options, moved }
    }

    /// The input of a step.
    pub fn input(&self, step: &super::GridStep, state: State<D>) -> PointInput<D> {
        let mut push = self.lifted.push(step.time, step.h);
        if let Some(moved) = &self.moved {
            push += moved.push(&self.lifted.pushes, step);
        }
        PointInput { index: step.index, time: step.time, state, push, dt: step.h }
    }

    /// Comes to a step: takes the rates that are not the same in every step.
    pub fn reach(&mut self, step: &super::GridStep) {
        for (direction, rates) in self.directions.iter().zip(&mut self.rates) {
            if direction.varies {
                *rates = direction.rates(step, self.options.mean_push);
            }
        }
    }
}

/// Runs the steps and carries a derivative per input along, forward in time.
///
/// Nothing is allocated per step.
///
/// # Errors
/// [`GradientError`] if an input has no derivative in this scenario, if a step fails, or if the
/// stepper has no derivative; [`GradientError::Interrupted`] if `watch` says to stop.
pub fn tangents<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    inputs: &[Input],
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Tangents<D>, GradientError> {
    tangents_beside(scenario, stepper, Asked::of(inputs), options, watch)
}

/// The same of a run in which the edge of a window has `moved`.
pub(super) fn tangents_beside<const D: usize>(
    scenario: &Scenario<D>,
    stepper: &mut dyn PointStepper<D>,
    Asked { inputs, moved }: Asked<'_>,
    options: &GradientOptions,
    watch: &Watch<'_>,
) -> Result<Tangents<D>, GradientError> {
    let mut course = Course::new(scenario, inputs, options, moved)?;
    refuse_step(stepper, inputs)?;
    let mut state = course.lifted.state;
    let mut changes: Vec<State<D>> = course.directions.iter().map(|direction| direction.start).collect();
    let mut nearest = vec![Nearest::default(); if options.kinks { inputs.len() } else { 0 }];
    let mut branches = Branches::default();
    let mut largest: Vec<f64> = changes.iter().map(largest_component).collect();
    let body = course.body;
    let mut stop = StopWatch::new(scenario, &body, inputs.len());
    if options.mean_push {
        for (input, nearest) in inputs.iter().zip(&mut nearest) {
            see_edge(scenario, *input, moved, options.grid, nearest);
        }
    }
    stepper.reset();
    for step in options.grid.steps() {
        GradientError::unless_stopped(watch)?;
        let input = course.input(&step, state);
        let taken = stepper.step(&input).map_err(|error| GradientError::step(&step, &error))?;
        course.reach(&step);
        stop.look(&step, &input, &taken, &changes, &course.rates);
        if options.kinks {
            let margins = stepper.margins(&input, &taken);
            branches.see(&margins);
            for ((nearest, change), rates) in nearest.iter_mut().zip(&changes).zip(&course.rates) {
                nearest.look(&step, &margins, change, rates);
            }
        }
        // Looked at where it is: it is large, and moving it would take as long as a direction.
        match &stepper.step_derivative(&input, &taken) {
            Ok(derivative) => {
                derivative.tangents(&course.body, &input, changes.iter_mut().zip(&course.rates));
            }
            Err(none) => return Err(none.clone().into()),
        }
        for (change, largest) in changes.iter().zip(&mut largest) {
            *largest = largest.max(largest_component(change));
        }
        state = taken.state;
    }
    if let Some(index) = changes.iter().position(|change| !change.is_finite()) {
        return Err(GradientError::NotFinite { input: inputs[index] });
    }
    Ok(Tangents { state, tangents: changes, stop: stop.stop(), nearest, branches, largest })
}

/// Refuses the length of the step as an input of a stepper whose results depend on where between two
/// samples events fall: they are no function of it that had a derivative.
pub(super) fn refuse_step<const D: usize>(
    stepper: &dyn PointStepper<D>,
    inputs: &[Input],
) -> Result<(), GradientError> {
    if stepper.divides_steps() || !inputs.contains(&Input::Step) {
        return Ok(());
    }
    let reason = "its derivative with respect to `step` does not exist where events fall between samples; use \
                  exact, or lcp or nlp with time_of_impact = true";
    Err(NoDerivative { stepper: stepper.name(), reason: reason.to_owned() }.into())
}

/// What is no number counts as nothing.
#[inline]
pub(super) fn largest_component<const D: usize>(change: &State<D>) -> f64 {
    let components = change.position.iter().chain(change.velocity.iter());
    components.fold(0.0, |most, component| if component.abs() > most { component.abs() } else { most })
}
