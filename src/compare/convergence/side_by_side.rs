//! Motions beside one that they are compared with, step by step, in the memory of a step.

use super::{ErrorAt, NoError};
use crate::{
    decimal::rounded,
    model::Vector,
    scenario::Scenario,
    simulate::{OnFailure, Outcome, Simulation},
    stepper::{BuildStepper, Stepper, StepperName},
    trajectory::{Ending, Passage, Replay},
    watch::Watch,
};

/// A run that is compared.
#[derive(Clone, Copy)]
pub(super) struct Run<'a, const D: usize> {
    /// Under which stepper.
    pub(super) stepper: StepperName,
    /// Of what.
    pub(super) scenario: &'a Scenario<D>,
    /// How many steps of the reference are as long as one of it.
    pub(super) stride: usize,
}

/// How far each of `runs` gets from the run of `reference`, a stepper and the scenario at its step. `watch` counts the
/// steps of all of them.
pub(super) fn distances<const D: usize>(
    reference: (StepperName, &Scenario<D>),
    runs: &[Run<'_, D>],
    watch: &Watch<'_>,
) -> Vec<Result<ErrorAt<D>, NoError>>
where
    Scenario<D>: BuildStepper<D>,
{
    let all = |error: &NoError| runs.iter().map(|_| Err(error.clone())).collect();
    if watch.flow().is_break() {
        return all(&NoError::Interrupted);
    }
    let build = |name: StepperName, scenario: &Scenario<D>| {
        scenario.stepper(name).map_err(|refusal| NoError::Refused(refusal.reason))
    };
    let (name, scenario) = reference;
    let mut stepper = match build(name, scenario) {
        Ok(stepper) => stepper,
        Err(error) => return all(&error),
    };
    let mut reference = Simulation::new(scenario, stepper.as_mut(), OnFailure::Stop);
    let mut steppers: Vec<Result<Box<dyn Stepper<D>>, NoError>> =
        runs.iter().map(|run| build(run.stepper, run.scenario)).collect();
    let mut followed: Vec<Result<Followed<'_, D>, NoError>> = runs
        .iter()
        .zip(&mut steppers)
        .map(|(run, stepper)| match stepper {
            Ok(stepper) => Ok(Followed::new(*run, stepper.as_mut())),
            Err(error) => Err(error.clone()),
        })
        .collect();
    while followed.iter().flatten().any(Followed::goes_on) {
        let Some(there) = reference.advance() else { break };
        let mut flow = watch.advance(1);
        for run in followed.iter_mut().flatten().filter(|run| run.goes_on()) {
            if (there.index + 1).is_multiple_of(run.run.stride) && run.advance(&there) {
                flow = watch.advance(1);
            }
        }
        if flow.is_break() {
            return all(&NoError::Interrupted);
        }
    }
    let reference = reference.outcome();
    followed.into_iter().map(|run| run?.errors(&reference)).collect()
}

/// A run and how far it got from the reference so far.
struct Followed<'a, const D: usize> {
    run: Run<'a, D>,
    simulation: Simulation<'a, D>,
    /// Steps that are left.
    left: usize,
    /// Whether the last step failed.
    has_failed: bool,
    squares: f64,
    count: usize,
    errors: ErrorAt<D>,
    /// The distance in m of the farthest point of each body from its centre; none of one that is fixed.
    reaches: Vec<Option<f64>>,
}

impl<'a, const D: usize> Followed<'a, D> {
    fn new(run: Run<'a, D>, stepper: &'a mut dyn Stepper<D>) -> Self {
        let reach = |body: &crate::scenario::Body<D>| (!body.fixed).then(|| body.reach());
        let reaches: Vec<_> = run.scenario.bodies.iter().map(reach).collect();
        Self {
            run,
            simulation: Simulation::new(run.scenario, stepper, OnFailure::Stop),
            left: run.scenario.time().steps,
            has_failed: false,
            squares: 0.0,
            // At the start they are where they are.
            count: reaches.iter().flatten().count(),
            errors: ErrorAt {
                rms: 0.0,
                at_end: Vector::zeros(),
                largest: Vector::zeros(),
                largest_turn: None,
            },
            reaches,
        }
    }

    fn goes_on(&self) -> bool {
        self.left > 0 && !self.has_failed
    }

