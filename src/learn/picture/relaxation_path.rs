use serde_json::Value;

use super::drawable;
use crate::{
    decimal::rounded_text,
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

/// How far left of the first relaxation a start stands, as a ratio.
const DECADE: f64 = 10.0;
const TRUTH: Style = Style::line(palette::BLACK).with_width(0.9).with_dash(&[5.0, 2.5]);

/// The friction `mu` as the relaxation `lambda w <= tau` of the complementarity tightens: for every
/// start an object among `paths` with `start` and `path`, a list of `[tau, mu]`. Against `1/tau`, so
/// that the search runs from left to right; where the truth is known, its distance in a second panel.
pub fn relaxation_path(paths: &[Value], truth: Option<f64>) -> Figure {
    let relaxation = || Axis::new("1/*τ*", "s^{2}/m^{2}").log();
    let mut friction = Panel::new(relaxation(), Axis::new("friction *μ*", "m/s").include(0.0)).height(140.0);
    let mut error = Panel::new(relaxation(), Axis::new("|*μ* − *μ*_{true}|", "m/s").log()).height(110.0);
    for (index, path) in paths.iter().enumerate() {
        let pairs = path["path"].as_array().into_iter().flatten();
        let points: Vec<Point> =
            pairs.filter_map(|pair| Some([1.0 / pair[0].as_f64()?, pair[1].as_f64()?])).collect();
        let (Some(start), [[first, _], ..]) = (path["start"].as_f64(), points.as_slice()) else { continue };
        let style = Style::of_series(index, paths.len()).with_marker(Marker::Disc);
        let errors = |[x, mu]: &Point| Some([*x, drawable(mu - truth?)?]);
        error = error.curve("", points.iter().filter_map(errors).collect(), style);
        let whole = std::iter::once([first / DECADE, start]).chain(points.iter().copied());
        friction = friction.curve(format!("from {}", rounded_text(start, 4)), whole.collect(), style);
    }
    let mut figure = Figure::new("Friction along the relaxation of complementarity");
    figure.caption = "the leftmost points are the starts".to_owned();
    figure.shared_x = true;
    if let Some(truth) = truth {
        let ends = friction.curves.iter().flat_map(|curve| &curve.points).map(|point| point[0]);
        let (low, high) = ends.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        friction = friction.curve("true friction", vec![[low, truth], [high, truth]], TRUTH);
        figure.panels = vec![friction, error];
    } else {
        figure.panels = vec![friction];
    }
    figure
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::ROUNDING, *};

    #[test]
    fn a_path_runs_from_its_start_over_loose_to_tight_relaxations() {
        let paths = [json!({ "start": 3.0, "path": [[1.0, 2.5], [1e-8, 1.0]] })];
        let figure = relaxation_path(&paths, Some(1.0));
        let curves = &figure.panels[0].curves;
        assert_eq!(curves[0].points, [[0.1, 3.0], [1.0, 2.5], [1e8, 1.0]]);
        assert_eq!(curves[1].points, [[0.1, 1.0], [1e8, 1.0]], "the truth is as wide");
        assert_eq!(figure.panels[1].curves[0].points, [[1.0, 1.5], [1e8, ROUNDING]]);
        assert_eq!(relaxation_path(&paths, None).panels.len(), 1);
    }
}
