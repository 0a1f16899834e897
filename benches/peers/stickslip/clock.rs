//! Two clocks at once: what a piece of work took, and how much of that the processor worked on it.

use std::time::{Duration, Instant};

use serde::Serialize;

/// Nanoseconds per unit of work, one entry per sample.
#[derive(Debug, Default, Serialize)]
pub struct Samples {
    /// Processor time of this process, which other programs on the machine do not stretch.
    pub cpu_ns: Vec<f64>,
    /// Time on the wall.
    pub wall_ns: Vec<f64>,
}

impl Samples {
    /// Takes one sample: does `work`, which consists of `units` equal units.
    pub fn take<T>(&mut self, units: usize, work: impl FnOnce() -> T) -> T {
        self.take_counted(|| (work(), units))
    }

    /// Takes one sample of `work` that tells of how many equal units it consisted.
    pub fn take_counted<T>(&mut self, work: impl FnOnce() -> (T, usize)) -> T {
        let started = Instant::now();
        let cpu_before = processor_time(started);
        let (result, units) = work();
        let cpu = processor_time(started).saturating_sub(cpu_before);
        let wall = started.elapsed();
        let per_unit = |time: Duration| time.as_secs_f64() * 1e9 / units as f64;
        self.cpu_ns.push(per_unit(cpu));
        self.wall_ns.push(per_unit(wall));
        result
    }
}

/// Processor time of all threads of this process so far.
#[cfg(unix)]
fn processor_time(_: Instant) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the one value that the call writes.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Elsewhere the wall clock has to do.
#[cfg(not(unix))]
fn processor_time(started: Instant) -> Duration {
    started.elapsed()
}
