use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64, HyperDualSVec64};

use super::Nlp;

/// Points at which the dependencies are probed. They differ only where a program branches on the
/// values of its variables (`max`, `if`), so a few are enough.
const PROBE_POINTS: u32 = 5;

/// Which derivatives of a program can be non-zero, and in which groups they are evaluated.
///
/// Dependence is structural, not numerical: a dual number of num-dual carries `None` for a
/// derivative that cannot be there, and this is what is read off. So an entry is not lost because
/// a coefficient happens to be zero, because two terms cancel, or because the probe point lies
/// outside the domain of a logarithm and gives NaN. Several pseudo-random points within the bounds
/// are united, for programs that branch on their variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sparsity<const N: usize, const M: usize> {
    jacobian: Vec<(usize, usize)>,
    hessian: Vec<(usize, usize)>,
    column_groups: Vec<ColumnGroup>,
}

/// Variables of which no two enter the same constraint: one directional derivative along their sum
/// gives all their Jacobian columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnGroup {
    /// The variables of the group.
    pub variables: Vec<usize>,
    /// Positions in [`Sparsity::jacobian`] that the group fills, each with its row.
    pub entries: Vec<(usize, usize)>,
}

impl<const N: usize, const M: usize> Sparsity<N, M> {
    /// Probes the derivatives of `problem`.
    pub fn probe<P: Nlp<N, M>>(problem: &P) -> Self {
        let points: Vec<_> = (0..PROBE_POINTS).map(|index| probe_point(problem, index)).collect();
        let jacobian = probe_jacobian(problem, &points);
        let hessian = probe_hessian(problem, &points);
        let column_groups = group_columns::<N>(&jacobian);
        Self { jacobian, hessian, column_groups }
    }

    /// Row (constraint) and column (variable) of every entry of the constraint Jacobian that can
    /// be non-zero, by rows.
    pub fn jacobian(&self) -> &[(usize, usize)] {
        &self.jacobian
    }

    /// Row and column of every entry of the lower triangle (row >= column) of the Hessian of the
    /// Lagrangian that can be non-zero, by rows.
    pub fn hessian(&self) -> &[(usize, usize)] {
        &self.hessian
    }

    pub(super) fn column_groups(&self) -> &[ColumnGroup] {
        &self.column_groups
    }
}

/// A pseudo-random point within the bounds where they are finite, of both signs where they are not.
fn probe_point<const N: usize, const M: usize, P: Nlp<N, M>>(problem: &P, index: u32) -> SVector<f64, N> {
    let bounds = problem.variable_bounds();
    SVector::from_fn(|variable, _| {
        // Weyl sequence in (0, 1): multiples of the golden ratio's inverse.
        let position = f64::from(index + 1) * 0.754_877_666 + variable as f64 * 0.618_033_989;
        let fraction = 0.05 + 0.9 * position.fract();
        let (lower, upper) = (bounds.lower[variable], bounds.upper[variable]);
        match (lower.is_finite(), upper.is_finite()) {
            (true, true) => lower + fraction * (upper - lower),
            (true, false) => lower + fraction * lower.abs().max(1.0),
            (false, true) => upper - fraction * upper.abs().max(1.0),
            (false, false) => 2.0 * fraction - 1.0,
        }
    })
}

fn probe_jacobian<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    points: &[SVector<f64, N>],
) -> Vec<(usize, usize)> {
    let mut depends = vec![false; M * N];
    for point in points {
        for column in 0..N {
            let mut x = point.map(DualSVec64::<1>::from_re);
            x[column].eps = Derivative::some(SVector::repeat(1.0));
            for (row, value) in problem.constraints(&x).iter().enumerate() {
                depends[row * N + column] |= value.eps.0.is_some();
            }
        }
    }
    let entries = (0..M).flat_map(|row| (0..N).map(move |column| (row, column)));
    entries.filter(|(row, column)| depends[row * N + column]).collect()
}

fn probe_hessian<const N: usize, const M: usize, P: Nlp<N, M>>(
    problem: &P,
    points: &[SVector<f64, N>],
) -> Vec<(usize, usize)> {
    let is_coupled = |row: usize, column: usize, point: &SVector<f64, N>| {
        let mut x = point.map(HyperDualSVec64::<1, 1>::from_re);
        x[row].eps1 = Derivative::some(SVector::repeat(1.0));
        x[column].eps2 = Derivative::some(SVector::repeat(1.0));
        problem.objective(&x).eps1eps2.0.is_some()
            || problem.constraints(&x).iter().any(|value| value.eps1eps2.0.is_some())
    };
    let entries = (0..N).flat_map(|row| (0..=row).map(move |column| (row, column)));
    entries.filter(|&(row, column)| points.iter().any(|point| is_coupled(row, column, point))).collect()
}

/// Greedy colouring of the columns (Curtis, Powell and Reid 1974): a column joins the first group
/// with which it shares no row.
fn group_columns<const N: usize>(jacobian: &[(usize, usize)]) -> Vec<ColumnGroup> {
    let mut groups: Vec<ColumnGroup> = Vec::new();
    for variable in 0..N {
        let column = jacobian.iter().enumerate().filter(|(_, entry)| entry.1 == variable);
        let entries: Vec<_> = column.map(|(position, entry)| (position, entry.0)).collect();
        if entries.is_empty() {
            continue;
        }
        let is_free = |group: &&mut ColumnGroup| {
            group.entries.iter().all(|taken| entries.iter().all(|entry| entry.1 != taken.1))
        };
        match groups.iter_mut().find(is_free) {
            Some(group) => {
                group.variables.push(variable);
                group.entries.extend(entries);
            }
            None => groups.push(ColumnGroup { variables: vec![variable], entries }),
        }
    }
    groups
}
