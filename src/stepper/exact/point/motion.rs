use super::{
    drive::Drive,
    event::{Event, EventKind},
    frame::PlaneFrame,
    timeline::Segment,
};
use crate::{
    contact::{FailureKind, Friction, Hold},
    model::{Number, PointMass, State, Vector, magnitude, tangential},
    stepper::{StepError, StepFailure},
};

/// Mode changes in one step beyond which the step is given up: only a motion that bounces or
/// chatters on a scale far below the step gets there.
const MOST_MODES: usize = 1_000_000;

/// How far the edge of a window may be off a sample, as a part of the step, and still count as there.
const EDGE: f64 = 1e-9;

/// A way in which the point can move until the next event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode<const D: usize, N> {
    /// Off the ground.
    Flight,
    /// On the ground without friction.
    Glide,
    /// Sliding on a straight line along this unit vector.
    Slide(Vector<D, N>),
    /// Sliding while pushed to the side, or on a line without a closed form; starts along this unit vector if the point is at
    /// rest.
    Turn(Vector<D, N>),
    /// At rest on the ground.
    Stick,
    /// Held by several planes at once, with this acceleration along their edge; at rest where it is none.
    Edge(Vector<D, N>),
}

/// How far a mode went, and what comes next.
pub(super) struct Leg<const D: usize, N> {
    /// Seconds passed.
    pub duration: N,
    /// The mode that the event at the end leads to; `None` if the state decides.
    pub next: Option<Mode<D, N>>,
}

/// The point on its way through one step.
pub(super) struct Motion<'a, const D: usize, N> {
    /// The ground and the walls.
    pub frames: &'a [PlaneFrame<D, N>],
    /// The one in whose axes the state is.
    pub at: usize,
    /// The point as it is in them.
    pub body: &'a PointMass<D, N>,
    pub events: &'a mut Vec<Event<D, N>>,
    pub state: State<D, N>,
    /// Impulse of the plane since its axes were entered, in N s.
    pub impulse: Vector<D, N>,
    /// Impulses of all planes before that, in the axes of the world.
    pub impulses: Vec<Vector<D, N>>,
    /// Length of the whole step in s.
    pub dt: N,
    pub start: N,
    pub elapsed: N,
    /// When the axes were entered, on the scale of `elapsed`.
    pub entered: N,
    /// Unit vector along which the point slid until it came to rest a moment ago.
    pub slid_along: Option<Vector<D, N>>,
    /// Flights that last longer than this, in s, are not summed with others.
    pub longest_summed: f64,
    /// The plane that the last leg ends at.
    pub met: Option<usize>,
    /// What the planes of an edge give, as accelerations in the present axes.
    pub shares: Vec<(usize, Vector<D>)>,
    /// Speed in m/s that rounding scales with.
    pub speed_scale: f64,
}

