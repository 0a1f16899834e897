use super::{
    Basis, BreakAway, Ending, FitOutcome, FitTask, FittedParameter, Meanwhile, SearchMethod,
    break_away::{break_away, look_beside, resists},
    budget::Budget,
    objective::{BestSoFar, ThrowLoss},
    roughness::{Roughness, roughness},
    row_intervals::RowIntervals,
};
use crate::{
    gradient::DifferentiableModels,
    likelihood::{Doubt, Estimate, Fit, Interrupted, LEVEL, Landscape, Loss, Losses, Tried},
    predict::StepperErrors,
    random::latin_hypercube,
    scenario::{AnyScenario, Scenario},
    watch::Watch,
};

/// Places that are looked at before the search: so many, and so many more for each parameter.
const PLACES: (usize, usize) = (8, 8);
/// Of these the best, from which it starts, beside what the scenario says.
const STARTS: usize = 3;
/// Shares of a range: as near to an end counts as being there, and so far inside is looked for a worse value.
const AT_END: f64 = 1e-3;
const INSIDE: f64 = 0.1;
/// How often it is begun again from what was found to be better beside the best.
const MOST_AGAIN: usize = 8;
/// Mean error, as a share of that in a place of the ranges, below which the throws are predicted nearly exactly: those
/// of a simulation without noise by the model that made them.
const NEARLY_EXACT: f64 = 1e-4;
/// The same, below which it is looked whether they are, at the very bottom.
const NEAR: f64 = 1e-2;
/// The same that is rounding, and how many times the least mean error a value may have that is as good as the best: where
/// the model is right, the true values have no more than the data have of noise, which the best cannot go far below.
const ROUNDING: f64 = 1e-9;
const NO_WORSE: f64 = 3.0;
/// Difference of errors, as a share of their mean, that is rounding.
const ALIKE: f64 = 1e-9;

/// Where the profile is drawn around an interval from the noise of the rows, in standard deviations beside the best value.
const PROFILE: [f64; 8] = [-4.5, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.5];
/// From how many standard deviations on another value is far away, and by how many a place beyond doubt is ruled out.
const FAR: f64 = 5.0;
const BEYOND_DOUBT: f64 = 3.0;

/// Fits as [`FitTask::search_method`] says; without intervals unless `with_intervals`. `None` where the model predicts the
/// throws with none of the parameters that were tried. Where `watch` says to stop, or as many sets of parameters have been
/// tried as may be, it is the best so far ([`FitOutcome::ending`]).
pub fn fit<const D: usize>(
    task: &FitTask<D>,
    seed: u64,
    with_intervals: bool,
    watch: &Watch<'_>,
) -> Option<FitOutcome>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    fit_keeping(task, seed, with_intervals, watch, None)
}

/// Fits as [`fit`] does, and hands the best so far on `meanwhile`.
pub fn fit_keeping<const D: usize>(
    task: &FitTask<D>,
    seed: u64,
    with_intervals: bool,
    watch: &Watch<'_>,
    meanwhile: Option<&Meanwhile<'_>>,
) -> Option<FitOutcome>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    match task.search_method(&task.given(), watch) {
        Ok(search) => searched(task, &search, (seed, with_intervals), watch, meanwhile),
        Err(Interrupted) => {
            let search = SearchMethod::WithoutDerivatives("it was interrupted before it began".to_owned());
            unfinished(task, &search, None, Ending::Interrupted)
        }
    }
}

/// Fits as [`fit`] does, by a given method of search.
pub fn fit_by<const D: usize>(
    task: &FitTask<D>,
    search: &SearchMethod,
    seed: u64,
    with_intervals: bool,
    watch: &Watch<'_>,
) -> Option<FitOutcome>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    searched(task, search, (seed, with_intervals), watch, None)
}

