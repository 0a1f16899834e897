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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcp::Lcp;

    /// Each problem has a solution, and numbers that would prove the contrary but for one condition.
    #[test]
    fn what_is_no_proof_is_not_taken_for_one() {
        let proves = |problem: &Lcp<2>, y: [f64; 2]| proves_infeasible(problem, &problem.q, &y.into());
        let nothing_helps = Lcp::from_arrays([[-1.0, 0.0], [0.0, -1.0]], [-1.0, -1.0]);
        assert!(proves(&nothing_helps, [1.0, 0.0]) && proves(&nothing_helps, [1.0, 1.0]));
        assert!(!proves(&nothing_helps, [0.0, 0.0]), "that proves nothing");
        // `z = 0`: a weight is negative.
        let trivial = Lcp::from_arrays([[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0]);
        assert!(!proves(&trivial, [-1.0, -1.0]) && !proves(&trivial, [0.0, -1.0]));
        // `z = 0`: the sum is not negative.
        let idle = Lcp::from_arrays([[-1.0, 0.0], [0.0, -1.0]], [1.0, 1.0]);
        assert!(!proves(&idle, [1.0, 1.0]));
        // `z = (1, 1)`: unknowns help.
        let helped = Lcp::from_arrays([[1.0, 0.0], [0.0, 1.0]], [-1.0, -1.0]);
        assert!(!proves(&helped, [1.0, 1.0]) && !proves(&helped, [1.0, 0.0]));
        // `z = (-1, -1)`: unknowns without a sign help with either.
        for free in [Lcp::mixed_from_arrays::<1>, Lcp::mixed_from_arrays::<2>] {
            assert!(!proves(&free([[-1.0, 0.0], [0.0, -1.0]], [-1.0, -1.0]), [1.0, 1.0]));
        }
    }

    #[test]
    fn a_row_is_hopeless_only_if_no_unknown_can_lift_it() {
        let is_hopeless = |problem: Lcp<2>| has_hopeless_row(&problem, &problem.q);
        assert!(is_hopeless(Lcp::from_arrays([[1.0, 0.0], [-1.0, -1.0]], [0.0, -1.0])));
        assert!(!is_hopeless(Lcp::from_arrays([[1.0, 0.0], [-1.0, 1.0]], [0.0, -1.0])));
        assert!(!is_hopeless(Lcp::from_arrays([[1.0, 0.0], [-1.0, -1.0]], [0.0, 1.0])));
        // The first unknown has no sign: with `z = (-1, 0)` the second row is fulfilled.
        assert!(!is_hopeless(Lcp::mixed_from_arrays::<1>([[1.0, 0.0], [-1.0, -1.0]], [1.0, -1.0])));
        assert!(is_hopeless(Lcp::mixed_from_arrays::<1>([[1.0, 0.0], [0.0, -1.0]], [1.0, -1.0])));
    }
}