impl<'a, const D: usize, N: Number> Motion<'a, D, N> {
    /// A step of `dt` s from `state` at the time `start`; the vector of impulses is reused.
    pub fn new(
        frames: &'a [PlaneFrame<D, N>],
        (events, mut impulses): (&'a mut Vec<Event<D, N>>, Vec<Vector<D, N>>),
        mut state: State<D, N>,
        start: N,
        dt: N,
    ) -> Self {
        // That of a point on its way through the ground says when it is there.
        let has_derivative = state.height().re() == 0.0 && state.velocity[D - 1].re() != 0.0;
        if !has_derivative {
            state.position[D - 1] = state.height().positive_part();
        }
        impulses.clear();
        impulses.resize(frames.len(), Vector::zeros());
        Self {
            frames,
            at: 0,
            body: &frames[0].body,
            events,
            state,
            impulse: Vector::zeros(),
            impulses,
            dt,
            start,
            elapsed: N::zero(),
            entered: N::zero(),
            slid_along: None,
            longest_summed: f64::INFINITY,
            met: None,
            shares: Vec::new(),
            speed_scale: magnitude(&state.velocity).re(),
        }
    }

    /// Moves to the end of the step, mode by mode.
    pub fn run(&mut self) -> Result<(), StepError<D>> {
        let frames = self.frames;
        // A derivative moves the edge of a window even where it falls on a sample.
        let edge = if N::NDERIV > 0 { EDGE * self.dt.re() } else { 0.0 };
        let mut index = frames[0].timeline.index_at(self.start.re() + edge);
        if N::NDERIV > 0 && index > 0 {
            self.move_edge(frames[0].timeline.segment(index - 1), edge)?;
        }
        let mut mode = None;
        for _ in 0..MOST_MODES {
            if mode.is_none() && frames.len() > 1 {
                mode = self.choose_plane(index)?;
            }
            let segment = frames[self.at].timeline.segment(index);
            let left_in_step = self.dt - self.elapsed;
            let left_in_segment = segment.until - self.now();
            let ends = left_in_step.re() <= left_in_segment.re() + edge;
            let horizon = if ends { left_in_step } else { left_in_segment };
            let mut over = N::zero();
            if horizon.re() > 0.0 {
                let drive = Drive { segment, t0: self.now() };
                let leg = match mode.take() {
                    Some(mode) => self.follow(mode, drive, horizon)?,
                    None => self.decide_and_follow(drive, horizon)?,
                };
                mode = leg.next;
                if let Some(plane) = self.met.take() {
                    self.elapsed += leg.duration;
                    self.land_on(plane);
                    // At the very end the next step sees it.
                    if leg.duration.re() < horizon.re() {
                        continue;
                    }
                } else if leg.duration.re() < horizon.re() {
                    self.elapsed += leg.duration;
                    continue;
                }
                over = leg.duration - horizon;
            } else if N::NDERIV > 0 {
                // An event came so close that nothing but a derivative is left of the time.
                let left = horizon - horizon.re();
                let drive = Drive { segment, t0: self.now() };
                if self.is_landing() {
                    self.drift(drive.acceleration(N::zero()), left);
                } else {
                    self.decide_and_follow(drive, left)?;
                }
            }
            if ends {
                self.finish(over);
                return Ok(());
            }
            self.elapsed = segment.until - self.start;
            index += 1;
            mode = None;
            self.record(EventKind::PushChanges, Vector::zeros());
        }
        Err(self.gave_up())
    }

    /// Where `segment` ends at the start of the step: its derivative moves the end by a time whose
    /// value is zero.
    fn move_edge(&mut self, segment: &Segment<D, N>, edge: f64) -> Result<(), StepError<D>> {
        let late = segment.until - self.start;
        if late.re().abs() <= edge {
            let moved = late - late.re();
            let recorded = self.events.len();
            self.decide_and_follow(Drive { segment, t0: self.start }, moved)?;
            self.events.truncate(recorded);
            self.elapsed = moved;
        }
        Ok(())
    }

    pub fn record(&mut self, kind: EventKind, impulse: Vector<D, N>) {
        self.record_after(N::zero(), kind, impulse);
    }

    /// Ends the step; what happens at its very end happens `over` s after it, a time whose value is zero.
    fn finish(&mut self, over: N) {
        self.elapsed = self.dt;
        self.go_to(0);
        if self.slid_along.take().is_some() {
            self.record_after(over, EventKind::SlidingStops, Vector::zeros());
        }
    }

    pub fn now(&self) -> N {
        self.start + self.elapsed
    }

    fn decide_and_follow(
        &mut self,
        mut drive: Drive<D, N>,
        mut horizon: N,
    ) -> Result<Leg<D, N>, StepError<D>> {
        if self.is_landing() {
            if N::NDERIV > 0 {
                let late = -self.state.height() / self.state.velocity[D - 1];
                self.drift(drive.acceleration(N::zero()), late);
                self.elapsed += late;
                drive.t0 += late;
                horizon -= late;
            }
            self.hit();
            if let Some(duration) = self.bounce(drive, horizon) {
                let left = horizon - duration;
                // Bounces that end at the very end: what follows them has nothing but a derivative left of the time.
                if N::NDERIV > 0 && left.re() <= 0.0 {
                    let drive = Drive { t0: drive.t0 + duration, ..drive };
                    let mode = self.decide(drive);
                    self.follow(mode, drive, left)?;
                    return Ok(Leg { duration: horizon, next: None });
                }
                return Ok(Leg { duration, next: None });
            }
        }
        let mode = self.decide(drive);
        self.follow(mode, drive, horizon)
    }

    /// Whether an impact comes next, at once.
    fn is_landing(&self) -> bool {
        self.state.height().re() <= 0.0 && self.state.velocity[D - 1].re() < 0.0
    }

    /// Moves freely over a time whose value is zero: an event that falls on the end of a step, or of a window, comes
    /// earlier or later for other inputs, and this is what is left until then.
    fn drift(&mut self, acceleration: Vector<D, N>, over: N) {
        self.state.position += self.state.velocity * over;
        self.state.velocity += acceleration * over;
    }

    /// The mode in which the present state goes on.
    fn decide(&mut self, drive: Drive<D, N>) -> Mode<D, N> {
        let slid_along = self.slid_along.take();
        if self.state.height().re() > 0.0 || self.state.velocity[D - 1].re() > 0.0 {
            return Mode::Flight;
        }
        let acceleration = drive.acceleration(N::zero());
        let pull_off = acceleration[D - 1].re();
        if pull_off > drive.noise() {
            self.record(EventKind::LiftOff, Vector::zeros());
            return Mode::Flight;
        }
        let mu = self.body.friction;
        if mu.re() == 0.0 && self.law().viscous_coefficient().re() == 0.0 {
            return Mode::Glide;
        }
        let velocity = tangential(&self.state.velocity);
        let speed = magnitude(&velocity);
        if speed.re() > 0.0 {
            return self.sliding(drive, velocity / speed);
        }
        let push = tangential(&acceleration);
        let strength = magnitude(&push);
        if strength.re() + mu.re() * pull_off <= (1.0 + mu.re()) * drive.noise() {
            if slid_along.is_some() {
                self.record(EventKind::SlidingStops, Vector::zeros());
            }
            return Mode::Stick;
        }
        let direction = push / strength;
        match slid_along {
            None => self.record(EventKind::SlidingStarts, Vector::zeros()),
            Some(before) if before.dot(&direction).re() < 0.0 => {
                self.record(EventKind::SlidingReverses, Vector::zeros());
            }
            Some(_) => {}
        }
        self.sliding(drive, direction)
    }

    /// The law of friction on the plane in whose axes the state is.
    pub fn law(&self) -> &'a Friction<N> {
        &self.frames[self.at].friction
    }

