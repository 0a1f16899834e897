//! The one way in which commands do long work: followed by a progress bar, stopped by Ctrl-C.

use std::{ops::ControlFlow, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use stickslip::watch::Watch;

use super::{
    interrupt::{self, Phase},
    session::Session,
};

/// Steps between two updates of the bar, so that fast steppers do not wait for it.
const STRIDE: usize = 256;

/// Units of a [`Watch`] in work that is measured by its share.
const PARTS: usize = 1000;

/// How much work there is.
#[derive(Debug, Clone, Copy)]
pub enum Amount {
    /// So many steps; the watch counts them.
    Steps(usize),
    /// So many runs of a sweep; the watch counts them.
    Runs(usize),
    /// Some; the watch counts thousandths of it, see [`reach_share`].
    Share,
}

/// Tells `watch` the share of work that is done, 0 to 1.
pub fn reach_share(watch: &Watch<'_>, share: f64) -> ControlFlow<()> {
    watch.reach((share * PARTS as f64) as usize)
}

impl Session {
    /// Does `work` with a progress bar titled `title`, on standard error if that is a terminal.
    ///
    /// At Ctrl-C the watch says to stop; what `work` gives then is what it finished, and
    /// [`interrupt::requested`] tells that it is not all. Files that are written afterwards are completed.
    pub fn execute<T>(&self, title: &str, amount: Amount, work: impl FnOnce(&Watch<'_>) -> T) -> T {
        let bar = Bar::new(title, amount, self.is_quiet());
        let watch = Watch::new(|done| {
            bar.update(done);
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Phase::Working.enter();
        let outcome = work(&watch);
        Phase::Saving.enter();
        outcome
    }
}

struct Bar {
    bar: ProgressBar,
    stride: usize,
}

impl Bar {
    fn new(title: &str, amount: Amount, quiet: bool) -> Self {
        let (bar, stride, template) = match amount {
            _ if quiet => (ProgressBar::hidden(), STRIDE, ""),
            Amount::Steps(steps) => {
                let template = "{prefix} [{bar:32}] {pos}/{len} steps, {per_sec}, {eta} left";
                (ProgressBar::new(steps as u64), STRIDE, template)
            }
            Amount::Runs(runs) => {
                let template = "{prefix} [{bar:32}] {pos}/{len} runs, {per_sec}, {eta} left";
                (ProgressBar::new(runs as u64), 1, template)
            }
            Amount::Share => {
                (ProgressBar::new(PARTS as u64), 1, "{prefix} [{bar:32}] {percent} %, {elapsed}")
            }
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(title.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, stride }
    }

    fn update(&self, done: usize) {
        if done.is_multiple_of(self.stride) {
            self.bar.set_position(done as u64);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
