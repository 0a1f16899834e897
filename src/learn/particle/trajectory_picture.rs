//! A measured throw, and the one that the learned parameters predict.

use super::motion::{Kinematics, Motion, Start};
use crate::{
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
    predict::{RecordedState, Toss},
};

const MEASURED: Style = Style::markers(palette::SKY_BLUE, Marker::Disc);
const PREDICTED: Style = Style::line(palette::VERMILLION).with_width(1.4);

/// States of the prediction between two measured ones, so that its impacts are seen.
const FINER: usize = 10;

/// Draws slip, rise and height of a throw over time, with the motion from `start`.
pub(super) fn draw(
    throw: &Toss<2>,
    gravity: f64,
    start: Start<f64>,
    [friction, restitution]: [f64; 2],
) -> Figure {
    let motion = Motion { friction, restitution, gravity };
    let first = throw.states.first().map_or(0.0, |state| state.time);
    let times: Vec<f64> = throw
        .states
        .windows(2)
        .flat_map(|pair| {
            let interval = (pair[1].time - pair[0].time) / FINER as f64;
            (0..FINER).map(move |part| pair[0].time + part as f64 * interval)
        })
        .collect();
    let mut states: Vec<Kinematics<f64>> = Vec::with_capacity(times.len());
    motion.follow(start, times.iter().map(|time| time - first), 0.0, |state, _| states.push(state));
    let measured = |index: usize| -> Vec<Point> {
        let number = |RecordedState { state, .. }: &RecordedState<2>| {
            [state.position.x, state.position.y, state.velocity.x, state.velocity.y][index]
        };
        throw.states.iter().map(|row| [row.time, number(row)]).collect()
    };
    let model = |index: usize| -> Vec<Point> {
        times.iter().zip(&states).map(|(time, state)| [*time, state[index]]).collect()
    };
    let quantities = [("*v*_{*x*}", "m/s", 2), ("*v*_{*z*}", "m/s", 3), ("*z*", "m", 1)];
    let mut figure = Figure::new("A throw, measured and predicted");
    figure.caption = format!("predicted with *μ* = {friction:.4}, *e* = {restitution:.4}");
    figure.shared_x = true;
    figure.panels = quantities
        .into_iter()
        .map(|(name, unit, index)| {
            Panel::new(Axis::time(), Axis::new(name, unit))
                .height(88.0)
                .curve("measured", measured(index), MEASURED)
                .curve("predicted", model(index), PREDICTED)
        })
        .collect();
    figure
}
