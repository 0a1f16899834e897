use nalgebra::Const;

use super::{BlockFormulation, BlockStepper, admission::moves_forward};
use crate::{
    lcp::{Lcp, Solution},
    scenario::Scenario,
    stepper::{Refusal, StepperName},
};

/// The block that only moves forward (LCP notes 2.1): `0 <= h - lambda  |  v+ >= 0`.
///
/// One unknown, `z = v+`, `w = h - lambda` (the friction that is not used), `M = 1`, `q = h - p`.
/// Right for `p >= -h`. Below that `v+ = 0` would hold the block against a push that friction
/// cannot resist, so such a scenario is refused, and such a step is an error.
#[derive(Debug)]
pub struct ForwardFormulation;

/// The stepper of [`ForwardFormulation`].
pub type Forward = BlockStepper<ForwardFormulation, 1>;

impl BlockFormulation<1> for ForwardFormulation {
    const NAME: StepperName = StepperName::LCP_FORWARD;

    fn problem(p: f64, h: f64) -> Lcp<1> {
        Lcp::from_arrays([[1.0]], [h - p])
    }

    fn velocity(solution: &Solution<Const<1>>, _p: f64) -> f64 {
        solution.z[0]
    }

    fn admit(scenario: &Scenario<2>) -> Result<(), Refusal> {
        moves_forward(scenario, Self::NAME)
    }

    fn obstacle(p: f64, h: f64) -> Option<String> {
        (p < -h).then(|| {
            format!(
                "the formulation only moves towards +x: the velocity without friction, {p} m/s, is below -{h} m/s, \
                 beyond what friction can hold; use stepper `lcp:direct`"
            )
        })
    }
}
