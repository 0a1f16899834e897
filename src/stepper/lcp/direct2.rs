use nalgebra::Const;

use super::{BlockFormulation, BlockStepper};
use crate::{
    lcp::{Lcp, Solution, Status},
    stepper::StepperName,
};

/// The notes' second direct formulation (2.5), which "also just doesn't work".
///
/// `z = [lambda+, lambda-, gamma]` and `w = [v+, v-, h - lambda+ - lambda-]` with
/// `v+ = p - lambda-`, `v- = -p - lambda+`. Both parts of the velocity have to be at least zero, so
/// that `p >= lambda- >= 0` and `-p >= lambda+ >= 0`: there is no solution for any `p != 0`. It is
/// kept to show just that; every step with `p != 0` fails and says why.
#[derive(Debug)]
pub struct Direct2Formulation;

/// The stepper of [`Direct2Formulation`].
pub type Direct2 = BlockStepper<Direct2Formulation, 3>;

impl BlockFormulation<3> for Direct2Formulation {
    const NAME: StepperName = StepperName::LCP_DIRECT2;

    fn problem(p: f64, h: f64) -> Lcp<3> {
        Lcp::from_arrays([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [-1.0, -1.0, 0.0]], [p, -p, h])
    }

    /// What is feasible, `p = 0`, is at rest; the guess for any other `p` is motion without friction.
    fn velocity(_solution: &Solution<Const<3>>, p: f64) -> f64 {
        p
    }

    fn explain(status: Status, p: f64) -> Option<String> {
        (status != Status::Solved).then(|| {
            format!(
                "the formulation is infeasible: it asks v+ = p - lambda- >= 0 and v- = -p - lambda+ >= 0 with \
                 lambda+, lambda- >= 0, which only p = 0 allows, and the velocity without friction is p = {p} m/s; \
                 use stepper `lcp:direct` or `lcp:traditional`"
            )
        })
    }
}
