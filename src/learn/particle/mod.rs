//! Friction and restitution of a thrown point from noisy trajectories: beyond the notes.
//!
//! The states of a point that is thrown, bounces, slides and comes to rest are measured at equal
//! intervals; `mu` and `e` are unknown, and so is where each throw really started. What is fitted is the
//! continuous motion (`motion`), in which impacts happen when they happen, and not the steps of any
//! stepper: a step's own error of a few centimetres a second would pass for knowledge. The noise of
//! positions and velocities is estimated with the fit. Two methods:
//!
//! - `one-step` looks at every contact by itself: the throw is cut there, and the piece from a few states
//!   before the contact to a few states after it has a start of its own. Where the contacts are comes from
//!   flags in the data, from the heights, or from the velocities; a contact that is seen where there is
//!   none does no harm, because the motion of its piece does not reach the ground.
//! - `shooting` explains the whole throw from one start. It uses all that the data hold and is the more
//!   exact by far, provided that nothing but gravity and the ground acted on the point.
//!
//! Intervals are those of the profile likelihood ([`likelihood`](crate::likelihood)), and a parameter is
//! called determined only where nothing speaks against it: a throw whose slip ends in its first impact
//! only bounds `mu` from below, and data that do not follow the motion to within their noise say nothing. Whether they do
//! is asked of what the fit leaves, and, whatever the method, of all flights between the contacts.

mod contacts;
mod cost_picture;
mod fit;
mod free_flight;
mod motion;
mod scatter;
mod serial_correlation;
mod throws;
mod trajectory_picture;

use std::ops::{ControlFlow, Range};

use serde_json::json;

pub use contacts::{Contacts, Stretch, cut};
use cost_picture::Landscape;
use fit::ThrowFit;
use free_flight::what_acts;
pub use motion::{Kinematics, Motion, Start};
use serial_correlation::what_goes_on;
pub use throws::Method;

use super::{
    data::PointGenerator,
    findings::{DataSet, Findings, Parameter},
    input::{Figures, Input, InputError, LearnError, MOST_SAMPLES, PointData, Progress, Run, Wish},
    picture::{Learner, learning_curve},
};
use crate::{
    likelihood::{Doubt, LEVEL},
    plot::Axis,
    predict::{FreeFlights, Thrown},
};

const NAMES: [&str; 2] = ["friction", "restitution"];
/// Noise of the fit over that of the flights from which on the data do not follow the motion.
const MISFIT: f64 = 1.5;
/// What is added to that for few flights, over the root of their number.
const MISFIT_OF_FEW: f64 = 5.0;
/// Rows of flights that tell the noise.
const LEAST_FLIGHT: usize = 5;
/// Residual, in standard deviations, that no noise has.
const LARGEST: f64 = 8.0;

/// The experiment with its data.
#[derive(Debug, Clone)]
pub struct Particle {
    data: PointData,
    flights: FreeFlights<2>,
    method: Method,
    contacts: Contacts,
    gravity: f64,
}

impl Particle {
    pub(super) fn new(input: &mut Input) -> Result<Self, InputError> {
        let wish = Wish {
            experiment: "particle",
            samples: 10,
            least: 1,
            most: MOST_SAMPLES,
            needs_forces: false,
            ignores_noise: None,
        };
        let (data, gravity) = input.point(&wish, PointGenerator::default())?;
        let method = input.options.choice("method", &[Method::OneStep, Method::Shooting], Method::as_str);
        let has_flags =
            data.recording.tosses.iter().flat_map(|toss| &toss.states).all(|row| row.contact.is_some());
        let contacts = input.options.choice("contacts", &Contacts::ALL, Contacts::as_str);
        if method == Method::OneStep && contacts == Contacts::Known && !has_flags {
            return Err(InputError::FlagsMissing);
        }
        let flights = flights_of(&data, gravity);
        Ok(Self { data, flights, method, contacts, gravity })
    }

    fn fit(&self, progress: &mut Progress<'_>) -> Result<Option<ThrowFit>, LearnError> {
        let data = (&self.data.recording, &self.flights);
        ThrowFit::new(data, self.method, self.contacts, self.gravity, progress)
    }

