use std::fmt;

use super::{
    Comparison, Entry, MeasuredImpact, Truth, measured_impact,
    quantity::{given, quantity, significant},
};
use crate::{
    decimal::rounded,
    scenario::{ConvexSettings, Scenario, SmoothLaw},
    stepper::{BuildStepper, EventKind, NormalForce, Refusal, StepperName},
    watch::Watch,
};

/// Restitution below which a rebound counts as none.
const LEAST_RESTITUTION: f64 = 0.01;

/// Difference of restitutions that is worth a word.
const NOTABLE: f64 = 0.03;

/// How many times a speed is halved and doubled to see whether impacts rebound alike.
const MOST_SPEEDS: usize = 8;

/// Impact speed in m/s that is assumed where the exact motion has no impact.
const DEFAULT_SPEED: f64 = 1.0;

/// `omega dt` of the softest and the stiffest ground that is tried for the convex stepper. The softest
/// gives back 0.92 of an impact's speed over 60 steps, the rest is lost to implicit steps.
const SOFTEST_TO_STIFFEST: [f64; 2] = [0.05, 20.0];

/// A scenario whose compliant models stand for the same ground as its rigid ones.
#[derive(Debug, Clone)]
pub struct Matched<const D: usize> {
    /// The scenario with the chosen settings.
    pub scenario: Scenario<D>,
    /// What was chosen.
    pub choices: Vec<Choice>,
    /// Impact speed in m/s at which restitution is measured: that of the first exact impact, 1 m/s if
    /// there is none.
    pub speed: f64,
    /// Whether the exact motion has an impact.
    pub has_impact: bool,
    /// The slowest and the fastest impact in m/s, of those tried in halvings and doublings of `speed`, between which
    /// all rebound with the restitution that they have at it, to within 0.03, under every stepper of the choices.
    pub alike: [f64; 2],
}

/// What was chosen for one stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// For which.
    pub stepper: StepperName,
    /// The settings as keys of the scenario file, with values and units.
    pub settings: Vec<(&'static str, f64, &'static str)>,
    /// What an impact does on the chosen ground, measured in drops.
    pub impact: MeasuredImpact,
    /// The restitution that was sought.
    pub target: f64,
}

/// Chooses stiffness and damping of the compliant steppers so that an impact rebounds as the scenario's
/// restitution says, on the stiffest ground that does.
///
/// Stiffness is what makes them comparable: a contact that lasts 20 ms is 20 ms late at every bounce,
/// and sinks in by as much as the point falls in about 6 of them. The penalty stepper takes the law of
/// Kelvin and Voigt at its default stiffness and the damping that gives the restitution; the convex one
/// has no damping, and the stiffness at which what implicit steps lose is the restitution. Both are
/// linear, so that impacts rebound alike unless they are so slow that gravity counts while they last; from
/// which speed on is measured.
///
/// The `watch` counts the steps of the exact motion up to its end, which tells the speed of the first impact; one that
/// ends it early takes that of no impact.
///
/// # Errors
/// [`Refusal`] if one of them does not admit the scenario.
pub fn match_compliant<const D: usize>(
    scenario: &Scenario<D>,
    watch: &Watch<'_>,
) -> Result<Matched<D>, Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    if !scenario.layout().is_point() {
        return Err(Refusal {
            stepper: StepperName::SMOOTH,
            reason: "stiffness and damping are matched to a restitution for a single point alone".to_owned(),
            remedy: "leave --match out, and set stepper.smooth and stepper.convex".to_owned(),
        });
    }
    let impact = impact_speed(scenario, watch);
    let speed = impact.unwrap_or(DEFAULT_SPEED);
    let mut matched = Matched {
        scenario: scenario.clone(),
        choices: Vec::new(),
        speed,
        has_impact: impact.is_some(),
        alike: [speed; 2],
    };
    matched.match_smooth()?;
    matched.match_convex()?;
    matched.alike = [0.5, 2.0].map(|factor| matched.alike_to(factor));
    Ok(matched)
}

impl<const D: usize> fmt::Display for Matched<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = if self.has_impact {
            "the first of the exact motion"
        } else {
            "as there is none in the exact motion"
        };
        write!(
            f,
            "The compliant models get the stiffest ground on which, in steps of {}, an impact rebounds with \
             restitution {}, measured at {}, {origin}. ",
            given(self.scenario.step, "s"),
            self.scenario.ground.restitution,
            quantity(self.speed, "m/s"),
        )?;
        let [slowest, fastest] = self.alike;
        if slowest == fastest {
            return f.write_str("On such a ground impacts at other speeds rebound otherwise.");
        }
        write!(
            f,
            "On such a ground impacts rebound alike, to within {NOTABLE}, from {} to {}, as far as was tried.",
            quantity(slowest, "m/s"),
            quantity(fastest, "m/s"),
        )
    }
}

impl<const D: usize> Matched<D> {
    /// Takes note in a comparison of the matched scenario that what the restitution asks for was chosen: it is no
    /// longer ignored by those steppers.
    pub fn credit(&self, comparison: &mut Comparison<D>) {
        for Entry { trajectory, .. } in &mut comparison.entries {
            let keys = trajectory.honours.ignores;
            let is_chosen = self.choices.iter().any(|choice| choice.stepper == trajectory.stepper);
            if let (true, [("ground.restitution", _), others @ ..]) = (is_chosen, keys) {
                trajectory.honours.ignores = others;
            }
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}; an impact rebounds with restitution {} and sinks in by {}",
            self.stepper,
            self.settings().join(", "),
            significant(self.impact.restitution),
            quantity(self.impact.depth, "m"),
        )?;
        if (self.impact.restitution - self.target).abs() > NOTABLE {
            write!(f, "; that is as near to {} as its steps come", self.target)?;
        }
        Ok(())
    }
}

