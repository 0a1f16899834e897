//! The contact models that step many bodies, and how one is chosen by name.

use crate::{
    contact::{
        Anitescu, ContactModel, Islands, Posing, StewartTrinkle, StewartTrinkleSettings, Structured,
        StructuredSettings, Vouched,
        single::{ByProgram, ContactProgram, Unavailable, contact_program},
    },
    lcp::Method,
    scenario::{
        Choice as _, ConvexSolver, JointSetup, LcpSettings, LcpSolverChoice, NlpSettings, NlpSolverChoice,
        Scenario, Shape, SlidingFriction, SmoothLaw, StepperSettings,
    },
    stepper::{
        ConvexBodies, Honours, PenaltyBodies, PenaltyLaw, Refusal, SolverInfo, StepperName, UsedSettings,
        convex::{Compliance, dual_solver},
        descriptor::Build,
        nlp::relaxed::program_settings,
        not_a_single_point,
        registry::{Inadmissible, OwnModel},
        smooth::{self, PointForces},
    },
    world::{Impacts, JointClosing},
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
    /// Where steps leave their joints.
    pub closing: JointClosing,
    /// Whether steps of points are divided at landings and the ends of slides.
    pub divides: bool,
}

/// A model as the row of a stepper makes it: with its solver, the figures behind the settings that a scenario may leave
/// to it, and what it honours.
pub(crate) struct Made<const D: usize, const N: usize> {
    pub model: Box<dyn ContactModel<D, N>>,
    /// `None` for a closed form.
    pub solver: Option<SolverInfo>,
    pub settings: UsedSettings,
    pub honours: Honours,
    /// Whether steps of points are to be divided at landings and the ends of slides.
    pub divides: bool,
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
        let impacts = scenario.impacts();
        let closing = scenario.steppers.joints.unwrap_or_default();
        match &name.descriptor().build {
            Build::Model { models, .. } => {
                let Made { model, solver, settings, honours, divides } = make(models)(scenario)?;
                if model.posing() == Posing::Compliant {
                    refuse_stops(scenario, name)?;
                }
                if divides && scenario.friction_depends_on_slip() {
                    return Err(refusal(
                        name,
                        "steps that are divided at impacts (time_of_impact) know friction with one coefficient",
                        &format!("leave time_of_impact out, or {}", SlidingFriction::KEYS),
                    ));
                }
                if let Some(beyond) = scenario.grouped_friction().filter(|_| divides) {
                    let what = beyond.what();
                    return Err(refusal(
                        name,
                        &format!(
                            "steps that are divided at impacts (time_of_impact) know friction along surfaces, the same in all \
                             directions, and here {what}"
                        ),
                        &format!("leave time_of_impact out, or {}", beyond.keys()),
                    ));
                }
                let impacts_within_steps = divides && !scenario.has_turning_bodies();
                let honours = Honours { impacts_within_steps, ..honours };
                Ok(Self { name, solver, settings, honours, model, impacts, closing, divides })
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
                    closing,
                    divides: false,
                })
            }
            Build::OfPoint(_) | Build::Whole { .. } => Err(not_a_single_point(scenario, name)),
            Build::Gone => Err(Inadmissible::new("nothing is registered under its name").of(name)),
        }
    }
}

