//! What of a scenario the models of bodies honour.

use crate::{
    contact::FrictionPolygon,
    scenario::StepperSettings,
    stepper::{FixedDirections, Honours, Ignores, StepperName},
};

const NLP: Ignores = &[
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

const LCP_IN_PLANE: Ignores = &[
    SOLVER,
    ("stepper.lcp.directions", "friction in a vertical plane has two directions, whatever it says"),
    ("stepper.lcp.polygon", "friction in a vertical plane has no polygon"),
    RESTITUTION,
    FIXED_POINT_START,
    TIME_OF_IMPACT,
];

const IMPACTS: (&str, &str) =
    ("stepper.impacts", "it poses no condition on gaps by which an impact could be split between steps");
const STIFFNESS_DECIDES: Ignores = &[
    (
        "ground.restitution",
        "what an impact gives back follows from the stiffness and damping of the contacts",
    ),
    IMPACTS,
];

const LCP_IN_SPACE: Ignores = &[SOLVER, RESTITUTION, FIXED_POINT_START, TIME_OF_IMPACT];

/// What the model called `name` makes of a scenario in `D` dimensions.
pub(super) fn honours<const D: usize>(name: StepperName, settings: &StepperSettings) -> Honours {
    let ignores = |ignores| Honours { ignores, ..Honours::default() };
    match name {
        StepperName::Convex | StepperName::Smooth => ignores(STIFFNESS_DECIDES),
        StepperName::NlpRelaxed => ignores(NLP),
        StepperName::LcpStewartTrinkle | StepperName::LcpAnitescu if D == 2 => ignores(LCP_IN_PLANE),
        StepperName::LcpStewartTrinkle | StepperName::LcpAnitescu => {
            let is_fixed = settings.lcp.polygon == FrictionPolygon::Fixed;
            let fixed_directions = is_fixed.then(|| FixedDirections(settings.lcp.directions_of_bodies()));
            Honours { fixed_directions, ..ignores(LCP_IN_SPACE) }
        }
        _ => Honours::default(),
    }
}
