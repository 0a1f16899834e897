//! What of a scenario the contact models honour, and what they make nothing of.

use crate::{
    contact::FrictionPolygon,
    scenario::{NlpSolverChoice, Scenario, SmoothLaw},
    stepper::{
        FixedDirections, Honours, Ignores, StepperName, convex::DELASSUS_NORM,
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
const NLP_BY_PROGRAM: Ignores = &[NLP_TIME_OF_IMPACT];
const NLP_BY_STRUCTURE: Ignores = &[EPSILON, WARM_START, NLP_TIME_OF_IMPACT];
const NLP_OF_POINTS_BY_STRUCTURE: Ignores = &[EPSILON, WARM_START];

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

const LCP_OF_POINTS_IN_PLANE: Ignores = &[DIRECTIONS, POLYGON, FIXED_POINT_START];
const LCP_OF_POINTS_IN_SPACE: Ignores = &[FIXED_POINT_START];
const LCP_IN_PLANE: Ignores = &[DIRECTIONS, POLYGON, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
const LCP_IN_SPACE: Ignores = &[RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];
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
const STIFFNESS_DECIDES: Ignores = &[GROUND, WALL, PAIR, IMPACTS];
const CONVEX_IN_SPACE: Ignores = &[GROUND, WALL, PAIR, IMPACTS, DELASSUS_NORM];
const CHOSEN_FOR_RESTITUTION: Ignores = &[IMPACTS];

/// What the model called `name` makes of a `scenario`.
pub(super) fn honours<const D: usize>(name: StepperName, scenario: &Scenario<D>) -> Honours {
    let settings = &scenario.steppers;
    let are_points = !scenario.has_turning_bodies();
    let ignores = |ignores| Honours { ignores, ..Honours::default() };
    let is_structured = match settings.nlp.solver {
        Some(chosen) => chosen == NlpSolverChoice::Structured,
        None => !are_points,
    };
    match name {
        StepperName::Convex if D == 3 => ignores(CONVEX_IN_SPACE),
        StepperName::Smooth if are_points => match settings.smooth.law {
            SmoothLaw::KelvinVoigt { damping: None, .. } => ignores(CHOSEN_FOR_RESTITUTION),
            _ => ignores(STIFFNESS_DECIDES),
        },
        StepperName::Convex | StepperName::Smooth => ignores(STIFFNESS_DECIDES),
        StepperName::NlpRelaxed => ignores(match (is_structured, are_points) {
            (true, true) => NLP_OF_POINTS_BY_STRUCTURE,
            (true, false) => NLP_BY_STRUCTURE,
            (false, true) => &[],
            (false, false) => NLP_BY_PROGRAM,
        }),
        StepperName::LcpStewartTrinkle if D == 2 => {
            ignores(if are_points { LCP_OF_POINTS_IN_PLANE } else { LCP_IN_PLANE })
        }
        StepperName::LcpAnitescu if D == 2 => {
            ignores(if are_points { ANITESCU_OF_POINTS_IN_PLANE } else { ANITESCU_IN_PLANE })
        }
        StepperName::LcpStewartTrinkle | StepperName::LcpAnitescu => {
            let is_fixed = settings.lcp.polygon == FrictionPolygon::Fixed;
            let fixed_directions = is_fixed.then(|| FixedDirections(settings.lcp.directions_of_bodies()));
            let ignored = match (name == StepperName::LcpAnitescu, are_points) {
                (true, true) => ANITESCU_OF_POINTS_IN_SPACE,
                (true, false) => ANITESCU_IN_SPACE,
                (false, true) => LCP_OF_POINTS_IN_SPACE,
                (false, false) => LCP_IN_SPACE,
            };
            Honours { fixed_directions, ..ignores(ignored) }
        }
        _ => Honours::default(),
    }
}
