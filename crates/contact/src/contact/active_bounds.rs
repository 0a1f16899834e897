//! Links with bounds for models that know none: which of them are at a bound is found from outside.

use nalgebra::SVector;

use super::{
    APPROXIMATE, Accuracy, ContactModel, ContactProblem, FailureKind, Report, Solution, SolveFailure,
    TOLERANCE, Yardstick, model::measure,
};

/// Solves after which links change one at a time, the first first: with Murty's rule the sets do not come again where the
/// links alone decide (Murty 1974).
const TOGETHER: usize = 10;
/// Solves per bounded link, and beyond those.
const MOST_PER_LINK: usize = 4;
const MOST_BEYOND: usize = 20;
/// Bounded links up to which all sets are tried where the search goes in circles, three to the power of their number.
const MOST_TRIED: usize = 4;
/// What of a velocity or impulse in scaled units decides nothing.
const SLIGHT: f64 = 1e-10;

/// Where the impulse of a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Between,
    Low,
    High,
}

/// Whether the impulse of some link is bounded.
pub fn has_bounded_links<const D: usize, const N: usize>(problem: &ContactProblem<D, N>) -> bool {
    problem.links.iter().any(super::Link::is_bounded)
}

/// The answer of [`solve_with_bounds`] for a `model` that can go on without: `None` where no link is bounded, and where no set
/// of links fits, with `solution` as it was.
pub(super) fn answer_with_bounds<M: ContactModel<D, N> + ?Sized, const D: usize, const N: usize>(
    model: &mut M,
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
) -> Option<Result<Report, SolveFailure>> {
    if !has_bounded_links(problem) {
        return None;
    }
    let guess = solution.clone();
    match solve_with_bounds(model, problem, solution) {
        Err(SolveFailure::Unsolved { .. }) => {
            *solution = guess;
            None
        }
        answer => Some(answer),
    }
}

/// Solves `problem` by a `model` that knows no bounds, once for each set of links at their bounds that is tried: these are
/// left out, their impulses given, until none is beyond its bound and none would come back.
///
/// # Errors
/// Those of the model, and [`SolveFailure::Unsolved`] where no set of links fits.
pub fn solve_with_bounds<M: ContactModel<D, N> + ?Sized, const D: usize, const N: usize>(
    model: &mut M,
    problem: &ContactProblem<D, N>,
    solution: &mut Solution<D, N>,
) -> Result<Report, SolveFailure> {
    problem.check()?;
    solution.prepare(problem.contacts.len(), problem.links.len());
    // A model may start from the velocity of the step before, or take its forces from it.
    let start_velocity = solution.velocity.clone();
    let mut yardstick = Yardstick::default();
    yardstick.set(problem);
    let weights: Vec<f64> = problem.links.iter().map(|link| problem.link_response(link)).collect();
    let start = |(index, link): (usize, &super::Link<N>)| match link.bounds {
        [low, high] if low >= high => Place::Low,
        [low, _] if solution.is_guess && solution.link_impulses[index] <= low => Place::Low,
        [_, high] if solution.is_guess && solution.link_impulses[index] >= high => Place::High,
        _ => Place::Between,
    };
    let mut places: Vec<Place> = problem.links.iter().enumerate().map(start).collect();
    let bounded: Vec<usize> =
        (0..problem.links.len()).filter(|index| problem.links[*index].is_bounded()).collect();
    let mut search = Search {
        problem,
        yardstick,
        weights,
        start_velocity,
        part: Solution::default(),
        iterations: 0,
        rung: 0,
    };
    let mut first_failure = None;
    for attempt in 0..MOST_PER_LINK * bounded.len() + MOST_BEYOND {
        let mut changes = match search.attempt(model, &places, solution) {
            Ok(Fit::Fits(report)) => return search.judge(report),
            Ok(Fit::Changes(changes)) => changes,
            // With these links at their bounds there may be no solution, and with others one.
            Err(failure @ SolveFailure::Unsolved { .. }) => {
                first_failure = Some(failure);
                break;
            }
            Err(failure) => return Err(failure),
        };
        changes.truncate(if attempt < TOGETHER { changes.len() } else { 1 });
        changes.into_iter().for_each(|(index, next)| places[index] = next);
    }
    if bounded.len() <= MOST_TRIED {
        for combination in 0..3_usize.pow(bounded.len() as u32) {
            for (digit, &index) in bounded.iter().enumerate() {
                let place = combination / 3_usize.pow(digit as u32) % 3;
                places[index] = [Place::Between, Place::Low, Place::High][place];
            }
            let exists = |index: &usize| match (places[*index], problem.links[*index].bounds) {
                (Place::Between, [low, high]) => low < high,
                (Place::Low, [low, _]) => low.is_finite(),
                (Place::High, [_, high]) => high.is_finite(),
            };
            if !bounded.iter().all(exists) {
                continue;
            }
            if let Ok(Fit::Fits(report)) = search.attempt(model, &places, solution) {
                return search.judge(report);
            }
        }
    }
    let Search { yardstick, iterations, .. } = search;
    if let Some(failure) = first_failure {
        return Err(failure);
    }
    let residuals = measure(problem, &yardstick, solution);
    let reason = "which drives and joints with friction are at their limits was not found".to_owned();
    Err(SolveFailure::Unsolved { kind: FailureKind::NotConverged, reason, iterations, residuals })
}

