use rayon::prelude::*;

use super::{
    DerivativeRule, DifferentiableModels, GradientError, GradientOptions, GradientRequest, GradientStudy,
    Input, Method, Nearest, Quality, Steps, Subject, Tangents, tangents,
};
use crate::{
    scenario::{NlpSolverChoice, Scenario},
    stepper::StepperName,
    watch::Watch,
};

/// Most panels of a picture.
const MOST_PANELS: usize = 4;
/// Distances of kinks that a landscape shows to either side, and its share of the natural size of the input where
/// there are no kinks; it never shows more than [`WIDEST`] of that size.
const SPACINGS: f64 = 4.0;
const PLAIN: f64 = 0.05;
const WIDEST: f64 = 0.25;
/// Runs of a landscape to either side by one stepper, at most and at least.
const MOST_RUNS: usize = 30;
const LEAST_RUNS: usize = 6;
/// Steps that the runs of all landscapes may take together: a point's are a hundred times as fast as those of bodies.
const STEPS_OF_POINT: usize = 1_500_000;
const STEPS_OF_BODIES: usize = 100_000;
/// Kinks closer than this part of the distance of two runs are one.
const SAME_KINK: f64 = 0.3;

/// One result over one number of the scenario, by several steppers.
#[derive(Debug, Clone, PartialEq)]
pub struct Landscape {
    /// The result.
    pub of: String,
    /// The number that changes.
    pub wrt: Input,
    /// What each stepper makes of it.
    pub curves: Vec<LandscapeCurve>,
}

/// A result over a number by one stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct LandscapeCurve {
    /// The stepper.
    pub stepper: StepperName,
    /// Whether one of its gradients explodes: its steps chatter, and so does the curve.
    pub explodes: bool,
    /// Changes of the number, and of the result.
    pub points: Vec<[f64; 2]>,
    /// The gradients at no change, by method.
    pub slopes: Vec<(Method, f64)>,
    /// The changes of the number at which a branch of a step changes.
    pub kinks: Vec<f64>,
}

/// The landscapes of the pairs of result and number whose gradients are worst, four at most: those with the largest
/// bias come first. A stepper that fails on the way has no curve.
///
/// # Errors
/// [`GradientError::Interrupted`] if `watch` says to stop.
pub fn landscapes<const D: usize>(
    scenario: &Scenario<D>,
    study: &GradientStudy,
    request: &GradientRequest,
    watch: &Watch<'_>,
) -> Result<Vec<Landscape>, GradientError>
where
    Scenario<D>: DifferentiableModels<D>,
{
    // Its units are not the steps that runs count.
    let watch = &Watch::new(|_| watch.flow());
    let pairs = worst_pairs(study);
    let steppers = study.distinct(|row| row.stepper);
    let (budget, solver) = match Subject::of(scenario) {
        // The same motions to within a nanometre, ten times as fast.
        Subject::Point => (STEPS_OF_POINT, Some(NlpSolverChoice::InteriorPoint)),
        Subject::Bodies => (STEPS_OF_BODIES, None),
    };
    let once = scenario.time().steps * steppers.len().max(1);
    let runs = (budget / once.max(1) / 2).clamp(LEAST_RUNS, MOST_RUNS * MOST_PANELS);
    let pairs = &pairs[..pairs.len().min(runs / LEAST_RUNS).max(usize::from(!pairs.is_empty()))];
    let sides = (runs / pairs.len().max(1)).clamp(LEAST_RUNS, MOST_RUNS) as i32;
    let mut scenario = scenario.clone();
    scenario.steppers.nlp.solver = scenario.steppers.nlp.solver.or(solver);
    let mut all = Vec::with_capacity(pairs.len());
    for (of, wrt) in pairs {
        let half = half_width(&scenario, &steppers, *wrt, watch);
        let mut curves = Vec::with_capacity(steppers.len());
        for &stepper in &steppers {
            let changes: Vec<f64> =
                (-sides..=sides).map(|k| half * f64::from(k) / f64::from(sides)).collect();
            let changes: Vec<f64> = changes.into_iter().filter(|&h| admits(&scenario, *wrt, h)).collect();
            let ends: Vec<Option<(f64, Nearest)>> = changes
                .par_iter()
                .map(|&change| end(&wrt.shifted(&scenario, change), stepper, of, *wrt, watch))
                .collect();
            GradientError::unless_stopped(watch)?;
            let middle = changes.iter().position(|change| *change == 0.0).and_then(|place| ends[place]);
            let Some((value, _)) = middle else { continue };
            let slopes = study.rows.iter().filter(|row| {
                row.stepper == stepper
                    && row.of == *of
                    && row.wrt == *wrt
                    && request.methods.contains(&row.method)
                    && row.method != Method::Smoothed
            });
            let reached = changes.iter().zip(&ends).filter_map(|(change, end)| Some((*change, (*end)?)));
            curves.push(LandscapeCurve {
                stepper,
                explodes: slopes.clone().any(|row| row.quality == Quality::Exploding),
                points: reached.clone().map(|(change, (end, _))| [change, end - value]).collect(),
                slopes: slopes.map(|row| (row.method, row.gradient)).collect(),
                kinks: kinks(reached.map(|(change, (_, nearest))| (change, nearest)), half, f64::from(sides)),
            });
        }
        if !curves.is_empty() {
            all.push(Landscape { of: of.clone(), wrt: *wrt, curves });
        }
    }
    Ok(all)
}

