use super::{
    drive::Drive,
    event::{Event, EventKind},
    timeline::Timeline,
};
use crate::{
    model::{PointMass, State, Vector, tangential},
    stepper::{PointInput, StepError, Unsolved},
};

/// Mode changes in one step beyond which the step is given up: only a motion that bounces or
/// chatters on a scale far below the step gets there.
const MOST_MODES: usize = 1_000_000;

/// A way in which the point can move until the next event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode<const D: usize> {
    /// Off the ground.
    Flight,
    /// On the ground without friction.
    Glide,
    /// Sliding on a straight line along this unit vector.
    Slide(Vector<D>),
    /// Sliding while pushed to the side; starts along this unit vector if the point is at rest.
    Turn(Vector<D>),
    /// At rest on the ground.
    Stick,
}

/// How far a mode went, and what comes next.
pub(super) struct Leg<const D: usize> {
    /// Seconds passed.
    pub duration: f64,
    /// The mode that the event at the end leads to; `None` if the state decides.
    pub next: Option<Mode<D>>,
}

/// The point on its way through one step.
pub(super) struct Motion<'a, const D: usize> {
    pub body: &'a PointMass<D>,
    pub events: &'a mut Vec<Event<D>>,
    pub state: State<D>,
    /// Impulse of the contact so far in N s.
    pub impulse: Vector<D>,
    /// Length of the whole step in s.
    pub dt: f64,
    start: f64,
    elapsed: f64,
    /// Unit vector along which the point slid until it came to rest a moment ago.
    slid_along: Option<Vector<D>>,
}

impl<'a, const D: usize> Motion<'a, D> {
    pub fn new(body: &'a PointMass<D>, events: &'a mut Vec<Event<D>>, input: &PointInput<D>) -> Self {
        let mut state = input.state;
        state.position[D - 1] = state.height().max(0.0);
        Self {
            body,
            events,
            state,
            impulse: Vector::zeros(),
            dt: input.dt,
            start: input.time,
            elapsed: 0.0,
            slid_along: None,
        }
    }

    /// Moves to the end of the step, mode by mode.
    pub fn run(&mut self, timeline: &Timeline<D>) -> Result<(), StepError<D>> {
        let mut index = timeline.index_at(self.start);
        let mut mode = None;
        for _ in 0..MOST_MODES {
            let segment = timeline.segment(index);
            let left_in_step = self.dt - self.elapsed;
            let left_in_segment = segment.until - self.now();
            let horizon = left_in_step.min(left_in_segment);
            if horizon > 0.0 {
                let drive = Drive { segment, t0: self.now() };
                let leg = match mode.take() {
                    Some(mode) => self.follow(mode, drive, horizon)?,
                    None => self.decide_and_follow(drive, horizon)?,
                };
                mode = leg.next;
                if leg.duration < horizon {
                    self.elapsed += leg.duration;
                    continue;
                }
            }
            if left_in_step <= left_in_segment {
                self.finish();
                return Ok(());
            }
            self.elapsed = segment.until - self.start;
            index += 1;
            mode = None;
            self.record(EventKind::PushChanges, Vector::zeros());
        }
        Err(self.gave_up())
    }

    pub fn record(&mut self, kind: EventKind, impulse: Vector<D>) {
        self.record_after(0.0, kind, impulse);
    }

    fn finish(&mut self) {
        self.elapsed = self.dt;
        if self.slid_along.take().is_some() {
            self.record(EventKind::SlidingStops, Vector::zeros());
        }
    }

    fn now(&self) -> f64 {
        self.start + self.elapsed
    }

    fn decide_and_follow(&mut self, drive: Drive<D>, horizon: f64) -> Result<Leg<D>, StepError<D>> {
        let n = D - 1;
        if self.state.height() <= 0.0 && self.state.velocity[n] < 0.0 {
            self.hit();
            if let Some(duration) = self.bounce(drive, horizon) {
                return Ok(Leg { duration, next: None });
            }
        }
        let mode = self.decide(drive);
        self.follow(mode, drive, horizon)
    }

