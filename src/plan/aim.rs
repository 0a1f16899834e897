//! Aiming: the goal of the program is moved until a model whose steps are finer, or none, ends at the goal of the task.
//!
//! A plan at a step `h` is at the goal by the steps of `lcp` at `h`, and misses it by the error of the step in any finer model.
//! That miss changes little with the plan, so that to move the goal by it, again and again, converges in a few passes.

use super::{
    found::FoundPlan,
    meeting::meet,
    program::Program,
    relaxation::{self, Beginning, Point},
    replay::end_by,
};
use crate::{nlp::IpoptError, stepper::StepperName, watch::Watch};

/// Passes at most.
const PASSES: usize = 5;

/// A miss, in units of the plan, that is none.
const NEAR: f64 = 1e-6;

/// How a pass begins, from the plan before.
const BEGINNING: Beginning = Beginning { barrier: 1e-4, push: 1e-5, warm: true, exact: false };

/// What aiming came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Aimed {
    /// Whose end was brought to the goal: `exact`, or `lcp` at a tenth of the step.
    pub model: StepperName,
    /// The largest miss of the components that are aimed at, in units, before each pass and after the last.
    pub misses: Vec<f64>,
    /// The least of them, which is that of the plan before it is polished.
    pub miss: f64,
    /// Largest miss that is allowed, in units.
    pub within: f64,
    /// Iterations of IPOPT in all.
    pub iterations: u32,
}

/// Moves the goals of `program` until the model of the task ends at them; the point that is given back is the best.
///
/// Aimed at are places, and velocities that are not to be zero: rest is something that contacts bring about, and to move its
/// goal would be to ask for motion. Nothing where no model plays the plan, or nothing is aimed at.
///
/// # Errors
/// [`IpoptError`] if IPOPT cannot be started.
pub fn aim(
    program: &mut Program,
    start: &Point,
    watch: &Watch<'_>,
) -> Result<Option<(Point, Aimed)>, IpoptError> {
    let rows: Vec<usize> = (0..program.goals().len())
        .filter(|index| {
            let goal = program.goals()[*index];
            goal.within.is_finite() && (goal.component < 3 || goal.target != 0.0)
        })
        .collect();
    let within = program.task.goals.iter().map(|goal| goal.within).fold(NEAR, f64::max);
    let Some(model) = model(program, start, watch) else { return Ok(None) };
    if rows.is_empty() {
        return Ok(None);
    }
    program.relaxation = relaxation::RELAXATIONS[relaxation::RELAXATIONS.len() - 1];
    let mut point = start.clone();
    let mut best = (start.clone(), f64::INFINITY);
    let mut aimed = Aimed { model, misses: Vec::new(), miss: f64::INFINITY, within, iterations: 0 };
    for pass in 0..=PASSES {
        let plan = FoundPlan::of(program, &point.x);
        let Some(found) = end_by(&plan, model, watch) else { break };
        let miss = |index: usize| {
            let goal = program.goals()[index];
            let body = program.task.goals[goal.goal].body;
            let own = found.iter().find(|(of, component, _)| (*of, *component) == (body, goal.component));
            own.map_or(0.0, |(.., miss)| miss / program.rows.units.of_component(goal.component))
        };
        let away: Vec<f64> = rows.iter().map(|index| miss(*index)).collect();
        let worst = away.iter().fold(0.0_f64, |most, miss| most.max(miss.abs()));
        aimed.misses.push(worst);
        if worst < best.1 {
            best = (point.clone(), worst);
        }
        if worst <= within || pass == PASSES || watch.flow().is_break() {
            break;
        }
        for (index, away) in rows.iter().zip(&away) {
            let target = program.goals()[*index].target - away;
            program.move_goal(*index, target);
        }
        let solution = relaxation::solve(program, &point, BEGINNING, watch)?;
        aimed.iterations += solution.iterations;
        if !relaxation::is_plan(&solution) {
            break;
        }
        point = Point { x: solution.x, multipliers: solution.multipliers };
        aimed.iterations += meet(program, &mut point, watch)?;
    }
    aimed.miss = best.1;
    Ok(Some((best.0, aimed)))
}

/// The model that a task aims with: `exact` where it plays the plan, else `lcp` at a tenth of the step.
fn model(program: &Program, point: &Point, watch: &Watch<'_>) -> Option<StepperName> {
    let plan = FoundPlan::of(program, &point.x);
    program.task.aim.models().iter().copied().find(|model| end_by(&plan, *model, watch).is_some())
}
