//! The cases that break naive solvers.

use stickslip_solve::lcp::{DynamicLcp, Enumeration, Lcp, Lemke, Status};

use crate::{
    contact_problems::{polygon_problem, sliding_block, thrown_point},
    judge::{dynamic, is_solvable, never_wrong},
};

#[track_caller]
fn solve(problem: &DynamicLcp) -> Vec<f64> {
    let solution = Lemke::new(problem.dim()).solve(problem);
    assert_eq!(solution.status, Status::Solved, "{problem:?} {solution:?}");
    never_wrong(problem, &solution);
    solution.z.as_slice().to_vec()
}

#[test]
fn a_cycle_of_ties_is_left_by_the_lexicographic_rule() {
    let problem = Lcp::from_arrays([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]], [-1.0; 3]);
    let solution = Lemke::default().solve(&problem);
    assert_eq!(solution.status, Status::Solved);
    assert!(solution.z.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-15), "{solution:?}");
}

#[test]
fn rounding_of_zero_in_q_is_a_tie() {
    for noise in [5e-17, 1e-16, 1e-15, -5e-17] {
        for normal in [1.0, -1.0, -9.81e-3] {
            let problem = dynamic(&thrown_point(1.0, 0.5, [normal, -noise, noise, 0.0]));
            let z = solve(&problem);
            assert!((z[0] - (-normal).max(0.0)).abs() < 1e-14, "{z:?}");
            assert!((z[1] - z[2]).abs() < 1e-14 && z[3] < 1e-14, "{z:?}");
        }
    }
}

#[test]
fn a_small_tangential_velocity_is_found_at_every_size() {
    for exponent in 1..=300 {
        let eps = 10_f64.powi(-exponent);
        let flight = dynamic(&thrown_point(1.0, 0.5, [1.0, -eps, eps, 0.0]));
        let z = solve(&flight);
        let is_rounding = exponent >= 14 && z[3] == 0.0;
        assert!(is_rounding || (z[3] - eps).abs() <= 1e-13 * eps, "eps {eps:e}: {z:?}");
    }
}

#[test]
fn no_friction_is_only_a_normal_force() {
    let z = solve(&dynamic(&thrown_point(0.1, 0.0, [-0.3, 2.0, -2.0, 0.0])));
    assert!((z[0] - 3.0).abs() < 1e-14 && z[1] == 0.0 && z[2] == 0.0 && (z[3] - 2.0).abs() < 1e-14, "{z:?}");
}

#[test]
fn the_edge_between_sticking_and_sliding_is_at_rest() {
    let (normal, mu) = (-0.25, 0.5);
    let z = solve(&dynamic(&thrown_point(1.0, mu, [normal, mu * 0.25, -mu * 0.25, 0.0])));
    assert!(z[3].abs() < 1e-15 && (z[2] - z[1] - 0.125).abs() < 1e-15, "{z:?}");
}

#[test]
fn a_velocity_on_a_bisector_of_the_friction_polygon_is_solved() {
    for directions in [4, 8] {
        for sector in 0..directions {
            let angle = std::f64::consts::TAU * (sector as f64 + 0.5) / directions as f64;
            for speed in [0.0, 1e-3, 0.05, 1.0] {
                let problem =
                    polygon_problem(directions, 0.5, -0.1, [speed * angle.cos(), speed * angle.sin()]);
                solve(&problem);
            }
        }
    }
}

