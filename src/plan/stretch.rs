//! Plans whose contacts close and open a step earlier or later.
//!
//! In which step a contact closes is a choice among branches, and a plan may be the best of its branch where the next one is
//! cheaper: to go from one to the other, several pairs of complementary numbers have to switch at once, which neither the
//! homotopy nor single switches do. A motion that runs a little slower or faster is near the optimum of such a branch.

use super::{
    program::Program,
    relaxation::{Attempt, Beginning, Kind, solve_once},
    search::Solved,
    starts::{put, settle},
};
use crate::{
    nlp::{IpoptError, sparse::SparseNlp},
    watch::Watch,
};

/// By how many steps of all the motion is drawn out.
const SHIFTS: [i32; 4] = [1, -1, 2, -2];

/// How often the best plan is drawn out anew.
const ROUNDS: usize = 4;

/// Of its cost, what a plan has to gain to be drawn out anew.
const GAIN: f64 = 1e-6;

/// How a stretched plan is begun.
const BEGINNING: Beginning = Beginning { barrier: 1e-2, push: 1e-3, warm: false, exact: false };

/// Solves from the `best` plan, made to run slower and faster, as long as that makes it better.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub(super) fn stretch(
    program: &Program,
    best: &mut Solved,
    watch: &Watch<'_>,
) -> Result<Vec<Attempt>, IpoptError> {
    let mut attempts: Vec<Attempt> = Vec::new();
    for _ in 0..ROUNDS {
        let from = best.clone();
        for shift in SHIFTS {
            if watch.flow().is_break() {
                return Ok(attempts);
            }
            let x = stretched(program, &from.point.x, shift);
            let attempt = solve_once(program, (Kind::Stretched, program.task.seed), x, BEGINNING, watch)?;
            if let Some(plan) = attempt.point.clone().map(|point| Solved::of(program, point))
                && plan.is_better_than(best)
            {
                *best = plan;
            }
            attempts.push(attempt);
        }
        if from.cost - best.cost <= GAIN * from.cost.abs() {
            break;
        }
    }
    Ok(attempts)
}

/// The motion at `x` as it takes `shift` steps more for all of its way; what would come after the end is left out, and what
/// ends early stays at its end.
fn stretched(program: &Program, x: &[f64], shift: i32) -> Vec<f64> {
    let steps = program.task.steps as f64;
    resampled(program, x, program, steps / (steps + f64::from(shift)))
}

/// The motion at the variables `x` of `from` as variables of `program`, which may have another number of steps, so many times as
/// fast.
pub fn resampled(from: &Program, x: &[f64], program: &Program, pace: f64) -> Vec<f64> {
    let layout = program.rows.layout();
    let (old, new) = (from.task.steps, program.task.steps);
    let locals: Vec<Vec<f64>> = (0..old).map(|k| from.local(k, x)).collect();
    // The places after so many of the old steps.
    let place = |time: f64| -> Vec<f64> {
        let step = (time.floor() as usize).min(old - 1);
        let share = (time - step as f64).min(1.0);
        let [before, after] = [layout.place, layout.place_after].map(|first| &locals[step][first..]);
        (0..layout.freedom).map(|at| before[at] + share * (after[at] - before[at])).collect()
    };
    let mut found = vec![0.0; program.variables()];
    for k in 0..new {
        let [begin, end] = [k, k + 1].map(|k| k as f64 * pace * old as f64 / new as f64);
        // The old step in which the middle of the new one falls.
        let step = ((0.5 * (begin + end)).floor() as usize).min(old - 1);
        let mut local = locals[step].clone();
        local[layout.place..layout.place + layout.freedom].copy_from_slice(&place(begin));
        local[layout.place_after..layout.place_after + layout.freedom].copy_from_slice(&place(end));
        if k == 0 {
            let velocities = layout.velocity..layout.velocity + layout.freedom;
            local[velocities.clone()].copy_from_slice(&locals[0][velocities]);
        }
        put(program, k, &local, &mut found);
    }
    settle(program, &mut found);
    found
}
