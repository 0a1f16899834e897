//! The event-driven stepper: the true motion, against which the others are measured.
//!
//! The point is always in one of a few modes: flight, sliding along a line, sticking (or gliding
//! where there is no friction). Gravity and the pushes are a constant plus sinusoids between two
//! edges of the pushes' windows, so each mode is integrated in closed form. A mode ends at an event:
//! landing, lift-off, coming to rest, breaking away, the edge of a window. Events are roots of the
//! same closed forms, of a polynomial where the push is constant, and otherwise bracketed between
//! bounds on the derivatives (see `first_exit`), so that none is lost
//! between two samples. An impact follows Newton's law with Coulomb friction; bounces in a row, and
//! the infinitely many at the end of bouncing (Zeno), are geometric sums. The one motion without a
//! closed form, sliding over a plane under a push from the side, is integrated numerically; see
//! `turning`.
//!
//! A step is a function of the state at its start and of the scenario alone.

pub mod body;
mod bounces;
mod collocation;
mod contact;
mod drive;
mod event;
mod first_exit;
mod flight;
mod forcing;
mod motion;
mod of_body;
mod rows;
mod timeline;
mod turning;

pub use event::{Event, EventKind};
pub use forcing::Forcing;
pub use of_body::ExactOfBody;
pub(super) use rows::ROWS;

use self::{motion::Motion, timeline::Timeline};
use super::{
    FlightVelocity, Honours, PointInput, PointStepper, Refusal, SolveReport, Step, StepError, StepperName,
    admission::single_point, ignored::IMPACT_AT_ITS_INSTANT,
};
use crate::{
    model::{Number, PointMass, State, Vector},
    scenario::{Push, Scenario},
};

/// Periods of a sinusoidal push within one step beyond which a scenario is refused.
const MOST_PERIODS: f64 = 1e4;

/// The event-driven stepper.
///
/// Unlike the other steppers, which hold the push sampled at `t_k` over the step, it follows the
/// continuous pushes of the scenario. What [`PointInput::push`] has beyond their sample at `t_k`, as the
/// push of a caller's own, is held over the step.
///
/// In dual numbers it carries derivatives along, those of the times of the events included.
#[derive(Debug, Clone)]
pub struct Exact<const D: usize, N = f64> {
    body: PointMass<D, N>,
    timeline: Timeline<D, N>,
    events: Vec<Event<D, N>>,
    /// The pushes as the other steppers sample them, and the step in s by which they do.
    sampled: (Vec<Push<D>>, f64),
    /// Flights that last longer than this, in s, are not summed with others.
    longest_summed: f64,
}

impl<const D: usize, N: Number> Exact<D, N> {
    /// The motion of `body` under gravity and `pushes`.
    pub fn of(body: PointMass<D, N>, pushes: &[Forcing<D, N>]) -> Self {
        let timeline = Timeline::new(&body, pushes);
        Self { body, timeline, events: Vec::new(), sampled: (Vec::new(), 0.0), longest_summed: f64::INFINITY }
    }

    /// Reports every impact by itself after which the point flies for longer than `longest`, in s. Without this as many
    /// are summed ([`EventKind::Impacts`]) as there is a closed form for.
    #[must_use]
    pub fn summing(mut self, longest: f64) -> Self {
        self.longest_summed = longest;
        self
    }

    /// The state `dt` s after `state`, which is that at the time `start`, and the impulse of the
    /// contact in between.
    ///
    /// # Errors
    /// [`StepError`] where more events follow each other than can be told apart.
    pub fn advance(
        &mut self,
        state: State<D, N>,
        start: N,
        dt: N,
    ) -> Result<(State<D, N>, Vector<D, N>), StepError<D>> {
        let mut motion = Motion::new(&self.body, &mut self.events, state, start, dt);
        motion.longest_summed = self.longest_summed;
        motion.run(&self.timeline)?;
        Ok((motion.state, motion.impulse))
    }

    /// What happened in the steps since the start or since they were [forgotten](Self::forget), in order of time.
    ///
    /// An impact that falls on the very end of the last step belongs to the step after it.
    pub fn events(&self) -> &[Event<D, N>] {
        &self.events
    }

    /// Forgets what happened.
    pub fn forget(&mut self) {
        self.events.clear();
    }
}

impl<const D: usize> Exact<D> {
    /// An exact stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if a push swings more than ten thousand times within one step.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let body = single_point(scenario, StepperName::EXACT)?;
        if scenario.pushes.iter().any(|push| push.table.is_some()) {
            return Err(Refusal {
                stepper: StepperName::EXACT,
                reason: "a push comes from a table, and it follows constant and sinusoidal pushes".to_owned(),
                remedy: "give `force` in the place of `table` or `file`".to_owned(),
            });
        }
        for frequency in scenario.pushes.iter().filter_map(|push| push.frequency) {
            let periods = frequency.abs() * scenario.step;
            if periods > MOST_PERIODS {
                return Err(Refusal {
                    stepper: StepperName::EXACT,
                    reason: format!(
                        "a push of {frequency} Hz swings {periods:.0} times within a step of {} s, more than \
                         {MOST_PERIODS} times",
                        scenario.step
                    ),
                    remedy: "lower its `frequency` or the `step`".to_owned(),
                });
            }
        }
        let pushes: Vec<_> = scenario.pushes.iter().map(Forcing::constant).collect();
        let sampled = (scenario.pushes.clone(), scenario.step);
        Ok(Self { sampled, ..Self::of(body, &pushes) })
    }
}

impl<const D: usize> PointStepper<D> for Exact<D> {
    fn name(&self) -> StepperName {
        StepperName::EXACT
    }

    fn honours(&self) -> Honours {
        Honours {
            push_within_steps: true,
            impacts_within_steps: true,
            flight: FlightVelocity::Mean,
            ignores: &[IMPACT_AT_ITS_INSTANT],
            ..Honours::default()
        }
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let (pushes, step) = &self.sampled;
        let sample = |sum, push: &Push<D>| sum + push.at_step(input.index, *step);
        let own = input.push - pushes.iter().fold(Vector::zeros(), sample);
        let (state, contact_impulse) = if own == Vector::<D>::zeros() {
            self.advance(input.state, input.time, input.dt)?
        } else {
            let pushed = self.timeline.with_constant(own / self.body.mass);
            let timeline = std::mem::replace(&mut self.timeline, pushed);
            let outcome = self.advance(input.state, input.time, input.dt);
            self.timeline = timeline;
            outcome?
        };
        Ok(Step { state, contact_impulse, report: SolveReport::CLOSED_FORM })
    }

    fn reset(&mut self) {
        self.forget();
    }
}
