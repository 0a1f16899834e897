use super::{FitOutcome, FitTask, FittedParameter, SearchMethod, objective::ThrowLoss};
use crate::{
    gradient::DifferentiableModels,
    likelihood::{Doubt, Estimate, Fit, Interrupted, Landscape, Losses},
    predict::StepperErrors,
    random::Random,
    scenario::{AnyScenario, Scenario},
    watch::Watch,
};

/// Places that are looked at before the search: so many, and so many more for each parameter.
const PLACES: (usize, usize) = (8, 8);
/// Of these the best, from which it starts, beside what the scenario says.
const STARTS: usize = 3;

/// Fits as [`FitTask::search_method`] says; without intervals unless `with_intervals`. `None` where the model predicts the throws with none of the
/// parameters that were tried.
///
/// # Errors
/// [`Interrupted`] if `watch` said to stop.
pub fn fit<const D: usize>(
    task: &FitTask<D>,
    seed: u64,
    with_intervals: bool,
    watch: &Watch<'_>,
) -> Result<Option<FitOutcome>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let given: Vec<f64> = task.parameters.iter().map(|parameter| parameter.value).collect();
    let search = task.search_method(&given, watch)?;
    fit_by(task, &search, seed, with_intervals, watch)
}

/// The same by a given method of search.
///
/// # Errors
/// [`Interrupted`] if `watch` said to stop.
pub fn fit_by<const D: usize>(
    task: &FitTask<D>,
    search: &SearchMethod,
    seed: u64,
    with_intervals: bool,
    watch: &Watch<'_>,
) -> Result<Option<FitOutcome>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let count = task.parameters.len();
    let tosses = task.recording.tosses.len();
    let bounds = task.parameters.iter().map(|parameter| parameter.bound()).collect();
    let scales = task.parameters.iter().map(|parameter| parameter.scale()).collect();
    let given: Vec<f64> = task.parameters.iter().map(|parameter| parameter.value).collect();
    let mut losses = Losses::new(ThrowLoss { task, search, watch }, bounds, scales);
    let at_given = losses.evaluate(&given)?;
    let mut places = Vec::new();
    for share in latin_hypercube(count, PLACES.0 + PLACES.1 * count, seed) {
        let parameters = losses.at(&share);
        places.push(losses.evaluate(&parameters)?);
    }
    places.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
    let mut starts = vec![given];
    starts.extend(places.into_iter().take(STARTS).map(|place| place.parameters));
    let Some(mut found) = Fit::search(&mut losses, &starts)? else { return Ok(None) };
    // From the best of the ends to the bottom.
    found.best = losses.minimise(&found.best.parameters, None, Some(&found.best))?;
    let freedom = tosses as f64 - count as f64;
    let has_intervals = with_intervals && freedom >= 1.0;
    let estimates = match has_intervals {
        true => found.estimates(&mut losses, freedom)?.into_iter().map(Some).collect(),
        false => vec![None; count],
    };
    let best = &found.best;
    let Some((predictor, predictions)) = task.predictions(&best.parameters, watch)? else { return Ok(None) };
    let errors = StepperErrors::of(task.stepper, &predictions, &predictor);
    let parameters = task.parameters.iter().zip(&best.parameters).zip(estimates).enumerate();
    let parameters = parameters.map(|(index, ((parameter, &value), estimate))| {
        let profile = losses.profile_of(index).into_iter();
        FittedParameter {
            key: parameter.key.clone(),
            value,
            verdict: estimate.map(|estimate| verdict(estimate, parameter.range, parameter.is_natural_end)),
            profile: profile.map(|tried| [tried.parameters[index], tried.mean()]).collect(),
        }
    });
    Ok(Some(FitOutcome {
        parameters: parameters.collect(),
        error: best.mean(),
        error_before: at_given.mean(),
        errors,
        evaluations: losses.evaluations(),
        differentiated: losses.differentiated(),
        search: search.clone(),
        too_few: with_intervals && !has_intervals,
    }))
}

/// What an estimate says, where the ends of the range are not all ends of what is possible.
fn verdict(estimate: Estimate, range: [f64; 2], is_natural_end: [bool; 2]) -> Estimate {
    let [low, high] = estimate.interval;
    let open = [low <= range[0] && !is_natural_end[0], high >= range[1] && !is_natural_end[1]];
    let interval =
        [if open[0] { f64::NEG_INFINITY } else { low }, if open[1] { f64::INFINITY } else { high }];
    let doubt = estimate.doubt.or(match open {
        [false, false] => None,
        [true, true] => Some(Doubt::Silent),
        [true, false] => Some(Doubt::OpenBelow(high)),
        [false, true] => Some(Doubt::OpenAbove(low)),
    });
    Estimate { interval, doubt, ..estimate }
}

/// Points of the unit box, one in each of as many equal parts of every axis (McKay, Beckman and Conover 1979).
fn latin_hypercube(dimension: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::seeded(seed);
    let mut points = vec![vec![0.0; dimension]; count];
    for axis in 0..dimension {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, random.below(last + 1));
        }
        for (point, part) in points.iter_mut().zip(order) {
            point[axis] = (part as f64 + random.uniform(0.0, 1.0)) / count as f64;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::LEVEL;

    const RANGE: [f64; 2] = [0.1, 0.9];

    fn verdict_of(interval: [f64; 2], is_natural_end: [bool; 2]) -> Estimate {
        let estimate = Estimate { value: 0.5, interval, level: LEVEL, doubt: None };
        verdict(estimate, RANGE, is_natural_end)
    }

    /// Beyond the range that was searched there may be values as good; beyond a natural end there are none.
    #[test]
    fn an_interval_that_reaches_the_end_of_what_was_searched_is_open_there() {
        let inside = verdict_of([0.2, 0.8], [false; 2]);
        assert_eq!((inside.interval, inside.doubt), ([0.2, 0.8], None));
        let below = verdict_of([0.1, 0.8], [false; 2]);
        assert_eq!((below.interval, below.doubt), ([f64::NEG_INFINITY, 0.8], Some(Doubt::OpenBelow(0.8))));
        let above = verdict_of([0.2, 0.9], [false; 2]);
        assert_eq!((above.interval, above.doubt), ([0.2, f64::INFINITY], Some(Doubt::OpenAbove(0.2))));
        let both = verdict_of(RANGE, [false; 2]);
        assert_eq!(both.doubt, Some(Doubt::Silent));
        assert_eq!(both.interval, [f64::NEG_INFINITY, f64::INFINITY]);
        let natural = verdict_of(RANGE, [true; 2]);
        assert_eq!((natural.interval, natural.doubt), (RANGE, None));
        let one = verdict_of(RANGE, [true, false]);
        assert_eq!((one.interval, one.doubt), ([0.1, f64::INFINITY], Some(Doubt::OpenAbove(0.1))));
    }

    #[test]
    fn a_doubt_that_there_was_before_is_kept() {
        let estimate = Estimate { value: 0.5, interval: RANGE, level: LEVEL, doubt: Some(Doubt::Kink) };
        assert_eq!(verdict(estimate, RANGE, [false; 2]).doubt, Some(Doubt::Kink));
    }
}
