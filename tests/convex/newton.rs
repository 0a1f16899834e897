//! Newton's method: minimisers, stopping, statistics, warm starts, bad input.

use rand::{SeedableRng, rngs::StdRng};
use stickslip::convex::{
    Block, Contact, Equality, FrictionCone, Jacobian, Problem, ProblemError, Regularization, Settings,
    Solver, Status, Vector, kkt_residuals,
};

use crate::problems::{self, Range};

const WILD: Range = Range { blocks: 8, mass_decades: 6.0, stiffness_decades: 12.0 };
const PILES: Range = Range { blocks: 50, mass_decades: 3.0, stiffness_decades: 12.0 };

/// Solves to rounding.
fn precise() -> Settings {
    Settings { relative_tolerance: 1e-14, ..Settings::default() }
}

fn assert_minimises<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut solver = Solver::new(precise());
    for _ in 0..1000 {
        let problem = problems::random::<D>(&mut rng, WILD);
        let mut v = problems::velocities::<D>(&mut rng, problem.inertia.len());
        let report = solver.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        let heaviest = problem.inertia.iter().map(|a| a[(0, 0)]).fold(0.0, f64::max);
        let residual = kkt_residuals(&problem, &v, solver.impulses()).scaled(heaviest, 1.0);
        assert!(residual <= 1e-10, "{residual:e} after {report:?}");
        assert!(report.cost <= problem.cost(&problem.free_velocity) * (1.0 + 1e-14) + 1e-20);
    }
}

#[test]
fn random_problems_reach_the_optimality_conditions_in_the_plane() {
    assert_minimises::<2>(20);
}

#[test]
fn random_problems_reach_the_optimality_conditions_over_a_plane() {
    assert_minimises::<3>(21);
}

#[test]
fn random_piles_take_few_iterations() {
    let mut rng = StdRng::seed_from_u64(22);
    let mut plane = Solver::new(Settings::default());
    let mut space = Solver::new(Settings::default());
    let mut most = 0;
    for _ in 0..1000 {
        let problem = problems::random::<2>(&mut rng, PILES);
        let mut v = problem.free_velocity.clone();
        let report = plane.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        most = most.max(report.iterations);
        let problem = problems::random::<3>(&mut rng, PILES);
        let mut v = problem.free_velocity.clone();
        let report = space.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        most = most.max(report.iterations);
    }
    println!("most iterations {most}");
    assert!(most <= 30, "{most} iterations");
}
