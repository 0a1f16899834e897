//! The independent check names the condition that a wrong answer breaks.

use nalgebra::RowVector2;
use stickslip_solve::convex::{
    Block, Contact, Equality, FrictionCone, Jacobian, KktResiduals, Problem, Regularization, Vector,
    kkt_residuals,
};

const MASS: f64 = 2.0;

/// One body on the ground that has this `gap` of velocity, `g = v + R gamma`, and the impulse `gamma`, with its
/// momentum in balance.
fn answer(gap: [f64; 2], impulse: [f64; 2]) -> (Problem<2>, Vector<2>, Vector<2>) {
    let cone = FrictionCone::new(0.5, Regularization { tangential: 1e-3, normal: 1e-2 });
    let impulse = Vector::<2>::from(impulse);
    let velocity = Vector::<2>::from(gap) - cone.scale(&impulse);
    let problem = Problem {
        inertia: vec![Block::identity() * MASS],
        free_velocity: vec![velocity - impulse / MASS],
        contacts: vec![Contact {
            jacobian: Jacobian::single(0, Block::identity()),
            reference: Vector::zeros(),
            cone,
            active: true,
        }],
        equalities: Vec::new(),
    };
    (problem, velocity, impulse)
}

#[track_caller]
fn assert_misses(gap: [f64; 2], impulse: [f64; 2], cone: f64, dual_cone: f64, complementarity: f64) {
    let (problem, velocity, impulse) = answer(gap, impulse);
    let found = kkt_residuals(&problem, &[velocity], &[impulse]);
    let expected = KktResiduals { momentum: 0.0, cone, dual_cone, complementarity };
    let pairs = [
        (found.momentum, 0.0),
        (found.cone, cone),
        (found.dual_cone, dual_cone),
        (found.complementarity, complementarity),
    ];
    assert!(pairs.iter().all(|(found, expected)| (found - expected).abs() < 1e-14), "{found:?} {expected:?}");
}

#[test]
fn each_condition_is_missed_alone() {
    // Sliding, sticking and apart, as they should be.
    assert_misses([1.0, 0.5], [-1.0, 2.0], 0.0, 0.0, 0.0);
    assert_misses([0.0, 0.0], [0.3, 2.0], 0.0, 0.0, 0.0);
    assert_misses([1.0, 3.0], [0.0, 0.0], 0.0, 0.0, 0.0);
    // More friction than the cone has; a pull; velocities that close; a push on what leaves.
    assert_misses([0.0, 0.0], [2.0, 2.0], 1.0, 0.0, 0.0);
    assert_misses([0.0, 0.0], [0.0, -1.0], 1.0, 0.0, 0.0);
    assert_misses([0.0, -1.0], [0.0, 0.0], 0.0, 1.0, 0.0);
    assert_misses([1.0, 0.0], [0.0, 0.0], 0.0, 0.5, 0.0);
    assert_misses([0.0, 1.0], [0.0, 1.0], 0.0, 0.0, 1.0);
    assert_misses([0.0, -1.0], [0.0, 100.0], 0.0, 1.0, 100.0);
}

#[test]
fn momentum_counts_in_either_direction_and_with_what_holds_bodies_together() {
    for change in [-0.1, 0.1] {
        let (mut problem, velocity, impulse) = answer([1.0, 0.5], [-1.0, 2.0]);
        problem.free_velocity[0][0] += change;
        let found = kkt_residuals(&problem, &[velocity], &[impulse]);
        assert!((found.momentum - 0.1 * MASS).abs() < 1e-14, "{found:?}");
    }
    let (mut problem, velocity, impulse) = answer([1.0, 0.5], [-1.0, 2.0]);
    let row = RowVector2::new(1.0, 0.0);
    let equality = Equality { jacobian: Jacobian::single(0, row), reference: 3.0, stiffness: 5.0 };
    problem.free_velocity[0][0] -= equality.impulse(&[velocity]) / MASS;
    problem.equalities.push(equality);
    let found = kkt_residuals(&problem, &[velocity], &[impulse]);
    assert!(found.momentum < 1e-14, "{found:?}");
}

#[test]
fn the_largest_counts_in_its_own_unit_and_what_is_no_number_is_never_small() {
    let (impulse, velocity) = (2.0, 4.0);
    let zero = KktResiduals::default();
    for residuals in [
        KktResiduals { momentum: 6.0, ..zero },
        KktResiduals { cone: 6.0, ..zero },
        KktResiduals { dual_cone: 12.0, ..zero },
        KktResiduals { complementarity: 24.0, ..zero },
    ] {
        assert_eq!(residuals.scaled(impulse, velocity), 3.0, "{residuals:?}");
    }
    assert!(KktResiduals { momentum: f64::NAN, ..zero }.scaled(impulse, velocity).is_nan());
    let (problem, velocity, impulse) = answer([1.0, 0.5], [-1.0, 2.0]);
    for place in 0..2 {
        let mut wrong = impulse;
        wrong[place] = f64::NAN;
        let found = kkt_residuals(&problem, &[velocity], &[wrong]).scaled(1.0, 1.0);
        assert!(found.is_nan() || found == f64::INFINITY, "{found}");
    }
}
