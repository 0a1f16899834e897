//! What a contact problem refuses.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use stickslip_contact::contact::{
    Contact, ContactModel, ContactProblem, DenseProblem, DenseProblemError, Doubt, GaussSeidel, Link,
    ProblemError, Solution, SolveFailure,
};

fn valid() -> ContactProblem<3, 6> {
    let mut jacobian = SMatrix::<f64, 3, 6>::zeros();
    for i in 0..3 {
        jacobian[(i, i)] = 1.0;
    }
    ContactProblem {
        free_velocity: vec![SVector::zeros(); 2],
        inverse_mass: vec![SMatrix::identity(), SMatrix::zeros()],
        contacts: vec![Contact {
            bodies: [Some(0), Some(1)],
            jacobian: [jacobian, -jacobian],
            friction: 0.5,
            bias: -1.0,
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        }],
        links: vec![Link {
            bodies: [Some(0), None],
            jacobian: [SVector::from_element(1.0), SVector::zeros()],
            bias: 0.0,
            terms: 0.0,
            compliance: 0.1,
            bounds: Link::<1>::UNBOUNDED,
        }],
        ..ContactProblem::empty(1e-3)
    }
}

#[track_caller]
fn refused(change: impl FnOnce(&mut ContactProblem<3, 6>)) -> ProblemError {
    let mut problem = valid();
    change(&mut problem);
    let failure = GaussSeidel::default().solve(&problem, &mut Solution::default()).unwrap_err();
    match failure {
        SolveFailure::Problem(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_valid_problem_passes() {
    valid().check().unwrap();
}

#[test]
fn faults_are_named() {
    assert!(matches!(refused(|p| p.time_step = 0.0), ProblemError::TimeStep(_)));
    assert!(matches!(refused(|p| p.contacts[0].friction = -0.1), ProblemError::Friction { contact: 0, .. }));
    assert!(matches!(refused(|p| p.contacts[0].bias = f64::NAN), ProblemError::NotFinite { .. }));
    assert!(matches!(refused(|p| p.links[0].compliance = -1.0), ProblemError::Compliance { link: 0, .. }));
    for bounds in [[1.0, -1.0], [f64::NAN, 1.0], [-1.0, f64::NAN], [f64::INFINITY; 2], [f64::NEG_INFINITY; 2]]
    {
        assert!(matches!(refused(|p| p.links[0].bounds = bounds), ProblemError::Bounds { link: 0, .. }));
    }
    assert!(matches!(refused(|p| p.contacts[0].bodies = [Some(0), Some(2)]), ProblemError::Bodies { .. }));
    assert!(matches!(refused(|p| p.contacts[0].bodies = [Some(0), Some(0)]), ProblemError::Bodies { .. }));
    assert!(matches!(refused(|p| p.contacts[0].bodies = [None, Some(1)]), ProblemError::Immovable { .. }));
    assert!(matches!(refused(|p| p.inverse_mass[0][(0, 1)] = 0.5), ProblemError::InverseMass { body: 0 }));
    assert!(matches!(
        refused(|p| p.inverse_mass[0] = -SMatrix::identity()),
        ProblemError::InverseMass { .. }
    ));
    assert!(matches!(
        refused(|p| {
            p.inverse_mass.pop();
        }),
        ProblemError::Count { .. }
    ));
    let infinite = |p: &mut ContactProblem<3, 6>| p.free_velocity[1][2] = f64::INFINITY;
    assert!(matches!(refused(infinite), ProblemError::NotFinite { index: 1, .. }));
}

fn dense(w: &[[f64; 2]; 2], q: &[f64], mu: &[f64]) -> Result<DenseProblem<2>, DenseProblemError> {
    let w: Vec<Vec<f64>> = w.iter().map(|row| row.to_vec()).collect();
    DenseProblem::from_rows(&w, q, mu)
}

#[test]
fn dense_faults_are_named() {
    let w = [[1.0, 0.2], [0.2, 1.0]];
    assert!(dense(&w, &[-1.0, 0.0], &[0.3]).is_ok());
    let message = |result: Result<DenseProblem<2>, DenseProblemError>| result.unwrap_err().to_string();
    assert!(message(dense(&w, &[-1.0], &[0.3])).contains("`q` has 1 entries"));
    assert!(message(dense(&w, &[-1.0, 0.0], &[])).contains("`mu` has 0 entries"));
    assert!(message(dense(&w, &[-1.0, f64::NAN], &[0.3])).contains("`q` holds NaN in row 2"));
    assert!(message(dense(&w, &[-1.0, 0.0], &[-0.3])).contains("`mu` of contact 1 is -0.3"));
    assert!(message(dense(&[[1.0, 0.0], [0.0, 0.0]], &[-1.0, 0.0], &[0.3])).contains("row 2, column 2"));
    let odd = DenseProblem::<2>::new(DMatrix::identity(3, 3), DVector::zeros(3), vec![0.1]);
    assert!(odd.unwrap_err().to_string().contains("not a multiple of the dimension 2"));
}

#[test]
fn operators_of_no_mechanical_system_are_doubted() {
    assert!(dense(&[[1.0, 0.2], [0.2, 1.0]], &[-1.0, 0.0], &[0.3]).unwrap().doubts().is_empty());
    // Semidefinite: two contacts that share one direction.
    assert!(dense(&[[1.0, 1.0], [1.0, 1.0]], &[-1.0, 0.0], &[0.3]).unwrap().doubts().is_empty());
    let skew = dense(&[[1.0, 0.2], [0.1, 1.0]], &[-1.0, 0.0], &[0.3]).unwrap();
    assert!(matches!(skew.doubts()[..], [Doubt::Asymmetric(size)] if (size - 0.1).abs() < 1e-12));
    let indefinite = dense(&[[1.0, 2.0], [2.0, 1.0]], &[-1.0, 0.0], &[0.3]).unwrap();
    assert!(matches!(indefinite.doubts()[..], [Doubt::Indefinite(_)]));
}
