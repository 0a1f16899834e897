use nalgebra::SVector;
use num_dual::DualNum;
use stickslip_solve::nlp::{Bounds, Nlp, Sparsity};

use crate::programs::ContactStep;

#[test]
fn of_the_contact_step_lists_exactly_the_variables_that_meet() {
    let step = ContactStep { free_velocity: [30.0, -1.0], gap: 0.2, friction: 0.3 };
    let sparsity = Sparsity::probe(&step);
    let [vx, vz, b, pz, s1, s2, lambda] = [0, 1, 2, 3, 4, 5, 6];
    let jacobian = [
        (0, vx),
        (0, b),
        (0, pz),
        (1, vz),
        (1, pz),
        (2, vx),
        (2, b),
        (2, lambda),
        (3, vz),
        (4, b),
        (5, vz),
        (5, pz),
        (5, s1),
        (6, b),
        (6, s2),
        (6, lambda),
    ];
    assert_eq!(sparsity.jacobian(), jacobian);
    assert_eq!(sparsity.hessian(), [(b, b), (pz, vz), (pz, b), (lambda, b)]);
}

#[test]
fn keeps_an_entry_whose_coefficient_is_zero_today() {
    let ice = ContactStep { free_velocity: [0.0, 0.0], gap: 0.0, friction: 0.0 };
    let rough = ContactStep { friction: 0.5, ..ice };
    assert_eq!(Sparsity::probe(&ice), Sparsity::probe(&rough));
}

/// Undefined wherever it is probed, linear, quadratic and cancelling terms side by side.
struct OutsideItsDomain;

impl Nlp<3, 2> for OutsideItsDomain {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> T {
        (x[0] * x[0] * -1.0 - 1.0).ln()
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> SVector<T, 2> {
        SVector::from([(x[0] * x[0] * -1.0 - 2.0).sqrt() * x[1] + x[2], x[2] * 3.0 - x[1]])
    }

    fn variable_bounds(&self) -> Bounds<3> {
        Bounds::free()
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::non_negative()
    }
}

#[test]
fn does_not_lose_entries_that_are_not_a_number_at_the_probe_points() {
    let sparsity = Sparsity::probe(&OutsideItsDomain);
    assert_eq!(sparsity.jacobian(), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]);
    assert_eq!(sparsity.hessian(), [(0, 0), (1, 0)]);
}

/// Depends on its second variable only where the first one is negative.
struct Branching;

impl Nlp<2, 1> for Branching {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> T {
        x[0]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::from([if x[0].re() < 0.0 { x[1] * x[1] } else { x[0] }])
    }

    fn variable_bounds(&self) -> Bounds<2> {
        Bounds::free()
    }

    fn constraint_bounds(&self) -> Bounds<1> {
        Bounds::free()
    }
}

#[test]
fn unites_the_branches_of_a_program() {
    let sparsity = Sparsity::probe(&Branching);
    assert_eq!(sparsity.jacobian(), [(0, 0), (0, 1)]);
    assert_eq!(sparsity.hessian(), [(1, 1)]);
}
