//! The contact models that step many bodies, by name.

use crate::{
    contact::{
        Anitescu, ContactModel, GaussSeidel, StewartTrinkle, StewartTrinkleSettings, Structured,
        StructuredSettings,
    },
    scenario::{Choice as _, ConvexSolver, NlpSolverChoice, Scenario, SmoothLaw},
    stepper::{
        ConvexBodies, Honours, PenaltyBodies, PenaltyLaw, Refusal, SolverInfo, StepperName, convex,
        not_a_single_point, smooth,
    },
    world::Impacts,
};

/// A model with what is told of it.
pub(crate) struct Choice<const D: usize, const N: usize> {
    pub name: StepperName,
    pub solver: SolverInfo,
    pub honours: Honours,
    pub model: Box<dyn ContactModel<D, N>>,
    pub impacts: Impacts,
}

impl<const D: usize, const N: usize> Choice<D, N> {
    /// The model called `name`, with the settings of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if it knows single points only, or its settings do not fit bodies.
    pub fn of(scenario: &Scenario<D>, name: StepperName) -> Result<Self, Refusal> {
        let refuse = |reason: &str, remedy: &str| {
            Err(Refusal { stepper: name, reason: reason.to_owned(), remedy: remedy.to_owned() })
        };
        let settings = &scenario.steppers;
        let solver = settings.nlp.solver.unwrap_or(NlpSolverChoice::default_for_bodies());
        if name == StepperName::NlpRelaxed && solver != NlpSolverChoice::Structured {
            return refuse(
                &format!(
                    "its solver \"{}\" steps a single point, and these are several bodies",
                    solver.as_str()
                ),
                "leave stepper.nlp.solver out, or set it to \"structured\"",
            );
        }
        let tolerance = settings.nlp.tolerance.unwrap_or(StructuredSettings::default().tolerance);
        let polyhedral = StewartTrinkleSettings {
            directions: settings.lcp.directions,
            ..StewartTrinkleSettings::default()
        };
        if name == StepperName::Convex && settings.convex.solver == ConvexSolver::Dual {
            return refuse(
                "stepper.convex.solver = \"dual\" solves for particles alone",
                "leave it out: bodies are stepped by Newton's method",
            );
        }
        let (model, solver): (Box<dyn ContactModel<D, N>>, _) = match name {
            StepperName::NlpRelaxed => (
                Box::new(Structured::new(StructuredSettings { tolerance, ..StructuredSettings::default() })),
                "structured interior point",
            ),
            StepperName::LcpStewartTrinkle => (Box::new(StewartTrinkle::new(polyhedral)), "Lemke"),
            StepperName::LcpAnitescu => (Box::new(Anitescu::new(polyhedral)), "Lemke"),
            StepperName::Cone => (Box::new(GaussSeidel::default()), "projected Gauss-Seidel"),
            StepperName::Convex => {
                (Box::new(ConvexBodies::new(settings.convex)), "Newton with exact line search")
            }
            StepperName::Smooth => {
                let law = match settings.smooth.law {
                    SmoothLaw::KelvinVoigt { stiffness, damping } => {
                        PenaltyLaw::KelvinVoigt { stiffness, damping }
                    }
                    SmoothLaw::HuntCrossley { stiffness, damping } => {
                        let heaviest = scenario.bodies.iter().map(|body| body.mass).fold(0.0, f64::max);
                        let default = smooth::default_spring(heaviest, scenario.gravity);
                        PenaltyLaw::HuntCrossley {
                            stiffness: stiffness.unwrap_or(default.stiffness),
                            damping: damping.unwrap_or(default.damping),
                        }
                    }
                    SmoothLaw::Tanh { .. } => {
                        return refuse(
                            "its tanh law is made for a point of some 10 kg: it pushes bodies from centimetres away",
                            "leave [stepper.smooth] out, or set stepper.smooth.law = \"hunt-crossley\"",
                        );
                    }
                };
                (Box::new(PenaltyBodies::new(law)), "explicit penalty forces")
            }
            _ => return Err(not_a_single_point(scenario, name)),
        };
        let honours = match name {
            StepperName::Convex => convex::HONOURS,
            StepperName::Smooth => smooth::AS_SET,
            _ => Honours::default(),
        };
        let solver = SolverInfo { name: solver.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        Ok(Self { name, solver, honours, model, impacts: settings.impacts })
    }
}
