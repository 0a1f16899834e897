//! Friction and restitution of a thrown point from noisy trajectories: beyond the notes.
//!
//! The states of a point that is thrown, bounces, slides and comes to rest are measured at equal
//! intervals; `mu` and `e` are unknown. Two methods:
//!
//! - `one-step` predicts the velocity after every contact from the measured one before,
//!   `vz_next = -e vz` in a rebound and `vx_next = soft(vx, mu p_n)` in all contacts. It needs to
//!   know which steps touch the ground: from flags in the data, or detected from the velocities,
//!   which mistakes noise for contacts and biases the result.
//! - `shooting` simulates the whole throw from an unknown initial velocity. It uses all data and no
//!   flags, but its error has jumps and plateaus, so it is started from many `(mu, e)`.
//!
//! Both are nonlinear least squares with derivatives by dual numbers. The curvature `J^T J` of the
//! sum of squares at the minimum gives the 95 % confidence intervals,
//! `+- 1.96 s sqrt((J^T J)^-1_kk)` with the residual variance `s^2`. A throw whose slip ends in its
//! first impact only bounds `mu` from below, and the result says so.

mod contacts;
mod one_step;
mod shooting;

use nalgebra::DMatrix;
use serde_json::json;

pub use contacts::{Contact, ContactStep, Contacts, contact_steps};

use super::{
    data::PointGenerator,
    findings::{DataSet, Findings, Parameter},
    input::{Input, InputError, LearnError, PointData, Progress, Run, Wish, report},
    least_squares::Minimum,
};

/// Quantile of the normal distribution that leaves 95 % inside.
const QUANTILE: f64 = 1.96;
/// Half width of a confidence interval, over the parameter, from which on it counts as unknown.
const UNKNOWN: f64 = 1.0;
/// Values of friction and restitution from which shooting starts, all pairs.
const SHOOTING_STARTS: ([f64; 4], [f64; 3]) = ([0.05, 0.2, 0.5, 1.0], [0.1, 0.4, 0.8]);

/// How a throw is compared with its prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    OneStep,
    Shooting,
}

impl Method {
    fn as_str(self) -> &'static str {
        match self {
            Self::OneStep => "one-step",
            Self::Shooting => "shooting",
        }
    }
}

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Particle {
    data: PointData,
    method: Method,
    contacts: Contacts,
    gravity: f64,
}

impl Particle {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish { experiment: "particle", samples: 10, least: 1, needs_forces: false };
        let (data, gravity) = input.point(&wish, PointGenerator::default())?;
        let method = input.options.choice("method", &[Method::OneStep, Method::Shooting], Method::as_str);
        let has_flags = data.throws.iter().flatten().all(|sample| sample.contact.is_some());
        let contacts =
            input.options.choice("contacts", &[Contacts::Known, Contacts::Detected], Contacts::as_str);
        if method == Method::OneStep && contacts == Contacts::Known && !has_flags {
            return Err(InputError::FlagsMissing);
        }
        Ok(Self { data, method, contacts, gravity })
    }

    fn contact_steps(&self) -> Vec<ContactStep> {
        let steps =
            self.data.throws.iter().flat_map(|throw| contact_steps(throw, self.contacts, self.gravity));
        steps.collect()
    }

    /// Velocity that gravity adds in one interval.
    fn gravity_step(&self) -> f64 {
        let interval =
            self.data.throws.first().and_then(|throw| Some(throw.get(1)?.time - throw.first()?.time));
        self.gravity * interval.unwrap_or(0.0)
    }

    /// The best minimum, and `(mu, e, sum of squares)` of all starts of the shooting method.
    fn fit(&self, progress: &mut Progress<'_>) -> Result<(Option<Minimum>, Vec<[f64; 3]>), LearnError> {
        match self.method {
            Method::OneStep => Ok((one_step::fit(&self.contact_steps(), self.gravity_step()), Vec::new())),
            Method::Shooting => {
                let (frictions, restitutions) = SHOOTING_STARTS;
                let mut best: Option<Minimum> = None;
                let mut ends = Vec::new();
                for friction in frictions {
                    for restitution in restitutions {
                        report(progress, ends.len() as f64 / (frictions.len() * restitutions.len()) as f64)?;
                        let minimum = shooting::fit(&self.data.throws, self.gravity, [friction, restitution]);
                        ends.push([minimum.x[0], minimum.x[1], minimum.cost()]);
                        if best.as_ref().is_none_or(|best| minimum.cost() < best.cost()) {
                            best = Some(minimum);
                        }
                    }
                }
                Ok((best, ends))
            }
        }
    }
}

