//! Curves that lie on each other take turns, so that each is seen.

use super::geometry::Point;

/// Length of a stretch that one of several curves has for itself.
const STRETCH: f64 = 7.0;
/// Curves that are nowhere farther apart over a stretch lie on each other there.
const DISTANCE: f64 = 0.8;

/// Which stretches of the horizontal axis each of several curves is drawn in.
#[derive(Debug)]
pub(super) struct Turns {
    left: f64,
    /// For every curve and stretch, whether the curve is drawn there, and whether it is alone.
    drawn: Vec<Vec<Turn>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Alone,
    Mine,
    Others,
}

/// A part of a curve between two places of the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    pub from: f64,
    pub to: f64,
    /// Whether no other curve lies on it.
    pub is_alone: bool,
}

impl Turns {
    /// Shares the range from `left` to `right` out among `curves`, points of the picture. Only a curve that runs
    /// from left to right shares its place.
    pub(super) fn of(curves: &[&[Point]], (left, right): (f64, f64)) -> Self {
        let count = ((right - left) / STRETCH).ceil().clamp(1.0, 4096.0) as usize;
        let extents: Vec<Vec<Option<(f64, f64)>>> =
            curves.iter().map(|curve| extents(curve, left, count)).collect();
        let turns = |index: usize, stretch: usize| {
            let Some((low, high)) = extents[index][stretch] else { return Turn::Alone };
            let lies_on = |other: &Option<(f64, f64)>| {
                other.is_some_and(|(a, b)| (a - low).abs() < DISTANCE && (b - high).abs() < DISTANCE)
            };
            let alike = || extents.iter().enumerate().filter(|(_, one)| lies_on(&one[stretch]));
            let (size, rank) = (alike().count(), alike().take_while(|(other, _)| *other < index).count());
            if size == 1 {
                Turn::Alone
            } else if stretch % size == rank {
                Turn::Mine
            } else {
                Turn::Others
            }
        };
        let drawn = (0..curves.len())
            .map(|index| (0..count).map(|stretch| turns(index, stretch)).collect())
            .collect();
        Self { left, drawn }
    }

    /// The parts in which curve `index` is drawn.
    pub(super) fn parts(&self, index: usize) -> Vec<Stretch> {
        let mut parts: Vec<Stretch> = Vec::new();
        for (stretch, turn) in self.drawn[index].iter().enumerate() {
            let is_alone = *turn == Turn::Alone;
            let from = self.left + stretch as f64 * STRETCH;
            match parts.last_mut() {
                _ if *turn == Turn::Others => {}
                Some(last) if last.to == from && last.is_alone == is_alone => last.to = from + STRETCH,
                _ => parts.push(Stretch { from, to: from + STRETCH, is_alone }),
            }
        }
        parts
    }
}

/// Lowest and highest point of a curve in every stretch; nothing where it has gaps or goes back.
fn extents(curve: &[Point], left: f64, count: usize) -> Vec<Option<(f64, f64)>> {
    let mut extents: Vec<Option<(f64, f64)>> = vec![None; count];
    let goes_back = curve.windows(2).any(|pair| pair[1][0] < pair[0][0]);
    if goes_back {
        return extents;
    }
    let mut note = |stretch: usize, y: f64| {
        if let Some(extent) = extents.get_mut(stretch) {
            let (low, high) = extent.unwrap_or((y, y));
            *extent = Some((low.min(y), high.max(y)));
        }
    };
    for pair in curve.windows(2) {
        let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
        if !(x0.is_finite() && x1.is_finite() && y0.is_finite() && y1.is_finite()) {
            continue;
        }
        let place = |x: f64| ((x - left) / STRETCH).max(0.0);
        let (first, last) = (place(x0) as usize, (place(x1) as usize).min(count - 1));
        note(first, y0);
        note(last, y1);
        for stretch in first..last {
            // Where it crosses from one stretch to the next.
            let x = left + (stretch + 1) as f64 * STRETCH;
            let y = y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).clamp(0.0, 1.0);
            note(stretch, y);
            note(stretch + 1, y);
        }
    }
    extents
}

/// The parts of a polyline that runs from left to right between two places of the horizontal axis.
pub(super) fn between(curve: &[Point], from: f64, to: f64) -> Vec<Point> {
    let mut part: Vec<Point> = Vec::new();
    let at = |a: Point, b: Point, x: f64| [x, a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])];
    for (index, &point) in curve.iter().enumerate() {
        if let Some(&before) = index.checked_sub(1).and_then(|before| curve.get(before)) {
            if before[0] < from && point[0] > from {
                part.push(at(before, point, from));
            }
            if before[0] < to && point[0] > to {
                part.push(at(before, point, to));
            }
        }
        // What is not finite stays, as a gap.
        let is_outside = point[0] < from || point[0] > to;
        if !is_outside {
            part.push(point);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(height: impl Fn(f64) -> f64) -> Vec<Point> {
        (0..=70).map(|k| [f64::from(k), height(f64::from(k))]).collect()
    }

    #[test]
    fn curves_on_each_other_take_turns_and_leave_no_gap() {
        let curves = [line(|_| 1.0), line(|_| 1.2), line(|_| 1.4)];
        let turns = Turns::of(&curves.each_ref().map(Vec::as_slice), (0.0, 70.0));
        let mut parts: Vec<Stretch> = (0..3).flat_map(|index| turns.parts(index)).collect();
        parts.sort_by(|a, b| a.from.total_cmp(&b.from));
        assert_eq!(parts.len(), 10);
        assert!(parts.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert!(parts.iter().all(|part| !part.is_alone));
    }

    #[test]
    fn a_curve_is_whole_where_it_is_alone() {
        let curves = [line(|_| 1.0), line(|x| if x <= 35.0 { 1.0 } else { x })];
        let turns = Turns::of(&curves.each_ref().map(Vec::as_slice), (0.0, 70.0));
        for index in 0..2 {
            let alone: Vec<Stretch> = turns.parts(index).into_iter().filter(|part| part.is_alone).collect();
            let [part] = alone.as_slice() else { panic!("{alone:?}") };
            assert_eq!((part.from, part.to), (35.0, 70.0));
        }
    }

    #[test]
    fn a_curve_that_goes_back_shares_nothing() {
        let back: Vec<Point> = line(|_| 1.0).into_iter().rev().collect();
        let curves = [line(|_| 1.0), back];
        let turns = Turns::of(&curves.each_ref().map(Vec::as_slice), (0.0, 70.0));
        assert!(turns.parts(0).iter().all(|part| part.is_alone));
        assert_eq!(turns.parts(1), [Stretch { from: 0.0, to: 70.0, is_alone: true }]);
    }

    #[test]
    fn a_part_of_a_line_ends_where_it_is_cut() {
        assert_eq!(between(&[[0.0, 0.0], [10.0, 10.0]], 2.0, 5.0), [[2.0, 2.0], [5.0, 5.0]]);
        assert_eq!(between(&line(|_| 1.0), 2.0, 4.0), [[2.0, 1.0], [3.0, 1.0], [4.0, 1.0]]);
    }
}
