//! Newton's method: minimisers, stopping, statistics, warm starts, bad input.

use nalgebra::{DVector, RowVector2};
use rand::{SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{
    Block, Contact, Equality, FrictionCone, Jacobian, LineSearchStatistics, Problem, ProblemError, Region,
    Regularization, Settings, Solver, Status, Vector, kkt_residuals,
};

use crate::problems::{self, Range};

const WILD: Range = Range { blocks: 8, mass_decades: 6.0, stiffness_decades: 12.0 };

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

fn assert_piles_take_few_iterations<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut solver = Solver::new(Settings::default());
    let mut total = LineSearchStatistics::default();
    for _ in 0..5000 {
        let (problem, mut v) = problems::pile::<D>(&mut rng);
        let report = solver.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        assert!(report.iterations <= 30, "{report:?}");
        assert!(report.line_search.shortened <= report.iterations);
        assert!(report.line_search.most_evaluations <= 20, "{report:?}");
        total.add(&report.line_search);
    }
    assert!(total.shortened > 1000, "the piles are hard enough to need the line search: {total:?}");
}

#[test]
fn random_piles_take_at_most_thirty_iterations_in_the_plane() {
    assert_piles_take_few_iterations::<2>(22);
}

#[test]
fn random_piles_take_at_most_thirty_iterations_over_a_plane() {
    assert_piles_take_few_iterations::<3>(23);
}

/// A point of mass 1 on the ground.
fn point(free_velocity: Vector<2>, friction: f64) -> Problem<2> {
    let regularization = Regularization { tangential: 1e-3, normal: 0.02 };
    Problem {
        inertia: vec![Block::identity()],
        free_velocity: vec![free_velocity],
        contacts: vec![Contact {
            jacobian: Jacobian::single(0, Block::identity()),
            reference: Vector::zeros(),
            cone: FrictionCone::new(friction, regularization),
            active: true,
        }],
        equalities: vec![],
    }
}

/// Points in a row on the ground, joined by springs, each a bit slower than the one before.
fn chain(points: usize) -> Problem<2> {
    let one = point(Vector::zeros(), 0.5);
    let spring = |second: usize| Equality {
        jacobian: Jacobian::difference(second, second - 1, RowVector2::new(1.0, 0.0)),
        reference: 0.01,
        stiffness: 5.0,
    };
    Problem {
        inertia: vec![Block::identity(); points],
        free_velocity: (0..points).map(|i| Vector::<2>::new(1.0 / (i + 1) as f64, -0.5)).collect(),
        contacts: (0..points)
            .map(|i| Contact { jacobian: Jacobian::single(i, Block::identity()), ..one.contacts[0] })
            .collect(),
        equalities: (1..points).map(spring).collect(),
    }
}

#[test]
fn without_active_contacts_and_equalities_the_free_velocity_comes_back_at_once() {
    let mut problem = point(Vector::<2>::new(1.0, -2.0), 0.5);
    problem.contacts[0].active = false;
    let mut v = [Vector::<2>::new(9.0, 9.0)];
    let mut solver = Solver::new(Settings::default());
    let report = solver.solve(&problem, &mut v).expect("well posed");
    assert_eq!((report.status, report.iterations), (Status::Converged, 0));
    assert_eq!(v[0], problem.free_velocity[0]);
    assert_eq!(solver.impulses(), [Vector::<2>::zeros()]);
}

#[test]
fn equalities_alone_are_solved_by_one_step() {
    let mut problem = chain(20);
    problem.contacts.clear();
    let mut v = problem.free_velocity.clone();
    let report = Solver::new(precise()).solve(&problem, &mut v).expect("well posed");
    assert!(report.status.is_solved() && report.iterations <= 2, "{report:?}");
    assert_eq!(report.line_search.shortened, 0);
}

#[test]
fn equalities_can_be_folded_into_the_inertia() {
    // With A~ = A + J_e' R_e^-1 J_e and A~ v~* = A v* + J_e' R_e^-1 vhat_e the contacts see the
    // same problem: A~ (v - v~*) = J' gamma.
    let problem = chain(6);
    let mut v = problem.free_velocity.clone();
    let mut solver = Solver::new(precise());
    solver.solve(&problem, &mut v).expect("well posed");

    let mut folded = problem.clone();
    folded.contacts.clear();
    let inertia = folded.hessian(&v);
    let mut free = problem.free_velocity.clone();
    solver.solve(&folded, &mut free).expect("well posed");
    let impulses = {
        solver.solve(&problem, &mut v).expect("well posed");
        solver.impulses().to_vec()
    };
    let flat = |blocks: &[Vector<2>]| {
        DVector::from_iterator(2 * blocks.len(), blocks.iter().flat_map(|block| block.iter().copied()))
    };
    let imbalance = inertia * (flat(&v) - flat(&free)) - flat(&impulses);
    assert!(imbalance.amax() <= 1e-12, "{:e}", imbalance.amax());
}

#[test]
fn a_warm_start_at_the_solution_takes_no_iteration() {
    let problem = chain(50);
    let mut solver = Solver::new(precise());
    let mut v = problem.free_velocity.clone();
    let cold = solver.solve(&problem, &mut v).expect("well posed");
    assert!(cold.iterations >= 2, "{cold:?}");
    let solution = v.clone();
    let warm = Solver::new(Settings::default()).solve(&problem, &mut v).expect("well posed");
    assert_eq!((warm.status, warm.iterations), (Status::Converged, 0));
    assert_eq!(v, solution);
}

