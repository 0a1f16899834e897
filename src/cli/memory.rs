//! Whether what a command keeps fits into the memory, before it begins.

use std::fs;

use stickslip::{scenario::Scenario, sweep::Shard, trajectory::Trajectory};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::error::CliError;

/// Share of the free memory that trajectories may take; pictures, and the rest of the machine, need some as well.
const SHARE: f64 = 0.7;

/// Bytes that a run of a sweep takes that is still to be computed, in a list that grows.
const RUN_BYTES: f64 = 16.0;

/// Bytes of addresses that the program wants beside what it keeps: each thread that asks for memory reserves a part of
/// them for itself, and one that cannot asks the system for every piece.
const ROOM: u64 = 256 << 20;

/// Refuses to begin where a limit leaves too little room for the program itself.
pub fn require_room() -> Result<(), CliError> {
    room_within(left_of_limit())
}

/// The same where so many bytes are `left` of the limit, if there is one.
fn room_within(left: Option<u64>) -> Result<(), CliError> {
    match left {
        Some(left) if left < ROOM => Err(CliError::input(
            format!(
                "a limit on the memory leaves {} of addresses for the work, which takes {} beside what is kept",
                size(left as f64),
                size(ROOM as f64),
            ),
            "raise the limit that `ulimit -v` shows",
        )),
        _ => Ok(()),
    }
}

/// Refuses to keep `trajectories` trajectories of `scenario` that do not fit into the memory.
pub fn require<const D: usize>(scenario: &Scenario<D>, trajectories: usize) -> Result<(), CliError> {
    let steps = scenario.time().steps as f64;
    let needed = steps * Trajectory::bytes_per_step(scenario) as f64 * trajectories as f64;
    let Some(free) = free_memory() else { return Ok(()) };
    if needed <= SHARE * free {
        return Ok(());
    }
    let longest = scenario.duration / steps * (steps * SHARE * free / needed).floor();
    let kept =
        if trajectories == 1 { "the motion is".to_owned() } else { format!("{trajectories} motions are") };
    Err(CliError::input(
        format!(
            "{steps} steps do not fit into the memory: {kept} kept for measures and pictures, which takes {}, and {} of \
             {} free are for that",
            size(needed),
            size(SHARE * free),
            size(free),
        ),
        format!("a duration of {longest:.3e} s fits; so does a longer `step`"),
    ))
}

/// Refuses a `shard` of a sweep of `runs` runs that are too many to be listed in the memory.
pub fn require_runs(runs: u64, shard: Shard) -> Result<(), CliError> {
    free_memory().map_or(Ok(()), |free| runs_within(free, runs, shard))
}

/// The same where so many bytes are `free`.
fn runs_within(free: f64, runs: u64, shard: Shard) -> Result<(), CliError> {
    let listed = shard.size(runs);
    let needed = RUN_BYTES * listed as f64;
    if needed <= SHARE * free {
        return Ok(());
    }
    let shares = shard.count as f64 * (needed / (SHARE * free)).ceil();
    Err(CliError::input(
        format!(
            "{listed} runs do not fit into the memory: the list of them takes {}, and {} of {} free are for that",
            size(needed),
            size(SHARE * free),
            size(free),
        ),
        format!("compute one of {shares} shares after the other: --shard I/N, from --shard 0/{shares} on"),
    ))
}

/// Free memory in bytes, also within a container or a limit; `None` where the system does not say.
fn free_memory() -> Option<f64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    // What a container counts as used is for the most part files that are kept at hand and given up on demand.
    let container = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let free = container.into_iter().filter(|&free| free > 0).chain([system.available_memory()]).min()?;
    let free = left_of_limit().map_or(free, |left| left.min(free));
    (free > 0).then_some(free as f64)
}

/// Bytes that are left of a limit on the address space (`ulimit -v`), where the system has one and tells it.
fn left_of_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let taken = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken: u64 = taken.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(1024 * taken).max(1))
}

/// Bytes in words.
fn size(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_leaves_no_room_for_the_program_is_told() {
        assert!(room_within(None).is_ok() && room_within(Some(ROOM)).is_ok());
        let told = format!("{:?}", room_within(Some(ROOM / 2)));
        assert!(told.contains("leaves 134 MB of addresses") && told.contains("ulimit -v"), "{told}");
    }

    #[test]
    fn a_share_of_a_sweep_that_does_not_fit_is_refused_with_shares_that_do() {
        let (free, runs) = (1e9, 1_000_000_000);
        let told = format!("{:?}", runs_within(free, runs, Shard::WHOLE));
        assert!(told.contains("1000000000 runs do not fit into the memory"), "{told}");
        assert!(told.contains("--shard 0/23 on"), "{told}");
        for index in 0..23 {
            assert!(runs_within(free, runs, Shard { index, count: 23 }).is_ok(), "{index}");
        }
        let told = format!("{:?}", runs_within(free, runs, Shard { index: 1, count: 2 }));
        assert!(told.contains("500000000 runs") && told.contains("--shard 0/24 on"), "{told}");
        assert!(runs_within(free, 40_000_000, Shard::WHOLE).is_ok());
    }
}
