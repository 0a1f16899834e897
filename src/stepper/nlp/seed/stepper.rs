use super::{
    SeedProgram,
    program::{CONSTRAINTS, VARIABLES},
};
use crate::{
    contact::FailureKind,
    model::PointMass,
    nlp::{NlpSolver, Start},
    scenario::{NlpSettings, NlpSolverChoice, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepFailure,
        StepStatus, StepperName, UsedSettings,
        admission::single_point_on_one_coefficient,
        ignored::IMPACT_IN_ONE_STEP,
        nlp::ipopt::{Demands, ipopt},
    },
};

/// Solver tolerance and smoothing of the published program.
const TOLERANCE: f64 = 1e-4;
/// Iteration limit of the published program.
const ITERATION_LIMIT: u32 = 2000;
/// IPOPT's own relaxation of the bounds.
const BOUND_RELAXATION: f64 = 1e-8;

/// Steps by solving a [`SeedProgram`] each, from the published start and with no second attempt:
/// what the blog post's script does, failures and all.
pub struct SeedStepper {
    body: PointMass<2>,
    settings: NlpSettings,
    solver: Box<dyn NlpSolver<VARIABLES, CONSTRAINTS, SeedProgram>>,
}

impl SeedStepper {
    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the ground bounces, which the published program does not know, or if the
    /// solver cannot be set up with the scenario's settings.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        let refuse = |reason: String, remedy: &str| Refusal {
            stepper: StepperName::NLP_SEED,
            reason,
            remedy: remedy.to_owned(),
        };
        if scenario.ground.restitution > 0.0 {
            let reason =
                format!("it knows no restitution, and ground.restitution is {}", scenario.ground.restitution);
            return Err(refuse(reason, "set ground.restitution to 0 or use stepper `nlp`"));
        }
        let settings = scenario.steppers.nlp;
        if settings.solver.is_some_and(|solver| solver != NlpSolverChoice::Ipopt) {
            let reason = "it is solved as published, by IPOPT".to_owned();
            return Err(refuse(reason, "leave stepper.nlp.solver out, or set it to \"ipopt\""));
        }
        let body = single_point_on_one_coefficient(scenario, StepperName::NLP_SEED)?;
        let program =
            SeedProgram::new(&body, &PointInput::first(scenario), settings.epsilon.unwrap_or(TOLERANCE));
        // Judged below by the constraints of the program alone, as the published script does.
        let demands = Demands {
            tolerance: settings.tolerance.unwrap_or(TOLERANCE),
            max_iterations: ITERATION_LIMIT,
            warm_max_iterations: ITERATION_LIMIT,
            bound_relaxation: BOUND_RELAXATION,
        };
        let solver = ipopt(StepperName::NLP_SEED, &program, demands)?;
        Ok(Self { body, settings, solver })
    }
}

impl SeedStepper {
    /// Why the published program has trouble with a point in flight, if that is where it is.
    fn in_flight(&self, input: &PointInput<2>) -> Option<String> {
        let (vx, free) =
            (input.state.velocity[0], self.body.free_velocity(&input.state, &input.push, input.dt));
        let height = input.state.height() + input.dt * free[1];
        (height > 0.0 && vx != 0.0).then(|| {
            format!(
                "; the point is in flight (z = {height:.3e} m after the step) with vx = {vx} m/s, where the published \
                 program is ill-posed: its row of maximum dissipation demands vx = 0 where there is no contact force; \
                 use stepper `nlp`, whose program has no such row; a start on the ground only puts this off"
            )
        })
    }
}

impl PointStepper<2> for SeedStepper {
    fn name(&self) -> StepperName {
        StepperName::NLP_SEED
    }

    fn honours(&self) -> Honours {
        Honours {
            ignores: &[
                ("stepper.nlp.warm_start", "every step starts cold, as published"),
                IMPACT_IN_ONE_STEP,
            ],
            ..Honours::default()
        }
    }

    fn solver(&self) -> Option<SolverInfo> {
        let (name, version) = self.solver.info();
        Some(SolverInfo { name: name.to_owned(), version: version.to_owned() })
    }

    fn settings(&self) -> UsedSettings {
        UsedSettings::default()
            .with("stepper.nlp.tolerance", self.settings.tolerance.unwrap_or(TOLERANCE))
            .with("stepper.nlp.epsilon", self.settings.epsilon.unwrap_or(TOLERANCE))
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let program = SeedProgram::new(&self.body, input, self.settings.epsilon.unwrap_or(TOLERANCE));
        let solution = self.solver.solve(&program, &Start::cold(program.start()));
        let residual = program.residual(&solution.x);
        let limit = self.settings.tolerance.unwrap_or(TOLERANCE);
        let solved = solution.status.is_success() && residual <= limit;
        let status = if solved { StepStatus::Solved } else { StepStatus::Failed };
        let nlp = Some(SeedProgram::multipliers(&solution.x));
        let step = Step {
            state: SeedProgram::next_state(&solution.x),
            contact_impulse: SeedProgram::force(&solution.x) * input.dt,
            report: SolveReport {
                status,
                iterations: solution.iterations,
                residual,
                is_approximate: false,
                nlp,
            },
        };
        if solved {
            return Ok(step);
        }
        let reason = format!(
            "the published program was not solved in {} iterations: {}, residual {residual:.1e} where \
             {limit:.1e} is allowed",
            solution.iterations, solution.status
        ) + &self.in_flight(input).unwrap_or_default();
        let kind =
            if solution.status.is_success() { FailureKind::Inaccurate } else { FailureKind::NotConverged };
        let failure = StepFailure::new(kind, reason);
        if residual.is_finite() {
            return Err(StepError::with_candidate(failure, step));
        }
        Err(failure.after(solution.iterations, residual).into())
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.solver.set_verbose(verbose);
    }
}

#[cfg(all(test, feature = "ipopt"))]
mod tests {
    use nalgebra::SVector;

    use super::*;
    use crate::{
        nlp::SolveStatus,
        nlp::says::Says,
        scenario::{Body, Ground},
    };

    /// The step of a sliding point, by a solver that says `status` of the solution and something more.
    fn step(status: SolveStatus, off: f64) -> Result<Step<2>, StepError<2>> {
        let scenario = Scenario {
            bodies: vec![Body::point(10.0, [0.0, 0.0], [1.0, 0.0])],
            ground: Ground { friction: 0.1, ..Ground::default() },
            ..Scenario::new("says")
        };
        let mut stepper = SeedStepper::new(&scenario).expect("admitted");
        let input = PointInput::first(&scenario);
        let program = SeedProgram::new(&stepper.body, &input, TOLERANCE);
        let honest = stepper.solver.solve(&program, &Start::cold(program.start()));
        assert!(honest.status.is_success() && program.residual(&honest.x) <= TOLERANCE);
        stepper.solver = Box::new(Says { x: honest.x + SVector::x() * off, status });
        stepper.step(&input)
    }

    #[test]
    fn both_the_solver_and_the_constraints_have_to_be_content() {
        assert_eq!(step(SolveStatus::Solved, 0.0).expect("solved").report.status, StepStatus::Solved);
        for (status, off, kind) in [
            (SolveStatus::Solved, 1e-2, FailureKind::Inaccurate),
            (SolveStatus::Solved, f64::NAN, FailureKind::Inaccurate),
            (SolveStatus::IterationLimit, 0.0, FailureKind::NotConverged),
            (SolveStatus::IterationLimit, 1e-2, FailureKind::NotConverged),
        ] {
            let error = step(status, off).expect_err("one of them is not");
            assert_eq!(error.failure.kind, kind, "{status} with {off:e}: {error}");
        }
    }
}
