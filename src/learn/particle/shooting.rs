//! Whole throws: simulate each from its start and compare all velocities.

use nalgebra::{DMatrix, DVector, SVector};
use num_dual::{Derivative, DualNum, DualSVec64};

use crate::learn::{
    data::Throw,
    least_squares::{Minimum, Settings, minimise},
};

/// Unknowns of one throw: friction and restitution, common to all, and its initial velocity.
const UNKNOWNS: usize = 4;

/// Frictions and restitutions at which the throws are simulated first, all pairs.
const FRICTIONS: [f64; 12] = [0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5];
/// Number of restitutions between 0 and 1.
const RESTITUTIONS: u32 = 101;
/// Number of pairs from which the search starts: those that fit best.
const STARTS: usize = 12;

/// Initial velocities tried to either side of the one that the first flight tells.
const LANDINGS: i32 = 24;
/// Number of them within its standard error.
const LANDINGS_PER_ERROR: f64 = 6.0;

/// A search: where it started, and the minimum it found.
pub struct Search {
    /// Friction and restitution at the start.
    pub start: [f64; 2],
    /// The minimum over `mu`, `e`, and `vx`, `vz` at the start of every throw.
    pub minimum: Minimum,
}

/// Searches for the friction, restitution and initial velocities that reproduce the throws best.
///
/// The time of an impact is a whole number of steps, so the error has jumps, and plateaus where all
/// slip ends in one impact. So the throws are first simulated at many pairs of friction and
/// restitution, and the searches start from the best of these. Initial velocities start from the
/// first flight, whose measurements agree but for gravity and noise, and then from the one within
/// that noise that reproduces its throw best: a slightly other velocity may land a step later.
pub fn searches(throws: &[Throw], gravity: f64) -> Vec<Search> {
    let flights: Vec<Flight> = throws.iter().map(|throw| Flight::new(throw, gravity)).collect();
    let velocities: Vec<f64> = flights.iter().flat_map(|flight| flight.velocity).collect();
    let point = |[friction, restitution]: [f64; 2]| {
        DVector::from_iterator(
            2 + velocities.len(),
            [friction, restitution].into_iter().chain(velocities.iter().copied()),
        )
    };
    let restitutions = (0..RESTITUTIONS).map(|index| f64::from(index) / f64::from(RESTITUTIONS - 1));
    let pairs = restitutions.flat_map(|restitution| FRICTIONS.map(|friction| [friction, restitution]));
    let mut screened: Vec<_> = pairs.map(|pair| (cost(throws, gravity, &point(pair)), pair)).collect();
    screened.sort_by(|a, b| a.0.total_cmp(&b.0));
    let settings = Settings { max_evaluations: 100, ..Settings::default() };
    let problem = |x: &DVector<f64>| residuals(throws, gravity, x);
    let starts = screened.into_iter().take(STARTS).flat_map(|(_, pair)| {
        let median = point(pair);
        let best = best_landings(throws, &flights, gravity, median.clone());
        let is_other = best != median;
        std::iter::once((pair, median)).chain(is_other.then_some((pair, best)))
    });
    starts.map(|(start, x)| Search { start, minimum: minimise(&problem, x, &settings) }).collect()
}

/// `x` with the initial `vz` of every throw replaced by the best on a grid within its noise.
fn best_landings(throws: &[Throw], flights: &[Flight], gravity: f64, mut x: DVector<f64>) -> DVector<f64> {
    for (index, (throw, flight)) in throws.iter().zip(flights).enumerate() {
        let [slip, rise] = flight.velocity;
        let cost = |rise: f64| {
            let errors = errors(throw, gravity, [x[0], x[1], slip, rise]);
            errors.into_iter().map(|error| error * error).sum::<f64>()
        };
        let rises =
            (-LANDINGS..=LANDINGS).map(|k| rise + f64::from(k) * flight.rise_error / LANDINGS_PER_ERROR);
        let best = rises.map(|rise| (cost(rise), rise)).min_by(|a, b| a.0.total_cmp(&b.0));
        x[3 + 2 * index] = best.map_or(rise, |(_, rise)| rise);
    }
    x
}

/// Number of entries of the Jacobian: two residuals for every state, by all unknowns.
pub fn jacobian_entries(throws: &[Throw]) -> f64 {
    let states: usize = throws.iter().map(Vec::len).sum();
    (2.0 * states as f64) * (2.0 + 2.0 * throws.len() as f64)
}

