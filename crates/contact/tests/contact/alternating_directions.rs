//! Exact Coulomb friction by alternating directions, and the accelerated gradients behind them.

use nalgebra::SVector;
use stickslip_contact::contact::{
    Accuracy, AlternatingDirections, AlternatingDirectionsSettings, ContactModel, ContactProblem,
    DenseSolution, DenseSolver, Solution, SolveFailure, Structured, Yardstick,
};

use crate::{
    generator::{Kind, Recipe},
    rods::add_rods,
    stacks::Stack,
};

/// By how much a solution misses Coulomb's law, by its words, each contact in its own units.
fn miss_of_coulomb<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
) -> f64 {
    let mut yardstick = Yardstick::default();
    yardstick.set(problem);
    let contacts = problem.contacts.iter().zip(&solution.impulses).zip(yardstick.weights());
    contacts.fold(0.0, |worst: f64, ((contact, r), weight)| {
        let unit = yardstick.unit() * weight.sqrt();
        let (r, u) = (r * (weight / unit), problem.relative_velocity(contact, &solution.velocity) / unit);
        let (push, slip) = (r.rows_range(1..), u.rows_range(1..));
        let bound = contact.friction * r[0];
        let size = r.amax().max(u.amax()).max(1.0);
        let misses = [
            -r[0] / size,
            -u[0] / size,
            r[0].min(u[0]) / size,
            (push.norm() - bound) / size,
            (push.dot(&slip) + bound * slip.norm()) / (size * size),
        ];
        misses
            .into_iter()
            .fold(worst, |worst, miss| if miss.is_nan() { f64::INFINITY } else { worst.max(miss) })
    })
}

fn check_set<const D: usize, const N: usize>(kind: Kind) -> (usize, usize) {
    let (mut solved, mut all) = (0, 0);
    for index in 0..8_u64 {
        let recipe = Recipe {
            kind,
            contacts: [20, 50][index as usize / 4],
            friction: [0.2, 0.5][index as usize % 2],
            restitution: 0.0,
            mass_ratio: [1.0, 1e2, 1e4, 1e6][index as usize % 4],
            agitation: [0.0, 1.0][index as usize / 2 % 2],
            seed: 900 + index,
        };
        let problem = recipe.problem::<D, N>();
        let mut solution = Solution::default();
        all += 1;
        match AlternatingDirections::<D, N>::default().solve(&problem, &mut solution) {
            Ok(report) if report.accuracy == Accuracy::Certified => {
                let miss = miss_of_coulomb(&problem, &solution);
                assert!(miss < 1e-7, "{recipe:?}: {miss:.1e}");
                solved += 1;
            }
            Ok(report) => assert_eq!(report.accuracy, Accuracy::Approximate, "{recipe:?}"),
            Err(SolveFailure::Unsolved { residuals, .. }) => assert!(residuals.max().is_finite()),
            Err(other) => panic!("{recipe:?}: {other}"),
        }
    }
    (solved, all)
}

/// Sweeps solve half of these in 20,000 each.
#[test]
fn stacks_converge_whatever_their_masses() {
    for kind in [Kind::Tower, Kind::Wall, Kind::Chain, Kind::Pile] {
        for (solved, all) in [check_set::<2, 3>(kind), check_set::<3, 6>(kind)] {
            assert!(solved + 1 >= all, "{kind:?}: {solved} of {all}");
        }
    }
}

#[test]
fn rest_takes_a_few_dozen_iterations_whatever_stands_on_what() {
    let mut masses = [1.0; 10];
    masses[9] = 1e4;
    for stack in [Stack::<3>::tower(&[1.0; 10]), Stack::tower(&masses), Stack::pyramid(5)] {
        let problem = stack.problem::<6>(0.5, 0.0, 0);
        let mut solution = Solution::default();
        let report = AlternatingDirections::default().solve(&problem, &mut solution).unwrap();
        assert_eq!((report.accuracy, report.rung), (Accuracy::Certified, 0));
        assert!(report.iterations <= 60, "{report:?}");
        let fastest = solution.velocity.iter().map(|velocity| velocity.amax()).fold(0.0, f64::max);
        assert!(fastest < 1e-9, "{fastest} m/s");
    }
}

