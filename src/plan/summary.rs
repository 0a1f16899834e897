//! What `summary.json` says of a plan.

use serde_json::{Map, Value, json};

use super::{
    aim::Aimed,
    found::FoundPlan,
    replay::Replay,
    search::{Found, Search},
    task::{AimedModel, COMPONENTS, PlanTask},
    units::Units,
};
use crate::scenario::Choice as _;

/// How far in m models at the plan's own step may be from it, and, in units of the plan, its end from the goal.
pub const CLOSE: f64 = 1e-5;

/// What replays prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// Whether `lcp` and `nlp` at the plan's own step follow it.
    pub is_followed: bool,
    /// Whether its end is at the goal.
    pub is_at_goal: bool,
}

impl Proof {
    /// Of a plan that was played.
    pub fn of(plan: &FoundPlan, replays: &[Replay], aimed: Option<&Aimed>) -> Self {
        let units = Units::of(&plan.task);
        let mut faithful = replays.iter().filter(|replay| replay.is_faithful(plan)).peekable();
        let is_close = |replay: &Replay| replay.outcome.as_ref().is_ok_and(|played| played.distance <= CLOSE);
        let is_followed = faithful.peek().is_some() && faithful.all(is_close);
        let last = plan.states.last().cloned().unwrap_or_default();
        let of_plan = || {
            plan.task.goals.iter().filter(|goal| goal.weight.is_none()).all(|goal| {
                let alone =
                    FoundPlan { task: PlanTask { goals: vec![*goal], ..plan.task.clone() }, ..plan.clone() };
                alone.misses(&last).into_iter().all(|(_, component, miss)| {
                    // IPOPT takes bounds for a little wider than they are.
                    miss.abs() <= (goal.within.max(CLOSE) + 1e-7) * units.of_component(component)
                })
            })
        };
        let is_at_goal = match (plan.task.aim, aimed) {
            (AimedModel::Plan, _) => of_plan(),
            (_, Some(aimed)) => aimed.miss <= aimed.within.max(CLOSE),
            (_, None) => false,
        };
        Self { is_followed, is_at_goal }
    }
}

/// The summary of a search.
pub fn plan_summary(task: &PlanTask, search: &Search, replays: &[Replay]) -> Value {
    let [found, tried] = search.starts();
    let starts = json!({
        "tried": tried,
        "found": found,
        "iterations": search.attempts.iter().map(|attempt| attempt.iterations).sum::<u32>(),
    });
    let mut summary = json!({
        "plan": task.name,
        "steps": search.steps,
        "cost_kind": task.cost.as_str(),
        "cost_unit": task.cost.unit(),
        "finished": search.finished,
        "starts": starts,
    });
    if let Some(Found { plan, kkt, verdict, switches, complementarity, .. }) = &search.found {
        let proof = Proof::of(plan, replays, search.aimed.as_ref());
        let last = plan.states.last().cloned().unwrap_or_default();
        summary["steps"] = plan.task.steps.into();
        if plan.task.steps < search.steps {
            summary["steps_not_reached"] = search.steps.into();
        }
        summary["duration"] = plan.duration.into();
        summary["cost"] = plan.cost.into();
        summary["verdict"] = verdict.to_string().into();
        summary["switches"] = json!(switches);
        summary["kkt"] = (*kkt).into();
        summary["complementarity"] = (*complementarity).into();
        summary["miss"] = misses(plan, &plan.misses(&last));
        summary["followed"] = proof.is_followed.into();
        summary["at_goal"] = proof.is_at_goal.into();
        summary["stands_still"] = plan.stands_still().into();
        summary["replay"] = replays
            .iter()
            .map(|replay| (key(plan, replay), value(plan, replay)))
            .collect::<Map<_, _>>()
            .into();
    }
    if let Some(Aimed { model, misses, miss, within, iterations }) = &search.aimed {
        summary["aim"] = json!({
            "model": model.as_str(), "misses": misses, "miss": miss, "within": within, "iterations": iterations,
        });
    }
    if let Some(nearest) = &search.nearest {
        let last = nearest.states.last().cloned().unwrap_or_default();
        summary["nearest_miss"] = misses(nearest, &nearest.misses(&last));
    }
    summary
}

/// What a replay is called.
pub fn key(plan: &FoundPlan, replay: &Replay) -> String {
    let impacts = replay.impacts_word();
    let fine = replay.step < 0.5 * plan.step() && !replay.stepper.is_exact();
    [replay.stepper.as_str(), impacts, if fine { "at h/10" } else { "" }]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn value(plan: &FoundPlan, replay: &Replay) -> Value {
    match &replay.outcome {
        Ok(played) => json!({
            "miss": misses(plan, &played.misses),
            "distance": played.distance,
            "first_other_mode": played.first_other_mode,
        }),
        Err(reason) => json!({ "refused": reason }),
    }
}

/// Misses by the names of components.
fn misses(plan: &FoundPlan, misses: &[(usize, usize, f64)]) -> Value {
    let name = |body: usize, component: usize| {
        format!("{}.{}", plan.task.scenario.body_name(body), COMPONENTS[component])
    };
    let entries = misses.iter().map(|(body, component, miss)| (name(*body, *component), json!(miss)));
    entries.collect::<Map<_, _>>().into()
}
