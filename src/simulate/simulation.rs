//! A run, one step at a time.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{Beginning, OnFailure, Outcome};
use crate::{
    model::{Attitude, Spin, State, Vector},
    scenario::{Scenario, TimeGrid},
    stepper::{Honours, Moved, SolveReport, StepFailure, StepInput, Stepper},
    trajectory::{Ending, Failure, Passage, Record, StepRecord},
};

/// A run that is taken step by step, in no more memory than a step needs.
pub struct Simulation<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    stepper: &'a mut dyn Stepper<D>,
    honours: Honours,
    on_failure: OnFailure,
    time: TimeGrid,
    /// The number of the next step.
    next: usize,
    forces: Vec<Vector<D>>,
    torques: Vec<Spin>,
    /// Whether anything pushes: else forces and torques stay zero, and nothing is to be added up.
    is_pushed: bool,
    /// The bodies at the ends of a step: at the beginning of step `k` in place `k % 2`, at its end in the other.
    moved: [Moved<D>; 2],
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
        let start = Moved::start(scenario);
        let (bodies, turning) = (start.states.len(), start.attitudes.len());
        Self {
            scenario,
            honours: stepper.honours(),
            stepper,
            on_failure,
            time: scenario.time(),
            next: 0,
            forces: vec![Vector::zeros(); bodies],
            torques: vec![Spin::zeros(); turning],
            is_pushed: !scenario.pushes.is_empty(),
            moved: [start.clone(), start],
            found: None,
            records: vec![Record { push: Vector::zeros(), force: Vector::zeros(), driven_work: 0.0 }; bodies],
            contact_torques: vec![Spin::zeros(); turning],
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
    #[inline]
    pub fn advance(&mut self) -> Option<Passage<'_, D>> {
        if self.step() { self.passage() } else { None }
    }

    /// Takes the next step under a further push, see [`simulate_pushed`](super::simulate_pushed); `None` where
    /// there is none, or it failed and ended the run, or the push ended it.
    pub fn advance_pushed(
        &mut self,
        mut push: impl FnMut(&Beginning<'_, D>, &mut [Vector<D>], &mut [Spin]) -> ControlFlow<()>,
    ) -> Option<Passage<'_, D>> {
        if !self.begin() {
            return None;
        }
        self.is_pushed = true;
        let (index, time) = (self.next, self.time.at(self.next));
        let [Moved { states, attitudes, .. }, _] = ends(&self.moved, index);
        let now = Beginning { index, time, states, attitudes };
        if push(&now, &mut self.forces, &mut self.torques).is_break() {
            self.found = None;
            self.interrupt();
            return None;
        }
        if self.take() { self.passage() } else { None }
    }

    /// Takes the next step; false where there is none, or it failed and ended the run. What is not looked at by
    /// [`Self::passage`] costs nothing.
    pub fn step(&mut self) -> bool {
        self.begin() && self.take()
    }

    /// Goes to the beginning of the next step, where the scenario's pushes are added up; false where there is none.
    #[inline]
    fn begin(&mut self) -> bool {
        if self.ending.is_some() || self.next == self.time.steps {
            return false;
        }
        if self.is_pushed {
            let [before, _] = ends(&self.moved, self.next);
            self.scenario.loads_at(self.next, &before.attitudes, &mut self.forces, &mut self.torques);
        }
        true
    }

    /// Takes the step that has begun; false where it failed and ended the run.
    #[inline]
    fn take(&mut self) -> bool {
        let [even, odd] = &mut self.moved;
        let (before, after) = if self.next.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        after.contacts.clear();
        after.joints.clear();
        after.driven_work.clear();
        let input = StepInput {
            index: self.next,
            time: self.time.at(self.next),
            dt: self.time.dt,
            states: &before.states,
            attitudes: &before.attitudes,
            forces: &self.forces,
            torques: &self.torques,
        };
        let started = self.is_timed.then(Instant::now);
        let outcome = self.stepper.step(&input, after);
        let nanoseconds = match started {
            None => 0,
            Some(started) => {
                let elapsed = started.elapsed();
                self.spent += elapsed;
                nanoseconds_of(elapsed)
            }
        };
        match outcome.and_then(|report| after.check().map(|()| report)) {
            Ok(report) => {
                self.found =
                    Some(StepRecord { report, search: after.search, impact: after.impact, nanoseconds });
                self.next += 1;
                true
            }
            Err(error) => self.fail(error, nanoseconds),
        }
    }

    /// Notes a failed step down, and goes on from its candidate where that is wanted; false where the run ends.
    #[cold]
    fn fail(&mut self, error: StepFailure, nanoseconds: u64) -> bool {
        let goes_on = self.on_failure == OnFailure::Continue;
        let [before, after] = ends(&self.moved, self.next);
        let candidate = candidate_of(&error, after).filter(|_| goes_on);
        if self.first_failure.is_none() {
            self.first_failure = Some(Box::new(Failure {
                index: self.next,
                time: self.time.at(self.next),
                dt: self.time.dt,
                states: before.states.clone(),
                attitudes: before.attitudes.clone(),
                forces: self.forces.clone(),
                torques: self.torques.clone(),
                memory: self.stepper.memory(),
                error,
            }));
        }
        match candidate {
            Some(_) => self.next += 1,
            None => self.ending = Some(Ending::Failed),
        }
        let (search, impact) = (after.search, after.impact);
        self.found = candidate.map(|report| StepRecord { report, search, impact, nanoseconds });
        candidate.is_some()
    }

    /// The last step; `None` before the first, and after one that ended the run.
    #[inline]
    pub fn passage(&mut self) -> Option<Passage<'_, D>> {
        let step = self.found.as_ref()?;
        let (index, dt) = (self.next - 1, self.time.dt);
        let [before, after] = ends(&self.moved, index);
        let acted = self.forces.iter().zip(&after.impulses);
        for (record, (push, impulse)) in self.records.iter_mut().zip(acted) {
            *record = Record { push: *push, force: impulse / dt, driven_work: 0.0 };
        }
        for (record, work) in self.records.iter_mut().zip(&after.driven_work) {
            record.driven_work = *work;
        }
        if self.honours.push_within_steps && self.is_pushed {
            for (body, record) in self.records.iter_mut().enumerate() {
                record.push = self.scenario.mean_push(body, index);
            }
        }
        for (torque, impulse) in self.contact_torques.iter_mut().zip(&after.angular_impulses) {
            *torque = impulse / dt;
        }
        Some(Passage {
            index,
            states: [&before.states, &after.states],
            attitudes: [&before.attitudes, &after.attitudes],
            records: &self.records,
            torques: &self.contact_torques,
            push_torques: &self.torques,
            contacts: &after.contacts,
            joints: &after.joints,
            step,
        })
    }

    /// How many steps were taken.
    pub fn taken(&self) -> usize {
        self.next
    }

    /// Where the last step led, if it was taken.
    pub(crate) fn places(&self) -> (&[State<D>], &[Attitude]) {
        let [Moved { states, attitudes, .. }, _] = ends(&self.moved, self.next);
        (states, attitudes)
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

/// The bodies at the beginning and at the end of step `index`.
#[inline]
fn ends<const D: usize>([even, odd]: &[Moved<D>; 2], index: usize) -> [&Moved<D>; 2] {
    if index.is_multiple_of(2) { [even, odd] } else { [odd, even] }
}

fn candidate_of<const D: usize>(error: &StepFailure, moved: &Moved<D>) -> Option<SolveReport> {
    error.candidate.filter(|_| moved.is_bounded())
}

/// Five hundred years at most.
fn nanoseconds_of(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}
