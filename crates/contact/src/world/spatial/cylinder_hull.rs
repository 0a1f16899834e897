//! Contacts of a cylinder and a polyhedron: on a face the points that bear on it, clipped to it; on a cap the corners and edges,
//! clipped to it; else the corners and edges against the side and the rims.

use nalgebra::Vector3;

use super::{
    capsule_contact::within,
    cylinder_contact::Segment,
    face_contact::Places,
    outline::{PlacedHull, Side},
    placed_cylinder::PlacedCylinder,
};
use crate::{model::Real, world::Point};

/// How much further than along the best face or cap the nearest points must be apart, in units of the reach of the smaller
/// body, to be neither's.
const TIE: f64 = 1e-7;

/// A cylinder and a polyhedron; the normal is from the polyhedron into the cylinder. `reach` is that of the smaller body.
pub(super) fn cylinder_hull<S: Real>(
    cylinder: &PlacedCylinder<S>,
    hull: &PlacedHull<'_, S>,
    reach: f64,
    margin: f64,
    mut found: impl FnMut(Point<3, S>),
) {
    let tie = TIE * reach;
    let over_face = |face: usize| {
        let normal = hull.normals[face];
        let corner = hull.corners[hull.hull.faces()[face].corners[0]];
        (face, -cylinder.reach_along(&-normal).value() - normal.dot(&corner).value())
    };
    let over_cap = |end: usize| {
        let heights = hull.corners.iter().map(|corner| cylinder.cap(end).dot(&(corner - cylinder.ends[end])));
        (end, heights.map(|height| height.value()).fold(f64::INFINITY, f64::min))
    };
    let furthest = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
    let Some((face, by_face)) = (0..hull.normals.len()).map(over_face).max_by(furthest) else { return };
    let Some((end, by_cap)) = [0, 1].map(over_cap).into_iter().max_by(furthest) else { return };
    if by_face.max(by_cap) > margin {
        return;
    }
    let across = across(cylinder, hull, tie, margin);
    let least = across.iter().map(|point| point.gap.value()).fold(f64::NEG_INFINITY, f64::max);
    if least > margin {
        return;
    }
    let mut places = Places::new(reach);
    let mut keep = |point: Point<3, S>| {
        if point.gap.value() <= margin && places.is_new(&point.position) {
            found(point);
        }
    };
    if by_face >= by_cap - tie && by_face >= least - tie {
        let normal = hull.normals[face];
        let bearing = on_face(cylinder, hull, face, tie);
        let is_borne = !bearing.is_empty();
        bearing
            .into_iter()
            .for_each(|position| keep(Point { position, normal, gap: hull.distance(face, &position) }));
        if is_borne {
            return;
        }
    }
    if by_cap >= least - tie {
        on_cap(cylinder, hull, end).into_iter().for_each(&mut keep);
    } else {
        across
            .into_iter()
            .filter(|point| point.gap.value() >= least - tie)
            .for_each(|point| keep(point.turned()));
    }
}

/// Where the edges of a polyhedron are nearest to a cylinder, if no corner is beyond along the normal there: the normals are out
/// of the cylinder.
fn across<S: Real>(
    cylinder: &PlacedCylinder<S>,
    hull: &PlacedHull<'_, S>,
    tie: f64,
    margin: f64,
) -> Vec<Point<3, S>> {
    let seen = cylinder.values();
    let mut points = Vec::new();
    for edge in hull.hull.edges() {
        let segment = Segment { ends: edge.ends.map(|corner| hull.corners[corner]), radius: 0.0 };
        let [start, end] = segment.ends.map(|end| end.map(|part| part.value()));
        if seen.distance(&((start + end) * 0.5)).0 - 0.5 * (end - start).norm() > margin {
            continue;
        }
        points.extend(segment.passing(cylinder));
        points.extend(segment.at_side(cylinder));
        points.extend(segment.at_ends(cylinder));
        points.extend(segment.ends_at_rim(cylinder));
    }
    let supports = |point: &Point<3, S>| {
        hull.corners.iter().all(|corner| point.normal.dot(&(corner - point.position)).value() >= -tie)
    };
    points.retain(supports);
    points
}

/// The points of a cylinder that bear on a face, over which they lie, up to a `tie` in m.
fn on_face<S: Real>(
    cylinder: &PlacedCylinder<S>,
    hull: &PlacedHull<'_, S>,
    face: usize,
    tie: f64,
) -> Vec<Vector3<S>> {
    let down = -hull.normals[face];
    let sides: Vec<Side<S>> = hull.sides(face).collect();
    let (way, is_facing) = cylinder.furthest_way(&down);
    let radius = S::constant(cylinder.radius);
    if !is_facing {
        let [start, end] = cylinder.ends.map(|end| end + way * radius);
        let planes = sides.iter().map(|side| [start, end].map(|end| side.outward.dot(&(end - side.start))));
        let stretch = within(planes).into_iter().flatten();
        return stretch.map(|share| start + (end - start) * share).collect();
    }
    let is_over =
        |place: &Vector3<S>| sides.iter().all(|side| side.outward.dot(&(place - side.start)).value() <= tie);
    let mut points: Vec<Vector3<S>> = cylinder.bearing_points(&down).filter(is_over).collect();
    // What of the face is under the cap: its corners, and its sides where they pass under the rim.
    let end = cylinder.end_along(&down);
    let (centre, cap) = (cylinder.ends[end], cylinder.cap(end));
    let under = |place: &Vector3<S>| place + down * (cap.dot(&(centre - place)) / cap.dot(&down));
    for side in &sides {
        let lifted = Segment { ends: [under(&side.start), under(&side.end)], radius: 0.0 };
        let start = lifted.ends[0];
        if (start - centre).norm().value() <= cylinder.radius {
            points.push(start);
        }
        points.extend(lifted.through_side(cylinder).map(|share| lifted.at(share)));
    }
    points
}

/// The corners and edges of a polyhedron that bear on a cap.
fn on_cap<S: Real>(cylinder: &PlacedCylinder<S>, hull: &PlacedHull<'_, S>, end: usize) -> Vec<Point<3, S>> {
    let cap = cylinder.cap(end);
    let is_under = |corner: &&Vector3<S>| {
        cylinder.across(&(*corner - cylinder.ends[end])).norm().value() <= cylinder.radius
    };
    let corners = hull.corners.iter().filter(is_under).copied();
    let edges = hull.hull.edges().iter().flat_map(|edge| {
        let segment = Segment { ends: edge.ends.map(|corner| hull.corners[corner]), radius: 0.0 };
        segment.through_side(cylinder).map(move |share| segment.at(share))
    });
    let point = |position: Vector3<S>| {
        let gap = cap.dot(&(position - cylinder.ends[end]));
        Point { position, normal: -cap, gap }
    };
    corners.chain(edges).map(point).collect()
}