#[test]
fn a_solver_gives_the_same_answer_whatever_it_solved_before() {
    let mut rng = StdRng::seed_from_u64(24);
    let mut reused = Solver::new(precise());
    for _ in 0..100 {
        let problem = problems::random::<3>(&mut rng, WILD);
        let (mut v, mut fresh) = (problem.free_velocity.clone(), problem.free_velocity.clone());
        let report = reused.solve(&problem, &mut v).expect("well posed");
        assert_eq!(Ok(report), Solver::new(precise()).solve(&problem, &mut fresh));
        assert_eq!(v, fresh);
    }
}

#[test]
fn a_stick_slip_change_is_found_by_the_exact_line_search() {
    // The first guess slides to the right, the solution sticks.
    let problem = point(Vector::<2>::new(0.001, -1.0), 0.5);
    let mut v = [Vector::<2>::new(5.0, 0.0)];
    let mut solver = Solver::new(precise());
    let report = solver.solve(&problem, &mut v).expect("well posed");
    assert!(report.status.is_solved(), "{report:?}");
    assert!(report.line_search.shortened >= 1 && report.line_search.evaluations >= 1, "{report:?}");
    let y = problem.contacts[0].unprojected(&v);
    assert_eq!(problem.contacts[0].cone.region(&y), Region::Stick);
}

#[test]
fn running_out_of_iterations_is_reported() {
    let problem = chain(50);
    let mut v = problem.free_velocity.clone();
    let settings = Settings { max_iterations: 1, ..precise() };
    let report = Solver::new(settings).solve(&problem, &mut v).expect("well posed");
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 1));
    assert!(!report.status.is_solved());
}

#[test]
fn numbers_that_are_not_finite_are_reported() {
    for velocity in [f64::NAN, f64::INFINITY, 1e300] {
        let problem = point(Vector::<2>::new(velocity, -1.0), 0.5);
        let mut v = problem.free_velocity.clone();
        let report = Solver::new(precise()).solve(&problem, &mut v).expect("fits together");
        assert_eq!(report.status, Status::NotFinite, "{velocity}");
    }
}

#[test]
fn an_indefinite_inertia_is_reported() {
    let mut problem = point(Vector::<2>::new(1.0, -1.0), 0.0);
    problem.inertia[0] = Block::identity() * -1.0;
    problem.contacts.clear();
    problem.equalities.push(Equality {
        jacobian: Jacobian::single(0, RowVector2::new(1.0, 0.0)),
        reference: 1.0,
        stiffness: 0.5,
    });
    let mut v = [Vector::zeros()];
    let report = Solver::new(precise()).solve(&problem, &mut v).expect("fits together");
    assert!(!report.status.is_solved(), "{report:?}");
    assert!(matches!(problem.check(), Err(ProblemError::Parameter { what: "block", index: 0, .. })));
}

#[test]
fn a_velocity_of_the_wrong_length_is_refused() {
    let problem = chain(3);
    let refused = Solver::new(precise()).solve(&problem, &mut [Vector::zeros(); 2]);
    assert_eq!(refused, Err(ProblemError::Length { what: "velocity", given: 2, blocks: 3 }));
}

#[test]
fn a_coupling_to_a_missing_block_is_refused() {
    let mut problem = chain(3);
    problem.equalities[1].jacobian.first.block = 7;
    let mut v = problem.free_velocity.clone();
    let refused = Solver::new(precise()).solve(&problem, &mut v);
    let what = ProblemError::Coupling { what: "equality", index: 1, first: 7, second: Some(1), blocks: 3 };
    assert_eq!(refused, Err(what.clone()));
    assert_eq!(problem.check(), Err(what));
}

/// A way to spoil a problem.
type Breakage<'a> = &'a dyn Fn(&mut Problem<2>);

#[test]
fn parameters_outside_their_range_are_named() {
    let negative_friction = |problem: &mut Problem<2>| {
        let regularization = problem.contacts[0].cone.regularization();
        problem.contacts[0].cone = FrictionCone::new(-0.1, regularization);
    };
    let no_regularization = |problem: &mut Problem<2>| {
        let regularization = Regularization { tangential: 0.0, normal: 1.0 };
        problem.contacts[0].cone = FrictionCone::new(0.1, regularization);
    };
    let not_a_number = |problem: &mut Problem<2>| problem.contacts[0].reference[1] = f64::NAN;
    let pushing_spring = |problem: &mut Problem<2>| problem.equalities[0].stiffness = -1.0;
    let asymmetric = |problem: &mut Problem<2>| problem.inertia[0][(0, 1)] = 0.5;
    let breakages: [(&str, Breakage); 5] = [
        ("contact", &negative_friction),
        ("contact", &no_regularization),
        ("contact", &not_a_number),
        ("equality", &pushing_spring),
        ("block", &asymmetric),
    ];
    for (what, breakage) in breakages {
        let mut problem = chain(2);
        assert_eq!(problem.check(), Ok(()));
        breakage(&mut problem);
        let error = problem.check().expect_err("broken");
        assert!(error.to_string().starts_with(&format!("{what} 0 ")), "{error}");
    }
}
