//! What of `[stepper.lcp]` the formulations make nothing of.

use crate::stepper::{Ignores, ignored::IMPACT_IN_ONE_STEP as IMPACTS};

const DIRECTIONS: (&str, &str) =
    ("stepper.lcp.directions", "friction in a vertical plane has two directions, whatever it says");
const FIXED_POINT_START: (&str, &str) =
    ("stepper.lcp.fixed_point_start", "only stepper `lcp:fixed-point` iterates from a first direction");
const SOLVER: (&str, &str) = ("stepper.lcp.solver", "the formulation is bound to a solver of its own");

const POLYGON: (&str, &str) = ("stepper.lcp.polygon", "friction in a vertical plane has no polygon");
const TIME_OF_IMPACT: (&str, &str) =
    ("stepper.lcp.time_of_impact", "only steps of stepper `lcp` in a vertical plane are divided at impacts");

/// The formulations in a vertical plane.
pub(super) const IN_PLANE: Ignores = &[DIRECTIONS, POLYGON, FIXED_POINT_START, TIME_OF_IMPACT, IMPACTS];

/// Those of them that are bound to a solver.
pub(super) const BOUND_TO_A_SOLVER: Ignores =
    &[SOLVER, DIRECTIONS, POLYGON, FIXED_POINT_START, TIME_OF_IMPACT, IMPACTS];

const POLYGON_OF_A_POINT: (&str, &str) =
    ("stepper.lcp.polygon", "friction of a single point is always bound to the same directions");

/// The friction polygon over a plane.
pub(super) const POLYHEDRAL: Ignores = &[POLYGON_OF_A_POINT, FIXED_POINT_START, TIME_OF_IMPACT, IMPACTS];

const NO_POLYGON: (&str, &str) =
    ("stepper.lcp.polygon", "the fixed-point iteration finds the direction of friction itself");

/// The fixed-point iteration, which solves no complementarity problem.
pub(super) const FIXED_POINT: Ignores = &[SOLVER, NO_POLYGON, TIME_OF_IMPACT, IMPACTS];
