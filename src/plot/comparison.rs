//! How far trajectories are from the truth.

use super::{
    axis::Axis,
    figure::{Bar, Figure, Panel},
    geometry::Point,
    series::{Series, end_time, scenario_title},
    signal::of_states,
    theme::{Colour, Marker, Style, palette},
};
use crate::{model::axis_names, trajectory::Trajectory};

/// Decades of error to show below the largest: what lies deeper is rounding.
const ERROR_DECADES: f64 = 9.0;

/// Distance of every series from the exact trajectory along each axis over time, on logarithmic
/// axes, where no error at all has no place and leaves a gap.
pub fn error_history<const D: usize>(series: &[Series<'_, D>], exact: &Trajectory<D>) -> Figure {
    let end = end_time(series);
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    figure.title = scenario_title(&exact.scenario);
    figure.caption = "distance from the exact solution".to_owned();
    for (axis, name) in axis_names::<D>().iter().enumerate() {
        let label = format!("|*{name}* − *{name}*_{{exact}}|");
        let vertical = Axis::new(label, "m").log().decades(ERROR_DECADES);
        let mut panel = Panel::new(Axis::time().range(0.0, end), vertical).height(110.0);
        for Series { label, style, track } in series {
            if track.stepper == exact.stepper {
                continue;
            }
            let points = of_states(*track, end, |k| match exact.bodies[track.body].states.get(k) {
                Some(truth) => (track.states[k].position[axis] - truth.position[axis]).abs(),
                None => f64::NAN,
            });
            panel = panel.curve(label, points, *style);
        }
        panel.empty_note = "no difference".to_owned();
        figure.panels.push(panel);
    }
    figure
}

/// Errors of one stepper at several step lengths.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// What the legend says.
    pub label: String,
    /// Step in s and error.
    pub points: Vec<Point>,
    /// Fitted order, if there is one.
    pub order: Option<f64>,
}

/// Errors against the step length on logarithmic axes, with the fitted orders in the legend and a
/// line of slope one to compare with.
///
/// `error` is the vertical axis; it is made logarithmic.
pub fn convergence(title: impl Into<String>, error: Axis, curves: &[Convergence]) -> Figure {
    const MARKERS: [Marker; 5] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle, Marker::Down];
    let mut panel = Panel::new(Axis::new("Δ*t*", "s").log(), error.log());
    if let Some(guide) = first_order_guide(curves) {
        panel = panel.curve("first order", guide, GUIDE);
    }
    for (index, Convergence { label, points, order }) in curves.iter().enumerate() {
        let label = match order {
            Some(order) => format!("{label} ({order:.2})").replace('-', "−"),
            None => label.clone(),
        };
        let style = Style::of_series(index, curves.len()).with_marker(MARKERS[index % MARKERS.len()]);
        panel = panel.curve(label, points.clone(), style);
    }
    let mut figure = Figure::new(title);
    if curves.iter().any(|curve| curve.order.is_some()) {
        figure.caption = "fitted order in parentheses".to_owned();
    }
    figure.panels.push(panel);
    figure
}

const GUIDE: Style = Style::line(palette::GREY).with_width(0.9).with_dash(&[1.2, 2.0]);

/// A line of slope one through the middle of all points, over their range of steps.
fn first_order_guide(curves: &[Convergence]) -> Option<Vec<Point>> {
    let points = curves.iter().flat_map(|curve| &curve.points);
    let points: Vec<&Point> = points.filter(|[step, error]| *step > 0.0 && *error > 0.0).collect();
    let count = points.len() as f64;
    let middle = points.iter().map(|[step, error]| (error / step).ln()).sum::<f64>() / count;
    let low = points.iter().map(|point| point[0]).reduce(f64::min)?;
    let high = points.iter().map(|point| point[0]).reduce(f64::max)?;
    Some(vec![[low, low * middle.exp()], [high, high * middle.exp()]])
}

/// Horizontal bars, one for each name, from top to bottom.
///
/// `quantity` is the horizontal axis; on a logarithmic one bars start at its lower end.
pub fn bars(title: impl Into<String>, quantity: Axis, bars: &[(String, f64, Colour)]) -> Figure {
    let names = bars.iter().rev().map(|(name, ..)| name.clone());
    let quantity = if quantity.scale == super::Scale::Linear { quantity.include(0.0) } else { quantity };
    let mut panel = Panel::new(quantity, Axis::new("", "").names(names));
    panel.height = 16.0 * bars.len().max(2) as f64;
    panel.bars = (bars.iter().rev().enumerate())
        .map(|(place, &(_, value, colour))| Bar { place: place as f64, value, colour })
        .collect();
    let mut figure = Figure::new(title);
    figure.panels.push(panel);
    figure
}
