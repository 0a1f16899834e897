//! An independent judge: what a solution is, written without the crate's own residual.

use stickslip_solve::lcp::{DynamicLcp, Enumeration, Lcp, Problem, Solution, Status};

/// Largest violation of `z >= 0`, `w >= 0`, `min(z, w) = 0` in each row, relative to the size of
/// the row's terms; entries of `q` below 1e-14 of the largest are rounding.
pub fn violation(problem: &DynamicLcp, z: &[f64]) -> f64 {
    let n = z.len();
    let largest_q = problem.q.amax();
    (0..n)
        .map(|i| {
            let terms: Vec<f64> =
                (0..n).map(|j| problem.m[(i, j)] * z[j]).chain(std::iter::once(problem.q[i])).collect();
            let w: f64 = terms.iter().sum();
            let size = terms.iter().fold(1e-4 * largest_q, |sum, term| sum + term.abs());
            let wrong = if z[i] > 0.0 { w.abs() } else { (-w).max(0.0) };
            if z[i] < 0.0 || !z[i].is_finite() {
                f64::INFINITY
            } else if wrong == 0.0 {
                0.0
            } else {
                wrong / size
            }
        })
        .fold(0.0, f64::max)
}

/// A copy with its size at run time.
pub fn dynamic<const N: usize>(problem: &Lcp<N>) -> DynamicLcp {
    Problem::new(
        nalgebra::DMatrix::from_fn(N, N, |i, j| problem.m[(i, j)]),
        nalgebra::DVector::from_fn(N, |i, _| problem.q[i]),
    )
    .expect("finite")
}

/// Fails unless a solution called solved is one. Returns whether it was called solved.
pub fn never_wrong(problem: &DynamicLcp, solution: &Solution<nalgebra::Dyn>) -> bool {
    let solved = solution.status == Status::Solved;
    if solved {
        let violation = violation(problem, solution.z.as_slice());
        assert!(
            violation <= 1e-9,
            "called solved with a violation of {violation:e}: {problem:?} {solution:?}"
        );
    }
    solved
}

/// Whether enumeration of all complementary bases finds a solution.
pub fn is_solvable(problem: &DynamicLcp) -> bool {
    let solution = Enumeration::new(problem.dim()).solve(problem);
    never_wrong(problem, &solution)
}