fn searched<const D: usize>(
    task: &FitTask<D>,
    search: &SearchMethod,
    (seed, with_intervals): (u64, bool),
    watch: &Watch<'_>,
    meanwhile: Option<&Meanwhile<'_>>,
) -> Option<FitOutcome>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let budget = Budget::new(task.evaluations);
    let mut losses = losses_of(task, search, watch, &budget);
    losses.loss_mut().meanwhile = meanwhile;
    complete(&mut losses, (seed, with_intervals)).unwrap_or_else(|Interrupted| {
        let ending = if budget.is_exceeded() { Ending::OutOfEvaluations } else { Ending::Interrupted };
        let best = losses.loss().best.clone();
        // What is best so far where nothing was predicted is best of nothing.
        if best.is_none() && ending == Ending::OutOfEvaluations {
            return None;
        }
        let found = unfinished(task, search, best, ending);
        found.map(|found| FitOutcome {
            evaluations: losses.evaluations(),
            differentiated: losses.differentiated(),
            error_before: losses.known_mean(&task.given()),
            rough: losses.loss().rough.clone(),
            ..found
        })
    })
}

/// What is known of a fit that was stopped: the best parameters that were tried, or else where it would have begun. `None`
/// where nothing predicts with these.
pub(super) fn unfinished<const D: usize>(
    task: &FitTask<D>,
    search: &SearchMethod,
    best: Option<BestSoFar>,
    ending: Ending,
) -> Option<FitOutcome>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let best = best.unwrap_or_else(|| BestSoFar { parameters: task.given(), error: f64::NAN, errors: None });
    let predictor = task.trial(&best.parameters)?.predictor;
    let errors = best.errors.or_else(|| {
        // Those of a search along derivatives are of a single point, which is soon predicted once more.
        let is_known = best.error.is_finite();
        let found = if is_known { task.predictions(&best.parameters, &Watch::none()).ok()? } else { None };
        found.map(|(predictor, predictions)| StepperErrors::of(task.stepper, &predictions, &predictor))
    });
    let parameters =
        task.parameters.iter().zip(&best.parameters).map(|(parameter, &value)| FittedParameter {
            key: parameter.key.clone(),
            value,
            verdict: None,
            has_effect: true,
            at_half_steps: None,
            break_away: None,
            profile: Vec::new(),
        });
    Some(FitOutcome {
        parameters: parameters.collect(),
        error: best.error,
        error_before: f64::NAN,
        errors: errors.unwrap_or_else(|| StepperErrors::of(task.stepper, &[], &predictor)),
        doubts: predictor.doubts(),
        evaluations: 0,
        differentiated: 0,
        search: search.clone(),
        basis: Basis::None,
        rough: Vec::new(),
        ending,
    })
}