/// Refuses stops in joints to a model whose contacts give way.
fn refuse_stops<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Result<(), Refusal> {
    let Some(index) = scenario.joints.iter().position(JointSetup::has_stops) else { return Ok(()) };
    let reason = format!(
        "its contacts give way, and joint[{index}] has `limits`, which it knows for rigid ones alone"
    );
    Err(refusal(name, &reason, "use nlp, lcp or cone, or leave them out"))
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

/// The solver of `nlp` that is chosen, or the default.
///
/// The rule on the default stands here, for every scenario: where every body is a point, IPOPT solves the relaxed program of
/// a step that has one contact, and the structured interior point those with more; where bodies turn, the structured one
/// solves all. Among many contacts a general solver loses its way; on one it is what the field knows.
pub(super) fn nlp_solver<const D: usize>(scenario: &Scenario<D>) -> NlpSolverChoice {
    scenario.steppers.nlp.solver.unwrap_or_else(|| match scenario.has_turning_bodies() {
        false => NlpSolverChoice::default_for_point(),
        true => NlpSolverChoice::default_for_bodies(),
    })
}

/// The model `nlp` by its solver.
pub(crate) fn nlp<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers.nlp;
    let made = |model: Box<dyn ContactModel<D, N>>, solver, used| Made {
        model,
        solver: Some(solver),
        settings: used,
        honours: honours::nlp(scenario),
        divides: settings.time_of_impact,
    };
    let chosen = nlp_solver(scenario);
    let structured = StructuredSettings {
        tolerance: settings.tolerance.unwrap_or(StructuredSettings::default().tolerance),
        ..StructuredSettings::default()
    };
    let by_structure = || in_pieces(move || Structured::new(structured));
    let used = |solver: &str| UsedSettings::default().with("stepper.nlp.solver", solver);
    let program = program_settings(settings);
    let used_by_program = |solver: &str| {
        used(solver)
            .with("stepper.nlp.tolerance", program.tolerance)
            .with("stepper.nlp.epsilon", program.epsilon)
    };
    let has_points = scenario.bodies.iter().any(|body| body.shape == Shape::Point);
    if chosen == NlpSolverChoice::InteriorPoint && !has_points {
        return Err(refusal(
            StepperName::NLP,
            &format!(
                "its solver \"{}\" is made for the small program of a single point, and these are bodies",
                chosen.as_str()
            ),
            "leave stepper.nlp.solver out, or set it to \"structured\" or \"ipopt\"",
        ));
    }
    if chosen == NlpSolverChoice::Structured {
        let used = used(chosen.as_str()).with("stepper.nlp.tolerance", structured.tolerance);
        return Ok(made(by_structure(), own_solver("structured interior point"), used));
    }
    let (single, info) = single_contact(settings)?;
    let several = match settings.solver {
        Some(NlpSolverChoice::Ipopt) => by_ipopt(settings)?,
        _ => by_structure(),
    };
    let is_mixed = scenario.bodies.len() > 1 && settings.solver != Some(NlpSolverChoice::Ipopt);
    let used = match is_mixed {
        true => used_by_program(&format!("{} for a contact alone, structured for several", chosen.as_str())),
        false => used_by_program(chosen.as_str()),
    };
    Ok(made(Box::new(ByProgram::new(single, several)), info, used))
}

/// The relaxed program of a single contact with its solver.
fn single_contact<const D: usize>(
    settings: &NlpSettings,
) -> Result<(Box<dyn ContactProgram<D>>, SolverInfo), Refusal> {
    let unavailable = |Unavailable { reason, remedy }| Refusal { stepper: StepperName::NLP, reason, remedy };
    let single = contact_program(program_settings(settings)).map_err(unavailable)?;
    let (name, version) = single.solver();
    Ok((single, SolverInfo { name: name.to_owned(), version: version.to_owned() }))
}

/// The relaxed program of many contacts by IPOPT.
#[cfg(feature = "ipopt")]
fn by_ipopt<const D: usize, const N: usize>(
    settings: &NlpSettings,
) -> Result<Box<dyn ContactModel<D, N>>, Refusal> {
    use crate::contact::{Relaxed, RelaxedSettings};

    let default = RelaxedSettings::default();
    Ok(Box::new(Relaxed::new(RelaxedSettings {
        solver_tolerance: settings.tolerance.unwrap_or(default.solver_tolerance),
        epsilon: settings.epsilon.unwrap_or(default.epsilon),
        ..default
    })))
}

#[cfg(not(feature = "ipopt"))]
fn by_ipopt<const D: usize, const N: usize>(_: &NlpSettings) -> Result<Box<dyn ContactModel<D, N>>, Refusal> {
    Err(refusal(
        StepperName::NLP,
        "it is to be solved by IPOPT, which this build leaves out",
        "set stepper.nlp.solver to \"structured\", or build with the cargo feature `ipopt`, which is on by default",
    ))
}

/// How [`lcp`] and [`anitescu`] cut the friction cone, and who solves what comes of it.
fn polygons(settings: &LcpSettings) -> StewartTrinkleSettings {
    StewartTrinkleSettings {
        directions: settings.directions_of_bodies(),
        polygon: settings.polygon,
        solver: settings.solver.map(|choice| match choice {
            LcpSolverChoice::Lemke => Method::Lemke,
            LcpSolverChoice::Enumeration => Method::Enumeration,
            LcpSolverChoice::InteriorPoint => Method::InteriorPoint,
        }),
        ..StewartTrinkleSettings::default()
    }
}

