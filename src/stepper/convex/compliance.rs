use std::f64::consts::TAU;

use crate::{
    contact::groups::{CompliantCone, ROWS, tangential_rows},
    convex::{Block, FrictionCone, Regularization},
    model::{Number, PointMass, State, magnitude, tangential},
    scenario::{ConvexSettings, DelassusNorm},
    stepper::UsedSettings,
};

/// Where the normal regularisation of a contact comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rigidity {
    /// It is as stiff as the step can tell, in proportion to the response of the contact.
    NearRigid,
    /// The stiffness is set.
    Set,
    /// It is softened for the start of the run, see [`Compliance::softness`].
    Softened,
}

/// How compliant contacts and constraints are: the settings of the stepper in the terms of the
/// convex problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Compliance {
    settings: ConvexSettings,
    /// `beta^2/(4 pi^2)`.
    near_rigid: f64,
}

impl Compliance {
    pub(crate) fn new(settings: ConvexSettings) -> Self {
        Self { settings, near_rigid: (settings.beta / TAU).powi(2) }
    }

    /// The friction cone of a contact whose Delassus operator is `W = delassus I` in `D`
    /// dimensions, with its regularisation over a step of `dt` s, and a normal one of at least `softness`.
    pub(super) fn cone<const D: usize>(
        &self,
        friction: f64,
        delassus: f64,
        softness: f64,
        dt: f64,
    ) -> FrictionCone {
        let n = self.dimensions::<D>();
        self.cone_of_norm(friction, delassus * n.sqrt() / n, softness, dt)
    }

    /// The friction cone of a contact whose Delassus operator is `w`. Where the norm is that of space, a
    /// direction that the plane lacks counts as the mean of the others. Its normal regularisation is at least `softness`.
    pub(super) fn cone_of<const D: usize>(
        &self,
        friction: f64,
        w: &Block<D>,
        softness: f64,
        dt: f64,
    ) -> FrictionCone {
        let n = self.dimensions::<D>();
        let lacking = n - D as f64;
        let mean = if lacking == 0.0 { 0.0 } else { w.trace() / D as f64 };
        let norm = (w.norm_squared() + lacking * mean * mean).sqrt();
        self.cone_of_norm(friction, norm / n, softness, dt)
    }

    /// The cone of a contact with groups of friction, in scaled rows: as compliant as that of `sliding` without, where it rolls by
    /// `sigma` times its mean response in these rows `w`, the normal one last.
    ///
    /// What slides and drills has `R_t mu^2` in rows that are scaled by `mu` and `rho_t`, which is `R_t` for the impulses along
    /// the tangents; where nothing slides it is `sigma` times the response, too.
    pub(super) fn grouped_cone(&self, sliding: &FrictionCone, w: &Block<ROWS>) -> CompliantCone {
        let Regularization { tangential, normal } = sliding.regularization();
        let of_response = |group: usize| {
            let own = tangential_rows(group).map(|row| w[(row, row)]).filter(|response| *response > 0.0);
            let (sum, count) = own.fold((0.0, 0), |(sum, count), response| (sum + response, count + 1));
            let regularization = self.settings.sigma * sum / f64::from(count.max(1));
            // A group without rows has no impulses, whatever its weight.
            if regularization.is_normal() { regularization } else { normal }
        };
        let along = tangential * sliding.friction().powi(2);
        let patch = if along.is_normal() { along } else { of_response(0) };
        CompliantCone::new(normal, [patch, of_response(1)])
    }

    /// How many directions `w = |W|_F/n` counts.
    fn dimensions<const D: usize>(&self) -> f64 {
        if D == 2 && self.settings.delassus_norm == DelassusNorm::Planar { 2.0 } else { 3.0 }
    }

    /// `R_t = sigma w`, `R_n` as in [`Compliance::normal_regularization`], and at least `softness`.
    fn cone_of_norm(&self, friction: f64, w: f64, softness: f64, dt: f64) -> FrictionCone {
        let regularization = Regularization {
            tangential: self.settings.sigma * w,
            normal: self.normal_regularization(w, dt).max(softness),
        };
        FrictionCone::new(friction, regularization)
    }

    /// `max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau_d)))`: stiffness and damping over a step, but no
    /// stiffer than what makes a period of oscillation of `beta` steps, which is as rigid as the
    /// step can tell, and what a stiffness left out stands for.
    pub(super) fn normal_regularization(&self, w: f64, dt: f64) -> f64 {
        let near_rigid = self.near_rigid(w);
        let compliant = |stiffness: f64| self.return_rate(dt) / (dt * stiffness);
        near_rigid.max(self.settings.stiffness.map_or(0.0, compliant))
    }

    /// The stiffness in N/m of a spring that gives a contact with this `cone` over a step of `dt` s.
    pub(super) fn stiffness_of(&self, cone: &FrictionCone, dt: f64) -> f64 {
        self.return_rate(dt) / (dt * cone.regularization().normal)
    }

    /// The settings that a scenario may leave open, with the `stiffness` in N/m, or in words.
    pub(super) fn settings(&self, stiffness: impl Into<serde_json::Value>, dt: f64) -> UsedSettings {
        UsedSettings::default()
            .with("stepper.convex.stiffness", stiffness)
            .with("stepper.convex.dissipation_time", self.settings.dissipation_time_at(dt))
    }

