//! Contact as a nonlinear program per step: friction by a smooth square root, complementarity
//! relaxed by the slacks `s1` and `s2`.
//!
//! Two formulations: [`relaxed`], well posed and the default, solved by IPOPT or by the
//! crate's own interior-point method, each the rescue of the other; and [`seed`], the program of the
//! blog post as published, solved by IPOPT and kept for comparison.

mod ipopt;
pub mod relaxed;
mod rows;
pub mod seed;

pub(super) use rows::ROWS;

pub use crate::contact::single::smooth_sqrt;
