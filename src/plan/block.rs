//! Exact derivatives of the rows of a step by dual numbers: the first of a group of variables at a time that share no row,
//! the second of a pair at a time that meet in one.

use num_dual::{Dual64, HyperDual64};

use super::step_rows::{Given, StepRows};
use crate::random::Random;

/// Points at which it is looked which derivatives there are.
const PROBES: usize = 3;

/// Which derivatives the rows of a step have, the same in all steps.
#[derive(Debug, Clone)]
pub struct Block {
    /// Row and variable of every entry of the Jacobian.
    pub jacobian: Vec<(usize, usize)>,
    /// Variable and variable, not larger, of every entry of the Hessians of the rows together.
    pub hessian: Vec<(usize, usize)>,
    /// Variables that share no row, each group with its entries of the Jacobian.
    groups: Vec<Group>,
}

#[derive(Debug, Clone, Default)]
struct Group {
    variables: Vec<usize>,
    /// Number of an entry, and its row.
    entries: Vec<(usize, usize)>,
    /// Whether a row is taken.
    taken: Vec<bool>,
}

impl Block {
    /// Looks which derivatives there are at points of no particular kind, where none vanishes by chance.
    pub fn of(rows: &StepRows) -> Self {
        let (variables, count) = (rows.layout().variables, rows.layout().rows);
        let mut random = Random::seeded(45);
        let given = Given {
            loads: vec![[1.3, 0.7, 0.4]; rows.pushes()],
            ways: vec![[[0.02, 0.05, 0.03], [0.07, 0.01, 0.04]]; rows.candidates.len()],
        };
        let mut first = vec![false; variables * count];
        let mut second = vec![false; variables * variables];
        for _ in 0..PROBES {
            let point: Vec<f64> = (0..variables).map(|_| random.uniform(0.1, 1.0)).collect();
            let mut values = Vec::new();
            let mut dual: Vec<Dual64> = point.iter().map(|x| Dual64::from_re(*x)).collect();
            for column in 0..variables {
                dual[column].eps = 1.0;
                rows.values(&dual, &given, &mut values);
                dual[column].eps = 0.0;
                for (row, value) in values.iter().enumerate() {
                    first[row * variables + column] |= value.eps != 0.0;
                }
            }
            let mut values = Vec::new();
            let mut dual: Vec<HyperDual64> = point.iter().map(|x| HyperDual64::from_re(*x)).collect();
            for one in 0..variables {
                for other in 0..=one {
                    let meet = |row: usize| first[row * variables + one] && first[row * variables + other];
                    if !(0..count).any(meet) {
                        continue;
                    }
                    dual[one].eps1 = 1.0;
                    dual[other].eps2 = 1.0;
                    rows.values(&dual, &given, &mut values);
                    dual[one].eps1 = 0.0;
                    dual[other].eps2 = 0.0;
                    second[one * variables + other] |= values.iter().any(|value| value.eps1eps2 != 0.0);
                }
            }
        }
        let jacobian: Vec<(usize, usize)> = (0..variables * count)
            .filter(|place| first[*place])
            .map(|place| (place / variables, place % variables))
            .collect();
        let hessian = (0..variables * variables)
            .filter(|place| second[*place])
            .map(|place| (place / variables, place % variables))
            .collect();
        let groups = groups(&jacobian, variables, count);
        Self { jacobian, hessian, groups }
    }

    /// The entries of the Jacobian at `z`.
    pub fn jacobian_values(&self, rows: &StepRows, z: &[f64], given: &Given, values: &mut [f64]) {
        let mut dual: Vec<Dual64> = z.iter().map(|x| Dual64::from_re(*x)).collect();
        let mut found = Vec::with_capacity(rows.layout().rows);
        for group in &self.groups {
            group.variables.iter().for_each(|variable| dual[*variable].eps = 1.0);
            rows.values(&dual, given, &mut found);
            group.variables.iter().for_each(|variable| dual[*variable].eps = 0.0);
            for (entry, row) in &group.entries {
                values[*entry] = found[*row].eps;
            }
        }
    }

    /// The entries of the Hessian of `y' rows` at `z`.
    pub fn hessian_values(&self, rows: &StepRows, z: &[f64], given: &Given, y: &[f64], values: &mut [f64]) {
        let mut dual: Vec<HyperDual64> = z.iter().map(|x| HyperDual64::from_re(*x)).collect();
        let mut found = Vec::with_capacity(rows.layout().rows);
        for (value, (one, other)) in values.iter_mut().zip(&self.hessian) {
            dual[*one].eps1 = 1.0;
            dual[*other].eps2 = 1.0;
            rows.values(&dual, given, &mut found);
            dual[*one].eps1 = 0.0;
            dual[*other].eps2 = 0.0;
            *value = found.iter().zip(y).map(|(row, y)| row.eps1eps2 * y).sum();
        }
    }
}

/// Variables one after the other, each in the first group none of whose rows it has.
fn groups(jacobian: &[(usize, usize)], variables: usize, rows: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for variable in 0..variables {
        let own = || jacobian.iter().enumerate().filter(|(_, (_, column))| *column == variable);
        if own().next().is_none() {
            continue;
        }
        let fits = |group: &Group| own().all(|(_, (row, _))| !group.taken[*row]);
        let place = groups.iter().position(fits).unwrap_or_else(|| {
            groups.push(Group { taken: vec![false; rows], ..Group::default() });
            groups.len() - 1
        });
        let group = &mut groups[place];
        group.variables.push(variable);
        for (entry, (row, _)) in own() {
            group.entries.push((entry, *row));
            group.taken[*row] = true;
        }
    }
    groups
}
