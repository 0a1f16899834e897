//! Whether what a command keeps fits into the memory, before it begins.

use stickslip::{scenario::Scenario, trajectory::Trajectory};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::error::CliError;

/// Share of the free memory that trajectories may take; pictures, and the rest of the machine, need some as well.
const SHARE: f64 = 0.7;

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

/// Free memory in bytes, also within a container; `None` where the system does not say.
fn free_memory() -> Option<f64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    // What a container counts as used is for the most part files that are kept at hand and given up on demand.
    let container = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let free = container.into_iter().filter(|&free| free > 0).chain([system.available_memory()]).min()?;
    (free > 0).then_some(free as f64)
}

/// Bytes in words.
fn size(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
}
