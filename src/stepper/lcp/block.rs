use nalgebra::Const;

use super::ignores::{BOUND_TO_A_SOLVER, IN_PLANE};
use super::{
    admission::{friction_bound, inadmissible, stays_on_the_ground},
    contact_solver::ContactSolver,
};
use crate::{
    lcp::{Lcp, Method, Solution, Status},
    model::{PointMass, Vector},
    scenario::Scenario,
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepperName,
        admission::single_point_on_one_coefficient,
    },
};

/// A block that stays on the ground, with friction as a complementarity problem of `N` unknowns.
///
/// `p` is the velocity that the step would reach without friction and `h` the most that friction can
/// change it, both in m/s.
pub trait BlockFormulation<const N: usize>: Send {
    /// The stepper's name.
    const NAME: StepperName;

    /// The problem of one step.
    fn problem(p: f64, h: f64) -> Lcp<N>;

    /// The velocity at the end of the step in m/s, read off the problem's solution.
    fn velocity(solution: &Solution<Const<N>>, p: f64) -> f64;

    /// The solver that the formulation is bound to, if it is.
    fn solver() -> Option<Method> {
        None
    }

    /// Refuses a scenario for reasons beyond leaving the ground.
    ///
    /// # Errors
    /// [`Refusal`], with the reason in words.
    fn admit(_scenario: &Scenario<2>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Why a step with these numbers is outside the formulation's range, if it is.
    fn obstacle(_p: f64, _h: f64) -> Option<String> {
        None
    }

    /// Why the problem has no solution, in the formulation's own words.
    fn explain(_status: Status, _p: f64) -> Option<String> {
        None
    }
}

/// Steps a block by its formulation `F`.
pub struct BlockStepper<F, const N: usize> {
    body: PointMass<2>,
    solver: ContactSolver<Const<N>>,
    formulation: std::marker::PhantomData<F>,
}

impl<F: BlockFormulation<N>, const N: usize> BlockStepper<F, N> {
    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the point does not stay on the ground, or the formulation has reasons of its
    /// own.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        let body = single_point_on_one_coefficient(scenario, F::NAME)?;
        stays_on_the_ground(scenario, F::NAME)?;
        F::admit(scenario)?;
        let solver = match F::solver() {
            Some(method) => ContactSolver::with(method, Const),
            None => ContactSolver::new(scenario.steppers.lcp.solver_of_point(), F::NAME, Const, N)?,
        };
        Ok(Self { body, solver, formulation: std::marker::PhantomData })
    }
}

impl<F: BlockFormulation<N>, const N: usize> PointStepper<2> for BlockStepper<F, N> {
    fn name(&self) -> StepperName {
        F::NAME
    }

    fn honours(&self) -> Honours {
        Honours {
            ignores: if F::solver().is_some() { BOUND_TO_A_SOLVER } else { IN_PLANE },
            ..Honours::default()
        }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.solver.info())
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let h = friction_bound(&self.body, &input.state, &free, input)?;
        let p = free[0];
        if let Some(reason) = F::obstacle(p, h) {
            return Err(inadmissible(reason));
        }
        self.solver.solve(&F::problem(p, h));
        let solution = &self.solver.solution;
        let velocity = Vector::<2>::new(F::velocity(solution, p), 0.0);
        self.solver.conclude(&self.body, input, &free, velocity, || F::explain(solution.status, p))
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.solver.verbose = verbose;
    }
}