/// What came of a set of links at their bounds.
enum Fit {
    /// The solution.
    Fits(Report),
    /// Links that are elsewhere, and where.
    Changes(Vec<(usize, Place)>),
}

/// What does not change from set to set, and what adds up.
struct Search<'a, const D: usize, const N: usize> {
    problem: &'a ContactProblem<D, N>,
    yardstick: Yardstick,
    /// `w` of each link.
    weights: Vec<f64>,
    start_velocity: Vec<SVector<f64, N>>,
    part: Solution<D, N>,
    iterations: u32,
    rung: u32,
}

impl<const D: usize, const N: usize> Search<'_, D, N> {
    /// Solves the problem with the links at these places.
    fn attempt<M: ContactModel<D, N> + ?Sized>(
        &mut self,
        model: &mut M,
        places: &[Place],
        solution: &mut Solution<D, N>,
    ) -> Result<Fit, SolveFailure> {
        let Self { problem, yardstick, weights, start_velocity, part, iterations, rung } = self;
        let (reduced, kept) = without(problem, places);
        part.is_guess = false;
        part.velocity.clone_from(start_velocity);
        let report = model.solve(&reduced, part)?;
        *iterations += report.iterations;
        *rung = report.rung.max(*rung);
        solution.impulses.clone_from(&part.impulses);
        solution.turning.clone_from(&part.turning);
        solution.link_impulses.clear();
        solution.link_impulses.extend(problem.links.iter().zip(places).map(|(link, place)| match place {
            Place::Between => 0.0,
            Place::Low => link.bounds[0],
            Place::High => link.bounds[1],
        }));
        for (&index, impulse) in kept.iter().zip(&part.link_impulses) {
            solution.link_impulses[index] = *impulse;
        }
        let residuals = measure(problem, yardstick, solution);
        let mut changes = Vec::new();
        for (index, link) in problem.links.iter().enumerate().filter(|(_, link)| link.is_bounded()) {
            let [low, high] = link.bounds;
            let (weight, impulse) = (weights[index], solution.link_impulses[index]);
            let rate = problem.link_rate(link, &solution.velocity) + link.compliance * impulse;
            let slight = SLIGHT * yardstick.unit() * weight.sqrt();
            let next = match places[index] {
                Place::Between if weight * (impulse - low) < -slight => Place::Low,
                Place::Between if weight * (impulse - high) > slight => Place::High,
                Place::Low if low < high && rate < -slight => Place::Between,
                Place::High if rate > slight => Place::Between,
                place => place,
            };
            if next != places[index] {
                changes.push((index, next));
            }
        }
        Ok(match changes.is_empty() {
            true => Fit::Fits(Report { residuals, ..report }),
            false => Fit::Changes(changes),
        })
    }

    /// The verdict on a solution: that of a model with a law of its own stands, the word of others is not taken.
    fn judge(self, report: Report) -> Result<Report, SolveFailure> {
        let Self { yardstick, iterations, rung, .. } = self;
        let residuals = report.residuals;
        let accuracy = match report.accuracy {
            Accuracy::OwnLaw => Accuracy::OwnLaw,
            _ if yardstick.accepts(&residuals, TOLERANCE) => Accuracy::Certified,
            _ if yardstick.accepts(&residuals, APPROXIMATE) => Accuracy::Approximate,
            _ => {
                let reason = "rounding spoiled the impulses of links at their bounds".to_owned();
                let kind = FailureKind::Inaccurate;
                return Err(SolveFailure::Unsolved { kind, reason, iterations, residuals });
            }
        };
        Ok(Report { iterations, rung, accuracy, ..report })
    }
}

/// The problem with the links at a bound left out, their impulses part of the free velocity, and the others without bounds;
/// and which links these are.
fn without<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    places: &[Place],
) -> (ContactProblem<D, N>, Vec<usize>) {
    let mut reduced = problem.clone();
    reduced.links.clear();
    let mut kept = Vec::new();
    for (index, (link, place)) in problem.links.iter().zip(places).enumerate() {
        let impulse = match place {
            Place::Between => {
                kept.push(index);
                reduced.links.push(super::Link { bounds: super::Link::<N>::UNBOUNDED, ..*link });
                continue;
            }
            Place::Low => link.bounds[0],
            Place::High => link.bounds[1],
        };
        for (body, row) in link.bodies.iter().zip(&link.jacobian) {
            if let Some(body) = *body {
                reduced.free_velocity[body] += problem.inverse_mass[body] * row * impulse;
            }
        }
    }
    (reduced, kept)
}