/// Standard deviations of the unknowns from the curvature; infinite where there is none.
fn standard_deviations(minimum: &Minimum) -> Vec<f64> {
    let (rows, unknowns) = minimum.jacobian.shape();
    let variance = minimum.cost() / rows.saturating_sub(unknowns).max(1) as f64;
    let curvature = minimum.jacobian.tr_mul(&minimum.jacobian);
    let seen: Vec<usize> = (0..unknowns).filter(|&index| curvature[(index, index)] > 0.0).collect();
    let part = DMatrix::from_fn(seen.len(), seen.len(), |row, column| curvature[(seen[row], seen[column])]);
    let mut deviations = vec![f64::INFINITY; unknowns];
    if let Some(inverse) = part.cholesky().map(|factor| factor.inverse()) {
        for (place, &index) in seen.iter().enumerate() {
            deviations[index] = (variance * inverse[(place, place)]).sqrt();
        }
    }
    deviations
}

impl Run for Particle {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let mut findings = Findings::new(DataSet::Point(self.data.throws.clone()));
        let (minimum, ends) = self.fit(progress)?;
        let steps = self.contact_steps();
        let rebounds = steps.iter().filter(|step| matches!(step.contact, Contact::Rebound { .. })).count();
        findings.measure("contact_steps", steps.len());
        findings.measure("rebounds", rebounds);
        let truths = self.data.generator.map(|generator| [generator.friction, generator.restitution]);
        let deviations = minimum.as_ref().map_or(vec![f64::INFINITY; 2], standard_deviations);
        for (index, name) in ["friction", "restitution"].into_iter().enumerate() {
            let learned = minimum.as_ref().map_or(f64::NAN, |minimum| minimum.x[index]);
            let half = QUANTILE * deviations[index];
            let identifiable = half <= UNKNOWN * learned.abs().max(1e-3);
            findings.parameter(
                name,
                Parameter {
                    learned,
                    r#true: truths.map(|truths| truths[index]),
                    identifiable,
                    interval: half.is_finite().then_some([learned - half, learned + half]),
                },
            );
            if !identifiable {
                findings.notes.push(self.explain(name, &steps));
            }
        }
        let errors =
            findings.parameters.iter().map(|(_, p)| p.r#true.map_or(0.0, |truth| (p.learned - truth).abs()));
        findings.error = errors.fold(0.0, f64::max);
        findings.measure("residual_rms", minimum.as_ref().map(Minimum::rms));
        if !ends.is_empty() {
            let ends =
                ends.iter().map(|[mu, e, cost]| json!({ "friction": mu, "restitution": e, "cost": cost }));
            findings.measure("starts", ends.collect::<Vec<_>>());
        }
        Ok(findings)
    }
}

impl Particle {
    /// Why the data do not determine a parameter.
    fn explain(&self, name: &str, steps: &[ContactStep]) -> String {
        if steps.is_empty() {
            return format!(
                "{name} is not determined: the point never touches the ground; measure longer throws"
            );
        }
        if name == "restitution" {
            return "restitution is not determined: no rebound is fast enough to tell it from noise; throw from higher"
                .to_owned();
        }
        // A step that ends all slip needs at least mu p_n = |vx|.
        let bounds = steps.iter().filter_map(|step| match step.contact {
            Contact::Press { impulse } if impulse > 0.0 => Some((step.slip - step.next_slip).abs() / impulse),
            Contact::Rebound { speed } if speed > 0.0 => {
                Some((step.slip - step.next_slip).abs() / (speed + step.next_rise + self.gravity_step()))
            }
            _ => None,
        });
        let bound = bounds.fold(0.0, f64::max);
        format!(
            "friction is not determined: no contact slides on, so the data only say that it is at least about \
             {bound:.3}; throw faster sideways, or add throws"
        )
    }
}
