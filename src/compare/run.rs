use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{CrossCheck, Merit};
use crate::{
    decimal::rounded,
    gradient::GradientStudy,
    metrics::{Detections, Detector},
    model::{Spin, Vector},
    scenario::{NlpSolverChoice, Scenario},
    simulate::{Beginning, OnFailure, simulate_observed, simulate_pushed, takes_pushes},
    stepper::{BuildStepper, Event, EventKind, Exact, Refusal, Roster, Stepper, StepperName},
    trajectory::{Ending, Trajectory},
    watch::Watch,
};

/// What is compared by default: the models of the crate, and those of one's own that are registered.
pub fn default_steppers<const D: usize>(scenario: &Scenario<D>) -> Vec<StepperName> {
    Roster::of_kind(scenario, Roster::ComparisonOfPoint, Roster::ComparisonOfBodies).steppers()
}

/// Whose convergence is studied by default: one stepper of every family, and those that are registered.
pub fn default_families<const D: usize>(scenario: &Scenario<D>) -> Vec<StepperName> {
    let of_point = if D == 2 { Roster::FamiliesInPlane } else { Roster::FamiliesOverPlane };
    Roster::of_kind(scenario, of_point, Roster::ComparisonOfBodies).steppers()
}

/// What several steppers made of one scenario.
#[derive(Debug, Clone)]
pub struct Comparison<const D: usize> {
    /// What was simulated.
    pub scenario: Scenario<D>,
    /// The exact motion, if it is known to the end.
    pub truth: Option<Truth<D>>,
    /// The steppers that admit the scenario, in the order in which they were asked for.
    pub entries: Vec<Entry<D>>,
    /// The steppers that do not, and why.
    pub refused: Vec<Refusal>,
    /// How far the solvers of `nlp` agree, if it is among the steppers.
    pub cross_check: Option<CrossCheck>,
    /// The gradients of the end, where they were taken; see [`Comparison::differentiate`].
    pub gradients: Option<GradientStudy>,
}

/// The exact motion of a scenario.
#[derive(Debug, Clone)]
pub struct Truth<const D: usize> {
    /// Its samples.
    pub trajectory: Trajectory<D>,
    /// What happened to a point between them.
    pub events: Vec<Event<D>>,
}

/// What one stepper made of it.
#[derive(Debug, Clone)]
pub struct Entry<const D: usize> {
    /// The motion.
    pub trajectory: Trajectory<D>,
    /// What it is worth.
    pub merit: Merit<D>,
    /// The solutions that its steps have, where they were counted; see [`Comparison::detect`].
    pub detection: Option<Detections>,
}

impl<const D: usize> Entry<D> {
    /// Whether the motion is measured: as by `run` nothing is of one that a failed step ended, whose last
    /// place is none where it came to.
    pub fn is_measured(&self) -> bool {
        self.trajectory.ending != Ending::Failed
    }
}

/// Divides `names` into the steppers that admit `scenario` and the refusals of the others.
pub fn admitted<const D: usize>(
    scenario: &Scenario<D>,
    names: &[StepperName],
) -> (Vec<StepperName>, Vec<Refusal>)
where
    Scenario<D>: BuildStepper<D>,
{
    let mut admitted = Vec::new();
    let mut refused = Vec::new();
    for &name in names {
        match scenario.stepper(name) {
            Ok(_) => admitted.push(name),
            Err(refusal) => refused.push(refusal),
        }
    }
    (admitted, refused)
}

