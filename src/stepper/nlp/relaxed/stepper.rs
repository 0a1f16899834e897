use nalgebra::SVector;

use super::{
    Complementarity, RelaxedProgram,
    attempt::{Attempt, Previous, WARM_MAX_ITERATIONS},
    central_path::central_path_derivative,
    polish::Polished,
};
use crate::{
    contact::FailureKind,
    model::PointMass,
    nlp::{InteriorPoint, InteriorPointOptions, Nlp, NlpSolution, NlpSolver, SolveStatus},
    scenario::{Choice as _, NlpSettings, NlpSolverChoice, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepFailure,
        StepStatus, StepperName, UsedSettings,
        admission::single_point,
        derivative::{Margins, NoDerivative, StepDerivative, rigid_margins},
        ignored::IMPACT_IN_ONE_STEP,
        nlp::ipopt::{Demands, ipopt},
    },
};

/// Default solver tolerance.
const TOLERANCE: f64 = 1e-8;
/// The barrier parameter at which IPOPT ends, as a part of the tolerance: `1/(kappa_epsilon + 1)`.
const LAST_BARRIER: f64 = 1.0 / 11.0;
/// Default smoothing of the square root.
const EPSILON: f64 = 1e-6;
/// How far above the solver's tolerance the recomputed residual of a solved step may be: the
/// solver's own scaling of the rows accounts for that much.
const RESIDUAL_MARGIN: f64 = 100.0;

/// Iterations after which IPOPT gives a cold start up, its own limit.
const MAX_ITERATIONS: u32 = 3000;

/// The stepper of a point in a vertical plane.
pub type RelaxedInPlane = RelaxedStepper<2, 1, 7>;
/// The stepper of a point over a plane.
pub type RelaxedOverPlane = RelaxedStepper<3, 2, 9>;

/// Steps by solving a [`RelaxedProgram`] each: warm from the step before, then cold, then through a
/// ladder of other starts. A step that the chosen solver does not solve is left to the other one
/// before it counts as failed. Where the relaxed complementarity of a solution would let the point
/// drift, the equations of its active constraints are solved, and the residual certifies the result.
///
/// `D` is the dimension, `T = D - 1` the number of tangent directions, `S = 2 T + 5` the size of
/// the program.
pub struct RelaxedStepper<const D: usize, const T: usize, const S: usize> {
    body: PointMass<D>,
    settings: NlpSettings,
    /// The chosen solver.
    solver: Solver<T, S>,
    /// The one that rescues it, from the first step that needs it on: most runs do without, and to set IPOPT up takes
    /// as long as some fifty steps.
    rescuer: Option<Solver<T, S>>,
    is_verbose: bool,
    previous: Option<Previous<S>>,
}

type Solver<const T: usize, const S: usize> = Box<dyn NlpSolver<S, S, RelaxedProgram<T>>>;

/// Who tries what at a step: the solver that rescues it where the flag is set, else the chosen one.
const LADDER: [(bool, &[Attempt]); 3] =
    [(false, &Attempt::ORDINARY), (true, &Attempt::ALL), (false, &Attempt::RESCUES)];

impl<const D: usize, const T: usize, const S: usize> RelaxedStepper<D, T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the solver cannot be set up with the scenario's settings.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let settings = scenario.steppers.nlp;
        let body = single_point(scenario, StepperName::NlpRelaxed)?;
        let program =
            RelaxedProgram::new(&body, &PointInput::first(scenario), settings.epsilon.unwrap_or(EPSILON));
        let choice = settings.solver.unwrap_or(NlpSolverChoice::default_for_point());
        let solver = solver(choice, &program, settings.tolerance.unwrap_or(TOLERANCE))?;
        Ok(Self { body, settings, solver, rescuer: None, is_verbose: false, previous: None })
    }

    fn choice(&self) -> NlpSolverChoice {
        self.settings.solver.unwrap_or(NlpSolverChoice::default_for_point())
    }

    /// Sets the other solver up, where it is not yet and is part of this build. One that cannot be, for want of memory
    /// or because its tolerance is beyond it, rescues nothing.
    fn call_the_rescuer(&mut self, program: &RelaxedProgram<T>) {
        let other = self.choice().other_for_point();
        if self.rescuer.is_none() && other.is_built_in() {
            self.rescuer = solver(other, program, self.tolerance()).ok();
            if let Some(rescuer) = &mut self.rescuer {
                rescuer.set_verbose(self.is_verbose);
            }
        }
    }

    fn epsilon(&self) -> f64 {
        self.settings.epsilon.unwrap_or(EPSILON)
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance.unwrap_or(TOLERANCE)
    }

    fn largest_residual(&self) -> f64 {
        RESIDUAL_MARGIN * self.tolerance()
    }

    fn step_of(
        &self,
        program: &RelaxedProgram<T>,
        input: &PointInput<D>,
        y: &SVector<f64, S>,
        report: SolveReport,
    ) -> Step<D> {
        Step {
            state: input.state.advance(program.velocity(y), input.dt),
            contact_impulse: program.impulse(y, self.body.mass),
            report,
        }
    }
}

