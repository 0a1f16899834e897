//! Contacts of two cylinders: cap on cap or on a side, side by side, sides that cross, and rims.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use super::{
    cylinder_contact::Segment, edge_contact::crossing_of, face_contact::Places,
    placed_cylinder::PlacedCylinder,
};
use crate::{model::Real, world::Point};

/// How much further than along the best cap the nearest points must be apart, in units of the reach of the smaller body, to
/// be no cap's.
const TIE: f64 = 1e-7;

/// Sine of the angle between two axes below which the sides lie along each other.
const PARALLEL: f64 = 1e-6;

/// Sine of the angle between two axes below which more than one place may bear where the sides cross.
const NEARLY_PARALLEL: f64 = 0.1;

/// Places around a rim at which its distance is looked at first.
const PLACES: u32 = 24;

/// Steps of Newton's method to where two rims pass each other.
const NEWTON_STEPS: u32 = 10;

/// Halvings after which the nearest place of a rim is found.
const HALVINGS: u32 = 50;

/// Change of an angle in rad over which slopes are compared.
const SLIGHT: f64 = 1e-6;

/// Two cylinders; the normal is from the second into the first. `reach` is that of the smaller body.
pub(super) fn cylinder_cylinder<S: Real>(
    first: &PlacedCylinder<S>,
    second: &PlacedCylinder<S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let tie = TIE * reach;
    let both = [first, second];
    let caps = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(owner, end)| {
        let (own, other) = (both[owner], both[1 - owner]);
        let cap = own.cap(end);
        let separation = -other.reach_along(&-cap).value() - cap.dot(&own.ends[end]).value();
        (owner, end, separation)
    });
    let Some((owner, end, by_cap)) = caps.into_iter().max_by(|a, b| a.2.total_cmp(&b.2)) else { return };
    if by_cap > margin {
        return;
    }
    let mut places = Places::new(reach);
    let mut keep = |point: Point<3, S>| {
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    let across = across(first, second, tie);
    let least = across.iter().filter(|(_, supports)| *supports).map(|(point, _)| point.gap.value());
    let mut least = least.fold(f64::NEG_INFINITY, f64::max);
    if least == f64::NEG_INFINITY {
        // None of these says how deep both are in each other; what is the least deep is the nearest to it.
        let of_any = across.iter().map(|(point, _)| point.gap.value()).fold(f64::NEG_INFINITY, f64::max);
        if of_any < 0.0 && by_cap < of_any - tie {
            let any = across.into_iter().filter(|(point, _)| point.gap.value() >= of_any - tie);
            any.for_each(|(point, _)| keep(point));
            return;
        }
        least = by_cap;
    }
    if by_cap < least - tie {
        let sine = first.axis.cross(&second.axis).norm().value();
        let told = |(point, supports): &(Point<3, S>, bool)| {
            point.gap.value() >= least - tie && (*supports || sine < NEARLY_PARALLEL)
        };
        across.into_iter().filter(told).for_each(|(point, _)| keep(point));
        return;
    }
    for point in on_cap(both[owner], end, both[1 - owner]) {
        keep(if owner == 0 { point.turned() } else { point });
    }
}

