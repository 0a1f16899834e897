//! Computes the runs that a folder lacks.

use std::{
    convert::Infallible,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use super::{Row, RunStatus, Store, Sweep, execute, plan::Shard};
use crate::atomic_file::WriteError;

/// A part is written about this often: a killed process loses no more than that much work.
const PART_EVERY: Duration = Duration::from_secs(1);
/// Most rows of a part.
const PART_ROWS: usize = 50_000;
/// How often the progress is reported and an interruption looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How far the work is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs that are finished, by this call.
    pub finished: usize,
    /// Those among them that failed.
    pub failed: usize,
    /// Those among them that were refused.
    pub refused: usize,
    /// Those among them that are stored.
    pub stored: usize,
}

/// How the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every run that was asked for is stored.
    Complete,
    /// The observer asked to stop; every finished run is stored.
    Interrupted,
}

/// Why the work stopped early.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Rows could not be stored; those stored before are intact.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The workers could not be started.
    #[error("cannot start {workers} workers: {reason}")]
    Workers {
        /// How many were asked for.
        workers: usize,
        /// What the system said.
        reason: String,
    },
}

/// Computes the runs of these `numbers` on `workers` threads, and stores them in parts of `shard`.
///
/// `observe` is called some twenty times a second, on the calling thread; `ControlFlow::Break`
/// drops the runs in flight, stores the finished ones and ends the work.
///
/// # Errors
/// [`WorkError`]; the folder then holds every part that was written before.
pub(super) fn work(
    sweep: &Sweep,
    store: &Store,
    shard: Shard,
    numbers: &[u64],
    workers: usize,
    mut observe: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<(Ending, Progress), WorkError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .thread_name(|index| format!("sweep-{index}"))
        .build()
        .map_err(|error| WorkError::Workers { workers, reason: error.to_string() })?;
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel::<Row>();
    // Waited for in the place of rows: whoever waits for a row costs the worker that sends it a call of the system.
    let (working, idle) = mpsc::channel::<Infallible>();
    let mut outcome: Result<Ending, WorkError> = Ok(Ending::Complete);
    let mut progress = Progress::default();

    pool.in_place_scope(|scope| {
        for _ in 0..workers {
            let (sender, working, next, stop) = (sender.clone(), working.clone(), &next, &stop);
            scope.spawn(move |_| {
                let _until_the_end = working;
                let flow = || match stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(row) = execute(sweep, number, flow) else { break };
                    // Nobody receives after a failed write, when all work is in vain.
                    if sender.send(row).is_err() {
                        break;
                    }
                }
            });
        }
        drop((sender, working));

        let mut unstored = Vec::new();
        let mut last_part = Instant::now();
        loop {
            let is_last = idle.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Disconnected);
            for row in receiver.try_iter() {
                progress.finished += 1;
                progress.failed += usize::from(row.status == RunStatus::Failed);
                progress.refused += usize::from(row.status == RunStatus::Refused);
                unstored.push(row);
            }
            if is_last || last_part.elapsed() >= PART_EVERY || unstored.len() >= PART_ROWS {
                let stored: Result<(), WriteError> = unstored.chunks_mut(PART_ROWS).try_for_each(|rows| {
                    store.add(shard, rows)?;
                    progress.stored += rows.len();
                    Ok(())
                });
                if let Err(error) = stored {
                    stop.store(true, Ordering::Relaxed);
                    outcome = Err(error.into());
                    break;
                }
                unstored.clear();
                last_part = Instant::now();
            }
            if observe(progress).is_break() && !stop.swap(true, Ordering::Relaxed) {
                outcome = Ok(Ending::Interrupted);
            }
            if is_last {
                break;
            }
        }
        drop(receiver);
    });
    // An interruption that came after the last run has cut nothing off.
    let ending = match outcome? {
        Ending::Interrupted if progress.stored == numbers.len() => Ending::Complete,
        ending => ending,
    };
    Ok((ending, progress))
}
