//! Contacts of capsules: of two segments, or of a segment and a polyhedron, each with the radius around it.
//!
//! Between a segment and a convex body the distance is a convex function of the place on the segment: it is least at an end,
//! where the segment passes an edge or a corner, or over a stretch where the segment lies along a face. Each end by itself is a ball that
//! may not be inside of the other body either; of these contacts all are told that are near.

use nalgebra::Vector3;

use super::{
    edge_contact::crossing_of, face_contact::Places, outline::PlacedHull, sphere_contact::sphere_hull,
};
use crate::{
    model::Real,
    world::{Point, ball_contact::ball_ball, joint::separation},
};

/// How much further than along the best face the nearest points must be apart, in units of the reach of the smaller body, to
/// be no face's.
const TIE: f64 = 1e-7;

/// Sine of the angle between two segments below which their nearest points are left to their ends.
const PARALLEL: f64 = 1e-6;

/// A capsule in the axes of the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedCapsule<S: Real> {
    pub ends: [Vector3<S>; 2],
    pub radius: f64,
}

impl<S: Real> PlacedCapsule<S> {
    /// The point of the segment that is nearest to a place.
    fn nearest(&self, place: &Vector3<S>) -> Vector3<S> {
        let along = self.ends[1] - self.ends[0];
        let share = (place - self.ends[0]).dot(&along) / along.norm_squared();
        self.ends[0] + along * share.clamp(S::zero(), S::one())
    }
}

/// A capsule and a ball.
pub(super) fn capsule_ball<S: Real>(
    capsule: &PlacedCapsule<S>,
    (centre, radius): (&Vector3<S>, f64),
) -> Point<3, S> {
    ball_ball((&capsule.nearest(centre), capsule.radius), (centre, radius))
}

/// Two capsules: where their segments cross, and where the ends of each are nearest to the other. `reach` is that of the
/// smaller body.
pub(super) fn capsule_capsule<S: Real>(
    first: &PlacedCapsule<S>,
    second: &PlacedCapsule<S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let mut places = Places::new(reach);
    let mut keep = |own: &Vector3<S>, other: &Vector3<S>| {
        let point = ball_ball((own, first.radius), (other, second.radius));
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    if let Some([own, other]) = passing(&first.ends, &second.ends) {
        keep(&own, &other);
    }
    for own in &first.ends {
        keep(own, &second.nearest(own));
    }
    for other in &second.ends {
        keep(&first.nearest(other), other);
    }
}

/// The nearest points of two segments if both are between the ends.
fn passing<S: Real>([a, a_end]: &[Vector3<S>; 2], [b, b_end]: &[Vector3<S>; 2]) -> Option<[Vector3<S>; 2]> {
    let (u, v) = (a_end - a, b_end - b);
    if u.cross(&v).norm().value() <= PARALLEL * (u.norm() * v.norm()).value() {
        return None;
    }
    let places = crossing_of((a, &u), (b, &v));
    let is_between = |share: &S| (0.0..=1.0).contains(&share.value());
    places.iter().all(|(share, _)| is_between(share)).then(|| places.map(|(_, place)| place))
}

/// A capsule and a polyhedron; the normal is from the polyhedron into the capsule, the point that of the capsule. `reach` is
/// that of the smaller body.
pub(super) fn capsule_hull<S: Real>(
    capsule: &PlacedCapsule<S>,
    hull: &PlacedHull<'_, S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let radius = S::constant(capsule.radius);
    let over = |face: usize| {
        let [start, end] = capsule.ends.map(|end| hull.distance(face, &end));
        start.min(end)
    };
    let faces = (0..hull.normals.len()).map(|face| (face, over(face)));
    let best = faces.max_by(|a, b| a.1.value().total_cmp(&b.1.value()));
    let Some((face, separation)) = best else { return };
    if separation.value() - capsule.radius > margin {
        return;
    }
    let mut places = Places::new(reach);
    let mut keep = |point: Point<3, S>| {
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    let across = passing_edge(capsule, hull, reach);
    let ends = || capsule.ends.iter().filter_map(|end| sphere_hull(end, capsule.radius, hull));
    let least = ends().chain(across).map(|point| point.gap.value()).fold(f64::INFINITY, f64::min);
    // Along a face, and where the segment is in the polyhedron, what of it is over the face.
    if is_in(capsule, hull) || least <= separation.value() - capsule.radius + TIE * reach {
        let normal = hull.normals[face];
        if let Some(stretch) = over_face(capsule, hull, face) {
            for place in stretch {
                let gap = hull.distance(face, &place) - radius;
                keep(Point { position: place - normal * radius, normal, gap });
            }
            return;
        }
    }
    across.into_iter().for_each(&mut keep);
    ends().for_each(&mut keep);
}

/// Where the segment of a capsule passes an edge or a corner of a polyhedron between its ends, and no point of the polyhedron is
/// nearer to it.
fn passing_edge<S: Real>(
    capsule: &PlacedCapsule<S>,
    hull: &PlacedHull<'_, S>,
    reach: f64,
) -> Option<Point<3, S>> {
    let edges = hull.hull.edges().iter();
    let at_edges =
        edges.filter_map(|edge| passing(&capsule.ends, &edge.ends.map(|corner| hull.corners[corner])));
    let at_corners = hull.corners.iter().map(|corner| [capsule.nearest(corner), *corner]);
    let points = at_edges.chain(at_corners).filter_map(|[place, foot]| {
        let (distance, normal) = separation(&place, &foot);
        let beyond = |corner: &Vector3<S>| normal.dot(&(corner - foot)).value() > TIE * reach;
        let radius = S::constant(capsule.radius);
        let point = Point { position: place - normal * radius, normal, gap: distance - radius };
        (!hull.corners.iter().any(beyond)).then_some(point)
    });
    points.min_by(|a, b| a.gap.value().total_cmp(&b.gap.value()))
}

/// Whether a part of the segment is in the polyhedron.
fn is_in<S: Real>(capsule: &PlacedCapsule<S>, hull: &PlacedHull<'_, S>) -> bool {
    let faces = 0..hull.normals.len();
    within(faces.map(|face| capsule.ends.map(|end| hull.distance(face, &end)))).is_some()
}

/// The part of the segment that lies over a face, by its two ends; `None` where none does.
fn over_face<S: Real>(
    capsule: &PlacedCapsule<S>,
    hull: &PlacedHull<'_, S>,
    face: usize,
) -> Option<[Vector3<S>; 2]> {
    let [start, end] = capsule.ends;
    let sides = hull.sides(face);
    let shares = within(sides.map(|side| [start, end].map(|end| side.outward.dot(&(end - side.start)))))?;
    Some(shares.map(|share| start + (end - start) * share))
}

/// Between which shares of a segment none of the planes has it on its outer side, of each of which the distances of its start
/// and its end are given (Cyrus and Beck 1978).
pub(super) fn within<S: Real>(planes: impl Iterator<Item = [S; 2]>) -> Option<[S; 2]> {
    let (mut from, mut to) = (S::zero(), S::one());
    for [before, after] in planes {
        let share = || before / (before - after);
        match (before.value() > 0.0, after.value() > 0.0) {
            (true, true) => return None,
            (true, false) => from = from.max(share()),
            (false, true) => to = to.min(share()),
            (false, false) => {}
        }
    }
    (from.value() <= to.value()).then_some([from, to])
}
