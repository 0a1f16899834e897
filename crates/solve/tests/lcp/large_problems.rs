//! Sizes up to 500.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::lcp::{DynamicLcp, GaussSeidel, InteriorPoint, Lemke, Solution, Status};

use crate::judge::never_wrong;

#[track_caller]
fn solved(problem: &DynamicLcp, solution: Solution<nalgebra::Dyn>) -> DVector<f64> {
    assert_eq!(solution.status, Status::Solved, "residual {:e}", solution.residual);
    assert!(never_wrong(problem, &solution));
    solution.z
}

#[test]
fn five_hundred_unknowns_with_a_positive_definite_matrix() {
    let mut rng = StdRng::seed_from_u64(15);
    let n = 500;
    let factor = DMatrix::from_fn(n, n, |_, _| rng.random_range(-1.0..1.0));
    let m = &factor * factor.transpose() / n as f64 + DMatrix::identity(n, n) * 0.1;
    let q = DVector::from_fn(n, |_, _| rng.random_range(-1.0..1.0));
    let problem = DynamicLcp::new(m, q).unwrap();
    let pivoted = solved(&problem, Lemke::new(problem.dim()).solve(&problem));
    let interior = solved(&problem, InteriorPoint::new(problem.dim()).solve(&problem));
    let swept = solved(&problem, GaussSeidel::new(problem.dim()).solve(&problem));
    let scale = pivoted.amax();
    assert!((&pivoted - &interior).amax() < 1e-10 * scale);
    assert!((&pivoted - &swept).amax() < 1e-7 * scale);
}

#[test]
fn a_hundred_points_with_friction_at_once() {
    let mut rng = StdRng::seed_from_u64(16);
    let (points, n) = (100, 400);
    let mut m = DMatrix::zeros(n, n);
    let mut q = DVector::zeros(n);
    for point in 0..points {
        let o = 4 * point;
        let (b, mu): (f64, f64) = (rng.random_range(0.1..10.0), rng.random_range(0.0..1.0));
        let slip: f64 = rng.random_range(-1.0..1.0);
        m[(o, o)] = b;
        for (r, c, value) in [(1, 1, b), (2, 2, b), (1, 2, -b), (2, 1, -b), (1, 3, 1.0), (2, 3, 1.0)] {
            m[(o + r, o + c)] = value;
        }
        (m[(o + 3, o)], m[(o + 3, o + 1)], m[(o + 3, o + 2)]) = (mu, -1.0, -1.0);
        (q[o], q[o + 1], q[o + 2]) = (rng.random_range(-1.0..1.0), slip, -slip);
    }
    let problem = DynamicLcp::new(m, q).unwrap();
    let z = solved(&problem, Lemke::new(problem.dim()).solve(&problem));
    for point in 0..points {
        let o = 4 * point;
        let normal = (-problem.q[o]).max(0.0);
        assert!((problem.m[(o, o)] * z[o] - normal).abs() < 1e-12);
        let kept = (problem.q[o + 1].abs() - problem.m[(o + 3, o)] * normal).max(0.0);
        let velocity = problem.q[o + 1] + problem.m[(o, o)] * (z[o + 1] - z[o + 2]);
        assert!((velocity.abs() - kept).abs() < 1e-12, "point {point}");
    }
}