    /// Takes a step and compares where it ends with `there`; false where it failed.
    fn advance(&mut self, there: &Passage<'_, D>) -> bool {
        let Some(here) = self.simulation.advance() else {
            self.has_failed = true;
            return false;
        };
        self.left -= 1;
        self.errors.at_end = Vector::zeros();
        for (body, reach) in
            self.reaches.iter().enumerate().filter_map(|(body, reach)| Some((body, (*reach)?)))
        {
            let distance = here.states[1][body].position - there.states[1][body].position;
            self.squares += distance.norm_squared();
            self.count += 1;
            self.errors.largest = self.errors.largest.sup(&distance.abs());
            if distance.norm() > self.errors.at_end.norm() {
                self.errors.at_end = distance;
            }
            let attitudes = [&here, there].map(|passage| passage.attitudes[1].get(body));
            if let [Some(here), Some(there)] = attitudes {
                let angle = here.orientation.angle_to(&there.orientation);
                // A rotation counts by how far it takes the farthest point of the body.
                self.squares += (reach * angle).powi(2);
                self.errors.largest_turn =
                    self.errors.largest_turn.into_iter().chain([angle]).reduce(f64::max);
            }
        }
        true
    }

    fn errors(self, reference: &Outcome<D>) -> Result<ErrorAt<D>, NoError> {
        if self.left == 0 {
            let rms = (self.squares / self.count.max(1) as f64).sqrt();
            return Ok(ErrorAt { rms, ..self.errors });
        }
        let (run, outcome) = (self.run, self.simulation.outcome());
        if let (Ending::Failed, Some(failure)) = (outcome.ending, &outcome.first_failure) {
            let replay = Replay::of_failure(run.scenario, run.stepper, failure);
            return Err(NoError::Failed(Box::new(replay)));
        }
        Err(NoError::Refused(match &reference.first_failure {
            Some(failure) => {
                format!(
                    "the motion to compare with failed at t = {} s: {}",
                    rounded(failure.time, 12),
                    failure.error
                )
            }
            None => "the motion to compare with ends before it".to_owned(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Body, Shape};

    const STEPS: usize = 10;

    /// A box that flies along at 2 m/s without gravity and spins.
    fn flight(step: f64, spin: f64) -> Scenario<2> {
        let mut scenario = Scenario::new("side-by-side");
        scenario.gravity = 0.0;
        scenario.step = step;
        scenario.duration = STEPS as f64 * 1e-2;
        let mut body = Body::point(1.0, [0.0, 10.0], [2.0, 0.0]);
        body.shape = Shape::Box { size: [0.6, 0.8].into() };
        body.spin[0] = spin;
        scenario.bodies = vec![body];
        scenario
    }

    fn between(reference: &Scenario<2>, scenario: &Scenario<2>, stride: usize) -> ErrorAt<2> {
        let stepper = StepperName::LCP;
        let run = Run { stepper, scenario, stride };
        let errors = distances((stepper, reference), &[run], &Watch::none()).pop();
        errors.expect("a run").expect("it reaches the end")
    }

    #[test]
    fn a_rotation_counts_by_how_far_it_takes_the_farthest_point() {
        let errors = between(&flight(1e-2, 0.0), &flight(1e-2, 0.3), 1);
        // Half a metre from the centre, by an angle that grows; the start counts, and is where it is.
        let squares = (1..=STEPS).map(|k| (0.5 * 0.3 * k as f64 * 1e-2).powi(2)).sum::<f64>();
        let expected = (squares / (STEPS + 1) as f64).sqrt();
        assert!((errors.rms - expected).abs() < 1e-6 * expected, "{} instead of {expected}", errors.rms);
        assert!(errors.at_end.norm() < 1e-12, "the centres are at one place");
        assert!((errors.largest_turn.expect("it turns") - 0.03).abs() < 1e-9);
    }

    /// At another time it would be some millimetres away.
    #[test]
    fn motions_of_other_steps_are_compared_at_the_same_times() {
        for stride in [1, 2, 5] {
            let errors = between(&flight(1e-2 / stride as f64, 0.0), &flight(1e-2, 0.0), stride);
            assert!(errors.rms < 1e-12, "{stride}: {}", errors.rms);
        }
    }
}
