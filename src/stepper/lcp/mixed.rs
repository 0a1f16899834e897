use nalgebra::Const;

use super::{BlockFormulation, BlockStepper};
use crate::{
    lcp::{Lcp, Solution},
    stepper::StepperName,
};

/// [`Traditional`](super::Traditional) with the velocity kept as an unknown (LCP notes 2.6.1): a
/// mixed problem in `(v, lambda+, lambda-, gamma)` whose first row is the equation of motion
/// `v - lambda+ + lambda- - p = 0`. (The sign printed in the notes would reverse friction.)
#[derive(Debug)]
pub struct MixedFormulation;

/// The stepper of [`MixedFormulation`].
pub type Mixed = BlockStepper<MixedFormulation, 4>;

impl BlockFormulation<4> for MixedFormulation {
    const NAME: StepperName = StepperName::LCP_MIXED;

    fn problem(p: f64, h: f64) -> Lcp<4> {
        let m = [
            [1.0, -1.0, 1.0, 0.0], //
            [1.0, 0.0, 0.0, 1.0],
            [-1.0, 0.0, 0.0, 1.0],
            [0.0, -1.0, -1.0, 0.0],
        ];
        Lcp::mixed_from_arrays::<1>(m, [-p, 0.0, 0.0, h])
    }

    fn velocity(solution: &Solution<Const<4>>, _p: f64) -> f64 {
        if solution.z[3] > 0.0 { solution.z[0] } else { 0.0 }
    }
}
