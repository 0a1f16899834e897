use super::{Cone, Problem, Vector};
use crate::rows;

/// How far velocities and impulses are from the optimality conditions of a [`Problem`], in the
/// units of the problem:
///
/// ```text
/// A (v - v*) = J' gamma + J_e' gamma_e
/// gamma in C,   g = J v - vhat + R gamma in C*,   gamma' g = 0
/// ```
///
/// with the friction cone `C` and its dual `C* = { g: g_n >= mu sum |g_t| }`, the sum over the groups of tangential rows,
/// of which Coulomb's cone has one. Zero exactly at the solution; no projection enters.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KktResiduals {
    /// Largest component of the momentum balance (an impulse).
    pub momentum: f64,
    /// Largest distance `|gamma_t| - mu gamma_n` or `-gamma_n` outside the cone (an impulse).
    pub cone: f64,
    /// Largest distance `mu sum |g_t| - g_n` outside the dual cone (a velocity).
    pub dual_cone: f64,
    /// Largest `|gamma' g|` (impulse times velocity).
    pub complementarity: f64,
}

impl KktResiduals {
    /// The largest residual in units of an `impulse` and a `velocity`; `NaN` if any is.
    pub fn scaled(&self, impulse: f64, velocity: f64) -> f64 {
        let scaled = [
            self.momentum / impulse,
            self.cone / impulse,
            self.dual_cone / velocity,
            self.complementarity / (impulse * velocity),
        ];
        scaled.into_iter().fold(0.0, largest)
    }

    /// Takes in one contact: its impulse and its `gap = J v - vhat`.
    pub(super) fn add_contact<const D: usize>(
        &mut self,
        cone: &impl Cone<D>,
        impulse: &Vector<D>,
        gap: &Vector<D>,
    ) {
        let mu = cone.friction();
        let slack = gap + cone.scale(impulse);
        let mut slip = 0.0;
        self.cone = largest(self.cone, -impulse[D - 1]);
        for group in cone.groups() {
            self.cone = largest(self.cone, norm(impulse, &group) - mu * impulse[D - 1]);
            slip += norm(&slack, &group);
        }
        self.dual_cone = largest(self.dual_cone, mu * slip - slack[D - 1]);
        self.complementarity = largest(self.complementarity, impulse.dot(&slack).abs());
    }

    /// Takes in the imbalance of momentum of one body.
    pub(super) fn add_momentum<const N: usize>(&mut self, imbalance: &Vector<N>) {
        for component in imbalance.iter() {
            self.momentum = largest(self.momentum, component.abs());
        }
    }
}

/// The residuals of `velocity` (a block per body) and `impulses` (one per contact; those of
/// inactive contacts are not looked at).
pub fn kkt_residuals<const D: usize, const N: usize, C: Cone<D>>(
    problem: &Problem<D, N, C>,
    velocity: &[Vector<N>],
    impulses: &[Vector<D>],
) -> KktResiduals {
    KktCheck::default().residuals(problem, velocity, impulses)
}

/// [`kkt_residuals`] with memory, so that checking one problem after the other takes none.
#[derive(Debug, Clone, Default)]
pub struct KktCheck<const N: usize> {
    momentum: Vec<Vector<N>>,
}

impl<const N: usize> KktCheck<N> {
    /// The residuals of `velocity` and `impulses`, see [`kkt_residuals`].
    pub fn residuals<const D: usize, C: Cone<D>>(
        &mut self,
        problem: &Problem<D, N, C>,
        velocity: &[Vector<N>],
        impulses: &[Vector<D>],
    ) -> KktResiduals {
        self.residuals_with(problem, velocity, impulses, |index| {
            problem.contacts[index].jacobian.apply(velocity)
        })
    }

    /// The residuals of `velocity` and `impulses`, see [`kkt_residuals`]; `contact_velocity` gives the velocity `J v` of
    /// each contact, which the caller may have at hand.
    #[inline]
    pub fn residuals_with<const D: usize, C: Cone<D>>(
        &mut self,
        problem: &Problem<D, N, C>,
        velocity: &[Vector<N>],
        impulses: &[Vector<D>],
        contact_velocity: impl Fn(usize) -> Vector<D>,
    ) -> KktResiduals {
        let mut residuals = KktResiduals::default();
        let momentum = &mut self.momentum;
        momentum.clear();
        let bodies = problem.inertia.iter().zip(velocity).zip(&problem.free_velocity);
        momentum.extend(bodies.map(|((inertia, v), v_star)| rows::times(inertia, &(v - v_star))));
        for equality in &problem.equalities {
            let impulse = Vector::<1>::new(equality.impulse(velocity));
            equality.jacobian.subtract_transposed(&impulse, momentum);
        }
        let contacts = problem.contacts.iter().zip(impulses).enumerate();
        for (index, (contact, impulse)) in contacts.filter(|(_, (contact, _))| contact.active) {
            contact.jacobian.subtract_transposed(impulse, momentum);
            let gap = contact_velocity(index) - contact.reference;
            residuals.add_contact(&contact.cone, impulse, &gap);
        }
        for imbalance in momentum {
            residuals.add_momentum(imbalance);
        }
        residuals
    }
}

/// The norm of some rows.
#[inline(always)]
fn norm<const D: usize>(x: &Vector<D>, group: &std::ops::Range<usize>) -> f64 {
    if let [only] = x.as_slice()[group.clone()] {
        return only.abs();
    }
    x.as_slice()[group.clone()].iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

/// The larger of two numbers, `NaN` if either is.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
