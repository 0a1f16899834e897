use crate::model::Vector;

/// A force over time, linear between its rows; none before the first and after the last of them.
#[derive(Debug, Clone, PartialEq)]
pub struct PushTable<const D: usize> {
    /// Times in s, growing, each with a force in N.
    pub rows: Vec<(f64, Vector<D>)>,
}

impl<const D: usize> PushTable<D> {
    /// The force in N at time `t` in s.
    pub fn at(&self, t: f64) -> Vector<D> {
        let next = self.rows.partition_point(|(time, _)| *time <= t);
        match (next.checked_sub(1).map(|before| &self.rows[before]), self.rows.get(next)) {
            (Some((start, before)), Some((end, after))) => {
                before + (after - before) * ((t - start) / (end - start))
            }
            (Some((last, force)), None) if *last == t => *force,
            _ => Vector::zeros(),
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
