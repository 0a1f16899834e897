//! The best friction and restitution of some throws, the noise, and what the data say.

use std::ops::ControlFlow;

use super::{
    contacts::Contacts,
    motion::Start,
    scatter::Scatter,
    throws::{Kind, Method, Throws},
};
use crate::{
    learn::input::{LearnError, Progress, report},
    likelihood::{self, Doubt, Estimate, Fit, Interrupted, Landscape as _, Minimum, Normal, Problem, Search},
    predict::{FreeFlights, Recording, Toss},
};

/// Restitutions from 0 to 1 at which the vertical motion is looked at first.
const RESTITUTIONS: u32 = 101;
/// Frictions at which the horizontal motion is looked at first: equal ratios between these.
const FRICTIONS: (usize, f64, f64) = (28, 0.004, 6.0);
/// Restitutions, and frictions of each, from which the search starts.
const STARTS: [usize; 2] = [3, 2];
/// Stretches that the first look takes in: enough to tell where to search.
const LOOKED_AT: usize = 400;
/// Change of the noise, relative, that counts as none.
const SETTLED: f64 = 5e-3;
/// Most times that the noise is estimated anew.
const MOST_ROUNDS: usize = 40;
/// How much better, in units of the variance, a start off the ground has to be to be believed.
const LIFTED: f64 = 9.0;
/// How much better another start has to be to be worth a search from there.
const NOTICED: f64 = 0.5;
/// How much worse a start may be that is tried along with the best one from then on, and how many are.
const RIVAL: f64 = 20.0;
const MOST_RIVALS: usize = 5;
/// Standard deviations of the restitution to either side at which rivals are looked for too.
const SIDEWAYS: f64 = 2.5;
/// Most times that stretches are started anew.
const MOST_RESTARTS: usize = 4;
/// How many standard deviations of its chance the sum of squares has to be larger without any slip for there to be
/// some.
const SLIPPING: f64 = 5.0;
/// Distance between two ends of searches that are one.
const SAME: f64 = 1e-6;

/// The fit of some throws.
pub struct ThrowFit {
    /// The stretches and their noise.
    pub throws: Throws,
    /// The best parameters, and the searches.
    pub fit: Fit,
    /// What flights tell of the noise, and that is no less than the digits of the numbers.
    pub of_flights: Scatter,
    /// Degrees of freedom of the noise.
    pub freedom: f64,
    /// The largest residual, in standard deviations of the noise.
    pub largest: f64,
}

