//! The contact models that step many bodies, and how one is chosen by name.

use crate::{
    contact::{
        Anitescu, ContactModel, Islands, StewartTrinkle, StewartTrinkleSettings, Structured,
        StructuredSettings, Vouched,
    },
    scenario::{
        Choice as _, ConvexSolver, LcpSettings, NlpSolverChoice, Scenario, SmoothLaw, StepperSettings,
    },
    stepper::{
        ConvexBodies, Honours, PenaltyBodies, PenaltyLaw, Refusal, SolverInfo, StepperName, UsedSettings,
        convex::{Compliance, dual_solver},
        descriptor::Build,
        not_a_single_point,
        registry::{Inadmissible, OwnModel},
        smooth,
    },
    world::Impacts,
};

use super::honours;

/// A model with what is told of it.
pub(crate) struct Choice<const D: usize, const N: usize> {
    pub name: StepperName,
    pub solver: Option<SolverInfo>,
    pub settings: UsedSettings,
    pub honours: Honours,
    pub model: Box<dyn ContactModel<D, N>>,
    pub impacts: Impacts,
}

/// A model as the row of a stepper makes it: with its solver, the figures behind the settings that a scenario may leave
/// to it, and what it honours.
pub(crate) struct Made<const D: usize, const N: usize> {
    pub model: Box<dyn ContactModel<D, N>>,
    pub solver: SolverInfo,
    pub settings: UsedSettings,
    pub honours: Honours,
}

/// Makes a model for a kind of bodies.
pub(crate) type Make<const D: usize, const N: usize> = fn(&Scenario<D>) -> Result<Made<D, N>, Refusal>;

/// How a model is made for the four kinds of bodies; [`of_every_kind`] writes them from one function.
#[derive(Clone, Copy)]
pub(crate) struct ContactModels {
    pub points_in_plane: Make<2, 2>,
    pub bodies_in_plane: Make<2, 3>,
    pub points_in_space: Make<3, 3>,
    pub bodies_in_space: Make<3, 6>,
}

/// The [`ContactModels`] of a function that is written for every kind of bodies.
macro_rules! of_every_kind {
    ($make:ident) => {
        $crate::stepper::bodies::ContactModels {
            points_in_plane: $make::<2, 2>,
            bodies_in_plane: $make::<2, 3>,
            points_in_space: $make::<3, 3>,
            bodies_in_space: $make::<3, 6>,
        }
    };
}
pub(crate) use of_every_kind;

/// Chooses a model by name for one of the four kinds of bodies.
pub(crate) trait Choose<const D: usize>: Sized {
    /// The model called `name`, with the settings of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if it knows single points only, its settings do not fit bodies, or it does not take the scenario.
    fn of(scenario: &Scenario<D>, name: StepperName) -> Result<Self, Refusal>;
}

macro_rules! choose {
    ($($d:literal, $n:literal: $kind:ident;)*) => {$(
        impl Choose<$d> for Choice<$d, $n> {
            fn of(scenario: &Scenario<$d>, name: StepperName) -> Result<Self, Refusal> {
                Self::by(scenario, name, |models| models.$kind, |own| own.$kind(scenario))
            }
        }
    )*};
}

choose! {
    2, 2: points_in_plane;
    2, 3: bodies_in_plane;
    3, 3: points_in_space;
    3, 6: bodies_in_space;
}

impl<const D: usize, const N: usize> Choice<D, N> {
    /// The model called `name`: as `make` picks it from those of its row, or as `own` has it of a model of the user's own.
    fn by(
        scenario: &Scenario<D>,
        name: StepperName,
        make: impl FnOnce(&ContactModels) -> Make<D, N>,
        own: impl FnOnce(&dyn OwnModel) -> Result<Box<dyn ContactModel<D, N>>, Inadmissible>,
    ) -> Result<Self, Refusal> {
        let impacts = scenario.steppers.impacts;
        match &name.descriptor().build {
            Build::Model { models, .. } => {
                let Made { model, solver, settings, honours } = make(models)(scenario)?;
                Ok(Self { name, solver: Some(solver), settings, honours, model, impacts })
            }
            Build::Registered(source) => {
                let model = own(source.as_ref()).map_err(|inadmissible| inadmissible.of(name))?;
                Ok(Self {
                    name,
                    solver: source.solver(),
                    settings: UsedSettings::default(),
                    honours: source.honours(),
                    model: Box::new(Vouched::new(model)),
                    impacts,
                })
            }
            Build::Own { .. } => Err(not_a_single_point(scenario, name)),
            Build::Gone => Err(Inadmissible::new("nothing is registered under its name").of(name)),
        }
    }
}

