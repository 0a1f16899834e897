//! The one way in which commands do long work: its progress is told, and Ctrl-C stops it.

use std::{ops::ControlFlow, sync::mpsc::channel, thread};

use stickslip::watch::Watch;

use super::{
    interrupt::{self, Phase},
    progress::{self, Amount},
    session::Session,
};

impl Session {
    /// Does `work`, and tells on standard error how far it is.
    ///
    /// At Ctrl-C the watch says to stop; what `work` gives then is what it finished, and
    /// [`interrupt::requested`] tells that it is not all. Files that are written afterwards are completed.
    pub fn execute<T>(&self, title: &str, amount: Amount, work: impl FnOnce(&Watch<'_>) -> T) -> T {
        let watch = Watch::new(|_| {
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Phase::Working.enter();
        let outcome = thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            if !self.is_quiet() {
                let watch = &watch;
                let tell = move || progress::tell(title, amount, watch, &ended);
                // Without a thread for it, nothing is told of the progress.
                let _ = thread::Builder::new().spawn_scoped(scope, tell);
            }
            let outcome = work(&watch);
            drop(end);
            outcome
        });
        Phase::Saving.enter();
        outcome
    }
}
