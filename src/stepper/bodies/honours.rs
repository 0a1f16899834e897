//! What of a scenario the models of bodies honour.

use crate::{
    contact::FrictionPolygon,
    scenario::StepperSettings,
    stepper::{
        FixedDirections, FlightVelocity, Honours, Ignores, convex::DELASSUS_NORM,
        ignored::IMPACT_WITHOUT_CONDITION as IMPACTS,
    },
};

const NLP_IGNORES: Ignores = &[
    (
        "stepper.nlp.epsilon",
        "of bodies the structured interior point smooths no root, and IPOPT's program its own",
    ),
    ("stepper.nlp.warm_start", "a step of bodies starts from no guess"),
    ("stepper.nlp.time_of_impact", "only steps of a point in the plane are divided at impacts"),
];

const SOLVER: (&str, &str) = ("stepper.lcp.solver", "contacts of bodies are solved by Lemke's method");
const RESTITUTION: (&str, &str) = ("stepper.lcp.restitution", "contacts of bodies bounce by Newton's law");
const FIXED_POINT_START: (&str, &str) =
    ("stepper.lcp.fixed_point_start", "only stepper `lcp:fixed-point` iterates from a first direction");
const TIME_OF_IMPACT: (&str, &str) =
    ("stepper.lcp.time_of_impact", "only steps of a point in the plane are divided at impacts");

const DIRECTIONS: (&str, &str) =
    ("stepper.lcp.directions", "friction in a vertical plane has two directions, whatever it says");
const POLYGON: (&str, &str) = ("stepper.lcp.polygon", "friction in a vertical plane has no polygon");

const LCP_IN_PLANE: Ignores = &[SOLVER, DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const ANITESCU_IN_PLANE: Ignores =
    &[SOLVER, DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT, IMPACTS];

const GIVEN_BACK: &str = "what an impact gives back follows from the stiffness and damping of the contacts";
const GROUND: (&str, &str) = ("ground.restitution", GIVEN_BACK);
const WALL: (&str, &str) = ("wall.restitution", GIVEN_BACK);
const PAIR: (&str, &str) = ("pair.restitution", GIVEN_BACK);
const STIFFNESS_DECIDES: Ignores = &[GROUND, WALL, PAIR, IMPACTS];
const CONVEX_IN_SPACE: Ignores = &[GROUND, WALL, PAIR, IMPACTS, DELASSUS_NORM];

const LCP_IN_SPACE: Ignores = &[SOLVER, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const ANITESCU_IN_SPACE: Ignores = &[SOLVER, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT, IMPACTS];

/// Honours everything but these keys, as most models of bodies do.
const fn ignoring(ignores: Ignores) -> Honours {
    Honours {
        push_within_steps: false,
        impacts_within_steps: false,
        flight: FlightVelocity::AtEnd,
        ignores,
        fixed_directions: None,
    }
}

/// What `nlp` honours.
pub(super) const NLP: Honours = ignoring(NLP_IGNORES);

/// What `smooth` honours.
pub(super) const SMOOTH: Honours = ignoring(STIFFNESS_DECIDES);

/// What `convex` honours in `D` dimensions.
pub(super) const fn convex<const D: usize>() -> Honours {
    ignoring(if D == 3 { CONVEX_IN_SPACE } else { STIFFNESS_DECIDES })
}

/// What `lcp` honours in `D` dimensions.
pub(super) fn lcp<const D: usize>(settings: &StepperSettings) -> Honours {
    if D == 2 { ignoring(LCP_IN_PLANE) } else { of_polygons(settings, LCP_IN_SPACE) }
}

/// What `lcp:anitescu` honours in `D` dimensions.
pub(super) fn anitescu<const D: usize>(settings: &StepperSettings) -> Honours {
    if D == 2 { ignoring(ANITESCU_IN_PLANE) } else { of_polygons(settings, ANITESCU_IN_SPACE) }
}

fn of_polygons(settings: &StepperSettings, ignores: Ignores) -> Honours {
    let is_fixed = settings.lcp.polygon == FrictionPolygon::Fixed;
    let fixed_directions = is_fixed.then(|| FixedDirections(settings.lcp.directions_of_bodies()));
    Honours { fixed_directions, ..ignoring(ignores) }
}
