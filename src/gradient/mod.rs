//! Derivatives of a whole run with respect to the numbers of its scenario.
//!
//! [`tangents`] carries a derivative per input forward through the steps, [`adjoint`] that of one
//! result backward; both use the derivative that each stepper hands out for its own step
//! ([`PointStepper::step_derivative`](crate::stepper::PointStepper::step_derivative)) and one chain
//! rule. [`ExactGradient`] differentiates the exact motion, event times included: the truth.
//!
//! The derivative of a time-stepping formula is not always the derivative of the motion that it
//! approximates, however small the step. [`Corrected`] repairs that for the gap-level steppers:
//!
//! - Where a landing point sticks or a slide turns around, the derivative of one run depends on where
//!   between two samples the event falls: `dvx+/dvx` is 0 or 1 where the truth is in between.
//! - Where a point rebounds, the stepper's map jumps by O(dt) each time the impact moves to the next
//!   sample, and its derivative in between misses that slope altogether.

mod adjoint;
mod averaged;
mod bodies;
mod branches;
mod corrected;
mod deviation;
mod error;
mod evidence;
mod exact;
mod flow;
mod grid;
mod input;
mod kinks;
mod landscape;
mod lifted;
mod locate;
mod method;
mod models;
mod nearest;
mod output;
mod point_study;
mod quality;
mod sampled;
mod stop;
mod study;
mod table;
mod tangent;
mod variation;
mod window;

pub use adjoint::{Adjoint, adjoint};
pub use bodies::{BodyEnd, BodyGradients, BodyOptions, BodyRun, BodyTangents, DerivativeRule};
pub use branches::Branches;
pub use corrected::Corrected;
pub use deviation::{Reference, deviations};
pub use error::GradientError;
pub use exact::{ExactGradient, LeftSide};
pub use grid::{Grid, GridStep};
pub use input::{BodyQuantity, BodyTable, Input, InputError};
pub use kinks::{Kink, KinkKind, OneSided};
pub use landscape::{Landscape, LandscapeCurve, landscape_figure, landscapes};
pub use lifted::Lifted;
pub use method::Method;
pub use models::DifferentiableModels;
pub use nearest::Nearest;
pub use output::{Output, UnknownOutput, default_steppers, output_names};
pub use quality::{BIAS_LIMIT, Quality, SHARING_LIMIT, exploding_above};
pub use sampled::{Sampled, sampled};
pub use study::{GradientRequest, GradientRow, GradientStudy, LeftOut, WithoutExact};
pub use table::{bias_curve, gradient_summary, write_gradients, write_kinks};
pub use tangent::{GradientOptions, StopTime, Tangents, tangents};
pub use variation::Variation;
