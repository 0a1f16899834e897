//! Long work that can be followed and stopped.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What long work tells its progress to, and asks whether to go on.
///
/// One watch serves all threads of a piece of work. Whoever works calls [`advance`](Self::advance) after every
/// step, or [`flow`](Self::flow) where nothing can be counted, several times a second at least, and ends early
/// with what it has on `ControlFlow::Break`.
///
/// ```
/// use std::ops::ControlFlow;
///
/// # use stickslip_base as stickslip;
/// use stickslip::watch::Watch;
///
/// let watch = Watch::new(|done| if done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
/// let steps = (0..10).take_while(|_| watch.advance(1).is_continue()).count();
/// assert_eq!((steps, watch.done()), (2, 3));
/// ```
pub struct Watch<'a> {
    done: AtomicUsize,
    told: Mutex<String>,
    observe: Box<dyn Fn(usize) -> ControlFlow<()> + Sync + 'a>,
}

impl<'a> Watch<'a> {
    /// A watch that hands the amount of work done, in whatever unit the work counts, to `observe`.
    pub fn new(observe: impl Fn(usize) -> ControlFlow<()> + Sync + 'a) -> Self {
        Self { done: AtomicUsize::new(0), told: Mutex::default(), observe: Box::new(observe) }
    }

    /// A watch that nobody looks at: the work runs to its end.
    pub fn none() -> Self {
        Self::new(|_| ControlFlow::Continue(()))
    }

    /// Notes `count` more units of work, and says whether to go on.
    pub fn advance(&self, count: usize) -> ControlFlow<()> {
        (self.observe)(self.done.fetch_add(count, Ordering::Relaxed) + count)
    }

    /// Notes that `done` units are done in all, and says whether to go on.
    pub fn reach(&self, done: usize) -> ControlFlow<()> {
        self.done.store(done, Ordering::Relaxed);
        (self.observe)(done)
    }

    /// Whether to go on.
    pub fn flow(&self) -> ControlFlow<()> {
        (self.observe)(self.done())
    }

    /// Notes in words what the work has found so far, in the place of what it noted before.
    pub fn tell(&self, found: String) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// What the work has found so far; empty where it says nothing.
    pub fn told(&self) -> String {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Units of work done so far.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }
}