/// The fit to its end.
///
/// # Errors
/// [`Interrupted`] if the watch said to stop, or nothing was left to spend.
fn complete<const D: usize>(
    losses: &mut Losses<ThrowLoss<'_, '_, D>>,
    (seed, with_intervals): (u64, bool),
) -> Result<Option<FitOutcome>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let &ThrowLoss { task, search, watch, budget, .. } = losses.loss();
    let count = task.parameters.len();
    let throws = task.recording.throws();
    let given = task.given();
    let at_given = losses.evaluate(&given)?;
    let mut places = Vec::new();
    for share in latin_hypercube(PLACES.0 + PLACES.1 * count, count, seed).chunks_exact(count.max(1)) {
        let parameters = losses.at(share);
        places.push(losses.evaluate(&parameters)?);
    }
    places.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
    let finite = places.iter().filter(|place| place.mean().is_finite()).count();
    let typical = places.get(finite / 2).map_or(f64::NAN, Tried::mean);
    let mut starts = vec![given];
    starts.extend(places.into_iter().take(STARTS).map(|place| place.parameters));
    let Some(mut found) = Fit::search(losses, &starts)? else { return Ok(None) };
    let mut rough = Vec::new();
    for (index, parameter) in task.parameters.iter().enumerate() {
        rough.extend(roughness(losses, &found.best, (index, &parameter.key))?);
    }
    losses.loss_mut().rough.clone_from(&rough);
    let mut again = MOST_AGAIN;
    let (is_exact, without_effect, break_aways) = loop {
        let settled = settle(losses, &mut found.best, &rough, typical, with_intervals)?;
        // Where the error is the same far around, as it is where nothing slips or all does, a search ends as at a bottom.
        let better = losses.loss().best.as_ref().filter(|best| best.error < found.best.mean());
        let better = better.map(|best| best.parameters.clone());
        let better = better.map(|parameters| losses.evaluate(&parameters)).transpose()?;
        match better {
            Some(better) if Losses::<ThrowLoss<'_, '_, D>>::is_better(&found.best, &better) && again > 0 => {
                (found.best, again) = (better, again - 1);
            }
            _ => break settled,
        }
    };
    let free: Vec<usize> =
        (0..count).filter(|&index| without_effect[index].is_none() && break_aways[index].is_none()).collect();
    let (basis, rows) = match with_intervals {
        true if free.is_empty() && break_aways.iter().any(Option::is_some) => (Basis::BreakAway, None),
        true => basis(task, &found.best, &free, is_exact, watch)?,
        false => (Basis::None, None),
    };
    let mut estimates: Vec<Option<Estimate>> = match (basis, rows) {
        (Basis::NearlyExact, _) => {
            let allowed = NO_WORSE * found.best.mean().max(ROUNDING * typical);
            (0..count)
                .map(|index| exact_estimate(losses, &found, index, allowed).map(Some))
                .collect::<Result<_, _>>()?
        }
        (Basis::Rows { .. }, Some(rows)) => {
            let mut estimates = without_effect.clone();
            for (&index, estimate) in
                free.iter().zip(row_estimates(losses, &found, task, &free, &rows, watch)?)
            {
                estimates[index] = Some(estimate);
            }
            estimates
        }
        (Basis::Throws(_), _) => {
            let freedom = throws as f64 - count as f64;
            found.estimates(losses, freedom)?.into_iter().map(Some).collect()
        }
        _ => without_effect.clone(),
    };
    for (index, found_away) in break_aways.iter().enumerate() {
        if let Some(found_away) = found_away {
            let (value, range) = (found.best.parameters[index], task.parameters[index].range);
            estimates[index] = Some(found_away.estimate(value, range));
        }
    }
    let has_intervals = matches!(basis, Basis::NearlyExact | Basis::Rows { .. } | Basis::Throws(_));
    let best = &found.best;
    let at_half_steps = match has_intervals && !is_exact {
        true => best_at_half_steps(task, search, best, (watch, budget))?,
        false => None,
    };
    let falls = (0..if has_intervals { count } else { 0 })
        .map(|index| falls_out_of_range(losses, best, index))
        .collect::<Result<Vec<_>, _>>()?;
    let Some((predictor, predictions)) = task.predictions(&best.parameters, watch)? else { return Ok(None) };
    let errors = StepperErrors::of(task.stepper, &predictions, &predictor);
    let parameters = task.parameters.iter().zip(&best.parameters).zip(estimates).enumerate();
    let parameters = parameters.map(|(index, ((parameter, &value), estimate))| {
        let profile = losses.profile_of(index).into_iter();
        FittedParameter {
            key: parameter.key.clone(),
            value,
            verdict: estimate.map(|estimate| {
                let verdict = verdict(estimate, parameter.range, parameter.is_natural_end);
                beyond(verdict, falls.get(index).copied().flatten(), parameter.is_natural_end)
            }),
            has_effect: without_effect[index].is_none(),
            at_half_steps: match break_aways[index] {
                Some(_) => None,
                None => at_half_steps.as_ref().map(|values| values[index]),
            },
            break_away: break_aways[index],
            profile: profile.map(|tried| [tried.parameters[index], tried.mean()]).collect(),
        }
    });
    Ok(Some(FitOutcome {
        parameters: parameters.collect(),
        error: best.mean(),
        error_before: at_given.mean(),
        errors,
        doubts: predictor.doubts(),
        evaluations: losses.evaluations(),
        differentiated: losses.differentiated(),
        search: search.clone(),
        basis,
        rough,
        ending: Ending::Finished,
    }))
}

/// What is known at the bottom: whether the predictions are exact there, which parameters have no effect, and what held and what
/// slipped along the others.
type Settled = (bool, Vec<Option<Estimate>>, Vec<Option<BreakAway>>);

