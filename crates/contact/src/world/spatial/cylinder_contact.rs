//! Contacts of a cylinder with what has no corners of its own: a ball, the segment of a capsule or an edge.
//!
//! The distance of a place from a cylinder has a closed form: from the side, from a cap, or from a rim. Along a segment it is
//! a convex function: least at an end, where the segment passes the side or a rim, or over a stretch that lies along the side
//! or over a cap, which ends where the segment leaves the space beside or over it.

use nalgebra::Vector3;

use super::{
    capsule_contact::PlacedCapsule,
    edge_contact::crossing_of,
    face_contact::Places,
    placed_cylinder::{Around, PlacedCylinder},
};
use crate::{model::Real, world::Point};

/// Slope of the distance along a segment below which the segment keeps its distance.
const LEVEL: f64 = 1e-9;

/// Half the length in the side of a cylinder, over its radius, up to which a segment grazes it.
const GRAZES: f64 = 1e-5;

/// Halvings after which the place of the least distance along a segment is found.
const HALVINGS: u32 = 60;

/// Steps of Newton's method to where a rim passes a line.
const NEWTON_STEPS: u32 = 8;

/// Sine of the angle between a rim and a line below which they have no common normal of their own.
const PARALLEL: f64 = 1e-6;

/// A cylinder and a ball; the normal is from the cylinder into the ball, the point that of the ball.
pub(super) fn cylinder_ball<S: Real>(
    cylinder: &PlacedCylinder<S>,
    (centre, radius): (&Vector3<S>, f64),
) -> Point<3, S> {
    let (distance, normal) = cylinder.distance(centre);
    let radius = S::constant(radius);
    Point { position: centre - normal * radius, normal, gap: distance - radius }
}

/// A cylinder and a capsule; the normal is from the cylinder into the capsule. `reach` is that of the smaller body.
pub(super) fn cylinder_capsule<S: Real>(
    cylinder: &PlacedCylinder<S>,
    capsule: &PlacedCapsule<S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let mut places = Places::new(reach);
    let segment = Segment { ends: capsule.ends, radius: capsule.radius };
    let mut keep = |point: Point<3, S>| {
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    segment.passing(cylinder).into_iter().for_each(&mut keep);
    segment.at_caps(cylinder).chain(segment.at_side(cylinder)).for_each(&mut keep);
    segment.at_ends(cylinder).into_iter().for_each(&mut keep);
}

/// All points within a radius of a line between two ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<S: Real> {
    pub ends: [Vector3<S>; 2],
    pub radius: f64,
}

/// A share of a segment that is on it.
fn is_within<S: Real>(share: &S) -> bool {
    share.value() > 0.0 && share.value() < 1.0
}

impl<S: Real> Segment<S> {
    fn along(&self) -> Vector3<S> {
        self.ends[1] - self.ends[0]
    }

    pub fn at(&self, share: S) -> Vector3<S> {
        self.ends[0] + self.along() * share
    }

    /// The contact of a place on it, which is this far from the cylinder along a normal.
    fn point(&self, place: &Vector3<S>, (distance, normal): (S, Vector3<S>)) -> Point<3, S> {
        let radius = S::constant(self.radius);
        Point { position: place - normal * radius, normal, gap: distance - radius }
    }

    /// Those of its ends.
    pub fn at_ends(&self, cylinder: &PlacedCylinder<S>) -> [Point<3, S>; 2] {
        self.ends.map(|end| self.point(&end, cylinder.distance(&end)))
    }

    /// Those of its ends that are inside, along the way to the rim that they are next to.
    pub fn ends_at_rim(&self, cylinder: &PlacedCylinder<S>) -> impl Iterator<Item = Point<3, S>> {
        let point = |place: &Vector3<S>| {
            let Around { end, over, beside, outward } = cylinder.around(place);
            let is_inside = over.value() < 0.0 && beside.value() < 0.0;
            let depth = over.hypot(beside);
            let normal = (cylinder.cap(end) * -over - outward * beside) / depth;
            is_inside.then(|| self.point(place, (-depth, normal)))
        };
        self.ends.iter().filter_map(point).collect::<Vec<_>>().into_iter()
    }

    /// The shares at which it passes the planes of the caps.
    fn through_caps(&self, cylinder: &PlacedCylinder<S>) -> impl Iterator<Item = S> + use<S> {
        let rise = cylinder.axis.dot(&self.along());
        let heights = cylinder.ends.map(|end| cylinder.axis.dot(&(end - self.ends[0])));
        let rises = rise.value() != 0.0;
        heights.into_iter().filter(move |_| rises).map(move |height| height / rise).filter(is_within)
    }

    /// The shares at which it passes the side, continued beyond the caps; one where it grazes the side, for two that rounding
    /// parts or takes away.
    pub fn through_side(&self, cylinder: &PlacedCylinder<S>) -> impl Iterator<Item = S> + use<S> {
        let from = cylinder.across(&(self.ends[0] - cylinder.ends[0]));
        let by = cylinder.across(&self.along());
        let (square, product) = (by.norm_squared(), from.dot(&by));
        let apart = from.norm_squared() - S::constant(cylinder.radius.powi(2));
        let root = product * product - square * apart;
        let grazes = square.value() * (GRAZES * cylinder.radius).powi(2);
        let passes = root.value() >= -grazes && square.value() > 0.0;
        let is_grazing = root.value() <= grazes;
        let root = if passes && !is_grazing { root.sqrt() } else { S::zero() };
        let shares = [-root, root].map(|root| (root - product) / square);
        let count = if is_grazing { 1 } else { 2 };
        shares.into_iter().take(count).filter(move |_| passes).filter(is_within)
    }

