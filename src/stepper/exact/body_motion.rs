//! The motion of one body: what the stepper needs to know of a point, a ball or a polygon.

use crate::{
    model::{Attitude, Spin, State, Vector},
    stepper::{Contact, StepFailure},
};

use super::point::Event;

/// The exact motion of one body over the ground, as if there were no other one.
pub trait BodyMotion<const D: usize>: Send + Sync + std::fmt::Debug {
    /// Its centre of mass.
    fn state(&self) -> State<D>;

    /// How it is turned and how fast it turns.
    fn attitude(&self) -> Attitude;

    /// Goes on for `dt` s from the time `start` in s, from event to event.
    ///
    /// # Errors
    /// [`StepFailure`], with the time, if something happens after which the motion is not known.
    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure>;

    /// Puts it where a caller has it. What a body does that turns follows from its start.
    fn place(&mut self, _state: &State<D>) {}

    /// Impulse in N s of all contacts in the last `advance`, and angular impulse about the centre of mass in N m s, in
    /// the axes of the world.
    fn impulse(&self) -> (Vector<D>, Spin);

    /// The contacts of the last `advance`, which took `dt` s, of body `index`.
    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<D>>);

    /// No point of it is faster in m/s in the `dt` s from the time `start`.
    fn top_speed(&self, start: f64, dt: f64) -> f64;

    /// What happened to it, where that is recorded.
    fn events(&self) -> &[Event<D>] {
        &[]
    }

    /// A copy.
    fn copy(&self) -> Box<dyn BodyMotion<D>>;
}

/// A body that stays where it is.
#[derive(Debug, Clone)]
pub(super) struct Fixed<const D: usize> {
    pub state: State<D>,
    pub attitude: Attitude,
}

impl<const D: usize> BodyMotion<D> for Fixed<D> {
    fn state(&self) -> State<D> {
        self.state
    }

    fn attitude(&self) -> Attitude {
        self.attitude
    }

    fn advance(&mut self, _start: f64, _dt: f64) -> Result<(), StepFailure> {
        Ok(())
    }

    fn impulse(&self) -> (Vector<D>, Spin) {
        (Vector::zeros(), Spin::zeros())
    }

    fn contacts(&self, _index: usize, _dt: f64, _contacts: &mut Vec<Contact<D>>) {}

    fn top_speed(&self, _start: f64, _dt: f64) -> f64 {
        0.0
    }

    fn copy(&self) -> Box<dyn BodyMotion<D>> {
        Box::new(self.clone())
    }
}