/// From the best of the ends of searches to the bottom, with a look around it.
fn settle<const D: usize>(
    losses: &mut Losses<ThrowLoss<'_, '_, D>>,
    best: &mut Tried,
    rough: &[Roughness],
    typical: f64,
    with_intervals: bool,
) -> Result<Settled, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let task = losses.loss().task;
    *best = losses.minimise(&best.parameters, None, Some(best))?;
    // The search ends some ten-thousandths of the range beside the bottom, which may be more than the threshold: how
    // exact the predictions are is only seen there.
    let mut is_exact = false;
    if best.mean() <= NEAR * typical {
        let bottom = losses.refined(best)?;
        is_exact = bottom.mean() <= NEARLY_EXACT * typical;
        if is_exact {
            *best = bottom;
        }
    }
    let without_effect = (task.parameters.iter().enumerate())
        .map(|(index, parameter)| silent(losses, best, index, parameter.range))
        .collect::<Result<Vec<Option<Estimate>>, _>>()?;
    let break_aways = match with_intervals {
        true => break_aways(losses, best, &without_effect, rough, NEARLY_EXACT * typical)?,
        false => vec![None; task.parameters.len()],
    };
    for (index, parameter) in task.parameters.iter().enumerate() {
        let is_rough = rough.iter().any(|rough| rough.key == parameter.key);
        let is_open = break_aways[index].is_none() && without_effect[index].is_none() && !is_rough;
        if is_open && resists(&parameter.key) {
            look_beside(losses, best, index, NEARLY_EXACT * typical)?;
        }
    }
    Ok((is_exact, without_effect, break_aways))
}

/// What held and what slipped along each parameter that resists, where the throws are tests of break-away and steps of half the
/// length have the same. The best value is then in the middle.
fn break_aways<const D: usize>(
    losses: &mut Losses<ThrowLoss<'_, '_, D>>,
    best: &mut Tried,
    without_effect: &[Option<Estimate>],
    rough: &[Roughness],
    floor: f64,
) -> Result<Vec<Option<BreakAway>>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let &ThrowLoss { task, search, watch, budget, .. } = losses.loss();
    let mut all = vec![None; task.parameters.len()];
    for (index, parameter) in task.parameters.iter().enumerate() {
        let is_rough = rough.iter().any(|rough| rough.key == parameter.key);
        if !resists(&parameter.key) || without_effect[index].is_some() || is_rough {
            continue;
        }
        let Some(mut found) = break_away(losses, best, index, floor)? else { continue };
        if let Some(middle) = found.middle() {
            let mut parameters = best.parameters.clone();
            parameters[index] = middle;
            let in_the_middle = losses.evaluate(&parameters)?;
            if Losses::<ThrowLoss<'_, '_, D>>::is_better(best, &in_the_middle) {
                // No search had come to between what held and what slipped: the others have their best values there.
                let others = losses.minimise(&parameters, Some(index), Some(&in_the_middle))?;
                let Some(again) = break_away(losses, &others, index, floor)? else { continue };
                (*best, found) = (others, again);
            } else {
                *best = in_the_middle;
            }
        }
        let is_confirmed = match task.with_half_steps() {
            // Of a load that grows, what held and what slipped may be two steps after each other.
            Ok(finer) => {
                let mut finer_losses = losses_of(&finer, search, watch, budget);
                let there = finer_losses.evaluate(&best.parameters)?;
                let again = break_away(&mut finer_losses, &there, index, floor)?;
                again.is_some_and(|again| found.is_confirmed_by(&again, parameter.range))
            }
            Err(_) => true,
        };
        all[index] = is_confirmed.then_some(found);
    }
    Ok(all)
}

/// What intervals come from, with those from the noise of the rows where it is that; the predictions depend on the `free`
/// parameters.
fn basis<const D: usize>(
    task: &FitTask<D>,
    best: &Tried,
    free: &[usize],
    is_exact: bool,
    watch: &Watch<'_>,
) -> Result<(Basis, Option<RowIntervals<D>>), Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let differ = task.recording.throws() > task.parameters.len();
    if free.is_empty() {
        return Ok((Basis::NoEffect, None));
    }
    if is_exact && differ {
        return Ok((Basis::NearlyExact, None));
    }
    Ok(match task.row_intervals(&best.parameters, free, watch)? {
        Ok(rows) => {
            let (position, rotation) = (rows.noise.position.amax(), rows.noise.rotation);
            (Basis::Rows { position, rotation }, Some(rows))
        }
        Err(why) if differ => (Basis::Throws(why), None),
        Err(why) => (Basis::TooFew(why), None),
    })
}

