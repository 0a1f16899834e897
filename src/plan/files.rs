//! The tables of a plan.

use std::io::{self, Write};

use super::{
    found::FoundPlan,
    replay::Replay,
    search::Search,
    task::{COMPONENTS, PlanTask},
};

/// `plan.csv`: a row per state `t_k`: states of all bodies, and of the step `k -> k+1` that begins there the pushes and, per
/// candidate of contact, gap at its end in m, normal force and friction in N and mode; those are empty in the last row.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_plan(plan: &FoundPlan, out: &mut dyn Write) -> io::Result<()> {
    let scenario = &plan.task.scenario;
    let mut header = vec!["step".to_owned(), "t".to_owned()];
    for body in 0..scenario.bodies.len() {
        header.extend(COMPONENTS.map(|component| format!("{}.{component}", scenario.body_name(body))));
    }
    header.extend(push_names(&plan.task));
    let mut known: Vec<String> = Vec::new();
    for (first, second) in &plan.candidates {
        let pair = format!("{}-{}", scenario.body_name(*first), scenario.partner_name(*second));
        let number = known.iter().filter(|name| **name == pair).count();
        header.extend(["gap", "fn", "ft", "mode"].map(|part| format!("{pair}-{number}.{part}")));
        known.push(pair);
    }
    let mut table = csv::Writer::from_writer(out);
    table.write_record(&header)?;
    for (k, states) in plan.states.iter().enumerate() {
        let mut row = vec![k.to_string(), (k as f64 * plan.step()).to_string()];
        row.extend(states.iter().flatten().map(f64::to_string));
        let pushes = plan.pushes.get(k);
        let width = 3 * plan.task.controls.len();
        row.extend(
            (0..width).map(|at| pushes.map_or_else(String::new, |all| all[at / 3][at % 3].to_string())),
        );
        for candidate in 0..plan.candidates.len() {
            match plan.contacts.get(k) {
                None => row.extend([const { String::new() }; 4]),
                Some(contacts) => {
                    let contact = contacts[candidate];
                    row.extend(
                        [contact.gap, contact.normal, contact.friction].map(|value| value.to_string()),
                    );
                    row.push(contact.mode.as_str().to_owned());
                }
            }
        }
        table.write_record(&row)?;
    }
    table.flush()
}

/// Names of the components of the pushes.
pub fn push_names(task: &PlanTask) -> Vec<String> {
    let name = |control: usize| ["fx", "fz", "torque"].map(|part| format!("control-{control}.{part}"));
    (0..task.controls.len()).flat_map(name).collect()
}

/// The columns of `pushes.csv`: number, beginning and end of a step, then the components of the pushes.
pub(super) fn pushes_header(task: &PlanTask) -> Vec<String> {
    ["step", "from", "to"].map(str::to_owned).into_iter().chain(push_names(task)).collect()
}

/// `pushes.csv`: a row per step: its beginning and end in s, forces in N and torques in N m. It can be what another search
/// starts from: [`GivenPushes`](super::GivenPushes).
///
/// # Errors
/// Whatever `out` answers.
pub fn write_pushes(plan: &FoundPlan, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(pushes_header(&plan.task))?;
    for (k, pushes) in plan.pushes.iter().enumerate() {
        let mut row = vec![k.to_string()];
        row.extend([k, k + 1].map(|k| (k as f64 * plan.step()).to_string()));
        row.extend(pushes.iter().flatten().map(f64::to_string));
        table.write_record(&row)?;
    }
    table.flush()
}

/// `starts.csv`: a row per start.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_starts(search: &Search, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["steps", "kind", "seed", "plan", "status", "iterations", "relaxation", "cost"])?;
    for attempt in &search.attempts {
        table.write_record([
            attempt.steps.to_string(),
            attempt.kind.as_str().to_owned(),
            attempt.seed.to_string(),
            attempt.point.is_some().to_string(),
            attempt.status.to_string(),
            attempt.work.iterations.to_string(),
            format!("{:e}", attempt.relaxation),
            attempt.cost.to_string(),
        ])?;
    }
    table.flush()
}

/// `refine.csv`: a row per halving.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_refinements(search: &Search, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["steps", "rolled_out", "status", "iterations", "cost"])?;
    for refinement in &search.refinements {
        table.write_record([
            refinement.steps.to_string(),
            refinement.rolled_out.to_string(),
            refinement.status.to_string(),
            refinement.work.iterations.to_string(),
            refinement.cost.to_string(),
        ])?;
    }
    table.flush()
}

/// `replay.csv`: a row per replay: the miss of every component of the goals in SI units, the largest distance from the plan in
/// m, the first step with other contact modes, and why a stepper did not play it.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_replays(plan: &FoundPlan, replays: &[Replay], out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let mut header = ["stepper", "impacts", "step"].map(str::to_owned).to_vec();
    let last = plan.states.last().cloned().unwrap_or_default();
    let goals = plan.misses(&last);
    header.extend(goals.iter().map(|(body, component, _)| {
        format!("miss.{}.{}", plan.task.scenario.body_name(*body), COMPONENTS[*component])
    }));
    header.extend(["distance", "first_other_mode", "reason"].map(str::to_owned));
    table.write_record(&header)?;
    for replay in replays {
        let mut row =
            vec![replay.stepper.to_string(), replay.impacts_word().to_owned(), replay.step.to_string()];
        match &replay.outcome {
            Ok(played) => {
                row.extend(played.misses.iter().map(|(.., miss)| miss.to_string()));
                row.push(played.distance.to_string());
                row.push(played.first_other_mode.map_or_else(String::new, |step| step.to_string()));
                row.push(String::new());
            }
            Err(reason) => {
                row.extend(vec![String::new(); goals.len() + 2]);
                row.push(reason.clone());
            }
        }
        table.write_record(&row)?;
    }
    table.flush()
}
