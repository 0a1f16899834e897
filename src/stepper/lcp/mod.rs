//! Contact as a linear complementarity problem per step: the formulations of the LCP notes.
//!
//! All of them work in units of velocity: an impulse is divided by the mass, a force multiplied by
//! `dt/m`. Then every matrix holds only ones and the friction coefficient, whatever the mass and the
//! step. In these units `p` is the velocity that the step would reach without friction, `h` the
//! largest change of it that friction can make (`mu g dt` for a block on flat ground), and `c` the
//! gap of [`gap_velocity`](crate::model::gap_velocity).
//!
//! - A block that stays on the ground: [`FallingBlock`] (normal direction only), [`Forward`],
//!   [`Direct`], [`Direct2`], [`Traditional`], [`Mixed`] (friction only).
//! - A thrown point in a vertical plane: [`BelbutePeres`]; `lcp` and `lcp:anitescu` are models of bodies
//!   ([`StewartTrinkle`](crate::contact::StewartTrinkle), [`Anitescu`](crate::contact::Anitescu)).
//! - A point over a plane: [`Polyhedral`], [`FixedPoint`].

mod admission;
mod anitescu;
mod belbute_peres;
mod block;
mod contact_solver;
mod direct;
mod direct2;
mod falling_block;
mod fixed_point;
mod forward;
mod ignores;
mod impact;
mod mixed;
pub(super) mod notes;
mod polygon;
mod polyhedral;
mod pyramid;
mod rows;
mod traditional;

pub use belbute_peres::BelbutePeres;
pub use block::{BlockFormulation, BlockStepper};
pub use direct::{Direct, DirectFormulation};
pub use direct2::{Direct2, Direct2Formulation};
pub use falling_block::FallingBlock;
pub use fixed_point::{FixedPoint, FixedPointIteration, iterate};
pub use forward::{Forward, ForwardFormulation};
pub use mixed::{Mixed, MixedFormulation};
pub use polygon::Polygon;
pub use polyhedral::Polyhedral;
pub(super) use rows::ROWS;
pub use traditional::{Traditional, TraditionalFormulation};
