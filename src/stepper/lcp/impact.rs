use crate::{
    model::{PointMass, State, gap_velocity},
    scenario::RestitutionLaw,
    stepper::{StepperName, derivative::NoDerivative},
};

/// The law of impact of a formulation with a normal impulse.
///
/// Both laws let a point rebound only where it would leave the ground faster than `2 g dt`, `g`
/// being gravity's pull towards the ground: this ends the bouncing. What an impulse spends on
/// carrying the weight through the step is no compression, and does not return: otherwise Poisson's
/// law would make a point at rest bounce at `e g dt`, and keep any point bouncing at
/// `e g dt/(1 - e)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impact {
    pub law: RestitutionLaw,
}

impl Impact {
    /// The gap `c` in m/s of the normal complementarity `0 <= lambda_n  |  vz+ + c >= 0`: `z/dt`,
    /// except in an impact that rebounds. There Newton's law has `e vz`, and Poisson's 0: its
    /// compression ends with the point at rest.
    pub fn gap<const D: usize>(
        self,
        body: &PointMass<D>,
        state: &State<D>,
        free_normal: f64,
        dt: f64,
    ) -> f64 {
        match self.law {
            RestitutionLaw::Newton => gap_velocity(body, state, free_normal, dt),
            RestitutionLaw::Poisson => {
                let reaches_ground = state.height() + dt * free_normal <= 0.0;
                let rebounds = self.restored(body, -free_normal, dt).is_some();
                if reaches_ground && rebounds { 0.0 } else { state.height() / dt }
            }
        }
    }

    /// Refuses Poisson's law where it matters: its second solution is not differentiated.
    pub fn require_newton<const D: usize>(
        self,
        body: &PointMass<D>,
        stepper: StepperName,
    ) -> Result<(), NoDerivative> {
        if self.law == RestitutionLaw::Newton || body.restitution == 0.0 {
            return Ok(());
        }
        let reason =
            "rebounds by Poisson's law are not differentiated; set stepper.lcp.restitution = \"newton\"";
        Err(NoDerivative { stepper, reason: reason.to_owned() })
    }

    /// What Poisson's law adds to the normal impulse `compression`, in m/s; `None` where nothing
    /// rebounds.
    pub fn restored<const D: usize>(self, body: &PointMass<D>, compression: f64, dt: f64) -> Option<f64> {
        let rebound = body.restitution * (compression - weight(body, dt));
        (self.law == RestitutionLaw::Poisson && rebound > 2.0 * weight(body, dt)).then_some(rebound)
    }
}

/// The impulse that carries the weight through a step, `g dt` in units of velocity.
fn weight<const D: usize>(body: &PointMass<D>, dt: f64) -> f64 {
    -body.gravity[D - 1] * dt
}