/// The pairs of result and number, those whose raw gradients are biased most first. What explodes is noise, and no
/// reason to look.
fn worst_pairs(study: &GradientStudy) -> Vec<(String, Input)> {
    let mut pairs: Vec<((String, Input), f64)> = Vec::new();
    for row in &study.rows {
        let pair = (row.of.clone(), row.wrt);
        let counts = row.method == Method::Raw && row.quality != Quality::Exploding;
        let bias = row.bias.filter(|_| counts).unwrap_or(0.0);
        match pairs.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, most)) => *most = most.max(bias),
            None => pairs.push((pair, bias)),
        }
    }
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs.into_iter().map(|(pair, _)| pair).take(MOST_PANELS).collect()
}

/// Whether the scenario with the number changed is one.
fn admits<const D: usize>(scenario: &Scenario<D>, wrt: Input, change: f64) -> bool {
    wrt.shifted(scenario, change).check().is_ok()
}

/// How far to either side a landscape goes: as far as some kinks of the stepper that has the fewest.
fn half_width<const D: usize>(
    scenario: &Scenario<D>,
    steppers: &[StepperName],
    wrt: Input,
    watch: &Watch<'_>,
) -> f64
where
    Scenario<D>: DifferentiableModels<D>,
{
    let size = wrt.natural_size(scenario);
    let spacings =
        steppers.iter().filter_map(|&stepper| run(scenario, stepper, wrt, watch)?.nearest[0].spacing());
    let widest = spacings.map(|spacing| SPACINGS * spacing).fold(0.0, f64::max);
    if widest > 0.0 { widest.min(WIDEST * size) } else { PLAIN * size }
}

fn run<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    wrt: Input,
    watch: &Watch<'_>,
) -> Option<Tangents>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    tangents(scenario, Steps::by(stepper), DerivativeRule::Raw, &[wrt], &options, watch).ok()
}

/// The result `of` alone.
fn end<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    of: &str,
    wrt: Input,
    watch: &Watch<'_>,
) -> Option<(f64, Nearest)>
where
    Scenario<D>: DifferentiableModels<D>,
{
    let run = run(scenario, stepper, wrt, watch)?;
    let value = run.end.value(of)?;
    value.is_finite().then_some((value, run.nearest[0]))
}

/// The kinks that the runs see from where they are, each once, within `half` to either side.
fn kinks(runs: impl Iterator<Item = (f64, Nearest)>, half: f64, sides: f64) -> Vec<f64> {
    let apart = half / sides;
    // Farther off, what is told to first order of a kink is not where it is.
    let seen = runs.filter(|(_, nearest)| nearest.distance.abs() <= apart);
    let mut places: Vec<f64> =
        seen.map(|(change, nearest)| change + nearest.distance).filter(|place| place.abs() <= half).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|next, kept| *next - *kept <= SAME_KINK * apart);
    places
}
