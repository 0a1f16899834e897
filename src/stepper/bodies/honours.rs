//! What of a scenario the contact models honour, and what they make nothing of.

use super::models::nlp_solver;
use crate::{
    contact::FrictionPolygon,
    scenario::{LcpSolverChoice, NlpSolverChoice, Scenario, SmoothLaw},
    stepper::{
        FixedDirections, FlightVelocity, Honours, Ignores, convex::DELASSUS_NORM,
        ignored::IMPACT_WITHOUT_CONDITION as IMPACTS,
    },
};

const EPSILON: (&str, &str) = ("stepper.nlp.epsilon", "the structured interior point smooths no root");
const WARM_START: (&str, &str) =
    ("stepper.nlp.warm_start", "the structured interior point starts a step from no guess");
const NLP_TIME_OF_IMPACT: (&str, &str) = (
    "stepper.nlp.time_of_impact",
    "only steps of points are divided at impacts, and all of these bodies turn",
);
const NOTHING_BOUNCES: (&str, &str) =
    ("stepper.impacts", "points that do not bounce land alike, whichever it is");
const NLP_OF_POINTS: [Ignores; 2] = [&[], &[NOTHING_BOUNCES]];
const NLP_BY_PROGRAM: Ignores = &[NLP_TIME_OF_IMPACT];
const NLP_BY_STRUCTURE: Ignores = &[EPSILON, WARM_START, NLP_TIME_OF_IMPACT];
const NLP_OF_POINTS_BY_STRUCTURE: [Ignores; 2] =
    [&[EPSILON, WARM_START], &[EPSILON, WARM_START, NOTHING_BOUNCES]];

const SOLVER: (&str, &str) = (
    "stepper.lcp.solver",
    "enumeration takes at most 12 unknowns, and steps of bodies have more: those are solved by Lemke's method",
);
const RESTITUTION: (&str, &str) = ("stepper.lcp.restitution", "bodies that turn bounce by Newton's law");
const FIXED_POINT_START: (&str, &str) =
    ("stepper.lcp.fixed_point_start", "only stepper `lcp:fixed-point` iterates from a first direction");
const TIME_OF_IMPACT: (&str, &str) = (
    "stepper.lcp.time_of_impact",
    "only steps of points are divided at impacts, and all of these bodies turn",
);
const NO_TIME_OF_IMPACT: (&str, &str) =
    ("stepper.lcp.time_of_impact", "only steps of stepper `lcp` are divided at impacts");

const DIRECTIONS: (&str, &str) =
    ("stepper.lcp.directions", "friction in a vertical plane has two directions, whatever it says");
const POLYGON: (&str, &str) = ("stepper.lcp.polygon", "friction in a vertical plane has no polygon");

const LCP_OF_POINTS_IN_PLANE: [Ignores; 2] =
    [&[DIRECTIONS, POLYGON, FIXED_POINT_START], &[DIRECTIONS, POLYGON, FIXED_POINT_START, NOTHING_BOUNCES]];
