//! A pivot that went wrong gives no wrong solution: the residual is computed from the data.

use super::{DynamicLcp, Method, Solution, Solver, Status};
use crate::{
    fault::{FACTORS, in_pivots},
    random::Random,
};

const SIZE: usize = 8;

/// Problems with one solution each: `M` is positive definite, and not symmetric.
fn problems() -> Vec<DynamicLcp> {
    let mut random = Random::seeded(5);
    let mut square = || nalgebra::DMatrix::from_fn(SIZE, SIZE, |_, _| random.normal(1.0));
    let definite = (0..4).map(|_| {
        let (a, b) = (square(), square());
        let identity = nalgebra::DMatrix::<f64>::identity(SIZE, SIZE);
        (&a * a.transpose() + identity * 0.1 + (&b - b.transpose()), square().column(0).into_owned())
    });
    definite.map(|(m, q)| DynamicLcp::new(m, q).expect("finite")).collect()
}

/// Whether `z` is the solution, by the words of the definition.
fn is_right(problem: &DynamicLcp, solution: &Solution<nalgebra::Dyn>) -> bool {
    let z = &solution.z;
    let w = &problem.m * z + &problem.q;
    let mut pairs = z.iter().zip(w.iter());
    pairs.all(|(&z, &w)| z >= 0.0 && w >= -1e-8 && (z * w).abs() < 1e-8)
}

/// How many of the answers under a fault were solved; none of those may be wrong.
fn solved(method: Method, problem: &DynamicLcp, numbers: std::ops::Range<usize>, factor: f64) -> usize {
    let mut solver = Solver::new(method, problem.dim());
    let (solution, met) = in_pivots(numbers.clone(), factor, || solver.solve(problem));
    assert!(met > 0, "{method} has no pivot {numbers:?}");
    let is_solved = solution.status == Status::Solved;
    assert!(!is_solved || is_right(problem, &solution), "{method}, pivots {numbers:?} times {factor}");
    assert!(method != Method::Lemke || solution.status != Status::NoSolution, "a proof of what is not so");
    usize::from(is_solved)
}

#[test]
fn after_one_bad_pivot_lemke_and_the_interior_point_find_the_solution_all_the_same() {
    for method in [Method::Lemke, Method::InteriorPoint] {
        for problem in problems() {
            for factor in FACTORS {
                for number in 0..2 {
                    assert_eq!(solved(method, &problem, number..number + 1, factor), 1, "{method} {factor}");
                }
            }
        }
    }
}

#[test]
fn however_many_pivots_go_wrong_no_wrong_answer_is_called_solved() {
    for method in [Method::Lemke, Method::InteriorPoint, Method::Enumeration] {
        let (mut count, mut right) = (0, 0);
        for problem in problems() {
            for factor in FACTORS {
                for first in [0, 1] {
                    count += 1;
                    right += solved(method, &problem, first..usize::MAX, factor);
                }
            }
        }
        assert!(right < count, "{method}: the faults change nothing");
    }
}
