//! Fewer points that draw the same picture.

use super::geometry::Point;

/// Columns into which a curve over time is sorted: with at most four points each, a curve stays
/// under 2,500 points whatever the length of the run, and a column is 1.7 pixels of the PNG wide
/// or less.
const COLUMNS: usize = 640;

/// Thins a curve whose first coordinate grows, keeping in each column of `range` the first, the
/// smallest, the largest and the last value, so that no peak is lost. Points that are not finite
/// stay as gaps.
pub(super) fn by_column(points: impl IntoIterator<Item = Point>, range: (f64, f64)) -> Vec<Point> {
    thinned(&mut points.into_iter(), range)
}

/// [`by_column`], compiled once for all kinds of iterator.
fn thinned(points: &mut dyn Iterator<Item = Point>, range: (f64, f64)) -> Vec<Point> {
    let per_column = COLUMNS as f64 / (range.1 - range.0);
    let mut thinned = Vec::new();
    let mut column: Option<Column> = None;
    for point in points {
        if !(point[0].is_finite() && point[1].is_finite()) {
            if let Some(column) = column.take() {
                column.keep(&mut thinned);
                thinned.push([f64::NAN, f64::NAN]);
            }
            continue;
        }
        let index = ((point[0] - range.0) * per_column).floor();
        match &mut column {
            Some(column) if column.index == index => column.add(point),
            _ => {
                if let Some(full) = column.replace(Column::new(index, point)) {
                    full.keep(&mut thinned);
                }
            }
        }
    }
    if let Some(column) = column {
        column.keep(&mut thinned);
    }
    thinned
}

/// Points of one column, numbered in their order.
struct Column {
    index: f64,
    count: usize,
    first: (usize, Point),
    lowest: (usize, Point),
    highest: (usize, Point),
    last: (usize, Point),
}

impl Column {
    fn new(index: f64, point: Point) -> Self {
        let point = (0, point);
        Self { index, count: 1, first: point, lowest: point, highest: point, last: point }
    }

    fn add(&mut self, point: Point) {
        let entry = (self.count, point);
        self.count += 1;
        if point[1] < self.lowest.1[1] {
            self.lowest = entry;
        }
        if point[1] > self.highest.1[1] {
            self.highest = entry;
        }
        self.last = entry;
    }

    fn keep(self, points: &mut Vec<Point>) {
        let mut kept = [self.first, self.lowest, self.highest, self.last];
        kept.sort_unstable_by_key(|(order, _)| *order);
        let mut previous = None;
        for (order, point) in kept {
            if previous.replace(order) != Some(order) {
                points.push(point);
            }
        }
    }
}

/// Thins any curve: a point is kept when it is `distance` away from the last kept one, or is the
/// last before a gap. Keeps the index of each kept point.
pub(super) fn by_distance(points: impl IntoIterator<Item = Point>, distance: Point) -> Vec<(usize, Point)> {
    let mut thinned: Vec<(usize, Point)> = Vec::new();
    let mut skipped = None;
    for (index, point) in points.into_iter().enumerate() {
        let near = thinned.last().is_some_and(|&(_, kept)| {
            (point[0] - kept[0]).abs() < distance[0] && (point[1] - kept[1]).abs() < distance[1]
        });
        if near {
            skipped = Some((index, point));
        } else {
            if !(point[0].is_finite() && point[1].is_finite()) {
                thinned.extend(skipped);
            }
            thinned.push((index, point));
            skipped = None;
        }
    }
    thinned.extend(skipped);
    thinned
}

/// Drops the points of a polyline that lie within `tolerance` of the line through the others
/// (Ramer 1972, Douglas and Peucker 1973).
pub(super) fn straighten(points: &[Point], tolerance: f64) -> Vec<Point> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let mut keep = vec![false; points.len()];
    let mut stack = vec![(0, points.len() - 1)];
    while let Some((first, last)) = stack.pop() {
        keep[first] = true;
        keep[last] = true;
        let farthest = (first + 1..last)
            .map(|k| (k, distance_to_segment(points[k], points[first], points[last])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, distance)) = farthest
            && distance > tolerance
        {
            stack.push((first, k));
            stack.push((k, last));
        }
    }
    points.iter().zip(keep).filter_map(|(point, keep)| keep.then_some(*point)).collect()
}

fn distance_to_segment(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (px, py) = (point[0] - from[0], point[1] - from[1]);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - along * dx).hypot(py - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_peak_in_a_million_points_is_kept() {
        let curve = (0..1_000_000).map(|k| [f64::from(k), if k == 654_321 { 7.0 } else { 0.0 }]);
        let thinned = by_column(curve, (0.0, 1e6));
        assert!(thinned.len() <= 4 * COLUMNS);
        assert!(thinned.contains(&[654_321.0, 7.0]));
        assert_eq!(thinned.last(), Some(&[999_999.0, 0.0]));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let curve = vec![[0.0, 1.0], [0.5, -2.0], [1.0, 3.0]];
        assert_eq!(by_column(curve.clone(), (0.0, 1.0)), curve);
    }

    #[test]
    fn gaps_stay() {
        let thinned = by_column([[0.0, 1.0], [0.1, f64::NAN], [0.2, 1.0]], (0.0, 1.0));
        assert_eq!(thinned.len(), 3);
        assert!(thinned[1][1].is_nan());
    }

    #[test]
    fn a_path_that_rests_keeps_its_last_point() {
        let curve = (0..1000).map(|k| [f64::from(k.min(10)), 0.0]).chain([[10.2, 0.0]]);
        let thinned = by_distance(curve, [0.5, 0.5]);
        assert_eq!(thinned.last(), Some(&(1000, [10.2, 0.0])));
        assert_eq!(thinned.len(), 12);
    }

    #[test]
    fn points_on_a_line_go_and_corners_stay() {
        let points = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 5.0], [2.0, 6.0]];
        assert_eq!(straighten(&points, 0.01), [[0.0, 0.0], [2.0, 0.0], [2.0, 6.0]]);
    }
}