/// A `model` of polygons, with what is told of it.
fn of_polygons<const D: usize, const N: usize>(
    settings: &StepperSettings,
    model: Box<dyn ContactModel<D, N>>,
    honours: Honours,
    divides: bool,
) -> Made<D, N> {
    let polygons = polygons(&settings.lcp);
    let solver = own_solver(match polygons.solver {
        None if D > 2 => "Newton on the modes of contacts or structured interior point, else Lemke",
        None => "Lemke, of many contacts or links structured interior point",
        Some(Method::Lemke) if D > 2 => "Newton on the modes of contacts, else Lemke",
        Some(Method::Lemke) => "Lemke",
        Some(Method::Enumeration) => "enumeration of complementary bases",
        Some(Method::InteriorPoint) => "interior point",
        Some(Method::GaussSeidel) => "projected Gauss-Seidel",
    });
    let used = UsedSettings::default();
    let settings = match D {
        2 => used,
        _ => used.with("stepper.lcp.directions", polygons.directions),
    };
    Made { model, solver: Some(solver), settings, honours, divides }
}

/// The model `lcp`.
pub(crate) fn lcp<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers;
    let polygons = polygons(&settings.lcp);
    let model = in_pieces(move || StewartTrinkle::new(polygons));
    Ok(of_polygons(settings, model, honours::lcp(scenario), settings.lcp.time_of_impact))
}

/// The model `lcp:anitescu`.
pub(crate) fn anitescu<const D: usize, const N: usize>(
    scenario: &Scenario<D>,
) -> Result<Made<D, N>, Refusal> {
    let settings = &scenario.steppers;
    let polygons = polygons(&settings.lcp);
    let model = in_pieces(move || Anitescu::new(polygons));
    Ok(of_polygons(settings, model, honours::anitescu(scenario), false))
}

/// The model `convex`.
pub(crate) fn convex<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let convex = scenario.steppers.convex;
    let solver = match convex.solver {
        // The contact of a point with the ground, and with nothing else, has a closed form.
        ConvexSolver::Newton => scenario.has_many_contacts().then(|| own_solver("Newton")),
        ConvexSolver::Dual => Some(dual_solver()),
    };
    let softened = ConvexBodies::new(convex).on_soft_ground(scenario);
    let of_bodies = || Compliance::new(convex).settings_of_bodies::<D>(scenario.step);
    let settings = softened.settings_of_a_point(scenario).unwrap_or_else(of_bodies);
    // Softness goes by the numbers of the bodies, which pieces count anew.
    let model = if softened.is_softened() || scenario.bodies.len() == 1 {
        Box::new(softened)
    } else {
        in_pieces(move || ConvexBodies::new(convex))
    };
    Ok(Made { model, solver, settings, honours: honours::convex::<D>(), divides: false })
}

/// The model `smooth`.
pub(crate) fn smooth<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Made<D, N>, Refusal> {
    let law = penalty(scenario)?;
    let points = PointForces::of_scenario(scenario)?;
    Ok(Made {
        settings: points.settings().unwrap_or_else(|| law.settings(scenario.step)),
        model: Box::new(PenaltyBodies::new(law).with_points(points)),
        solver: scenario.has_many_contacts().then(|| own_solver("explicit penalty forces")),
        honours: honours::smooth(scenario),
        divides: false,
    })
}

/// The penalty law of bodies that turn, and of points with each other.
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
        // Points have it from planes; nothing else takes part then.
        SmoothLaw::Tanh { .. } if !scenario.has_turning_bodies() && scenario.contacts.is_empty() => {
            Ok(PenaltyLaw::KelvinVoigt { stiffness: None, damping: None })
        }
        SmoothLaw::Tanh { .. } => Err(refusal(
            StepperName::SMOOTH,
            "its tanh law is made for points of some 10 kg on planes: it pushes bodies from centimetres away",
            "leave [stepper.smooth] out, or set stepper.smooth.law = \"hunt-crossley\"",
        )),
    }
}
