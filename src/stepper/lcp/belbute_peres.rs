use nalgebra::Const;

use super::ignores::BOUND_TO_A_SOLVER;
use super::{contact_solver::ContactSolver, impact::Impact};
use crate::{
    lcp::{Lcp, Method},
    model::{PointMass, Vector},
    scenario::{RestitutionLaw, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepperName,
        admission::single_point_on_one_coefficient,
    },
};

/// The form of Belbute-Peres and others (LCP notes 2.7), solved as they do: by a primal-dual
/// interior-point method on all unknowns at once, whatever solver the scenario asks for.
///
/// With `x = -v`, `z = (lambda_n, lambda+, lambda-, gamma)` and the rows of `G` the directions of
/// the impulses, in units of velocity:
///
/// ```text
/// [  I   G' ] [x]   [ v_free ]   [ 0 ]
/// [ -G   F  ] [z] + [   c    ] = [ s ],   0 <= z  |  s >= 0
/// ```
///
/// `c` is the gap in the normal row and zero in the others. (The notes have the signs of `v_free`
/// and `F` reversed.)
pub struct BelbutePeres {
    body: PointMass<2>,
    impact: Impact,
    solver: ContactSolver<Const<6>>,
}

impl BelbutePeres {
    const NAME: StepperName = StepperName::LCP_BELBUTE_PERES;

    /// A stepper for `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if the scenario asks for Poisson's law of impact, which has no place in this form.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        let law = scenario.steppers.lcp.restitution;
        if law == RestitutionLaw::Poisson && scenario.ground.restitution > 0.0 {
            return Err(Refusal {
                stepper: Self::NAME,
                reason: "its only law of impact is Newton's, and stepper.lcp.restitution is \"poisson\""
                    .to_owned(),
                remedy: "set stepper.lcp.restitution = \"newton\", or use stepper `lcp`".to_owned(),
            });
        }
        let impact = Impact { law: RestitutionLaw::Newton };
        Ok(Self {
            body: single_point_on_one_coefficient(scenario, Self::NAME)?,
            impact,
            solver: ContactSolver::with(Method::InteriorPoint, Const),
        })
    }

    /// The mixed problem in `(x, z)`.
    pub fn problem(free: &Vector<2>, gap: f64, friction: f64) -> Lcp<6> {
        let m = [
            [1.0, 0.0, 0.0, 1.0, -1.0, 0.0],
            [0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, -1.0, 0.0, 0.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, friction, -1.0, -1.0, 0.0],
        ];
        Lcp::mixed_from_arrays::<2>(m, [free[0], free[1], gap, 0.0, 0.0, 0.0])
    }
}

impl PointStepper<2> for BelbutePeres {
    fn name(&self) -> StepperName {
        Self::NAME
    }

    fn honours(&self) -> Honours {
        Honours { ignores: BOUND_TO_A_SOLVER, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.solver.info())
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let gap = self.impact.gap(&self.body, &input.state, free[1], input.dt);
        self.solver.solve(&Self::problem(&free, gap, self.body.friction));
        let z = &self.solver.solution.z;
        let (touches, slides) = (z[2] > 0.0, z[5] > 0.0);
        let slip = match (touches, slides) {
            (false, _) => free[0],
            (true, false) => 0.0,
            (true, true) => -z[0],
        };
        let velocity = Vector::<2>::new(slip, if touches { 0.0 - gap } else { free[1] });
        self.solver.conclude(&self.body, input, &free, velocity, || None)
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.solver.verbose = verbose;
    }
}
