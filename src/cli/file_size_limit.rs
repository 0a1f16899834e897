//! A limit on the size of files (`ulimit -f`) is an error like a full disk, and does not end the process.

/// From now on a write beyond the limit fails, instead of ending the process by SIGXFSZ.
pub fn make_an_error() {
    #[cfg(unix)]
    {
        use std::sync::{Arc, atomic::AtomicBool};

        // That the signal is handled is all that is needed; what happened is seen where the write fails. Without a
        // handler the process ends, as it would have anyway.
        let seen = Arc::new(AtomicBool::new(false));
        drop(signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, seen));
    }
}