impl Choice {
    /// The settings with their units, as in `stepper.smooth.stiffness = 98100 N/m`, to four digits.
    pub fn settings(&self) -> Vec<String> {
        let settings = self.settings.iter();
        let told = |key: &str, value, unit: &str| {
            format!("{key} = {} {unit}", rounded(value, 4)).trim_end().to_owned()
        };
        settings.map(|&(key, value, unit)| told(key, value, unit)).collect()
    }
}

impl<const D: usize> Matched<D>
where
    Scenario<D>: BuildStepper<D>,
{
    fn match_smooth(&mut self) -> Result<(), Refusal> {
        let target = self.scenario.ground.restitution;
        self.scenario.steppers.smooth.law = SmoothLaw::SCALED;
        let (stiffness, strongest) = {
            let mut inelastic = self.scenario.clone();
            inelastic.ground.restitution = 0.0;
            NormalForce::of(&inelastic).parameters()
        };
        let law = |damping| SmoothLaw::KelvinVoigt { stiffness, damping: Some(damping) };
        let mut trial = self.scenario.clone();
        let mut impact = |damping: f64| {
            trial.steppers.smooth.law = law(damping);
            measured_impact(&trial, StepperName::SMOOTH, self.speed)
        };
        let (damping, impact) = descend_to(target, [1e-4 * strongest, strongest], &mut impact)?;
        self.scenario.steppers.smooth.law = law(damping);
        let stiffness = stiffness.map(|stiffness| ("stepper.smooth.stiffness", stiffness, "N/m"));
        let damping = ("stepper.smooth.damping", damping, "N s/m");
        let settings = stiffness.into_iter().chain([damping]).collect();
        self.choices.push(Choice { stepper: StepperName::SMOOTH, settings, impact, target });
        Ok(())
    }

    /// The last of the speeds in m/s, each `factor` times the one before it, at which impacts rebound as at `speed`.
    fn alike_to(&self, factor: f64) -> f64 {
        let is_alike = |speed: f64| {
            self.choices.iter().all(|choice| {
                let other = measured_impact(&self.scenario, choice.stepper, speed);
                other.is_ok_and(|other| (other.restitution - choice.impact.restitution).abs() <= NOTABLE)
            })
        };
        let mut last = self.speed;
        for _ in 0..MOST_SPEEDS {
            let next = factor * last;
            if !is_alike(next) {
                break;
            }
            last = next;
        }
        last
    }

    fn match_convex(&mut self) -> Result<(), Refusal> {
        let target = self.scenario.ground.restitution;
        self.scenario.steppers.convex = ConvexSettings {
            dissipation_time: Some(0.0),
            gated: false,
            beta: 0.0,
            ..self.scenario.steppers.convex
        };
        let (mass, dt) = (self.scenario.bodies[0].mass, self.scenario.step);
        let stiffness = |omega_dt: f64| mass * (omega_dt / dt).powi(2);
        let mut trial = self.scenario.clone();
        let mut impact = |omega_dt: f64| {
            trial.steppers.convex.stiffness = Some(stiffness(omega_dt));
            measured_impact(&trial, StepperName::CONVEX, self.speed)
        };
        let (omega_dt, impact) = descend_to(target, SOFTEST_TO_STIFFEST, &mut impact)?;
        let stiffness = stiffness(omega_dt);
        self.scenario.steppers.convex.stiffness = Some(stiffness);
        let settings = vec![
            ("stepper.convex.stiffness", stiffness, "N/m"),
            ("stepper.convex.dissipation_time", 0.0, "s"),
            ("stepper.convex.beta", 0.0, ""),
        ];
        self.choices.push(Choice { stepper: StepperName::CONVEX, settings, impact, target });
        Ok(())
    }
}

/// The setting between `low` and `high` at which the measured restitution falls to `target`, with the
/// impact there; one of the two where the target lies beyond it.
///
/// Bisection, because a restitution measured in steps is monotone at best, and on the logarithm, because
/// settings of interest span decades.
fn descend_to<E>(
    target: f64,
    [mut low, mut high]: [f64; 2],
    impact: &mut impl FnMut(f64) -> Result<MeasuredImpact, E>,
) -> Result<(f64, MeasuredImpact), E> {
    let target = target.max(LEAST_RESTITUTION);
    let mut reached = (low, impact(low)?);
    if reached.1.restitution <= target {
        return Ok(reached);
    }
    reached = (high, impact(high)?);
    if reached.1.restitution > target {
        return Ok(reached);
    }
    for _ in 0..40 {
        let middle = (low * high).sqrt();
        reached = (middle, impact(middle)?);
        if reached.1.restitution > target { low = middle } else { high = middle }
    }
    Ok(reached)
}

/// Approach speed of the first impact of the exact motion in m/s; `None` if there is none.
fn impact_speed<const D: usize>(scenario: &Scenario<D>, watch: &Watch<'_>) -> Option<f64>
where
    Scenario<D>: BuildStepper<D>,
{
    let truth = Truth::of(scenario, watch);
    let impact =
        truth.and_then(|truth| truth.events.into_iter().find(|event| event.kind == EventKind::Impact));
    let body = scenario.point(0);
    let speed = impact?.impulse[D - 1] / (body.mass * (1.0 + body.restitution));
    (speed > 0.0).then_some(speed)
}
