//! Random contact problems: 20,000 of the kinds that a simulation poses.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::lcp::{DynamicLcp, Lcp, Lemke, Status};

use crate::judge::{dynamic, is_solvable, never_wrong};

/// A point with a normal and a friction force, `b = 1/m`: unknowns (normal, plus, minus, gamma).
pub fn thrown_point(b: f64, mu: f64, q: [f64; 4]) -> Lcp<4> {
    Lcp::from_arrays([[b, 0.0, 0.0, 0.0], [0.0, b, -b, 1.0], [0.0, -b, b, 1.0], [mu, -1.0, -1.0, 0.0]], q)
}

/// A block on the ground with a fixed bound on friction: unknowns (plus, minus, gamma).
pub fn sliding_block(a: f64, p: f64, bound: f64) -> Lcp<3> {
    Lcp::from_arrays([[a, -a, 1.0], [-a, a, 1.0], [-1.0, -1.0, 0.0]], [p, -p, bound])
}

/// A point over a plane with a polygon of friction directions, impulses divided by the mass:
/// unknowns (normal, beta_1 .. beta_k, gamma).
pub fn polygon_problem(directions: usize, mu: f64, normal: f64, p: [f64; 2]) -> DynamicLcp {
    let (k, n) = (directions, directions + 2);
    let d = |i: usize| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / k as f64).sin_cos();
        [cos, sin]
    };
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let mut m = vec![vec![0.0; n]; n];
    let mut q = vec![0.0; n];
    (m[0][0], q[0], m[n - 1][0]) = (1.0, normal, mu);
    for i in 0..k {
        for j in 0..k {
            m[i + 1][j + 1] = dot(d(i), d(j));
        }
        (m[i + 1][n - 1], m[n - 1][i + 1], q[i + 1]) = (1.0, -1.0, dot(d(i), p));
    }
    DynamicLcp::from_rows(&m, &q).expect("finite")
}

/// A number of either sign, mostly ordinary, sometimes exactly zero.
fn ordinary(rng: &mut StdRng) -> f64 {
    if rng.random_bool(0.05) { 0.0 } else { rng.random_range(-3.0..3.0) }
}

fn contact_problem(rng: &mut StdRng) -> DynamicLcp {
    let mu = if rng.random_bool(0.1) { 0.0 } else { rng.random_range(0.0..1.5) };
    let mass = 10_f64.powf(rng.random_range(-3.0..3.0));
    let slip = ordinary(rng);
    match rng.random_range(0..4) {
        0 => dynamic(&sliding_block(10_f64.powf(rng.random_range(-6.0..0.0)) / mass, slip, mu * 9.81 * mass)),
        1 => dynamic(&thrown_point(1.0 / mass, mu, [ordinary(rng), slip, -slip, 0.0])),
        2 => {
            // Two points coupled through a rigid body, seen at their contacts.
            let coupling = rng.random_range(-0.9..0.9);
            let slips = [slip, ordinary(rng)];
            let mut m = vec![vec![0.0; 8]; 8];
            let mut q = vec![0.0; 8];
            for (i, &slip) in slips.iter().enumerate() {
                let point = thrown_point(1.0 / mass, mu, [0.0; 4]);
                for r in 0..4 {
                    for c in 0..4 {
                        m[4 * i + r][4 * i + c] = point.m[(r, c)];
                        if r < 3 && c < 3 {
                            m[4 * i + r][4 * (1 - i) + c] = coupling * point.m[(r, c)];
                        }
                    }
                }
                q[4 * i..4 * i + 3].copy_from_slice(&[ordinary(rng), slip, -slip]);
            }
            DynamicLcp::from_rows(&m, &q).expect("finite")
        }
        _ => {
            let directions = [4, 6, 8][rng.random_range(0..3)];
            polygon_problem(directions, mu, ordinary(rng), [slip, ordinary(rng)])
        }
    }
}

#[test]
fn twenty_thousand_contact_problems_are_all_solved() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut most_pivots = 0;
    for trial in 0..20_000 {
        let problem = contact_problem(&mut rng);
        let solution = Lemke::new(problem.dim()).solve(&problem);
        never_wrong(&problem, &solution);
        assert_eq!(solution.status, Status::Solved, "trial {trial}: {problem:?} {solution:?}");
        assert!(solution.residual <= 1e-11, "trial {trial}: {problem:?} {solution:?}");
        most_pivots = most_pivots.max(solution.pivots);
        if trial % 20 == 0 {
            assert!(is_solvable(&problem), "trial {trial}: enumeration finds nothing: {problem:?}");
        }
    }
    assert!(most_pivots <= 60, "{most_pivots}");
}

