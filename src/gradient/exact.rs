use num_dual::{Derivative, DualSVec64};

use super::{GradientError, Grid, Input, Lifted, tangent::StopTime};
use crate::{
    model::{Number, State},
    scenario::Scenario,
    stepper::{Event, EventKind, Exact},
    watch::Watch,
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
    /// [`GradientError::Step`] where the motion has no closed form that could be differentiated,
    /// [`GradientError::Interrupted`] if `watch` says to stop.
    pub fn new(
        scenario: &Scenario<D>,
        inputs: &[Input],
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError> {
        let (first, others) = inputs.split_at(inputs.len().min(WIDTH));
        let mut gradient = Self::of_a_pass(scenario, first, grid, watch)?;
        for inputs in others.chunks(WIDTH) {
            let pass = Self::of_a_pass(scenario, inputs, grid, watch)?;
            gradient.tangents.extend(pass.tangents);
            if let (Some(stop), Some(more)) = (&mut gradient.stop, pass.stop) {
                stop.gradient.extend(more.gradient);
            }
        }
        Ok(gradient)
    }

    /// With respect to at most [`WIDTH`] inputs.
    fn of_a_pass(
        scenario: &Scenario<D>,
        inputs: &[Input],
        grid: Grid,
        watch: &Watch<'_>,
    ) -> Result<Self, GradientError> {
        let (state, stop) = follow(scenario, inputs, grid, watch)?;
        let part = |value: &Wide, i: usize| value.eps.unwrap_generic(nalgebra::Const, nalgebra::U1)[i];
        let tangent = |i| State {
            position: state.position.map(|x| part(&x, i)),
            velocity: state.velocity.map(|v| part(&v, i)),
        };
        let gradient = |stop: &Wide| (0..inputs.len()).map(|i| part(stop, i)).collect();
        Ok(Self {
            state: State { position: state.position.map(|x| x.re), velocity: state.velocity.map(|v| v.re) },
            tangents: (0..inputs.len()).map(tangent).collect(),
            stop: stop.map(|stop| StopTime { time: stop.re, gradient: gradient(&stop) }),
        })
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
    watch: &Watch<'_>,
) -> Result<(State<D, Wide>, Option<Wide>), GradientError> {
    let lifted = lift(scenario, inputs);
    let mut exact = Exact::of(lifted.body(), &lifted.pushes);
    let mut state = lifted.state;
    for step in grid.steps() {
        GradientError::unless_stopped(watch)?;
        let advanced = exact.advance(state, lifted.dt * step.elapsed, lifted.dt * step.share);
        (state, _) = advanced.map_err(|error| GradientError::step(&step, &error))?;
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
