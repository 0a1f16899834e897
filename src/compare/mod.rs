//! Several contact models on one scenario, side by side, measured against the exact motion.
//!
//! [`Comparison::run`] simulates with all of them in parallel; each gets a [`Merit`] and a
//! [`paragraph`] that says in words what its artefacts are on this scenario; formulations that are
//! [`Alike`] are told together. [`partings`] finds for every pair where two models part.
//! A motion that was recorded, by another engine or a camera, may stand beside them ([`read_recorded`]).
//! The programs of `nlp` are solved by both of their solvers, and a [`CrossCheck`] says how far these agree.
//! [`ConvergenceStudy::run`] repeats a scenario at several steps and fits the orders of convergence.
//! [`match_compliant`] chooses the compliant models' settings so that they stand for the same ground
//! as the rigid ones. [`report`] writes all of it as one web page.

mod alike;
mod compliance;
mod conduct;
mod consensus;
mod convergence;
mod cross_check;
mod distance;
mod gradients;
mod matching;
mod merit;
mod merit_rows;
mod paragraph;
mod parting;
pub(crate) mod quantity;
mod recorded;
mod report;
mod restitution;
mod run;
mod summary;
mod table;

pub use crate::metrics::BodyMode;
pub use alike::Alike;
pub use conduct::{Conduct, Creep, Hop, OpenForce};
pub use consensus::{Deviation, LargestAngle};
pub use convergence::{
    ConvergenceStudy, DEFAULT_STEPS, ErrorAt, ModelError, NoError, Reference, StepOutcome, StepperConvergence,
};
pub use cross_check::{CrossCheck, SolverRun};
pub use matching::{Choice, Matched, match_compliant};
pub use merit::Merit;
pub use paragraph::paragraph;
pub use parting::{Parting, PartingStep, default_tolerance, partings};
pub use recorded::read_recorded;
pub use report::report;
pub use restitution::{MeasuredImpact, measured_impact};
pub use run::{Comparison, Entry, Truth, admitted, default_families, default_steppers, is_cross_checked};
pub use summary::{comparison_summary, convergence_summary};
pub use table::{write_convergence, write_events, write_metrics, write_partings};
