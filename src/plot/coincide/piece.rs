use super::{super::geometry::Point, DISTANCE, TURN};

/// Length of a piece, at most.
const GRAIN: f64 = 1.0;
/// Samples of a piece are a quarter of it apart.
const INTERVALS: u32 = 4;

/// A short piece of a curve, within one turn.
#[derive(Debug)]
pub(super) struct Piece {
    pub curve: usize,
    /// Number of the part of a curve; pieces of one part follow each other.
    pub part: usize,
    pub turn: usize,
    pub from: Point,
    pub to: Point,
}

impl Piece {
    pub(super) fn length(&self) -> f64 {
        (self.to[0] - self.from[0]).hypot(self.to[1] - self.from[1])
    }

    /// Points on it, both ends among them.
    pub(super) fn samples(&self) -> impl Iterator<Item = Point> {
        (0..=INTERVALS).map(|k| between(self.from, self.to, f64::from(k) / f64::from(INTERVALS)))
    }

    /// Whether a point is on it, but for the distance.
    pub(super) fn has(&self, [x, y]: Point) -> bool {
        // Asked for every piece that is anywhere near, so without a root.
        let [dx, dy] = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let [px, py] = [x - self.from[0], y - self.from[1]];
        let square = dx * dx + dy * dy;
        let share = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
        (px - share * dx).powi(2) + (py - share * dy).powi(2) < DISTANCE * DISTANCE
    }

    /// How far before its start and after its end a point is, along its line; negative where it is not.
    pub(super) fn overshoot(&self, at: Point) -> (f64, f64) {
        let along = self.along(at);
        (-along, along - self.length())
    }

    /// Distance of the foot of a point from the start; that of the point itself where there is no direction.
    fn along(&self, [x, y]: Point) -> f64 {
        let length = self.length();
        let [dx, dy] = [x - self.from[0], y - self.from[1]];
        if length > 0.0 {
            (dx * (self.to[0] - self.from[0]) + dy * (self.to[1] - self.from[1])) / length
        } else {
            dx.hypot(dy)
        }
    }
}

/// The pieces of curves, along each from its start to its end.
pub(super) fn pieces_of(curves: &[Vec<Vec<Point>>]) -> Vec<Piece> {
    let lines = Lines::across(curves);
    let mut pieces = Vec::new();
    let parts =
        curves.iter().enumerate().flat_map(|(curve, parts)| parts.iter().map(move |part| (curve, part)));
    for (number, (curve, part)) in parts.enumerate() {
        if let [only] = part.as_slice() {
            pieces.push(Piece { curve, part: number, turn: 0, from: *only, to: *only });
        }
        for segment in part.windows(2) {
            let (start, end) = (segment[0], segment[1]);
            let shares = lines.shares(start, end);
            for share in shares.windows(2) {
                let (from, to) = (between(start, end, share[0]), between(start, end, share[1]));
                pieces.push(Piece { curve, part: number, turn: lines.turn(from, to), from, to });
            }
        }
    }
    pieces
}

/// Where turns end: parallel lines across the longer side of what the curves cover.
struct Lines {
    axis: usize,
    start: f64,
}

impl Lines {
    fn across(curves: &[Vec<Vec<Point>>]) -> Self {
        let points = || curves.iter().flatten().flatten();
        let [low, high] = [f64::min, f64::max]
            .map(|fold| [0, 1].map(|axis| points().map(|point| point[axis]).reduce(fold).unwrap_or(0.0)));
        let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
        Self { axis, start: low[axis] }
    }

    fn place(&self, point: Point) -> f64 {
        (point[self.axis] - self.start) / TURN
    }

    fn turn(&self, from: Point, to: Point) -> usize {
        self.place(between(from, to, 0.5)).max(0.0) as usize
    }

    /// Where a segment is cut, as shares of it: at the ends of turns, and between them so that pieces are short.
    fn shares(&self, start: Point, end: Point) -> Vec<f64> {
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        let (low, high) = (self.place(start).min(self.place(end)), self.place(start).max(self.place(end)));
        let span = end[self.axis] - start[self.axis];
        let mut corners = vec![0.0, 1.0];
        let cuts = (low.floor() as i64 + 1)..=(high.ceil() as i64 - 1);
        corners.extend(
            cuts.map(|cut| ((cut as f64 * TURN + self.start - start[self.axis]) / span).clamp(0.0, 1.0)),
        );
        corners.sort_by(f64::total_cmp);
        let mut shares = vec![0.0];
        for pair in corners.windows(2) {
            let count = ((pair[1] - pair[0]) * length / GRAIN).ceil().max(1.0) as u32;
            shares
                .extend((1..count).map(|k| pair[0] + (pair[1] - pair[0]) * f64::from(k) / f64::from(count)));
            shares.push(pair[1]);
        }
        shares
    }
}

/// The point that is `share` of the way from one to another; the other itself where it is all of it.
pub(super) fn between(from: Point, to: Point, share: f64) -> Point {
    if share == 1.0 {
        return to;
    }
    [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
}
