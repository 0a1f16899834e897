//! Walls in an oblique view: the piece of each that bodies come close to.

use nalgebra::Vector3;

use super::{
    super::{
        area::Area,
        series::Series,
        theme::{GROUND, INK, Style, WHITE, mix},
    },
    View, room,
};
use crate::{model::Vector, scenario::Wall};

/// Walls farther from all bodies than this many times the extent of what happens are not drawn.
const FAR: f64 = 1.0;
/// Height of a piece of wall at least, over the extent of what happens.
const LEAST_HEIGHT: f64 = 0.25;
/// How dark a wall is whose surface is seen.
const SHADE: f64 = 0.75;
const WIDTH: f64 = 0.7;
/// Half the length of the arrow of a conveyor, over the shorter side of its piece, and its head over that.
const ARROW: f64 = 0.3;
const HEAD: f64 = 0.3;

/// The walls of the scenario, a piece as large as what happens beside it. One that is seen from behind is an outline,
/// through which its room shows; arrows go along the motion of conveyors.
pub(in super::super) fn walls<const D: usize>(series: &[Series<'_, D>], view: &View<D>) -> Vec<Area> {
    let (Some(first), Some(towards)) = (series.first(), view.towards()) else { return Vec::new() };
    let towards = Vector::<D>::from_fn(|axis, _| towards[axis]);
    let range = room(series);
    let extent = (range[1] - range[0]).amax();
    if !(extent > 0.0 && extent.is_finite()) {
        return Vec::new();
    }
    let of_wall = |wall: &Wall<D>| {
        let mut area = piece(wall, &range, extent, view)?;
        if wall.normal.dot(&towards) > 0.0 {
            area.fill = Some(mix(WHITE, GROUND, SHADE));
        } else {
            area.outline = area.outline.with_dash(&[4.0, 2.5]);
        }
        Some(area)
    };
    let mut areas: Vec<Area> = first.track.scenario.walls.iter().filter_map(of_wall).collect();
    // Those that are seen from behind lie nearer, but are lines only.
    areas.sort_by_key(|area| area.fill.is_none());
    for (moves, label) in [(false, "wall"), (true, "conveyor")] {
        if let Some(area) = areas.iter_mut().find(|area| area.marks.is_empty() != moves) {
            label.clone_into(&mut area.label);
        }
    }
    areas
}

/// What of a wall is beside the box between the corners of `range`.
fn piece<const D: usize>(
    wall: &Wall<D>,
    range: &[Vector<D>; 2],
    extent: f64,
    view: &View<D>,
) -> Option<Area> {
    let normal = wall.normal;
    let corner = |index: usize| Vector::<D>::from_fn(|axis, _| range[index >> axis & 1][axis]);
    let corners = || (0..1 << D).map(corner);
    let nearest = corners().map(|corner| normal.dot(&corner) - wall.offset).fold(f64::INFINITY, f64::min);
    if nearest > FAR * extent {
        return None;
    }
    // Up the wall, or along y on a level one, and level along it.
    let mut up = Vector::<D>::zeros();
    up[D - 1] = 1.0;
    let is_level = normal[D - 1].abs() > 1.0 - 1e-9;
    if is_level {
        up = Vector::zeros();
        up[1] = 1.0;
    }
    let up = (up - normal * normal.dot(&up)).normalize();
    let along = cross(&up, &normal);
    let spread = |direction: &Vector<D>| {
        let places = corners().map(|corner| direction.dot(&corner));
        places
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| [low.min(place), high.max(place)])
    };
    let [left, right] = spread(&along);
    let [mut low, mut high] = spread(&up);
    if !is_level {
        // From the ground on.
        low = low.max(-wall.offset * normal[D - 1] / up[D - 1]);
        high = high.max(low + LEAST_HEIGHT * extent);
    }
    let at = |a: f64, b: f64| normal * wall.offset + along * a + up * b;
    let seen = |point: Vector<D>| view.project(&point);
    let velocity = wall.surface_velocity();
    let mut marks = Vec::new();
    if velocity.norm() > 0.0 {
        let direction = velocity.normalize();
        let middle = at(0.5 * (left + right), 0.5 * (low + high));
        let half = ARROW * (right - left).min(high - low);
        let (start, end) = (middle - direction * half, middle + direction * half);
        let side = cross(&normal, &direction) * (HEAD * half);
        let back = end - direction * (2.0 * HEAD * half);
        marks.push(vec![seen(start), seen(end)]);
        marks.push(vec![seen(back + side), seen(end), seen(back - side)]);
    }
    Some(Area {
        label: String::new(),
        corners: [(left, low), (right, low), (right, high), (left, high)]
            .map(|(a, b)| seen(at(a, b)))
            .to_vec(),
        fill: None,
        outline: Style::line(INK).with_width(WIDTH),
        marks,
    })
}

/// `a x b` in space.
fn cross<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    let [a, b] = [a, b].map(|v| Vector3::new(v[0], v[1], v[D - 1]));
    let product = a.cross(&b);
    Vector::from_fn(|axis, _| product[axis])
}
