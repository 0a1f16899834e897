//! What noisy steps of a sliding block say about its friction.
//!
//! In a step without noise `v' = soft(s, mu)`, the free velocity `s = v + u` shrunk towards zero by the
//! friction. With independent normal noise on the measured `v'` the likelihood of `mu` is known, whatever
//! objective a method minimises to find it: so every method that learns the friction from velocities is
//! given the same interval, and its own value is held against it. An interval is only as good as the model: of
//! steps that do not follow it there is none. The search is in a unit that the data give, so that nothing depends on
//! that of the data.

use super::{
    data::{BlockSample, unit},
    findings::{Findings, Parameter},
    input::{LearnError, Progress},
    lack_of_fit::{faster_than_free, lack_of_fit},
};
use crate::{
    decimal,
    likelihood::{Bound, Doubt, Estimate, Fit, LEVEL, Normal, Problem, Search},
};

/// Frictions at which the sum of squares is looked at before the search.
const PLACES: usize = 400;
/// Of these the lowest minima, from which it starts.
const STARTS: usize = 5;
/// Noise, over the largest velocity, that is rounding or the tolerance of a solver.
const EXACT: f64 = 3e-6;
/// Steps to a block of the likelihood, between which it may be interrupted.
const BLOCK: usize = 4096;

/// `(v' - soft(s, mu))/sigma` for all steps.
struct Steps<'a> {
    samples: &'a [BlockSample],
    sigma: f64,
    bounds: [Bound; 1],
}

impl Steps<'_> {
    fn squares(&self, friction: f64) -> f64 {
        self.samples.iter().map(|sample| (sample.error(friction).0 / self.sigma).powi(2)).sum()
    }

    /// The lowest minima among frictions between none and one that holds every step.
    fn starts(&self) -> Vec<Vec<f64>> {
        let stride = self.samples.len().div_ceil(PLACES).max(1);
        let mut places: Vec<f64> = self.samples.iter().map(|sample| sample.free_velocity().abs()).collect();
        places.sort_by(f64::total_cmp);
        let mut places: Vec<f64> = std::iter::once(0.0).chain(places.into_iter().step_by(stride)).collect();
        places.dedup();
        let values: Vec<f64> = places.iter().map(|&place| self.squares(place)).collect();
        let at = |index: Option<usize>| index.and_then(|index| values.get(index)).copied();
        let mut minima: Vec<usize> = (0..places.len())
            .filter(|&index| {
                let is_below = |other: Option<f64>| other.is_none_or(|other| values[index] <= other);
                is_below(at(index.checked_sub(1))) && is_below(at(Some(index + 1)))
            })
            .collect();
        minima.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        minima.into_iter().take(STARTS).map(|index| vec![places[index]]).collect()
    }
}

/// What noisy steps say.
pub(super) struct NoisySteps {
    /// The friction with its interval.
    estimate: Estimate,
    /// Standard deviation of the noise, m/s.
    noise: f64,
    /// Why they do not follow dry friction; `None` if they do.
    pub(super) misfit: Option<String>,
}

impl Problem for Steps<'_> {
    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn blocks(&self) -> usize {
        self.samples.len().div_ceil(BLOCK)
    }

    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn evaluate(&self, block: usize, parameters: &[f64], _: &[f64], normal: &mut Normal) {
        for sample in self.samples.iter().skip(block * BLOCK).take(BLOCK) {
            let (error, slope) = sample.error(parameters[0]);
            normal.add(error / self.sigma, &[slope / self.sigma]);
        }
    }
}

