//! Which contacts of a pair of bodies are the only way to be apart.
//!
//! Bodies are apart if any axis separates them; a contact is one of these axes, made a condition. Where another axis may
//! separate them at the end of the step as well, the condition forbids what is free: the space beyond a corner, or beside
//! a round side.

use nalgebra::SVector;

use super::solid::{Axis, Pair, Seen, Solid};

/// Rounding of a place, in units of its distance from the origin.
const OF_PLACE: f64 = 8.0 * f64::EPSILON;

/// What counts as no length, in units of the reach of the smaller body: the depth up to which an overlap is that of the
/// last step.
const OF_REACH: f64 = 1e-6;

/// What counts as no length in m, at least.
const LEAST: f64 = 1e-12;

/// Part of a normal across another one up to which they are one axis, however far bodies go.
const SAME_AXIS: f64 = 1e-6;

/// Part of the tolerance up to which what is round touches a corner or an edge. It touches those of a seam that it rolls over for as
/// long, with normals that lean; those that it leaves are found by its way.
const ROLLS_OVER: f64 = 1e-2;

/// How much deeper than the bodies are in each other another axis may be that separates them as well, in units of the
/// tolerance, and of the depths of both.
const DEEPER: [f64; 2] = [10.0, 2.0];

/// The gap in m that counts as none between bodies at these places, the smaller of which has this `reach` in m.
pub(super) fn tolerance<const D: usize>(reach: f64, places: [&SVector<f64, D>; 2]) -> f64 {
    let furthest = places[0].amax().max(places[1].amax());
    least_tolerance(reach).max(OF_PLACE * furthest)
}

/// What counts as no length in m wherever the bodies are: the least that [`tolerance`] may be.
pub(super) fn least_tolerance(reach: f64) -> f64 {
    (OF_REACH * reach).max(LEAST)
}

/// What of a pair at the start of a step decides whether its contacts are the only way to be apart; lengths in m.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closeness {
    /// The gap that counts as none.
    pub tolerance: f64,
    /// The overlaps of the two bodies with whatever they touch.
    pub deep: f64,
    /// The gap up to which their contacts were looked for.
    pub margin: f64,
    /// The least gap of their contacts.
    pub gap: f64,
    /// Whether any of them hits.
    pub hits: bool,
    /// How far they go in the step relative to each other, at the velocities of its start.
    pub way: f64,
}

impl<const D: usize> Pair<'_, D> {
    /// Whether no axis but the `outward` normal of their contact separates them within the step; it is given in the axes of
    /// the first and of the second, out of each.
    pub fn is_sure(&self, seen: &Seen<D>, outward: &[SVector<f64, D>; 2], near: &Closeness) -> bool {
        let touches = near.gap <= near.tolerance;
        let on_face = |axis: &Axis<D>| {
            let normal = &outward[axis.owner];
            axis.is_along(normal, SAME_AXIS) && axis.normal.dot(normal) > 0.0
        };
        let is_on_face = self.0.iter().any(Solid::is_curved) && self.faces().any(|axis| on_face(&axis));
        if self.are_curved() && !is_on_face {
            // How far the gap along the normal of the start may be from that at the end.
            let bends = |way: f64| way * way / (2.0 * self.curvatures());
            return touches
                || bends(near.margin) <= near.tolerance
                || !near.hits && near.gap <= near.tolerance + bends(near.way);
        }
        // Of what has no thickness only the side on which it was says whether it is in the other one or beyond it.
        if touches && self.0.iter().all(|solid| solid.width == 0.0) {
            return true;
        }
        if self.0.iter().any(Solid::is_curved) && !is_on_face {
            return near.gap <= ROLLS_OVER * near.tolerance;
        }
        let least =
            if touches { -(DEEPER[0] * near.tolerance + DEEPER[1] * near.deep) } else { -near.margin };
        // Two axes are one if within the step bodies that are apart by one of them are apart by the other.
        let across = SAME_AXIS.max(near.tolerance / near.margin);
        let separates = |axis: &Axis<D>| {
            self.separation(axis, seen) >= least && !axis.is_along(&outward[axis.owner], across)
        };
        if self.faces().chain(self.across_segment(seen)).any(|axis| separates(&axis)) {
            return false;
        }
        let mut is_sure = true;
        self.edges(seen, |axis, _| {
            is_sure = !separates(&axis);
            is_sure
        });
        is_sure
    }
}
