use std::ops::{Add, Mul, Sub};

use super::time::on_grid;
use crate::model::{Spin, Vector};

/// A force and a torque over time, linear between their rows; none before the first and after the last of them.
#[derive(Debug, Clone, PartialEq)]
pub struct PushTable<const D: usize> {
    /// Times in s, growing, each with a force in N.
    pub rows: Vec<(f64, Vector<D>)>,
    /// A torque in N m for each of them, in the axes of the world; empty where there is none.
    pub torques: Vec<Spin>,
}

impl<const D: usize> PushTable<D> {
    /// The same in a time of steps of `dt` s that begins `passed` s later; `None` if its last row is over by then. Rows before the
    /// beginning stay, at negative times, so that what is between them and the next stays as it was.
    #[must_use]
    pub fn after(&self, passed: f64, dt: f64) -> Option<Self> {
        // A row on the beginning of a step is there to the last digit: the last one pushes in that step.
        let later = |(time, force): &(f64, Vector<D>)| (on_grid(time - passed, dt), *force);
        let rows: Vec<_> = self.rows.iter().map(later).collect();
        rows.last()
            .is_some_and(|(time, _)| *time >= 0.0)
            .then(|| Self { rows, torques: self.torques.clone() })
    }

    /// The force in N at time `t` in s.
    pub fn at(&self, t: f64) -> Vector<D> {
        self.between(t, |row| self.rows.get(row).map(|(_, force)| *force)).unwrap_or_else(Vector::zeros)
    }

    /// The torque in N m at time `t` in s.
    pub fn torque_at(&self, t: f64) -> Spin {
        self.between(t, |row| self.torques.get(row).copied()).unwrap_or_else(Spin::zeros)
    }

    /// A value at time `t`, linear between those `of` the rows; `None` outside of them.
    fn between<V>(&self, t: f64, of: impl Fn(usize) -> Option<V>) -> Option<V>
    where
        V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>,
    {
        let next = self.rows.partition_point(|(time, _)| *time <= t);
        let before = next.checked_sub(1)?;
        let (start, value) = (self.rows[before].0, of(before)?);
        match self.rows.get(next) {
            Some((end, _)) => Some(value + (of(next)? - value) * ((t - start) / (end - start))),
            None => (start == t).then_some(value),
        }
    }

    /// The impulse in N s from `begin` to `end` in s.
    pub fn impulse(&self, begin: f64, end: f64) -> Vector<D> {
        let spans = self.rows.windows(2).map(|pair| (begin.max(pair[0].0), end.min(pair[1].0)));
        let spans = spans.filter(|(from, to)| to > from);
        // Linear in each span: the force in its middle is the mean.
        spans.fold(Vector::zeros(), |sum, (from, to)| sum + self.at(0.5 * (from + to)) * (to - from))
    }

    /// Least and largest value of a component, 0 included.
    pub fn range(&self, axis: usize) -> (f64, f64) {
        let values = self.rows.iter().map(|(_, force)| force[axis]);
        values.fold((0.0, 0.0), |(low, high), value| (low.min(value), high.max(value)))
    }
}