/// What noisy steps say about the friction; `None` for steps without noise, which need no interval, and for a
/// single one, which does not tell its noise.
pub(super) fn estimate(
    samples: &[BlockSample],
    progress: &mut Progress<'_>,
) -> Result<Option<NoisySteps>, LearnError> {
    let unit = unit(samples);
    let samples: &[BlockSample] = &samples.iter().map(|sample| sample.in_units_of(unit)).collect::<Vec<_>>();
    let largest = samples.iter().map(|sample| sample.free_velocity().abs()).fold(0.0, f64::max);
    let freedom = samples.len() as f64 - 1.0;
    if freedom < 1.0 || largest == 0.0 {
        return Ok(None);
    }
    let bounds = [Bound::above(0.0, 2.0 * largest, 0.01 * largest)];
    let mut steps = Steps { samples, sigma: 1.0, bounds };
    let mut watch = || progress(1.0);
    let starts = steps.starts();
    let Some(rough) = Fit::search(&mut Search::new(&steps, &mut watch), &starts)? else { return Ok(None) };
    let sigma = (rough.best.squares() / freedom).sqrt();
    if sigma <= EXACT * largest {
        return Ok(None);
    }
    steps.sigma = sigma;
    let Some(mut fit) = Fit::search(&mut Search::new(&steps, &mut watch), &starts)? else { return Ok(None) };
    let estimate = fit.estimates(&mut Search::new(&steps, &mut watch), freedom)?.into_iter().next();
    let misfit = lack_of_fit(samples, rough.best.parameters[0]);
    Ok(estimate.map(|estimate| NoisySteps { estimate: estimate.times(unit), noise: sigma * unit, misfit }))
}

/// Enters the friction that a method `learned` from `samples` into the findings, with the interval of
/// noisy ones. `identifiable` is what the method itself knows, and `is_finished` whether it came to its end.
pub(super) fn describe(
    findings: &mut Findings,
    samples: &[BlockSample],
    (learned, truth): (f64, Option<f64>),
    [identifiable, is_finished]: [bool; 2],
    progress: &mut Progress<'_>,
) -> Result<(), LearnError> {
    let Some(NoisySteps { estimate, noise, misfit }) = estimate(samples, progress)? else {
        let (why, misfit) = match samples {
            [sample] => ("a single step does not tell how noisy it is", faster_than_free(sample)),
            _ => ("the steps have no noise", None),
        };
        match misfit {
            Some(reason) => undetermined(findings, (learned, truth), reason),
            None => {
                findings.measure("no_interval", why);
                findings.parameter("friction", Parameter::new(learned, truth, identifiable));
            }
        }
        return Ok(());
    };
    if let Some(reason) = misfit {
        undetermined(findings, (learned, truth), reason);
        return Ok(());
    }
    findings.measure("velocity_noise", noise);
    let [low, high] = estimate.interval;
    let is_outside = !(low <= learned && learned <= high);
    let doubt = is_outside.then(|| {
        let why = match is_finished {
            true => "its objective is biased by noise",
            false => "it did not come to its end",
        };
        format!(
            "the value that the method finds lies outside of what the noise of the data allows, {} at {:.0} %: {why}",
            decimal::interval([low, high]),
            100.0 * LEVEL
        )
    });
    let mut parameter = Parameter::estimated(&estimate, truth, doubt);
    if !matches!(estimate.doubt, Some(Doubt::Silent)) || identifiable {
        parameter.learned = learned;
    }
    if !identifiable && parameter.reason.is_none() {
        parameter.reason = Some("the objective of the method hardly changes around it".to_owned());
    }
    parameter.identifiable = parameter.reason.is_none();
    if let Some(reason) = &parameter.reason {
        findings.notes.push(format!("friction is not determined: {reason}"));
    }
    findings.parameter("friction", parameter);
    Ok(())
}

/// Enters a friction that the data do not determine, because they do not follow the model.
fn undetermined(findings: &mut Findings, (learned, truth): (f64, Option<f64>), reason: String) {
    findings.measure("no_interval", "the data do not follow the model");
    findings.notes.push(format!("friction is not determined: {reason}"));
    let parameter = Parameter::new(learned, truth, false);
    findings.parameter("friction", Parameter { reason: Some(reason), ..parameter });
}