/// The solver of `choice` for programs of the structure of `program`.
fn solver<const T: usize, const S: usize>(
    choice: NlpSolverChoice,
    program: &RelaxedProgram<T>,
    tolerance: f64,
) -> Result<Solver<T, S>, Refusal>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    match choice {
        NlpSolverChoice::InteriorPoint => Ok(Box::new(interior_point(program, tolerance))),
        NlpSolverChoice::Structured => Err(Refusal {
            stepper: StepperName::NlpRelaxed,
            reason: "the structured solver is for several bodies, and this is a single point".to_owned(),
            remedy: "leave stepper.nlp.solver out, or set it to \"ipopt\" or \"interior-point\"".to_owned(),
        }),
        NlpSolverChoice::Ipopt => ipopt(StepperName::NlpRelaxed, program, demands(tolerance)),
    }
}

/// Our own solver for `program`.
fn interior_point<const T: usize, const S: usize>(
    program: &RelaxedProgram<T>,
    tolerance: f64,
) -> InteriorPoint<S, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    let options = InteriorPointOptions {
        tolerance,
        // About where the solve of the step before ended. Ten times as much would cost two more
        // iterations, to go up the central path and come down again.
        warm_start_barrier: 0.1 * tolerance,
        warm_max_iterations: WARM_MAX_ITERATIONS,
        // This stepper judges solutions by residuals in units of its own.
        residual_tolerance: f64::INFINITY,
        acceptable_residual_tolerance: f64::INFINITY,
        // A sharper tolerance must not be blurred by bounds that are relaxed further.
        bound_relaxation: tolerance.min(1e-8),
        ..InteriorPointOptions::default()
    };
    InteriorPoint::new(program, options)
}

/// What is asked of IPOPT.
fn demands(tolerance: f64) -> Demands {
    Demands {
        tolerance,
        max_iterations: MAX_ITERATIONS,
        warm_max_iterations: WARM_MAX_ITERATIONS,
        // A sharper tolerance must not be blurred by bounds that are relaxed further.
        bound_relaxation: tolerance.min(1e-8),
    }
}

/// One attempt by `solver`: the last solution of its path, and the iterations of the whole path. `None`
/// if it needs a step before that there is not.
fn attempt_with<const T: usize, const S: usize>(
    solver: &mut Solver<T, S>,
    attempt: Attempt,
    program: &RelaxedProgram<T>,
    previous: Option<&Previous<S>>,
) -> Option<(NlpSolution<S, S>, u32)>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    let mut start = attempt.start(program, previous)?;
    let mut iterations = 0;
    let mut last = None;
    for epsilon in attempt.smoothings(program.epsilon()) {
        let solution = solver.solve(&program.with_epsilon(epsilon), &start);
        iterations += solution.iterations;
        start.x = solution.x;
        last = Some((solution, iterations));
    }
    last
}

/// The best that the attempts at a step have found so far.
struct Best<const S: usize> {
    solution: NlpSolution<S, S>,
    residual: f64,
}

