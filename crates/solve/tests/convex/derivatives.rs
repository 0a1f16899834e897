//! Gradient and Hessian against finite differences, and the bounds on the Hessian.

use nalgebra::DVector;
use rand::{SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{Problem, Vector};

use crate::problems::{self, Range};

const MILD: Range = Range { blocks: 5, mass_decades: 1.0, stiffness_decades: 5.0 };

fn flat<const D: usize>(blocks: &[Vector<D>]) -> DVector<f64> {
    DVector::from_iterator(D * blocks.len(), blocks.iter().flat_map(|block| block.iter().copied()))
}

fn shifted<const D: usize>(v: &[Vector<D>], direction: &[Vector<D>], h: f64) -> Vec<Vector<D>> {
    v.iter().zip(direction).map(|(v, d)| v + d * h).collect()
}

/// Whether any contact changes region within `h` of `v` along `direction`.
fn crosses<const D: usize>(problem: &Problem<D>, v: &[Vector<D>], direction: &[Vector<D>], h: f64) -> bool {
    problem.contacts.iter().any(|contact| {
        let region = |h| contact.cone.region(&contact.unprojected(&shifted(v, direction, h)));
        region(-h) != region(0.0) || region(h) != region(0.0)
    })
}

fn assert_derivatives<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut compared = 0;
    for _ in 0..300 {
        let problem = problems::random::<D>(&mut rng, MILD);
        let v = problems::velocities::<D>(&mut rng, problem.inertia.len());
        let direction = problems::velocities::<D>(&mut rng, problem.inertia.len());
        let h = 1e-5;
        if crosses(&problem, &v, &direction, h) {
            continue;
        }
        compared += 1;
        let (ahead, behind) = (shifted(&v, &direction, h), shifted(&v, &direction, -h));
        let along = flat(&direction);
        let gradient = flat(&problem.gradient(&v));
        let slope = (problem.cost(&ahead) - problem.cost(&behind)) / (2.0 * h);
        let error = (slope - gradient.dot(&along)).abs();
        assert!(error <= 1e-6 * gradient.norm() * along.norm(), "gradient: {error:e}");

        let hessian = problem.hessian(&v);
        let change = (flat(&problem.gradient(&ahead)) - flat(&problem.gradient(&behind))) / (2.0 * h);
        let error = (change - &hessian * &along).norm();
        assert!(error <= 1e-6 * hessian.norm() * along.norm(), "Hessian: {error:e}");
    }
    assert!(compared >= 100, "only {compared} problems were smooth enough to compare");
}

#[test]
fn gradient_and_hessian_are_the_finite_differences_in_the_plane() {
    assert_derivatives::<2>(3);
}

#[test]
fn gradient_and_hessian_are_the_finite_differences_over_a_plane() {
    assert_derivatives::<3>(4);
}

fn assert_hessian_bounds<const D: usize>(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    for _ in 0..200 {
        let problem = problems::random::<D>(&mut rng, MILD);
        let v = problems::velocities::<D>(&mut rng, problem.inertia.len());
        let hessian = problem.hessian(&v);
        assert!((&hessian - hessian.transpose()).amax() <= 1e-13 * hessian.amax());
        let smallest_inertia = problem.inertia.iter().map(|a| a[(0, 0)]).fold(f64::INFINITY, f64::min);
        let largest = hessian.amax();
        let smallest = hessian.symmetric_eigenvalues().min();
        assert!(smallest >= smallest_inertia - 1e-12 * largest, "{smallest} < {smallest_inertia}");
    }
}

#[test]
fn the_hessian_is_symmetric_and_at_least_the_inertia() {
    assert_hessian_bounds::<2>(5);
    assert_hessian_bounds::<3>(6);
}

#[test]
fn the_gradient_is_lipschitz_across_the_borders() {
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..200 {
        let problem = problems::random::<3>(&mut rng, MILD);
        let v = problems::velocities::<3>(&mut rng, problem.inertia.len());
        let direction = problems::velocities::<3>(&mut rng, problem.inertia.len());
        // A + sum J' R^-1 J bounds the Hessian of every region.
        let bound: f64 = problem.hessian(&v).norm()
            + problem
                .contacts
                .iter()
                .map(|contact| {
                    4.0 / contact.cone.regularization().tangential.min(contact.cone.regularization().normal)
                })
                .sum::<f64>();
        for h in [1e-3, 1e-6, 1e-9] {
            let change = flat(&problem.gradient(&shifted(&v, &direction, h))) - flat(&problem.gradient(&v));
            assert!(change.norm() <= bound * h * flat(&direction).norm() + 1e-9);
        }
    }
}
