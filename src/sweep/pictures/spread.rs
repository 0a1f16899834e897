//! How the values of a key are spread, and what runs at one place come to.

use super::{
    super::{Columns, Key},
    BINS, MOST_VALUES,
};
use crate::{
    plot::{Ladder, Scale},
    scenario::unit_of_key,
};

/// Largest value over smallest from which a sampled, positive key is divided by ratios.
const WIDE: f64 = 30.0;

/// A key to draw over.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread<'a> {
    pub key: &'a Key,
    /// Its values, or its parts.
    pub ladder: Ladder,
    /// Whether it is divided into parts.
    pub is_divided: bool,
}

/// The numeric keys that take at least two values, that of most values first; those that are divided last
/// but in their order.
pub(super) fn axes(columns: &Columns) -> Vec<Spread<'_>> {
    let numeric = columns.keys.iter().filter(|key| key.is_number());
    let mut axes: Vec<Spread<'_>> = numeric.filter_map(Spread::of).collect();
    let room = |axis: &Spread<'_>| if axis.is_divided { 0 } else { axis.ladder.values.len() };
    axes.sort_by_key(|axis| std::cmp::Reverse(room(axis)));
    axes
}

impl<'a> Spread<'a> {
    fn of(key: &'a Key) -> Option<Self> {
        let ladder = Ladder::new(key.values.iter().copied());
        let (low, high) = (*ladder.values.first()?, *ladder.values.last()?);
        if low >= high {
            return None;
        }
        if ladder.values.len() <= MOST_VALUES && ladder.values.len() < key.values.len() {
            return Some(Self { key, ladder, is_divided: false });
        }
        let scale = if low > 0.0 && high / low >= WIDE { Scale::Log } else { Scale::Linear };
        Some(Self { key, ladder: Ladder::even(low, high, BINS, scale), is_divided: true })
    }

    /// Its values with the name and the unit of the key.
    pub fn labelled(&self) -> (&Ladder, &str, &str) {
        (&self.ladder, &self.key.name, unit_of_key(&self.key.name))
    }

    /// The value or part of run `row`.
    pub fn cell(&self, row: usize) -> Option<usize> {
        self.ladder.cell_of(self.key.values[row])
    }
}

/// Figures of runs that fall on one place.
#[derive(Debug, Clone)]
pub(super) struct Places(Vec<Vec<f64>>);

impl Places {
    pub fn new(count: usize) -> Self {
        Self(vec![Vec::new(); count])
    }

    pub fn add(&mut self, place: usize, value: f64) {
        if value.is_finite() {
            self.0[place].push(value);
        }
    }

    /// Whether several runs fall on one place.
    pub fn are_shared(&self) -> bool {
        self.0.iter().any(|values| values.len() > 1)
    }

    /// The median of each place; not a number where there is none.
    pub fn medians(self) -> Vec<f64> {
        self.0.into_iter().map(median).collect()
    }

    /// The mean of each place; not a number where there is none.
    pub fn means(self) -> Vec<f64> {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        self.0.into_iter().map(mean).collect()
    }
}

/// The middle value, the lower of two; not a number if there is none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let middle = (values.len() - 1) / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(keys: &[(&str, Vec<f64>)]) -> Columns {
        let key = |(name, values): &(&str, Vec<f64>)| Key {
            name: (*name).to_owned(),
            values: values.clone(),
            words: Vec::new(),
        };
        Columns {
            steppers: vec!["nlp".into()],
            stepper: vec![0; keys[0].1.len()],
            keys: keys.iter().map(key).collect(),
            metrics: Vec::new(),
            status: Vec::new(),
            seconds: Vec::new(),
            reasons: Vec::new(),
        }
    }

    #[test]
    fn the_key_of_most_values_comes_first_and_sampled_keys_are_divided() {
        let runs = 0..240;
        let columns = columns(&[
            ("sampled", runs.clone().map(|k| f64::from(k) * 0.1).collect()),
            ("few", runs.clone().map(|k| f64::from(k % 3)).collect()),
            ("many", runs.clone().map(|k| f64::from(k % 8)).collect()),
            ("one", runs.map(|_| 1.0).collect()),
        ]);
        let axes = axes(&columns);
        let names: Vec<&str> = axes.iter().map(|axis| axis.key.name.as_str()).collect();
        assert_eq!(names, ["many", "few", "sampled"]);
        assert!(axes[2].is_divided && axes[2].ladder.values.len() == BINS);
        assert_eq!((axes[2].cell(0), axes[2].cell(239)), (Some(0), Some(BINS - 1)));
    }

    #[test]
    fn the_median_of_two_is_the_lower_one() {
        assert_eq!(median(vec![3.0, 1.0]), 1.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
