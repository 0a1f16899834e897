//! The closed form of a single contact against Newton's method and the optimality conditions.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{
    Block, Contact, FrictionCone, IsotropicContact, Jacobian, Problem, Regularization, Settings, Solver,
    Vector, kkt_residuals,
};

use crate::problems;

fn assert_closed_form_is_the_minimum<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut solver = Solver::new(Settings { relative_tolerance: 1e-13, ..Settings::default() });
    for _ in 0..10_000 {
        let mass = 10f64.powf(rng.random_range(-3.0..3.0));
        let regularization = Regularization {
            tangential: 10f64.powf(rng.random_range(-4.0..0.0)) / mass,
            normal: 10f64.powf(rng.random_range(-2.0..2.0)) / mass,
        };
        let mut reference = Vector::<D>::zeros();
        reference[D - 1] = rng.random_range(-1.0..1.0);
        let mu = rng.random_range(-0.1..2.0f64).max(0.0);
        let contact = IsotropicContact {
            delassus: 1.0 / mass,
            free_velocity: problems::vector::<D>(&mut rng),
            reference,
            cone: FrictionCone::new(mu, regularization),
        };
        let solution = contact.solve();

        let problem = Problem {
            inertia: vec![Block::identity() * mass],
            free_velocity: vec![contact.free_velocity],
            contacts: vec![Contact {
                jacobian: Jacobian::single(0, Block::identity()),
                reference,
                cone: contact.cone,
                active: true,
            }],
            equalities: vec![],
        };
        let residuals = kkt_residuals(&problem, &[solution.velocity], &[solution.impulse]);
        let residual = residuals.scaled(mass, 1.0);
        let own = contact.residuals(&solution).scaled(mass, 1.0);
        assert!(own <= 1e-13, "{own:e}");
        assert!(residual <= 1e-13, "{residual:e}: {contact:?} -> {solution:?}");

        let mut v = [Vector::zeros()];
        let report = solver.solve(&problem, &mut v).expect("well posed");
        assert!(report.status.is_solved(), "{report:?}");
        let error = (v[0] - solution.velocity).norm();
        assert!(error <= 1e-12, "{error:e}: {contact:?}, {report:?}");
        assert!((solver.impulses()[0] - solution.impulse).norm() <= 1e-12 * mass / 1e-4);
    }
}

#[test]
fn the_closed_form_is_the_minimum_in_the_plane() {
    assert_closed_form_is_the_minimum::<2>(8);
}

#[test]
fn the_closed_form_is_the_minimum_over_a_plane() {
    assert_closed_form_is_the_minimum::<3>(9);
}
