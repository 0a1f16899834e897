use nalgebra::{DefaultAllocator, Dim, OVector, allocator::Allocator};

use super::Problem;

/// What may be rounding in a sum of terms, as a fraction of the sum of their magnitudes.
const ROUNDING: f64 = 1e-12;

/// Whether some row of `w = M z + q` is negative whatever `z >= 0` is: its `q` is negative and it
/// has no positive entry (and none at all at a free unknown).
pub(super) fn has_hopeless_row<D: Dim>(problem: &Problem<D>, q: &OVector<f64, D>) -> bool
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let n = problem.size();
    (problem.free..n).any(|i| {
        let cannot_help =
            |j: usize| if j < problem.free { problem.m[(i, j)] == 0.0 } else { problem.m[(i, j)] <= 0.0 };
        q[i] < 0.0 && (0..n).all(cannot_help)
    })
}

/// Whether `y` proves that no `z >= 0` has `M z + q >= 0` (Farkas): `y >= 0`, `M'y <= 0` and
/// `q'y < 0`, up to rounding. Only for plain problems.
pub(super) fn proves_infeasible<D: Dim>(
    problem: &Problem<D>,
    q: &OVector<f64, D>,
    y: &OVector<f64, D>,
) -> bool
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let weighted = |column: &mut dyn Iterator<Item = f64>| {
        column.zip(y.iter()).fold((0.0, 0.0), |(sum, size), (entry, weight)| {
            (sum + entry * weight, size + (entry * weight).abs())
        })
    };
    let (value, size) = weighted(&mut q.iter().copied());
    problem.free == 0
        && y.iter().all(|&weight| weight >= 0.0)
        && value < -ROUNDING * size
        && problem.m.column_iter().all(|column| {
            let (sum, size) = weighted(&mut column.iter().copied());
            sum <= ROUNDING * size
        })
}