#[test]
fn what_does_not_converge_says_how_far_it_is() {
    let problem = Stack::<3>::tower(&[1.0; 10]).problem::<6>(0.5, 1.0, 0);
    let settings =
        AlternatingDirectionsSettings { max_iterations: 5, max_gradients: 10, ..Default::default() };
    let mut solution = Solution::default();
    let failure = AlternatingDirections::new(settings).solve(&problem, &mut solution).unwrap_err();
    let SolveFailure::Unsolved { iterations, residuals, .. } = failure else { panic!("{failure}") };
    assert_eq!(iterations, 15);
    assert!(residuals.scaled > 1e-4 && residuals.scaled.is_finite());
    assert_eq!(solution.impulses.len(), 40);
}

#[test]
fn accelerated_gradients_converge_by_themselves() {
    let settings = AlternatingDirectionsSettings { max_iterations: 0, ..Default::default() };
    let problem = Stack::<3>::pyramid(3).problem::<6>(0.5, 1.0, 4);
    let mut solution = Solution::default();
    let report = AlternatingDirections::new(settings).solve(&problem, &mut solution).unwrap();
    assert_eq!((report.accuracy, report.rung), (Accuracy::Certified, 1));
    assert!(miss_of_coulomb(&problem, &solution) < 1e-7);
}

#[test]
fn rods_and_springs_are_honoured_by_both() {
    for (max_iterations, rung) in [(5_000, 0), (0, 1)] {
        for compliance in [0.0, 0.5] {
            let mut problem = Stack::<2>::tower(&[1.0; 3]).problem::<3>(0.3, 1.0, 4);
            let row = SVector::<f64, 3>::new(0.8, 0.6, 0.2);
            add_rods(&mut problem, row, [(0, Some(2)), (1, None)], (1e-3, compliance));
            let (mut solution, mut exact) = (Solution::default(), Solution::default());
            let settings = AlternatingDirectionsSettings { max_iterations, ..Default::default() };
            let report = AlternatingDirections::new(settings).solve(&problem, &mut solution).unwrap();
            assert_eq!((report.accuracy, report.rung), (Accuracy::Certified, rung));
            Structured::default().solve(&problem, &mut exact).unwrap();
            for (a, b) in solution.velocity.iter().zip(&exact.velocity) {
                assert!((a - b).amax() < 1e-7, "{a} {b}");
            }
        }
    }
}

#[test]
fn bodies_and_their_delassus_operator_have_one_motion() {
    let problem = Stack::<3>::pyramid(3).problem::<6>(0.4, 0.1, 5);
    let (mut solution, mut dense) = (Solution::default(), DenseSolution::default());
    AlternatingDirections::default().solve(&problem, &mut solution).unwrap();
    let mut model = AlternatingDirections::<3, 6>::default();
    let report = model.solve_dense(&problem.delassus(), &mut dense).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified);
    for (contact, u) in problem.contacts.iter().zip(&dense.velocities) {
        let of_bodies = problem.relative_velocity(contact, &solution.velocity);
        assert!((of_bodies - u).amax() < 1e-8, "{of_bodies} {u}");
    }
}

#[test]
fn a_solution_as_a_guess_is_found_at_once_and_flight_stays_exact() {
    let problem = Stack::<3>::tower(&[1.0; 4]).problem::<6>(0.5, 0.3, 1);
    let mut solution = Solution::default();
    let mut model = AlternatingDirections::default();
    let cold = model.solve(&problem, &mut solution).unwrap();
    solution.is_guess = true;
    let warm = model.solve(&problem, &mut solution).unwrap();
    assert!(cold.iterations > 0);
    assert_eq!(warm.iterations, 0);
    let mut leaving = problem.clone();
    leaving.free_velocity.iter_mut().enumerate().for_each(|(storey, velocity)| {
        velocity.fill(0.0);
        velocity[2] = 1.0 + storey as f64;
    });
    solution.is_guess = false;
    model.solve(&leaving, &mut solution).unwrap();
    assert_eq!(solution.velocity, leaving.free_velocity);
}
