//! A run, one step at a time.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{Beginning, OnFailure, Outcome, push::no_push};
use crate::{
    contact::FailureKind,
    model::{Attitude, Spin, State, Vector},
    scenario::{Scenario, TimeGrid},
    stepper::{Honours, Moved, SolveReport, StepFailure, StepInput, Stepper},
    trajectory::{Ending, Failure, Passage, Record, StepRecord},
};

/// Speed in m/s, and rate of rotation in rad/s, beyond which a motion counts as blown up: a thousand
/// times the largest speed a scenario may start with.
const RUNAWAY_SPEED: f64 = 1e9;

/// A run that is taken step by step, in no more memory than a step needs.
pub struct Simulation<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    stepper: &'a mut dyn Stepper<D>,
    honours: Honours,
    on_failure: OnFailure,
    time: TimeGrid,
    /// The number of the next step.
    next: usize,
    states: Vec<State<D>>,
    attitudes: Vec<Attitude>,
    forces: Vec<Vector<D>>,
    torques: Vec<Spin>,
    moved: Moved<D>,
    /// How the last step was found, if it was taken.
    found: Option<StepRecord>,
    records: Vec<Record<D>>,
    contact_torques: Vec<Spin>,
    ending: Option<Ending>,
    first_failure: Option<Box<Failure<D>>>,
    /// Whether the time of every step is taken.
    is_timed: bool,
    spent: Duration,
}

impl<'a, const D: usize> Simulation<'a, D> {
    /// The run of `scenario` before its first step. `stepper` must have been made for it, and forgets what it
    /// did before.
    pub fn new(scenario: &'a Scenario<D>, stepper: &'a mut dyn Stepper<D>, on_failure: OnFailure) -> Self {
        stepper.reset();
        let (states, attitudes) = (scenario.initial_states(), scenario.initial_attitudes());
        Self {
            scenario,
            honours: stepper.honours(),
            stepper,
            on_failure,
            time: scenario.time(),
            next: 0,
            forces: vec![Vector::zeros(); states.len()],
            torques: vec![Spin::zeros(); attitudes.len()],
            moved: Moved::start(scenario),
            found: None,
            records: vec![Record { push: Vector::zeros(), force: Vector::zeros() }; states.len()],
            contact_torques: vec![Spin::zeros(); attitudes.len()],
            states,
            attitudes,
            ending: None,
            first_failure: None,
            is_timed: true,
            spent: Duration::ZERO,
        }
    }

    /// The same without the times of the steps, which are 0 then: two looks at the clock take as long as a third of a
    /// cheap step.
    #[must_use]
    pub fn untimed(self) -> Self {
        Self { is_timed: false, ..self }
    }

