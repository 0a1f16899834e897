use nalgebra::Vector3;

use super::{
    super::{
        area::Area,
        figure::Curve,
        series::Series,
        theme::{Colour, Marker, Style, WHITE, mix, palette},
    },
    Face, View, outline,
};
use crate::{
    model::{Orientation, Vector},
    scenario::{Scenario, Shape},
    trajectory::Track,
    world::spatial,
};

/// How much of a body's colour its filling takes, and how much an outline that is to stay behind.
const FILLING: f64 = 0.3;
const FAINT: f64 = 0.45;

/// How a body is drawn at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Look {
    /// Filled: where it is.
    Solid,
    /// An outline filled with white: where it began.
    Start,
    /// A thin outline: where it passed.
    Faint,
    /// An outline in the style of its series: one of several that lie on each other.
    Outlined,
}

impl Look {
    /// Filling and outline of a body in a colour.
    pub(in super::super) fn paint(self, style: Style) -> (Option<Colour>, Style) {
        match self {
            Self::Solid => {
                (Some(mix(WHITE, style.colour, FILLING)), Style::line(style.colour).with_width(1.2))
            }
            Self::Start => (Some(WHITE), Style::line(style.colour).with_width(1.2)),
            Self::Faint => (None, Style::line(mix(WHITE, style.colour, FAINT)).with_width(0.7)),
            Self::Outlined => (None, style),
        }
    }
}

impl Look {
    /// The colours that a solid body is filled with: in space a few of the shades of its faces.
    pub(in super::super) fn fillings<const D: usize>(style: Style) -> Vec<Colour> {
        if D == 2 {
            return Self::Solid.paint(style).0.into_iter().collect();
        }
        (0..=SHADES).map(|k| shaded(style.colour, k as f64 / SHADES as f64)).collect()
    }
}

/// Body of `track` at state `k`, as it is seen from `view`: outlines, and a marker if it is a point.
///
/// Nothing if there is no such state.
pub(in super::super) fn pose<const D: usize>(
    track: Track<'_, D>,
    k: usize,
    view: &View<D>,
    style: Style,
    look: Look,
) -> (Vec<Area>, Option<Curve>) {
    let (Some(state), Some(body)) = (track.states.get(k), track.scenario.bodies.get(track.body)) else {
        return (Vec::new(), None);
    };
    let orientation =
        track.attitudes.get(k).map_or(Orientation::upright::<D>(), |attitude| attitude.orientation);
    let style = if body.fixed { Style { colour: palette::GREY, ..style } } else { style };
    let shape = drawn_shape(track.scenario, track.body);
    let (fill, line) = look.paint(style);
    let faces = outline(&shape, &state.position, &orientation, view);
    let is_point = shape == Shape::Point;
    if is_point {
        let marker = if look == Look::Solid { Marker::Disc } else { Marker::Circle };
        let points = faces.into_iter().flat_map(|face| face.corners).collect();
        let style = Style::markers(line.colour, marker);
        return (Vec::new(), Some(Curve { label: String::new(), points, style }));
    }
    let line = match (&shape, look) {
        // A rod has no inside that could be filled or left white.
        (Shape::Rod { .. }, Look::Start) => line.with_dash(&[3.0, 2.0]),
        (Shape::Rod { .. }, Look::Solid) => line.with_width(1.8),
        _ => line,
    };
    let area = |Face { corners, light, marks }: Face| Area {
        label: String::new(),
        corners,
        fill: fill
            .map(|colour| if D == 2 || look == Look::Start { colour } else { shaded(style.colour, light) }),
        outline: line,
        marks,
    };
    (faces.into_iter().map(area).collect(), None)
}

/// Shades of one colour in an animation of bodies in space.
const SHADES: usize = 8;

/// The colour of a face in space.
fn shaded(colour: Colour, light: f64) -> Colour {
    mix(colour, WHITE, 0.25 + 0.6 * light)
}

/// The shape of a body, the corners of a polyhedron about its centre of mass; a particle that keeps others
/// at a distance is a bead of half of it.
fn drawn_shape<const D: usize>(scenario: &Scenario<D>, body: usize) -> Shape<D> {
    match (&scenario.bodies[body].shape, scenario.bodies[body].solid()) {
        (Shape::Point, _) => bead(scenario, body).map_or(Shape::Point, |radius| Shape::Ball { radius }),
        (Shape::Hull { .. }, Some(Ok(spatial::Shape::Hull(hull)))) => {
            let vertex = |corner: &Vector3<f64>| Vector::from_fn(|row, _| corner[row]);
            Shape::Hull { vertices: hull.corners().iter().map(vertex).collect() }
        }
        (Shape::Compound { .. }, _) => Shape::Compound { parts: scenario.bodies[body].parts() },
        (shape, _) => shape.clone(),
    }
}

/// Radius in m of a particle that keeps others at a distance.
fn bead<const D: usize>(scenario: &Scenario<D>, body: usize) -> Option<f64> {
    let contacts = scenario.contacts.iter().filter(|contact| contact.bodies.contains(&body));
    contacts.map(|contact| 0.5 * contact.distance).reduce(f64::min)
}

/// Largest distance of a point of the body from its centre of mass in m; 0 for a point.
pub(in super::super) fn reach<const D: usize>(track: Track<'_, D>) -> f64 {
    let body = &track.scenario.bodies[track.body];
    if body.shape == Shape::Point { bead(track.scenario, track.body).unwrap_or(0.0) } else { body.reach() }
}

/// The least and the largest corner of the box that all bodies stay in; none before the first state.
pub(super) fn room<const D: usize>(series: &[Series<'_, D>]) -> [Vector<D>; 2] {
    let mut room = [Vector::<D>::repeat(f64::INFINITY), Vector::<D>::repeat(f64::NEG_INFINITY)];
    for track in series.iter().map(|series| series.track) {
        let rim = reach(track);
        for state in track.states.iter().filter(|state| state.position.iter().all(|part| part.is_finite())) {
            room[0] = room[0].inf(&state.position.add_scalar(-rim));
            room[1] = room[1].sup(&state.position.add_scalar(rim));
        }
    }
    room
}

/// Angle in rad by which a body is turned between two states; 0 for one that does not turn.
pub(in super::super) fn turn<const D: usize>(track: Track<'_, D>, from: usize, to: usize) -> f64 {
    let orientation = |k: usize| track.attitudes.get(k).map(|attitude| attitude.orientation);
    match (orientation(from), orientation(to)) {
        (Some(Orientation::Angle(a)), Some(Orientation::Angle(b))) => (a - b).abs(),
        (Some(Orientation::Quaternion(a)), Some(Orientation::Quaternion(b))) => a.angle_to(&b),
        _ => 0.0,
    }
}
