//! The elimination is exact: along its direction every equation of the path falls linearly,
//! `F(x + e dx) = (1 - e) F(x) + O(e^2)`.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::{
    body_lu::BodySystem, dense_lu::DenseSystem, linear::LinearSystem, path::Path, variables::Variables,
};
use crate::{
    contact::{Contact, ContactProblem, Link, scaled::Operator},
    random::Random,
};

const TAU: f64 = 0.3;

/// Six contacts of three bodies at random places; two links with compliance, without bounds.
fn problem<const D: usize, const N: usize>(links: bool) -> ContactProblem<D, N> {
    let mut random = Random::seeded(4);
    let mut number = move || random.normal(1.0);
    let mut problem = ContactProblem::empty(1.0);
    for _ in 0..3 {
        problem.free_velocity.push(SVector::from_fn(|_, _| number()));
        problem.inverse_mass.push(SMatrix::identity() * (0.1 + number().powi(2)));
    }
    for index in 0..6 {
        let second = if index % 3 == 0 { None } else { Some((index + 1) % 3) };
        problem.contacts.push(Contact {
            bodies: [Some(index % 3), second],
            jacobian: [0; 2].map(|_| SMatrix::from_fn(|_, _| number())),
            friction: if index == 5 { 0.0 } else { 0.7 },
            bias: number(),
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        });
    }
    for second in [Some(2), None] {
        if links {
            problem.links.push(Link {
                bodies: [Some(0), second],
                jacobian: [0; 2].map(|_| SVector::from_fn(|_, _| number())),
                bias: number(),
                terms: 0.0,
                compliance: 0.4,
                bounds: Link::<N>::UNBOUNDED,
            });
        }
    }
    problem
}

/// All equations at these variables: `u` follows from them and the links.
fn equations<const D: usize>(
    system: &mut impl LinearSystem<D>,
    path: &Path<D>,
    variables: &[Variables<D>],
    misses: &mut impl FnMut() -> Vec<f64>,
) -> DVector<f64> {
    let r: Vec<_> = variables.iter().zip(&path.friction).map(|(v, &mu)| v.impulse(mu)).collect();
    let mut u = vec![SVector::zeros(); r.len()];
    system.operator_mut().velocities(&r, &mut u);
    let mut values = Vec::new();
    for (v, u) in variables.iter().zip(&u) {
        let slip = u + v.b * v.slip;
        values.push(u[0] - v.g);
        values.extend((1..D).map(|i| slip[i]));
        values.extend(v.products().map(|product| product - TAU));
    }
    values.extend(misses());
    DVector::from_vec(values)
}

fn check<const D: usize, S: LinearSystem<D> + Clone>(system: &mut S, miss: impl Fn(&S) -> Vec<f64>) {
    let mut random = Random::seeded(9);
    let mut path = Path::<D>::default();
    path.friction = system.operator().friction().to_vec();
    path.weights = vec![1.0; path.friction.len()];
    path.resize();
    for v in &mut path.variables {
        let mut b = SVector::<f64, D>::from_fn(|_, _| random.uniform(-0.6, 0.6));
        b[0] = 0.0;
        *v = Variables::new(random.uniform(0.5, 2.0), random.uniform(0.5, 2.0), random.uniform(0.5, 2.0), b);
    }
    for ((r, v), &mu) in path.r.iter_mut().zip(&path.variables).zip(&path.friction) {
        *r = v.impulse(mu);
    }
    let mut u = path.u.clone();
    system.operator_mut().velocities(&path.r, &mut u);
    path.u = u;
    assert!(path.linearize(system, 0.0));
    path.direct(system, 0.0, TAU, false);

    let evaluate = |system: &S, step: f64| {
        let mut system = system.clone();
        system.advance_links(step);
        let variables: Vec<_> =
            path.variables.iter().zip(&path.step).map(|(v, direction)| v.after(step, direction)).collect();
        let mut values = equations(&mut system, &path, &variables, &mut Vec::new);
        let misses = miss(&system);
        values = DVector::from_iterator(values.len() + misses.len(), values.iter().copied().chain(misses));
        values
    };
    let start = evaluate(system, 0.0);
    let mut errors = Vec::new();
    for step in [1e-2, 1e-3] {
        let error = (evaluate(system, step) - &start * (1.0 - step)).amax();
        errors.push(error);
    }
    assert!(errors[0] < 0.1 * start.amax(), "{errors:?}");
    let order = (errors[0] / errors[1]).log10();
    assert!((order - 2.0).abs() < 0.1, "{errors:?}");
}

#[test]
fn newton_directions_of_the_bodies_form_are_exact() {
    let mut planar = BodySystem::<2, 3>::default();
    planar.operator.set(&problem(true));
    planar.analyse();
    check(&mut planar, |system| (0..2).map(|link| system.operator.link_miss(link)).collect());
    let mut spatial = BodySystem::<3, 6>::default();
    spatial.operator.set(&problem(true));
    spatial.analyse();
    check(&mut spatial, |system| (0..2).map(|link| system.operator.link_miss(link)).collect());
}

/// Rates, `u + lam+ - lam-`, and the products of links on a path: those of the barrier fall as all others do.
#[test]
fn newton_directions_of_bounded_links_are_exact() {
    let mut whole = problem::<2, 3>(true);
    for (link, bounds) in whole.links.iter_mut().zip([[-0.7, 2.0], [-0.4, f64::INFINITY]]) {
        link.bounds = bounds;
    }
    let mut system = BodySystem::<2, 3>::default();
    system.operator.set(&whole);
    system.analyse();
    system.centre_links(1.7);
    check(&mut system, |system| system.barrier_equations(TAU));
}

#[test]
fn newton_directions_of_the_operator_form_are_exact() {
    let mut planar = DenseSystem::<2>::default();
    planar.operator.set(&problem::<2, 3>(false).delassus());
    check(&mut planar, |_| Vec::new());
    let mut spatial = DenseSystem::<3>::default();
    spatial.operator.set(&problem::<3, 6>(false).delassus());
    check(&mut spatial, |_| Vec::new());
}

#[test]
fn dense_elimination_exchanges_rows() {
    let mut random = Random::seeded(2);
    let n = 40;
    let factor = DMatrix::from_fn(2 * n, 2 * n, |_, _| random.normal(1.0));
    let w = &factor * factor.transpose() + DMatrix::identity(2 * n, 2 * n) * 1e-3;
    let problem = crate::contact::DenseProblem::<2>::new(w, DVector::from_element(2 * n, -1.0), vec![0.5; n]);
    let mut system = DenseSystem::<2>::default();
    system.operator.set(&problem.unwrap());
    let blocks: Vec<_> = (0..n).map(|_| SMatrix::<f64, 2, 2>::from_fn(|_, _| random.normal(3.0))).collect();
    let e: Vec<_> = (0..n).map(|_| SVector::<f64, 2>::from_fn(|_, _| random.normal(1.0))).collect();
    let (mut dr, mut du) = (vec![SVector::zeros(); n], vec![SVector::zeros(); n]);
    assert!(system.factor(&blocks, 0.0));
    system.solve(&blocks, &e, &mut dr, &mut du);
    for i in 0..n {
        assert!((dr[i] + blocks[i] * du[i] - e[i]).amax() < 1e-8);
    }
}
