use nalgebra::Const;

use super::ignores::STEWART_TRINKLE;
use super::{contact_solver::ContactSolver, impact::Impact, traditional::sliding_velocity};
use crate::{
    contact::single::point_problem,
    lcp::Solution,
    model::{PointMass, Vector},
    scenario::Scenario,
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepperName,
        admission::single_point,
        derivative::{Margins, NoDerivative, StepDerivative, gap_source, rigid_derivative, rigid_margins},
    },
};

/// Contact of a thrown point, for the steppers that differ in their gap.
pub(super) struct PointContact {
    pub body: PointMass<2>,
    pub impact: Impact,
    pub solver: ContactSolver<Const<4>>,
}

impl PointContact {
    pub fn new(scenario: &Scenario<2>, stepper: StepperName) -> Result<Self, Refusal> {
        let settings = &scenario.steppers.lcp;
        Ok(Self {
            body: single_point(scenario, stepper)?,
            impact: Impact { law: settings.restitution },
            solver: ContactSolver::new(settings.solver, stepper, Const, 4)?,
        })
    }

    /// The step with the normal complementarity `0 <= lambda_n  |  vz+ + gap >= 0`, and under
    /// Poisson's law a second solution with the whole of the normal impulse.
    pub fn step(
        &mut self,
        input: &PointInput<2>,
        free: &Vector<2>,
        gap: f64,
    ) -> Result<Step<2>, StepError<2>> {
        let Self { body, impact, solver } = self;
        solver.solve(&point_problem(free[1] + gap, free[0], body.friction));
        let mut velocity = read_velocity(&solver.solution, free, 0.0 - gap);
        let compression = solver.solution.z[0];
        if let Some(rebound) = impact.restored(body, compression, input.dt)
            && solver.solution.is_solved()
        {
            let normal = compression + rebound;
            solver.solve_again(&point_problem(-normal, free[0], body.friction));
            velocity = read_velocity(&solver.solution, free, free[1] + normal);
        }
        solver.conclude(body, input, free, velocity, || None)
    }
}

/// The velocity after the step; `contact_velocity` is its normal component where there is contact.
fn read_velocity(solution: &Solution<Const<4>>, free: &Vector<2>, contact_velocity: f64) -> Vector<2> {
    let [normal, plus, minus, gamma] = solution.z.data.0[0];
    if normal > 0.0 {
        Vector::<2>::new(sliding_velocity(free[0], plus, minus, gamma), contact_velocity)
    } else {
        *free
    }
}

/// Stewart and Trinkle's stepper at gap level, the default of the family: `c = z/dt`, or Newton's
/// rebound. It never penetrates the ground.
pub struct StewartTrinkle {
    contact: PointContact,
}

impl StewartTrinkle {
    /// A stepper for `scenario`; every scenario in a vertical plane is admitted.
    ///
    /// # Errors
    /// None so far.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        Ok(Self { contact: PointContact::new(scenario, StepperName::LCP)? })
    }
}

impl PointStepper<2> for StewartTrinkle {
    fn name(&self) -> StepperName {
        StepperName::LCP
    }

    fn honours(&self) -> Honours {
        Honours { ignores: STEWART_TRINKLE, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.contact.solver.info())
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let PointContact { body, impact, .. } = &self.contact;
        let free = body.free_velocity(&input.state, &input.push, input.dt);
        let gap = impact.gap(body, &input.state, free[1], input.dt);
        self.contact.step(input, &free, gap)
    }

    fn step_derivative(
        &self,
        input: &PointInput<2>,
        step: &Step<2>,
    ) -> Result<StepDerivative<2>, NoDerivative> {
        let PointContact { body, impact, .. } = &self.contact;
        impact.require_newton(body, self.name())?;
        if step.contact_impulse[1] <= 0.0 {
            return Ok(StepDerivative::Flight);
        }
        let free = body.free_velocity(&input.state, &input.push, input.dt);
        let source = gap_source(body, &input.state, free[1], input.dt);
        Ok(StepDerivative::Contact(rigid_derivative(body, input, step, source)))
    }

    fn margins(&self, input: &PointInput<2>, _step: &Step<2>) -> Margins<2> {
        rigid_margins(&self.contact.body, input)
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.contact.solver.verbose = verbose;
    }
}
