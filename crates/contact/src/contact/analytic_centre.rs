use nalgebra::{SMatrix, SVector};

use super::{scaled::Operator, structured::linear::LinearSystem};

/// Of the way to zero that an entry may go in a step.
const FRACTION: f64 = 0.8;
/// Share of itself by which no entry changes any more at the end: proportions are wanted, not digits.
const CLOSE: f64 = 0.5;
const MOST_STEPS: u32 = 15;
/// The last change of an entry, as a share of what came of it, from which on it still doubles: it has no end.
const GROWING: f64 = 0.45;
/// Proximal term of the links.
const DELTA: f64 = 1e-10;

/// The normal impulses `x > 0` that solve `W_nn x = 1/x`, entry by entry: far out on every central path `q` no longer
/// counts, and impulses are in these proportions, half-way up a tower about half its storeys, under a heavy body its weight.
///
/// They are the weights in which methods count impulses, and `1/x` velocities, and where paths start. Newton's method
///
/// ```text
/// (W_nn + diag 1/x^2) dx = 1/x - W_nn x
/// ```
///
/// from `x = 1` takes two to five factorisations, where it is damped so that `x` stays positive.
#[derive(Debug, Clone)]
pub(super) struct AnalyticCentre<const D: usize> {
    /// `x`, in scaled units.
    pub x: Vec<f64>,
    /// `q_n`
    free: Vec<f64>,
    r: Vec<SVector<f64, D>>,
    u: Vec<SVector<f64, D>>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
    blocks: Vec<SMatrix<f64, D, D>>,
}

impl<const D: usize> Default for AnalyticCentre<D> {
    fn default() -> Self {
        Self {
            x: Vec::new(),
            free: Vec::new(),
            r: Vec::new(),
            u: Vec::new(),
            e: Vec::new(),
            dr: Vec::new(),
            du: Vec::new(),
            blocks: Vec::new(),
        }
    }
}

impl<const D: usize> AnalyticCentre<D> {
    /// Finds `x`; gives how far out from `q` a path is to start, in multiples of `x`: `max(1, -x.q_n/n)` for `n` contacts.
    /// The links have no impulses afterwards.
    pub fn find(&mut self, system: &mut impl LinearSystem<D>) -> f64 {
        let n = system.operator().friction().len();
        let Self { x, free, r, u, e, dr, du, blocks } = self;
        for vectors in [&mut *r, u, e, dr, du] {
            vectors.clear();
            vectors.resize(n, SVector::zeros());
        }
        blocks.clear();
        blocks.resize(n, SMatrix::zeros());
        x.clear();
        x.resize(n, 1.0);
        system.set_link_impulses(&[]);
        system.operator_mut().velocities(r, u);
        free.clear();
        free.extend(u.iter().map(|u| u[0]));
        for _ in 0..MOST_STEPS {
            for (r, x) in r.iter_mut().zip(x.iter()) {
                r[0] = *x;
            }
            system.operator_mut().velocities(r, u);
            let rows = x.iter().zip(u.iter()).zip(free.iter());
            for (((x, u), free), (e, block)) in rows.zip(e.iter_mut().zip(blocks.iter_mut())) {
                block[(0, 0)] = x * x;
                e[0] = x - x * x * (u[0] - free);
            }
            if !system.factor(blocks, DELTA) {
                break;
            }
            system.solve(blocks, e, dr, du);
            let changes = || dr.iter().zip(x.iter()).map(|(dr, x)| dr[0] / x);
            let (falls, largest) = changes().fold((0.0_f64, 0.0_f64), |(falls, largest), change| {
                (falls.max(-change), largest.max(change.abs()))
            });
            if !changes().all(f64::is_finite) {
                break;
            }
            let alpha = if falls > FRACTION { FRACTION / falls } else { 1.0 };
            x.iter_mut().zip(dr.iter()).for_each(|(x, dr)| *x += alpha * dr[0]);
            system.advance_links(alpha);
            if largest < CLOSE {
                break;
            }
        }
        // A stop of what a loop of joints holds anyway answers to no impulse, and doubles in every step; what has come to its end
        // changes by less.
        for (x, dr) in x.iter_mut().zip(dr.iter()) {
            if dr[0] > GROWING * *x {
                *x = 1.0;
            }
        }
        system.set_link_impulses(&[]);
        let along: f64 = x.iter().zip(free.iter()).map(|(x, free)| -x * free).sum();
        (along / n.max(1) as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::SMatrix;

    use super::*;
    use crate::contact::{Contact, ContactProblem, structured::body_lu::BodySystem};

    /// Points one upon the other in one line, with these masses from the ground up.
    fn column(masses: &[f64]) -> ContactProblem<2, 2> {
        let mut problem = ContactProblem::empty(1.0);
        let rows = SMatrix::<f64, 2, 2>::new(0.0, 1.0, 1.0, 0.0);
        for (index, mass) in masses.iter().enumerate() {
            problem.free_velocity.push([0.0, -1.0].into());
            problem.inverse_mass.push(SMatrix::identity() / *mass);
            let bodies = [Some(index), index.checked_sub(1)];
            problem.contacts.push(Contact {
                bodies,
                jacobian: [rows, -rows],
                friction: 0.5,
                ..Contact::open()
            });
        }
        problem
    }

    #[test]
    fn impulses_and_velocities_of_the_centre_are_inverse_to_each_other() {
        for masses in [vec![1.0; 30], vec![1.0, 1.0, 1.0, 1e6], vec![1e3, 1.0, 1e3]] {
            let mut system = BodySystem::default();
            system.operator.set(&column(&masses));
            system.analyse();
            let mut centre = AnalyticCentre::default();
            let far = centre.find(&mut system);
            assert!(far >= 1.0 && far.is_finite());
            let n = masses.len();
            let (mut r, mut u, mut free) = (vec![SVector::<f64, 2>::zeros(); n], vec![], vec![]);
            for of in [&mut u, &mut free] {
                of.resize(n, SVector::<f64, 2>::zeros());
            }
            system.operator_mut().velocities(&r, &mut free);
            r.iter_mut().zip(&centre.x).for_each(|(r, x)| r[0] = *x);
            system.operator_mut().velocities(&r, &mut u);
            for ((x, u), free) in centre.x.iter().zip(&u).zip(&free) {
                let product = x * (u[0] - free[0]);
                assert!(*x > 0.0 && (product - 1.0).abs() < 0.5, "{masses:?}: {product}");
            }
        }
    }

    #[test]
    fn what_carries_much_has_large_weights() {
        let mut system = BodySystem::default();
        system.operator.set(&column(&[1.0, 1.0, 1.0, 1e6]));
        system.analyse();
        let mut centre = AnalyticCentre::default();
        centre.find(&mut system);
        // Pressed together between the ground and the heavy point, the others answer a millionth of what each does alone.
        assert!(centre.x.iter().all(|x| *x > 100.0), "{:?}", centre.x);
    }
}
