//! Whether an explicit force is stable: refused before the first step, and watched over in every one.

use super::law::NormalForce;
use crate::{
    model::PointMass,
    stepper::{Refusal, StepperName, UsedSettings},
};

/// Part of the energy of a step that it may gain by its own error; a step that gains more is on its
/// way to blow up.
const TOLERATED_GAIN: f64 = 0.25;

/// The motion of a point along the normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormalMotion {
    /// In m over the plane.
    pub gap: f64,
    /// In m/s.
    pub velocity: f64,
}

impl NormalForce {
    /// Refuses a `point` that it cannot carry, or whose impact at `speed` m/s a `step` in s does not resolve.
    ///
    /// # Errors
    /// [`Refusal`] if the step is longer than [`NormalForce::stable_step`] allows at that speed, or if the force cannot
    /// carry the weight.
    pub(super) fn admit<const D: usize>(
        &self,
        point: &PointMass<D>,
        step: f64,
        speed: f64,
    ) -> Result<(), Refusal> {
        let weight = -point.mass * point.gravity[D - 1];
        let refuse = |reason, remedy: &str| {
            Err(Refusal { stepper: StepperName::SMOOTH, reason, remedy: remedy.to_owned() })
        };
        if weight >= self.capacity() {
            return refuse(
                format!(
                    "its normal force is at most {} N, and the point presses with {weight} N",
                    self.capacity()
                ),
                "raise stepper.smooth.amplitude or leave [stepper.smooth] out, for a law that scales with the weight",
            );
        }
        let bound = self.stable_step(point, speed);
        if step > bound {
            return refuse(
                format!(
                    "the step is {step} s, and its explicit force is stable only up to {bound:.3e} s for {} kg that hit \
                     the ground at {speed:.3} m/s",
                    point.mass
                ),
                "lower `step` below that, or leave [stepper.smooth] out, for a ground that scales with the step",
            );
        }
        Ok(())
    }

    /// What is wrong with a step of a point of `mass` kg that presses with `weight` N in which its motion gained more
    /// energy, beyond the `work` in J that was done on it, than a stable step can; `None` where nothing is.
    pub(super) fn growth(
        &self,
        (mass, weight): (f64, f64),
        [before, after]: [NormalMotion; 2],
        work: f64,
    ) -> Option<String> {
        let energy = |at: NormalMotion| 0.5 * mass * at.velocity * at.velocity + self.potential(at.gap);
        let (first, last) = (energy(before), energy(after));
        let gain = last - first - work;
        // What is not a number is no stable step either.
        let is_stable = gain <= TOLERATED_GAIN * (last + first);
        (!is_stable).then(|| {
            format!(
                "the penalty force added {gain:.3e} J in one step, and took the vertical velocity from {:.3} to \
                 {:.3} m/s; use a `step` below {:.3e} s or a softer stepper.smooth law",
                before.velocity,
                after.velocity,
                self.stable_step_of(mass, weight, before.velocity.abs())
            )
        })
    }

    /// The figures behind the settings that a scenario leaves open.
    pub(super) fn settings(&self) -> UsedSettings {
        let (stiffness, damping) = self.parameters();
        // The tanh law has an amplitude and a sharpness, which are in the scenario.
        let Some(stiffness) = stiffness else { return UsedSettings::default() };
        let settings = UsedSettings::default().with("stepper.smooth.damping", damping);
        settings.with("stepper.smooth.stiffness", stiffness)
    }
}