#[test]
fn pivoting_and_enumeration_agree_on_what_is_unique() {
    use stickslip_solve::lcp::Enumeration;
    let mut rng = StdRng::seed_from_u64(8);
    for _ in 0..2_000 {
        let mu = rng.random_range(0.0..1.5);
        let p = [ordinary(&mut rng), ordinary(&mut rng)];
        let problem = polygon_problem(8, mu, ordinary(&mut rng), p);
        let velocity = |z: &nalgebra::DVector<f64>| {
            let free = |i: usize| problem.q[i] + (1..9).map(|j| problem.m[(i, j)] * z[j]).sum::<f64>();
            [free(1), free(3), z[0], z[9]]
        };
        let pivoted = velocity(&Lemke::new(problem.dim()).solve(&problem).z);
        let enumerated = velocity(&Enumeration::new(problem.dim()).solve(&problem).z);
        for (a, b) in pivoted.iter().zip(enumerated).take(3) {
            assert!((a - b).abs() < 1e-12, "{pivoted:?} {enumerated:?} {problem:?}");
        }
        if mu * pivoted[2] > 1e-9 {
            assert!((pivoted[3] - enumerated[3]).abs() < 1e-12, "{pivoted:?} {enumerated:?} {problem:?}");
        }
    }
}

/// Numbers that invite ties and cancellation, over 24 orders of magnitude.
fn nasty(rng: &mut StdRng) -> f64 {
    match rng.random_range(0..6) {
        0 => 0.0,
        1 => [1.0, -1.0, 0.5, -0.5][rng.random_range(0..4)],
        2 => 10_f64.powf(rng.random_range(-12.0..3.0)),
        3 => -(10_f64.powf(rng.random_range(-12.0..3.0))),
        4 => [5e-17, -5e-17, 1e-16, f64::EPSILON][rng.random_range(0..4)],
        _ => rng.random_range(-1.0..1.0),
    }
}

fn adversarial_problem(rng: &mut StdRng) -> DynamicLcp {
    let mu = [0.0, 0.1, 0.5, 1.0, 1e-9][rng.random_range(0..5)];
    let mass = 10_f64.powf(rng.random_range(-12.0..12.0));
    let normal = nasty(rng);
    // Half of the slips lie exactly on the edge between sticking and sliding.
    let slip = if rng.random_bool(0.5) { nasty(rng) } else { mu * normal };
    match rng.random_range(0..3) {
        0 => {
            let a = 10_f64.powf(rng.random_range(-8.0..0.0)) / mass;
            let bound = if rng.random_bool(0.5) { slip.abs() / a } else { mu * mass * 9.81 };
            dynamic(&sliding_block(a, slip, bound))
        }
        1 => dynamic(&thrown_point(1.0 / mass, mu, [normal, slip, -slip, 0.0])),
        _ => {
            let directions = [4, 8][rng.random_range(0..2)];
            // On a vertex or a bisector of the polygon, or anywhere.
            let half_sectors = f64::from(rng.random_range(0..2 * directions as i32));
            let angle = if rng.random_bool(0.8) {
                std::f64::consts::PI * half_sectors / directions as f64
            } else {
                rng.random_range(0.0..6.0)
            };
            polygon_problem(directions, mu, normal, [slip * angle.cos(), slip * angle.sin()])
        }
    }
}

#[test]
fn five_thousand_adversarial_contact_problems_are_all_solved() {
    let mut rng = StdRng::seed_from_u64(9);
    let mut retried = 0;
    for trial in 0..5_000 {
        let problem = adversarial_problem(&mut rng);
        let solution = Lemke::new(problem.dim()).solve(&problem);
        never_wrong(&problem, &solution);
        assert_eq!(solution.status, Status::Solved, "trial {trial}: {problem:?} {solution:?}");
        retried += u32::from(solution.attempts > 1);
        if trial % 10 == 0 {
            assert!(is_solvable(&problem), "trial {trial}: enumeration finds nothing: {problem:?}");
        }
    }
    assert!(retried < 250, "{retried} of 5000 needed another attempt");
}
