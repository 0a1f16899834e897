//! Contact models of one's own, and motions that were recorded, under names beside the built-in ones.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::{
    Capabilities, Honours, Refusal, Roster, SolverInfo, StepperDescriptor, StepperName, descriptor::Build,
};
use crate::{contact::ContactModel, scenario::Scenario};

/// What is registered, by name. Names live as long as the program, so that a [`StepperName`] can be copied.
static REGISTERED: RwLock<BTreeMap<&'static str, Arc<dyn OwnModel>>> = RwLock::new(BTreeMap::new());

/// Where motions were recorded, by name.
static RECORDED: RwLock<BTreeMap<&'static str, String>> = RwLock::new(BTreeMap::new());

/// Where a model of one's own runs unasked.
const ROSTERS: &[Roster] = &[
    Roster::ComparisonOfPoint,
    Roster::ComparisonOfBodies,
    Roster::FamiliesInPlane,
    Roster::FamiliesOverPlane,
];

/// The row of the model that has a name now.
pub(super) fn descriptor(name: &'static str) -> StepperDescriptor {
    let model = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    let recorded = RECORDED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    let is_recorded = recorded.is_some();
    let of_recorded = recorded.map(|source| format!("A motion that was recorded, from {source}."));
    let summary = model.as_ref().map(|model| model.summary()).or(of_recorded);
    StepperDescriptor {
        name,
        aliases: &[],
        summary: Cow::Owned(summary.unwrap_or_default()),
        capabilities: Capabilities { is_recorded, ..Capabilities::PLAIN },
        rosters: ROSTERS,
        build: model.map_or(Build::Gone, Build::Registered),
    }
}

/// A contact model of one's own for [`register`]: how it is made for a scenario, and what is told of it.
///
/// Points have as many velocities as coordinates; bodies in the plane have three (`x`, `z`, angle), in space
/// six. What a model does not implement, it refuses. A generic [`ContactModel`], which takes all of them, needs
/// no implementation of this trait: see [`register_model`].
pub trait OwnModel: Send + Sync {
    /// What it is, in a sentence.
    fn summary(&self) -> String;

    /// The solver it runs and that solver's version, if there is one to name.
    fn solver(&self) -> Option<SolverInfo> {
        None
    }

    /// What of a scenario it honours and what it does not.
    fn honours(&self) -> Honours {
        Honours::default()
    }

    /// The model for points in a vertical plane.
    ///
    /// # Errors
    /// [`Inadmissible`] where it does not take the scenario.
    fn points_in_plane(&self, _scenario: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 2>>, Inadmissible> {
        Err(Inadmissible::new("it does not step points in a vertical plane"))
    }

    /// The model for bodies in a vertical plane.
    ///
    /// # Errors
    /// [`Inadmissible`] where it does not take the scenario.
    fn bodies_in_plane(&self, _scenario: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 3>>, Inadmissible> {
        Err(Inadmissible::new("it does not step bodies in a vertical plane"))
    }

    /// The model for points in space.
    ///
    /// # Errors
    /// [`Inadmissible`] where it does not take the scenario.
    fn points_in_space(&self, _scenario: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 3>>, Inadmissible> {
        Err(Inadmissible::new("it does not step points in space"))
    }

    /// The model for bodies in space.
    ///
    /// # Errors
    /// [`Inadmissible`] where it does not take the scenario.
    fn bodies_in_space(&self, _scenario: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 6>>, Inadmissible> {
        Err(Inadmissible::new("it does not step bodies in space"))
    }
}

/// Why a model of one's own does not take a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inadmissible {
    /// What in the scenario is outside its range.
    pub reason: String,
    /// What to do about it.
    pub remedy: String,
}

impl Inadmissible {
    /// A refusal with the remedy that always helps.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), remedy: "use a built-in stepper".to_owned() }
    }

    pub(super) fn of(self, stepper: StepperName) -> Refusal {
        Refusal { stepper, reason: self.reason, remedy: self.remedy }
    }
}

/// Why a name cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameRefused {
    /// It is no name.
    #[error(
        "`{0}` is no name of a stepper; use lower-case letters, digits and dashes, with at most one colon \
         between family and formulation, as in `mine` or `mine:fast`"
    )]
    Malformed(String),
    /// A built-in stepper has it, or would write its results to the same files.
    #[error("`{given}` is too like the stepper `{built_in}`; choose another name")]
    BuiltIn {
        /// What was given.
        given: String,
        /// Whose it is.
        built_in: StepperName,
    },
}

