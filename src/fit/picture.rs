use super::{FitOutcome, FittedParameter};
use crate::plot::{Axis, Figure, Marker, Panel, Point, Style, palette};

/// How far beyond the interval a profile is shown, over its half width.
const BEYOND: f64 = 2.5;

/// The least mean error over each parameter, with its interval.
pub fn profiles(outcome: &FitOutcome, scenario: &str) -> Figure {
    let mut figure = Figure::new(format!("{scenario}: what predicts best, by {}", outcome.errors.stepper));
    let unit = if outcome.errors.rotation.is_some() { "% + °" } else { "m" };
    figure.caption = "least mean error of the throws for each value".to_owned();
    for parameter in &outcome.parameters {
        figure.panels.push(panel(parameter, outcome.error, unit));
    }
    figure
}

fn panel(parameter: &FittedParameter, error: f64, unit: &str) -> Panel {
    let interval = parameter.verdict.map(|estimate| estimate.interval);
    let ends = parameter.profile.iter().map(|[value, _]| *value);
    let (first, last) = (ends.clone().fold(parameter.value, f64::min), ends.fold(parameter.value, f64::max));
    let reach = |end: f64, limit: f64| {
        let end = if end.is_finite() { parameter.value + BEYOND * (end - parameter.value) } else { limit };
        end.clamp(first, last)
    };
    let [low, high] = interval.map_or([first, last], |[low, high]| [reach(low, first), reach(high, last)]);
    let mut points: Vec<Point> = parameter.profile.clone();
    points.push([parameter.value, error]);
    points.retain(|[value, error]| (low..=high).contains(value) && error.is_finite());
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let axis = Axis::new(parameter.key.replace('_', " "), "");
    let mut panel = Panel::new(axis, Axis::new("error", unit)).height(110.0);
    panel =
        panel.curve("profile", points, Style::line(palette::BLUE).with_marker(Marker::Disc).with_width(1.0));
    if let Some([from, to]) = interval {
        let line = vec![[from.max(low), error], [to.min(high), error]];
        let level = parameter.verdict.map_or(0.0, |estimate| 100.0 * estimate.level);
        panel =
            panel.curve(format!("{level:.0} % interval"), line, Style::line(palette::ORANGE).with_width(3.0));
    }
    panel.curve("best", vec![[parameter.value, error]], Style::markers(palette::VERMILLION, Marker::Square))
}