impl<const D: usize, const T: usize, const S: usize> PointStepper<D> for RelaxedStepper<D, T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    fn name(&self) -> StepperName {
        StepperName::NlpRelaxed
    }

    fn honours(&self) -> Honours {
        Honours { ignores: &[IMPACT_IN_ONE_STEP], ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        let (name, version) = self.solver.info();
        Some(SolverInfo { name: name.to_owned(), version: version.to_owned() })
    }

    fn settings(&self) -> UsedSettings {
        UsedSettings::default()
            .with("stepper.nlp.solver", self.choice().as_str())
            .with("stepper.nlp.tolerance", self.tolerance())
            .with("stepper.nlp.epsilon", self.epsilon())
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let program = RelaxedProgram::new(&self.body, input, self.epsilon());
        let limit = self.largest_residual();
        let mut iterations = 0;
        let mut best: Option<Best<S>> = None;
        for (rescues, attempts) in LADDER {
            if rescues {
                self.call_the_rescuer(&program);
            }
            let solver = if rescues { self.rescuer.as_mut() } else { Some(&mut self.solver) };
            let Some(solver) = solver else { continue };
            for &attempt in attempts {
                if attempt == Attempt::Warm && !self.settings.warm_start {
                    continue;
                }
                let previous = self.previous.as_ref();
                let Some((solution, spent)) = attempt_with(solver, attempt, &program, previous) else {
                    continue;
                };
                iterations += spent;
                let residual = program.residual(&solution.x);
                if attempt.accepts(solution.status) && residual <= limit {
                    let rescued = rescues || attempt.is_rescue();
                    let status = if rescued { StepStatus::Rescued } else { StepStatus::Solved };
                    self.previous = Some(Previous::of(&program, &solution));
                    let polished = program.polished(&solution.x, residual, self.tolerance());
                    let Polished { y, residual } = polished.unwrap_or(Polished { y: solution.x, residual });
                    let nlp = Some(program.multipliers(&y));
                    let report = SolveReport { status, iterations, residual, nlp };
                    return Ok(self.step_of(&program, input, &y, report));
                }
                if residual.is_finite() && best.as_ref().is_none_or(|best| residual < best.residual) {
                    best = Some(Best { solution, residual });
                }
            }
        }
        self.finish_without_success(&program, input, best, iterations)
    }

    fn step_derivative(
        &self,
        input: &PointInput<D>,
        step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let program = RelaxedProgram::<T>::new(&self.body, input, self.epsilon());
        // The smooth square root admits a little more friction than the coefficient says.
        let full_use = program.full_use();
        let body = PointMass { friction: self.body.friction * full_use, ..self.body };
        let kappa = 1.5 * LAST_BARRIER * self.tolerance() * program.velocity_unit();
        let impulse_unit = program.impulse_ratio() * program.velocity_unit();
        let last = Complementarity { normal: kappa * impulse_unit, friction: kappa };
        let kappa = Complementarity::of_step(&body, input, step, last);
        let mut derivative = central_path_derivative(&body, input, kappa);
        derivative.friction *= full_use;
        Ok(StepDerivative::Contact(derivative))
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        rigid_margins(&self.body, input)
    }

    fn reset(&mut self) {
        self.previous = None;
    }

    fn memory(&self) -> Vec<f64> {
        self.previous.map(Previous::to_numbers).unwrap_or_default()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.previous = Previous::from_numbers(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.is_verbose = verbose;
        self.solver.set_verbose(verbose);
        if let Some(rescuer) = &mut self.rescuer {
            rescuer.set_verbose(verbose);
        }
    }
}

impl<const D: usize, const T: usize, const S: usize> RelaxedStepper<D, T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    /// No attempt ended in success. The contact conditions decide all the same: a point that
    /// fulfils them is the step, whatever the solver thought of it.
    fn finish_without_success(
        &mut self,
        program: &RelaxedProgram<T>,
        input: &PointInput<D>,
        best: Option<Best<S>>,
        iterations: u32,
    ) -> Result<Step<D>, StepError<D>> {
        let Some(Best { solution, residual }) = best else {
            let reason = "no attempt of the solver gave finite numbers".to_owned();
            return Err(StepFailure::new(FailureKind::NotConverged, reason)
                .after(iterations, f64::NAN)
                .into());
        };
        let nlp = Some(program.multipliers(&solution.x));
        let limit = self.largest_residual();
        if residual <= limit {
            let report = SolveReport { status: StepStatus::Rescued, iterations, residual, nlp };
            return Ok(self.step_of(program, input, &solution.x, report));
        }
        let report = SolveReport { status: StepStatus::Failed, iterations, residual, nlp };
        let reason = unsolved_reason(solution.status, residual, limit, iterations);
        let kind =
            if solution.status.is_success() { FailureKind::Inaccurate } else { FailureKind::NotConverged };
        let failure = StepFailure::new(kind, reason);
        Err(StepError::with_candidate(failure, self.step_of(program, input, &solution.x, report)))
    }
}

