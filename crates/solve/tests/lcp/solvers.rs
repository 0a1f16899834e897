//! What each solver promises on its own.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::lcp::{
    DynamicLcp, GaussSeidel, InteriorPoint, Lcp, Lemke, MAX_ENUMERATED, Method, Solver, Status,
    UnknownMethod, residual,
};

use crate::{
    contact_problems::{polygon_problem, sliding_block, thrown_point},
    judge::{dynamic, never_wrong},
};

#[test]
fn a_non_negative_q_needs_no_pivot() {
    let solution = Lemke::default().solve(&Lcp::from_arrays([[-1.0, 2.0], [3.0, -4.0]], [1.0, 0.0]));
    assert_eq!((solution.status, solution.pivots), (Status::Solved, 0));
    assert_eq!(solution.z.as_slice(), [0.0, 0.0]);
    assert_eq!(solution.w.as_slice(), [1.0, 0.0]);
}

#[test]
fn w_and_residual_are_recomputed_from_the_data() {
    let problem = dynamic(&thrown_point(0.1, 0.5, [-1.0, 0.7, -0.7, 0.0]));
    let solution = Lemke::new(problem.dim()).solve(&problem);
    assert!((&problem.m * &solution.z + &problem.q - &solution.w).amax() < 1e-15);
    let mut w = problem.q.clone_owned();
    assert_eq!(residual(&problem, &solution.z, &mut w), solution.residual);
}

#[test]
fn a_ray_without_proof_is_not_called_infeasible() {
    // z = (1, 0) solves it, but there are directions without a way back.
    let problem = Lcp::from_arrays([[-1.0, 0.0], [0.0, -1.0]], [1.0, 1.0]);
    let with_solution = Lemke::default().solve(&problem);
    assert_eq!(with_solution.status, Status::Solved);
    // No z >= 0 at all has w >= 0 here, which row 1 shows by itself.
    let hopeless = Lemke::default().solve(&Lcp::from_arrays([[-1.0, 0.0], [0.0, 1.0]], [-1.0, 1.0]));
    assert_eq!(hopeless.status, Status::NoSolution);
}

#[test]
fn interior_point_agrees_with_pivoting_on_what_is_unique_at_a_contact() {
    let mut rng = StdRng::seed_from_u64(13);
    for trial in 0..2_000 {
        let slip: f64 = rng.random_range(-1.0..1.0);
        let mu = rng.random_range(0.01..1.0);
        let problem = match trial % 3 {
            0 => dynamic(&sliding_block(rng.random_range(0.01..1.0), slip, mu)),
            1 => dynamic(&thrown_point(
                rng.random_range(0.1..10.0),
                mu,
                [rng.random_range(-1.0..-0.01), slip, -slip, 0.0],
            )),
            _ => polygon_problem(8, mu, rng.random_range(-1.0..-0.01), [slip, rng.random_range(-1.0..1.0)]),
        };
        let solution = InteriorPoint::new(problem.dim()).solve(&problem);
        never_wrong(&problem, &solution);
        assert_eq!(solution.status, Status::Solved, "{problem:?} {solution:?}");
        let pivoted = Lemke::new(problem.dim()).solve(&problem);
        let difference = (&solution.w - &pivoted.w).rows(0, problem.size() - 1).amax();
        assert!(difference < 1e-10, "{problem:?} {solution:?} {pivoted:?}");
    }
}

#[test]
fn gauss_seidel_refuses_a_diagonal_that_is_not_positive() {
    let block = sliding_block(1.0, 0.5, 1.0);
    assert_eq!(GaussSeidel::obstacle(&block), Some(2));
    let solution = GaussSeidel::default().solve(&block);
    assert_eq!((solution.status, solution.pivots), (Status::NotApplicable, 0));
}

#[test]
fn gauss_seidel_that_does_not_converge_says_so() {
    let diverging = Lcp::from_arrays([[1.0, -3.0], [-3.0, 1.0]], [-1.0, -1.0]);
    let solution = GaussSeidel::default().solve(&diverging);
    assert!(!solution.is_solved(), "{solution:?}");
}

#[test]
fn enumeration_says_when_there_is_too_much_to_enumerate() {
    let n = MAX_ENUMERATED + 1;
    let m: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let problem = DynamicLcp::from_rows(&m, &vec![-1.0; n]).unwrap();
    let solution = Solver::new(Method::Enumeration, problem.dim()).solve(&problem);
    assert_eq!(solution.status, Status::NotApplicable);
}

