//! The contact models that step many bodies, by name.

use crate::{
    contact::{
        Anitescu, ContactModel, GaussSeidel, Islands, StewartTrinkle, StewartTrinkleSettings, Structured,
        StructuredSettings, Vouched,
        single::{ByProgram, ContactProgram, Unavailable, contact_program},
    },
    lcp::Method,
    scenario::{
        Choice as _, ConvexSolver, LcpSolverChoice, NlpSettings, NlpSolverChoice, Scenario, SmoothLaw,
    },
    stepper::{
        ConvexBodies, Honours, PenaltyBodies, PenaltyLaw, Refusal, SolverInfo, StepperName, UsedSettings,
        convex::{Compliance, dual_solver},
        nlp::relaxed::program_settings,
        not_a_single_point,
        registry::{Inadmissible, OwnModel, OwnName},
        smooth::{self, PointForces},
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
    /// Whether steps of points are divided at landings and the ends of slides.
    pub divides: bool,
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
            solver: match settings.lcp.solver {
                LcpSolverChoice::Lemke => Method::Lemke,
                LcpSolverChoice::Enumeration => Method::Enumeration,
                LcpSolverChoice::InteriorPoint => Method::InteriorPoint,
            },
            ..StewartTrinkleSettings::default()
        };
        let convex = settings.convex;
        let pivoting = match polyhedral.solver {
            Method::Lemke if D > 2 => "Newton on the modes of contacts, else Lemke",
            Method::Lemke => "Lemke",
            Method::Enumeration => "enumeration of complementary bases",
            Method::InteriorPoint => "interior point",
            Method::GaussSeidel => "projected Gauss-Seidel",
        };
        let of_polygons = || match D {
            2 => UsedSettings::default(),
            _ => UsedSettings::default().with("stepper.lcp.directions", polyhedral.directions),
        };
        let (model, solver, used): Solved<D, N> = match name {
            StepperName::NlpRelaxed => nlp(scenario)?,
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
                let softened = ConvexBodies::new(convex).on_soft_ground(scenario);
                let used = softened.settings_of_a_point(scenario).unwrap_or(used);
                // Softness goes by the numbers of the bodies, which pieces count anew.
                if softened.is_softened() || scenario.bodies.len() == 1 {
                    (Box::new(softened), solver, used)
                } else {
                    (in_pieces(move || ConvexBodies::new(convex)), solver, used)
                }
            }
            StepperName::Smooth => {
                let law = penalty(scenario)?;
                let points = PointForces::of_scenario(scenario)?;
                let used = points.settings().unwrap_or_else(|| law.settings(scenario.step));
                let model = PenaltyBodies::new(law).with_points(points);
                (Box::new(model), own("explicit penalty forces"), used)
            }
            _ => return Err(not_a_single_point(scenario, name)),
        };
        // The contact of a point with the ground, and with nothing else, has a closed form.
        let has_closed_form = match name {
            StepperName::Smooth => true,
            StepperName::Convex => convex.solver == ConvexSolver::Newton,
            _ => false,
        };
        let is_closed = has_closed_form && !scenario.has_many_contacts();
        let solver = (!is_closed).then_some(solver);
        let honours = honours(name, scenario);
        let divides = match name {
            StepperName::NlpRelaxed => settings.nlp.time_of_impact,
            StepperName::LcpStewartTrinkle => settings.lcp.time_of_impact,
            _ => false,
        };
        let impacts_within_steps = divides && !scenario.has_turning_bodies();
        let honours = Honours { impacts_within_steps, ..honours };
        Ok(Self { name, solver, settings: used, honours, model, impacts: settings.impacts, divides })
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
            divides: false,
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
///
/// The rule on the default stands here, for every scenario: where every body is a point, IPOPT solves the relaxed program of
/// a step that has one contact, and the structured interior point those with more; where bodies turn, the structured one
/// solves all. Among many contacts a general solver loses its way; on one it is what the field knows.
fn nlp<const D: usize, const N: usize>(scenario: &Scenario<D>) -> Result<Solved<D, N>, Refusal> {
    let settings = &scenario.steppers.nlp;
    let are_points = !scenario.has_turning_bodies();
    let chosen = settings.solver.unwrap_or(match are_points {
        true => NlpSolverChoice::default_for_point(),
        false => NlpSolverChoice::default_for_bodies(),
    });
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
    if chosen == NlpSolverChoice::InteriorPoint && !are_points {
        return Err(refusal(
            StepperName::NlpRelaxed,
            &format!(
                "its solver \"{}\" is made for the small program of a point, and some of these bodies turn",
                chosen.as_str()
            ),
            "leave stepper.nlp.solver out, or set it to \"structured\" or \"ipopt\"",
        ));
    }
    if chosen == NlpSolverChoice::Structured {
        let used = used(chosen.as_str()).with("stepper.nlp.tolerance", structured.tolerance);
        return Ok((by_structure(), own("structured interior point"), used));
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
    Ok((Box::new(ByProgram::new(single, several)), info, used))
}

/// The relaxed program of a single contact with its solver.
fn single_contact<const D: usize>(
    settings: &NlpSettings,
) -> Result<(Box<dyn ContactProgram<D>>, SolverInfo), Refusal> {
    let unavailable =
        |Unavailable { reason, remedy }| Refusal { stepper: StepperName::NlpRelaxed, reason, remedy };
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
        StepperName::NlpRelaxed,
        "it is to be solved by IPOPT, which this build leaves out",
        "set stepper.nlp.solver to \"structured\", or build with the cargo feature `ipopt`, which is on by default",
    ))
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
            StepperName::Smooth,
            "its tanh law is made for points of some 10 kg on planes: it pushes bodies from centimetres away",
            "leave [stepper.smooth] out, or set stepper.smooth.law = \"hunt-crossley\"",
        )),
    }
}
