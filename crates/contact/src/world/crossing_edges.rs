//! Two edges that cross, and keep the bodies that they belong to apart while both turn.
//!
//! With unit directions `a`, `b` of the edges and `r` from a point of the first to one of the second,
//!
//! ```text
//! m = a x b,   h = m.r,   sep = h / |m|,   |h''| <= w^2 |r| + 2 w |r'| + |r''|
//! ```
//!
//! where `w` is the sum of how far both turn. An axis fixed to one of the bodies is not enough: the other one's edge turns
//! away from it at once, by its length.

use nalgebra::SVector;

use super::{
    solid::{Axis, Pair, Seen, cross},
    spatial::Edge,
    sweep::Bending,
};

/// An edge of each body, whose common normal separates them.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrossingEdges {
    edges: [Edge; 2],
    /// 1 or -1: which way `m` points out of the first body.
    sign: f64,
    /// The points of both edges between which `r` is, in units of their lengths from their starts.
    shares: [f64; 2],
}

/// The edges where they are seen from the first body.
struct Crossing<const D: usize> {
    /// Unit directions.
    directions: [SVector<f64, D>; 2],
    /// From the point of the first to that of the second in m.
    between: SVector<f64, D>,
}

impl CrossingEdges {
    /// Those of an axis that [`Pair::edges`] found where the bodies are seen like that.
    pub fn new<const D: usize>(
        pair: &Pair<'_, D>,
        [first, second]: [&Edge; 2],
        axis: &Axis<D>,
        at: &Seen<D>,
    ) -> Self {
        let mut own = Self { edges: [*first, *second], sign: 1.0, shares: [0.0; 2] };
        let Crossing { directions: [a, b], between } = own.crossing(pair, at);
        own.sign = cross(&a, &b).dot(&axis.normal).signum();
        // The nearest points of the two lines.
        let (along, across) = (a.dot(&b), 1.0 - a.dot(&b).powi(2));
        if across > 0.0 {
            let lengths = [pair.0[0].along(first).norm(), pair.0[1].along(second).norm()];
            let of_first = (a.dot(&between) - along * b.dot(&between)) / across;
            let of_second = (along * a.dot(&between) - b.dot(&between)) / across;
            own.shares = [(of_first / lengths[0]).clamp(0.0, 1.0), (of_second / lengths[1]).clamp(0.0, 1.0)];
        }
        own
    }

    /// The points of both edges between which `r` is, each in the axes of its body.
    fn points<const D: usize>(&self, pair: &Pair<'_, D>) -> [SVector<f64, D>; 2] {
        std::array::from_fn(|body| {
            let (solid, edge) = (&pair.0[body], &self.edges[body]);
            solid.corners[edge.ends[0]] + solid.along(edge) * self.shares[body]
        })
    }

    fn crossing<const D: usize>(&self, pair: &Pair<'_, D>, at: &Seen<D>) -> Crossing<D> {
        let [first, second] = self.points(pair);
        let directions = [
            pair.0[0].along(&self.edges[0]).normalize(),
            (at[0].turn * pair.0[1].along(&self.edges[1])).normalize(),
        ];
        Crossing { directions, between: at[0].position + at[0].turn * second - first }
    }

    /// Whether they keep the bodies, smaller by `slop` in m, apart over a part of their way, of this `length` as a share of
    /// the way, that is seen at its start, middle and end.
    pub fn divide<const D: usize>(
        &self,
        pair: &Pair<'_, D>,
        [start, middle, end]: [&Seen<D>; 3],
        length: f64,
        bending: &Bending,
        slop: f64,
    ) -> bool {
        let turn = bending.turns[0] + bending.turns[1];
        // They support both bodies all the way if no face next to them turns past them.
        let Crossing { directions: [a, b], .. } = self.crossing(pair, middle);
        let faces_of_first = self.edges[0].faces.map(|face| pair.0[0].faces[face].normal.dot(&b));
        let faces_of_second =
            self.edges[1].faces.map(|face| -(middle[0].turn * pair.0[1].faces[face].normal).dot(&a));
        let supports =
            |[one, other]: [f64; 2]| one * other < 0.0 && one.abs().min(other.abs()) > 0.5 * turn * length;
        if !supports(faces_of_first) || !supports(faces_of_second) {
            return false;
        }
        let sine = cross(&a, &b).norm();
        let [least_sine, most_sine] = [sine - 0.5 * turn * length, (sine + 0.5 * turn * length).min(1.0)];
        if least_sine <= 0.0 {
            return false;
        }
        let [first, second] = self.points(pair);
        let (mut lowest, mut apart) = (f64::INFINITY, 0.0_f64);
        for at in [start, end] {
            let Crossing { directions: [a, b], between } = self.crossing(pair, at);
            lowest = lowest.min(self.sign * cross(&a, &b).dot(&between));
            apart = apart.max(between.norm());
        }
        let arms = [first.norm(), second.norm()];
        let moved = bending.of_centres + bending.turns[0] * arms[0] + bending.turns[1] * arms[1];
        let bent = bending.turns[0].powi(2) * arms[0] + bending.turns[1].powi(2) * arms[1];
        let bends = turn * turn * (apart + moved * length) + 2.0 * turn * moved + bent;
        let needed = pair.radii() - slop;
        let least = needed * if needed > 0.0 { most_sine } else { least_sine };
        lowest - bends * length * length / 8.0 >= least
    }
}
