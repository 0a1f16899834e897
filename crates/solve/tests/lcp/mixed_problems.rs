//! Mixed problems: unknowns without a sign, solved directly and by reduction.

use nalgebra::{Const, DMatrix, DVector, Dyn};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::lcp::{
    DynamicLcp, Enumeration, InteriorPoint, Lcp, Lemke, NotReducible, ProblemError, Status,
};

/// A block with its velocity `v` kept as an unknown: (v, plus, minus, gamma), dt = m = 1.
fn block(p: f64, bound: f64) -> Lcp<4> {
    let m = nalgebra::Matrix4::new(
        1.0, -1.0, 1.0, 0.0, //
        1.0, 0.0, 0.0, 1.0, //
        -1.0, 0.0, 0.0, 1.0, //
        0.0, -1.0, -1.0, 0.0,
    );
    Lcp::mixed(m, nalgebra::Vector4::new(-p, 0.0, 0.0, bound), 1).unwrap()
}

#[test]
fn the_velocity_may_stay_an_unknown() {
    for p in [-3.0, -1.0, -0.2, 0.0, 0.2, 1.0, 3.0_f64] {
        let problem = block(p, 1.0);
        let expected = p.signum() * (p.abs() - 1.0).max(0.0);
        let solutions = [
            Lemke::default().solve(&problem),
            Enumeration::default().solve(&problem),
            InteriorPoint::default().solve(&problem),
        ];
        for solution in solutions {
            assert_eq!(solution.status, Status::Solved, "{solution:?}");
            assert!((solution.z[0] - expected).abs() < 1e-12, "p = {p}: {solution:?}");
        }
        let reduced = problem.eliminate_free(Const::<1>, Const::<3>).unwrap();
        let solution = Lemke::default().solve(&reduced.problem);
        assert!((reduced.free_unknowns(&solution.z)[0] - expected).abs() < 1e-15);
    }
}

#[test]
fn reduction_and_direct_solution_agree_on_random_problems() {
    let mut rng = StdRng::seed_from_u64(14);
    for _ in 0..300 {
        let (free, rest) = (rng.random_range(1..=4), rng.random_range(1..=6));
        let n = free + rest;
        let factor = DMatrix::from_fn(n, n, |_, _| rng.random_range(-1.0..1.0));
        let m = &factor * factor.transpose() + DMatrix::identity(n, n);
        let q = DVector::from_fn(n, |_, _| rng.random_range(-1.0..1.0));
        let problem = DynamicLcp::mixed(m, q, free).unwrap();
        let reduced = problem.eliminate_free(Dyn(free), Dyn(rest)).unwrap();
        let z = Lemke::new(Dyn(rest)).solve(&reduced.problem).z;
        let u = reduced.free_unknowns(&z);
        for solution in [
            Lemke::new(problem.dim()).solve(&problem),
            Enumeration::new(problem.dim()).solve(&problem),
            InteriorPoint::new(problem.dim()).solve(&problem),
        ] {
            assert_eq!(solution.status, Status::Solved);
            assert!((solution.z.rows(0, free) - &u).amax() < 1e-10);
            assert!((solution.z.rows(free, rest) - &z).amax() < 1e-10);
        }
    }
}

#[test]
fn free_unknowns_that_their_equations_leave_open_are_reported() {
    // The multiplier of a constraint: its own block is zero, the whole system is regular.
    let m = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 1.0]);
    let problem = DynamicLcp::mixed(m, DVector::from_column_slice(&[-2.0, 0.5]), 1).unwrap();
    assert_eq!(problem.eliminate_free(Dyn(1), Dyn(1)), Err(NotReducible::Singular { free: 1, rank: 0 }));
    assert_eq!(Lemke::new(problem.dim()).solve(&problem).status, Status::NotApplicable);
    for solution in
        [Enumeration::new(problem.dim()).solve(&problem), InteriorPoint::new(problem.dim()).solve(&problem)]
    {
        assert_eq!(solution.status, Status::Solved, "{solution:?}");
        assert!((solution.z[0] - 2.5).abs() < 1e-12 && (solution.z[1] - 2.0).abs() < 1e-12, "{solution:?}");
    }
}

#[test]
fn wrong_sizes_are_errors() {
    let problem = block(1.0, 1.0);
    assert_eq!(
        problem.eliminate_free(Const::<2>, Const::<2>),
        Err(NotReducible::OtherSizes { free: 1, rest: 3, asked_free: 2, asked_rest: 2 })
    );
    assert_eq!(Lcp::mixed(problem.m, problem.q, 5), Err(ProblemError::TooManyFree { free: 5, unknowns: 4 }));
}
