//! Points and rectangles of a picture, in its units, y downwards; polylines cut to a rectangle.

/// A point `[x, y]`, of a picture or of its data.
pub type Point = [f64; 2];

/// An axis-parallel rectangle of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Rect {
    /// Horizontal extent.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Vertical extent.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether the two have an area in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether `other` lies within.
    pub fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// The rectangle grown by `margin` on every side.
    pub(super) fn grown(&self, margin: f64) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// The corners, in order.
    pub(super) fn corners(&self) -> [Point; 4] {
        [[self.left, self.top], [self.right, self.top], [self.right, self.bottom], [self.left, self.bottom]]
    }

    /// How far it is from a point within to the edge, along a unit vector.
    pub(super) fn room(&self, [x, y]: Point, along: Point) -> f64 {
        let sides = [(self.left - x, self.right - x, along[0]), (self.top - y, self.bottom - y, along[1])];
        let room = sides.map(|(low, high, way)| match way {
            0.0 => f64::INFINITY,
            _ => (low / way).max(high / way),
        });
        room[0].min(room[1]).max(0.0)
    }

    /// Whether the point lies within.
    pub(super) fn has(&self, [x, y]: Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

/// The part of a convex or simple polygon where `inside` is not negative; it must be linear (Sutherland
/// and Hodgman, Comm. ACM 17, 1974).
pub(super) fn clip_polygon(corners: &[Point], inside: impl Fn(Point) -> f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (k, &to) in corners.iter().enumerate() {
        let from = corners[if k == 0 { corners.len() - 1 } else { k - 1 }];
        let (a, b) = (inside(from), inside(to));
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let share = a / (a - b);
            kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
        }
        if b >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

/// The part of a convex or simple polygon inside a rectangle.
pub(super) fn clip_to(corners: &[Point], rect: &Rect) -> Vec<Point> {
    let sides: [&dyn Fn(Point) -> f64; 4] = [
        &|point| point[0] - rect.left,
        &|point| rect.right - point[0],
        &|point| point[1] - rect.top,
        &|point| rect.bottom - point[1],
    ];
    sides.iter().fold(corners.to_vec(), |corners, side| clip_polygon(&corners, side))
}

/// The parts of a polyline inside a rectangle. Points that are not finite cut it.
pub(super) fn clip(points: impl IntoIterator<Item = Point>, to: &Rect) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut part: Vec<Point> = Vec::new();
    let mut previous: Option<Point> = None;
    for point in points {
        if !(point[0].is_finite() && point[1].is_finite()) {
            parts.push(std::mem::take(&mut part));
            previous = None;
            continue;
        }
        match previous {
            None if to.has(point) => part.push(point),
            None => {}
            Some(previous) => match clip_segment(previous, point, to) {
                None => parts.push(std::mem::take(&mut part)),
                Some((start, end)) => {
                    if part.last() != Some(&start) {
                        parts.push(std::mem::replace(&mut part, vec![start]));
                    }
                    part.push(end);
                }
            },
        }
        previous = Some(point);
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The part of a segment inside a rectangle (Liang and Barsky, ACM Trans. Graphics 3, 1984).
fn clip_segment(from: Point, to: Point, rect: &Rect) -> Option<(Point, Point)> {
    let direction = [to[0] - from[0], to[1] - from[1]];
    let bounds = [(rect.left, rect.right), (rect.top, rect.bottom)];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (low, high) = (bounds[axis].0 - from[axis], bounds[axis].1 - from[axis]);
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
        } else {
            let (first, second) = (low / direction[axis], high / direction[axis]);
            enter = enter.max(first.min(second));
            leave = leave.min(first.max(second));
        }
    }
    let at = |s: f64| match s {
        0.0 => from,
        1.0 => to,
        _ => [from[0] + s * direction[0], from[1] + s * direction[1]],
    };
    (enter <= leave).then(|| (at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rect = Rect { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

    #[test]
    fn a_line_that_leaves_and_comes_back_has_two_parts() {
        let parts = clip([[0.5, 0.5], [0.5, 2.0], [0.8, 2.0], [0.8, 0.5]], &UNIT);
        assert_eq!(parts, [vec![[0.5, 0.5], [0.5, 1.0]], vec![[0.8, 1.0], [0.8, 0.5]]]);
    }

    #[test]
    fn a_line_through_the_whole_rectangle_is_cut_at_both_ends() {
        assert_eq!(clip([[-1.0, 0.5], [3.0, 0.5]], &UNIT), [vec![[0.0, 0.5], [1.0, 0.5]]]);
        assert!(clip([[-1.0, -0.5], [3.0, -0.5]], &UNIT).is_empty());
    }

    #[test]
    fn a_polygon_is_cut_by_a_line() {
        let half = clip_polygon(&UNIT.corners(), |[x, y]| 0.5 - x - y);
        assert_eq!(half, [[0.0, 0.5], [0.0, 0.0], [0.5, 0.0]]);
        assert!(clip_polygon(&UNIT.corners(), |[x, _]| x - 2.0).is_empty());
    }

    #[test]
    fn the_way_to_the_edge_is_that_of_the_first_side_that_is_met() {
        assert_eq!(UNIT.room([0.25, 0.5], [1.0, 0.0]), 0.75);
        assert_eq!(UNIT.room([0.25, 0.5], [0.0, -1.0]), 0.5);
        assert!((UNIT.room([0.5, 0.75], [0.6, 0.8]) - 0.3125).abs() < 1e-15);
        assert_eq!(UNIT.room([1.0, 0.5], [1.0, 0.0]), 0.0);
    }

    #[test]
    fn what_is_not_finite_cuts_the_line() {
        let parts = clip([[0.1, 0.1], [0.2, 0.1], [f64::NAN, 0.1], [0.3, 0.1], [0.4, 0.1]], &UNIT);
        assert_eq!(parts.len(), 2);
    }
}
