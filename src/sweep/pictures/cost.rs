//! Accuracy against cost: what an error costs by which model.

use super::{
    super::{Columns, Key},
    SweepPicture,
    spread::Places,
};
use crate::{
    metrics::unit_of_metric,
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

const FRONT: Style = Style::line(palette::GREY).with_width(5.0);
const MARKERS: [Marker; 5] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle, Marker::Down];

/// The largest error of a run over its wall time, a curve per stepper over what makes runs finer; the models
/// that nothing beats in both are on the grey line. `None` without errors or times.
pub(super) fn error_over_cost(sweep: &str, columns: &Columns) -> Option<SweepPicture> {
    let errors: Vec<&(String, Vec<f64>)> =
        columns.metrics.iter().filter(|(name, _)| name.contains("error")).collect();
    let error = |row: usize| {
        let errors = errors.iter().map(|(_, values)| values[row]).filter(|error| error.is_finite());
        errors.map(f64::abs).reduce(f64::max)
    };
    let finer = finer_key(columns);
    let mut curves: Vec<(String, Vec<Point>)> = Vec::new();
    for (stepper, name) in columns.steppers.iter().enumerate() {
        let levels = finer.map_or(vec![f64::NAN], levels_of);
        let (mut errors, mut costs) = (Places::new(levels.len()), Places::new(levels.len()));
        for row in (0..columns.len()).filter(|row| usize::from(columns.stepper[*row]) == stepper) {
            let place = match finer {
                Some(key) => levels.iter().position(|level| *level == key.values[row]),
                None => Some(0),
            };
            if let (Some(place), Some(error)) = (place, error(row)) {
                errors.add(place, error);
                costs.add(place, columns.seconds[row] * 1e6);
            }
        }
        let points: Vec<Point> =
            costs.medians().into_iter().zip(errors.medians()).map(|(x, y)| [x, y]).collect();
        let points: Vec<Point> = points.into_iter().filter(|[x, y]| *x > 0.0 && *y > 0.0).collect();
        if !points.is_empty() {
            curves.push((name.clone(), points));
        }
    }
    let front = front(curves.iter().flat_map(|(_, points)| points.iter().copied()));
    let names: Vec<&str> = errors.iter().map(|(name, _)| name.as_str()).collect();
    let first = names.first().map_or("", |name| unit_of_metric(name));
    let unit = if names.iter().all(|name| unit_of_metric(name) == first) { first } else { "" };
    let names = names.join(", ");
    let label = if errors.len() > 1 { format!("largest of {names}") } else { names.clone() };
    let mut panel = Panel::new(Axis::new("time of a run", "µs").log(), Axis::new(label, unit).log());
    if front.len() > 1 {
        panel = panel.curve("Pareto front", front, FRONT);
    }
    if curves.is_empty() {
        return None;
    }
    let count = curves.len();
    for (place, (name, points)) in curves.into_iter().enumerate() {
        let style = Style::of_series(place, count).with_marker(MARKERS[place % MARKERS.len()]);
        panel = panel.curve(name, points, style);
    }
    let mut figure = Figure::new(format!("{sweep}: error over cost"));
    figure.panels.push(panel);
    let over = match finer {
        Some(key) => format!("medians, a point per value of {}", key.name),
        None => "medians over all runs".to_owned(),
    };
    let figure = figure.remark(&over);
    let title = format!("Error ({names}) over the wall time of a run, {over}.");
    Some(SweepPicture { name: "cost".to_owned(), title, figure })
}

/// The key that makes runs finer: the step, or else a setting of steppers.
fn finer_key(columns: &Columns) -> Option<&Key> {
    let of_name = |is: fn(&str) -> bool| {
        columns
            .keys
            .iter()
            .find(|key| is(&key.name) && key.is_number() && (2..=40).contains(&levels_of(key).len()))
    };
    of_name(|name| name == "step").or_else(|| of_name(|name| name.starts_with("stepper.")))
}

fn levels_of(key: &Key) -> Vec<f64> {
    let mut levels = key.values.clone();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

/// The points that no other beats in cost and error at once, by rising cost.
fn front(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut best = f64::INFINITY;
    points.retain(|[_, error]| {
        let is_better = *error < best;
        best = best.min(*error);
        is_better
    });
    points
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn nothing_on_the_front_is_beaten() {
        let points = [[1.0, 9.0], [2.0, 9.5], [3.0, 4.0], [3.0, 5.0], [4.0, 1.0], [9.0, 1.0]];
        assert_eq!(front(points.into_iter()), [[1.0, 9.0], [3.0, 4.0], [4.0, 1.0]]);
    }
}
