use super::{
    super::{
        figure::Curve,
        geometry::Point,
        theme::{Colour, Style},
    },
    Cast, View,
};
use crate::scenario::Ends;

/// Turns of the zigzag of a spring, and its half width over its length at rest.
const TURNS: usize = 8;
const HALF_WIDTH: f64 = 0.06;

/// Rods and springs between the bodies of a cast at state `k`: straight lines and zigzags.
pub(in super::super) fn links<const D: usize>(
    cast: &Cast<'_, '_, D>,
    k: usize,
    view: &View<D>,
    colour: Colour,
    width: f64,
) -> Vec<Curve> {
    let scenario = cast.any().scenario;
    let place = |ends: &Ends<D>, end: usize| {
        Some(view.project(&cast.track(ends.bodies[end])?.place(k, &ends.points[end])?))
    };
    let ends = |ends: &Ends<D>| Some((place(ends, 0)?, place(ends, 1)?));
    let curve = |points: Vec<Point>, width: f64| Curve {
        label: String::new(),
        points,
        style: Style::line(colour).with_width(width),
    };
    let rods = scenario.rods.iter().filter_map(|rod| {
        let (from, to) = ends(&rod.ends)?;
        Some(curve(vec![from, to], 1.4 * width))
    });
    let springs = scenario.springs.iter().filter_map(|spring| {
        let (from, to) = ends(&spring.ends)?;
        Some(curve(zigzag(from, to, HALF_WIDTH * spring.length_in(scenario)), width))
    });
    rods.chain(springs).collect()
}

fn zigzag(from: Point, to: Point, half_width: f64) -> Vec<Point> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    if !(length > 0.0 && length.is_finite()) {
        return vec![from, to];
    }
    let across = [-along[1] / length * half_width, along[0] / length * half_width];
    let corner = |k: usize| {
        // Straight at both ends.
        let s = (k as f64 + 1.0) / (2 * TURNS + 1) as f64;
        let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        [from[0] + s * along[0] + side * across[0], from[1] + s * along[1] + side * across[1]]
    };
    let mut points = vec![from];
    points.extend((0..2 * TURNS).map(corner));
    points.push(to);
    points
}
