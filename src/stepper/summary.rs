use std::borrow::Cow;

use super::StepperName;

impl StepperName {
    /// What the stepper is, in a sentence or two, with the source that `SOURCES.md` has in full.
    pub fn summary(self) -> Cow<'static, str> {
        let built_in = match self {
            Self::NlpRelaxed => {
                "The step as a nonlinear program: complementarity relaxed by slacks that the objective drives to zero, \
                 the friction cone through a smooth square root, maximum dissipation through its multiplier; well \
                 posed, with restitution. Of a point solved by IPOPT or the crate's own interior point, of bodies by the \
                 structured one or IPOPT."
            }
            Self::NlpSeed => {
                "The nonlinear program of the blog post as published (Bokser 2025), which fails where the point does \
                 not slide or the ground is far; for comparison."
            }
            Self::LcpStewartTrinkle => {
                "A linear complementarity problem on the level of gaps (Stewart and Trinkle 1996), of bodies over a \
                 plane with the friction cone cut into a polygon; of a point over a plane take `lcp:polyhedral`."
            }
            Self::LcpAnitescu => {
                "A linear complementarity problem on the level of velocities (Anitescu and Potra 1997)."
            }
            Self::LcpFallingBlock => {
                "Normal contact only, the first problem of the LCP notes (Pfrommer 2019)."
            }
            Self::LcpForward => {
                "A block that slides forward on the ground, friction in one direction (Pfrommer 2019)."
            }
            Self::LcpDirect => "A block that slides both ways, friction by slacks (Pfrommer 2019).",
            Self::LcpDirect2 => {
                "The formulation that the LCP notes found infeasible wherever anything moves (Pfrommer 2019); for \
                 comparison."
            }
            Self::LcpTraditional => {
                "Friction of Stewart and Trinkle for the sliding block, the velocity eliminated (Pfrommer 2019)."
            }
            Self::LcpMixed => "The same with the velocity kept as an unknown without sign (Pfrommer 2019).",
            Self::LcpBelbutePeres => {
                "The form of Belbute-Peres and others (2018), which are solved for their gradients."
            }
            Self::LcpPolyhedral => "Stewart and Trinkle's problem with a friction polygon over a plane.",
            Self::LcpFixedPoint => {
                "The fixed-point iteration of the LCP notes over a plane: friction along the velocity of the sweep \
                 before (Pfrommer 2019)."
            }
            Self::Cone => {
                "Exact Coulomb friction of many contacts by projected Gauss-Seidel: simple, and slow where \
                 contacts press on each other over long ways or masses differ much."
            }
            Self::Convex => {
                "Compliant contact as an unconstrained convex problem, the SAP of Castro, Permenter and Han (2023): \
                 soft ground, no restitution, one minimum, also for many bodies."
            }
            Self::Hybrid => {
                "Flight, slip and stick with guards and resets, as simulators of hybrid systems have it."
            }
            Self::Smooth => {
                "Penalty forces: springs with dampers (Kelvin and Voigt), Hunt and Crossley's law (1975), or tanh of the \
                 height as in the blog post."
            }
            Self::Exact => {
                "The motion in closed form from event to event, of bodies that do not meet: the truth that the others are \
                 measured against."
            }
            Self::Own(own) => {
                return Cow::Owned(own.model().map(|model| model.summary()).unwrap_or_default());
            }
        };
        Cow::Borrowed(built_in)
    }
}
