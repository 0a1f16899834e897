use super::{Problem, Vector, cone::tangential_norm};

/// How far velocities and impulses are from the optimality conditions of a [`Problem`], in the
/// units of the problem:
///
/// ```text
/// A (v - v*) = J' gamma + J_e' gamma_e
/// gamma in C,   g = J v - vhat + R gamma in C*,   gamma' g = 0
/// ```
///
/// with the friction cone `C` and its dual `C* = { g: g_n >= mu |g_t| }`. Zero exactly at the
/// solution; no projection enters.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KktResiduals {
    /// Largest component of the momentum balance (an impulse).
    pub momentum: f64,
    /// Largest distance `|gamma_t| - mu gamma_n` or `-gamma_n` outside the cone (an impulse).
    pub cone: f64,
    /// Largest distance `mu |g_t| - g_n` outside the dual cone (a velocity).
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
}

/// The residuals of `velocity` (a block per body) and `impulses` (one per contact; those of
/// inactive contacts are not looked at).
pub fn kkt_residuals<const D: usize>(
    problem: &Problem<D>,
    velocity: &[Vector<D>],
    impulses: &[Vector<D>],
) -> KktResiduals {
    let mut residuals = KktResiduals::default();
    let mut momentum: Vec<_> = (problem.inertia.iter().zip(velocity).zip(&problem.free_velocity))
        .map(|((inertia, v), v_star)| inertia * (v - v_star))
        .collect();
    for equality in &problem.equalities {
        let impulse = Vector::<1>::new(equality.impulse(velocity));
        equality.jacobian.subtract_transposed(&impulse, &mut momentum);
    }
    for (contact, impulse) in problem.contacts.iter().zip(impulses).filter(|(contact, _)| contact.active) {
        contact.jacobian.subtract_transposed(impulse, &mut momentum);
        let mu = contact.cone.friction();
        let slack = contact.jacobian.apply(velocity) - contact.reference + contact.cone.scale(impulse);
        let outside = (tangential_norm(impulse) - mu * impulse[D - 1]).max(-impulse[D - 1]);
        residuals.cone = largest(residuals.cone, outside.max(0.0));
        let outside = mu * tangential_norm(&slack) - slack[D - 1];
        residuals.dual_cone = largest(residuals.dual_cone, outside.max(0.0));
        residuals.complementarity = largest(residuals.complementarity, impulse.dot(&slack).abs());
    }
    for component in momentum.iter().flat_map(|block| block.iter()) {
        residuals.momentum = largest(residuals.momentum, component.abs());
    }
    residuals
}

/// The larger of two numbers, `NaN` if either is.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