    /// Those of bodies in steps of `dt` s, each of whose contacts has a Delassus operator of its own.
    pub(in crate::stepper) fn settings_of_bodies<const D: usize>(&self, dt: f64) -> UsedSettings {
        let n = self.dimensions::<D>();
        let near_rigid = self.return_rate(dt) / dt * (TAU / self.settings.beta).powi(2);
        let words = format!("{near_rigid:.6e}/w N/m, with w = |W|_F/{n} in 1/kg of each contact");
        match self.settings.stiffness {
            Some(stiffness) => self.settings(format!("{stiffness:e} N/m, and at most {words}"), dt),
            None => self.settings(words, dt),
        }
    }

    /// What `R_n` a ground needs at least that `body` slides on from its `start`, in steps of `dt` s, in 1/kg.
    ///
    /// A sliding contact fulfils `v_n - vhat_n + R_n gamma_n = mu |v_t|` with the velocity that the step ends with
    /// (the regularisation of friction left out). On stiff ground that throws a point which starts at `z < (dt + tau_d) mu |v_t|` off
    /// at up to `mu |v_t|`: at 30 m/s with friction 0.12 it hops 0.65 m, whatever the step. Ground on
    /// which the start is in balance, `v_n = 0` with `gamma_n = m g dt`, does not:
    /// `R_n = (mu |v_t| - z/(dt + tau_d))/(m g dt)`, with `|v_t| = |v_t0| - mu g dt`, and no speed where friction
    /// takes it all within the step. It lets the resting point sink by what it is lifted
    /// while sliding, `(dt + tau_d) mu |v_t| - z`, a length of the order of the step. Where a stiffness
    /// is set, or nothing presses the point on the ground, 0; less than that where it starts higher up.
    pub(crate) fn softness<const D: usize, N: Number>(
        &self,
        body: &PointMass<D, N>,
        start: &State<D, N>,
        dt: f64,
    ) -> N {
        let pressing = -body.mass * body.gravity[D - 1] * dt;
        if self.settings.stiffness.is_some() || pressing.re() <= 0.0 {
            return N::zero();
        }
        let slowed = magnitude(&tangential(&start.velocity)) - body.friction * pressing / body.mass;
        let speed = if slowed.re() > 0.0 { slowed } else { N::zero() };
        let lift = body.friction * speed - start.height() * self.return_rate(dt);
        lift / pressing
    }

    /// Where the normal regularisation of `cone` comes from, for a Delassus operator `delassus I`.
    pub(super) fn source<const D: usize>(&self, cone: &FrictionCone, delassus: f64) -> Rigidity {
        let n = self.dimensions::<D>();
        self.source_of_norm(cone, delassus * n.sqrt() / n)
    }

    fn source_of_norm(&self, cone: &FrictionCone, w: f64) -> Rigidity {
        let near_rigid = self.near_rigid(w);
        if cone.regularization().normal <= near_rigid * (1.0 + f64::EPSILON) {
            Rigidity::NearRigid
        } else if self.settings.stiffness.is_none() {
            Rigidity::Softened
        } else {
            Rigidity::Set
        }
    }

    /// `beta^2 w/(4 pi^2)`, the least normal regularisation in 1/kg.
    fn near_rigid(&self, w: f64) -> f64 {
        self.near_rigid * w
    }

    /// The same of a Delassus operator `delassus I`.
    pub(super) fn near_rigid_of<const D: usize>(&self, delassus: f64) -> f64 {
        let n = self.dimensions::<D>();
        self.near_rigid(delassus * n.sqrt() / n)
    }

    /// Where the normal regularisation of `cone` comes from, for a Delassus operator `w`, the near-rigid one, and the
    /// derivative of the logarithm of `|W|_F/n` with respect to its entries.
    pub(super) fn scaling<const D: usize>(
        &self,
        cone: &FrictionCone,
        w: &Block<D>,
    ) -> (Rigidity, f64, Block<D>) {
        let n = self.dimensions::<D>();
        let mean = w.trace() / D as f64;
        let lacking = n - D as f64;
        let square = w.norm_squared() + lacking * mean * mean;
        let slope = (w + Block::<D>::identity() * (lacking * mean / D as f64)) / square;
        let norm = square.sqrt() / n;
        (self.source_of_norm(cone, norm), self.near_rigid(norm), slope)
    }

    /// The derivative of [`Compliance::normal_regularization`] with respect to `w`.
    pub(super) fn normal_regularization_slope(&self, w: f64, dt: f64) -> f64 {
        let near_rigid = self.near_rigid(w);
        if self.normal_regularization(w, dt) > near_rigid { 0.0 } else { near_rigid / w }
    }

    /// Whether contacts act only below the ground.
    pub(super) fn is_gated(&self) -> bool {
        self.settings.gated
    }

    /// `1/(dt + tau_d)`: what part of a deviation is to be undone per second, in 1/s.
    pub(super) fn return_rate(&self, dt: f64) -> f64 {
        1.0 / (dt + self.settings.dissipation_time_at(dt))
    }

    /// `vhat_n = -phi/(dt + tau_d)`: the normal velocity in m/s at which the contact force
    /// vanishes, for a gap of `phi` m at the start of the step.
    pub(super) fn reference(&self, gap: f64, dt: f64) -> f64 {
        -gap * self.return_rate(dt)
    }

    /// For how long in s a contact is looked for ahead of a step of `dt` s. One that is not gated pushes from
    /// `phi < -(dt + tau_d) v_n` on; the way of half a step more than `dt` is looked over for every model.
    pub(super) fn horizon(&self, dt: f64) -> f64 {
        let dissipation_time = self.settings.dissipation_time_at(dt);
        if self.settings.gated || dissipation_time <= 0.5 * dt { dt } else { dt + dissipation_time }
    }

    /// Whether a contact with a gap of `phi` m at the start of the step takes part in it.
    pub(super) fn is_active(&self, gap: f64) -> bool {
        gap < 0.0 || !self.settings.gated
    }
}
