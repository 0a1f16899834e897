use super::{
    super::{
        floor::Floor,
        geometry::Point,
        series::Series,
        ticks::{decimal, round_positions},
    },
    View, room,
};
use crate::model::Vector;

/// Squares along the longer side of the ground, at most.
const MOST_SQUARES: usize = 9;
/// Heights beside the ground, at most, and the length of their marks in squares.
const MOST_HEIGHTS: usize = 5;
const MARK: f64 = 0.12;
/// How far the names of the sides are from them, in squares.
const NOTE_DISTANCE: f64 = 0.55;

/// The piece of ground under all that happens, seen obliquely, in whole squares, and a scale of heights at its left corner.
pub(in super::super) fn floor<const D: usize>(series: &[Series<'_, D>], view: &View<D>) -> Floor {
    if D < 3 {
        return Floor::default();
    }
    let [least, largest] = room(series);
    let spans = largest - least;
    let longest = spans[0].max(spans[1]);
    if !(longest > 0.0 && longest.is_finite()) {
        return Floor::default();
    }
    let (square, _) = round_positions(0.0, longest, MOST_SQUARES);
    let [[x0, x1], [y0, y1]] = [0, 1]
        .map(|axis| [(least[axis] / square).floor() * square, (largest[axis] / square).ceil() * square]);
    let at = |x: f64, y: f64| {
        let mut point = Vector::<D>::zeros();
        (point[0], point[1]) = (x, y);
        view.project(&point)
    };
    let inner = |low: f64, high: f64| {
        let count = ((high - low) / square).round() as usize;
        (1..count).map(move |k| low + k as f64 * square)
    };
    let mut lines: Vec<[Point; 2]> = inner(x0, x1).map(|x| [at(x, y0), at(x, y1)]).collect();
    lines.extend(inner(y0, y1).map(|y| [at(x0, y), at(x1, y)]));
    let away = NOTE_DISTANCE * square;
    let mut notes = Vec::new();
    for (value, name) in [(x0, ""), (x1, ""), (0.5 * (x0 + x1), "*x* (m)")] {
        let text = if name.is_empty() { decimal(value, square) } else { name.to_owned() };
        notes.push((at(value, y0 - away), text));
    }
    for (value, name) in [(y0, ""), (y1, ""), (0.5 * (y0 + y1), "*y* (m)")] {
        let text = if name.is_empty() { decimal(value, square) } else { name.to_owned() };
        notes.push((at(x1 + 1.3 * away, value), text));
    }
    let mut scale = Vec::new();
    if largest[2] > 0.0 && largest[2].is_finite() {
        // Heights, over the corner at the left.
        let (stride, _) = round_positions(0.0, largest[2], MOST_HEIGHTS);
        let marks = (largest[2] / stride - 1e-9).ceil();
        let over = |height: f64| {
            let mut point = Vector::<D>::zeros();
            (point[0], point[1], point[2]) = (x0, y0, height);
            view.project(&point)
        };
        let top = over(marks * stride);
        scale.push([over(0.0), top]);
        for mark in 1..=marks as usize {
            let height = mark as f64 * stride;
            let [x, y] = over(height);
            scale.push([[x - MARK * square, y], [x, y]]);
            notes.push(([x - 1.2 * away, y], decimal(height, stride)));
        }
        notes.push(([top[0], top[1] + away], "*z* (m)".to_owned()));
    }
    Floor { scale, corners: vec![at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)], lines, notes }
}
