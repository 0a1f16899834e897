//! The associated, convex law: what it solves, thin cones among them.

use stickslip_contact::contact::{Accuracy, DenseProblem, DenseSolution, Method};

use crate::generator::{Kind, Recipe};

/// Solves by the model `convex`; gives the largest miss of its law, `|r - P_K(r - u/w)|` of a contact with the weight
/// `w = tr W_ii/d`, over the largest impulse.
fn solve<const D: usize, const N: usize>(problem: &DenseProblem<D>) -> Result<f64, String> {
    let mut solution = DenseSolution::default();
    let report = Method::Convex.solver::<D, N>(1e-8).solve_dense(problem, &mut solution);
    let report = report.map_err(|failure| failure.to_string())?;
    assert_eq!(report.accuracy, Accuracy::OwnLaw);
    let mut velocities = Vec::new();
    problem.velocities(&solution.impulses, &mut velocities);
    let misses = solution.impulses.iter().zip(&velocities).enumerate().map(|(contact, (r, u))| {
        let (mu, weight) = (problem.friction[contact], problem.weight(contact));
        (r - stickslip_contact::contact::friction_cone::project(mu, &(r - u / weight))).norm()
    });
    let largest = solution.impulses.iter().map(|r| r.norm()).fold(f64::MIN_POSITIVE, f64::max);
    Ok(misses.fold(0.0, f64::max) / largest)
}

/// Two boxes on each other, four contacts, the last of them without friction: found by a reader, solved by non-negative
/// least squares over the edges of the cones to 3e-15.
#[test]
fn a_contact_without_friction_stops_nothing() {
    let w = [
        [3.333333, -2.083333, 0.0, -2.083333, -3.333333, -2.083333, 0.0, -2.083333],
        [-2.083333, 4.270833, 2.083333, 4.270833, 2.083333, 0.9375, -2.083333, 0.9375],
        [0.0, 2.083333, 3.333333, 2.083333, 0.0, 2.083333, -3.333333, 2.083333],
        [-2.083333, 4.270833, 2.083333, 4.270833, 2.083333, 0.9375, -2.083333, 0.9375],
        [-3.333333, 2.083333, 0.0, 2.083333, 4.166667, 1.5625, 0.0, 1.5625],
        [-2.083333, 0.9375, 2.083333, 0.9375, 1.5625, 5.338542, -1.5625, 5.338542],
        [0.0, -2.083333, -3.333333, -2.083333, 0.0, -1.5625, 4.166667, -1.5625],
        [-2.083333, 0.9375, 2.083333, 0.9375, 1.5625, 5.338542, -1.5625, 5.338542],
    ];
    let rows: Vec<Vec<f64>> = w.iter().map(|row| row.to_vec()).collect();
    let q = [0.16, 0.45, 0.24, 0.45, -1.66, -0.375, -1.94, -0.375];
    for slippery in [0.0, 1e-9] {
        let problem =
            DenseProblem::<2>::from_rows(&rows, &q, &[0.3, 0.5, 0.7, slippery]).expect("well posed");
        let miss = solve::<2, 3>(&problem).unwrap_or_else(|failure| panic!("mu = {slippery}: {failure}"));
        assert!(miss < 1e-6, "mu = {slippery}: {miss:e}");
    }
}

#[test]
fn towers_with_frictions_from_none_to_much_are_solved() {
    let frictions = [0.0, 1e-9, 0.3, 1.0, 3.0, 30.0];
    for seed in 0..60_u64 {
        let recipe = Recipe {
            kind: Kind::Tower,
            contacts: 4 + 4 * (seed as usize % 5),
            friction: 0.5,
            restitution: 0.0,
            mass_ratio: 10.0,
            agitation: 1.0,
            seed,
        };
        let mix = |friction: &mut [f64]| {
            let draws = friction.iter_mut().enumerate();
            draws.for_each(|(contact, mu)| *mu = frictions[(7 * contact + seed as usize) % frictions.len()]);
        };
        let mut planar = recipe.problem::<2, 3>().delassus();
        mix(&mut planar.friction);
        let mut spatial = recipe.problem::<3, 6>().delassus();
        mix(&mut spatial.friction);
        for outcome in [solve::<2, 3>(&planar), solve::<3, 6>(&spatial)] {
            let miss = outcome.unwrap_or_else(|failure| panic!("{seed}: {failure}"));
            assert!(miss < 1e-5, "{seed}: {miss:e}");
        }
    }
}
