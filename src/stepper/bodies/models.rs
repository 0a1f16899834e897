//! The contact models that step many bodies, by name.

use crate::{
    contact::{
        Anitescu, ContactModel, GaussSeidel, Islands, StewartTrinkle, StewartTrinkleSettings, Structured,
        StructuredSettings, Vouched,
    },
    scenario::{Choice as _, ConvexSolver, NlpSettings, NlpSolverChoice, Scenario, SmoothLaw},
    stepper::{
        ConvexBodies, Honours, PenaltyBodies, PenaltyLaw, Refusal, SolverInfo, StepperName, UsedSettings,
        convex::{Compliance, dual_solver},
        not_a_single_point,
        registry::{Inadmissible, OwnModel, OwnName},
        smooth,
    },
    world::Impacts,
};

use super::honours::honours;

/// A model with what is told of it.
pub(crate) struct Choice<const D: usize, const N: usize> {
    pub name: StepperName,
    pub solver: Option<SolverInfo>,
    pub settings: UsedSettings,
    pub honours: Honours,
    pub model: Box<dyn ContactModel<D, N>>,
    pub impacts: Impacts,
}

/// A model that solves what nothing joins by itself, each piece by one that `make` makes.
fn in_pieces<const D: usize, const N: usize, M: ContactModel<D, N> + 'static>(
    make: impl Fn() -> M + Send + 'static,
) -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(move || Box::new(make())))
}

impl<const D: usize, const N: usize> Choice<D, N> {
    /// The model called `name`, with the settings of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if it knows single points only, or its settings do not fit bodies.
    pub fn of(scenario: &Scenario<D>, name: StepperName) -> Result<Self, Refusal> {
        let settings = &scenario.steppers;
        let polyhedral = StewartTrinkleSettings {
            directions: settings.lcp.directions_of_bodies(),
            polygon: settings.lcp.polygon,
            ..StewartTrinkleSettings::default()
        };
        let convex = settings.convex;
        let pivoting = if D == 2 { "Lemke" } else { "Newton on the modes of contacts, else Lemke" };
        let of_polygons = || match D {
            2 => UsedSettings::default(),
            _ => UsedSettings::default().with("stepper.lcp.directions", polyhedral.directions),
        };
        let (model, solver, used): Solved<D, N> = match name {
            StepperName::NlpRelaxed => nlp(&settings.nlp)?,
            StepperName::LcpStewartTrinkle => {
                (in_pieces(move || StewartTrinkle::new(polyhedral)), own(pivoting), of_polygons())
            }
            StepperName::LcpAnitescu => {
                (in_pieces(move || Anitescu::new(polyhedral)), own(pivoting), of_polygons())
            }
            StepperName::Cone => {
                let solver = own("projected Gauss-Seidel");
                (in_pieces(GaussSeidel::default), solver, UsedSettings::default())
            }
            StepperName::Convex => {
                let used = Compliance::new(convex).settings_of_bodies::<D>(scenario.step);
                let solver = match convex.solver {
                    ConvexSolver::Newton => own("Newton"),
                    ConvexSolver::Dual => dual_solver(),
                };
                if scenario.has_turning_bodies() {
                    (in_pieces(move || ConvexBodies::new(convex)), solver, used)
                } else {
                    (Box::new(ConvexBodies::new(convex).on_soft_ground(scenario)), solver, used)
                }
            }
            StepperName::Smooth => {
                let law = penalty(scenario)?;
                let used = law.settings(scenario.step);
                (Box::new(PenaltyBodies::new(law)), own("explicit penalty forces"), used)
            }
            _ => return Err(not_a_single_point(scenario, name)),
        };
        let honours = honours::<D>(name, settings);
        Ok(Self { name, solver: Some(solver), settings: used, honours, model, impacts: settings.impacts })
    }