impl ThrowFit {
    /// Fits throws whose free `flights` are known; `None` without data.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`].
    pub fn new(
        (data, flights): (&Recording<2>, &FreeFlights<2>),
        method: Method,
        contacts: Contacts,
        gravity: f64,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Self>, LearnError> {
        let least = Scatter::of_digits(data);
        let of_flights = Scatter::of_flights(flights).at_least(&least);
        let mut throws = Throws::new(&data.tosses, method, contacts, gravity, of_flights);
        report(progress, 0.0)?;
        let starts = starts(&throws);
        let mut watch = || progress(0.1);
        let Some(mut fit) = Fit::search(&mut Search::new(&throws, &mut watch), &starts)? else {
            return Ok(None);
        };
        for _ in 0..MOST_RESTARTS {
            if !restart(&mut throws, &mut fit.best, &mut watch)? {
                break;
            }
            fit.best = again(&throws, &fit.best, &fit.best, &mut watch)?;
        }
        let mut noise = Noise::of(&throws, &fit.best);
        for _ in 0..MOST_ROUNDS {
            let scatter = noise.scatter.at_least(&least);
            let is_settled = scatter.is_close_to(&throws.scatter);
            throws.scatter = scatter;
            fit.best = again(&throws, &fit.best, &fit.best, &mut watch)?;
            if is_settled {
                break;
            }
            noise = Noise::of(&throws, &fit.best);
        }
        // With the noise that was found, other starts may be rivals, and the other searches go on.
        restart(&mut throws, &mut fit.best, &mut watch)?;
        find_rivals(&mut throws, &fit.best, &mut watch)?;
        fit.best = again(&throws, &fit.best, &fit.best, &mut watch)?;
        for (_, end) in &mut fit.searches {
            let is_best = (end.parameters.iter().zip(&fit.best.parameters))
                .all(|(one, other)| (one - other).abs() <= SAME);
            *end = match is_best {
                true => fit.best.clone(),
                false => again(&throws, end, &fit.best, &mut watch)?,
            };
            if end.squares() < fit.best.squares() {
                fit.best = end.clone();
            }
        }
        Ok(Some(Self { throws, fit, of_flights, freedom: noise.freedom, largest: noise.largest }))
    }

    /// What the data say about friction and restitution.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`].
    pub fn estimates(&mut self, progress: &mut Progress<'_>) -> Result<Vec<Estimate>, LearnError> {
        let mut watch = || progress(0.6);
        let mut search = Search::new(&self.throws, &mut watch);
        let mut estimates = self.fit.estimates(&mut search, self.freedom)?;
        if !self.slips()
            && let Some(friction) = estimates.first_mut()
        {
            (friction.interval, friction.doubt) = ([0.0, f64::INFINITY], Some(Doubt::Silent));
        }
        Ok(estimates)
    }

    /// Whether any contact takes slip that is more than noise.
    ///
    /// Without slip every friction explains the data alike. The profile likelihood does not say so: a small friction
    /// may take what each stretch seems to slip by chance, and comes out ahead of all others by the sum over the
    /// stretches, which has as many degrees of freedom and not one.
    fn slips(&self) -> bool {
        let Minimum { parameters, unknowns, .. } = &self.fit.best;
        let touching = (0..unknowns.len()).filter(|&block| self.throws.stretches[block].touches);
        let (mut gain, mut count) = (0.0, 0.0_f64);
        for block in touching {
            let [with, without] = self.throws.with_and_without_slip(block, parameters, &unknowns[block]);
            gain += without - with;
            count += 1.0;
        }
        // One slip for each, and the friction.
        let chances = count + 1.0;
        gain > chances + SLIPPING * (2.0 * chances).sqrt()
    }
}

/// The minimum that is reached from the parameters of one place with the unknowns of another.
fn again(
    throws: &Throws,
    from: &Minimum,
    near: &Minimum,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Minimum, Interrupted> {
    Search::new(throws, watch).minimise(&from.parameters, None, Some(near))
}

/// Friction and restitution to search from. The vertical motion depends on the restitution alone, so the
/// best values of that come first, and for each of them the best frictions; of neighbours only the best.
fn starts(throws: &Throws) -> Vec<Vec<f64>> {
    let stretches: Vec<_> = (throws.stretches.iter().take(LOOKED_AT))
        .map(|stretch| (stretch, stretch.start(throws.gravity)))
        .collect();
    let sum = |friction: f64, restitution: f64, part: usize| -> f64 {
        let parts = stretches.iter().map(|(stretch, start): &(_, Start<f64>)| {
            throws.rough(stretch, *start, friction, restitution)[part]
        });
        parts.sum()
    };
    let restitutions: Vec<f64> =
        (0..RESTITUTIONS).map(|index| f64::from(index) / f64::from(RESTITUTIONS - 1)).collect();
    let (count, least, most) = FRICTIONS;
    let ratio = (most / least).powf(1.0 / (count - 1) as f64);
    let frictions: Vec<f64> =
        std::iter::once(0.0).chain((0..count).map(|power| least * ratio.powi(power as i32))).collect();
    let mut starts = Vec::new();
    for restitution in lowest(&restitutions, STARTS[0], &|restitution| sum(0.0, restitution, 0)) {
        for friction in lowest(&frictions, STARTS[1], &|friction| sum(friction, restitution, 1)) {
            starts.push(vec![friction, restitution]);
        }
    }
    starts
}

/// The places on a grid where `value` is lower than at both neighbours, the lowest first.
fn lowest(grid: &[f64], most: usize, value: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let values: Vec<f64> = grid.iter().map(|&place| value(place)).collect();
    let at =
        |index: Option<usize>| index.and_then(|index| values.get(index)).copied().unwrap_or(f64::INFINITY);
    let mut found: Vec<usize> = (0..grid.len())
        .filter(|&index| values[index] < at(index.checked_sub(1)) && values[index] <= at(Some(index + 1)))
        .collect();
    found.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    found.into_iter().take(most).map(|index| grid[index]).collect()
}

/// Starts stretches anew where another start explains them better, and takes off the ground those that
/// are explained much better by a flight; whether there were any.
fn restart(
    throws: &mut Throws,
    best: &mut Minimum,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<bool, LearnError> {
    let mut better = false;
    for block in 0..throws.stretches.len() {
        if watch().is_break() {
            return Err(LearnError::Interrupted);
        }
        let own = &best.unknowns[block];
        let was_grounded = throws.stretches[block].grounded;
        if !throws.stretches[block].touches && !was_grounded {
            continue;
        }
        let (_, squares) = likelihood::settled(throws, block, &best.parameters, own);
        throws.stretches[block].grounded = false;
        let own = if was_grounded { throws.start(block) } else { own.clone() };
        let minima = throws.minima(block, &best.parameters, &own);
        let least = minima.first().map_or(f64::INFINITY, |(_, least)| *least);
        if squares - least > if was_grounded { LIFTED } else { NOTICED } {
            best.unknowns[block].clone_from(&minima[0].0);
            better = true;
        } else {
            throws.stretches[block].grounded = was_grounded;
        }
    }
    Ok(better)
}

/// Finds the stretches with several starts that are nearly as good as each other, at the best parameters or
/// where profiles will lead. From then on all of these are tried at every evaluation, so that the profile
/// likelihood does not depend on the way by which a place is reached.
fn find_rivals(
    throws: &mut Throws,
    best: &Minimum,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), LearnError> {
    let reach = best.reduced.standard_deviation(1).map_or(0.0, |deviation| SIDEWAYS * deviation);
    let places =
        [0.0, -reach, reach].map(|away| [best.parameters[0], (best.parameters[1] + away).clamp(0.0, 1.0)]);
    for block in 0..throws.stretches.len() {
        if watch().is_break() {
            return Err(LearnError::Interrupted);
        }
        if !throws.stretches[block].touches {
            continue;
        }
        let own = &best.unknowns[block];
        let mut rivals: Vec<Vec<f64>> = Vec::new();
        let mut is_rivalled = false;
        for place in &places {
            let minima = throws.minima(block, place, own);
            let least = minima.first().map_or(f64::INFINITY, |(_, least)| *least);
            let near: Vec<_> =
                minima.into_iter().take_while(|(_, squares)| squares - least <= RIVAL).collect();
            is_rivalled |= near.len() > 1;
            rivals.extend(near.into_iter().take(MOST_RIVALS).map(|(unknowns, _)| unknowns));
        }
        throws.stretches[block].others = if is_rivalled { rivals } else { Vec::new() };
    }
    Ok(())
}

/// The noise that a fit leaves.
struct Noise {
    scatter: Scatter,
    freedom: f64,
    largest: f64,
}

impl Noise {
    /// Variances with as many degrees of freedom as there are residuals, less what the unknowns take of
    /// each kind (the leverages `J (J'J)^-1 J'`).
    fn of(throws: &Throws, best: &Minimum) -> Self {
        let parameters = best.parameters.len();
        let (mut squares, mut freedom, mut all, mut largest) = ([0.0; 2], [0.0; 2], 0.0, 0.0_f64);
        for (block, unknowns) in best.unknowns.iter().enumerate() {
            let mut normals = [(); 2].map(|()| Normal::new(parameters + unknowns.len()));
            throws.residuals(block, &best.parameters, unknowns, |kind, residual, slope| {
                let index = match kind {
                    Kind::Position(_) => 0,
                    Kind::Velocity(_) => 1,
                    Kind::Time => return,
                };
                normals[index].add(residual, slope);
                freedom[index] += 1.0;
                all += 1.0;
                largest = largest.max(residual.abs());
            });
            let taken = Normal::leverages(&normals, parameters);
            for index in 0..2 {
                squares[index] += normals[index].squares;
                freedom[index] -= taken[index];
            }
        }
        // Friction and restitution take theirs of both.
        let total: f64 = freedom.iter().sum();
        let left = (total - parameters as f64).max(0.0) / total.max(f64::MIN_POSITIVE);
        let variance = |index: usize| squares[index] / (left * freedom[index]).max(f64::MIN_POSITIVE);
        let scatter = Scatter {
            position: throws.scatter.position * variance(0).sqrt(),
            velocity: throws.scatter.velocity * variance(1).sqrt(),
        };
        Self { scatter, freedom: left * total, largest }
    }
}

impl Scatter {
    fn is_close_to(&self, other: &Self) -> bool {
        let close = |a: f64, b: f64| (a - b).abs() <= SETTLED * b;
        close(self.position, other.position) && close(self.velocity, other.velocity)
    }
}

impl ThrowFit {
    /// The start of one whole throw that fits it best at given friction and restitution: place, height and
    /// their velocities.
    pub fn one(throw: &Toss<2>, parameters: [f64; 2], gravity: f64, scatter: &Scatter) -> Option<Start<f64>> {
        let throws =
            Throws::new(std::slice::from_ref(throw), Method::Shooting, Contacts::Height, gravity, *scatter);
        let mut unknowns = vec![throws.stretches.first()?.start(gravity).to_vec()];
        let mut never = || ControlFlow::Continue(());
        Search::new(&throws, &mut never).evaluate(&parameters, &mut unknowns).ok()?;
        Start::from_slice(&unknowns[0])
    }
}
