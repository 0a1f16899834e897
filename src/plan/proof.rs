//! What replays prove of a plan: that the models follow it, and that its end is at the goal.

use super::{
    aim::Aimed,
    found::FoundPlan,
    replay::{Played, Replay},
    task::{AimedModel, Goal},
    units::Units,
};
use crate::stepper::StepperName;

/// How far in m models at the plan's own step may be from it, and, in units of the plan, its end from the goal.
pub const CLOSE: f64 = 1e-5;

/// What is left of an equality when IPOPT is done, in units: it takes bounds for a little wider than they are.
const WIDENED: f64 = 1e-7;

/// What replays prove.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// Whether `lcp` and `nlp` at the plan's own step follow it.
    pub is_followed: bool,
    /// Whether its end is at the goal.
    pub is_at_goal: bool,
    /// The model whose end that is, where the task aims with one and it plays the plan; else the plan itself is asked.
    pub model: Option<StepperName>,
    /// The component of the goals that is missed by more than it may be, by most of all in units of the plan: body, component,
    /// miss in SI units.
    pub missed: Option<(usize, usize, f64)>,
}

impl Proof {
    /// Of a plan that was played, and the goals of which were moved as `aimed` says.
    pub fn of(plan: &FoundPlan, replays: &[Replay], aimed: Option<&Aimed>) -> Self {
        let mut faithful = replays.iter().filter(|replay| replay.is_faithful(plan)).peekable();
        let is_close = |replay: &Replay| replay.outcome.as_ref().is_ok_and(|played| played.distance <= CLOSE);
        let is_followed = faithful.peek().is_some() && faithful.all(is_close);
        if plan.task.aim == AimedModel::Plan {
            let last = plan.states.last().cloned().unwrap_or_default();
            let missed = worst(plan, &plan.misses(&last));
            return Self { is_followed, is_at_goal: missed.is_none(), model: None, missed };
        }
        let models = aimed.map_or(plan.task.aim.models(), |aimed| std::slice::from_ref(&aimed.model));
        let Some((model, played)) = end_by(models, plan, replays) else {
            return Self { is_followed, is_at_goal: false, model: None, missed: None };
        };
        let missed = worst(plan, &played.misses);
        Self { is_followed, is_at_goal: missed.is_none(), model: Some(model), missed }
    }
}

/// What the first of the models that plays the plan does at finer steps than its own, or without any.
fn end_by<'a>(
    models: &[StepperName],
    plan: &FoundPlan,
    replays: &'a [Replay],
) -> Option<(StepperName, &'a Played)> {
    let by = |model: StepperName| {
        let is_fine = |replay: &&Replay| replay.stepper == model && replay.step < 0.5 * plan.step();
        let played = replays.iter().filter(is_fine).find_map(|replay| replay.outcome.as_ref().ok())?;
        Some((model, played))
    };
    models.iter().find_map(|model| by(*model))
}

/// What is missed by most, of goals that are no part of the cost, where it is more than it may be.
fn worst(plan: &FoundPlan, misses: &[(usize, usize, f64)]) -> Option<(usize, usize, f64)> {
    let units = Units::of(&plan.task);
    let own = |goal: &Goal| goal.target.iter().flatten().count();
    let goals = plan.task.goals.iter().flat_map(|goal| std::iter::repeat_n(goal, own(goal)));
    let scaled = |component: usize, miss: f64| (miss / units.of_component(component)).abs();
    let beyond = goals.zip(misses).filter(|(goal, (_, component, miss))| {
        goal.weight.is_none() && scaled(*component, *miss) > goal.within.max(CLOSE) + WIDENED
    });
    let worst = beyond.max_by(|(_, a), (_, b)| scaled(a.1, a.2).total_cmp(&scaled(b.1, b.2)));
    worst.map(|(_, miss)| *miss)
}
