//! Friction and restitution of a thrown point from noisy trajectories: beyond the notes.
//!
//! The states of a point that is thrown, bounces, slides and comes to rest are measured at equal
//! intervals; `mu` and `e` are unknown. Two methods:
//!
//! - `one-step` predicts the velocity after every contact from the measured one before,
//!   `vz_next = -e vz` in a rebound and `vx_next = soft(vx, mu p_n)` in all contacts. It needs to
//!   know which steps touch the ground: from flags in the data, from the heights, or from the
//!   velocities alone, which takes noise for contacts and, once it is not small, biases the friction.
//! - `shooting` simulates the whole throw from an unknown initial velocity. It uses all data and no
//!   flags, but its error has jumps and plateaus, so it is started from many `(mu, e)`.
//!
//! Both are nonlinear least squares with derivatives by dual numbers. The curvature `J^T J` of the
//! sum of squares at the minimum gives the 95 % confidence intervals,
//! `+- 1.96 s sqrt((J^T J)^-1_kk)` with the residual variance `s^2`. A throw whose slip ends in its
//! first impact only bounds `mu` from below, and the result says so.

mod contacts;
mod cost_picture;
mod one_step;
mod shooting;
mod trajectory_picture;

use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};

pub use contacts::{Contact, ContactData, ContactStep, Contacts};
use cost_picture::Landscape;

use super::{
    data::{PointGenerator, Throw},
    findings::{DataSet, Findings, Parameter},
    input::{Figures, Input, InputError, LearnError, MOST_SAMPLES, PointData, Progress, Run, Wish, report},
    least_squares::Minimum,
    picture::{Learner, learning_curve},
};
use crate::plot::Axis;

/// Quantile of the normal distribution that leaves 95 % inside.
const QUANTILE: f64 = 1.96;
/// Least change of friction or restitution by which it is seen whether the data notice.
const LEAST_REACH: f64 = 1e-3;
/// Half the width of an interval for friction and restitution, from which on nothing is determined:
/// restitution lies between 0 and 1 anyway, friction has no upper limit.
const WIDEST: [f64; 2] = [f64::INFINITY, 0.5];
/// Most entries of the Jacobian of shooting, which is dense: 800 MB.
const MOST_ENTRIES: f64 = 1e8;

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
        let wish =
            Wish { experiment: "particle", samples: 10, least: 1, most: MOST_SAMPLES, needs_forces: false };
        let (data, gravity) = input.point(&wish, PointGenerator::default())?;
        let method = input.options.choice("method", &[Method::OneStep, Method::Shooting], Method::as_str);
        let has_flags = data.throws.iter().flatten().all(|sample| sample.contact.is_some());
        let contacts = input.options.choice("contacts", &Contacts::ALL, Contacts::as_str);
        if method == Method::OneStep && contacts == Contacts::Known && !has_flags {
            return Err(InputError::FlagsMissing);
        }
        if method == Method::Shooting {
            let entries = shooting::jacobian_entries(&data.throws);
            if entries > MOST_ENTRIES {
                return Err(InputError::Unsuited(format!(
                    "{} throws are too many for method=shooting, whose Jacobian would have {entries:.1e} entries, of \
                     which at most {MOST_ENTRIES:e} are taken; give fewer or shorter throws, or ask for method=one-step",
                    data.throws.len()
                )));
            }
        }
        Ok(Self { data, method, contacts, gravity })
    }

    fn contacts(&self) -> ContactData {
        ContactData::new(&self.data.throws, self.contacts, self.gravity)
    }

    fn fit(&self, contacts: ContactData) -> Option<Fit> {
        match self.method {
            Method::OneStep => Fit::one_step(contacts),
            Method::Shooting => Fit::shooting(&self.data.throws, self.gravity, contacts.noise),
        }
    }
}

/// The best fit of a method.
struct Fit {
    minimum: Minimum,
    /// Standard deviation of the noise on velocities, m/s, as far as flights tell it.
    noise: f64,
    /// Sum of squares at other values of `(mu, e)`.
    cost: Box<dyn Fn(f64, f64) -> f64>,
    /// Starts of the search and their ends, where there were several worth telling.
    searches: Vec<Value>,
}

impl Fit {
    fn one_step(contacts: ContactData) -> Option<Self> {
        let (minimum, noise) = (one_step::fit(&contacts)?, contacts.noise);
        let cost = Box::new(move |friction, restitution| one_step::cost(&contacts, friction, restitution));
        Some(Self { minimum, noise, cost, searches: Vec::new() })
    }

