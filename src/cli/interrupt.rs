use std::{
    io::{self, Write},
    ops::ControlFlow,
    process,
    sync::atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Exit status of a process that the user interrupted.
const STATUS: i32 = 130;

/// From now on SIGINT, SIGTERM and SIGHUP ask the command to finish early; a second one ends the
/// process at once.
pub fn listen() {
    let outcome = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(STATUS);
        }
    });
    // Without a handler the signals keep their usual meaning, which is no worse than before.
    drop(outcome);
}

/// From now on SIGINT, SIGTERM and SIGHUP end the process at once: for commands too short to finish
/// early.
pub fn end_at_once() {
    let outcome = ctrlc::set_handler(|| {
        // A closed standard error must not keep the process alive.
        let _ = writeln!(io::stderr(), "interrupted");
        process::exit(STATUS);
    });
    // As above.
    drop(outcome);
}

/// Whether the command was asked to finish early.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What observers of long work answer: whether to go on.
pub fn flow() -> ControlFlow<()> {
    if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
