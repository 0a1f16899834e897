use nalgebra::Const;

use super::{BlockFormulation, BlockStepper};
use crate::{
    lcp::{Lcp, Solution},
    stepper::StepperName,
};

/// Stewart and Trinkle's friction for the block (LCP notes 2.6).
///
/// ```text
/// 0 <= lambda+  |  gamma + v >= 0            v = p + lambda+ - lambda-
/// 0 <= lambda-  |  gamma - v >= 0
/// 0 <= gamma    |  h - lambda+ - lambda- >= 0
/// ```
///
/// `gamma` is the speed `|v|`. The matrix is no P-matrix, contrary to the notes: it is positive
/// semidefinite, so that `v`, `gamma` and `lambda+ - lambda-` are unique for `h > 0`, but not
/// `lambda+` and `lambda-` while the block sticks.
#[derive(Debug)]
pub struct TraditionalFormulation;

/// The stepper of [`TraditionalFormulation`].
pub type Traditional = BlockStepper<TraditionalFormulation, 3>;

impl BlockFormulation<3> for TraditionalFormulation {
    const NAME: StepperName = StepperName::LCP_TRADITIONAL;

    fn problem(p: f64, h: f64) -> Lcp<3> {
        Lcp::from_arrays([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 0.0]], [p, -p, h])
    }

    fn velocity(solution: &Solution<Const<3>>, p: f64) -> f64 {
        let [plus, minus, gamma] = solution.z.data.0[0];
        sliding_velocity(p, plus, minus, gamma)
    }
}

/// The new velocity `p + lambda+ - lambda-`, exactly zero where `gamma = |v|` is.
fn sliding_velocity(p: f64, plus: f64, minus: f64, gamma: f64) -> f64 {
    if gamma > 0.0 { p + (plus - minus) } else { 0.0 }
}