    fn shooting(throws: &[Throw], gravity: f64, noise: f64) -> Option<Self> {
        let searches = shooting::searches(throws, gravity);
        let rows = searches.iter().map(|search| {
            let end = &search.minimum;
            json!({ "start": search.start, "end": [end.x[0], end.x[1]], "cost": end.cost() })
        });
        let rows = rows.collect();
        let best = searches.into_iter().min_by(|a, b| a.minimum.cost().total_cmp(&b.minimum.cost()))?;
        let (throws, x) = (throws.to_vec(), best.minimum.x.clone());
        let cost = Box::new(move |friction, restitution| {
            let mut x = x.clone();
            (x[0], x[1]) = (friction, restitution);
            shooting::cost(&throws, gravity, &x)
        });
        Some(Self { minimum: best.minimum, noise, cost, searches: rows })
    }

    /// Variance of the residuals: that of a handful may by chance be below the noise of the velocity
    /// that is predicted, which each of them holds.
    fn variance(&self) -> f64 {
        let (rows, unknowns) = self.minimum.jacobian.shape();
        let variance = self.minimum.cost() / rows.saturating_sub(unknowns).max(1) as f64;
        variance.max(self.noise * self.noise)
    }

    /// By how much friction and restitution raise the sum of squares over its least value, in units
    /// of the variance, when all other unknowns follow: the Schur complement of their curvature. With
    /// no other unknowns the sum itself is taken.
    fn excess(&self) -> Box<dyn Fn(f64, f64) -> f64 + '_> {
        let (x, variance) = (&self.minimum.x, self.variance());
        let others = x.len() - 2;
        if others > 0 {
            let curvature = self.minimum.jacobian.tr_mul(&self.minimum.jacobian);
            let coupling = curvature.view((2, 0), (others, 2)).into_owned();
            if let Some(own) = curvature.view((2, 2), (others, others)).into_owned().cholesky() {
                let schur = curvature.view((0, 0), (2, 2)) - coupling.tr_mul(&own.solve(&coupling));
                return Box::new(move |friction, restitution| {
                    let away = DVector::from_vec(vec![friction - x[0], restitution - x[1]]);
                    away.dot(&(&schur * &away)) / variance
                });
            }
        }
        let least = self.minimum.cost();
        Box::new(move |friction, restitution| ((self.cost)(friction, restitution) - least) / variance)
    }

    /// Standard deviations of the unknowns from the curvature; infinite where there is none.
    fn standard_deviations(&self) -> Vec<f64> {
        let unknowns = self.minimum.x.len();
        let curvature = self.minimum.jacobian.tr_mul(&self.minimum.jacobian);
        let seen: Vec<usize> = (0..unknowns).filter(|&index| curvature[(index, index)] > 0.0).collect();
        let part =
            DMatrix::from_fn(seen.len(), seen.len(), |row, column| curvature[(seen[row], seen[column])]);
        let mut deviations = vec![f64::INFINITY; unknowns];
        if let Some(inverse) = part.cholesky().map(|factor| factor.inverse()) {
            for (place, &index) in seen.iter().enumerate() {
                deviations[index] = (self.variance() * inverse[(place, place)]).sqrt();
            }
        }
        deviations
    }

    /// Whether the data speak against a much smaller and a much larger value of an unknown, by a
    /// likelihood ratio at 95 %. The curvature alone does not tell: where all slip ends in one impact
    /// the best friction is the least of many that explain it, at the edge of a plateau.
    ///
    /// Values are zero and twice the best, or further away if `half`, half the width of the
    /// interval, is more than half of that: near zero its multiples are no different from it. A best
    /// friction of zero has nothing below it.
    fn bounds(&self, index: usize, half: f64) -> Bounds {
        let best = self.minimum.x[index];
        let wide = if half.is_finite() { 2.0 * half } else { 0.0 };
        let reach = best.abs().max(wide).max(LEAST_REACH);
        let needed = QUANTILE * QUANTILE * self.variance();
        let is_against = |value: f64| {
            let mut x = [self.minimum.x[0], self.minimum.x[1]];
            x[index] = value;
            (self.cost)(x[0], x[1]) - self.minimum.cost() > needed
        };
        let is_least = index == 0 && best == 0.0;
        Bounds { below: is_least || is_against(best - reach), above: is_against(best + reach) }
    }
}

/// On which sides the data bound an unknown.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    below: bool,
    above: bool,
}

