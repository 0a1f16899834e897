use super::{Complementarity, central_path::central_path_derivative};
use crate::{
    contact::{
        SingleContact,
        single::{
            ContactProgram, ProgramSolution, ProgramSolver, ProgramUnsolved, RelaxedContact,
            RelaxedContactSettings, RelaxedProgram,
        },
    },
    model::{PointMass, State, Vector, gap_velocity},
    nlp::Nlp,
    scenario::{Choice as _, NlpSettings, NlpSolverChoice, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepFailure,
        StepStatus, StepperName, UsedSettings,
        admission::single_point,
        derivative::{Margins, NoDerivative, StepDerivative, rigid_margins},
        ignored::IMPACT_IN_ONE_STEP,
    },
};

/// The barrier parameter at which IPOPT ends, as a part of the tolerance: `1/(kappa_epsilon + 1)`.
const LAST_BARRIER: f64 = 1.0 / 11.0;

/// The stepper of a point in a vertical plane.
pub type RelaxedInPlane = RelaxedStepper<2, 1, 7>;
/// The stepper of a point over a plane.
pub type RelaxedOverPlane = RelaxedStepper<3, 2, 9>;

/// Steps by solving a [`RelaxedProgram`] each, as [`RelaxedContact`] does.
///
/// `D` is the dimension, `T = D - 1` the number of tangent directions, `S = 2 T + 5` the size of
/// the program.
pub struct RelaxedStepper<const D: usize, const T: usize, const S: usize> {
    body: PointMass<D>,
    settings: RelaxedContactSettings,
    choice: NlpSolverChoice,
    contact: RelaxedContact<T, S>,
}

/// The settings of the program of a single contact that a scenario asks for.
pub(in crate::stepper) fn program_settings(settings: &NlpSettings) -> RelaxedContactSettings {
    let default = RelaxedContactSettings::default();
    RelaxedContactSettings {
        tolerance: settings.tolerance.unwrap_or(default.tolerance),
        epsilon: settings.epsilon.unwrap_or(default.epsilon),
        solver: match settings.solver {
            Some(NlpSolverChoice::Ipopt) => ProgramSolver::Ipopt,
            Some(NlpSolverChoice::InteriorPoint) => ProgramSolver::InteriorPoint,
            Some(NlpSolverChoice::Structured) | None => default.solver,
        },
        warm_start: settings.warm_start,
    }
}

impl<const D: usize, const T: usize, const S: usize> RelaxedStepper<D, T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the solver cannot be set up with the scenario's settings.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let stepper = StepperName::NLP;
        let body = single_point(scenario, stepper)?;
        let choice = scenario.steppers.nlp.solver.unwrap_or(NlpSolverChoice::default_for_point());
        if choice == NlpSolverChoice::Structured {
            return Err(Refusal {
                stepper,
                reason: "the structured solver is for several bodies, and this is a single point".to_owned(),
                remedy: "leave stepper.nlp.solver out, or set it to \"ipopt\" or \"interior-point\""
                    .to_owned(),
            });
        }
        let settings = program_settings(&scenario.steppers.nlp);
        let contact = RelaxedContact::new(settings).map_err(|unavailable| Refusal {
            stepper,
            reason: unavailable.reason,
            remedy: unavailable.remedy,
        })?;
        Ok(Self { body, settings, choice, contact })
    }

    /// The contact of a step with the ground.
    fn contact_of(&self, input: &PointInput<D>) -> SingleContact<D> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        SingleContact {
            free: Vector::from_fn(|i, _| if i == 0 { free[D - 1] } else { free[i - 1] }),
            bias: gap_velocity(&self.body, &input.state, free[D - 1], input.dt),
            gap: input.state.height(),
            response: 1.0 / self.body.mass,
            friction: self.body.friction,
        }
    }

    fn program(&self, input: &PointInput<D>) -> RelaxedProgram<T> {
        let gained = self.body.gravity_norm() * input.dt;
        RelaxedProgram::new(&self.contact_of(input), gained, self.settings.epsilon)
    }
}

/// The step to a solution, its components in the order of the ground's coordinates.
fn step_of<const D: usize>(
    state: &State<D>,
    dt: f64,
    solution: &ProgramSolution<D>,
    status: StepStatus,
) -> Step<D> {
    let normal_last = |vector: &Vector<D>| Vector::from_fn(|i, _| vector[(i + 1) % D]);
    let &ProgramSolution { iterations, residual, relaxation, .. } = solution;
    Step {
        state: state.advance(normal_last(&solution.velocity), dt),
        contact_impulse: normal_last(&solution.impulse),
        report: SolveReport { status, iterations, residual, nlp: Some(relaxation) },
    }
}

impl<const D: usize, const T: usize, const S: usize> PointStepper<D> for RelaxedStepper<D, T, S>
where
    RelaxedProgram<T>: Nlp<S, S>,
{
    fn name(&self) -> StepperName {
        StepperName::NLP
    }

    fn honours(&self) -> Honours {
        Honours { ignores: &[IMPACT_IN_ONE_STEP], ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        let (name, version) = ContactProgram::<D>::solver(&self.contact);
        Some(SolverInfo { name: name.to_owned(), version: version.to_owned() })
    }

    fn settings(&self) -> UsedSettings {
        UsedSettings::default()
            .with("stepper.nlp.solver", self.choice.as_str())
            .with("stepper.nlp.tolerance", self.settings.tolerance)
            .with("stepper.nlp.epsilon", self.settings.epsilon)
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let gained = self.body.gravity_norm() * input.dt;
        let contact = self.contact_of(input);
        let (state, dt) = (&input.state, input.dt);
        match self.contact.solve(&contact, gained) {
            Ok(solution) => {
                let status = if solution.is_rescued { StepStatus::Rescued } else { StepStatus::Solved };
                Ok(step_of(state, dt, &solution, status))
            }
            Err(unsolved) => {
                let ProgramUnsolved { kind, reason, iterations, candidate } = *unsolved;
                let failure = StepFailure::new(kind, reason);
                Err(match candidate {
                    Some(candidate) => {
                        StepError::with_candidate(failure, step_of(state, dt, &candidate, StepStatus::Failed))
                    }
                    None => failure.after(iterations, f64::NAN).into(),
                })
            }
        }
    }

    fn step_derivative(
        &self,
        input: &PointInput<D>,
        step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let program = self.program(input);
        // The smooth square root admits a little more friction than the coefficient says.
        let full_use = program.full_use();
        let body = PointMass { friction: self.body.friction * full_use, ..self.body };
        let kappa = 1.5 * LAST_BARRIER * self.settings.tolerance * program.velocity_unit();
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
        ContactProgram::<D>::restore(&mut self.contact, &[]);
    }

    fn memory(&self) -> Vec<f64> {
        ContactProgram::<D>::memory(&self.contact)
    }

    fn restore(&mut self, memory: &[f64]) {
        ContactProgram::<D>::restore(&mut self.contact, memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        ContactProgram::<D>::set_verbose(&mut self.contact, verbose);
    }
}
