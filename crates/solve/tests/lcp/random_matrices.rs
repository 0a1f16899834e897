//! Matrices that no mechanics stands behind: anything may happen, except a wrong answer.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::lcp::{DynamicLcp, Enumeration, InteriorPoint, Lemke, Status};

use crate::judge::{is_solvable, never_wrong};

fn random_problem(rng: &mut StdRng, entry: &mut dyn FnMut(&mut StdRng) -> f64) -> DynamicLcp {
    let n = rng.random_range(1..=6);
    let m: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| entry(rng)).collect()).collect();
    let q: Vec<f64> = (0..n).map(|_| entry(rng)).collect();
    DynamicLcp::from_rows(&m, &q).expect("finite")
}

fn judge(problem: &DynamicLcp) -> bool {
    let solvable = is_solvable(problem);
    let pivoted = Lemke::new(problem.dim()).solve(problem);
    assert!(
        !never_wrong(problem, &pivoted) || solvable,
        "enumeration missed a solution: {problem:?} {pivoted:?}"
    );
    assert!(pivoted.status != Status::NoSolution || !solvable, "a false proof: {problem:?} {pivoted:?}");
    let interior = InteriorPoint::new(problem.dim()).solve(problem);
    assert!(
        !never_wrong(problem, &interior) || solvable,
        "enumeration missed a solution: {problem:?} {interior:?}"
    );
    assert!(interior.status != Status::NoSolution || !solvable, "a false proof: {problem:?} {interior:?}");
    solvable
}

#[test]
fn small_integers_full_of_ties_and_singular_bases() {
    let mut rng = StdRng::seed_from_u64(10);
    let mut integers = |rng: &mut StdRng| f64::from(rng.random_range(-2..=2));
    let solvable = (0..3_000).filter(|_| judge(&random_problem(&mut rng, &mut integers))).count();
    assert!((1_000..2_800).contains(&solvable), "{solvable}");
}

#[test]
fn twenty_four_orders_of_magnitude() {
    let mut rng = StdRng::seed_from_u64(11);
    let mut any = |rng: &mut StdRng| {
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        sign * 10_f64.powf(rng.random_range(-12.0..12.0))
    };
    for _ in 0..1_000 {
        judge(&random_problem(&mut rng, &mut any));
    }
}

#[test]
fn every_problem_with_a_positive_definite_matrix_is_solved_by_every_solver() {
    let mut rng = StdRng::seed_from_u64(12);
    for _ in 0..500 {
        let n = rng.random_range(1..=8);
        let factor = nalgebra::DMatrix::from_fn(n, n, |_, _| rng.random_range(-1.0..1.0));
        let m = &factor * factor.transpose() + nalgebra::DMatrix::identity(n, n);
        let q = nalgebra::DVector::from_fn(n, |_, _| rng.random_range(-1.0..1.0));
        let problem = DynamicLcp::new(m, q).unwrap();
        let reference = Enumeration::new(problem.dim()).solve(&problem);
        for method in stickslip_solve::lcp::Method::ALL {
            let solution = stickslip_solve::lcp::Solver::new(method, problem.dim()).solve(&problem);
            assert_eq!(solution.status, Status::Solved, "{method}: {problem:?} {solution:?}");
            assert!((&solution.z - &reference.z).amax() < 1e-8, "{method}: {solution:?} {reference:?}");
        }
    }
}
