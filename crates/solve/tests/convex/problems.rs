//! Random problems, shared by the tests.

use std::f64::consts::PI;

use rand::{RngExt, rngs::StdRng};
use stickslip_solve::convex::{
    Block, Contact, Equality, FrictionCone, Jacobian, Problem, Regularization, Vector,
};

/// How wild a random problem is.
#[derive(Clone, Copy)]
pub struct Range {
    /// Blocks: 1 to this many.
    pub blocks: usize,
    /// Masses from 1 to ten to this power.
    pub mass_decades: f64,
    /// Stiffnesses from 1e2 to ten to this power.
    pub stiffness_decades: f64,
}

/// Bodies on the ground, on one another in random directions, and held together by a few springs.
pub fn random<const D: usize>(rng: &mut StdRng, range: Range) -> Problem<D> {
    let blocks = rng.random_range(1..=range.blocks);
    let masses: Vec<f64> =
        (0..blocks).map(|_| 10f64.powf(rng.random_range(0.0..=range.mass_decades))).collect();
    let mut problem = Problem {
        inertia: masses.iter().map(|&mass| Block::identity() * mass).collect(),
        free_velocity: (0..blocks).map(|_| vector(rng)).collect(),
        contacts: Vec::new(),
        equalities: Vec::new(),
    };
    for _ in 0..rng.random_range(1..=2 * blocks) {
        let (first, second) = pair(rng, blocks);
        let jacobian = match second {
            None => Jacobian::single(first, Block::identity()),
            Some(second) => Jacobian::difference(first, second, frame(rng)),
        };
        let delassus = (1.0 / masses[first] + second.map_or(0.0, |second| 1.0 / masses[second]))
            * (D as f64).sqrt()
            / D as f64;
        let regularization = Regularization {
            tangential: 1e-3 * delassus,
            normal: normal_regularization(rng, range, delassus),
        };
        let mut reference = Vector::zeros();
        reference[D - 1] = rng.random_range(-0.2..0.5);
        // Some contacts without friction, the others up to 2.
        let friction = (rng.random_range(-0.2..2.0f64)).max(0.0);
        let cone = FrictionCone::new(friction, regularization);
        problem.contacts.push(Contact { jacobian, reference, cone, active: rng.random_bool(0.9) });
    }
    for _ in 0..rng.random_range(0..=blocks / 2) {
        let (first, Some(second)) = pair(rng, blocks) else { continue };
        let row = vector::<D>(rng).normalize().transpose();
        let delassus = 1.0 / masses[first] + 1.0 / masses[second];
        problem.equalities.push(Equality {
            jacobian: Jacobian::difference(first, second, row),
            reference: rng.random_range(-0.1..0.1),
            stiffness: 1.0 / normal_regularization(rng, range, delassus),
        });
    }
    problem.check().expect("a random problem is well posed");
    problem
}

/// Components between -1 and 1.
pub fn vector<const D: usize>(rng: &mut StdRng) -> Vector<D> {
    Vector::from_fn(|_, _| rng.random_range(-1.0..1.0))
}

/// Velocities of all blocks.
pub fn velocities<const D: usize>(rng: &mut StdRng, blocks: usize) -> Vec<Vector<D>> {
    (0..blocks).map(|_| vector(rng)).collect()
}

/// `max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau)))` with beta = 1, dt = 1e-3, tau = 0.02.
fn normal_regularization(rng: &mut StdRng, range: Range, delassus: f64) -> f64 {
    let stiffness = 10f64.powf(rng.random_range(2.0..=range.stiffness_decades));
    f64::max(delassus / (4.0 * PI * PI), 1.0 / (1e-3 * stiffness * 0.021))
}

fn pair(rng: &mut StdRng, blocks: usize) -> (usize, Option<usize>) {
    let first = rng.random_range(0..blocks);
    let second = rng.random_range(0..blocks);
    (first, (second != first).then_some(second))
}

/// A random orthonormal frame.
fn frame<const D: usize>(rng: &mut StdRng) -> Block<D> {
    frame_along(&vector::<D>(rng).normalize(), rng)
}

/// An orthonormal frame whose last row is the unit vector `normal`, by Gram and Schmidt.
fn frame_along<const D: usize>(normal: &Vector<D>, rng: &mut StdRng) -> Block<D> {
    let mut frame = Block::<D>::zeros();
    frame.set_row(D - 1, &normal.transpose());
    for row in 0..D - 1 {
        let mut axis = vector::<D>(rng).transpose();
        for earlier in (0..row).chain([D - 1]) {
            let other = frame.row(earlier).into_owned();
            axis -= other * axis.dot(&other);
        }
        frame.set_row(row, &axis.normalize());
    }
    frame
}

/// A pile: up to 50 points thrown into a box, in contact with the ground and with one another
/// along the lines that join them, falling onto each other under gravity. Masses differ up to a
/// thousandfold, stiffnesses reach 1e12, friction 2. Returns the velocities before the step, too.
pub fn pile<const D: usize>(rng: &mut StdRng) -> (Problem<D>, Vec<Vector<D>>) {
    let range = Range { blocks: 50, mass_decades: 3.0, stiffness_decades: 12.0 };
    let (dt, tau, gravity) = (1e-3, 0.02, 9.81);
    let points = rng.random_range(1..=range.blocks);
    let masses: Vec<f64> =
        (0..points).map(|_| 10f64.powf(rng.random_range(0.0..=range.mass_decades))).collect();
    let width = (points as f64).powf(1.0 / D as f64);
    let positions: Vec<_> =
        (0..points).map(|_| Vector::<D>::from_fn(|_, _| rng.random_range(0.0..width))).collect();
    let before: Vec<_> = velocities::<D>(rng, points);
    let mut weight = Vector::<D>::zeros();
    weight[D - 1] = -gravity * dt;
    let contact = |jacobian, delassus: f64, rng: &mut StdRng| {
        let delassus = delassus * (D as f64).sqrt() / D as f64;
        let regularization = Regularization {
            tangential: 1e-3 * delassus,
            normal: normal_regularization(rng, range, delassus),
        };
        let mut reference = Vector::zeros();
        reference[D - 1] = rng.random_range(0.0..1e-3) / (dt + tau);
        let cone = FrictionCone::new(rng.random_range(0.0..2.0), regularization);
        Contact { jacobian, reference, cone, active: true }
    };
    let mut contacts = Vec::new();
    for first in 0..points {
        if positions[first][D - 1] < 0.5 {
            contacts.push(contact(Jacobian::single(first, Block::identity()), 1.0 / masses[first], rng));
        }
        for second in 0..first {
            let line = positions[first] - positions[second];
            if line.norm() < 1.0 {
                let jacobian = Jacobian::difference(first, second, frame_along(&line.normalize(), rng));
                contacts.push(contact(jacobian, 1.0 / masses[first] + 1.0 / masses[second], rng));
            }
        }
    }
    let problem = Problem {
        inertia: masses.iter().map(|&mass| Block::identity() * mass).collect(),
        free_velocity: before.iter().map(|v| v + weight).collect(),
        contacts,
        equalities: Vec::new(),
    };
    (problem, before)
}
