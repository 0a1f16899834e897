use num_dual::{Derivative, DualSVec64};

use super::{Grid, Input, Lifted, tangent::StopTime};
use crate::{
    contact::FailureKind,
    model::{Number, State},
    scenario::Scenario,
    stepper::{Event, EventKind, Exact, StepError, StepFailure},
};

/// How many inputs one pass of the exact motion carries along.
const WIDTH: usize = 4;

type Wide = DualSVec64<WIDTH>;

/// The end of the exact motion and its gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactGradient<const D: usize> {
    /// The state at the end.
    pub state: State<D>,
    /// Its derivative, per input.
    pub tangents: Vec<State<D>>,
    /// When the point came to rest, if it does.
    pub stop: Option<StopTime>,
}

impl<const D: usize> ExactGradient<D> {
    /// Follows the exact motion in dual numbers, event times included.
    ///
    /// # Errors
    /// [`StepError`] where the motion has no closed form that could be differentiated.
    pub fn new(scenario: &Scenario<D>, inputs: &[Input], grid: Grid) -> Result<Self, StepError<D>> {
        let mut gradient: Option<Self> = None;
        let passes: Vec<&[Input]> =
            if inputs.is_empty() { vec![&[]] } else { inputs.chunks(WIDTH).collect() };
        for inputs in passes {
            let (state, stop) = follow(scenario, inputs, grid)?;
            let part = |value: &Wide, i: usize| value.eps.unwrap_generic(nalgebra::Const, nalgebra::U1)[i];
            let tangents = (0..inputs.len()).map(|i| State {
                position: state.position.map(|x| part(&x, i)),
                velocity: state.velocity.map(|v| part(&v, i)),
            });
            let stops = stop.iter().flat_map(|stop| (0..inputs.len()).map(move |i| part(stop, i)));
            let gradient = gradient.get_or_insert_with(|| Self {
                state: State {
                    position: state.position.map(|x| x.re),
                    velocity: state.velocity.map(|v| v.re),
                },
                tangents: Vec::new(),
                stop: stop.map(|stop| StopTime { time: stop.re, gradient: Vec::new() }),
            });
            gradient.tangents.extend(tangents);
            if let Some(stop) = &mut gradient.stop {
                stop.gradient.extend(stops);
            }
        }
        // There is at least one pass.
        gradient.ok_or_else(|| StepFailure::new(FailureKind::OutOfRange, "no input was given").into())
    }
}

/// The scenario with a derivative for each of the inputs.
fn lift<const D: usize>(scenario: &Scenario<D>, inputs: &[Input]) -> Lifted<D, Wide> {
    let mut lifted = Lifted::constant(scenario);
    for (i, &input) in inputs.iter().enumerate().take(WIDTH) {
        let direction = Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, i);
        lifted.vary(input, Wide::new(0.0, direction));
    }
    lifted
}

fn follow<const D: usize>(
    scenario: &Scenario<D>,
    inputs: &[Input],
    grid: Grid,
) -> Result<(State<D, Wide>, Option<Wide>), StepError<D>> {
    let lifted = lift(scenario, inputs);
    let mut exact = Exact::of(lifted.body(), &lifted.pushes);
    let mut state = lifted.state;
    for step in grid.steps() {
        (state, _) = exact.advance(state, lifted.dt * step.elapsed, lifted.dt * step.share)?;
    }
    Ok((state, stop_time(&state, exact.events())))
}

/// When the point came to rest for good: the last event that left it so.
fn stop_time<const D: usize, N: Number>(end: &State<D, N>, events: &[Event<D, N>]) -> Option<N> {
    if end.velocity.iter().any(|v| v.re() != 0.0) {
        return None;
    }
    let stops = |kind: EventKind| {
        matches!(
            kind,
            EventKind::SlidingStops | EventKind::Impact | EventKind::Impacts(_) | EventKind::BouncingEnds
        )
    };
    Some(events.iter().rfind(|event| stops(event.kind)).map_or(N::zero(), |event| event.time))
}
