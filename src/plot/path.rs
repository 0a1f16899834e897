//! The path through space: from the side, and over a plane also from above.

use super::{
    axis::Axis,
    decimate::by_distance,
    figure::{Figure, Panel},
    geometry::Point,
    series::{Series, end_time, run_title, scenario_title},
    theme::{Marker, Style, palette},
    ticks::{round_positions, significant},
};
use crate::{
    model::{State, axis_names},
    trajectory::Trajectory,
};

/// Points closer than this share of the picture are drawn as one.
const RESOLUTION: f64 = 1.0 / 2500.0;
/// Marks of time along a path, at most.
const TIME_MARKS: usize = 13;
/// Height of a panel, at most.
const HEIGHT: f64 = 270.0;

/// The path of a trajectory over the ground, of a single body with marks at equal times.
pub fn path<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    if trajectory.bodies.len() != 1 {
        return path_overlay(&Series::of_bodies(trajectory));
    }
    let track = trajectory.track(0);
    let series = [Series { label: String::new(), style: Style::line(palette::BLUE), track }];
    let mut figure = path_overlay(&series);
    let (interval, _) = round_positions(0.0, end_time(&series), TIME_MARKS);
    let every = ((interval / track.scenario.step).round() as usize).max(1);
    let interval = every as f64 * track.scenario.step;
    figure.title = run_title(track);
    for (panel, (across, up)) in figure.panels.iter_mut().zip(views::<D>()) {
        let marks = track.states.iter().step_by(every).map(|state| at(state, across, up));
        let ends = [track.states.first(), track.states.last()];
        let [start, end] = ends.map(|state| state.map(|state| at(state, across, up)).into_iter().collect());
        let marker = |marker| Style::markers(palette::BLACK, marker);
        panel.curves.extend([
            super::Curve {
                label: format!("every {} s", significant(interval, 3)),
                points: marks.collect(),
                style: Style::markers(palette::BLUE, Marker::Disc),
            },
            super::Curve { label: "start".into(), points: start, style: marker(Marker::Circle) },
            super::Curve { label: "end".into(), points: end, style: marker(Marker::Square) },
        ]);
    }
    figure
}

/// The paths of several trajectories.
pub fn path_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(first) = series.first() else { return figure };
    figure.title = scenario_title(first.track.scenario);
    figure.panels = views::<D>().into_iter().map(|(across, up)| view(series, across, up)).collect();
    figure
}

/// The pairs of axes to look along: from the side, and over a plane from above.
pub(super) fn views<const D: usize>() -> Vec<(usize, usize)> {
    if D > 2 { vec![(0, D - 1), (0, 1)] } else { vec![(0, D - 1)] }
}

/// An empty view with the paths' extent.
pub(super) fn view<const D: usize>(series: &[Series<'_, D>], across: usize, up: usize) -> Panel {
    let states = || series.iter().flat_map(|series| series.track.states);
    let extent = |axis: usize| {
        let values = states().map(|state| state.position[axis]).filter(|value| value.is_finite());
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let span = |(low, high): (f64, f64)| if high > low { high - low } else { 0.0 };
    let spans = [span(extent(across)), span(extent(up))];
    let largest = spans[0].max(spans[1]);
    let distance = spans.map(|span| RESOLUTION * if span > 0.0 { span } else { largest });

    let is_sloped = series.iter().any(|series| series.track.scenario.ground.slope != 0.0);
    let axis = |axis: usize| {
        let label = match (is_sloped, axis) {
            (true, 0) => "*x* along the slope".to_owned(),
            (true, axis) if axis + 1 == D => "*z* off the slope".to_owned(),
            _ => format!("*{}*", axis_names::<D>()[axis]),
        };
        Axis::new(label, "m").magnitude(largest)
    };
    let is_side = up + 1 == D;
    let mut vertical = if is_side { axis(up).include(0.0) } else { axis(up) };
    let height = extent(up).0;
    if spans[1] <= 1e-6 * largest && height.is_finite() {
        // A path along the ground: a strip is enough.
        let largest = if largest > 0.0 { largest } else { 1.0 };
        vertical = vertical.range(height - 0.08 * largest, height + 0.16 * largest);
    }
    let mut panel = Panel::new(axis(across), vertical).height(HEIGHT);
    panel.true_to_scale = true;
    panel.ground = is_side;
    for Series { label, style, track } in series {
        let points = track.states.iter().map(|state| at(state, across, up));
        let points = by_distance(points, distance).into_iter().map(|(_, point)| point);
        panel = panel.curve(label, points.collect(), *style);
    }
    panel
}

fn at<const D: usize>(state: &State<D>, across: usize, up: usize) -> Point {
    [state.position[across], state.position[up]]
}
