use super::{
    compliance::Compliance,
    derivative::{contact_derivative, margins},
    dual,
    vouch::vouch,
};
use crate::{
    convex::{ContactSolution, IsotropicContact},
    model::{PointMass, Vector},
    scenario::{ConvexSolver, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepStatus,
        StepperName, UsedSettings,
        admission::single_point,
        derivative::{Margins, NoDerivative, StepDerivative},
    },
};

/// Compliant contact of a single point, see the [module](crate::stepper::convex).
///
/// One contact of one point has a closed form, which solves the convex program to rounding; the
/// dual is solved by an interior-point method when the settings ask for it.
#[derive(Debug, Clone)]
pub struct Convex<const D: usize> {
    body: PointMass<D>,
    compliance: Compliance,
    softness: f64,
    solver: ConvexSolver,
    /// The step of the scenario in s.
    dt: f64,
}

/// Unit of velocities in m/s where nothing moves and nothing pulls: its square is no underflow.
const NO_SPEED: f64 = 1e-100;

impl<const D: usize> Convex<D> {
    /// A convex stepper for `scenario`.
    ///
    /// # Errors
    /// None at present: every scenario of a single point is admitted.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let settings = scenario.steppers.convex;
        let (body, compliance) = (single_point(scenario, StepperName::CONVEX)?, Compliance::new(settings));
        let start = scenario.initial_state(0);
        let softness = compliance.softness(&body, &start, scenario.step);
        Ok(Self { body, compliance, softness, solver: settings.solver, dt: scenario.step })
    }

    /// The convex program of one step.
    fn contact(&self, gap: f64, free_velocity: Vector<D>, dt: f64) -> IsotropicContact<D> {
        let delassus = 1.0 / self.body.mass;
        let mut reference = Vector::zeros();
        reference[D - 1] = self.compliance.reference(gap, dt);
        let cone = self.compliance.cone::<D>(self.body.friction, delassus, self.softness, dt);
        IsotropicContact { delassus, free_velocity, reference, cone }
    }

    /// The residual of `solution` in units of what gravity adds to a velocity in a step, or of the
    /// speed of the point without gravity, and of the impulse where that is larger (an impact); and in
    /// units of the largest velocity at hand.
    fn residuals(&self, contact: &IsotropicContact<D>, solution: &ContactSolution<D>, dt: f64) -> [f64; 2] {
        let gained = self.body.gravity_norm() * dt;
        let speed = contact.free_velocity.norm();
        let velocity = if gained > 0.0 { gained } else { speed };
        let residuals = contact.residuals(solution);
        [velocity, velocity.max(speed).max(contact.reference.norm())].map(|velocity| {
            let velocity = velocity.max(NO_SPEED);
            let impulse = solution.impulse.norm().max(self.body.mass * velocity);
            residuals.scaled(impulse, velocity)
        })
    }
}

impl<const D: usize> PointStepper<D> for Convex<D> {
    fn step_derivative(
        &self,
        input: &PointInput<D>,
        step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let gap = input.state.height();
        if !self.compliance.is_active(gap) {
            return Ok(StepDerivative::Flight);
        }
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let contact = self.contact(gap, free, input.dt);
        contact_derivative(&self.compliance, &contact, &step.state.velocity, input.dt)
            .map(StepDerivative::Contact)
            .ok_or_else(|| NoDerivative {
                stepper: StepperName::CONVEX,
                reason: format!("its Hessian is singular at t = {} s", input.time),
            })
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        let delassus = 1.0 / self.body.mass;
        let cone = self.compliance.cone::<D>(self.body.friction, delassus, self.softness, input.dt);
        margins((&self.compliance, &cone), self.softness, &self.body, input)
    }

    fn name(&self) -> StepperName {
        StepperName::CONVEX
    }

    fn honours(&self) -> Honours {
        super::honours::<D>()
    }

    fn solver(&self) -> Option<SolverInfo> {
        match self.solver {
            ConvexSolver::Newton => None,
            ConvexSolver::Dual => Some(dual::info()),
        }
    }

    fn settings(&self) -> UsedSettings {
        let cone =
            self.compliance.cone::<D>(self.body.friction, 1.0 / self.body.mass, self.softness, self.dt);
        self.compliance.settings(self.compliance.stiffness_of(&cone, self.dt), self.dt)
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let PointInput { state, push, dt, .. } = input;
        let free_velocity = self.body.free_velocity(state, push, *dt);
        let gap = state.height();
        if !self.compliance.is_active(gap) {
            return Ok(Step {
                state: state.advance(free_velocity, *dt),
                contact_impulse: Vector::zeros(),
                report: SolveReport::CLOSED_FORM,
            });
        }
        let contact = self.contact(gap, free_velocity, *dt);
        let (solution, iterations) = match self.solver {
            ConvexSolver::Newton => (contact.solve(), 0),
            ConvexSolver::Dual => dual::solve_contact(&contact)?,
        };
        let [residual, relative] = self.residuals(&contact, &solution, *dt);
        let step = Step {
            state: state.advance(solution.velocity, *dt),
            contact_impulse: solution.impulse,
            report: SolveReport { status: StepStatus::Solved, iterations, residual, nlp: None },
        };
        vouch(step, relative, self.solver)
    }
}