    /// Where it leaves the space over a cap: the points are as far as they are over it.
    pub fn at_caps(&self, cylinder: &PlacedCylinder<S>) -> impl Iterator<Item = Point<3, S>> {
        self.through_side(cylinder).map(|share| {
            let place = self.at(share);
            let Around { end, over, .. } = cylinder.around(&place);
            self.point(&place, (over, cylinder.cap(end)))
        })
    }

    /// Where it leaves the space beside the side: the points are as far as they are beside it.
    pub fn at_side(&self, cylinder: &PlacedCylinder<S>) -> impl Iterator<Item = Point<3, S>> {
        self.through_caps(cylinder).map(|share| {
            let place = self.at(share);
            let Around { beside, outward, .. } = cylinder.around(&place);
            self.point(&place, (beside, outward))
        })
    }

    fn values(&self) -> Segment<f64> {
        let ends = self.ends.map(|end| end.map(|part| part.value()));
        Segment { ends, radius: self.radius }
    }

    /// Where it is nearest between its ends, and comes from and goes further away.
    pub fn passing(&self, cylinder: &PlacedCylinder<S>) -> Option<Point<3, S>> {
        let (own, seen) = (self.values(), cylinder.values());
        let share = own.nearest_share(&seen)?;
        let Around { end, over, beside, .. } = seen.around(&own.at(share));
        // On a ridge inside, too, it leaves by a cap on one side and by the side on the other.
        let is_at_rim = over > 0.0 && beside > 0.0 || {
            let slopes = [-1.0, 1.0].map(|side| own.slope(&seen, share + side * 1e-6));
            over <= 0.0 && beside <= 0.0 && slopes[1] - slopes[0] > 1e-4
        };
        if is_at_rim && let Some(point) = self.passing_rim(cylinder, end, own.at(share)) {
            return Some(point);
        }
        let along = self.along();
        let place = if over > 0.0
            || cylinder.axis.cross(&along).norm().value() <= PARALLEL * along.norm().value()
        {
            self.at(S::constant(share))
        } else {
            let [(share, _), _] = crossing_of((&self.ends[0], &along), (&cylinder.ends[0], &cylinder.axis));
            self.at(share)
        };
        Some(self.point(&place, cylinder.distance(&place)))
    }

    /// Where it passes the rim at an end, near a place: along the normal of both.
    fn passing_rim(
        &self,
        cylinder: &PlacedCylinder<S>,
        end: usize,
        near: Vector3<f64>,
    ) -> Option<Point<3, S>> {
        let radius = S::constant(cylinder.radius);
        let direction = self.along().normalize();
        let mut way = cylinder.around(&near.map(S::constant)).outward;
        let foot = |place: &Vector3<S>| self.ends[0] + direction * direction.dot(&(place - self.ends[0]));
        for _ in 0..NEWTON_STEPS {
            // The distance of the rim from the line is least where the way from the line is across the rim.
            let (along_rim, place) = (cylinder.axis.cross(&way), cylinder.ends[end] + way * radius);
            let from_line = place - foot(&place);
            let bend = radius * (S::one() - along_rim.dot(&direction).powi(2)) - from_line.dot(&way);
            if bend.value() <= PARALLEL * cylinder.radius {
                return None;
            }
            way = (way - along_rim * (from_line.dot(&along_rim) / bend)).normalize();
        }
        let (along_rim, place) = (cylinder.axis.cross(&way), cylinder.ends[end] + way * radius);
        let across = along_rim.cross(&direction);
        let cap = cylinder.cap(end);
        if across.norm().value() <= PARALLEL {
            return None;
        }
        let normal = across.normalize() * S::constant(across.dot(&(way + cap)).value().signum());
        if normal.dot(&way).value() < 0.0 || normal.dot(&cap).value() < 0.0 {
            return None;
        }
        let foot = foot(&place);
        let share = (foot - self.ends[0]).dot(&direction) / self.along().norm();
        is_within(&share).then(|| self.point(&foot, (normal.dot(&(foot - place)), normal)))
    }
}

impl Segment<f64> {
    /// How fast it goes away from the cylinder at a share.
    fn slope(&self, cylinder: &PlacedCylinder<f64>, share: f64) -> f64 {
        let along = self.along();
        cylinder.distance(&self.at(share)).1.dot(&along) / along.norm()
    }

    /// The share at which it is nearest to the cylinder, if it is one between the ends.
    fn nearest_share(&self, cylinder: &PlacedCylinder<f64>) -> Option<f64> {
        let mut knots = vec![0.0, 1.0];
        knots.extend(self.through_caps(cylinder).chain(self.through_side(cylinder)));
        knots.sort_by(f64::total_cmp);
        let slopes: Vec<f64> = knots.iter().map(|share| self.slope(cylinder, *share)).collect();
        let place = (1..knots.len()).find(|&place| slopes[place - 1] < -LEVEL && slopes[place] > LEVEL)?;
        let (mut from, mut to) = (knots[place - 1], knots[place]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (from + to);
            if self.slope(cylinder, middle) < 0.0 { from = middle } else { to = middle }
        }
        Some(0.5 * (from + to))
    }
}
