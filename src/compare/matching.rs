use std::fmt;

use roots::{SimpleConvergency, find_root_brent};

use super::{
    Truth, measured_restitution,
    quantity::{given, quantity, significant},
};
use crate::{
    scenario::{Scenario, SmoothLaw},
    stepper::{BuildStepper, EventKind, NormalForce, Refusal, StepperName, not_a_single_point},
    watch::Watch,
};

/// How deep a matched compliant ground lets the resting point sink, in m, where the step allows.
const REST_DEPTH: f64 = 1e-3;

/// Restitution below which a rebound counts as none: damping cannot take all of it.
const LEAST_RESTITUTION: f64 = 0.01;

/// Impact speed in m/s that is assumed where the exact motion has no impact.
const DEFAULT_SPEED: f64 = 1.0;

/// A scenario whose compliant models stand for the same ground as its rigid ones.
#[derive(Debug, Clone)]
pub struct Matched<const D: usize> {
    /// The scenario with the chosen settings.
    pub scenario: Scenario<D>,
    /// What was chosen.
    pub choices: Vec<Choice>,
    /// Impact speed in m/s at which restitution is matched: that of the first exact impact, 1 m/s if
    /// there is none.
    pub speed: f64,
    /// Whether the exact motion has an impact.
    pub has_impact: bool,
    /// Restitution that the choices aim at: the scenario's, but at least 0.01.
    pub target: f64,
}

/// What was chosen for one stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// For which.
    pub stepper: StepperName,
    /// The settings as keys of the scenario file, with values and units.
    pub settings: Vec<(&'static str, f64, &'static str)>,
    /// How deep the resting point sinks, in m.
    pub rest_depth: f64,
    /// Restitution of the stepper with these settings at this step, measured in a drop.
    pub restitution: f64,
}

/// Settings could not be matched.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MatchError {
    /// The stepper whose settings are sought does not admit the scenario.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No stiffness is soft enough for the step.
    #[error(
        "no stiffness of stepper `smooth` that carries {mass} kg is stable at steps of {step} s; use a smaller `step`"
    )]
    TooStiff {
        /// Mass in kg.
        mass: f64,
        /// Step in s.
        step: f64,
    },
}

/// Chooses stiffness and damping of the compliant steppers so that the resting point sinks 1 mm (or
/// as little as the step allows) and an impact rebounds as the scenario's restitution says.
///
/// The penalty stepper gets the law of Hunt and Crossley, the convex one its stiffness and dissipation
/// time, where it admits the scenario.
///
/// # Errors
/// [`MatchError`] if no settings are stable at the scenario's step.
pub fn match_compliant<const D: usize>(scenario: &Scenario<D>) -> Result<Matched<D>, MatchError>
where
    Scenario<D>: BuildStepper<D>,
{
    if !scenario.is_single_point() {
        return Err(not_a_single_point(scenario, StepperName::Smooth).into());
    }
    let impact = impact_speed(scenario);
    let speed = impact.unwrap_or(DEFAULT_SPEED);
    let target = scenario.ground.restitution.max(LEAST_RESTITUTION);
    let scenario = scenario.clone();
    let mut matched = Matched { scenario, choices: Vec::new(), speed, has_impact: impact.is_some(), target };
    let depth = matched.match_smooth()?;
    matched.match_convex(depth);
    Ok(matched)
}

impl<const D: usize> fmt::Display for Matched<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = if self.has_impact {
            "the first of the exact motion"
        } else {
            "as there is none in the exact motion"
        };
        let restitution = self.scenario.ground.restitution;
        let rebound = if restitution < self.target {
            format!("{} at most, since no damping takes all of it", self.target)
        } else {
            format!("{restitution}, as on the rigid ground")
        };
        write!(
            f,
            "The compliant models get a ground that the resting point sinks into by {}, or by more where the step \
             asks for a softer one, and the damping with which an impact at {}, {origin}, rebounds with restitution \
             {rebound}. On such a ground slower impacts rebound more.",
            given(REST_DEPTH, "m"),
            quantity(self.speed, "m/s"),
        )
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}; sinks {} at rest, rebounds with restitution {}",
            self.stepper,
            self.settings().join(", "),
            quantity(self.rest_depth, "m"),
            significant(self.restitution)
        )
    }
}

impl Choice {
    /// The settings with their units, as in `stepper.smooth.stiffness = 98100 N/m`, to four digits.
    pub fn settings(&self) -> Vec<String> {
        let settings = self.settings.iter();
        let rounded = |value: f64| format!("{value:.3e}").parse().unwrap_or(value);
        settings.map(|&(key, value, unit)| format!("{key} = {} {unit}", rounded(value))).collect()
    }
}

