//! What the independent residuals say of answers that are known to be right, and of the same answers corrupted.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::contact::{
    Contact, ContactProblem, DenseProblem, Link, Residuals, Solution, TOLERANCE, Yardstick,
    friction_cone::natural_map,
};

/// Of every body in 1/kg.
const INVERSE_MASS: f64 = 4.0;

/// The first three rows: normal, and two tangents.
fn rows() -> SMatrix<f64, 3, 6> {
    SMatrix::from_fn(|row, column| f64::from(u8::from(row == column)))
}

/// A body on the ground per velocity, which each has before contact.
fn on_the_ground(velocities: &[[f64; 3]], inverse_mass: f64) -> ContactProblem<3, 6> {
    let contact = |body| Contact {
        bodies: [Some(body), None],
        jacobian: [rows(), SMatrix::zeros()],
        friction: 0.5,
        bias: 0.0,
        surface_velocity: SVector::zeros(),
        restitution: 0.0,
        gap: 0.0,
    };
    let six = |[n, s, t]: &[f64; 3]| SVector::from([*n, *s, *t, 0.0, 0.0, 0.0]);
    ContactProblem {
        free_velocity: velocities.iter().map(six).collect(),
        inverse_mass: vec![SMatrix::identity() * inverse_mass; velocities.len()],
        contacts: (0..velocities.len()).map(contact).collect(),
        ..ContactProblem::empty(1e-3)
    }
}