const LCP_OF_POINTS_IN_SPACE: [Ignores; 2] = [&[FIXED_POINT_START], &[FIXED_POINT_START, NOTHING_BOUNCES]];
const LCP_IN_PLANE: Ignores = &[DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const LCP_IN_SPACE: Ignores = &[RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const LCP_IN_PLANE_ENUMERATED: Ignores =
    &[SOLVER, DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const LCP_IN_SPACE_ENUMERATED: Ignores = &[SOLVER, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const ANITESCU_IN_PLANE_ENUMERATED: Ignores =
    &[SOLVER, DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];
const ANITESCU_IN_SPACE_ENUMERATED: Ignores =
    &[SOLVER, RESTITUTION, FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];
const ANITESCU_OF_POINTS_IN_PLANE: Ignores =
    &[DIRECTIONS, POLYGON, FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];
const ANITESCU_IN_PLANE: Ignores =
    &[DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];
const ANITESCU_OF_POINTS_IN_SPACE: Ignores = &[FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];
const ANITESCU_IN_SPACE: Ignores = &[RESTITUTION, FIXED_POINT_START, NO_TIME_OF_IMPACT, IMPACTS];

const GIVEN_BACK: &str = "what an impact gives back follows from the stiffness and damping of the contacts";
const GROUND: (&str, &str) = ("ground.restitution", GIVEN_BACK);
const WALL: (&str, &str) = ("wall.restitution", GIVEN_BACK);
const PAIR: (&str, &str) = ("pair.restitution", GIVEN_BACK);
const CLOSING: (&str, &str) =
    ("stepper.joints", "its contacts give way, and its joints are held to first order, whatever it says");
const STIFFNESS_DECIDES: Ignores = &[GROUND, WALL, PAIR, IMPACTS, CLOSING];
const CONVEX_IN_SPACE: Ignores = &[GROUND, WALL, PAIR, IMPACTS, CLOSING, DELASSUS_NORM];
const CHOSEN_FOR_RESTITUTION: Ignores = &[IMPACTS, CLOSING];

/// Honours everything but these keys, as most models do.
const fn ignoring(ignores: Ignores) -> Honours {
    Honours {
        push_within_steps: false,
        impacts_within_steps: false,
        flight: FlightVelocity::AtEnd,
        ignores,
        fixed_directions: None,
    }
}

/// What `nlp` makes of a `scenario`.
pub(super) fn nlp<const D: usize>(scenario: &Scenario<D>) -> Honours {
    let are_points = !scenario.has_turning_bodies();
    let is_structured = nlp_solver(scenario) == NlpSolverChoice::Structured;
    let still = usize::from(!scenario.bounces());
    ignoring(match (is_structured, are_points) {
        (true, true) => NLP_OF_POINTS_BY_STRUCTURE[still],
        (true, false) => NLP_BY_STRUCTURE,
        (false, true) => NLP_OF_POINTS[still],
        (false, false) => NLP_BY_PROGRAM,
    })
}

/// What `smooth` makes of a `scenario`.
pub(super) fn smooth<const D: usize>(scenario: &Scenario<D>) -> Honours {
    let is_chosen = matches!(scenario.steppers.smooth.law, SmoothLaw::KelvinVoigt { damping: None, .. });
    let are_points = !scenario.has_turning_bodies();
    ignoring(if is_chosen && are_points { CHOSEN_FOR_RESTITUTION } else { STIFFNESS_DECIDES })
}

/// What `convex` honours in `D` dimensions.
pub(super) const fn convex<const D: usize>() -> Honours {
    ignoring(if D == 3 { CONVEX_IN_SPACE } else { STIFFNESS_DECIDES })
}

/// What `lcp` makes of a `scenario`.
pub(super) fn lcp<const D: usize>(scenario: &Scenario<D>) -> Honours {
    let still = usize::from(!scenario.bounces());
    match (D, scenario.has_turning_bodies(), is_enumerated(scenario)) {
        (2, false, _) => ignoring(LCP_OF_POINTS_IN_PLANE[still]),
        (2, true, false) => ignoring(LCP_IN_PLANE),
        (2, true, true) => ignoring(LCP_IN_PLANE_ENUMERATED),
        (_, false, _) => of_polygons(scenario, LCP_OF_POINTS_IN_SPACE[still]),
        (_, true, false) => of_polygons(scenario, LCP_IN_SPACE),
        (_, true, true) => of_polygons(scenario, LCP_IN_SPACE_ENUMERATED),
    }
}

/// What `lcp:anitescu` makes of a `scenario`.
pub(super) fn anitescu<const D: usize>(scenario: &Scenario<D>) -> Honours {
    match (D, scenario.has_turning_bodies(), is_enumerated(scenario)) {
        (2, false, _) => ignoring(ANITESCU_OF_POINTS_IN_PLANE),
        (2, true, false) => ignoring(ANITESCU_IN_PLANE),
        (2, true, true) => ignoring(ANITESCU_IN_PLANE_ENUMERATED),
        (_, false, _) => of_polygons(scenario, ANITESCU_OF_POINTS_IN_SPACE),
        (_, true, false) => of_polygons(scenario, ANITESCU_IN_SPACE),
        (_, true, true) => of_polygons(scenario, ANITESCU_IN_SPACE_ENUMERATED),
    }
}

fn is_enumerated<const D: usize>(scenario: &Scenario<D>) -> bool {
    scenario.steppers.lcp.solver == Some(LcpSolverChoice::Enumeration)
}

/// Models that cut the friction cone in space into a polygon, which may be fixed.
fn of_polygons<const D: usize>(scenario: &Scenario<D>, ignores: Ignores) -> Honours {
    let settings = &scenario.steppers.lcp;
    let is_fixed = settings.polygon == FrictionPolygon::Fixed;
    let fixed_directions = is_fixed.then(|| FixedDirections(settings.directions_of_bodies()));
    Honours { fixed_directions, ..ignoring(ignores) }
}