/// What of another cylinder bears on a cap; the normal is that of the cap.
fn on_cap<S: Real>(own: &PlacedCylinder<S>, end: usize, other: &PlacedCylinder<S>) -> Vec<Point<3, S>> {
    let (centre, cap) = (own.ends[end], own.cap(end));
    let is_over = |cylinder: &PlacedCylinder<S>, place: &Vector3<S>| {
        cylinder.across(&(place - cylinder.ends[0])).norm().value() <= cylinder.radius
    };
    let point = |position: Vector3<S>| Point { position, normal: cap, gap: cap.dot(&(position - centre)) };
    let down = -cap;
    let (way, is_facing) = other.furthest_way(&down);
    let (own_radius, radius) = (S::constant(own.radius), S::constant(other.radius));
    if !is_facing {
        let line = Segment { ends: other.ends.map(|end| end + way * radius), radius: 0.0 };
        let inside = line.through_side(own).map(|share| line.at(share));
        let ends = line.ends.into_iter().filter(|place| is_over(own, place));
        return ends.chain(inside).map(point).collect();
    }
    let mut points: Vec<_> =
        other.bearing_points(&down).filter(|place| is_over(own, place)).map(point).collect();
    let other_end = other.end_along(&down);
    let (other_centre, other_cap) = (other.ends[other_end], other.cap(other_end));
    points.extend(own.bearing_points(&cap).filter(|place| is_over(other, place)).map(|position| {
        let gap = other_cap.dot(&(other_centre - position)) / other_cap.dot(&cap);
        Point { position, normal: cap, gap }
    }));
    // Where the rims pass each other, as circles in the plane of the cap.
    let between = own.across(&(other_centre - centre));
    let squared = between.norm_squared();
    let along = (squared + own_radius * own_radius - radius * radius) / (S::constant(2.0) * squared);
    let aside = own_radius * own_radius - along * along * squared;
    if squared.value() > 0.0 && aside.value() > 0.0 {
        let sideways = cap.cross(&between).normalize() * aside.sqrt();
        for aside in [sideways, -sideways] {
            let way = other.across(&(between * along + aside - between));
            points.push(point(other_centre + way.normalize() * radius));
        }
    }
    points
}

/// Where sides and rims are nearest, and whether both cylinders are apart by the normal there.
fn across<S: Real>(
    first: &PlacedCylinder<S>,
    second: &PlacedCylinder<S>,
    tie: f64,
) -> Vec<(Point<3, S>, bool)> {
    let mut points = Vec::new();
    let axis = |cylinder: &PlacedCylinder<S>| Segment { ends: cylinder.ends, radius: 0.0 };
    let across = first.axis.cross(&second.axis);
    if across.norm().value() > PARALLEL {
        let [along, other] = [first, second].map(|cylinder| cylinder.ends[1] - cylinder.ends[0]);
        let [(share, own), (other_share, foot)] =
            crossing_of((&first.ends[0], &along), (&second.ends[0], &other));
        let is_between = |share: &S| (0.0..=1.0).contains(&share.value());
        if is_between(&share) && is_between(&other_share) {
            let between = own - foot;
            let normal = across.normalize() * S::constant(between.dot(&across).value().signum());
            let gap = normal.dot(&between) - S::constant(first.radius + second.radius);
            let half = S::constant(0.5) * gap;
            points.push((
                Point { position: foot + normal * (S::constant(second.radius) + half), normal, gap },
                true,
            ));
        }
    } else {
        // Over the stretch that both share, which ends where either of them does.
        let shared = |own: &PlacedCylinder<S>, other: &PlacedCylinder<S>| {
            let line = axis(own);
            let ends = own.ends.into_iter().filter(|end| other.around(end).over.value() <= 0.0);
            ends.chain(line.at_side(other).map(|point| point.position)).collect::<Vec<_>>()
        };
        for place in shared(first, second) {
            let seen = second.around(&place);
            let (normal, gap) = (seen.outward, seen.beside - S::constant(first.radius));
            let position = place - normal * (S::constant(first.radius) + S::constant(0.5) * gap);
            points.push((Point { position, normal, gap }, true));
        }
    }
    for (own, other, is_first) in [(first, second, true), (second, first, false)] {
        for end in [0, 1] {
            let place = nearest_of_rim(own, end, other);
            let (gap, normal) = other.distance(&place);
            let lowest = -own.reach_along(&-normal) - normal.dot(&place);
            let point = Point { position: place, normal, gap };
            points.push((if is_first { point } else { point.turned() }, lowest.value() >= -tie));
            if let Some(point) = rims_crossing((own, end), other, &place) {
                points.push((if is_first { point } else { point.turned() }, true));
            }
        }
    }
    points
}

