use crate::{
    learn::findings::Parameter,
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

/// Height of the row of a parameter.
const ROW: f64 = 13.0;
/// Half the length of the stroke that marks the truth, in rows.
const STROKE: f64 = 0.36;
/// Free space beside the outermost value, over the range of all.
const MARGIN: f64 = 0.1;
/// Ends a line, so that many lines make one curve.
const GAP: Point = [f64::NAN, f64::NAN];

const TRUTH: Style = Style::line(palette::BLACK).with_width(2.4);
const INTERVAL: Style = Style::line(palette::ORANGE).with_width(2.6);
const IDENTIFIED: Style = Style::markers(palette::BLUE, Marker::Disc);
const FREE: Style = Style::markers(palette::VERMILLION, Marker::Square);

/// Learned against true parameters, a row each, with the intervals that the data leave. An interval
/// without end reaches the edge of the picture.
pub fn coefficients(title: &str, parameters: &[(String, Parameter)]) -> Figure {
    let rows = parameters.len();
    let edges = edges(parameters);
    let (mut truth, mut intervals) = (Vec::new(), Vec::new());
    let (mut identified, mut free) = (Vec::new(), Vec::new());
    for (index, (_, parameter)) in parameters.iter().enumerate() {
        // The first row is the uppermost.
        let place = (rows - 1 - index) as f64;
        if let Some(value) = parameter.r#true {
            truth.extend([[value, place - STROKE], [value, place + STROKE], GAP]);
        }
        if let Some(interval) = parameter.interval.filter(|[low, high]| low < high) {
            let [low, high] = interval.map(|end| end.clamp(edges.0, edges.1));
            intervals.extend([[low, place], [high, place], GAP]);
        }
        let kind = if parameter.identifiable { &mut identified } else { &mut free };
        kind.push([parameter.learned, place]);
    }
    let names = parameters.iter().rev().map(|(name, _)| typeset(name));
    let quantity = Axis::new("value of the coefficient", "").range(edges.0, edges.1);
    let mut panel = Panel::new(quantity, Axis::new("", "").names(names)).height(ROW * rows.max(3) as f64);
    for (label, points, style) in [
        ("interval", intervals, INTERVAL),
        ("true", truth, TRUTH),
        ("learned", identified, IDENTIFIED),
        ("learned, not determined", free, FREE),
    ] {
        if !points.is_empty() {
            panel = panel.curve(label, points, style);
        }
    }
    let mut figure = Figure::new(title);
    figure.panels.push(panel);
    figure
}

/// The range that shows every finite value.
fn edges(parameters: &[(String, Parameter)]) -> (f64, f64) {
    let values = parameters.iter().flat_map(|(_, parameter)| {
        let ends = parameter.interval.into_iter().flatten();
        std::iter::once(parameter.learned).chain(parameter.r#true).chain(ends)
    });
    let values = values.filter(|value| value.is_finite());
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (-1.0, 1.0);
    }
    let margin = MARGIN * (high - low).max(1e-3 * high.abs()).max(1e-12);
    (low - margin, high + margin)
}

/// `M12` with an index, `G11_v` as the coefficient of `v` in `G11`.
fn typeset(name: &str) -> String {
    let (base, factor) = name.split_once('_').unwrap_or((name, ""));
    let digits = base.find(|c: char| c.is_ascii_digit()).unwrap_or(base.len());
    let (letter, index) = base.split_at(digits);
    let index = if index.is_empty() { String::new() } else { format!("_{{{index}}}") };
    let factor = if factor.is_empty() { String::new() } else { format!(" *{factor}*") };
    format!("*{letter}*{index}{factor}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(learned: f64, interval: Option<[f64; 2]>) -> Parameter {
        Parameter { interval, ..Parameter::new(learned, Some(1.0), interval.is_none()) }
    }

    #[test]
    fn intervals_without_end_reach_the_edges() {
        let parameters = [
            ("M11".to_owned(), parameter(1.0, None)),
            ("M12".to_owned(), parameter(3.0, Some([f64::NEG_INFINITY, f64::INFINITY]))),
        ];
        let figure = coefficients("", &parameters);
        let interval = figure.panels[0].curves.iter().find(|curve| curve.label == "interval").expect("drawn");
        assert_eq!(interval.points[..2], [[0.8, 0.0], [3.2, 0.0]]);
    }

    #[test]
    fn names_are_set_as_in_formulas() {
        assert_eq!(typeset("M12"), "*M*_{12}");
        assert_eq!(typeset("G11_v"), "*G*_{11} *v*");
    }
}