impl<const D: usize> Comparison<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// Simulates `scenario` with every stepper of `names` that admits it, in parallel, and with `nlp`
    /// once more by its other solver.
    ///
    /// `watch` counts the steps of all steppers together, those of the exact motion too; where it says
    /// to stop, all of them end early (see [`Trajectory::ending`]).
    pub fn run(
        scenario: &Scenario<D>,
        names: &[StepperName],
        on_failure: OnFailure,
        watch: &Watch<'_>,
    ) -> Self {
        let (names, refused) = admitted(scenario, names);
        let truth = Truth::of(scenario, watch);
        Self::run_by(scenario, &names, refused, truth, |scenario, stepper| {
            simulate_observed(scenario, stepper, on_failure, |_| watch.advance(1))
        })
    }

    /// Like [`run`](Self::run), with a push that no scenario file can hold, as
    /// [`simulate_pushed`] has it; it is asked by several runs at a time. There is no exact motion then, and
    /// `exact` is refused.
    pub fn run_pushed(
        scenario: &Scenario<D>,
        names: &[StepperName],
        on_failure: OnFailure,
        push: impl Fn(&Beginning<'_, D>, &mut [Vector<D>], &mut [Spin]) -> ControlFlow<()> + Sync,
        watch: &Watch<'_>,
    ) -> Self {
        let (mut names, mut refused) = admitted(scenario, names);
        names.retain(|&name| {
            let refusal = scenario.stepper(name).and_then(|stepper| takes_pushes(stepper.as_ref())).err();
            let is_taken = refusal.is_none();
            refused.extend(refusal);
            is_taken
        });
        Self::run_by(scenario, &names, refused, None, |scenario, stepper| {
            simulate_pushed(scenario, stepper, on_failure, &push, |_| watch.advance(1))
        })
    }

    /// Runs the steppers of `names`, which admit the scenario, by `simulate`.
    fn run_by(
        scenario: &Scenario<D>,
        names: &[StepperName],
        refused: Vec<Refusal>,
        truth: Option<Truth<D>>,
        simulate: impl Fn(&Scenario<D>, &mut dyn Stepper<D>) -> Trajectory<D> + Sync,
    ) -> Self {
        let simulate = |scenario: &Scenario<D>, name: StepperName| -> Result<Trajectory<D>, Refusal> {
            let mut stepper = scenario.stepper(name)?;
            Ok(simulate(scenario, stepper.as_mut()))
        };
        let cross_checked = is_cross_checked(scenario, names)
            .then(|| names.iter().position(|&name| name == StepperName::NLP))
            .flatten();
        let (trajectories, other): (Vec<_>, _) = rayon::join(
            || names.par_iter().map(|&name| simulate(scenario, name)).collect(),
            || {
                cross_checked?;
                simulate(&with_other_solver(scenario), StepperName::NLP).ok()
            },
        );
        let cross_check = cross_checked
            .and_then(|place| CrossCheck::of(trajectories[place].as_ref().ok()?, other.as_ref()?));
        let mut comparison = Self {
            scenario: scenario.clone(),
            truth,
            entries: Vec::new(),
            refused,
            cross_check,
            gradients: None,
        };
        for outcome in trajectories {
            match outcome {
                Ok(trajectory) => {
                    let merit = Merit::of(&trajectory, comparison.truth.as_ref());
                    comparison.entries.push(Entry { trajectory, merit, detection: None });
                }
                Err(refusal) => comparison.refused.push(refusal),
            }
        }
        comparison.set_apart();
        comparison
    }
}

/// The scenario with the solver of `nlp` that it did not choose.
fn with_other_solver<const D: usize>(scenario: &Scenario<D>) -> Scenario<D> {
    let mut scenario = scenario.clone();
    let chosen = scenario.steppers.nlp.solver;
    scenario.steppers.nlp.solver = Some(if scenario.layout().is_point() {
        chosen.unwrap_or(NlpSolverChoice::default_for_point()).other_for_point()
    } else {
        chosen.unwrap_or(NlpSolverChoice::default_for_bodies()).other_for_bodies()
    });
    scenario
}

/// Moving bodies in the plane up to which IPOPT takes the steps of `nlp` again.
const MOST_CROSS_CHECKED: usize = 3;

/// Whether a comparison by these steppers runs `nlp` by both of its solvers: that of a point always, that of
/// bodies where they are so few that a general solver does not hold up the comparison.
pub fn is_cross_checked<const D: usize>(scenario: &Scenario<D>, names: &[StepperName]) -> bool {
    let moving = scenario.bodies.iter().filter(|body| !body.fixed).count();
    // In space a body has twice the contacts.
    let few = moving <= if D == 2 { MOST_CROSS_CHECKED } else { MOST_CROSS_CHECKED / 2 };
    let is_built_in = NlpSolverChoice::Ipopt.is_built_in() || scenario.layout().is_point();
    names.contains(&StepperName::NLP) && is_built_in && (scenario.layout().is_point() || few)
}