/// The estimates of the `free` parameters from the noise of the rows. Another place where a search ended, which leaves as
/// little of the rows, speaks against all parameters that are far from their best values there.
fn row_estimates<const D: usize>(
    losses: &mut Losses<ThrowLoss<'_, '_, D>>,
    found: &Fit<Tried>,
    task: &FitTask<D>,
    free: &[usize],
    rows: &RowIntervals<D>,
    watch: &Watch<'_>,
) -> Result<Vec<Estimate>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let best = &found.best;
    let mut others = Vec::new();
    for (_, end) in &found.searches {
        let squares = task.squares(&end.parameters, &rows.noise, watch)?;
        let rise =
            squares.map(|squares| squares - rows.squares).filter(|rise| *rise <= BEYOND_DOUBT * BEYOND_DOUBT);
        others.extend(rise.map(|rise| (&end.parameters, rise.max(0.0))));
    }
    let mut estimates = Vec::with_capacity(free.len());
    for (&index, &(interval, deviation)) in free.iter().zip(&rows.intervals) {
        let value = best.parameters[index];
        // For the picture.
        for moves in PROFILE {
            let [low, high] = task.parameters[index].range;
            let mut beside = best.parameters.clone();
            beside[index] = (value + moves * deviation).clamp(low, high);
            losses.minimise(&beside, Some(index), Some(best))?;
        }
        let is_far = |other: &f64| (other - value).abs() > FAR * deviation;
        let elsewhere = others.iter().find(|(other, _)| is_far(&other[index]));
        let elsewhere = elsewhere.map(|(other, rise)| Doubt::Elsewhere { value: other[index], rise: *rise });
        let unfinished = (!Losses::<ThrowLoss<'_, '_, D>>::converged(best)).then_some(Doubt::Unfinished);
        estimates.push(Estimate { value, interval, level: LEVEL, doubt: unfinished.or(elsewhere) });
    }
    Ok(estimates)
}

/// The losses of the throws over the ranges of the parameters.
fn losses_of<'a, 'w, const D: usize>(
    task: &'a FitTask<D>,
    search: &'a SearchMethod,
    watch: &'a Watch<'w>,
    budget: &'a Budget,
) -> Losses<ThrowLoss<'a, 'w, D>>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let bounds = task.parameters.iter().map(|parameter| parameter.bound()).collect();
    let scales = task.parameters.iter().map(|parameter| parameter.scale()).collect();
    Losses::new(
        ThrowLoss {
            task,
            search,
            watch,
            budget,
            best: None,
            rough: Vec::new(),
            known: None,
            meanwhile: None,
        },
        bounds,
        scales,
    )
}