#[test]
fn redundant_contacts_are_solved() {
    // The same contact three times over: the normal force is shared in any way at all.
    let m = vec![vec![1.0; 3]; 3];
    let z = solve(&DynamicLcp::from_rows(&m, &[-1.0; 3]).unwrap());
    assert!((z.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{z:?}");
    // Two coincident contacts with friction.
    let row = |i: usize| -> Vec<f64> {
        let point = thrown_point(1.0, 0.5, [0.0; 4]);
        (0..8)
            .map(|j| {
                let same = i / 4 == j / 4;
                let entry = point.m[(i % 4, j % 4)];
                if same || (i % 4 < 3 && j % 4 < 3) { entry } else { 0.0 }
            })
            .collect()
    };
    let m: Vec<Vec<f64>> = (0..8).map(row).collect();
    for slip in [0.0, 0.1, 1.0] {
        let q = [-0.5, slip, -slip, 0.0, -0.5, slip, -slip, 0.0];
        let z = solve(&DynamicLcp::from_rows(&m, &q).unwrap());
        assert!((z[0] + z[4] - 0.5).abs() < 1e-14, "{z:?}");
    }
}

#[test]
fn an_infeasible_problem_is_never_called_solved() {
    // Friction on the velocity parts themselves, the formulation that "just doesn't work".
    for p in [1.0, -1.0, 1e-3, 1e-9, -1e-12] {
        for (dt, mass) in [(1e-3, 10.0), (1e-8, 1.0), (1e-2, 1e-12), (1e-3, 1e12)] {
            let a: f64 = dt / mass;
            let friction = 0.3 * mass * 9.81;
            let problem = dynamic(&Lcp::from_arrays(
                [[0.0, -a, 0.0], [-a, 0.0, 0.0], [-1.0, -1.0, 0.0]],
                [p, -p, friction],
            ));
            let solution = Lemke::new(problem.dim()).solve(&problem);
            assert_eq!(solution.status, Status::NoSolution, "p = {p:e}, a = {a:e}: {solution:?}");
            assert!(solution.residual > stickslip_solve::lcp::RESIDUAL_TOLERANCE, "{solution:?}");
            assert!(!is_solvable(&problem));
        }
    }
}

#[test]
fn extreme_masses_and_steps_are_solved_to_full_precision() {
    for mass in [1e-12, 1e-6, 1.0, 1e6, 1e12] {
        for mu in [0.0, 0.1, 1.0] {
            for (normal, slip) in [(-4.4, 1.0), (-9.81e-8, 1e-9), (-9.81e-3, 3.0), (2.0, -1.0), (-1.0, 0.0)] {
                let z = solve(&dynamic(&thrown_point(1.0 / mass, mu, [normal, slip, -slip, 0.0])));
                let impulse = mass * (-normal).max(0.0);
                let kept = (slip.abs() - mu * impulse / mass).max(0.0) * slip.signum();
                assert!((z[0] - impulse).abs() <= 1e-12 * impulse, "m = {mass:e}: {z:?}");
                let velocity = slip + (z[1] - z[2]) / mass;
                assert!((velocity - kept).abs() <= 1e-12 * slip.abs(), "m = {mass:e}, mu = {mu}: {z:?}");
            }
        }
    }
    for mass in [1e-12, 1.0, 1e12] {
        for dt in [1e-8, 1e-3, 1.0] {
            for speed in [0.0, 1e-6, 1.0] {
                let (a, weight): (f64, f64) = (dt / mass, 0.3 * mass * 9.81);
                let z = solve(&dynamic(&sliding_block(a, speed, weight)));
                let expected = (speed - a * weight).max(0.0);
                let velocity = speed + a * (z[0] - z[1]);
                let unit = speed.max(a * weight);
                assert!((velocity - expected).abs() <= 1e-12 * unit, "m = {mass:e}, dt = {dt:e}: {z:?}");
                assert!((z[2] - expected).abs() <= 1e-12 * unit, "{z:?}");
            }
        }
    }
}

#[test]
fn a_solution_that_no_regular_basis_gives_is_found_by_enumeration() {
    let problem = Lcp::from_arrays([[0.0, 0.0], [1.0, -2.0]], [0.0, -1.0]);
    let solution = Enumeration::default().solve(&problem);
    assert_eq!(solution.status, Status::Solved);
    assert_eq!(solution.z.as_slice(), [1.0, 0.0]);
}
