use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Steps between two updates of the bar, so that fast steppers do not wait for it.
const STRIDE: usize = 256;

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