impl<const D: usize> Comparison<D> {
    /// Measures every motion against the others.
    pub(super) fn set_apart(&mut self) {
        let (deviations, conducts) = (self.deviations(), self.conducts());
        for (entry, (deviation, conduct)) in self.entries.iter_mut().zip(deviations.into_iter().zip(conducts))
        {
            (entry.merit.deviation, entry.merit.conduct) = (deviation, conduct);
        }
    }

    /// Counts the solutions of the steps of every entry by `detector`, in parallel; in the plane that is
    /// [`Counter::in_plane`](crate::metrics::Counter::in_plane). `watch` counts the steps.
    pub fn detect(&mut self, detector: Detector<D>, watch: &Watch<'_>) {
        let steppers = self.entries.par_iter_mut().filter(|entry| !entry.trajectory.stepper.is_recorded());
        steppers.for_each(|entry| entry.detection = Detections::of(&entry.trajectory, detector, watch));
    }

    /// Moves formulations of which no family depends, and which failed, from the entries to the
    /// refused, with the reason of the failure.
    ///
    /// Meant for formulations that nobody asked for by name: that one of them finds no solution, as
    /// `lcp:direct2` does wherever anything moves, is for the report to say, and no failure of the
    /// comparison.
    pub fn set_failed_formulations_aside(&mut self) {
        let is_family = |name: StepperName| {
            // The exact motion ends where it is not known any more.
            let is_model = !name.is_exact();
            is_model
                && [Roster::FamiliesInPlane, Roster::FamiliesOverPlane].iter().any(|roster| roster.has(name))
        };
        let refused = &mut self.refused;
        self.entries.retain(|Entry { trajectory, .. }| {
            let failure = trajectory.first_failure.as_ref().filter(|_| !is_family(trajectory.stepper));
            refused.extend(failure.map(|failure| Refusal {
                stepper: trajectory.stepper,
                reason: format!("it fails at t = {} s: {}", rounded(failure.time, 12), failure.error),
                remedy: format!("compare it all the same with --steppers {}", trajectory.stepper),
            }));
            failure.is_none()
        });
    }

    /// Whether an entry is the exact motion, against which the others are measured.
    pub fn is_reference(&self, entry: &Entry<D>) -> bool {
        self.truth.as_ref().is_some_and(|truth| truth.trajectory.stepper == entry.trajectory.stepper)
    }

    /// What place it is that a table has of the end: that of the only body, or that of all together.
    pub fn place_at_end(&self) -> &'static str {
        if self.moving() > 1 { "centre of mass" } else { "final" }
    }

    /// Whether bodies are so few that the end of each is told, rather than that of their common centre of mass.
    pub fn tells_ends_by_body(&self) -> bool {
        /// More than these make a table of ends that nobody reads.
        const MOST: usize = 4;
        (2..=MOST).contains(&self.moving())
    }

    /// How many bodies move.
    fn moving(&self) -> usize {
        self.scenario.bodies.iter().filter(|body| !body.fixed).count()
    }

    /// The trajectories, in order.
    pub fn trajectories(&self) -> Vec<&Trajectory<D>> {
        self.entries.iter().map(|entry| &entry.trajectory).collect()
    }
}

impl<const D: usize> Truth<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// The exact motion of `scenario`; `None` if it has none up to its end, or `watch` said to stop.
    pub fn of(scenario: &Scenario<D>, watch: &Watch<'_>) -> Option<Self> {
        let mut exact = Exact::new(scenario).ok()?;
        let trajectory = simulate_observed(scenario, &mut exact, OnFailure::Stop, |_| watch.advance(1));
        (trajectory.ending == Ending::Complete).then(|| {
            let events = if scenario.layout().is_point() { exact.events(0).to_vec() } else { Vec::new() };
            Self { trajectory, events }
        })
    }
}

impl<const D: usize> Truth<D> {
    /// Times in s at which the point hits the ground, one by one as far as they are told apart.
    pub fn impacts(&self) -> impl Iterator<Item = f64> + '_ {
        self.events.iter().filter(|event| event.kind == EventKind::Impact).map(|event| event.time)
    }
}