    /// The coefficient of friction of what slides at this `speed` in m/s.
    pub fn friction_at(&self, speed: N) -> N {
        coefficient_at(self.law(), speed)
    }

    /// The mode of what slides along this unit vector.
    fn sliding(&self, drive: Drive<D, N>, direction: Vector<D, N>) -> Mode<D, N> {
        let law = self.law();
        let has_form = law.slides_evenly() || (!law.has_stribeck_curve() && drive.is_constant());
        if drive.segment.turns(&direction) || !has_form {
            Mode::Turn(direction)
        } else {
            Mode::Slide(direction)
        }
    }

    /// Follows a mode to its end, whatever other planes there are.
    pub fn follow_alone(
        &mut self,
        mode: Mode<D, N>,
        drive: Drive<D, N>,
        horizon: N,
    ) -> Result<Leg<D, N>, StepError<D>> {
        let (duration, ended) = match mode {
            Mode::Flight => return Ok(Leg { duration: self.fly(drive, horizon), next: None }),
            Mode::Glide => self.glide(drive, horizon),
            Mode::Slide(direction) if self.law().viscous_coefficient().re() > 0.0 => {
                self.slide_viscously(direction, drive, horizon)
            }
            Mode::Slide(direction) => self.slide(direction, drive, horizon),
            Mode::Turn(direction) => self.turn(direction, drive, horizon)?,
            Mode::Stick => self.stick(drive, horizon),
            Mode::Edge(acceleration) => self.follow_edge(acceleration, horizon),
        };
        let next = match ended {
            ContactEnd::Horizon => None,
            // The next step or segment sees the state at the edge and decides by itself.
            ContactEnd::LiftOff | ContactEnd::Breaks(_) if duration.re() >= horizon.re() => {
                self.drift(drive.acceleration(duration), horizon - duration);
                None
            }
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
                Some(self.sliding(later, direction))
            }
        };
        Ok(Leg { duration, next })
    }

    /// Records an event that happens `duration` seconds from now.
    pub fn record_after(&mut self, duration: N, kind: EventKind, impulse: Vector<D, N>) {
        let impulse = self.frames[self.at].outward(&impulse);
        self.events.push(Event { time: self.now() + duration, kind, impulse });
    }

    fn gave_up(&self) -> StepError<D> {
        self.unsolved(format!(
            "more than {MOST_MODES} impacts or changes between sliding and sticking within one step (state {:?} m, \
             {:?} m/s, restitution {}); use a smaller `step` or, for endless tiny bounces, a lower restitution",
            self.state.position.map(|x| x.re()).as_slice(),
            self.state.velocity.map(|v| v.re()).as_slice(),
            self.body.restitution
        ))
    }

    pub fn unsolved(&self, reason: String) -> StepError<D> {
        StepFailure::new(FailureKind::NotConverged, reason).into()
    }
}

/// Why a mode on the ground came to its end.
pub(super) enum ContactEnd<const D: usize, N> {
    /// The time was up.
    Horizon,
    /// The ground would have to pull.
    LiftOff,
    /// The point that slid along this unit vector came to rest.
    Stopped(Vector<D, N>),
    /// The push overcame friction in the direction of this unit vector.
    Breaks(Vector<D, N>),
}

/// The coefficient of what slides at this `speed` in m/s. One that does not depend on it has none of its derivatives.
pub(super) fn coefficient_at<N: Number>(law: &Friction<N>, speed: N) -> N {
    if law.depends_on_slip() { law.coefficient(Hold::Kinetic(speed)) } else { law.static_coefficient() }
}