    /// The mode in which the present state goes on.
    fn decide(&mut self, drive: Drive<D>) -> Mode<D> {
        let slid_along = self.slid_along.take();
        if self.state.height() > 0.0 || self.state.velocity[D - 1] > 0.0 {
            return Mode::Flight;
        }
        let acceleration = drive.acceleration(0.0);
        let pull_off = acceleration[D - 1];
        if pull_off > drive.noise() {
            self.record(EventKind::LiftOff, Vector::zeros());
            return Mode::Flight;
        }
        let mu = self.body.friction;
        if mu == 0.0 {
            return Mode::Glide;
        }
        let velocity = tangential(&self.state.velocity);
        let speed = velocity.norm();
        if speed > 0.0 {
            return sliding(drive, velocity / speed);
        }
        let push = tangential(&acceleration);
        let strength = push.norm();
        if strength + mu * pull_off <= (1.0 + mu) * drive.noise() {
            if slid_along.is_some() {
                self.record(EventKind::SlidingStops, Vector::zeros());
            }
            return Mode::Stick;
        }
        let direction = push / strength;
        match slid_along {
            None => self.record(EventKind::SlidingStarts, Vector::zeros()),
            Some(before) if before.dot(&direction) < 0.0 => {
                self.record(EventKind::SlidingReverses, Vector::zeros());
            }
            Some(_) => {}
        }
        sliding(drive, direction)
    }

    fn follow(&mut self, mode: Mode<D>, drive: Drive<D>, horizon: f64) -> Result<Leg<D>, StepError<D>> {
        let (duration, ended) = match mode {
            Mode::Flight => return Ok(Leg { duration: self.fly(drive, horizon), next: None }),
            Mode::Glide => self.glide(drive, horizon),
            Mode::Slide(direction) => self.slide(direction, drive, horizon),
            Mode::Turn(direction) => self.turn(direction, drive, horizon)?,
            Mode::Stick => self.stick(drive, horizon),
        };
        let next = match ended {
            ContactEnd::Horizon => None,
            // The next step or segment sees the state at the edge and decides by itself.
            ContactEnd::LiftOff | ContactEnd::Breaks(_) if duration >= horizon => None,
            ContactEnd::LiftOff => {
                self.record_after(duration, EventKind::LiftOff, Vector::zeros());
                Some(Mode::Flight)
            }
            ContactEnd::Stopped(direction) => {
                self.slid_along = Some(direction);
                None
            }
            ContactEnd::Breaks(direction) => {
                self.record_after(duration, EventKind::SlidingStarts, Vector::zeros());
                let later = Drive { t0: drive.t0 + duration, ..drive };
                Some(sliding(later, direction))
            }
        };
        Ok(Leg { duration, next })
    }

    /// Records an event that happens `duration` seconds from now.
    pub fn record_after(&mut self, duration: f64, kind: EventKind, impulse: Vector<D>) {
        self.events.push(Event { time: self.now() + duration, kind, impulse });
    }

    fn gave_up(&self) -> StepError<D> {
        self.unsolved(format!(
            "more than {MOST_MODES} impacts or changes between sliding and sticking within one step (state {:?} m, \
             {:?} m/s, restitution {}); use a smaller `step` or, for endless tiny bounces, a lower restitution",
            self.state.position.as_slice(),
            self.state.velocity.as_slice(),
            self.body.restitution
        ))
    }

    pub fn unsolved(&self, reason: String) -> StepError<D> {
        StepError::Unsolved(Box::new(Unsolved { reason, candidate: None }))
    }
}

/// Why a mode on the ground came to its end.
pub(super) enum ContactEnd<const D: usize> {
    /// The time was up.
    Horizon,
    /// The ground would have to pull.
    LiftOff,
    /// The point that slid along this unit vector came to rest.
    Stopped(Vector<D>),
    /// The push overcame friction in the direction of this unit vector.
    Breaks(Vector<D>),
}

fn sliding<const D: usize>(drive: Drive<D>, direction: Vector<D>) -> Mode<D> {
    if drive.segment.turns(&direction) { Mode::Turn(direction) } else { Mode::Slide(direction) }
}
