use super::ignores::IN_PLANE;
use super::stewart_trinkle::PointContact;
use crate::{
    scenario::Scenario,
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepperName,
        derivative::{
            GapSource, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, rigid_derivative,
            rigid_margins,
        },
    },
};

/// Anitescu and Potra's stepper at velocity level (LCP notes 2.7): a point at `z <= 0` must not move
/// further down, a point above the ground moves freely.
///
/// The gap `c` is `e min(0, vz)`, Newton's rebound. Contact starts only once the point is below the
/// ground, by up to `dt` times its speed (4.3 mm in the blog post's case at 1 ms), and nothing moves
/// it up again.
pub struct Anitescu {
    contact: PointContact,
}

impl Anitescu {
    /// A stepper for `scenario`; every scenario in a vertical plane is admitted.
    ///
    /// # Errors
    /// None so far.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        Ok(Self { contact: PointContact::new(scenario, StepperName::LCP_ANITESCU)? })
    }
}

impl PointStepper<2> for Anitescu {
    fn name(&self) -> StepperName {
        StepperName::LCP_ANITESCU
    }

    fn honours(&self) -> Honours {
        Honours { ignores: IN_PLANE, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.contact.solver.info())
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let PointContact { body, impact, .. } = &self.contact;
        let free = body.free_velocity(&input.state, &input.push, input.dt);
        if input.state.height() > 0.0 {
            return Ok(Step {
                state: input.state.advance(free, input.dt),
                contact_impulse: free * 0.0,
                report: SolveReport::CLOSED_FORM,
            });
        }
        let gap = impact.velocity_level_gap(body, &input.state, input.dt);
        self.contact.step(input, &free, gap)
    }

    fn step_derivative(
        &self,
        input: &PointInput<2>,
        step: &Step<2>,
    ) -> Result<StepDerivative<2>, NoDerivative> {
        let PointContact { body, impact, .. } = &self.contact;
        impact.require_newton(body, self.name())?;
        let rebounds = impact.velocity_level_gap(body, &input.state, input.dt) != 0.0;
        let source = if rebounds { GapSource::Rebound } else { GapSource::None };
        Ok(StepDerivative::Contact(rigid_derivative(body, input, step, source)))
    }

    fn margins(&self, input: &PointInput<2>, _step: &Step<2>) -> Margins<2> {
        let height = LocalInput::new(&self.contact.body, input).state.height();
        let mut margins = Margins::default();
        margins.push(MarginKind::Contact, height);
        if height.re <= 0.0 {
            // On or below the ground the law is that of a point at height zero.
            let mut grounded = *input;
            grounded.state.position[1] = 0.0;
            margins.extend_without(&rigid_margins(&self.contact.body, &grounded), 1);
        }
        margins
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.contact.solver.verbose = verbose;
    }
}
