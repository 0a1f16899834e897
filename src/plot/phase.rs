//! The phase portrait: every velocity over its coordinate.

use super::{
    axis::Axis,
    decimate::by_distance,
    figure::{Figure, Panel},
    geometry::Point,
    series::{Series, moving, run_title, scenario_title},
    signal::{angle_of, magnitude},
    theme::{Marker, Style, palette},
};
use crate::{
    model::axis_names,
    trajectory::{Track, Trajectory},
};

const HEIGHT: f64 = 130.0;
/// Points closer than this share of the picture are drawn as one.
const RESOLUTION: f64 = 1.0 / 1500.0;

/// Velocity over position along each axis, and spin over angle of bodies that turn in a vertical plane.
pub fn phase_portrait<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let series = moving(&Series::of_bodies(trajectory));
    let mut figure = phase_portrait_overlay(&series);
    if let Some(first) = series.first() {
        figure.title = run_title(first.track);
    }
    if let [_] = series.as_slice() {
        for panel in &mut figure.panels {
            panel.curves.iter_mut().for_each(|curve| curve.label.clear());
            let start = panel.curves.first().and_then(|curve| curve.points.first().copied());
            let marker = Style::markers(palette::BLACK, Marker::Circle);
            panel.curves.push(super::Curve {
                label: "start".into(),
                points: start.into_iter().collect(),
                style: marker,
            });
        }
    }
    figure
}

/// The phase portraits of several trajectories, of the bodies that move.
pub fn phase_portrait_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let series = &moving(series);
    let mut figure = Figure::default();
    let Some(first) = series.first() else { return figure };
    figure.title = scenario_title(first.track.scenario);
    let states = || series.iter().flat_map(|series| series.track.states);
    let length = magnitude(states().map(|state| &state.position));
    let speed = magnitude(states().map(|state| &state.velocity));
    for (axis, name) in axis_names::<D>().iter().enumerate() {
        let x = Axis::new(format!("*{name}*"), "m").magnitude(length);
        let y = Axis::new(format!("*v*_{{*{name}*}}"), "m/s").include(0.0).magnitude(speed);
        figure.panels.push(portrait(series, x, y, |track, k| {
            let state = &track.states[k];
            [state.position[axis], state.velocity[axis]]
        }));
    }
    let turns = |series: &Series<'_, D>| !series.track.attitudes.is_empty();
    if D == 2 && series.iter().any(turns) {
        let (x, y) = (
            Axis::new("angle", "rad").magnitude(1e-3),
            Axis::new("spin", "rad/s").include(0.0).magnitude(1e-3),
        );
        figure.panels.push(portrait(series, x, y, |track, k| match track.attitudes.get(k) {
            Some(attitude) => [angle_of(attitude), attitude.spin[0]],
            None => [f64::NAN; 2],
        }));
    }
    figure
}

fn portrait<const D: usize>(
    series: &[Series<'_, D>],
    x: Axis,
    y: Axis,
    at: impl Fn(Track<'_, D>, usize) -> Point,
) -> Panel {
    let points = |series: &Series<'_, D>| {
        (0..series.track.states.len()).map(|k| at(series.track, k)).collect::<Vec<Point>>()
    };
    let all: Vec<Vec<Point>> = series.iter().map(points).collect();
    let span = |axis: usize| {
        let values = all.iter().flatten().map(|point| point[axis]).filter(|value| value.is_finite());
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if high > low { high - low } else { 0.0 }
    };
    let resolution = [RESOLUTION * span(0), RESOLUTION * span(1)];
    let mut panel = Panel::new(x, y).height(HEIGHT);
    for (Series { label, style, .. }, points) in series.iter().zip(all) {
        let thinned = by_distance(points, resolution).into_iter().map(|(_, point)| point);
        panel = panel.curve(label, thinned.collect(), *style);
    }
    panel
}
