//! Whether two flights are parted by a single contact.
//!
//! An impact changes velocities and spin at once, and neither place nor orientation. So the flights before and after a
//! single contact meet: at some time between them both have the body in one pose. Where they do not there was more than
//! one contact, a slide, or a time of which rows are missing.

use std::ops::Range;

use super::{
    free_flights::{Agreement, Free},
    line::Line,
};

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
        // In units of how far a row may be off.
        let places = rows.map(|rows| Line::through(rows.iter().map(|row| (row.time, row.place / off))));
        let turns = rows.map(|rows| Line::through(rows.iter().map(|row| (row.time, row.turned / off_turn))));
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
