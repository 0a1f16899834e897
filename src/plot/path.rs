//! The path through space: from the side, and over a plane also from above.

use super::{
    axis::Axis,
    decimate::by_distance,
    figure::{Figure, Panel},
    geometry::Point,
    series::{Series, end_time, scenario_title},
    theme::{Marker, Style, palette},
    ticks::{round_positions, significant, with_prefix},
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

/// The path of one trajectory over the ground, with marks at equal times.
pub fn path<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let label = String::new();
    let mut figure = path_overlay(&[Series { label, style: Style::line(palette::BLUE), trajectory }]);
    let end = end_time(&[Series { label: String::new(), style: Style::REFERENCE, trajectory }]);
    let (interval, _) = round_positions(0.0, end, TIME_MARKS);
    let every = ((interval / trajectory.scenario.step).round() as usize).max(1);
    let interval = every as f64 * trajectory.scenario.step;
    figure.title = format!(
        "{}: {}, Δ*t* = {}",
        trajectory.scenario.name,
        trajectory.stepper,
        with_prefix(trajectory.scenario.step, "s")
    );
    for (panel, (across, up)) in figure.panels.iter_mut().zip(views::<D>()) {
        let marks = trajectory.states.iter().step_by(every).map(|state| at(state, across, up));
        let ends = [trajectory.states.first(), trajectory.states.last()];
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
    figure.title = scenario_title(&first.trajectory.scenario);
    figure.panels = views::<D>().into_iter().map(|(across, up)| view(series, across, up)).collect();
    figure
}

/// The pairs of axes to look along: from the side, and over a plane from above.
pub(super) fn views<const D: usize>() -> Vec<(usize, usize)> {
    if D > 2 { vec![(0, D - 1), (0, 1)] } else { vec![(0, D - 1)] }
}

/// An empty view with the paths' extent.
pub(super) fn view<const D: usize>(series: &[Series<'_, D>], across: usize, up: usize) -> Panel {
    let states = || series.iter().flat_map(|series| &series.trajectory.states);
    let extent = |axis: usize| {
        let values = states().map(|state| state.position[axis]).filter(|value| value.is_finite());
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let span = |(low, high): (f64, f64)| if high > low { high - low } else { 0.0 };
    let spans = [span(extent(across)), span(extent(up))];
    let largest = spans[0].max(spans[1]);
    let distance = spans.map(|span| RESOLUTION * if span > 0.0 { span } else { largest });

    let is_sloped = series.iter().any(|series| series.trajectory.scenario.ground.slope != 0.0);
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
    if spans[1] <= 1e-6 * largest {
        // A path along the ground: a strip is enough.
        let height = extent(up).0;
        vertical = vertical.range(height - 0.08 * largest, height + 0.16 * largest);
    }
    let mut panel = Panel::new(axis(across), vertical).height(HEIGHT);
    panel.true_to_scale = true;
    panel.ground = is_side;
    for Series { label, style, trajectory } in series {
        let points = trajectory.states.iter().map(|state| at(state, across, up));
        let points = by_distance(points, distance).into_iter().map(|(_, point)| point);
        panel = panel.curve(label, points.collect(), *style);
    }
    panel
}

fn at<const D: usize>(state: &State<D>, across: usize, up: usize) -> Point {
    [state.position[across], state.position[up]]
}
