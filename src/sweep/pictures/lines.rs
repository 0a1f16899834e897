//! A figure of merit over one key: a line per value of the next, a panel per stepper; or one panel with a
//! line per stepper.

use super::{
    super::{Columns, Key},
    MOST_PANELS, SweepPicture, file_part,
    spread::{Places, Spread},
};
use crate::{
    decimal::rounded,
    metrics::unit_of_metric,
    plot::{Axis, Figure, Marker, Panel, Point, Scale, Style},
    scenario::unit_of_key,
};

/// Most lines of a family.
const MOST_LINES: usize = 7;
const MARKERS: [Marker; 5] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle, Marker::Down];
/// Largest value over smallest from which a positive figure is drawn on a logarithmic axis.
const WIDE: f64 = 200.0;

pub(super) fn of_metric(
    sweep: &str,
    columns: &Columns,
    axes: &[Spread<'_>],
    metric: &str,
    values: &[f64],
) -> Option<SweepPicture> {
    let x = axes.first()?;
    let family = family(columns, &x.key.name);
    let positive = || values.iter().filter(|value| **value > 0.0 && value.is_finite());
    let is_wide = !values.iter().any(|value| *value < 0.0)
        && positive().fold(0.0_f64, |a, b| a.max(*b))
            > WIDE * positive().fold(f64::INFINITY, |a, b| a.min(*b));
    let axis = |name: &str| {
        let heading = if name.is_empty() { metric.to_owned() } else { format!("{name}: {metric}") };
        let axis = Axis::new(heading, unit_of_metric(metric));
        if is_wide { axis.log() } else { axis }
    };
    let horizontal = || {
        let axis = Axis::new(&x.key.name, unit_of_key(&x.key.name));
        if x.ladder.scale == Scale::Log { axis.log() } else { axis }
    };
    let mut figure = Figure::new(format!("{sweep}: {metric}"));
    let mut is_shared = false;
    let mut line = |stepper: usize, level: Option<(&Key, f64)>| -> Vec<Point> {
        let mut places = Places::new(x.ladder.values.len());
        for (row, value) in values.iter().enumerate() {
            let is_in = usize::from(columns.stepper[row]) == stepper
                && level.is_none_or(|(key, level)| key.values[row] == level);
            if let Some(place) = x.cell(row).filter(|_| is_in) {
                places.add(place, *value);
            }
        }
        is_shared |= places.are_shared();
        let points = x.ladder.values.iter().zip(places.medians());
        points.filter(|(_, value)| value.is_finite()).map(|(x, value)| [*x, value]).collect()
    };
    let mut title = format!("{metric} over {}", x.key.name);
    match family {
        Some((key, ref levels)) => {
            for (stepper, name) in columns.steppers.iter().enumerate().take(MOST_PANELS) {
                let mut panel = Panel::new(horizontal(), axis(name)).height(120.0);
                for (place, &level) in levels.iter().enumerate() {
                    let style =
                        Style::of_series(place, levels.len()).with_marker(MARKERS[place % MARKERS.len()]);
                    panel = panel.curve(level_name(key, level), line(stepper, Some((key, level))), style);
                }
                figure.panels.push(panel);
            }
            figure.shared_x = true;
            figure = figure.remark(&format!("a line per value of {}", key.name));
            title += &format!(", a line per value of {}, a panel per stepper.", key.name);
        }
        None => {
            let mut panel = Panel::new(horizontal(), axis(""));
            for (stepper, name) in columns.steppers.iter().enumerate() {
                let style = Style::of_series(stepper, columns.steppers.len())
                    .with_marker(MARKERS[stepper % MARKERS.len()]);
                panel = panel.curve(name, line(stepper, None), style);
            }
            figure.panels.push(panel);
            title += ", a line per stepper.";
        }
    }
    if columns.steppers.len() > figure.panels.len() && family.is_some() {
        figure = figure.remark(&format!("the first {MOST_PANELS} of {} steppers", columns.steppers.len()));
    }
    if is_shared {
        figure = figure.remark("median of the runs of a point");
    }
    Some(SweepPicture { name: format!("lines-{}", file_part(metric)), title, figure })
}

/// The key whose values are the lines, and those values: the one of most values that are few enough.
fn family<'a>(columns: &'a Columns, without: &str) -> Option<(&'a Key, Vec<f64>)> {
    let few = columns.keys.iter().filter(|key| key.name != without).filter_map(|key| {
        let mut levels = key.values.clone();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        (2..=MOST_LINES).contains(&levels.len()).then_some((key, levels))
    });
    few.max_by_key(|(_, levels)| levels.len())
}

fn level_name(key: &Key, level: f64) -> String {
    key.words.get(level as usize).cloned().unwrap_or_else(|| format!("{}", rounded(level, 6)))
}