impl Run for Particle {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let mut findings = Findings::new(DataSet::Point(self.data.throws.clone()));
        let contacts = self.contacts();
        findings.measure("contact_steps", contacts.steps.len());
        findings.measure("rebounds", contacts.rebounds());
        findings.measure("velocity_noise", contacts.noise);
        let bound = contacts.largest_friction_used();
        report(progress, 0.1)?;
        let fit = self.fit(contacts);
        let truths = self.data.generator.map(|generator| [generator.friction, generator.restitution]);
        let deviations = fit.as_ref().map_or(vec![f64::INFINITY; 2], Fit::standard_deviations);
        for (index, name) in ["friction", "restitution"].into_iter().enumerate() {
            let learned = fit.as_ref().map_or(f64::NAN, |fit| fit.minimum.x[index]);
            let half = QUANTILE * deviations[index];
            let bounds = fit.as_ref().map(|fit| fit.bounds(index, half));
            let identifiable =
                half < WIDEST[index] && bounds.is_some_and(|bounds| bounds.below && bounds.above);
            findings.parameter(
                name,
                Parameter {
                    learned,
                    r#true: truths.map(|truths| truths[index]),
                    identifiable,
                    // Neither of the two is negative.
                    interval: identifiable
                        .then_some([(learned - half).max(learned.min(0.0)), learned + half]),
                },
            );
            if !identifiable {
                let is_open_above = bounds.is_none_or(|bounds| !bounds.above);
                findings.notes.push(explain(name, bound, is_open_above));
            }
        }
        if let (Some(truths), Some(fit)) = (truths, &fit) {
            let errors =
                truths.iter().zip(fit.minimum.x.iter()).map(|(truth, learned)| (learned - truth).abs());
            findings.set_error(
                errors.fold(0.0, f64::max),
                "largest distance from the true friction and restitution",
            );
        } else {
            let rms = fit.as_ref().map_or(f64::NAN, |fit| fit.minimum.rms());
            findings.set_error(rms, "rms difference of measured and predicted velocities, m/s");
        }
        if let Some(fit) = fit {
            findings.measure("residual_rms", fit.minimum.rms());
            findings.note_unfinished(&fit.minimum);
            if !fit.searches.is_empty() {
                findings.measure("searches", fit.searches);
            }
        }
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let (Some(friction), Some(restitution)) =
            (findings.learned("friction"), findings.learned("restitution"))
        else {
            return Ok(Figures::new());
        };
        let mut figures = Figures::new();
        if let (Some(fit), Some(throw)) = (self.fit(self.contacts()), self.data.throws.first()) {
            let start = match self.method {
                Method::OneStep => trajectory_picture::start_velocity(throw, self.gravity),
                Method::Shooting => [fit.minimum.x[2], fit.minimum.x[3]],
            };
            let learned = [friction.learned, restitution.learned];
            figures.push(("trajectory", trajectory_picture::draw(throw, self.gravity, start, learned)));
            let (least, excess) = (fit.minimum.cost(), fit.excess());
            let landscape = Landscape { cost: &fit.cost, least, excess: &excess, friction, restitution };
            figures.push(("confidence", landscape.regions(&mut |share| progress(0.3 * share))?));
            figures.push(("profile", landscape.profiles()));
        }
        if let Some(generator) = self.data.generator {
            let learner = |index: usize, label: &str| Learner {
                label: label.to_owned(),
                error: Box::new(move |count, seed, _| {
                    let data = PointData { throws: generator.generate(count, seed), generator: None };
                    let again = Self { data, ..*self };
                    let fit = again.fit(again.contacts());
                    let truth = [generator.friction, generator.restitution][index];
                    Ok(fit.map_or(f64::NAN, |fit| (fit.minimum.x[index] - truth).abs()))
                }),
            };
            let learners = [learner(0, "friction *μ*"), learner(1, "restitution *e*")];
            let (counts, seeds): (&[usize], u64) = match self.method {
                Method::OneStep => (&[1, 2, 3, 5, 10, 20, 50, 100], 15),
                Method::Shooting => (&[1, 2, 3, 5], 5),
            };
            let title = "How many throws it takes";
            let axis = Axis::new("distance from the truth", "");
            figures
                .push(("learning-curve", learning_curve(title, axis, &learners, counts, seeds, progress)?));
        }
        Ok(figures)
    }
}

/// Why the data do not determine a parameter; `bound` is the largest friction that a contact used,
/// and may be more than there is unless the data are open to any larger one.
fn explain(name: &str, bound: f64, is_open_above: bool) -> String {
    if name == "restitution" {
        "restitution is not determined: no rebound is fast enough to tell it from noise; throw from higher"
            .to_owned()
    } else if bound > 0.0 && !is_open_above {
        "friction is not determined: what it takes from the slip is lost in the noise; measure longer slides, or more \
         throws"
            .to_owned()
    } else if bound > 0.0 {
        format!(
            "friction is not determined: slip ends in the contacts that there are, so the data only say that it is \
             at least about {bound:.3}; throw faster sideways, or add throws"
        )
    } else {
        "friction is not determined: no contact changes the slip; measure until the point slides".to_owned()
    }
}
