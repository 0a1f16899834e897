use nalgebra::Vector3;

use crate::{model::Real, world::joint::separation};

/// Part of a unit vector across the axis below which a direction has none.
const ALONG_AXIS: f64 = 1e-9;

/// Sine of the angle between a direction and the axis below which a cap nearly faces it.
const NEARLY_FACING: f64 = 0.5;

/// Part of the radius by which a place may be beyond a cap, or the side, without being so.
const ROUNDING: f64 = 1e-12;

/// A cylinder in the axes of the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedCylinder<S: Real> {
    /// The centres of its caps.
    pub ends: [Vector3<S>; 2],
    /// The unit vector from the first to the second.
    pub axis: Vector3<S>,
    /// A unit vector across the axis that is fixed to it.
    pub across: Vector3<S>,
    pub radius: f64,
}

/// Where a place is, seen from a cylinder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<S: Real> {
    /// The end whose cap it is further out of.
    pub end: usize,
    /// How far it is over that cap in m, negative between both.
    pub over: S,
    /// How far it is out of the side in m, negative within.
    pub beside: S,
    /// The unit vector from the axis to it.
    pub outward: Vector3<S>,
}

impl<S: Real> PlacedCylinder<S> {
    /// The same without derivatives.
    pub fn values(&self) -> PlacedCylinder<f64> {
        let value = |vector: &Vector3<S>| vector.map(|part| part.value());
        PlacedCylinder {
            ends: self.ends.map(|end| value(&end)),
            axis: value(&self.axis),
            across: value(&self.across),
            radius: self.radius,
        }
    }

    /// The outward normal of the cap at an end.
    pub fn cap(&self, end: usize) -> Vector3<S> {
        if end == 0 { -self.axis } else { self.axis }
    }

    /// The part of a vector across the axis.
    pub fn across(&self, vector: &Vector3<S>) -> Vector3<S> {
        vector - self.axis * self.axis.dot(vector)
    }

    /// Where a place is.
    pub fn around(&self, place: &Vector3<S>) -> Around<S> {
        let [below, above] = [0, 1].map(|end| self.cap(end).dot(&(place - self.ends[end])));
        let (end, over) = if above.value() >= below.value() { (1, above) } else { (0, below) };
        let arm = self.across(&(place - self.ends[0]));
        let distance = arm.norm();
        let outward = if distance.value() > 0.0 { arm / distance } else { self.across };
        Around { end, over, beside: distance - S::constant(self.radius), outward }
    }

    /// How far a place is out of the surface in m, negative inside, and the outward unit normal where the surface is nearest.
    pub fn distance(&self, place: &Vector3<S>) -> (S, Vector3<S>) {
        let Around { end, over, beside, outward } = self.around(place);
        let least = ROUNDING * self.radius;
        if over.value() > least && beside.value() > least {
            return separation(place, &(self.ends[end] + outward * S::constant(self.radius)));
        }
        if over.value() >= beside.value() { (over, self.cap(end)) } else { (beside, outward) }
    }

    /// How far it reaches along a unit direction.
    pub fn reach_along(&self, direction: &Vector3<S>) -> S {
        let [first, second] = self.ends.map(|end| direction.dot(&end));
        let across = self.across(direction).norm();
        let across = if across.value() > 0.0 { across } else { S::zero() };
        first.max(second) + across * S::constant(self.radius)
    }

    /// The way from the axis to the points that are furthest along a unit direction, and whether a cap nearly faces it: along
    /// the axis all of a rim is, and the way is one that is fixed to the cylinder.
    pub fn furthest_way(&self, direction: &Vector3<S>) -> (Vector3<S>, bool) {
        let across = self.across(direction);
        let sine = across.norm();
        let way = if sine.value() > ALONG_AXIS { across / sine } else { self.across };
        (way, sine.value() < NEARLY_FACING)
    }

    /// The end that is further along a direction.
    pub fn end_along(&self, direction: &Vector3<S>) -> usize {
        usize::from(self.axis.dot(direction).value() >= 0.0)
    }

    /// Points that bear on a plane in this direction: of each rim the one that is furthest along it, and where a cap nearly
    /// faces it, three more of that rim at right angles to it.
    pub fn bearing_points(&self, direction: &Vector3<S>) -> impl Iterator<Item = Vector3<S>> + use<S> {
        let (way, is_facing) = self.furthest_way(direction);
        let (ends, radius) = (self.ends, S::constant(self.radius));
        let furthest = ends.map(|end| end + way * radius);
        let (end, beside) = (ends[self.end_along(direction)], self.axis.cross(&way));
        let others = [beside, -beside, -way].map(|way| end + way * radius);
        furthest.into_iter().chain(others.into_iter().filter(move |_| is_facing))
    }
}