impl<const D: usize> Matched<D>
where
    Scenario<D>: BuildStepper<D>,
{
    /// Gives the depth of rest that it chose.
    fn match_smooth(&mut self) -> Result<f64, MatchError> {
        let (mass, step) = (self.scenario.bodies[0].mass, self.scenario.step);
        // At rest the damping is beta m g, which decays within 1/(beta g): two steps at least, or no
        // stiffness is low enough.
        let strongest = 0.5 * self.scenario.bodies[0].mass / (self.load() * step);
        let damping = (hunt_crossley_damping(self.target) / self.speed).min(strongest);
        let mut depth = REST_DEPTH;
        loop {
            let stiffness = self.load() / depth;
            self.scenario.steppers.smooth.law =
                SmoothLaw::HuntCrossley { stiffness: Some(stiffness), damping: Some(damping) };
            let force = NormalForce::of(&self.scenario);
            // Half the bound, so that the measured restitution is near the sought one.
            if step <= 0.5 * force.stable_step(&self.scenario.point(0), self.speed) {
                break;
            }
            depth *= 2.0;
            if depth > 1e3 {
                return Err(MatchError::TooStiff { mass, step });
            }
        }
        let stiffness = self.load() / depth;
        let law = |damping| SmoothLaw::HuntCrossley { stiffness: Some(stiffness), damping: Some(damping) };
        let mut trial = self.scenario.clone();
        let mut restitution = |damping: f64| {
            trial.steppers.smooth.law = law(damping);
            measured_restitution(&trial, StepperName::Smooth, self.speed)
        };
        let (damping, restitution) =
            descend_to(self.target, 0.5 * damping, (2.0 * damping).min(strongest), &mut restitution)?;
        self.scenario.steppers.smooth.law = law(damping);
        self.choices.push(Choice {
            stepper: StepperName::Smooth,
            settings: vec![
                ("stepper.smooth.stiffness", stiffness, "N/m"),
                ("stepper.smooth.damping", damping, "s/m"),
            ],
            rest_depth: depth,
            restitution,
        });
        Ok(depth)
    }

    /// Leaves the convex stepper as it is where it does not admit the scenario.
    fn match_convex(&mut self, depth: f64) {
        let stiffness = self.load() / depth;
        let mut trial = self.scenario.clone();
        trial.steppers.convex.stiffness = stiffness;
        let mut restitution = |dissipation_time: f64| {
            trial.steppers.convex.dissipation_time = dissipation_time;
            measured_restitution(&trial, StepperName::Convex, self.speed)
        };
        let Ok((dissipation_time, restitution)) = descend_to(self.target, 1e-6, 1e2, &mut restitution) else {
            return;
        };
        self.scenario.steppers.convex.stiffness = stiffness;
        self.scenario.steppers.convex.dissipation_time = dissipation_time;
        self.choices.push(Choice {
            stepper: StepperName::Convex,
            settings: vec![
                ("stepper.convex.stiffness", stiffness, "N/m"),
                ("stepper.convex.dissipation_time", dissipation_time, "s"),
            ],
            rest_depth: depth,
            restitution,
        });
    }

    /// What the ground carries at rest in N; that of standard gravity where nothing pulls.
    fn load(&self) -> f64 {
        let body = self.scenario.point(0);
        let pull = -body.gravity[D - 1];
        body.mass * if pull > 0.0 { pull } else { 9.81 }
    }
}

/// The damping between `low` and `high` at which the measured restitution falls to `target`, and the
/// restitution there; none at all where that does not reach the target, `high` where that exceeds it.
///
/// Bisection, because a restitution measured in steps is monotone at best, and on the logarithm, because
/// dampings of interest span decades.
fn descend_to<E>(
    target: f64,
    mut low: f64,
    mut high: f64,
    restitution: &mut impl FnMut(f64) -> Result<f64, E>,
) -> Result<(f64, f64), E> {
    let undamped = restitution(0.0)?;
    if undamped <= target || high <= 0.0 {
        return Ok((0.0, undamped));
    }
    let mut reached = (high, restitution(high)?);
    if reached.1 > target {
        return Ok(reached);
    }
    for _ in 0..40 {
        let middle = (low * high).sqrt();
        reached = (middle, restitution(middle)?);
        if reached.1 > target { low = middle } else { high = middle }
    }
    Ok(reached)
}

/// The product `a = beta v` of damping and impact speed at which Hunt and Crossley's law rebounds with
/// restitution `e`.
///
/// Without gravity `m u du = -k delta (1 + beta u) d delta` integrates over the whole impact, from `v`
/// to `-e v`, to `(1 + e) a = ln((1 + a)/(1 - e a))`, whatever the stiffness.
fn hunt_crossley_damping(e: f64) -> f64 {
    let residual = |a: f64| (1.0 + e) * a - a.ln_1p() + (-e * a).ln_1p();
    // Near zero the residual is (1 - e^2) a^2/2 > 0, and it falls to -inf at a = 1/e, for small e so
    // late that the root cannot be told from 1/e.
    let (low, high) = (1e-3, (1.0 - 1e-15) / e);
    if residual(low) <= 0.0 {
        return 0.0;
    }
    let mut convergence = SimpleConvergency { eps: 1e-14, max_iter: 200 };
    find_root_brent(low, high, residual, &mut convergence).unwrap_or(high)
}

/// Approach speed of the first impact of the exact motion in m/s; `None` if there is none.
fn impact_speed<const D: usize>(scenario: &Scenario<D>) -> Option<f64> {
    let truth = Truth::of(scenario, &Watch::none());
    let impact =
        truth.and_then(|truth| truth.events.into_iter().find(|event| event.kind == EventKind::Impact));
    let body = scenario.point(0);
    let speed = impact?.impulse[D - 1] / (body.mass * (1.0 + body.restitution));
    (speed > 0.0).then_some(speed)
}

#[cfg(test)]
mod tests {
    use super::hunt_crossley_damping;

    #[test]
    fn light_damping_takes_two_thirds_of_the_product() {
        // For e near 1 the law of the damping is e = 1 - 2 a/3, with an error of the order of a^2.
        let a = hunt_crossley_damping(0.99);
        assert!((1.0 - 2.0 * a / 3.0 - 0.99).abs() < a * a, "{a}");
    }

    #[test]
    fn elastic_impact_needs_no_damping() {
        assert_eq!(hunt_crossley_damping(1.0), 0.0);
    }
}