/// The place of a rim that is nearest to another cylinder.
fn nearest_of_rim<S: Real>(own: &PlacedCylinder<S>, end: usize, other: &PlacedCylinder<S>) -> Vector3<S> {
    let (seen, around) = (own.values(), other.values());
    let at = |angle: f64| Rim::of(&seen, end).at(angle);
    let distance = |place: &u32| around.distance(&at(f64::from(*place) * TAU / f64::from(PLACES)).0).0;
    let places = 0..PLACES;
    let nearest = places.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let slope = |angle: f64| {
        let (place, along) = at(angle);
        around.distance(&place).1.dot(&along)
    };
    let [mut from, mut to] = [-1.0, 1.0].map(|side| (f64::from(nearest) + side) * TAU / f64::from(PLACES));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if slope(middle) < 0.0 { from = middle } else { to = middle }
    }
    let angle = 0.5 * (from + to);
    let rim = Rim::of(own, end);
    if S::SETTLING == 0 {
        return rim.at(S::constant(angle)).0;
    }
    // The derivative of the angle, from that of the slope there.
    let bend = (slope(angle + SLIGHT) - slope(angle - SLIGHT)) / (2.0 * SLIGHT);
    let (place, along) = rim.at(S::constant(angle));
    let of_slope = other.distance(&place).1.dot(&along);
    let of_slope = of_slope - S::constant(of_slope.value());
    if bend <= 0.0 { place } else { rim.at(S::constant(angle) - of_slope / S::constant(bend)).0 }
}

/// Where a rim passes one of another cylinder, near a place of the first: along the normal of both, which both are apart or
/// deep in each other by. The normal is out of the other one.
fn rims_crossing<S: Real>(
    (own, end): (&PlacedCylinder<S>, usize),
    other: &PlacedCylinder<S>,
    near: &Vector3<S>,
) -> Option<Point<3, S>> {
    let there = other.around(near);
    let mut ways = [own.around(near).outward, there.outward];
    let cylinders = [own, other];
    let ends = [end, there.end];
    let radii = cylinders.map(|cylinder| S::constant(cylinder.radius));
    let along = |ways: &[Vector3<S>; 2]| [0, 1].map(|k| cylinders[k].axis.cross(&ways[k]));
    let places = |ways: &[Vector3<S>; 2]| [0, 1].map(|k| cylinders[k].ends[ends[k]] + ways[k] * radii[k]);
    for _ in 0..NEWTON_STEPS {
        // The distance of two points is least where what is between them is across both rims.
        let (tangents, [first, second]) = (along(&ways), places(&ways));
        let between = first - second;
        let slopes = [between.dot(&tangents[0]), -between.dot(&tangents[1])];
        let bends = [radii[0] - between.dot(&ways[0]), radii[1] + between.dot(&ways[1])];
        let product = tangents[0].dot(&tangents[1]);
        let determinant = bends[0] * bends[1] - product * product * radii[0] * radii[1];
        if determinant.value() <= PARALLEL * own.radius * other.radius {
            return None;
        }
        let turns = [
            (slopes[0] * bends[1] + product * radii[1] * slopes[1]) / determinant,
            (slopes[1] * bends[0] + product * radii[0] * slopes[0]) / determinant,
        ];
        ways = [0, 1].map(|k| (ways[k] - tangents[k] * turns[k]).normalize());
    }
    let ([along, other_along], [first, second]) = (along(&ways), places(&ways));
    let across = along.cross(&other_along);
    if across.norm().value() <= PARALLEL {
        return None;
    }
    let caps = [0, 1].map(|k| cylinders[k].cap(ends[k]));
    let normal = across.normalize() * S::constant(across.dot(&(ways[1] + caps[1])).value().signum());
    let mut supports = [-normal, normal].into_iter().zip(ways.iter().zip(&caps));
    let is_common =
        supports.all(|(normal, (way, cap))| normal.dot(way).value() >= 0.0 && normal.dot(cap).value() >= 0.0);
    is_common.then(|| Point { position: first, normal, gap: normal.dot(&(first - second)) })
}

/// A rim of a cylinder.
struct Rim<S: Real> {
    centre: Vector3<S>,
    arms: [Vector3<S>; 2],
}

impl<S: Real> Rim<S> {
    fn of(cylinder: &PlacedCylinder<S>, end: usize) -> Self {
        let radius = S::constant(cylinder.radius);
        let arms = [cylinder.across, cylinder.axis.cross(&cylinder.across)].map(|way| way * radius);
        Self { centre: cylinder.ends[end], arms }
    }

    /// The place at an angle, and how it moves with the angle.
    fn at(&self, angle: S) -> (Vector3<S>, Vector3<S>) {
        let [first, second] = &self.arms;
        let (sin, cos) = angle.sin_cos();
        (self.centre + first * cos + second * sin, second * cos - first * sin)
    }
}