/// Sum of squares at `x`: `mu`, `e`, and the initial velocities.
pub fn cost(throws: &[Throw], gravity: f64, x: &DVector<f64>) -> f64 {
    let parts = throws.iter().enumerate().map(|(index, throw)| {
        let errors = errors(throw, gravity, [x[0], x[1], x[2 + 2 * index], x[3 + 2 * index]]);
        errors.into_iter().map(|error| error * error).sum::<f64>()
    });
    parts.sum()
}

/// What the first flight of a throw tells of its start.
struct Flight {
    /// Median of the initial velocities that its states tell; a state after the impact that is
    /// mistaken for one of them does no harm.
    velocity: [f64; 2],
    /// Standard error of the second of them.
    rise_error: f64,
}

impl Flight {
    fn new(throw: &Throw, gravity: f64) -> Self {
        let Some(first) = throw.first() else { return Self { velocity: [0.0; 2], rise_error: 0.0 } };
        let step = throw.get(1).map_or(0.0, |second| second.time - first.time);
        let height = |time: f64| first.position.y + (first.velocity.y - 0.5 * gravity * (time + step)) * time;
        let flight = throw
            .iter()
            .take_while(|sample| sample.time == first.time || height(sample.time - first.time) > 0.0);
        let (mut slips, mut rises): (Vec<f64>, Vec<f64>) = flight
            .map(|sample| (sample.velocity.x, sample.velocity.y + gravity * (sample.time - first.time)))
            .unzip();
        let velocity = [&mut slips, &mut rises].map(|values| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        });
        // From the median deviation, which is 0.67 standard deviations, for the same reason.
        let mut deviations: Vec<f64> = rises.iter().map(|rise| (rise - velocity[1]).abs()).collect();
        deviations.sort_by(f64::total_cmp);
        let deviation = deviations[deviations.len() / 2] / 0.67;
        Self { velocity, rise_error: deviation / (rises.len() as f64).sqrt() }
    }
}

fn residuals(throws: &[Throw], gravity: f64, x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let count: usize = throws.iter().map(Vec::len).sum();
    let mut values = DVector::zeros(2 * count);
    let mut jacobian = DMatrix::zeros(2 * count, x.len());
    let mut place = 0;
    for (index, throw) in throws.iter().enumerate() {
        let columns = [0, 1, 2 + 2 * index, 3 + 2 * index];
        let variable = |k: usize| DualSVec64::<UNKNOWNS>::from_re(x[columns[k]]).derivative(k);
        for error in errors(throw, gravity, [variable(0), variable(1), variable(2), variable(3)]) {
            values[place] = error.re;
            let Derivative(gradient) = error.eps;
            let gradient = gradient.unwrap_or_else(SVector::zeros);
            for (column, derivative) in columns.into_iter().zip(gradient.iter()) {
                jacobian[(place, column)] = *derivative;
            }
            place += 1;
        }
    }
    (values, jacobian)
}

/// Differences between simulated and measured velocities of one throw; the steps are those of
/// [`closed_form_step`](crate::model::closed_form_step).
fn errors<T: DualNum<Primitive = f64> + Copy>(
    throw: &Throw,
    gravity: f64,
    [friction, restitution, vx, vz]: [T; UNKNOWNS],
) -> Vec<T> {
    let mut errors = Vec::with_capacity(2 * throw.len());
    let Some(first) = throw.first() else { return errors };
    let (mut height, mut slip, mut rise) = (T::from(first.position.y.max(0.0)), vx, vz);
    for (index, sample) in throw.iter().enumerate() {
        errors.push(slip - sample.velocity.x);
        errors.push(rise - sample.velocity.y);
        let Some(next) = throw.get(index + 1) else { break };
        let dt = next.time - sample.time;
        let free = rise - gravity * dt;
        let rebounds = height.re() + dt * free.re() <= 0.0 && -(restitution * rise).re() > 2.0 * gravity * dt;
        let gap = if rebounds { restitution * rise } else { height / dt };
        let lift = -(free + gap);
        let impulse = if lift.re() > 0.0 { lift } else { T::from(0.0) };
        let kept = slip.abs() - friction * impulse;
        slip = if kept.re() > 0.0 { kept * slip.re().signum() } else { T::from(0.0) };
        rise = free + impulse;
        height += rise * dt;
    }
    errors
}
