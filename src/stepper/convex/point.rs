use super::compliance::{Compliance, Rigidity};
use crate::{
    model::{magnitude, tangential},
    scenario::Scenario,
    stepper::{
        PointLaw,
        derivative::{LocalDual, LocalInput, MarginKind, Margins},
    },
};

/// How soft the ground is that was chosen for the start of a point.
pub(super) struct GroundOfPoint {
    compliance: Compliance,
    /// In 1/kg.
    softness: f64,
}

impl GroundOfPoint {
    /// That of the first body of `scenario`.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        let compliance = Compliance::new(scenario.steppers.convex);
        let softness = compliance.softness(&scenario.point(0), &scenario.initial_state(0), scenario.step);
        Self { compliance, softness }
    }
}

impl<const D: usize> PointLaw<D> for GroundOfPoint {
    fn chosen(&self, _local: &LocalInput<D>) -> [LocalDual; 2] {
        [LocalInput::<D>::softness(self.softness), LocalDual::from_re(0.0)]
    }

    /// Whether the contact acts, slips, or is open, and whether its ground is softened.
    fn margins(&self, local: &LocalInput<D>) -> Margins<D> {
        let Self { compliance, softness } = self;
        let [mass, friction, dt] = [local.body.mass.re, local.body.friction.re, local.dt.re];
        let delassus = 1.0 / mass;
        let cone = compliance.cone::<D>(friction, delassus, *softness, dt);
        let softness = LocalInput::<D>::softness(*softness);
        // `1 + R m`; what is in proportion to 1/m does not change.
        let tangential_softness = 1.0 + cone.regularization().tangential * mass;
        let normal = cone.regularization().normal;
        let normal_softness = match compliance.source::<D>(&cone, delassus) {
            Rigidity::NearRigid => LocalDual::from_re(normal * mass),
            Rigidity::Set => local.body.mass * normal,
            Rigidity::Softened => local.body.mass * softness,
        } + 1.0;
        let mut margins = Margins::default();
        if softness.re != 0.0 {
            let near_rigid = LocalDual::from_re(compliance.near_rigid_of::<D>(1.0)) / local.body.mass;
            margins.push(MarginKind::Choice, near_rigid - softness);
        }
        if compliance.is_gated() {
            margins.push(MarginKind::Contact, local.state.height());
        }
        if !compliance.is_active(local.state.height().re) {
            return margins;
        }
        let free = local.body.free_velocity(&local.state, &local.push, local.dt);
        let closing = local.state.height() * compliance.reference(1.0, dt) - free[D - 1];
        let slip = magnitude(&tangential(&free));
        let mu = local.body.friction;
        margins.push(MarginKind::Slip, slip / tangential_softness - mu * closing / normal_softness);
        margins.push(MarginKind::Pull, closing + mu * slip);
        margins
    }
}
