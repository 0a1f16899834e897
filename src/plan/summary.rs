//! What `summary.json` says of a plan.

use serde_json::{Map, Value, json};

use super::{
    aim::Aimed,
    found::FoundPlan,
    proof::Proof,
    replay::Replay,
    search::{Found, Search},
    task::{COMPONENTS, PlanTask},
    work::Work,
};
use crate::scenario::Choice as _;

/// The summary of a search.
pub fn plan_summary(task: &PlanTask, search: &Search, replays: &[Replay]) -> Value {
    let [found, tried] = search.starts();
    let starts = json!({
        "tried": tried,
        "found": found,
        "iterations": search.attempts.iter().map(|attempt| attempt.work.iterations).sum::<u32>(),
    });
    let mut summary = json!({
        "plan": task.name,
        "steps": search.steps,
        "cost_kind": task.cost.as_str(),
        "cost_unit": task.cost.unit(),
        "finished": search.finished,
        "starts": starts,
        "solver": search.work().into_iter().map(|(steps, work)| solver(steps, &work)).collect::<Vec<_>>(),
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

/// What solves at a number of steps took; the times are told apart from what is the same in every run.
fn solver(steps: usize, work: &Work) -> Value {
    json!({
        "steps": steps,
        "iterations": work.iterations,
        "factor_entries": work.factor_entries,
        "seconds": work.seconds,
        "iteration": { "seconds": work.seconds_per_iteration() },
    })
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
