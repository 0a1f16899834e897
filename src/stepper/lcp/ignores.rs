//! What of `[stepper.lcp]` the formulations make nothing of.

use crate::stepper::Ignores;

const DIRECTIONS: (&str, &str) =
    ("stepper.lcp.directions", "friction in a vertical plane has two directions, whatever it says");
const FIXED_POINT_START: (&str, &str) =
    ("stepper.lcp.fixed_point_start", "only stepper `lcp:fixed-point` iterates from a first direction");
const SOLVER: (&str, &str) = ("stepper.lcp.solver", "the formulation is bound to a solver of its own");

/// Formulations in a vertical plane.
pub(super) const IN_PLANE: Ignores = &[DIRECTIONS, FIXED_POINT_START];

/// Those of them that are bound to a solver.
pub(super) const BOUND_TO_A_SOLVER: Ignores = &[SOLVER, DIRECTIONS, FIXED_POINT_START];

/// The friction polygon over a plane.
pub(super) const POLYHEDRAL: Ignores = &[FIXED_POINT_START];

/// The fixed-point iteration, which solves no complementarity problem.
pub(super) const FIXED_POINT: Ignores = &[SOLVER];
