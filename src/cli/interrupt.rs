//! Ctrl-C, SIGTERM and SIGHUP: no command can forget them.
//!
//! A command that says nothing ends at once. One that has something to save says so by [`Phase`]; then the first
//! signal asks it to end early, and the process ends all the same if it does not answer within [`PATIENCE`], or
//! at a second signal.

use std::{
    io::{self, Write},
    process,
    sync::atomic::{AtomicBool, AtomicU8, Ordering},
    thread,
    time::{Duration, Instant},
};

use stickslip::atomic_file;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static PHASE: AtomicU8 = AtomicU8::new(Phase::EndAtOnce as u8);

/// Exit status of a process that the user interrupted.
const STATUS: i32 = 130;

/// How long work that promised to answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a signal does to the command as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing would be lost: it ends at once.
    EndAtOnce,
    /// Work asks [`requested`] many times a second, and what is done will be saved.
    Working,
    /// Results are written, which takes as long as it takes; only a second signal ends it.
    Saving,
}

impl Phase {
    /// From now on.
    pub fn enter(self) {
        PHASE.store(self as u8, Ordering::SeqCst);
    }

    fn is_now(self) -> bool {
        PHASE.load(Ordering::SeqCst) == self as u8
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP mean what this module says.
pub fn listen() {
    let outcome = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) || Phase::EndAtOnce.is_now() {
            end("interrupted");
        }
        if Phase::Working.is_now() {
            // On a thread of its own, so that this one hears the second signal. Without a thread the work is
            // waited for, which it promised to be short.
            let _ = thread::Builder::new().spawn(wait_for_work);
        }
    });
    // Without a handler the signals keep their usual meaning, which is no worse.
    drop(outcome);
}

/// Whether the command was asked to finish early.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

fn wait_for_work() {
    let since = Instant::now();
    while Phase::Working.is_now() {
        if since.elapsed() > PATIENCE {
            end("interrupted: the work in progress did not come to an end");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn end(message: &str) -> ! {
    let kept = atomic_file::abandon_all();
    let kept: Vec<String> = kept.iter().map(|path| format!("`{}`", path.display())).collect();
    // A closed standard error must not keep the process alive.
    let _ = match kept.is_empty() {
        true => writeln!(io::stderr(), "{message}"),
        false => writeln!(io::stderr(), "{message}; what was written before is in {}", kept.join(", ")),
    };
    process::exit(STATUS);
}