/// A link that holds the only body along its first axis, where it moves at 1 m/s.
fn held(compliance: f64) -> ContactProblem<3, 6> {
    let along = SVector::from([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let links = vec![Link {
        bodies: [Some(0), None],
        jacobian: [along, SVector::zeros()],
        bias: 0.0,
        terms: 0.0,
        compliance,
        bounds: Link::<6>::UNBOUNDED,
    }];
    ContactProblem { contacts: Vec::new(), links, ..on_the_ground(&[[1.0, 0.0, 0.0]], INVERSE_MASS) }
}

fn yardstick(problem: &ContactProblem<3, 6>) -> Yardstick {
    let mut yardstick = Yardstick::default();
    yardstick.set(problem);
    yardstick
}

fn residuals(problem: &ContactProblem<3, 6>, impulses: &[SVector<f64, 3>], links: &[f64]) -> Residuals {
    let (impulses, link_impulses) = (impulses.to_vec(), links.to_vec());
    let mut solution = Solution { impulses, link_impulses, ..Solution::default() };
    problem.follow(&mut solution);
    yardstick(problem).residuals_of_bodies(problem, &solution)
}

#[track_caller]
fn assert_close(actual: Residuals, scaled: f64, conventional: f64) {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1e-3);
    assert!(close(actual.scaled, scaled) && close(actual.conventional, conventional), "{actual:?}");
}

#[test]
fn no_component_of_any_impulse_can_be_wrong_unnoticed() {
    // One slides, one sticks, one leaves.
    let problem = on_the_ground(&[[-1.0, 2.0, 0.0], [-1.0, 0.1, 0.2], [0.5, 1.0, 0.0]], INVERSE_MASS);
    let right =
        [[1.0, -0.5, 0.0], [1.0, -0.1, -0.2], [0.0; 3]].map(|impulse| SVector::from(impulse) / INVERSE_MASS);
    assert_close(residuals(&problem, &right, &[]), 0.0, 0.0);
    let yardstick = yardstick(&problem);
    for place in 0..9 {
        for change in [-1e-6, 1e-6] {
            let mut wrong = right;
            wrong[place / 3][place % 3] += change;
            let residuals = residuals(&problem, &wrong, &[]);
            assert!(!yardstick.accepts(&residuals, TOLERANCE), "{place} {change}: {residuals:?}");
            assert!(residuals.scaled > 1e-7 && residuals.conventional > 1e-8, "{place}: {residuals:?}");
        }
        let mut wrong = right;
        wrong[place / 3][place % 3] = f64::NAN;
        assert!(!yardstick.accepts(&residuals(&problem, &wrong, &[]), f64::MAX), "{place}");
    }
}

/// Without the impulse that stops it, a contact misses all of `V`: `sqrt(w) (|q|/w)/(|q|/sqrt(w)) = 1`.
#[test]
fn an_impulse_that_is_not_there_is_all_wrong_at_whichever_contact() {
    let problem = on_the_ground(&[[-1.0, 0.0, 0.0]; 2], INVERSE_MASS);
    let stops = SVector::from([1.0 / INVERSE_MASS, 0.0, 0.0]);
    let none = SVector::zeros();
    assert_close(residuals(&problem, &[stops, stops], &[]), 0.0, 0.0);
    for impulses in [[stops, none], [none, stops]] {
        assert_close(residuals(&problem, &impulses, &[]), 1.0, 0.5_f64.sqrt());
    }
    assert_close(residuals(&problem, &[none, none], &[]), 1.0, 1.0);
    // By their definitions, of a contact that presses and slides too little and too much.
    let problem = on_the_ground(&[[-1.0, 2.0, 0.0]], INVERSE_MASS);
    let (r, w): (SVector<f64, 3>, _) = ([0.2, -0.3, 0.1].into(), INVERSE_MASS);
    let u = SVector::from([-1.0, 2.0, 0.0]) + w * r;
    let scaled = w.sqrt() * natural_map(0.5, &r, &u, 1.0 / w).norm() / (2.0 / w.sqrt());
    let conventional = natural_map(0.5, &r, &u, 1.0).norm() / 5.0_f64.sqrt();
    assert_close(residuals(&problem, &[r], &[]), scaled, conventional);
    assert_eq!(Residuals { scaled: 1.0, conventional: 2.0 }.max(), 2.0);
    assert_eq!(Residuals { scaled: 2.0, conventional: 1.0 }.max(), 2.0);
}

#[test]
fn a_link_misses_by_what_its_impulse_lacks_and_by_what_it_has_too_much() {
    for compliance in [0.0, 0.1] {
        let problem = held(compliance);
        let holds = -1.0 / (INVERSE_MASS + compliance);
        assert_close(residuals(&problem, &[], &[holds]), 0.0, 0.0);
        for (part, miss) in [(0.5, 0.5), (2.0, 1.0), (0.0, 1.0)] {
            assert_close(residuals(&problem, &[], &[part * holds]), miss, miss);
        }
        assert!(!yardstick(&problem).accepts(&residuals(&problem, &[], &[f64::NAN]), f64::MAX));
    }
}

#[test]
fn where_nothing_moves_only_rest_is_right() {
    let problem = on_the_ground(&[[0.0; 3]], INVERSE_MASS);
    assert_close(residuals(&problem, &[SVector::zeros()], &[]), 0.0, 0.0);
    assert_close(residuals(&problem, &[SVector::from([1e-9, 0.0, 0.0])], &[]), 1.0, 1.0);
}

#[test]
fn either_residual_alone_is_enough_to_refuse() {
    let accepts = |yardstick: &Yardstick, scaled, conventional| {
        yardstick.accepts(&Residuals { scaled, conventional }, TOLERANCE)
    };
    let light = yardstick(&on_the_ground(&[[-1.0, 0.0, 0.0]], INVERSE_MASS));
    assert!(accepts(&light, 1e-8, 1e-8));
    assert!(!accepts(&light, 1.01e-8, 0.0) && !accepts(&light, 0.0, 1.01e-8));
    assert!(!accepts(&light, f64::NAN, 0.0) && !accepts(&light, 0.0, f64::NAN));
    // Of bodies of 100 kg the conventional one counts in units of 100.
    let heavy = yardstick(&on_the_ground(&[[-1.0, 0.0, 0.0]], 0.01));
    assert!(accepts(&heavy, 1e-8, 0.99e-6));
    assert!(!accepts(&heavy, 1.01e-8, 0.0) && !accepts(&heavy, 0.0, 1.01e-6));
    // Without bodies it is taken as it is.
    let w = [vec![0.01, 0.0], vec![0.0, 0.01]];
    let mut dense = Yardstick::default();
    dense.set_dense(&DenseProblem::<2>::from_rows(&w, &[-1.0, 0.0], &[0.3]).expect("well posed"));
    assert!(accepts(&dense, 1e-8, 1e-8) && !accepts(&dense, 0.0, 1.01e-8));
}

/// Of bodies that fall together the tolerance ends at rounding, and not far above it.
#[test]
fn what_counts_as_large_is_the_relative_velocity_wherever_there_is_one() {
    let mut problem = on_the_ground(&[[-1.0, 0.0, 0.0], [-1.0 - 1e-6, 0.0, 0.0]], INVERSE_MASS);
    problem.contacts.pop();
    problem.contacts[0].bodies = [Some(1), Some(0)];
    problem.contacts[0].jacobian = [rows(), -rows()];
    let unit = yardstick(&problem).unit() * (2.0 * INVERSE_MASS).sqrt();
    assert!((unit - 1e-6).abs() < 1e-12, "{unit:e}");
    problem.free_velocity[1] = problem.free_velocity[0];
    let unit = yardstick(&problem).unit() * (2.0 * INVERSE_MASS).sqrt();
    assert!(unit * TOLERANCE > f64::EPSILON && unit * TOLERANCE < 32.0 * f64::EPSILON, "{unit:e}");
}

/// `r - (r - u~)` is nothing beside an impulse so large that no digit of `u~` is left.
#[test]
fn a_velocity_that_is_lost_beside_its_impulse_is_not_right() {
    let problem = on_the_ground(&[[-1.0, 0.0, 0.0]], INVERSE_MASS);
    let (huge, approaches) = (SVector::from([1e18, 0.0, 0.0]), SVector::from([-1.0, 0.0, 0.0]));
    assert_eq!(natural_map(0.5, &huge, &approaches, 1.0).norm(), 0.0);
    let yardstick = yardstick(&problem);
    let residuals = yardstick.residuals([(huge, approaches)].into_iter());
    assert!(!yardstick.accepts(&residuals, TOLERANCE), "{residuals:?}");
}

/// What is no number must not get lost in a maximum: neither a contact's behind or before those of others, nor a link's.
#[test]
fn one_number_that_is_none_makes_both_residuals_none() {
    let problem = on_the_ground(&[[-1.0, 0.0, 0.0]; 3], INVERSE_MASS);
    let right = SVector::from([1.0 / INVERSE_MASS, 0.0, 0.0]);
    for contact in 0..3 {
        for axis in 0..3 {
            let mut impulses = vec![right; 3];
            impulses[contact][axis] = f64::NAN;
            let Residuals { scaled, conventional } = residuals(&problem, &impulses, &[]);
            assert!(scaled.is_nan() && conventional.is_nan(), "{contact} {axis}: {scaled} {conventional}");
        }
    }
    let of_link = residuals(&held(0.0), &[], &[f64::NAN]);
    assert!(of_link.scaled.is_nan() && of_link.conventional.is_nan(), "{of_link:?}");
    let mut both = held(0.0);
    both.contacts = on_the_ground(&[[1.0, 0.0, 0.0]], INVERSE_MASS).contacts;
    let of_both = residuals(&both, &[SVector::zeros()], &[f64::NAN]);
    assert!(of_both.scaled.is_nan() && of_both.conventional.is_nan(), "{of_both:?}");
}

/// `held` with an impulse of at most 0.3 of the one that stops the body.
fn rubbed() -> ContactProblem<3, 6> {
    let mut problem = held(0.0);
    let most = 0.3 / INVERSE_MASS;
    problem.links[0].bounds = [-most, most];
    problem
}

#[test]
fn a_bounded_link_gives_way_at_its_bounds_alone() {
    let problem = rubbed();
    let [low, high] = problem.links[0].bounds;
    // The body moves along the row: the impulse against it is all there is.
    assert!(residuals(&problem, &[], &[low]).max() < 1e-15);
    for wrong in [0.5 * low, 0.0, high] {
        let missed = residuals(&problem, &[], &[wrong]).scaled;
        assert!((missed - (wrong - low) * INVERSE_MASS).abs() < 1e-12, "{wrong}: {missed}");
    }
    // What stops it is out of bounds, and counts by how far.
    assert!((residuals(&problem, &[], &[-1.0 / INVERSE_MASS]).scaled - 0.7).abs() < 1e-12);
}

#[test]
fn a_bounded_link_that_need_not_give_way_is_one_without_bounds() {
    let mut problem = rubbed();
    problem.links[0].bounds = [-2.0 / INVERSE_MASS, f64::INFINITY];
    for impulse in [-1.0, -0.9, 0.4] {
        let impulses = [impulse / INVERSE_MASS];
        let free = residuals(&held(0.0), &[], &impulses);
        assert_eq!(residuals(&problem, &[], &impulses), free);
    }
}
