//! A measured throw, and the one that the learned parameters predict.

use nalgebra::Vector2;

use crate::{
    learn::data::Throw,
    model::{PointMass, State, closed_form_step},
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

const MEASURED: Style = Style::markers(palette::SKY_BLUE, Marker::Disc);
const PREDICTED: Style = Style::line(palette::VERMILLION).with_width(1.4);

/// A number that a state has.
type Quantity = dyn Fn(&State<2>) -> f64;

/// Draws slip, rise and height of a throw over time. The prediction starts from the first measured
/// position with the velocity `start`.
pub(super) fn draw(
    throw: &Throw,
    gravity: f64,
    start: [f64; 2],
    [friction, restitution]: [f64; 2],
) -> Figure {
    let body = PointMass { mass: 1.0, friction, restitution, gravity: Vector2::new(0.0, -gravity) };
    let states = predicted(throw, start, &body);
    let measured = |value: &Quantity| -> Vec<Point> {
        let states = throw.iter().map(|s| (s.time, State { position: s.position, velocity: s.velocity }));
        states.map(|(time, state)| [time, value(&state)]).collect()
    };
    let model = |value: &Quantity| -> Vec<Point> {
        throw.iter().zip(&states).map(|(sample, state)| [sample.time, value(state)]).collect()
    };
    let quantities: [(&str, &str, &Quantity); 3] = [
        ("*v*_{*x*}", "m/s", &|state| state.velocity.x),
        ("*v*_{*z*}", "m/s", &|state| state.velocity.y),
        ("*z*", "m", &|state| state.position.y),
    ];
    let mut figure = Figure::new("A throw, measured and predicted");
    figure.caption = format!("predicted with *μ* = {friction:.4}, *e* = {restitution:.4}");
    figure.shared_x = true;
    figure.panels = quantities
        .into_iter()
        .map(|(name, unit, value)| {
            Panel::new(Axis::time(), Axis::new(name, unit))
                .height(88.0)
                .curve("measured", measured(value), MEASURED)
                .curve("predicted", model(value), PREDICTED)
        })
        .collect();
    figure
}

/// Mean of the initial velocities that the states before the first landing tell, when that is after
/// the first state.
pub(super) fn start_velocity(throw: &Throw, gravity: f64) -> [f64; 2] {
    let [first, second, ..] = throw.as_slice() else { return [0.0; 2] };
    let (height, rise) = (first.position.y.max(0.0), first.velocity.y);
    let landing = (rise + (rise * rise + 2.0 * gravity * height).sqrt()) / gravity;
    // A step earlier, because the first velocity is noisy and with it the time of the landing.
    let end = (landing - (second.time - first.time)).max(0.0);
    let flight: Vec<_> = throw.iter().take_while(|state| state.time - first.time <= end).collect();
    let sum = flight.iter().fold(Vector2::zeros(), |sum, state| {
        sum + state.velocity + Vector2::new(0.0, gravity * (state.time - first.time))
    });
    (sum / flight.len() as f64).into()
}

fn predicted(throw: &Throw, start: [f64; 2], body: &PointMass<2>) -> Vec<State<2>> {
    let Some(first) = throw.first() else { return Vec::new() };
    let mut state =
        State { position: Vector2::new(first.position.x, first.position.y.max(0.0)), velocity: start.into() };
    let mut states = vec![state];
    for pair in throw.windows(2) {
        state = closed_form_step(body, &state, &Vector2::zeros(), pair[1].time - pair[0].time).state;
        states.push(state);
    }
    states
}
