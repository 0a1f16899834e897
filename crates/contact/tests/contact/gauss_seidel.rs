//! Exact Coulomb friction by projected Gauss-Seidel.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::contact::{
    Accuracy, Contact, ContactModel, ContactProblem, DenseSolution, DenseSolver, GaussSeidel,
    GaussSeidelSettings, Link, Solution, SolveFailure,
};

use crate::samples::samples;

/// A point of 2 kg over a plane, touching it with velocity `v` and pressed down.
fn point(v: [f64; 2], friction: f64) -> ContactProblem<2, 2> {
    let contact = Contact {
        bodies: [Some(0), None],
        jacobian: [SMatrix::<f64, 2, 2>::new(0.0, 1.0, 1.0, 0.0), SMatrix::zeros()],
        friction,
        bias: 0.0,
        surface_velocity: SVector::zeros(),
        restitution: 0.0,
        gap: 0.0,
    };
    ContactProblem {
        free_velocity: vec![v.into()],
        inverse_mass: vec![SMatrix::identity() / 2.0],
        contacts: vec![contact],
        ..ContactProblem::empty(1e-3)
    }
}

fn solve(problem: &ContactProblem<2, 2>) -> Solution<2, 2> {
    let mut solution = Solution::default();
    let report = GaussSeidel::default().solve(problem, &mut solution).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified);
    solution
}

#[test]
fn a_point_slides_sticks_or_leaves() {
    let sliding = solve(&point([1.0, -0.01], 0.3));
    assert!((sliding.velocity[0] - SVector::<f64, 2>::new(0.997, 0.0)).amax() < 1e-8);
    assert!((sliding.impulses[0] - SVector::<f64, 2>::new(0.02, -0.006)).amax() < 1e-8);
    let sticking = solve(&point([0.002, -0.01], 0.3));
    assert!(sticking.velocity[0].amax() < 1e-9);
    let leaving = solve(&point([0.002, 0.01], 0.3));
    assert_eq!(leaving.velocity[0], SVector::<f64, 2>::new(0.002, 0.01));
    assert_eq!(leaving.impulses[0], SVector::<f64, 2>::zeros());
}

#[test]
fn a_conveyor_takes_a_point_along() {
    let mut problem = point([0.0, -0.01], 0.3);
    problem.contacts[0].surface_velocity[1] = -0.002;
    assert!((solve(&problem).velocity[0] - SVector::<f64, 2>::new(0.002, 0.0)).amax() < 1e-9);
}

#[test]
fn masses_from_grams_to_kilotons_are_alike() {
    for mass in [1e-9, 1e-3, 1.0, 1e6, 1e12] {
        let mut problem = point([1.0, -0.01], 0.3);
        problem.inverse_mass[0] = SMatrix::identity() / mass;
        let error = solve(&problem).velocity[0] - SVector::<f64, 2>::new(0.997, 0.0);
        assert!(error.amax() < 1e-8, "{mass}: {error}");
    }
}

#[test]
fn a_rod_carries_a_second_point_along() {
    let mut problem = point([1.0, -0.01], 0.3);
    problem.free_velocity.push([0.0, 0.0].into());
    problem.inverse_mass.push(SMatrix::identity() / 2.0);
    let row = SVector::<f64, 2>::new(1.0, 0.0);
    problem.links.push(Link {
        bodies: [Some(0), Some(1)],
        jacobian: [row, -row],
        bias: 0.0,
        terms: 0.0,
        compliance: 0.0,
        bounds: Link::<2>::UNBOUNDED,
    });
    let solution = solve(&problem);
    // Friction takes 0.006 N s from the momentum of both.
    for velocity in &solution.velocity {
        assert!((velocity[0] - (2.0 - 0.006) / 4.0).abs() < 1e-8, "{velocity}");
    }
}

#[test]
fn bodies_and_their_delassus_operator_have_one_solution() {
    for sample in samples().iter().filter(|sample| sample.name.contains("chain-3d-12")) {
        let problem = sample.problem::<3, 6>();
        let (mut solution, mut dense) = (Solution::default(), DenseSolution::default());
        GaussSeidel::default().solve(&problem, &mut solution).unwrap();
        GaussSeidel::<3, 6>::default().solve_dense(&problem.delassus(), &mut dense).unwrap();
        for (a, b) in solution.impulses.iter().zip(&dense.impulses) {
            assert!((a - b).amax() < 1e-6);
        }
    }
}

#[test]
fn too_few_sweeps_are_a_failure_that_carries_the_residual() {
    let sample = samples().into_iter().find(|sample| sample.name.contains("tower-2d-90")).unwrap();
    let settings = GaussSeidelSettings { max_sweeps: 20, ..GaussSeidelSettings::default() };
    let mut solution = Solution::default();
    let failure = GaussSeidel::new(settings).solve(&sample.problem::<2, 3>(), &mut solution).unwrap_err();
    let SolveFailure::Unsolved { iterations, residuals, .. } = failure else { panic!("{failure}") };
    assert_eq!(iterations, 20);
    assert!(residuals.scaled > 1e-4 && residuals.scaled.is_finite());
    assert_eq!(solution.impulses.len(), 90);
}

#[test]
fn a_good_guess_saves_sweeps() {
    let sample = samples().into_iter().find(|sample| sample.name.contains("wall-2d-22")).unwrap();
    let problem = sample.problem::<2, 3>();
    let mut solution = Solution::default();
    let cold = GaussSeidel::default().solve(&problem, &mut solution).unwrap();
    solution.is_guess = true;
    let warm = GaussSeidel::default().solve(&problem, &mut solution).unwrap();
    assert!(cold.iterations > 100);
    assert_eq!(warm.iterations, 0);
}

/// Of the thirty samples, those that projected Gauss-Seidel is known to solve within its sweeps.
#[test]
fn samples_that_suit_sweeps_are_certified() {
    let mut certified = 0;
    for sample in samples() {
        let settings = GaussSeidelSettings { max_sweeps: 2000, ..GaussSeidelSettings::default() };
        let accuracy = match sample.dimension {
            2 => {
                let mut solution = Solution::default();
                let model = GaussSeidel::new(settings).solve(&sample.problem::<2, 3>(), &mut solution);
                model.map(|report| report.accuracy)
            }
            _ => {
                let mut solution = Solution::default();
                let model = GaussSeidel::new(settings).solve(&sample.problem::<3, 6>(), &mut solution);
                model.map(|report| report.accuracy)
            }
        };
        certified += u32::from(accuracy == Ok(Accuracy::Certified));
    }
    assert!(certified >= 17, "{certified} of 30");
}
