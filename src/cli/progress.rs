//! How far long work is: a bar on a terminal, and a line a minute where standard error is a file, as in the log of a
//! cluster's job.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    ops::ControlFlow,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use stickslip::watch::Watch;

use super::printable;

/// Units of a [`Watch`] in work that is measured by its share.
const PARTS: usize = 1000;
/// Between two looks at how far the work is.
const TICK: Duration = Duration::from_millis(250);
/// Between two lines in a log.
const LINE: Duration = Duration::from_secs(60);

/// How much work there is.
#[derive(Debug, Clone, Copy)]
pub enum Amount {
    /// So many steps; the watch counts them.
    Steps(usize),
    /// So many runs of a sweep; the watch counts them.
    Runs(usize),
    /// So many solves of a plan; the watch counts them.
    Solves(usize),
    /// Some; the watch counts thousandths of it, see [`reach_share`].
    Share,
    /// As many sets of parameters as a search takes, which nobody knows before it ends, but no more than `most`; each is
    /// about so many `steps`, which the watch counts.
    Sets {
        /// Steps of one.
        steps: usize,
        /// Sets at most.
        most: usize,
    },
}

impl Amount {
    /// What the watch counts to, where that is known.
    fn whole(self) -> Option<usize> {
        match self {
            Self::Steps(count) | Self::Runs(count) | Self::Solves(count) => Some(count),
            Self::Share => Some(PARTS),
            Self::Sets { most, .. } => Some(most),
        }
    }

    /// How many of its units are done where the watch has counted `done`.
    fn count(self, done: usize) -> usize {
        match self {
            Self::Sets { steps, .. } => done / steps.max(1),
            _ => done,
        }
    }
}

/// Tells `watch` the share of work that is done, 0 to 1.
pub fn reach_share(watch: &Watch<'_>, share: f64) -> ControlFlow<()> {
    watch.reach((share * PARTS as f64) as usize)
}

/// Tells on standard error how far the work of `watch` is, until `ended` hears that it has ended.
///
/// It looks from outside, by the clock, so that neither fast steps wait for it nor slow ones are told late.
pub fn tell(title: &str, amount: Amount, watch: &Watch<'_>, ended: &Receiver<()>) {
    let is_over = |wait| !matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
    if io::stderr().is_terminal() {
        let bar = bar(title, amount);
        while !is_over(TICK) {
            bar.set_position(amount.count(watch.done()) as u64);
            bar.set_message(printable::message(&found(watch)).replace('\n', " "));
            bar.tick();
        }
        bar.finish_and_clear();
        return;
    }
    let begun = Instant::now();
    while !is_over(LINE) {
        let line = line(title, amount, watch.done(), begun.elapsed()) + &found(watch);
        // A standard error that is gone leaves nobody to tell.
        let _ = writeln!(io::stderr(), "note: {}", printable::message(&line));
    }
}

/// What the work has found so far, behind a comma.
fn found(watch: &Watch<'_>) -> String {
    let told = watch.told();
    if told.is_empty() { told } else { format!(", {told}") }
}

fn bar(title: &str, amount: Amount) -> ProgressBar {
    let template = match amount {
        Amount::Steps(_) => "{prefix} [{bar:32}] {pos}/{len} steps, {rate}/s{left}",
        Amount::Runs(_) => "{prefix} [{bar:32}] {pos}/{len} runs, {rate}/s{left}",
        Amount::Solves(_) => "{prefix} [{bar:32}] {pos}/{len} solves{left}{msg}",
        Amount::Share => "{prefix} [{bar:32}] {percent} %, {elapsed}",
        Amount::Sets { .. } => "{prefix} about {pos} of at most {len} sets of parameters tried{left}{msg}",
    };
    let bar = amount.whole().map_or_else(ProgressBar::no_length, |whole| ProgressBar::new(whole as u64));
    if let Ok(style) = ProgressStyle::with_template(template) {
        let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let digits = usize::from(state.per_sec() < 10.0);
            // A bar that cannot be written is left as it is.
            let _ = write!(out, "{:.digits$}", state.per_sec());
        });
        let style = style.with_key("left", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = out.write_str(&left(state.pos(), state.eta()));
        });
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(title.to_owned());
    bar
}

/// How long the rest takes; nothing before anything is done, when nobody knows.
fn left(done: u64, rest: Duration) -> String {
    if done > 0 { format!(", {:#} left", HumanDuration(rest)) } else { String::new() }
}

fn line(title: &str, amount: Amount, done: usize, elapsed: Duration) -> String {
    let so_far = match amount {
        Amount::Steps(whole) => format!("{done} of {whole} steps"),
        Amount::Runs(whole) => format!("{done} of {whole} runs"),
        Amount::Solves(whole) => format!("{done} of {whole} solves"),
        Amount::Share => format!("{:.0} %", 100.0 * done as f64 / PARTS as f64),
        Amount::Sets { most, .. } => {
            format!("about {} of at most {most} sets of parameters tried", amount.count(done))
        }
    };
    let seconds = |duration: Duration| humantime::format_duration(Duration::from_secs(duration.as_secs()));
    let done = amount.count(done);
    let rest = |whole: usize| elapsed.as_secs_f64() * whole.saturating_sub(done) as f64 / done as f64;
    let left = amount.whole().and_then(|whole| Duration::try_from_secs_f64(rest(whole)).ok());
    let at = if matches!(amount, Amount::Sets { .. }) { "at most" } else { "about" };
    let left = left.map_or_else(String::new, |left| format!(", {at} {} left", seconds(left)));
    format!("{title}: {so_far} in {}{left}", seconds(elapsed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let after = |amount, done, seconds| line("it", amount, done, Duration::from_secs(seconds));
        assert_eq!(after(Amount::Steps(1000), 250, 60), "it: 250 of 1000 steps in 1m, about 3m left");
        assert_eq!(after(Amount::Runs(9), 6, 180), "it: 6 of 9 runs in 3m, about 1m 30s left");
        assert_eq!(after(Amount::Solves(9), 6, 180), "it: 6 of 9 solves in 3m, about 1m 30s left");
        assert_eq!(after(Amount::Share, 500, 120), "it: 50 % in 2m, about 2m left");
        assert_eq!(
            after(Amount::Sets { steps: 100, most: 168 }, 4250, 120),
            "it: about 42 of at most 168 sets of parameters tried in 2m, at most 6m left",
            "a search may end sooner"
        );
    }

    #[test]
    fn nothing_is_said_of_what_is_left_before_anything_is_done() {
        assert_eq!(line("it", Amount::Steps(7), 0, LINE), "it: 0 of 7 steps in 1m");
        assert_eq!(line("it", Amount::Steps(0), 0, LINE), "it: 0 of 0 steps in 1m");
        assert_eq!((left(0, Duration::ZERO), left(1, LINE)), (String::new(), ", 60s left".to_owned()));
    }

    #[test]
    fn what_takes_longer_than_it_was_said_to_has_nothing_left() {
        assert_eq!(line("it", Amount::Steps(7), 8, LINE), "it: 8 of 7 steps in 1m, about 0s left");
    }
}
