//! Convex programs whose contacts resist turning: Newton's method against an interior-point method for the dual, which shares
//! neither projection nor Hessian with it, and against differences.

use nalgebra::{SMatrix, SVector};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::contact::groups::{CompliantCone, ROWS};
use stickslip_solve::convex::{
    Cone, Contact, Jacobian, Problem, Settings, Solver, Term, kkt_residuals, solve_dual,
};

type Program = Problem<ROWS, 6, CompliantCone>;

fn program(rng: &mut StdRng) -> Program {
    let bodies = rng.random_range(1..4);
    let inertia = SMatrix::<f64, 6, 6>::identity() + SMatrix::repeat(0.5);
    let contacts = rng.random_range(1..5);
    let mut problem = Problem {
        inertia: (0..bodies).map(|_| inertia * 10_f64.powf(rng.random_range(-1.0..1.0))).collect(),
        free_velocity: (0..bodies).map(|_| SVector::from_fn(|_, _| rng.random_range(-2.0..2.0))).collect(),
        contacts: Vec::new(),
        equalities: Vec::new(),
    };
    for _ in 0..contacts {
        // Some contacts lack rows, as those that do not resist drilling, or rolling.
        let lacking = [rng.random_bool(0.3), rng.random_bool(0.3)];
        let term = |block: usize, rng: &mut StdRng| {
            let mut transposed = SMatrix::<f64, 6, ROWS>::from_fn(|_, _| rng.random_range(-1.0..1.0));
            for (row, is_lacking) in [(2, lacking[0]), (3, lacking[1]), (4, lacking[1])] {
                if is_lacking {
                    transposed.column_mut(row).fill(0.0);
                }
            }
            Term { block, transposed }
        };
        let first = rng.random_range(0..bodies);
        let second = (bodies > 1 && rng.random_bool(0.5)).then(|| (first + 1) % bodies);
        let first = term(first, rng);
        let second = second.map(|block| term(block, rng));
        let [normal, patch, rolling] = [0; 3].map(|_| 10_f64.powf(rng.random_range(-4.0..-1.0)));
        let mut reference = SVector::zeros();
        reference[ROWS - 1] = rng.random_range(-0.5..0.5);
        problem.contacts.push(Contact {
            jacobian: Jacobian { first, second },
            reference,
            cone: CompliantCone::new(normal, [patch, rolling]),
            active: true,
        });
    }
    problem
}

#[test]
fn newton_and_the_dual_agree() {
    let mut rng = StdRng::seed_from_u64(21);
    let settings = Settings { relative_tolerance: 1e-10, absolute_tolerance: 0.0, ..Settings::DEFAULT };
    let mut solver = Solver::new(settings);
    let mut seen = [0; 3];
    for number in 0..200 {
        let problem = program(&mut rng);
        problem.check().unwrap_or_else(|error| panic!("{number}: {error}"));
        let mut velocity = problem.free_velocity.clone();
        let report = solver.solve(&problem, &mut velocity).unwrap_or_else(|error| panic!("{error}"));
        assert!(report.status.is_solved(), "{number}: {report:?}");
        let residual = kkt_residuals(&problem, &velocity, solver.impulses()).scaled(1.0, 1.0);
        assert!(residual < 1e-6, "{number}: {residual:e}");
        let dual = solve_dual(&problem).unwrap_or_else(|error| panic!("{number}: {error}"));
        let apart = velocity.iter().zip(&dual.velocity).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{number}: {apart:e}");
        for contact in &problem.contacts {
            let region = contact.cone.project(&contact.unprojected(&velocity)).region;
            seen[region as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn gradient_and_hessian_are_those_of_the_cost() {
    let mut rng = StdRng::seed_from_u64(22);
    for number in 0..30 {
        let problem = program(&mut rng);
        let at: Vec<SVector<f64, 6>> = (problem.free_velocity.iter())
            .map(|v| v + SVector::from_fn(|_, _| rng.random_range(-0.1..0.1)))
            .collect();
        let (gradient, hessian) = (problem.gradient(&at), problem.hessian(&at));
        let scale = hessian.amax();
        for (block, row) in (0..at.len()).flat_map(|block| (0..6).map(move |row| (block, row))) {
            let moved = |by: f64| {
                let mut there = at.clone();
                there[block][row] += by;
                there
            };
            let (more, less) = (moved(1e-6), moved(-1e-6));
            let slope = (problem.cost(&more) - problem.cost(&less)) / 2e-6;
            assert!((slope - gradient[block][row]).abs() < 1e-6 * scale, "{number}");
            let (more, less) = (problem.gradient(&more), problem.gradient(&less));
            for (other, entry) in (0..at.len()).flat_map(|other| (0..6).map(move |entry| (other, entry))) {
                let slope = (more[other][entry] - less[other][entry]) / 2e-6;
                let found = hessian[(6 * other + entry, 6 * block + row)];
                assert!((slope - found).abs() < 1e-4 * scale, "{number}: {slope} {found}");
            }
        }
    }
}