/// A model that solves what nothing joins by itself, each piece by one that `make` makes.
pub(crate) fn in_pieces<const D: usize, const N: usize, M: ContactModel<D, N> + 'static>(
    make: impl Fn() -> M + Send + 'static,
) -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(move || Box::new(make())))
}

/// A solver of the crate's own.
pub(crate) fn own_solver(name: &str) -> SolverInfo {
    SolverInfo { name: name.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

fn refusal(stepper: StepperName, reason: &str, remedy: &str) -> Refusal {
    Refusal { stepper, reason: reason.to_owned(), remedy: remedy.to_owned() }
}

/// The model `nlp` by the solver that is chosen.
pub(crate) fn nlp<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers.nlp;
    let name = StepperName::NLP;
    let made = |model: Box<dyn ContactModel<D, N>>, solver, settings| {
        Ok(Made { model, solver, settings, honours: honours::NLP })
    };
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
            made(in_pieces(model), own_solver("structured interior point"), used(tolerance))
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
            let solver = SolverInfo { name: "IPOPT".to_owned(), version: ipopt_version().to_owned() };
            made(Box::new(model), solver, used(solver_tolerance))
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

/// How [`lcp`] and [`anitescu`] cut the friction cone of bodies.
fn polygons(settings: &LcpSettings) -> StewartTrinkleSettings {
    StewartTrinkleSettings {
        directions: settings.directions_of_bodies(),
        polygon: settings.polygon,
        ..StewartTrinkleSettings::default()
    }
}

/// A `model` of polygons, with what is told of it.
fn of_polygons<const D: usize, const N: usize>(
    settings: &StepperSettings,
    model: Box<dyn ContactModel<D, N>>,
    honours: Honours,
) -> Made<D, N> {
    let solver = own_solver(if D == 2 { "Lemke" } else { "Newton on the modes of contacts, else Lemke" });
    let used = UsedSettings::default();
    let settings = match D {
        2 => used,
        _ => used.with("stepper.lcp.directions", polygons(&settings.lcp).directions),
    };
    Made { model, solver, settings, honours }
}

/// The model `lcp`.
pub(crate) fn lcp<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers;
    let polygons = polygons(&settings.lcp);
    let model = in_pieces(move || StewartTrinkle::new(polygons));
    Ok(of_polygons(settings, model, honours::lcp::<D>(settings)))
}

/// The model `lcp:anitescu`.
pub(crate) fn anitescu<const D: usize, const N: usize>(
    scenario: &Scenario<D>,
) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers;
    let polygons = polygons(&settings.lcp);
    let model = in_pieces(move || Anitescu::new(polygons));
    Ok(of_polygons(settings, model, honours::anitescu::<D>(settings)))
}

/// The model `convex`.
pub(crate) fn convex<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let convex = scenario.steppers.convex;
    let solver = match convex.solver {
        ConvexSolver::Newton => own_solver("Newton"),
        ConvexSolver::Dual => dual_solver(),
    };
    let model = if scenario.has_turning_bodies() {
        in_pieces(move || ConvexBodies::new(convex))
    } else {
        Box::new(ConvexBodies::new(convex).on_soft_ground(scenario))
    };
    let settings = Compliance::new(convex).settings_of_bodies::<D>(scenario.step);
    Ok(Made { model, solver, settings, honours: honours::convex::<D>() })
}

/// The model `smooth`.
pub(crate) fn smooth<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let law = penalty(scenario)?;
    Ok(Made {
        model: Box::new(PenaltyBodies::new(law)),
        solver: own_solver("explicit penalty forces"),
        settings: law.settings(scenario.step),
        honours: honours::SMOOTH,
    })
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
            StepperName::SMOOTH,
            "its tanh law is made for a point of some 10 kg: it pushes bodies from centimetres away",
            "leave [stepper.smooth] out, or set stepper.smooth.law = \"hunt-crossley\"",
        )),
    }
}
