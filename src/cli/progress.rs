use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Steps between two updates of the bar, so that fast steppers do not wait for it.
const STRIDE: usize = 256;

/// Parts into which a bar over a share of work is divided.
const PARTS: u64 = 1000;

/// A progress bar over the steps of a run: on a terminal, on standard error, with steps per second.
pub struct StepProgress {
    bar: ProgressBar,
}

impl StepProgress {
    /// A bar over `steps` steps, titled `title`.
    pub fn new(title: &str, steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        let template = "{prefix} [{bar:32}] {pos}/{len} steps, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(title.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// Notes that `done` steps are taken.
    pub fn update(&self, done: usize) {
        if done.is_multiple_of(STRIDE) {
            self.bar.set_position(done as u64);
        }
    }
}

impl Drop for StepProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar over a share of work: on a terminal, on standard error.
pub struct ShareProgress {
    bar: ProgressBar,
}

impl ShareProgress {
    /// A bar titled `title`.
    pub fn new(title: &str) -> Self {
        let bar = ProgressBar::new(PARTS);
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:32}] {percent} %, {elapsed}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(title.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// Notes that the share `done`, from 0 to 1, is done.
    pub fn update(&self, done: f64) {
        self.bar.set_position((done * PARTS as f64) as u64);
    }
}

impl Drop for ShareProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
