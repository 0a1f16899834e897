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

/// What joins bodies, by where it is drawn.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Links {
    /// Zigzags of springs, behind the bodies.
    pub springs: Vec<Curve>,
    /// Before them straight lines of rods, and of a joint that holds two points together the arms from the centres of mass to
    /// it, which lie within the bodies.
    pub rigid: Vec<Curve>,
}

/// What joins the bodies of a cast, at state `k`.
pub(in super::super) fn links<const D: usize>(
    cast: &Cast<'_, '_, D>,
    k: usize,
    view: &View<D>,
    colour: Colour,
    width: f64,
) -> Links {
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
    let mut links = Links::default();
    for joint in &cast.any().scenario.world_joints() {
        let [Some(from), Some(to)] = joint.anchors.each_ref().map(place) else { continue };
        if !joint.is_between_points() {
            let centre = |anchor: &Anchor<D>| {
                let body = anchor.body?;
                place(&Anchor::on(body, Vector::zeros()))
            };
            let [first, second] = joint.anchors.each_ref().map(centre);
            links.rigid.push(curve(first.into_iter().chain([from, to]).chain(second).collect(), width));
            continue;
        }
        match joint.rest_length() {
            Some(rest) => links.springs.push(curve(zigzag(from, to, HALF_WIDTH * rest), width)),
            None => links.rigid.push(curve(vec![from, to], 1.4 * width)),
        }
    }
    links
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