#[test]
fn solvers_are_named() {
    for method in Method::ALL {
        assert_eq!(method.as_str().parse::<Method>(), Ok(method));
    }
    assert_eq!("simplex".parse::<Method>(), Err(UnknownMethod { given: "simplex".to_owned() }));
}

#[test]
fn interior_point_does_not_depend_on_the_scale_of_the_matrix() {
    let mut rng = StdRng::seed_from_u64(14);
    for trial in 0..200 {
        let slip: f64 = rng.random_range(-1.0..1.0);
        let mu = rng.random_range(0.01..1.0);
        let problem = match trial % 2 {
            0 => dynamic(&thrown_point(1.0, mu, [rng.random_range(-1.0..-0.01), slip, -slip, 0.0])),
            _ => polygon_problem(8, mu, rng.random_range(-1.0..-0.01), [slip, rng.random_range(-1.0..1.0)]),
        };
        let reference = InteriorPoint::new(problem.dim()).solve(&problem);
        assert_eq!(reference.status, Status::Solved);
        for exponent in [-12, -7, -3, 3, 7, 12] {
            let scale = 10.0_f64.powi(exponent);
            let mut scaled = problem.clone();
            scaled.m *= scale;
            let solution = InteriorPoint::new(problem.dim()).solve(&scaled);
            assert_eq!(solution.status, Status::Solved, "M times {scale:e}: {scaled:?}");
            assert!(
                solution.pivots.abs_diff(reference.pivots) <= 6,
                "{} {}",
                solution.pivots,
                reference.pivots
            );
            // The friction left unused by a point that sticks, in the last row, is not unique.
            let difference = (&solution.w - &reference.w).rows(0, problem.size() - 1).amax();
            assert!(difference < 1e-9, "M times {scale:e}: {difference:e}");
        }
    }
}

/// Matrices without structure, on which Lemke's paths end in rays although some of the problems have
/// solutions.
#[test]
fn ray_that_proves_nothing_is_not_the_last_word() {
    let mut rng = StdRng::seed_from_u64(15);
    let (mut rays, mut found) = (0, 0);
    for _ in 0..20_000 {
        let problem = DynamicLcp::new(
            nalgebra::DMatrix::from_fn(6, 6, |_, _| rng.random_range(-1.0..1.0)),
            nalgebra::DVector::from_fn(6, |_, _| rng.random_range(-1.0..0.2)),
        );
        let problem = problem.expect("a square problem");
        if Lemke::new(problem.dim()).solve(&problem).status != Status::Ray {
            continue;
        }
        rays += 1;
        let solution = Solver::new(Method::Lemke, problem.dim()).solve_persistently(&problem);
        never_wrong(&problem, &solution);
        let enumerated = Solver::new(Method::Enumeration, problem.dim()).solve(&problem);
        assert_eq!(solution.status, enumerated.status);
        assert!(matches!(solution.status, Status::Solved | Status::NoSolution));
        found += usize::from(solution.status == Status::Solved);
    }
    assert!(rays > 0 && found > 0, "{rays} rays, {found} of them with a solution");
}

#[test]
fn large_problem_gets_other_paths_and_the_interior_point_method() {
    // Solvable by construction, with matrices without structure.
    let mut rng = StdRng::seed_from_u64(16);
    let (mut rays, mut found) = (0, 0);
    for _ in 0..400 {
        const N: usize = 14;
        let m = nalgebra::DMatrix::<f64>::from_fn(N, N, |_, _| rng.random_range(-1.0..1.0));
        let active: Vec<bool> = (0..N).map(|_| rng.random_bool(0.5)).collect();
        let mut size = || rng.random_range(0.1..1.0);
        let z = nalgebra::DVector::from_fn(N, |i, _| if active[i] { size() } else { 0.0 });
        let w = nalgebra::DVector::from_fn(N, |i, _| if active[i] { 0.0 } else { size() });
        let q = w - &m * z;
        let problem = DynamicLcp::new(m, q).expect("a square problem");
        if Lemke::new(problem.dim()).solve(&problem).status != Status::Ray {
            continue;
        }
        rays += 1;
        let solution = Solver::new(Method::Lemke, problem.dim()).solve_persistently(&problem);
        never_wrong(&problem, &solution);
        assert_ne!(solution.status, Status::NoSolution);
        found += usize::from(solution.status == Status::Solved);
    }
    assert!(2 * found > rays && rays > 0, "{found} of {rays}");
}