fn unsolved_reason(status: SolveStatus, residual: f64, limit: f64, iterations: u32) -> String {
    format!(
        "no attempt solved the program in {iterations} iterations; the best one: {status}, residual \
         {residual:.1e} where {limit:.1e} is allowed"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        nlp::Start,
        scenario::{Body, Ground},
        stepper::nlp::says::Says,
    };

    /// A stepper of a sliding point with its first step, and a solver that says `status` of the solution and something
    /// more; with the residual of that.
    fn sliding(status: SolveStatus, off: f64) -> (RelaxedInPlane, PointInput<2>, Says<7>, f64) {
        let scenario = Scenario {
            bodies: vec![Body::point(1.0, [0.0, 0.0], [1.0, 0.0])],
            ground: Ground { friction: 0.5, ..Ground::default() },
            ..Scenario::new("says")
        };
        let stepper = RelaxedInPlane::new(&scenario).expect("admitted");
        let input = PointInput::first(&scenario);
        let program = RelaxedProgram::new(&stepper.body, &input, EPSILON);
        let honest =
            interior_point(&program, TOLERANCE).solve(&program, &Start::cold(program.sliding_start()));
        assert_eq!(honest.status, SolveStatus::Solved);
        let says = Says { x: honest.x + SVector::x() * off, status };
        let residual = program.residual(&says.x);
        (stepper, input, says, residual)
    }

    /// The step by a stepper whose solvers all say that.
    fn step(status: SolveStatus, off: f64) -> (Result<Step<2>, StepError<2>>, f64) {
        let (mut stepper, input, says, residual) = sliding(status, off);
        stepper.solver = Box::new(says);
        stepper.rescuer = Some(Box::new(says));
        (stepper.step(&input), residual)
    }

    #[test]
    #[cfg(feature = "ipopt")]
    fn the_other_solver_is_set_up_by_the_step_that_needs_it() {
        let (mut stepper, input, says, _) = sliding(SolveStatus::Solved, 0.3);
        let honest = stepper.step(&input).expect("the chosen solver solves it");
        assert!(honest.report.status == StepStatus::Solved && stepper.rescuer.is_none());
        stepper.solver = Box::new(says);
        let rescued = stepper.step(&input).expect("the other solver solves it");
        assert_eq!(rescued.report.status, StepStatus::Rescued);
        assert!((rescued.state.velocity - honest.state.velocity).norm() < 1e-9);
    }

    #[test]
    fn a_point_that_misses_the_contact_conditions_is_no_step_whatever_the_solver_says() {
        for (status, kind) in [
            (SolveStatus::Solved, FailureKind::Inaccurate),
            (SolveStatus::SolvedToAcceptableLevel, FailureKind::Inaccurate),
            (SolveStatus::IterationLimit, FailureKind::NotConverged),
        ] {
            for off in [0.3, 3e-3, f64::NAN] {
                let (outcome, residual) = step(status, off);
                let limit = RESIDUAL_MARGIN * TOLERANCE;
                assert!(off.is_nan() || residual > limit && residual < 1e4 * limit, "{residual:e}");
                let error = outcome.expect_err("the point is wrong");
                let expected = if off.is_nan() { FailureKind::NotConverged } else { kind };
                assert_eq!(error.failure.kind, expected, "{status} with {off:e}: {error}");
            }
        }
    }

    #[test]
    fn a_point_that_fulfils_the_contact_conditions_is_the_step_and_a_rescue_says_so() {
        for (status, report) in
            [(SolveStatus::Solved, StepStatus::Solved), (SolveStatus::IterationLimit, StepStatus::Rescued)]
        {
            let (outcome, _) = step(status, 0.0);
            assert_eq!(outcome.expect("the point is right").report.status, report, "{status}");
        }
    }
}
