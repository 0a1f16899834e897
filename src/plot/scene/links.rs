use super::{
    super::{
        figure::Curve,
        geometry::Point,
        theme::{Colour, Style},
    },
    Cast, View,
};
use crate::{model::Vector, world::Anchor};

/// Turns of the zigzag of a spring, and its half width over its length at rest.
const TURNS: usize = 8;
const HALF_WIDTH: f64 = 0.06;

/// What joins the bodies of a cast, at state `k`: straight lines, and zigzags for springs; of a joint that holds two points
/// together the arms from the centres of mass to it.
pub(in super::super) fn links<const D: usize>(
    cast: &Cast<'_, '_, D>,
    k: usize,
    view: &View<D>,
    colour: Colour,
    width: f64,
) -> Vec<Curve> {
    let place = |Anchor { body, point }: &Anchor<D>| {
        Some(view.project(&match *body {
            Some(body) => cast.track(body)?.place(k, point)?,
            None => *point,
        }))
    };
    let curve = |points: Vec<Point>, width: f64| Curve {
        label: String::new(),
        points,
        style: Style::line(colour).with_width(width),
    };
    let joints = cast.any().scenario.world_joints();
    let drawn = joints.iter().filter_map(|joint| {
        let [from, to] = [place(&joint.anchors[0])?, place(&joint.anchors[1])?];
        if !joint.is_between_points() {
            let centre = |anchor: &Anchor<D>| {
                let body = anchor.body?;
                place(&Anchor::on(body, Vector::zeros()))
            };
            let [first, second] = joint.anchors.each_ref().map(centre);
            return Some(curve(first.into_iter().chain([from, to]).chain(second).collect(), width));
        }
        Some(match joint.rest_length() {
            Some(rest) => curve(zigzag(from, to, HALF_WIDTH * rest), width),
            None => curve(vec![from, to], 1.4 * width),
        })
    });
    drawn.collect()
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
