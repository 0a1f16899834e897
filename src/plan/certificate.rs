//! What can be said of a plan, recomputed: first-order conditions on its branch, and the second-order one by the inertia of the
//! matrix of its free variables and active rows.

use super::{program::Program, relaxation::Point};
use crate::nlp::sparse::{SparseLdl, SparseNlp};

/// A distance to a bound, in units, that is none.
const ACTIVE: f64 = 1e-7;
/// First-order residual, in units, up to which a plan may be called an optimum.
const STATIONARY: f64 = 1e-6;
/// A curvature, in units, that is none.
const FLAT: f64 = 1e-6;
/// What stands for zero below the rows, so that rows that say the same do not make the matrix singular.
const REDUNDANT: f64 = 1e-8;

/// What is said of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No plan near it is cheaper: first and second-order conditions hold, and no pair of zeros would gain by its other side.
    LocalOptimum,
    /// The same, but the cost does not change in so many directions.
    Flat(usize),
    /// First-order conditions hold; a pair of zeros has a multiplier of the wrong sign, and to switch it was tried and did not
    /// help.
    NoSingleSwitchHelps,
    /// Nothing of this.
    NotCertified,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LocalOptimum => f.write_str("local optimum"),
            Self::Flat(1) => f.write_str("flat in 1 direction"),
            Self::Flat(count) => write!(f, "flat in {count} directions"),
            Self::NoSingleSwitchHelps => f.write_str("no single switch helps"),
            Self::NotCertified => f.write_str("not certified"),
        }
    }
}

/// A verdict and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// Largest residual of the first-order conditions on the branch, in units.
    pub kkt: f64,
    /// The verdict.
    pub verdict: Verdict,
}

impl Certificate {
    /// Of a point of the program of a branch, in which `wrong` pairs of zeros have multipliers of the wrong sign though their
    /// switches did not help.
    pub fn of(program: &Program, point: &Point, wrong: usize) -> Self {
        let kkt = first_order(program, point);
        let verdict = match (kkt <= STATIONARY, wrong) {
            (false, _) => Verdict::NotCertified,
            (true, 1..) => Verdict::NoSingleSwitchHelps,
            (true, 0) => second_order(program, point),
        };
        Self { kkt, verdict }
    }
}

/// The gradient of `f(x) + y' g(x)`.
pub fn lagrangian_gradient(program: &Program, point: &Point) -> Vec<f64> {
    let mut gradient = vec![0.0; program.variables()];
    program.gradient(&point.x, &mut gradient);
    let entries = program.jacobian_entries();
    let mut values = vec![0.0; entries.len()];
    program.jacobian_values(&point.x, &mut values);
    for ((row, column), value) in entries.into_iter().zip(values) {
        gradient[column] += point.multipliers.constraints[row] * value;
    }
    gradient
}

/// What is left of a slope towards bounds: at a bound that it presses against nothing, else its size, or the product with the
/// distance if that is less.
fn pressed(slope: f64, [below, above]: [f64; 2]) -> f64 {
    let distance = if slope > 0.0 { below } else { above };
    if distance.is_finite() { slope.abs().min(slope.abs() * distance.max(0.0)) } else { slope.abs() }
}

/// The largest of the residuals of rows, bounds and slopes.
fn first_order(program: &Program, point: &Point) -> f64 {
    let (on_x, on_g) = (program.variable_bounds(), program.constraint_bounds());
    let mut values = vec![0.0; program.constraints()];
    program.constraint_values(&point.x, &mut values);
    let mut worst: f64 = 0.0;
    let mut note =
        |residual: f64| worst = if residual.is_nan() { f64::INFINITY } else { worst.max(residual) };
    for (variable, slope) in lagrangian_gradient(program, point).into_iter().enumerate() {
        let [below, above] =
            [point.x[variable] - on_x.lower[variable], on_x.upper[variable] - point.x[variable]];
        note((-below).max(-above).max(0.0));
        if on_x.lower[variable] < on_x.upper[variable] {
            note(pressed(slope, [below, above]));
        }
    }
    for (row, value) in values.into_iter().enumerate() {
        let [below, above] = [value - on_g.lower[row], on_g.upper[row] - value];
        note((-below).max(-above).max(0.0));
        if on_g.lower[row] < on_g.upper[row] {
            // A positive multiplier belongs to the upper bound.
            note(pressed(-point.multipliers.constraints[row], [below, above]));
        }
    }
    worst
}

