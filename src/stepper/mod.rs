//! Contact models: each one maps the state at `t_k` to the state at `t_{k+1}`.
//!
//! A [`Stepper`] moves every body of a scenario, a [`PointStepper`] a single point over the ground; it
//! enters through [`OnePoint`]. A contact model of one's own enters by the [`registry`].
//!
//! A stepper of the crate is a file, and a row of the table of steppers: a [`StepperDescriptor`] with its name, summary,
//! capabilities, the lists that it stands in and how it is made. Rows stand with their families, which `built_in` puts
//! in order; everything else asks the row ([`StepperName::descriptor`]).

mod adapter;
mod admission;
mod bodies;
mod build;
mod built_in;
mod cone;
pub mod convex;
pub mod derivative;
mod descriptor;
mod error;
pub mod exact;
mod hybrid;
mod ignored;
pub mod lcp;
mod moved;
mod name;
pub mod nlp;
mod point_friction;
pub mod registry;
mod smooth;
mod step;
mod used_settings;

pub use crate::contact::Relaxation;
pub use adapter::OnePoint;
pub(crate) use admission::{not_a_single_point, refuse_friction_of_slip};
pub use bodies::{Bodies, Embedding};
pub(crate) use bodies::{Choice, Choose, particles, planar_scene, spatial_scene};
use bodies::{ContactPoint, PointLaw, RigidLaw};
pub use build::BuildStepper;
pub(crate) use convex::Compliance;
pub use convex::ConvexBodies;
pub use descriptor::{
    Capabilities, ContactLaw, DifferentiatedGroups, KnownGroups, Roster, StepperDescriptor,
};
pub use error::{Refusal, StepError, StepFailure};
pub(crate) use exact::refuse_tables;
pub use exact::{Event, EventKind, Exact, ExactPoint, Forcing, PointMotion};
pub use hybrid::Hybrid;
pub use ignored::{FixedDirections, FlightVelocity, Honours, Ignored, Ignores};
pub(crate) use ignored::{IMPACTS, ignored};
pub use moved::{Contact, ContactMode, ForcesAlong, JointForces, Moved, StepInput};
pub use name::{StepperName, UnknownStepper};
pub(crate) use smooth::default_spring;
pub use smooth::{NormalForce, PenaltyBodies, PenaltyLaw};
pub use step::{PointInput, SolveReport, SolverInfo, Step, StepStatus};
pub use used_settings::UsedSettings;

/// One contact model applied to one scenario, of any number of bodies.
///
/// A stepper may keep memory between calls (a warm start, an open solver); it is asked for the
/// steps of one trajectory in order, and [`Stepper::reset`] forgets what came before. It may be
/// made on one thread and used on another.
pub trait Stepper<const D: usize>: Send {
    /// The name it is chosen by.
    fn name(&self) -> StepperName;

    /// The solver it runs and that solver's version; `None` for closed forms.
    fn solver(&self) -> Option<SolverInfo> {
        None
    }

    /// The figures behind the settings that a scenario may leave to it.
    fn settings(&self) -> UsedSettings {
        UsedSettings::default()
    }

    /// What of a scenario it honours and what it does not.
    fn honours(&self) -> Honours {
        Honours::default()
    }

    /// Takes one step: writes into `moved` where the bodies are at `t_{k+1}` and what their contacts did.
    ///
    /// # Errors
    /// [`StepFailure`] when no step can be vouched for. Where it carries the report of a candidate,
    /// `moved` holds that candidate, and a caller that was told to continue on failure may use it.
    fn step(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) -> Result<SolveReport, StepFailure>;

    /// Forgets every earlier step.
    fn reset(&mut self) {}

    /// What the stepper carries from step to step, as plain numbers: enough, with the step's
    /// input, to take the same step again. Empty where nothing is carried. A failed step leaves
    /// the memory as it was before the step.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over what [`Stepper::memory`] of an equal stepper gave out. Numbers that do not fit
    /// are ignored, as if there were no memory.
    fn restore(&mut self, _memory: &[f64]) {}

    /// Solver output of the coming steps: `true` lets the solver print its log to standard output.
    fn set_verbose(&mut self, _verbose: bool) {}
}

/// One contact model of a single point over the ground.
///
/// Its methods are those of [`Stepper`], for one body.
pub trait PointStepper<const D: usize>: Send {
    /// The name it is chosen by.
    fn name(&self) -> StepperName;

    /// See [`Stepper::solver`].
    fn solver(&self) -> Option<SolverInfo> {
        None
    }

    /// See [`Stepper::settings`].
    fn settings(&self) -> UsedSettings {
        UsedSettings::default()
    }

    /// See [`Stepper::honours`].
    fn honours(&self) -> Honours {
        Honours::default()
    }

    /// Takes one step.
    ///
    /// # Errors
    /// [`StepError`] when no step can be vouched for. Where a candidate exists all the same, the
    /// error carries it, and a caller that was told to continue on failure may use it.
    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>>;

    /// Whether its steps are divided at events, so that results change smoothly with the length of the
    /// step.
    fn divides_steps(&self) -> bool {
        false
    }

    /// The derivative of the `step` that it took from `input`.
    ///
    /// # Errors
    /// [`NoDerivative`](derivative::NoDerivative) where it has none, with the reason.
    fn step_derivative(
        &self,
        _input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<derivative::StepDerivative<D>, derivative::NoDerivative> {
        Err(derivative::NoDerivative {
            stepper: self.name(),
            reason: "its steps are not differentiated; use nlp, lcp, convex, hybrid, smooth or exact"
                .to_owned(),
        })
    }

    /// Comes back to the step that it took from `input`, whose derivative and margins are asked for again: nothing to do
    /// for one that tells them from the step alone.
    ///
    /// # Errors
    /// As [`PointStepper::step`].
    fn recall(&mut self, _input: &PointInput<D>) -> Result<(), StepError<D>> {
        Ok(())
    }

    /// How far the `step` that it took from `input` is from taking another branch.
    fn margins(&self, _input: &PointInput<D>, _step: &Step<D>) -> derivative::Margins<D> {
        derivative::Margins::default()
    }

    /// Forgets every earlier step.
    fn reset(&mut self) {}

    /// See [`Stepper::memory`].
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// See [`Stepper::restore`].
    fn restore(&mut self, _memory: &[f64]) {}

    /// See [`Stepper::set_verbose`].
    fn set_verbose(&mut self, _verbose: bool) {}
}