/// Registers `model` under `name`: from now on the name stands for it wherever a stepper is named.
///
/// A model that was registered under the same name before is replaced; steppers that were made of it go on.
///
/// # Errors
/// [`NameRefused`] if the name is malformed, or that of a built-in stepper.
pub fn register(name: &str, model: impl OwnModel + 'static) -> Result<StepperName, NameRefused> {
    if !is_well_formed(name) {
        return Err(NameRefused::Malformed(name.to_owned()));
    }
    if let Some(built_in) = too_like(name, StepperName::ALL) {
        return Err(NameRefused::BuiltIn { given: name.to_owned(), built_in });
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let known = registered.keys().copied().find(|known| *known == name);
    let own = known.unwrap_or_else(|| Box::leak(name.to_owned().into_boxed_str()));
    registered.insert(own, Arc::new(model));
    Ok(StepperName::registered(own))
}

/// Has `name` stand for a motion that was recorded in `source`, a file: where motions of steppers are compared, it is one of them.
/// It is none of [`StepperName::known`], and nothing runs by it.
///
/// # Errors
/// [`NameRefused`] if the name is malformed, or that of a stepper.
pub fn record(name: &str, source: &str) -> Result<StepperName, NameRefused> {
    if !is_well_formed(name) {
        return Err(NameRefused::Malformed(name.to_owned()));
    }
    if let Some(stepper) = too_like(name, StepperName::known()) {
        return Err(NameRefused::BuiltIn { given: name.to_owned(), built_in: stepper });
    }
    let mut recorded = RECORDED.write().unwrap_or_else(PoisonError::into_inner);
    let known = recorded.keys().copied().find(|known| *known == name);
    let own = known.unwrap_or_else(|| Box::leak(name.to_owned().into_boxed_str()));
    recorded.insert(own, source.to_owned());
    Ok(StepperName::registered(own))
}

/// The one of `steppers` that has a name, or would write its results to the same files.
fn too_like(name: &str, steppers: impl IntoIterator<Item = StepperName>) -> Option<StepperName> {
    // The colon is a dash in names of files.
    let file_stem = |name: &str| name.replace(':', "-");
    let same_files = |stepper: &StepperName| {
        file_stem(stepper.as_str()) == file_stem(name) || stepper.descriptor().aliases.contains(&name)
    };
    steppers.into_iter().find(same_files)
}

/// Registers a contact model that is written for every kind of bodies; `make` makes one for a run.
///
/// # Errors
/// As [`register`].
pub fn register_model<M>(
    name: &str,
    summary: &str,
    make: impl Fn() -> M + Send + Sync + 'static,
) -> Result<StepperName, NameRefused>
where
    M: ContactModel<2, 2> + ContactModel<2, 3> + ContactModel<3, 3> + ContactModel<3, 6> + 'static,
{
    register(name, Everywhere { summary: summary.to_owned(), make })
}

/// Every name that is registered, in alphabetical order.
pub fn registered() -> Vec<StepperName> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.keys().map(|name| StepperName::registered(name)).collect()
}

fn is_well_formed(name: &str) -> bool {
    let is_part = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !part.is_empty() && part.bytes().all(plain) && !part.starts_with('-') && !part.ends_with('-')
    };
    name.len() <= 64 && name.split(':').count() <= 2 && name.split(':').all(is_part)
}

struct Everywhere<F> {
    summary: String,
    make: F,
}

impl<M, F> OwnModel for Everywhere<F>
where
    M: ContactModel<2, 2> + ContactModel<2, 3> + ContactModel<3, 3> + ContactModel<3, 6> + 'static,
    F: Fn() -> M + Send + Sync,
{
    fn summary(&self) -> String {
        self.summary.clone()
    }

    fn points_in_plane(&self, _scenario: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 2>>, Inadmissible> {
        Ok(Box::new((self.make)()))
    }

    fn bodies_in_plane(&self, _scenario: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 3>>, Inadmissible> {
        Ok(Box::new((self.make)()))
    }

    fn points_in_space(&self, _scenario: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 3>>, Inadmissible> {
        Ok(Box::new((self.make)()))
    }

    fn bodies_in_space(&self, _scenario: &Scenario<3>) -> Result<Box<dyn ContactModel<3, 6>>, Inadmissible> {
        Ok(Box::new((self.make)()))
    }
}
