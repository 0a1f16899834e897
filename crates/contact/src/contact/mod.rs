//! The contact problem of one step, and everything that solves it.
//!
//! A [`ContactProblem`] knows velocities, masses and Jacobian rows of contacts, but neither shapes
//! nor files; a [`ContactModel`] turns it into impulses and velocities. [`DenseProblem`] is the
//! same by its Delassus operator, for problems that come without bodies. How well a candidate
//! fulfils Coulomb's law is measured in one place for all models: [`Yardstick`], [`Residuals`].
//!
//! Rows are ordered normal first, then the tangents: two rows in the plane, three in space.

mod accelerated_gradient;
mod acceleration;
mod active_bounds;
mod alternating_directions;
mod analytic_centre;
mod answer;
mod any_problem;
mod associated;
mod branches;
mod dense;
pub mod detector;
mod exact_cone;
mod failure;
mod friction;
pub mod friction_cone;
mod gauss_seidel;
pub mod groups;
mod islands;
pub mod linear_law;
mod method;
mod model;
mod partition;
mod piece;
mod polyhedral;
mod problem;
mod problem_text;
#[cfg(feature = "ipopt")]
mod relaxed;
mod residual;
mod scaled;
pub mod single;
mod solution;
pub mod structured;
mod tableau;
mod vouched;

pub use active_bounds::{has_bounded_links, solve_with_bounds};
pub use alternating_directions::{AlternatingDirections, AlternatingDirectionsSettings};
pub use answer::{Answer, AnswerStatus};
pub use any_problem::{AnyDenseProblem, AnyDenseProblemError};
pub use associated::Associated;
pub use branches::Held;
pub use dense::{DenseProblem, DenseProblemError, Doubt};
pub use exact_cone::ExactCone;
pub use failure::FailureKind;
pub use friction::{Friction, FrictionPass, Hold, STRIBECK_EXPONENT};
pub use gauss_seidel::{GaussSeidel, GaussSeidelSettings};
pub use groups::{Across, FrictionGroups, GroupMargin, GroupedLaw, RollingProblem};
pub use islands::Islands;
pub use linear_law::{Branch, Corner, LinearLaw, LinkLaw, slight_velocity};
pub use method::{Method, UnknownMethod};
pub use model::{ContactModel, DenseSolver, Posing, TOLERANCE, refuse_groups, solve_grouped};
pub(crate) use partition::Partition;
pub(crate) use piece::Piece;
pub use polyhedral::{Anitescu, FrictionPolygon, StewartTrinkle, StewartTrinkleSettings};
pub use problem::{Contact, ContactProblem, Link, ProblemError};
pub use problem_text::{MatrixStorage, ProblemFormat, ProblemTextError, TextFault, UnknownFormat};
#[cfg(feature = "ipopt")]
pub use relaxed::{Relaxed, RelaxedSettings};
pub use residual::{Residuals, Yardstick};
pub use single::SingleContact;
pub use solution::{
    APPROXIMATE, Accuracy, DenseSolution, LawSolved, Relaxation, Report, Solution, SolveFailure,
};
pub use structured::{Structured, StructuredSettings};
pub use vouched::Vouched;
