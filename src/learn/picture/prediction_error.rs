use super::{ROUNDING, drawable};
use crate::plot::{Axis, Figure, Marker, Panel, Point, Style, palette};

const STYLES: [Style; 3] = [
    Style::markers(palette::ORANGE, Marker::Square),
    Style::markers(palette::VERMILLION, Marker::Up),
    Style::markers(palette::BLUE, Marker::Disc),
];
const LIMIT: Style = Style::line(palette::GREY).with_width(1.1).with_dash(&[5.0, 2.5]);

/// Errors of predicted velocities over the velocity without friction, for at most three models with
/// what the legend says of them; between `-mu` and `mu` the block sticks.
pub fn prediction_error(title: &str, models: Vec<(String, Vec<Point>)>, friction: Option<f64>) -> Figure {
    let errors = Axis::new("error of the predicted velocity", "m/s").log().range(ROUNDING / 3.0, 30.0);
    let mut panel = Panel::new(Axis::new("velocity without friction *s* = *v* + *u*", "m/s"), errors);
    for ((label, points), style) in models.into_iter().zip(STYLES) {
        let points = points.into_iter().filter_map(|[s, error]| Some([s, drawable(error)?])).collect();
        panel = panel.curve(label, points, style);
    }
    if let Some(friction) = friction {
        let ends = [-friction, friction];
        let lines = ends.into_iter().flat_map(|s| [[s, 1e-30], [s, 1e30], [f64::NAN, f64::NAN]]);
        panel = panel.curve("sticks in between", lines.collect(), LIMIT);
    }
    let mut figure = Figure::new(title);
    figure.caption = "no error at all stands at 10^{−17}".to_owned();
    figure.panels.push(panel);
    figure
}
