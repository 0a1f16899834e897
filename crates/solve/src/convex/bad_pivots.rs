//! A pivot that went wrong gives no wrong velocities: they are held against the optimality conditions afterwards.

use super::{
    Block, Contact, FrictionCone, Jacobian, Problem, Regularization, Settings, Solver, Status, Vector,
    kkt_residuals,
};
use crate::{
    fault::{FACTORS, in_pivots},
    random::Random,
};

/// A stack of three bodies that is pushed to the side.
fn problem() -> Problem<3> {
    let mut random = Random::seeded(3);
    let regularization = Regularization { tangential: 1e-4, normal: 1e-2 };
    let contact = |jacobian| Contact {
        jacobian,
        reference: Vector::zeros(),
        cone: FrictionCone::new(0.6, regularization),
        active: true,
    };
    Problem {
        inertia: [1.0, 20.0, 3.0].map(|mass| Block::identity() * mass).to_vec(),
        free_velocity: (0..3).map(|_| Vector::from([random.normal(1.0), random.normal(1.0), -1.0])).collect(),
        contacts: vec![
            contact(Jacobian::single(0, Block::identity())),
            contact(Jacobian::difference(0, 1, Block::identity())),
            contact(Jacobian::difference(1, 2, Block::identity())),
        ],
        equalities: Vec::new(),
    }
}

#[test]
fn whatever_pivots_go_wrong_no_wrong_velocity_is_called_converged() {
    let problem = problem();
    let solve = || {
        let mut solver = Solver::<3>::new(Settings { relative_tolerance: 1e-9, ..Settings::default() });
        let mut velocity = problem.free_velocity.clone();
        let status = solver.solve(&problem, &mut velocity).expect("well posed").status;
        let residual = kkt_residuals(&problem, &velocity, solver.impulses()).scaled(1.0, 1.0);
        (status, residual)
    };
    let (status, residual) = solve();
    assert!(status == Status::Converged && residual < 1e-7, "{status:?} {residual:e}");
    let mut failed = 0;
    for factor in FACTORS {
        for numbers in [0..1, 4..5, 9..10, 0..9, 0..usize::MAX, 5..usize::MAX] {
            let ((status, residual), met) = in_pivots(numbers.clone(), factor, solve);
            assert!(met > 0, "there is no pivot {numbers:?}");
            let is_right = residual < 1e-6;
            assert!(
                status != Status::Converged || is_right,
                "pivots {numbers:?} times {factor}: {residual:e}"
            );
            failed += usize::from(status != Status::Converged);
        }
    }
    assert!(failed > 0, "the faults change nothing");
}
