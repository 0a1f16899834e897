//! Contact as a nonlinear program per step: friction by a smooth square root, complementarity
//! relaxed by the slacks `s1` and `s2`.
//!
//! Two formulations: [`relaxed`], well posed and the default, solved by IPOPT or by the
//! crate's own interior-point method, each the rescue of the other; and [`seed`], the program of the
//! blog post as published, solved by IPOPT and kept for comparison.

mod ipopt;
pub mod relaxed;
#[cfg(test)]
mod says;
pub mod seed;

use num_dual::DualNum;

/// `ssqrt(y) = sqrt(y + epsilon^2) - epsilon`, the smooth square root of the blog post (eq. 6).
pub fn smooth_sqrt<N: DualNum<Primitive = f64>>(y: N, epsilon: f64) -> N {
    (y + epsilon * epsilon).sqrt() - epsilon
}
