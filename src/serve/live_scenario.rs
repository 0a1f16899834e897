use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rayon::prelude::*;
use serde::Serialize;

use super::{query::Query, request::Fault};
use crate::{
    compare::{admitted, default_families},
    report::{Motion, Page},
    scenario::{AnyScenario, Control, NlpSolverChoice, Scenario, ScenarioError, ScenarioText, controls},
    simulate::{OnFailure, simulate_observed},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

/// Steps of all steppers and bodies together in one answer, at most.
const MOST_STEPS: usize = 100_000;
/// How long the steppers may take for one answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// What messages call the scenario.
const NAME: &str = "scenario.toml";

/// A scenario that is turned at.
#[derive(Debug)]
pub struct LiveScenario {
    scenario: AnyScenario,
    /// The whole scenario as a file; nothing else is read while answering.
    text: ScenarioText,
    /// One answer is computed at a time, so that the machine stays usable.
    turn: Mutex<()>,
}

/// What the page begins with.
#[derive(Serialize)]
struct Start {
    controls: Vec<Control>,
    steppers: Vec<Choice>,
    most_steps: usize,
}

/// A stepper that may be shown.
#[derive(Serialize)]
struct Choice {
    name: String,
    /// Whether it is shown unless the address says otherwise.
    chosen: bool,
}

/// What a question is answered with.
#[derive(Serialize)]
struct Curves {
    motion: Motion,
    /// Steppers that do not admit the scenario as it is now, and why.
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Refused {
    stepper: String,
    reason: String,
    remedy: String,
}

impl LiveScenario {
    /// Makes a scenario ready to be turned at.
    pub fn new(scenario: AnyScenario) -> Self {
        Self { text: ScenarioText::read(NAME, scenario.to_toml()), scenario, turn: Mutex::new(()) }
    }

    /// The name of the scenario.
    pub fn name(&self) -> &str {
        self.scenario.name()
    }

    /// The page.
    pub(super) fn page(&self) -> String {
        let choices = match &self.scenario {
            AnyScenario::InPlane(scenario) => choices(scenario),
            AnyScenario::OverPlane(scenario) => choices(scenario),
        };
        let start = Start { controls: controls(&self.scenario), steppers: choices, most_steps: MOST_STEPS };
        let introduction = "Turn at the numbers; the curves follow. Everything is computed by the program on this \
                            machine that opened the page; unless the scenario names a solver, nlp of a point is \
                            solved by the interior-point method of this program, in a thirtieth of IPOPT's time.";
        let mut page = Page::new(&format!("{}: live", self.name()), introduction);
        page.live(&start);
        page.finish_served()
    }

    /// The scenario with the changes of `query`, as a file.
    pub(super) fn file(&self, query: &Query) -> Result<String, Fault> {
        Ok(self.changed(query)?.to_toml())
    }

    /// The motions with the changes of `query`, as JSON.
    pub(super) fn curves(&self, query: &Query) -> Result<String, Fault> {
        match self.changed(query)? {
            AnyScenario::InPlane(scenario) => self.simulate(&scenario, query),
            AnyScenario::OverPlane(scenario) => self.simulate(&scenario, query),
        }
    }

    fn changed(&self, query: &Query) -> Result<AnyScenario, Fault> {
        self.text.with(&query.overrides).map_err(|error| {
            let message = match error {
                ScenarioError::Invalid(invalid) => invalid.to_string().replace("--set ", ""),
                ScenarioError::File(error) => error.to_string(),
            };
            Fault::new(422, message)
        })
    }

    fn simulate<const D: usize>(&self, scenario: &Scenario<D>, query: &Query) -> Result<String, Fault>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let asked =
            if query.steppers.is_empty() { default_families(scenario) } else { query.steppers.clone() };
        let scenario = &solved_in_time(scenario, &asked);
        let steps = scenario.time().steps;
        let total = steps.saturating_mul(asked.len()).saturating_mul(scenario.bodies.len());
        if total > MOST_STEPS {
            return Err(Fault::new(
                422,
                format!(
                    "{steps} steps of {} bodies by {} steppers are more than the {MOST_STEPS} that the page answers; \
                     make the step longer, the duration shorter, or show fewer steppers",
                    scenario.bodies.len(),
                    asked.len()
                ),
            ));
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let end = Instant::now() + PATIENCE;
        let (names, refused) = admitted(scenario, &asked);
        let run = |&name: &StepperName| -> Option<Trajectory<D>> {
            let mut stepper = scenario.stepper(name).ok()?;
            let in_time =
                |_| if Instant::now() < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            Some(simulate_observed(scenario, stepper.as_mut(), OnFailure::Stop, in_time))
        };
        let trajectories: Vec<Trajectory<D>> = names.par_iter().filter_map(run).collect();
        if let Some(late) = trajectories.iter().find(|one| one.ending == Ending::Interrupted) {
            let message = format!(
                "`{}` took longer than {} s; make the step longer, the duration shorter, or leave it out",
                late.stepper,
                PATIENCE.as_secs()
            );
            return Err(Fault::new(422, message));
        }
        let refused: Vec<Refused> = refused
            .into_iter()
            .map(|refusal| Refused {
                stepper: refusal.stepper.to_string(),
                reason: refusal.reason,
                remedy: refusal.remedy,
            })
            .collect();
        let labelled = trajectories.iter().map(|one| (one.stepper.to_string(), one));
        let Some(motion) = Motion::with_points(labelled, query.points) else {
            let reasons = refused.iter().map(|refused| format!("{}: {}", refused.stepper, refused.reason));
            let reasons: Vec<String> = reasons.collect();
            return Err(Fault::new(422, format!("no stepper takes this scenario: {}", reasons.join("; "))));
        };
        let costs: Vec<(String, f64)> =
            trajectories.iter().map(|one| (one.stepper.to_string(), median_step(one))).collect();
        let curves = Curves { motion: motion.with_costs(&costs), refused };
        serde_json::to_string(&curves).map_err(|error| Fault::new(503, error.to_string()))
    }
}

/// Median wall time of a step in s.
fn median_step<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    let mut times: Vec<u64> = trajectory.steps.iter().map(|step| step.nanoseconds).collect();
    let middle = times.len() / 2;
    if times.is_empty() { 0.0 } else { 1e-9 * *times.select_nth_unstable(middle).1 as f64 }
}

/// The steppers that admit a scenario, one of each family chosen.
fn choices<const D: usize>(scenario: &Scenario<D>) -> Vec<Choice>
where
    Scenario<D>: BuildStepper<D>,
{
    let families = default_families(scenario);
    let (names, _) = admitted(scenario, &StepperName::ALL);
    names
        .into_iter()
        .map(|name| Choice { name: name.to_string(), chosen: families.contains(&name) })
        .collect()
}

/// The scenario with a solver that answers while somebody drags: of a point's programs the crate's own, unless one is
/// named, or a formulation is asked for that only IPOPT solves.
fn solved_in_time<const D: usize>(scenario: &Scenario<D>, asked: &[StepperName]) -> Scenario<D> {
    let mut scenario = scenario.clone();
    if scenario.layout().is_point() && !asked.iter().any(|name| name.descriptor().capabilities.needs_ipopt) {
        scenario.steppers.nlp.solver.get_or_insert(NlpSolverChoice::InteriorPoint);
    }
    scenario
}
