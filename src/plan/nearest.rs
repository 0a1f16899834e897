//! The end nearest to a goal that no start led to: the sum of the misses is made least in place of the cost, with few steps
//! first, from which many would not get away.

use super::{
    found::FoundPlan,
    program::{Program, Sought},
    relaxation::{self, Point},
    stretch::resampled,
    task::PlanTask,
};
use crate::{
    nlp::{
        IpoptError,
        sparse::{SparseNlp, SparseSolution},
    },
    watch::Watch,
};

/// About the fewest steps that it is sought with.
const FEWEST: usize = 10;

/// By how much in units of the plan many steps may come less near than few: more is another motion.
const AS_NEAR: f64 = 0.1;

/// From about ten steps to `steps`, each about twice the one before.
fn ladder(steps: usize) -> Vec<usize> {
    let halves = std::iter::successors(Some(steps), |more| (*more >= 2 * FEWEST).then(|| more.div_ceil(2)));
    let mut ladder: Vec<usize> = halves.collect();
    ladder.reverse();
    ladder
}

/// The motion that comes nearest to the goals, of as many steps up to `steps` as it was found for.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub(super) fn nearest(
    task: &PlanTask,
    steps: usize,
    watch: &Watch<'_>,
) -> Result<Option<FoundPlan>, IpoptError> {
    let mut best: Option<(Program, Point)> = None;
    for steps in ladder(steps) {
        if watch.flow().is_break() {
            break;
        }
        let program = Program::new(&task.with_steps(steps), Sought::Nearest);
        let found = match &best {
            None => relaxation::homotopy(&program, task.seed, watch)?.point,
            Some((coarse, point)) => match refined(&program, coarse, point, watch)? {
                Some(point) => Some(point),
                None => break,
            },
        };
        best = found.map(|point| (program, point)).or(best);
    }
    Ok(best.map(|(program, point)| FoundPlan::of(&program, &point.x)))
}

/// The same motion in more steps.
fn refined(
    program: &Program,
    coarse: &Program,
    point: &Point,
    watch: &Watch<'_>,
) -> Result<Option<Point>, IpoptError> {
    let x = resampled(coarse, &point.x, program, 1.0);
    let limit = coarse.objective(&point.x) + AS_NEAR;
    let is_as_near =
        |solution: &SparseSolution| relaxation::is_plan(solution) && program.objective(&solution.x) <= limit;
    let (solution, _) = relaxation::solve_from_near(program, x, watch, is_as_near)?;
    Ok(is_as_near(&solution).then_some(Point { x: solution.x, multipliers: solution.multipliers }))
}

#[cfg(test)]
mod tests {
    use super::ladder;

    #[test]
    fn steps_grow_from_about_ten_to_all() {
        assert_eq!(ladder(400), [13, 25, 50, 100, 200, 400]);
        assert_eq!(ladder(80), [10, 20, 40, 80]);
        assert_eq!(ladder(19), [19]);
        assert_eq!(ladder(1), [1]);
    }
}