    /// Takes the next step; `None` where there is none, or it failed and ended the run.
    pub fn advance(&mut self) -> Option<Passage<'_, D>> {
        self.advance_pushed(no_push)
    }

    /// Takes the next step under a further push, see [`simulate_pushed`](super::simulate_pushed); `None` where
    /// there is none, or it failed and ended the run, or the push ended it.
    pub fn advance_pushed(
        &mut self,
        push: impl FnMut(&Beginning<'_, D>, &mut [Vector<D>], &mut [Spin]) -> ControlFlow<()>,
    ) -> Option<Passage<'_, D>> {
        if self.step_pushed(push) { self.passage() } else { None }
    }

    /// Takes the next step; false where there is none, or it failed and ended the run. What is not looked at by
    /// [`Self::passage`] costs nothing.
    pub fn step(&mut self) -> bool {
        self.step_pushed(no_push)
    }

    fn step_pushed(
        &mut self,
        mut push: impl FnMut(&Beginning<'_, D>, &mut [Vector<D>], &mut [Spin]) -> ControlFlow<()>,
    ) -> bool {
        if self.ending.is_some() || self.next == self.time.steps {
            return false;
        }
        self.found = None;
        let (index, time, dt) = (self.next, self.time.at(self.next), self.time.dt);
        if index > 0 {
            // A stepper writes every body, so that where the bodies were two steps ago need not be kept.
            std::mem::swap(&mut self.states, &mut self.moved.states);
            std::mem::swap(&mut self.attitudes, &mut self.moved.attitudes);
        }
        let (states, attitudes) = (self.states.as_slice(), self.attitudes.as_slice());
        self.scenario.loads_at(index, attitudes, &mut self.forces, &mut self.torques);
        let now = Beginning { index, time, states, attitudes };
        if push(&now, &mut self.forces, &mut self.torques).is_break() {
            self.interrupt();
            return false;
        }
        self.moved.contacts.clear();
        let (forces, torques) = (self.forces.as_slice(), self.torques.as_slice());
        let input = StepInput { index, time, dt, states, attitudes, forces, torques };
        let started = self.is_timed.then(Instant::now);
        let outcome = self.stepper.step(&input, &mut self.moved);
        let elapsed = started.map_or(Duration::ZERO, |started| started.elapsed());
        self.spent += elapsed;
        let nanoseconds = saturating_nanoseconds(elapsed);
        let error = match outcome {
            Ok(report) if is_sound(&self.moved) => {
                self.found = Some(StepRecord { report, nanoseconds });
                self.next = index + 1;
                return true;
            }
            Ok(_) => runaway(&self.moved),
            Err(error) => error,
        };
        let goes_on = self.on_failure == OnFailure::Continue;
        let candidate = candidate_of(&error, &self.moved).filter(|_| goes_on);
        self.first_failure.get_or_insert_with(|| Box::new(failure(&input, self.stepper.memory(), error)));
        match candidate {
            Some(_) => self.next = index + 1,
            None => self.ending = Some(Ending::Failed),
        }
        self.found = candidate.map(|report| StepRecord { report, nanoseconds });
        candidate.is_some()
    }

    /// The last step; `None` before the first, and after one that ended the run.
    pub fn passage(&mut self) -> Option<Passage<'_, D>> {
        let step = self.found?;
        let (index, dt) = (self.next - 1, self.time.dt);
        for (body, record) in self.records.iter_mut().enumerate() {
            let follows = self.honours.push_within_steps;
            let push = if follows { self.scenario.mean_push(body, index) } else { self.forces[body] };
            *record = Record { push, force: self.moved.impulses[body] / dt };
        }
        for (torque, impulse) in self.contact_torques.iter_mut().zip(&self.moved.angular_impulses) {
            *torque = impulse / dt;
        }
        Some(Passage {
            index,
            states: [&self.states, &self.moved.states],
            attitudes: [&self.attitudes, &self.moved.attitudes],
            records: &self.records,
            torques: &self.contact_torques,
            push_torques: &self.torques,
            contacts: &self.moved.contacts,
            step,
        })
    }

    /// How many steps were taken.
    pub fn taken(&self) -> usize {
        self.next
    }

    /// Where the last step led, if it was taken.
    pub(crate) fn places(&self) -> (&[State<D>], &[Attitude]) {
        (&self.moved.states, &self.moved.attitudes)
    }

    /// Ends the run here; after the last step that changes nothing.
    pub fn interrupt(&mut self) {
        if self.next < self.time.steps {
            self.ending.get_or_insert(Ending::Interrupted);
        }
    }

    /// How the run went that ends here.
    pub fn outcome(mut self) -> Outcome<D> {
        self.interrupt();
        Outcome {
            ending: self.ending.unwrap_or(Ending::Complete),
            first_failure: self.first_failure,
            wall_seconds: self.spent.as_secs_f64(),
        }
    }
}

fn failure<const D: usize>(input: &StepInput<'_, D>, memory: Vec<f64>, error: StepFailure) -> Failure<D> {
    Failure {
        index: input.index,
        time: input.time,
        dt: input.dt,
        states: input.states.to_vec(),
        attitudes: input.attitudes.to_vec(),
        forces: input.forces.to_vec(),
        torques: input.torques.to_vec(),
        memory,
        error,
    }
}

fn candidate_of<const D: usize>(error: &StepFailure, moved: &Moved<D>) -> Option<SolveReport> {
    error.candidate.filter(|_| is_bounded(moved))
}

/// Whether a step led to a motion and forces that are numbers, and not beyond all bounds.
#[inline]
fn is_sound<const D: usize>(moved: &Moved<D>) -> bool {
    is_bounded(moved) && moved.impulses.iter().all(is_finite)
}

/// Whether every component is a number and not infinite: then, and only then, is zero times each of them zero.
#[inline]
fn is_finite<const D: usize>(vector: &Vector<D>) -> bool {
    (vector * 0.0).dot(&Vector::repeat(1.0)) == 0.0
}

#[cold]
fn runaway<const D: usize>(moved: &Moved<D>) -> StepFailure {
    let faulty = moved.states.iter().position(|state| !is_bounded_state(state)).unwrap_or(0);
    let state = &moved.states[faulty];
    let whose = if moved.states.len() > 1 { format!(" of body {faulty}") } else { String::new() };
    let reason = format!(
        "the state{whose} after the step is {:?} m, {:?} m/s; try a smaller `step`",
        state.position.as_slice(),
        state.velocity.as_slice()
    );
    StepFailure::new(FailureKind::Unstable, reason)
}

#[inline]
fn is_bounded<const D: usize>(moved: &Moved<D>) -> bool {
    let turning = |attitude: &Attitude| attitude.is_finite() && attitude.spin.norm() <= RUNAWAY_SPEED;
    moved.states.iter().all(is_bounded_state) && moved.attitudes.iter().all(turning)
}

#[inline]
fn is_bounded_state<const D: usize>(state: &State<D>) -> bool {
    // No component that is no number, or infinite, has a square that passes.
    state.velocity.norm_squared() <= RUNAWAY_SPEED * RUNAWAY_SPEED && is_finite(&state.position)
}

fn saturating_nanoseconds(elapsed: Duration) -> u32 {
    u32::try_from(elapsed.as_nanos()).unwrap_or(u32::MAX)
}