/// The verdict of `[[H + s, A'], [A, -1e-8]]` of free variables and active rows, for a small `s` of either sign: the inertia with
/// `s > 0` says whether there is a direction of descent, that with `s < 0` how many have no curvature.
fn second_order(program: &Program, point: &Point) -> Verdict {
    let Some([convex, concave]) = inertias(program, point) else { return Verdict::NotCertified };
    match (convex, concave) {
        (0, 0) => Verdict::LocalOptimum,
        (0, flat) => Verdict::Flat(flat),
        _ => Verdict::NotCertified,
    }
}

/// How many negative eigenvalues there are beyond one per active row, with a small positive and a small negative shift.
fn inertias(program: &Program, point: &Point) -> Option<[usize; 2]> {
    let (on_x, on_g) = (program.variable_bounds(), program.constraint_bounds());
    let x = &point.x;
    let mut values = vec![0.0; program.constraints()];
    program.constraint_values(x, &mut values);
    let mut order = 0;
    let mut numbered = |is_in: bool| {
        order += usize::from(is_in);
        is_in.then(|| order - 1)
    };
    let is_near = |value: f64, lower: f64, upper: f64| value - lower < ACTIVE || upper - value < ACTIVE;
    let free: Vec<Option<usize>> = (0..x.len())
        .map(|index| numbered(!is_near(x[index], on_x.lower[index], on_x.upper[index])))
        .collect();
    let active: Vec<Option<usize>> = values
        .iter()
        .enumerate()
        .map(|(row, value)| numbered(is_near(*value, on_g.lower[row], on_g.upper[row])))
        .collect();
    let rows = active.iter().flatten().count();
    let mut rows_of_matrix: Vec<std::collections::BTreeMap<usize, f64>> = vec![Default::default(); order];
    let mut add = |one: usize, other: usize, value: f64| {
        *rows_of_matrix[one.min(other)].entry(one.max(other)).or_insert(0.0) += value;
    };
    let entries = program.hessian_entries();
    let mut hessian = vec![0.0; entries.len()];
    program.hessian_values(x, 1.0, &point.multipliers.constraints, &mut hessian);
    for ((one, other), value) in entries.into_iter().zip(hessian) {
        if let (Some(one), Some(other)) = (free[one], free[other]) {
            add(one, other, value);
        }
    }
    let entries = program.jacobian_entries();
    let mut jacobian = vec![0.0; entries.len()];
    program.jacobian_values(x, &mut jacobian);
    for ((row, column), value) in entries.into_iter().zip(jacobian) {
        if let (Some(row), Some(column)) = (active[row], free[column]) {
            add(row, column, value);
        }
    }
    free.iter().flatten().for_each(|index| add(*index, *index, 0.0));
    active.iter().flatten().for_each(|index| add(*index, *index, -REDUNDANT));
    let starts: Vec<usize> = std::iter::once(0)
        .chain(rows_of_matrix.iter().scan(0, |sum, row| {
            *sum += row.len();
            Some(*sum)
        }))
        .collect();
    let columns: Vec<usize> = rows_of_matrix.iter().flat_map(|row| row.keys().copied()).collect();
    let mut is_free = vec![false; order];
    free.iter().flatten().for_each(|index| is_free[*index] = true);
    let mut ldl = SparseLdl::new(&starts, &columns).ok()?;
    let mut beyond = |shift: f64| {
        for (row, entries) in rows_of_matrix.iter().enumerate() {
            let values = &mut ldl.values_mut()[starts[row]..starts[row + 1]];
            for (value, (column, entry)) in values.iter_mut().zip(entries) {
                *value = entry + if *column == row && is_free[row] { shift } else { 0.0 };
            }
        }
        let inertia = ldl.factor().ok()?;
        inertia.negative.checked_sub(rows)
    };
    Some([beyond(FLAT)?, beyond(-FLAT)?])
}
