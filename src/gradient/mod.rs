//! Derivatives of a whole run with respect to the numbers of its scenario.
//!
//! [`tangents`] carries a derivative per input forward through the steps, [`adjoint`] that of one
//! result backward, for a point and for bodies alike; both chain the derivatives of the single steps. That of a step of
//! a point is what its stepper hands out
//! ([`PointStepper::step_derivative`](crate::stepper::PointStepper::step_derivative)), that of bodies follows from the
//! contact problem and the law of its contacts. [`ExactGradient`] differentiates the exact motion, event times included:
//! the truth. A [`GradientStudy`] puts them beside each other and says what each is worth.
//!
//! The derivative of a time-stepping formula is not always the derivative of the motion that it
//! approximates, however small the step. The [corrected](DerivativeRule::Corrected) one repairs that for the gap-level
//! steppers:
//!
//! - Where a landing point sticks or a slide turns around, the derivative of one run depends on where
//!   between two samples the event falls: `dvx+/dvx` is 0 or 1 where the truth is in between.
//! - Where a point rebounds, the stepper's map jumps by O(dt) each time the impact moves to the next
//!   sample, and its derivative in between misses that slope altogether.

mod averaged;
mod bodies;
mod branches;
mod deviation;
mod differences;
mod error;
mod evidence;
mod exact;
mod figures;
mod grid;
mod input;
mod joint_quantity;
mod kinks;
mod landscape;
mod lifted;
mod locate;
mod method;
mod models;
mod nearest;
mod output;
mod point;
mod quality;
mod rigid;
mod run;
mod study;
mod subject;
mod table;
mod truth;
mod variation;
mod window;

pub use bodies::exact_end;
pub use branches::Branches;
pub use deviation::{Reference, deviations};
pub use error::GradientError;
pub use exact::{ExactGradient, LeftSide, StopTime};
pub use figures::{GradientRow, GradientStudy, LeftOut, WithoutExact};
pub use grid::{Grid, GridStep};
pub use input::{BodyQuantity, BodyTable, FrictionQuantity, Input, InputError};
pub use joint_quantity::JointQuantity;
pub use kinks::{Kink, KinkKind, OneSided};
pub use landscape::{Landscape, LandscapeCurve, landscapes};
pub use lifted::Lifted;
pub use method::Method;
pub use models::DifferentiableModels;
pub use nearest::Nearest;
pub use output::{UnknownOutput, default_steppers, output_names};
pub use point::{PointModel, Sampled, sampled};
pub use quality::{BIAS_LIMIT, Quality, SHARING_LIMIT, exploding_above};
pub use run::{
    Adjoint, DerivativeRule, DifferentiableRun, GradientOptions, RunEnd, Steps, Tangents, adjoint, tangents,
};
pub use study::GradientRequest;
pub(crate) use subject::Subject;
pub use table::{bias_curve, gradient_summary, write_gradients, write_kinks};
pub use variation::Variation;
pub use window::MovedEdge;
