//! The exact motion of a point over the ground and between walls.
//!
//! The point is always in one of a few modes: flight, sliding along a line, sticking (or gliding
//! where there is no friction). Gravity and the pushes are a constant plus sinusoids between two
//! edges of the pushes' windows, so each mode is integrated in closed form. A mode ends at an event:
//! landing, lift-off, coming to rest, breaking away, the edge of a window, another plane that is met. Events
//! are roots of the same closed forms, of a polynomial where the push is constant, and otherwise bracketed
//! between bounds on the derivatives (see `first_exit`), so that none is lost
//! between two samples. An impact follows Newton's law with Coulomb friction; bounces in a row, and
//! the infinitely many at the end of bouncing (Zeno), are geometric sums. Sticking ends at the coefficient
//! of friction at rest; what slides, and hits, has that of its slip. The motions without a closed form,
//! sliding over a plane under a push from the side, and on friction that falls with the speed, or that grows
//! with it under a push that swings, are integrated numerically; see `turning`.
//!
//! All of that happens in the axes of the plane that the point is on, or last was on, in which that plane is
//! level ground at rest (`frame`). Where the point touches several planes, `corner` says which of them press.

mod bounces;
mod collocation;
mod contact;
mod corner;
mod drive;
mod event;
mod first_exit;
mod flight;
mod forcing;
mod frame;
mod motion;
mod planes;
mod timeline;
mod turning;
mod viscous;

pub use event::{Event, EventKind};
pub(super) use flight::ballistic_landing;
pub use forcing::Forcing;
pub use frame::ContactPlane;

use self::{drive::Drive, frame::PlaneFrame, motion::Motion};
use crate::{
    contact::Friction,
    model::{Number, PointMass, State, Vector},
    stepper::StepError,
};

/// The exact motion of a point.
///
/// A step is a function of the state at its start and of the point's surroundings alone. In dual numbers it
/// carries derivatives along, those of the times of the events included, over the ground; walls it takes in
/// plain numbers.
#[derive(Debug, Clone)]
pub struct PointMotion<const D: usize, N = f64> {
    frames: Vec<PlaneFrame<D, N>>,
    events: Vec<Event<D, N>>,
    /// Impulses of the planes over the last step in N s, in the axes of the world.
    impulses: Vec<Vector<D, N>>,
    /// Flights that last longer than this, in s, are not summed with others.
    longest_summed: f64,
}

impl<const D: usize, N: Number> PointMotion<D, N> {
    /// The motion of `body` over the ground under gravity and `pushes`.
    pub fn of(body: PointMass<D, N>, pushes: &[Forcing<D, N>]) -> Self {
        Self {
            frames: vec![PlaneFrame::ground(body, pushes)],
            events: Vec::new(),
            impulses: Vec::new(),
            longest_summed: f64::INFINITY,
        }
    }

    /// On ground with this law of friction, in the place of one coefficient.
    #[must_use]
    pub fn with_friction(mut self, friction: Friction<N>) -> Self {
        self.frames[0].set_friction(friction);
        self
    }

    /// With walls besides the ground.
    #[must_use]
    pub fn between(mut self, walls: &[ContactPlane<D>]) -> Self {
        self.frames = PlaneFrame::with_walls(self.frames.swap_remove(0), walls);
        self
    }

    /// With an acceleration in m/s^2 besides.
    #[must_use]
    pub fn pushed(&self, acceleration: Vector<D, N>) -> Self {
        let mut pushed = self.clone();
        for frame in &mut pushed.frames {
            frame.timeline = frame.timeline.with_constant(frame.inward(&acceleration));
        }
        pushed
    }

    /// Reports every impact by itself after which the point flies for longer than `longest`, in s. Without this as many
    /// are summed ([`EventKind::Impacts`]) as there is a closed form for.
    #[must_use]
    pub fn summing(mut self, longest: f64) -> Self {
        self.longest_summed = longest;
        self
    }

    /// The state `dt` s after `state`, which is that at the time `start`, and the impulse of the
    /// contacts in between.
    ///
    /// # Errors
    /// [`StepError`] where more events follow each other than can be told apart, or several planes are touched and
    /// what they do does not follow from the laws.
    pub fn advance(
        &mut self,
        state: State<D, N>,
        start: N,
        dt: N,
    ) -> Result<(State<D, N>, Vector<D, N>), StepError<D>> {
        let impulses = std::mem::take(&mut self.impulses);
        let mut motion = Motion::new(&self.frames, (&mut self.events, impulses), state, start, dt);
        motion.longest_summed = self.longest_summed;
        motion.run()?;
        let state = motion.state;
        self.impulses = motion.impulses;
        let (first, others) = self.impulses.split_at(1);
        Ok((state, others.iter().fold(first[0], |sum, impulse| sum + *impulse)))
    }

    /// The state `dt` s after `state`, which is that at the time `start`, of a point that nothing touches.
    pub fn fly(&self, mut state: State<D, N>, start: N, dt: N) -> State<D, N> {
        let timeline = &self.frames[0].timeline;
        let mut index = timeline.index_at(start.re());
        let mut elapsed = N::zero();
        loop {
            let segment = timeline.segment(index);
            let drive = Drive { segment, t0: start + elapsed };
            let left = dt - elapsed;
            let duration = left.lesser(segment.until - drive.t0);
            state.position += state.velocity * duration + drive.displacement(duration);
            state.velocity += drive.velocity_gain(duration);
            if duration.re() >= left.re() {
                return state;
            }
            elapsed = segment.until - start;
            index += 1;
        }
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

    /// Each plane with its impulse over the last step in N s, in the axes of the world.
    pub fn impulses(&self) -> impl Iterator<Item = (&ContactPlane<D>, &Vector<D, N>)> {
        self.frames.iter().map(|frame| &frame.plane).zip(&self.impulses)
    }

    /// The greatest acceleration in m/s^2 that gravity and the pushes give in a step of `dt` s from `start`.
    pub fn largest_pull(&self, start: f64, dt: f64) -> f64 {
        let timeline = &self.frames[0].timeline;
        let segments = timeline.index_at(start)..=timeline.index_at(start + dt);
        segments.map(|index| timeline.segment(index).scale).fold(0.0, f64::max)
    }
}
