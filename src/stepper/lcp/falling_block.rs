use nalgebra::Const;

use super::ignores::IN_PLANE;
use super::{
    admission::{inadmissible, moves_only_vertically},
    contact_solver::ContactSolver,
};
use crate::{
    lcp::Lcp,
    model::{PointMass, Vector},
    scenario::Scenario,
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepperName,
        admission::single_point_on_one_coefficient,
    },
};

/// The falling block (LCP notes 1): `0 <= x+  |  lambda >= 0` for its height `x`.
///
/// One unknown, in units of velocity `z = x+/dt`, `w = lambda dt/m = z - (x/dt + v_free)`. The block
/// lands without rebound, and takes two steps to do so: it reaches the ground with `v = -x/dt` and
/// is at rest one step later. The force of the first grows as `1/dt`; compare impulses.
pub struct FallingBlock {
    body: PointMass<2>,
    solver: ContactSolver<Const<1>>,
}

impl FallingBlock {
    const NAME: StepperName = StepperName::LCP_FALLING_BLOCK;

    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if there is motion along the ground, or restitution.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        let body = single_point_on_one_coefficient(scenario, Self::NAME)?;
        moves_only_vertically(scenario, Self::NAME)?;
        let solver = ContactSolver::new(scenario.steppers.lcp.solver_of_point(), Self::NAME, Const, 1)?;
        Ok(Self { body, solver })
    }

    /// The problem of one step from the `gap` `x/dt` and the free normal velocity, both in m/s.
    pub fn problem(gap: f64, free: f64) -> Lcp<1> {
        Lcp::from_arrays([[1.0]], [-(gap + free)])
    }
}

impl PointStepper<2> for FallingBlock {
    fn name(&self) -> StepperName {
        Self::NAME
    }

    fn honours(&self) -> Honours {
        Honours { ignores: IN_PLANE, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.solver.info())
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        if free[0] != 0.0 {
            return Err(inadmissible(format!(
                "the formulation has no motion along the ground, and the velocity without friction is vx = {} m/s; \
                 use stepper `lcp`",
                free[0]
            )));
        }
        let gap = input.state.height() / input.dt;
        self.solver.solve(&Self::problem(gap, free[1]));
        let lands = self.solver.solution.z[0] == 0.0;
        let velocity = Vector::<2>::new(0.0, if lands { 0.0 - gap } else { free[1] });
        self.solver.conclude(&self.body, input, &free, velocity, || None)
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.solver.verbose = verbose;
    }
}
