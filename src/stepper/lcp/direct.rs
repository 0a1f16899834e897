use nalgebra::Const;

use super::{BlockFormulation, BlockStepper};
use crate::{
    lcp::{Lcp, Solution},
    stepper::StepperName,
};

/// The block that moves both ways, with its velocity split into parts (LCP notes 2.2).
///
/// `z = [v+, v-]` are the parts of the new velocity `v+ - v-`, and `w = [h - lambda-, h - lambda+]`
/// the friction that is not used against each: `M = I`, `q = [h - p, h + p]`. `M` is positive
/// definite, so the solution is unique, and at most one part is positive (lemma 2.1 of the notes).
/// `lambda+` or `lambda-` may come out negative; the physical friction is `max(0, lambda+) -
/// max(0, lambda-)`.
#[derive(Debug)]
pub struct DirectFormulation;

/// The stepper of [`DirectFormulation`].
pub type Direct = BlockStepper<DirectFormulation, 2>;

impl BlockFormulation<2> for DirectFormulation {
    const NAME: StepperName = StepperName::LCP_DIRECT;

    fn problem(p: f64, h: f64) -> Lcp<2> {
        Lcp::from_arrays([[1.0, 0.0], [0.0, 1.0]], [h - p, h + p])
    }

    fn velocity(solution: &Solution<Const<2>>, _p: f64) -> f64 {
        solution.z[0] - solution.z[1]
    }
}
