//! The primal Newton solver against the dual cone program of an independent interior-point solver.

use rand::{SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{Block, Problem, Settings, Solver, Vector, solve_dual};

use crate::problems::{self, Range};

const WILD: Range = Range { blocks: 8, mass_decades: 6.0, stiffness_decades: 12.0 };

/// `|v|_A`, the norm in which the primal problem is posed.
fn primal_norm<const D: usize>(problem: &Problem<D>, v: &[Vector<D>]) -> f64 {
    problem.inertia.iter().zip(v).map(|(inertia, v)| v.dot(&(inertia * v))).sum::<f64>().sqrt()
}

/// `|gamma|` in `W + R`, the norm in which the dual problem is posed.
fn dual_norm<const D: usize>(problem: &Problem<D>, impulses: &[Vector<D>]) -> f64 {
    let mut momentum = vec![Vector::zeros(); problem.inertia.len()];
    let mut sum = 0.0;
    for (contact, impulse) in problem.contacts.iter().zip(impulses) {
        contact.jacobian.subtract_transposed(impulse, &mut momentum);
        sum += contact.cone.norm_squared(impulse);
    }
    let kinetic = |(inertia, p): (&Block<D>, &Vector<D>)| p.norm_squared() / inertia[(0, 0)];
    (sum + problem.inertia.iter().zip(&momentum).map(kinetic).sum::<f64>()).sqrt()
}

fn difference<const D: usize>(a: &[Vector<D>], b: &[Vector<D>]) -> Vec<Vector<D>> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn assert_agree<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut solver = Solver::new(Settings { relative_tolerance: 1e-14, ..Settings::default() });
    let mut pressed = 0;
    for _ in 0..1000 {
        let problem = problems::random::<D>(&mut rng, WILD);
        let mut v = problem.free_velocity.clone();
        let report = solver.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        let dual = solve_dual(&problem).expect("well posed");

        // Impulses and velocities alike are measured against the momentum of the problem.
        let momentum = primal_norm(&problem, &problem.free_velocity);
        let error = primal_norm(&problem, &difference(&v, &dual.velocity)) / momentum;
        assert!(error <= 1e-8, "velocities: {error:e}");
        let error = dual_norm(&problem, &difference(solver.impulses(), &dual.impulses)) / momentum;
        assert!(error <= 1e-8, "impulses: {error:e}");
        pressed += usize::from(dual_norm(&problem, solver.impulses()) > 1e-3 * momentum);
    }
    assert!(pressed > 500, "only {pressed} problems had contact forces");
}

#[test]
fn primal_and_dual_agree_in_the_plane() {
    assert_agree::<2>(30);
}

#[test]
fn primal_and_dual_agree_over_a_plane() {
    assert_agree::<3>(31);
}