/// The parameters next to the `best` that predict best by steps of half the length; `None` where there are no such steps,
/// or nothing is predicted by them. Intervals are of how the throws differ: the error of the steps is in all of them alike.
fn best_at_half_steps<const D: usize>(
    task: &FitTask<D>,
    search: &SearchMethod,
    best: &Tried,
    (watch, budget): (&Watch<'_>, &Budget),
) -> Result<Option<Vec<f64>>, Interrupted>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    let Ok(finer) = task.with_half_steps() else { return Ok(None) };
    let found = losses_of(&finer, search, watch, budget).minimise(&best.parameters, None, Some(best))?;
    Ok(found.mean().is_finite().then_some(found.parameters))
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

/// The estimate of a parameter from throws that are predicted nearly exactly: how they differ among themselves is
/// rounding there, and every value with a mean loss up to `allowed` is as good as the best.
fn exact_estimate<L: Loss>(
    losses: &mut Losses<L>,
    found: &Fit<Tried>,
    index: usize,
    allowed: f64,
) -> Result<Estimate, Interrupted> {
    let value = found.best.parameters[index];
    let interval = losses.values_within(&found.best, index, allowed)?;
    let ends = found.searches.iter().map(|(_, end)| end).filter(|end| end.mean() <= allowed);
    let elsewhere = ends
        .map(|end| end.parameters[index])
        .find(|other| !(interval[0]..=interval[1]).contains(other))
        .map(|value| Doubt::Elsewhere { value, rise: 0.0 });
    Ok(Estimate { value, interval, level: LEVEL, doubt: elsewhere })
}

/// The estimate of a parameter, without a look at its profile, where the throws are predicted alike at its best value
/// and at both ends of its range; `None` elsewhere.
fn silent<L: Loss>(
    losses: &mut Losses<L>,
    best: &Tried,
    index: usize,
    range: [f64; 2],
) -> Result<Option<Estimate>, Interrupted> {
    for end in range {
        let mut parameters = best.parameters.clone();
        parameters[index] = end;
        let end = losses.evaluate(&parameters)?;
        let is_alike = |(a, b): (&f64, &f64)| (a - b).abs() <= ALIKE * best.mean();
        if !end.losses.iter().zip(best.losses.iter()).all(is_alike) {
            return Ok(None);
        }
    }
    let value = best.parameters[index];
    let interval = [f64::NEG_INFINITY, f64::INFINITY];
    Ok(Some(Estimate { value, interval, level: LEVEL, doubt: Some(Doubt::Silent) }))
}

/// At which end of its range the best value of a parameter is, if at one, and the mean loss falls towards it from a
/// tenth of the range inside.
fn falls_out_of_range<L: Loss>(
    losses: &mut Losses<L>,
    best: &Tried,
    index: usize,
) -> Result<Option<usize>, Interrupted> {
    let share = losses.share(index, best.parameters[index]);
    let Some(end) = [share, 1.0 - share].into_iter().position(|from_end| from_end < AT_END) else {
        return Ok(None);
    };
    let mut shares: Vec<f64> =
        best.parameters.iter().enumerate().map(|(place, &value)| losses.share(place, value)).collect();
    shares[index] = if end == 0 { INSIDE } else { 1.0 - INSIDE };
    let start = losses.at(&shares);
    let inside = losses.minimise(&start, Some(index), Some(best))?;
    Ok(Losses::<L>::is_better(&inside, best).then_some(end))
}

/// What an estimate says, where the best value is an end of the range towards which the loss `falls`: beyond one that
/// is only that of the search there are better values.
fn beyond(estimate: Estimate, falls: Option<usize>, is_natural_end: [bool; 2]) -> Estimate {
    let doubt = match falls {
        _ if estimate.doubt == Some(Doubt::Unfinished) => estimate.doubt,
        Some(0) if !is_natural_end[0] => Some(Doubt::BestAtLowerEnd(estimate.value)),
        Some(1) if !is_natural_end[1] => Some(Doubt::BestAtUpperEnd(estimate.value)),
        _ => estimate.doubt,
    };
    Estimate { doubt, ..estimate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::{Bound, Scale};

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

    /// The distance of the only parameter from where it is best, of each of three throws.
    fn losses_about(best: f64, by: f64) -> Losses<impl Loss> {
        let of = move |parameters: &[f64]| {
            Ok::<_, Interrupted>(
                [0.9, 1.0, 1.1].map(|part| 1.0 + by * part * (parameters[0] - best).abs()).to_vec(),
            )
        };
        Losses::new(of, vec![Bound::between(RANGE[0], RANGE[1])], vec![Scale::Linear])
    }

    #[test]
    fn what_is_better_beyond_an_end_is_told_from_what_changes_nothing() {
        for (best, by, at, found) in [
            (0.0, 1.0, RANGE[0], Some(0)),
            (2.0, 1.0, RANGE[1], Some(1)),
            (0.0, 0.0, RANGE[0], None),
            (0.5, 1.0, 0.5, None),
            (0.5, 1.0, RANGE[1], None),
        ] {
            let mut losses = losses_about(best, by);
            let at = losses.evaluate(&[at]).unwrap();
            assert_eq!(falls_out_of_range(&mut losses, &at, 0).unwrap(), found, "{best} {by}");
        }
        let estimate =
            Estimate { value: RANGE[0], interval: RANGE, level: LEVEL, doubt: Some(Doubt::Silent) };
        let doubt = |falls, is_natural_end| beyond(estimate, falls, is_natural_end).doubt;
        assert_eq!(doubt(Some(0), [false; 2]), Some(Doubt::BestAtLowerEnd(RANGE[0])));
        assert_eq!(doubt(Some(0), [true, false]), Some(Doubt::Silent));
        assert_eq!(doubt(None, [false; 2]), Some(Doubt::Silent));
    }

    #[test]
    fn a_doubt_that_there_was_before_is_kept() {
        let estimate = Estimate { value: 0.5, interval: RANGE, level: LEVEL, doubt: Some(Doubt::Kink) };
        assert_eq!(verdict(estimate, RANGE, [false; 2]).doubt, Some(Doubt::Kink));
    }
}
