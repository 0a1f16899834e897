use std::f64::consts::TAU;

use crate::{
    convex::{FrictionCone, Regularization},
    scenario::{ConvexSettings, DelassusNorm},
};

/// How compliant contacts and constraints are: the settings of the stepper in the terms of the
/// convex problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Compliance {
    settings: ConvexSettings,
}

impl Compliance {
    pub(super) fn new(settings: ConvexSettings) -> Self {
        Self { settings }
    }

    /// The friction cone of a contact whose Delassus operator is `W = delassus I` in `D`
    /// dimensions, with its regularisation over a step of `dt` s: `R_t = sigma w`, `R_n` as in
    /// [`Compliance::normal_regularization`].
    pub(super) fn cone<const D: usize>(&self, friction: f64, delassus: f64, dt: f64) -> FrictionCone {
        let ConvexSettings { stiffness, dissipation_time, sigma, delassus_norm, .. } = self.settings;
        // w = |W|_F/n
        let n: f64 = if D == 2 && delassus_norm == DelassusNorm::Planar { 2.0 } else { 3.0 };
        let w = delassus * n.sqrt() / n;
        let normal = self.normal_regularization(w, stiffness, dissipation_time, dt);
        FrictionCone::new(friction, Regularization { tangential: sigma * w, normal })
    }

    /// `max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau)))`: stiffness and damping over a step, but no
    /// stiffer than what makes a period of oscillation of `beta` steps, which is as rigid as the
    /// step can tell.
    pub(super) fn normal_regularization(
        &self,
        w: f64,
        stiffness: f64,
        dissipation_time: f64,
        dt: f64,
    ) -> f64 {
        let near_rigid = (self.settings.beta / TAU).powi(2) * w;
        let compliant = 1.0 / (dt * stiffness * (dt + dissipation_time));
        near_rigid.max(compliant)
    }

    /// `vhat_n = -phi/(dt + tau_d)`: the normal velocity in m/s at which the contact force
    /// vanishes, for a gap of `phi` m at the start of the step.
    pub(super) fn reference(&self, gap: f64, dt: f64) -> f64 {
        -gap / (dt + self.settings.dissipation_time)
    }

    /// Whether a contact with a gap of `phi` m at the start of the step takes part in it.
    pub(super) fn is_active(&self, gap: f64) -> bool {
        gap < 0.0 || !self.settings.gated
    }
}