    /// Why the data cannot be trusted at all, if they do not follow the motion.
    fn misfit(&self, fit: &ThrowFit) -> Option<String> {
        let rows = self.flights.rows.iter().flatten().map(Range::len).sum();
        misfit(fit, rows, what_acts(&self.data.recording, &self.flights, self.gravity, &fit.throws.scatter))
    }
}

impl Run for Particle {
    fn run(&self, progress: &mut Progress<'_>) -> Result<Findings, LearnError> {
        let mut findings = Findings::new(DataSet::Point(self.data.recording.clone()));
        let flags =
            self.data.recording.tosses.iter().flat_map(|throw| self.contacts.flags(throw, self.gravity));
        findings.measure("contact_steps", flags.filter(|touches| *touches).count());
        findings.measure("level", LEVEL);
        let truths = self.data.generator.map(|generator| [generator.friction, generator.restitution]);
        let truth = |index: usize| truths.map(|truths| truths[index]);
        let Some(mut fit) = self.fit(progress)? else {
            for (index, name) in NAMES.into_iter().enumerate() {
                let parameter = Parameter::new(f64::NAN, truth(index), false);
                findings.parameter(name, parameter);
            }
            findings.notes.push("there is nothing to learn from".to_owned());
            return Ok(findings);
        };
        let estimates = fit.estimates(progress)?;
        let misfit = self.misfit(&fit);
        for (index, (name, estimate)) in NAMES.into_iter().zip(&estimates).enumerate() {
            let doubt = estimate.doubt.map(|doubt| explain(name, doubt));
            let mut parameter = Parameter::estimated(estimate, truth(index), doubt.clone());
            if misfit.is_some() {
                // What holds the truth if the data follow the motion holds nothing here.
                (parameter.interval, parameter.level) = (None, None);
                (parameter.identifiable, parameter.reason) = (false, misfit.clone());
            } else if let Some(doubt) = doubt {
                findings.notes.push(format!("{name} is not determined: {doubt}"));
            }
            findings.parameter(name, parameter);
        }
        findings.notes.extend(misfit.map(|misfit| format!("nothing is determined: {misfit}")));
        let learned = |index: usize| findings.parameters[index].1.learned;
        if let Some(truths) = truths {
            let errors = (0..2).map(|index| (truths[index] - learned(index)).abs());
            let error =
                errors.fold(0.0, |most: f64, error| if error.is_nan() { error } else { most.max(error) });
            findings.set_error(error, "largest distance from the true friction and restitution");
        } else {
            findings.set_error(
                fit.throws.scatter.velocity,
                "standard deviation of measured from predicted velocities, m/s",
            );
        }
        findings.measure("velocity_noise", fit.throws.scatter.velocity);
        findings.measure("position_noise", fit.throws.scatter.position);
        findings.measure("velocity_noise_of_flights", fit.of_flights.velocity);
        findings.measure("largest_residual", fit.largest);
        findings.measure("degrees_of_freedom", fit.freedom);
        let rows = fit
            .fit
            .searches
            .iter()
            .map(|(start, end)| json!({ "start": start, "end": end.parameters, "cost": end.squares() }));
        findings.measure("searches", rows.collect::<Vec<_>>());
        Ok(findings)
    }

