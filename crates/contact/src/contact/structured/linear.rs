use nalgebra::{SMatrix, SVector};

use super::link_barrier::LinkProducts;
use crate::contact::scaled::Operator;

/// The linear system of a Newton step: `dr = e - D du`, `du = W dr`, with `D` block diagonal.
pub(in crate::contact) trait LinearSystem<const D: usize> {
    /// The map from impulses to velocities.
    type Operator: Operator<D>;

    /// `W`, scaled.
    fn operator(&self) -> &Self::Operator;

    /// The same, to work with.
    fn operator_mut(&mut self) -> &mut Self::Operator;

    /// Factors the system for these blocks; `false` where it is singular or not finite.
    fn factor(&mut self, blocks: &[SMatrix<f64, D, D>], delta: f64) -> bool;

    /// Solves with the last factors.
    fn solve(
        &mut self,
        blocks: &[SMatrix<f64, D, D>],
        e: &[SVector<f64, D>],
        dr: &mut [SVector<f64, D>],
        du: &mut [SVector<f64, D>],
    );

    /// Whether the determinant of what was factored last is negative.
    fn is_reversed(&self) -> bool;

    /// Has the links follow a path from the middle of their bounds, with this `product` of slacks and multipliers.
    fn centre_links(&mut self, _product: f64) {}

    /// Has the links follow a path from near where they are.
    fn enter_links(&mut self, _least: f64) {}

    /// Has the links go the way of Newton's method on the natural map, or along the path again.
    fn leave_path_of_links(&mut self, _leave: bool) {}

    /// At which product of slacks and multipliers of links the next solutions aim.
    fn aim_links(&mut self, _tau: f64) {}

    /// The products of links at `alpha` times the last solution.
    fn link_products(&self, _alpha: f64) -> LinkProducts {
        LinkProducts::NONE
    }

    /// The part of the last solution up to which all links stay within their bounds.
    fn longest_link_step(&self) -> f64 {
        f64::INFINITY
    }

    /// Moves the impulses of the links by `alpha` times their part of the last solution.
    fn advance_links(&mut self, _alpha: f64) {}

    /// The impulses of the links.
    fn link_impulses(&self) -> &[f64] {
        &[]
    }

    /// Sets the impulses of the links; an empty slice sets them to zero.
    fn set_link_impulses(&mut self, _impulses: &[f64]) {}

    /// Scales impulses of the problem as it was given into `r`; those of the links follow from them.
    fn load(&mut self, impulses: &[SVector<f64, D>], r: &mut Vec<SVector<f64, D>>);
}
