//! Whether two flights are parted by a single contact.
//!
//! An impact changes velocities and spin at once, and neither place nor orientation. So the flights before and after a
//! single contact meet: at some time between them both have the body in one pose. Where they do not there was more than
//! one contact, a slide, or a time of which rows are missing.

use std::ops::Range;

use super::{
    flight::line,
    free_flights::{Agreement, Free},
};
use crate::model::{State, Vector};

/// A straight line through what flights have in proportion to time, in units of how far a row may be off.
struct Line<const N: usize> {
    through: State<N>,
    /// Rows, their mean time in s, and the sum of the squares of their times from it.
    count: f64,
    mean: f64,
    spread: f64,
}

impl<const N: usize> Line<N> {
    fn new(values: impl Iterator<Item = (f64, Vector<N>)> + Clone, off: f64) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().map(|(time, _)| time).sum::<f64>() / count;
        let spread = values.clone().map(|(time, _)| (time - mean).powi(2)).sum();
        Self { through: line(values.map(|(time, value)| (time, value / off))), count, mean, spread }
    }

    fn at(&self, time: f64) -> Vector<N> {
        self.through.position + self.through.velocity * time
    }

    /// Its standard error at a time, over that of a row.
    fn error(&self, time: f64) -> f64 {
        (1.0 / self.count + (time - self.mean).powi(2) / self.spread).sqrt()
    }
}

impl<const D: usize> Agreement<D> {
    /// Whether two flights of a throw meet between their rows, to within what their rows may be off and the error of the
    /// lines through them, or `least_off` in m and `least_turn` in rad, where that is more: what steps and
    /// compliance make of an impact.
    pub(super) fn meet(
        &self,
        free: &[Free<D>],
        [before, after]: [&Range<usize>; 2],
        [least_off, least_turn]: [f64; 2],
    ) -> bool {
        let rows = [before, after].map(|rows| &free[rows.clone()]);
        let (off, off_turn) = (self.off.max(f64::MIN_POSITIVE), self.off_turn.max(f64::MIN_POSITIVE));
        let places = rows.map(|rows| Line::new(rows.iter().map(|row| (row.time, row.place)), off));
        let turns = rows.map(|rows| Line::new(rows.iter().map(|row| (row.time, row.turned)), off_turn));
        let apart =
            |time: f64| (places[1].at(time) - places[0].at(time), turns[1].at(time) - turns[0].at(time));
        let (from, to) = (rows[0][rows[0].len() - 1].time, rows[1][0].time);
        // A parabola in time: where it is least.
        let ((place, turn), (last_place, last_turn)) = (apart(from), apart(to));
        let (moved, turned) = (last_place - place, last_turn - turn);
        let speed = moved.norm_squared() + turned.norm_squared();
        let share = -(place.dot(&moved) + turn.dot(&turned)) / speed;
        let time = from + (to - from) * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        let (place, turn) = apart(time);
        let error = places[0].error(time) + places[1].error(time);
        place.norm() <= (1.0 + error).max(least_off / off)
            && turn.norm() <= (1.0 + error).max(least_turn / off_turn)
    }
}
