use super::{FitOutcome, FittedParameter};
use crate::plot::{Axis, Figure, Marker, Panel, Point, Style, palette};

/// How far beyond either end of the interval a profile is shown, over its half width.
const BEYOND: f64 = 1.5;

/// The least mean error over each parameter, with its interval.
pub fn profiles(outcome: &FitOutcome, scenario: &str) -> Figure {
    let mut figure = Figure::new(format!("{scenario}: what predicts best, by {}", outcome.errors.law));
    let unit = if outcome.errors.rotation.is_some() { "% + °" } else { "m" };
    figure.caption = "least mean error of the throws for each value".to_owned();
    for parameter in &outcome.parameters {
        figure.panels.push(panel(parameter, outcome.error, unit));
    }
    figure
}

fn panel(parameter: &FittedParameter, error: f64, unit: &str) -> Panel {
    let interval = parameter.verdict.map(|estimate| estimate.interval);
    let [low, high] = shown(parameter);
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
        let named = match parameter.break_away {
            Some(_) => "what held to what slipped".to_owned(),
            None => format!("{level:.0} % interval"),
        };
        panel = panel.curve(named, line, Style::line(palette::ORANGE).with_width(3.0));
    }
    panel.curve("best", vec![[parameter.value, error]], Style::markers(palette::VERMILLION, Marker::Square))
}

/// The values between which a profile is shown: beyond both ends of the interval, wherever in it the best value lies, and
/// all that were tried where it is open.
fn shown(parameter: &FittedParameter) -> [f64; 2] {
    let tried = parameter.profile.iter().map(|[value, _]| *value);
    let first = tried.clone().fold(parameter.value, f64::min);
    let last = tried.fold(parameter.value, f64::max);
    let Some([low, high]) = parameter.verdict.map(|estimate| estimate.interval) else { return [first, last] };
    let half = match [low, high].map(f64::is_finite) {
        [true, true] => 0.5 * (high - low),
        [true, false] => parameter.value - low,
        _ => high - parameter.value,
    };
    // An interval without a width says nothing of how far to look.
    let reach = if half > 0.0 { BEYOND * half } else { f64::INFINITY };
    [(low - reach).max(first), (high + reach).min(last)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::{Estimate, LEVEL};

    fn shown_of(value: f64, interval: [f64; 2]) -> [f64; 2] {
        let key = "ground.friction".to_owned();
        let profile = (0..=100).map(|percent| [f64::from(percent) / 100.0, 1.0]).collect();
        let verdict = Some(Estimate { value, interval, level: LEVEL, doubt: None });
        shown(&FittedParameter {
            key,
            value,
            verdict,
            has_effect: true,
            at_half_steps: None,
            break_away: None,
            profile,
        })
    }

    #[test]
    fn a_best_value_at_an_end_of_its_interval_has_the_profile_on_both_sides() {
        for (value, interval) in [(0.5, [0.5, 0.54]), (0.54, [0.5, 0.54]), (0.52, [0.5, 0.54])] {
            let [low, high] = shown_of(value, interval);
            assert!((low - 0.47).abs() < 1e-12 && (high - 0.57).abs() < 1e-12, "{value}: {low} to {high}");
        }
    }

    #[test]
    fn all_that_was_tried_is_shown_towards_an_open_end_and_around_an_interval_without_a_width() {
        assert_eq!(shown_of(0.5, [f64::NEG_INFINITY, 0.54])[0], 0.0);
        assert_eq!(shown_of(0.5, [0.4, f64::INFINITY])[1], 1.0);
        assert_eq!(shown_of(0.5, [0.5, 0.5]), [0.0, 1.0]);
    }
}
