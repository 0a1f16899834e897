//! The plan played by the program's own steppers: the part of the result that the program of the plan has no hand in.

use super::{found::FoundPlan, state::components};
use crate::{
    decimal::rounded,
    scenario::{Choice as _, Scenario},
    simulate::simulate_observed,
    stepper::{BuildStepper, ContactMode, StepperName},
    trajectory::{Ending, Trajectory},
    watch::Watch,
    world::Impacts,
};

/// How many steps of the finer replay make one of the plan.
const FINE: usize = 10;

/// One replay.
#[derive(Debug, Clone)]
pub struct Replay {
    /// By which stepper.
    pub stepper: StepperName,
    /// How it takes impacts, where bodies turn.
    pub impacts: Option<Impacts>,
    /// Length of its steps in s.
    pub step: f64,
    /// What it did, or why it did not.
    pub outcome: Result<Played, String>,
}

/// What a replay did.
#[derive(Debug, Clone)]
pub struct Played {
    /// By how much it misses every component of the goals, in SI units: body, component, miss.
    pub misses: Vec<(usize, usize, f64)>,
    /// Largest distance in m of a point of a body from where the plan has it, over all steps of the plan.
    pub distance: f64,
    /// The first step in which a contact does something else than in the plan, where the stepper tells contacts apart at the
    /// plan's own step.
    pub first_other_mode: Option<usize>,
    /// The motion.
    pub trajectory: Trajectory<2>,
}

impl Replay {
    /// The word for how impacts are taken; nothing where nothing turns.
    pub fn impacts_word(&self) -> &'static str {
        self.impacts.map_or("", |impacts| impacts.as_str())
    }

    /// Whether it has the step of the plan and takes impacts as the plan does: `lcp` and `nlp` then follow it.
    pub fn is_faithful(&self, plan: &FoundPlan) -> bool {
        let is_model = [StepperName::LCP, StepperName::NLP].contains(&self.stepper);
        is_model && self.step == plan.step() && self.impacts != Some(Impacts::OneStage)
    }
}

/// Plays a plan by nlp, lcp and convex at its step, bodies that turn with impacts in both ways, by lcp at a tenth of it, and by
/// exact where it admits the scenario. What is not played when the watch says to stop is left out.
pub fn replay(plan: &FoundPlan, watch: &Watch<'_>) -> Vec<Replay> {
    let turns = plan.task.scenario.has_turning_bodies();
    let impacts: &[Option<Impacts>] =
        if turns { &[Some(Impacts::TwoStage), Some(Impacts::OneStage)] } else { &[None] };
    let mut wanted = Vec::new();
    for stepper in [StepperName::LCP, StepperName::NLP, StepperName::CONVEX] {
        wanted.extend(impacts.iter().map(|impacts| (stepper, *impacts, 1)));
    }
    wanted.push((StepperName::LCP, impacts[0], FINE));
    wanted.push((StepperName::EXACT, None, FINE));
    let mut replays = Vec::new();
    for (stepper, impacts, parts) in wanted {
        if watch.flow().is_break() {
            break;
        }
        let mut scenario = plan.scenario_in_steps(parts);
        if let Some(impacts) = impacts {
            scenario.steppers.impacts = Some(impacts);
        }
        let outcome = play(plan, &scenario, stepper, parts, watch);
        replays.push(Replay { stepper, impacts, step: scenario.step, outcome });
    }
    replays
}

/// By how much every component of the goals is missed by `exact`, or by `lcp` at a tenth of the plan's step; nothing where it does
/// not play the plan, or the watch says to stop.
pub(super) fn end_by(
    plan: &FoundPlan,
    model: StepperName,
    watch: &Watch<'_>,
) -> Option<Vec<(usize, usize, f64)>> {
    let scenario = plan.scenario_in_steps(FINE);
    Some(play(plan, &scenario, model, FINE, watch).ok()?.misses)
}

fn play(
    plan: &FoundPlan,
    scenario: &Scenario<2>,
    stepper: StepperName,
    parts: usize,
    watch: &Watch<'_>,
) -> Result<Played, String> {
    let mut model = scenario.stepper(stepper).map_err(|refusal| refusal.to_string())?;
    let trajectory = simulate_observed(scenario, model.as_mut(), Default::default(), |_| watch.flow());
    if trajectory.ending != Ending::Complete {
        return Err(why_it_ended(&trajectory));
    }
    let at = |body: usize, k: usize| {
        let motion = &trajectory.bodies[body];
        components(&motion.states[k], motion.attitudes.get(k))
    };
    let mut distance: f64 = 0.0;
    for (k, states) in plan.states.iter().enumerate() {
        for (body, planned) in states.iter().enumerate() {
            let played = at(body, k * parts);
            let reach = plan.task.scenario.bodies[body].reach();
            let away = [0, 1, 2].map(|axis| played[axis] - planned[axis]);
            distance = distance.max(away[0].hypot(away[1]) + away[2].abs() * reach);
        }
    }
    let end: Vec<[f64; 6]> =
        (0..plan.states[0].len()).map(|body| at(body, plan.task.steps * parts)).collect();
    let first_other_mode = (parts == 1).then(|| first_other_mode(plan, &trajectory)).flatten();
    Ok(Played { misses: plan.misses(&end), distance, first_other_mode, trajectory })
}

/// Why a run ended before its time.
pub(super) fn why_it_ended(trajectory: &Trajectory<2>) -> String {
    let reason = trajectory.first_failure.as_ref().map(|failure| {
        format!("step {} at {} s failed: {}", failure.index, rounded(failure.time, 12), failure.error)
    });
    reason.unwrap_or_else(|| "interrupted".to_owned())
}

/// The first step in which the number of contacts of a pair that slip, or that stick, is another than in the plan.
fn first_other_mode(plan: &FoundPlan, trajectory: &Trajectory<2>) -> Option<usize> {
    if trajectory.contacts.is_empty() {
        return None;
    }
    (0..plan.task.steps).find(|k| {
        plan.candidates.iter().any(|pair| {
            [ContactMode::Slip, ContactMode::Stick].into_iter().any(|mode| {
                let planned = plan.candidates.iter().zip(&plan.contacts[*k]);
                let planned = planned.filter(|(own, contact)| *own == pair && contact.mode == mode).count();
                let played = trajectory.contacts.of_step(*k).iter();
                let played = played.filter(|contact| {
                    let (first, second) = (contact.first, contact.second);
                    let turned = second == crate::scenario::Partner::Body(pair.0)
                        && pair.1 == crate::scenario::Partner::Body(first);
                    ((first, second) == *pair || turned) && contact.mode == mode
                });
                planned != played.count()
            })
        })
    })
}