    /// The model of the user's own that is called `own`, as `make` has it for the kind of bodies there are.
    ///
    /// # Errors
    /// [`Refusal`] if nothing has the name any more, or the model does not take the scenario.
    pub fn own(
        scenario: &Scenario<D>,
        own: OwnName,
        make: impl FnOnce(&dyn OwnModel) -> Result<Box<dyn ContactModel<D, N>>, Inadmissible>,
    ) -> Result<Self, Refusal> {
        let name = StepperName::Own(own);
        let source = own.model().ok_or_else(|| Inadmissible::new("nothing is registered under its name"));
        let made = source.and_then(|source| Ok((make(source.as_ref())?, source)));
        let (model, source) = made.map_err(|inadmissible| inadmissible.of(name))?;
        Ok(Self {
            name,
            solver: source.solver(),
            settings: UsedSettings::default(),
            honours: source.honours(),
            model: Box::new(Vouched::new(model)),
            impacts: scenario.steppers.impacts,
        })
    }
}

/// A solver of the crate's own.
fn own(name: &str) -> SolverInfo {
    SolverInfo { name: name.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

fn refusal(stepper: StepperName, reason: &str, remedy: &str) -> Refusal {
    Refusal { stepper, reason: reason.to_owned(), remedy: remedy.to_owned() }
}

/// A model with its solver, and the figures behind the settings that a scenario may leave to it.
type Solved<const D: usize, const N: usize> = (Box<dyn ContactModel<D, N>>, SolverInfo, UsedSettings);

/// The model `nlp` by the solver that is chosen.
fn nlp<const D: usize, const N: usize>(settings: &NlpSettings) -> Result<Solved<D, N>, Refusal> {
    let name = StepperName::NlpRelaxed;
    let chosen = settings.solver.unwrap_or(NlpSolverChoice::default_for_bodies());
    let used = |tolerance: f64| {
        let used = UsedSettings::default().with("stepper.nlp.solver", chosen.as_str());
        used.with("stepper.nlp.tolerance", tolerance)
    };
    match chosen {
        NlpSolverChoice::Structured => {
            let default = StructuredSettings::default();
            let tolerance = settings.tolerance.unwrap_or(default.tolerance);
            let model = move || Structured::new(StructuredSettings { tolerance, ..default });
            Ok((in_pieces(model), own("structured interior point"), used(tolerance)))
        }
        #[cfg(feature = "ipopt")]
        NlpSolverChoice::Ipopt => {
            use crate::{
                contact::{Relaxed, RelaxedSettings},
                nlp::ipopt_version,
            };
            let default = RelaxedSettings::default();
            let solver_tolerance = settings.tolerance.unwrap_or(default.solver_tolerance);
            let model = Relaxed::new(RelaxedSettings { solver_tolerance, ..default });
            Ok((
                Box::new(model),
                SolverInfo { name: "IPOPT".to_owned(), version: ipopt_version().to_owned() },
                used(solver_tolerance),
            ))
        }
        #[cfg(not(feature = "ipopt"))]
        NlpSolverChoice::Ipopt => Err(refusal(
            name,
            "it is to be solved by IPOPT, which this build leaves out",
            "set stepper.nlp.solver to \"structured\", or build with the cargo feature `ipopt`, which is on by \
             default",
        )),
        NlpSolverChoice::InteriorPoint => Err(refusal(
            name,
            &format!(
                "its solver \"{}\" is made for the small program of a single point, and these are bodies",
                chosen.as_str()
            ),
            "leave stepper.nlp.solver out, or set it to \"structured\" or \"ipopt\"",
        )),
    }
}

/// The penalty law of bodies.
fn penalty<const D: usize>(scenario: &Scenario<D>) -> Result<PenaltyLaw, Refusal> {
    match scenario.steppers.smooth.law {
        SmoothLaw::KelvinVoigt { stiffness, damping } => Ok(PenaltyLaw::KelvinVoigt { stiffness, damping }),
        SmoothLaw::HuntCrossley { stiffness, damping } => {
            let heaviest = scenario.bodies.iter().map(|body| body.mass).fold(0.0, f64::max);
            let default = smooth::default_spring(heaviest, scenario.gravity);
            Ok(PenaltyLaw::HuntCrossley {
                stiffness: stiffness.unwrap_or(default.stiffness),
                damping: damping.unwrap_or(default.damping),
            })
        }
        SmoothLaw::Tanh { .. } => Err(refusal(
            StepperName::Smooth,
            "its tanh law is made for a point of some 10 kg: it pushes bodies from centimetres away",
            "leave [stepper.smooth] out, or set stepper.smooth.law = \"hunt-crossley\"",
        )),
    }
}