    fn figures(&self, findings: &Findings, progress: &mut Progress<'_>) -> Result<Figures, LearnError> {
        let (Some(friction), Some(restitution)) = (findings.learned(NAMES[0]), findings.learned(NAMES[1]))
        else {
            return Ok(Figures::new());
        };
        let mut figures = Figures::new();
        if let (Some(fit), Some(throw)) =
            (self.fit(&mut |_| progress(0.0))?, self.data.recording.tosses.first())
        {
            let best = &fit.fit.best.parameters;
            let or = |learned: f64, best: f64| if learned.is_nan() { best } else { learned };
            let learned = [or(friction.learned, best[0]), or(restitution.learned, best[1])];
            // The whole throw from its own best start, whatever it was learned from.
            let whole = ThrowFit::one(throw, learned, self.gravity, &fit.throws.scatter);
            if let Some(start) = whole {
                figures.push(("trajectory", trajectory_picture::draw(throw, self.gravity, start, learned)));
            }
            let landscape = Landscape { fit: &fit, friction, restitution };
            // Data that do not follow the motion give no confidence.
            if friction.level.is_some() {
                figures.push(("confidence", landscape.regions(&mut |share| progress(0.3 * share))?));
            }
            figures.push(("profile", landscape.profiles(&mut |share| progress(0.3 + 0.1 * share))?));
        }
        if let Some(generator) = self.data.generator {
            let learner = |index: usize, label: &str| Learner {
                label: label.to_owned(),
                error: Box::new(move |count, seed, progress| {
                    let data = PointData { recording: generator.generate(count, seed), generator: None };
                    let again = Self { flights: flights_of(&data, self.gravity), data, ..*self };
                    let fit = again.fit(progress)?;
                    let truth = [generator.friction, generator.restitution][index];
                    Ok(fit.map_or(f64::NAN, |fit| (fit.fit.best.parameters[index] - truth).abs()))
                }),
            };
            let learners = [learner(0, "friction *μ*"), learner(1, "restitution *e*")];
            let title = "How many throws it takes";
            let axis = Axis::new("distance from the truth", "");
            let mut rest = |share: f64| -> ControlFlow<()> { progress(0.4 + 0.6 * share) };
            figures
                .push(("learning-curve", learning_curve(title, axis, &learners, &COUNTS, SEEDS, &mut rest)?));
        }
        Ok(figures)
    }
}

/// Numbers of throws, and data sets of each, in the picture of how many it takes.
const COUNTS: [usize; 5] = [1, 2, 3, 5, 10];
const SEEDS: u64 = 7;

/// The free flights of the throws.
fn flights_of(data: &PointData, gravity: f64) -> FreeFlights<2> {
    FreeFlights::of(&data.recording, &Thrown::point(&data.recording, gravity))
}

/// Why the data cannot be trusted at all: they do not follow the motion, in the flights, of which there are so many `rows`, by so
/// many standard deviations.
fn misfit(fit: &ThrowFit, rows: usize, what_acts: Option<f64>) -> Option<String> {
    if fit.freedom < 1.0 {
        return Some(
            "there are as many unknowns as measurements; measure more states of every throw".to_owned(),
        );
    }
    let limit = MISFIT + MISFIT_OF_FEW / (rows.max(1) as f64).sqrt();
    let excess = fit.throws.scatter.over(&fit.of_flights);
    if rows >= LEAST_FLIGHT && excess > limit {
        return Some(format!(
            "the data do not follow the motion of a point with one friction and one restitution: what the fit leaves is \
             {excess:.1} times the noise of the flights. Their velocities may be differences of places, which smear an \
             impact over several states (`stickslip fit` looks at places alone), they may come from a stepper with a large \
             step, or something else acts on the point"
        ));
    }
    if let Some(deviations) = what_acts {
        return Some(format!(
            "the data do not follow the motion of a point with one friction and one restitution: between its contacts an \
             acceleration or a drag beside gravity explains what free flights leave, by {deviations:.1} standard deviations \
             more than noise lets it. Air or wind may act on the point, gravity may be another or the ground not level, or the \
             velocities are differences of places, whose noise is not independent"
        ));
    }
    if let Some((what, deviations)) = what_goes_on(fit) {
        return Some(format!(
            "the data do not follow the motion of a point with one friction and one restitution: what the fit leaves of \
             the {what} goes on from state to state, by {deviations:.1} standard deviations more than noise does. Something \
             else acts on the point, such as drag, gravity is another, or the data come from a stepper"
        ));
    }
    if fit.largest > LARGEST {
        return Some(format!(
            "a state is {:.1} standard deviations off the best motion, which no noise explains; look for values in the \
             data that are far from the others",
            fit.largest
        ));
    }
    None
}

/// Why the data do not determine a parameter, and what to do.
fn explain(name: &str, doubt: Doubt) -> String {
    match (name, doubt) {
        ("friction", Doubt::OpenAbove(least)) => format!(
            "slip ends in the contacts that there are, so the data only say that it is at least about {least:.3}; throw \
             faster sideways, or add throws"
        ),
        ("friction", Doubt::Silent) => "no contact takes slip that could be told from noise; throw faster sideways, or measure until the point slides".to_owned(),
        ("restitution", Doubt::Silent | Doubt::Wide) => {
            "no rebound is fast enough to tell it from noise; throw from higher".to_owned()
        }
        _ => format!("{doubt}; measure longer, or more throws"),
    }
}
