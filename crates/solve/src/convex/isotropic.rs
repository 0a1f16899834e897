use super::{FrictionCone, KktResiduals, Vector};

/// One contact whose Delassus operator is a multiple of the identity, `W = J A^-1 J' = w I`: a
/// point of mass `1/w` on the ground. Its problem has a closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IsotropicContact<const D: usize> {
    /// `w`, positive.
    pub delassus: f64,
    /// `v_c*`: the contact velocity without the contact.
    pub free_velocity: Vector<D>,
    /// `vhat`: the contact velocity at which the impulse vanishes.
    pub reference: Vector<D>,
    /// Friction cone and regularisation.
    pub cone: FrictionCone,
}

/// Velocity and impulse of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSolution<const D: usize> {
    /// `v_c`.
    pub velocity: Vector<D>,
    /// `gamma`.
    pub impulse: Vector<D>,
}

impl<const D: usize> IsotropicContact<D> {
    /// The minimum of the cost. `R + W` is as isotropic along the ground as `R`, so that the
    /// impulse either is the unconstrained one, `gamma = (R + W)^-1 (vhat - v_c*)`, or lies on the
    /// surface of the cone in the direction of its tangential part, or is zero.
    pub fn solve(&self) -> ContactSolution<D> {
        let mu = self.cone.friction();
        let regularization = self.cone.regularization();
        let tangential = regularization.tangential + self.delassus;
        let normal = regularization.normal + self.delassus;
        let gap = self.reference - self.free_velocity;
        let slip = super::cone::tangential_norm(&gap);
        let mut impulse = gap / tangential;
        impulse[D - 1] = gap[D - 1] / normal;
        if slip / tangential > mu * impulse[D - 1] || impulse[D - 1] < 0.0 {
            let sliding = (gap[D - 1] + mu * slip) / (normal + mu * mu * tangential);
            if sliding > 0.0 && slip > 0.0 {
                impulse = gap * (mu * sliding / slip);
                impulse[D - 1] = sliding;
            } else {
                impulse = Vector::zeros();
            }
        }
        ContactSolution { velocity: self.free_velocity + impulse * self.delassus, impulse }
    }

    /// How far `solution` is from the optimality conditions.
    pub fn residuals(&self, solution: &ContactSolution<D>) -> KktResiduals {
        let mut residuals = KktResiduals::default();
        let gained = (solution.velocity - self.free_velocity) / self.delassus;
        residuals.add_momentum(&(gained - solution.impulse));
        residuals.add_contact(&self.cone, &solution.impulse, &(solution.velocity - self.reference));
        residuals
    }
}
