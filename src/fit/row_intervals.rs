//! Intervals of parameters from the noise of the rows, where the model is right but for that.
//!
//! The residuals of the rows are white noise then, and what the error of each throw's start does to all its rows. Throws
//! measured anew along the predicted paths tell what starts can do; the directions of that are taken out of all
//! residuals. Two things are looked at before anything follows from what is left.
//!
//! - It has to be white noise. Residuals of recorded motions mostly are not: they are what the model is wrong by, and last
//!   for many rows ([`Lasting`]).
//! - The predictions have to be linear in the parameters as far as the noise leaves these open. Where they jump, as those of
//!   time steps do with the time of an impact, or bend, an interval need not hold.
//!
//! The rest is linear regression. Each parameter is moved with the others following, so that these make up for as
//! much of it as they can; the products of the residuals and of what such a move changes are the score of the parameter, which
//! small errors of the others do not move (Rao 1948, Neyman 1959). How much chance moves the score is seen in the throws that
//! were measured anew. The freedom of its variance, which is itself a sum over throws, is that of Satterthwaite (1946).

use nalgebra::{DMatrix, DVector};

use super::{FitTask, lasting::Lasting, measured_anew::measured_anew, row_noise::RowNoise};
use crate::{
    likelihood::{Interrupted, quantile},
    predict::{Prediction, Recording},
    scenario::{AnyScenario, Scenario},
    stepper::BuildStepper,
    watch::Watch,
};

/// How many throws are measured anew in all, about.
const THROWS: usize = 128;
/// How many rows are measured anew at most: they take some 300 bytes each.
const MOST_ROWS: usize = 1_000_000;
/// What the starts of throws displace by less than this part of the noise, in the mean square, is left.
const SEEN: f64 = 0.5;
/// By how many standard deviations parameters are moved to see whether predictions are linear, and what part of the change
/// may be beside a straight line.
const MOVES: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
const BENT: f64 = 0.25;
/// The first moves, as a share of the range on its scale; how often they are adapted to the standard deviations, and by which
/// factor they may differ from these.
const FIRST: f64 = 1e-2;
const ADAPTED: usize = 6;
const ALIKE: f64 = 2.0;

/// Why nothing follows from the noise of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFromRows {
    /// The throws are cut into windows, which share rows with each other.
    Windows,
    /// There are more rows than can be measured anew; as many throws differ enough among themselves.
    Many,
    /// More is left of the rows than white noise and the error of the starts.
    MoreThanNoise,
    /// Predictions jump or bend with the parameter of that number, as far as the noise leaves it open.
    NotLinear(usize),
}

/// Intervals from the noise of the rows.
#[derive(Debug, Clone)]
pub(super) struct RowIntervals<const D: usize> {
    /// The noise.
    pub noise: RowNoise<D>,
    /// The sum of the squares of all residuals of the best parameters, in units of it.
    pub squares: f64,
    /// Of each parameter that was asked for, with its standard deviation.
    pub intervals: Vec<([f64; 2], f64)>,
}

/// What was measured, in the coordinates of the ground, and what was predicted.
type Whole<const D: usize> = (Recording<D>, Vec<Prediction<D>>);

/// Numbers of each throw, in units of the noise.
type OfThrows = Vec<DVector<f64>>;

/// How many times each throw is measured anew: more often than a start has numbers, for all that errors of it can do to be
/// among that.
fn times<const D: usize>(throws: usize, turns: bool) -> usize {
    let numbers = match turns {
        false => 2 * D,
        true if D == 2 => 6,
        true => 12,
    };
    THROWS.div_ceil(throws.max(1)).max(numbers + numbers / 2)
}

/// One throw, as it was recorded and as it might have been.
struct Throw {
    /// Orthonormal columns: what errors of the start do to it.
    starts: DMatrix<f64>,
    /// The residuals without that.
    left: DVector<f64>,
    /// The same, each time that it was measured anew.
    left_anew: Vec<DVector<f64>>,
}

impl Throw {
    /// Also says what lasts in the residuals.
    fn of(rows: usize, residuals: &DVector<f64>, anew: &[(DVector<f64>, DVector<f64>)]) -> (Self, Lasting) {
        let displaced: Vec<&DVector<f64>> = anew.iter().map(|(displaced, _)| displaced).collect();
        let starts = principal_directions(residuals.len(), &displaced);
        let left = without(residuals, &starts);
        let displaced: Vec<DVector<f64>> = displaced.into_iter().map(|one| without(one, &starts)).collect();
        let lasting = Lasting::of(&left, rows, &starts, &displaced);
        let left_anew = anew.iter().map(|(_, residuals)| without(residuals, &starts)).collect();
        (Self { starts, left, left_anew }, lasting)
    }
}

impl<const D: usize> FitTask<D>
where
    Scenario<D>: BuildStepper<D> + TryFrom<AnyScenario>,
{
    /// The intervals of the `free` parameters from the noise of the rows, if the `best` ones predict them but for that; the
    /// predictions depend on all that are free.
    ///
    /// # Errors
    /// [`Interrupted`] if `watch` said to stop.
    pub(super) fn row_intervals(
        &self,
        best: &[f64],
        free: &[usize],
        watch: &Watch<'_>,
    ) -> Result<Result<RowIntervals<D>, NotFromRows>, Interrupted> {
        if self.recording.is_cut() {
            return Ok(Err(NotFromRows::Windows));
        }
        let times = times::<D>(self.recording.tosses.len(), self.turns());
        if self.recording.rows().saturating_mul(times) > MOST_ROWS {
            return Ok(Err(NotFromRows::Many));
        }
        let Some((recording, here)) = self.whole(best, watch)? else {
            return Ok(Err(NotFromRows::MoreThanNoise));
        };
        let noise = RowNoise::of(&recording, &here);
        if !noise.is_seen() {
            return Ok(Err(NotFromRows::MoreThanNoise));
        }
        let residuals = noise.residuals(&recording, &here);
        let known = (&recording, here.as_slice(), residuals.as_slice());
        let Some((throws, lasting)) = self.throws(best, known, (&noise, times), watch)? else {
            return Ok(Err(NotFromRows::MoreThanNoise));
        };
        let Some(larger) = lasting.larger_noise() else { return Ok(Err(NotFromRows::MoreThanNoise)) };
        let line = Line { task: self, best, free, noise: &noise, residuals: &residuals, throws: &throws };
        let directions = match line.directions(watch)? {
            Ok(directions) => directions,
            Err(parameter) => return Ok(Err(NotFromRows::NotLinear(parameter))),
        };
        let mut intervals = Vec::with_capacity(free.len());
        for (&index, direction) in free.iter().zip(&directions) {
            let Some(score) = line.score(direction, watch)? else {
                return Ok(Err(NotFromRows::NotLinear(index)));
            };
            let deviation = direction[index];
            let middle = best[index] + deviation * score.above_mean / score.information;
            let half = quantile(score.freedom) * larger * deviation * score.deviation / score.information;
            // The best value need not be that of least squares.
            let interval = [best[index].min(middle - half), best[index].max(middle + half)];
            intervals.push((interval, larger * deviation));
        }
        let squares = residuals.iter().map(DVector::norm_squared).sum::<f64>() / (larger * larger);
        Ok(Ok(RowIntervals { noise: noise.scaled(larger), squares, intervals }))
    }

    /// The sum of the squares of all residuals, in units of a noise; `None` where not all is predicted.
    ///
    /// # Errors
    /// [`Interrupted`] if `watch` said to stop.
    pub(super) fn squares(
        &self,
        values: &[f64],
        noise: &RowNoise<D>,
        watch: &Watch<'_>,
    ) -> Result<Option<f64>, Interrupted> {
        let found = self.whole(values, watch)?;
        Ok(found.map(|(recording, predictions)| {
            noise.residuals(&recording, &predictions).iter().map(DVector::norm_squared).sum()
        }))
    }

    /// The predictions of all throws to their ends, with what was measured; `None` where there are none.
    fn whole(&self, values: &[f64], watch: &Watch<'_>) -> Result<Option<Whole<D>>, Interrupted> {
        let Some((predictor, predictions)) = self.predictions(values, watch)? else { return Ok(None) };
        let is_whole = predictions.iter().all(|prediction| prediction.error.is_some());
        Ok(is_whole.then(|| (predictor.recording().clone(), predictions)))
    }

    /// The throws, and what lasts in all of them; `None` where one that was measured anew is not predicted.
    fn throws(
        &self,
        best: &[f64],
        (recording, here, residuals): (&Recording<D>, &[Prediction<D>], &[DVector<f64>]),
        (noise, times): (&RowNoise<D>, usize),
        watch: &Watch<'_>,
    ) -> Result<Option<(Vec<Throw>, Lasting)>, Interrupted> {
        let anew = measured_anew(recording, here, noise, times);
        let anew =
            Self { text: self.text.clone(), recording: anew, parameters: self.parameters.clone(), ..*self };
        let Some((recording_anew, predicted)) = anew.whole(best, watch)? else { return Ok(None) };
        let residuals_anew = noise.residuals(&recording_anew, &predicted);
        let mut lasting = Lasting::default();
        let mut throws = Vec::with_capacity(here.len());
        for (index, here) in here.iter().enumerate() {
            let of_throw = index * times..(index + 1) * times;
            let anew: Vec<_> = (predicted[of_throw.clone()].iter().zip(&residuals_anew[of_throw]))
                .map(|(anew, residuals)| (noise.apart(&here.states, &anew.states), residuals.clone()))
                .collect();
            let (throw, of_throw) = Throw::of(here.states.len(), &residuals[index], &anew);
            throws.push(throw);
            lasting = lasting.and(of_throw);
        }
        Ok(Some((throws, lasting)))
    }
}

/// How predictions change about the best parameters.
struct Line<'a, const D: usize> {
    task: &'a FitTask<D>,
    best: &'a [f64],
    free: &'a [usize],
    noise: &'a RowNoise<D>,
    residuals: &'a [DVector<f64>],
    throws: &'a [Throw],
}

/// How much the throws speak for a parameter being larger than its best value, over what they would by chance.
struct Score {
    above_mean: f64,
    deviation: f64,
    freedom: f64,
    /// By how much the score falls where the parameter is larger by a standard deviation.
    information: f64,
}

impl<const D: usize> Line<'_, D>
where
    Scenario<D>: BuildStepper<D> + TryFrom<AnyScenario>,
{
    /// What a move of the parameters changes, less what starts make up for; `None` where it leads out of a range, or
    /// something is not predicted.
    fn change(&self, along: &[f64], times: f64, watch: &Watch<'_>) -> Result<Option<OfThrows>, Interrupted> {
        let values: Vec<f64> =
            self.best.iter().zip(along).map(|(best, along)| best + times * along).collect();
        let in_range = |(value, [low, high]): (&f64, [f64; 2])| (low..=high).contains(value);
        if !values.iter().zip(self.task.parameters.iter().map(|one| one.range)).all(in_range) {
            return Ok(None);
        }
        let Some((recording, there)) = self.task.whole(&values, watch)? else { return Ok(None) };
        let residuals = self.noise.residuals(&recording, &there);
        let changes = self.residuals.iter().zip(&residuals).zip(self.throws);
        Ok(Some(changes.map(|((here, there), throw)| without(&(here - there), &throw.starts)).collect()))
    }

    /// What such moves to both sides change, by the length of one.
    fn slope(&self, along: &[f64], watch: &Watch<'_>) -> Result<Option<OfThrows>, Interrupted> {
        let Some(above) = self.change(along, 1.0, watch)? else { return Ok(None) };
        let Some(below) = self.change(along, -1.0, watch)? else { return Ok(None) };
        Ok(Some(above.iter().zip(&below).map(|(above, below)| 0.5 * (above - below)).collect()))
    }

    /// For each free parameter, the move of all by which it is larger by its standard deviation and the others follow; or
    /// a parameter for which there is none.
    fn directions(&self, watch: &Watch<'_>) -> Result<Result<Vec<Vec<f64>>, usize>, Interrupted> {
        let count = self.free.len();
        let mut lengths: Vec<f64> = (self.free.iter())
            .map(|&index| self.task.parameters[index].share_of_range(self.best[index], FIRST))
            .collect();
        let mut unsettled = self.free[0];
        for _ in 0..ADAPTED {
            let mut slopes = Vec::with_capacity(count);
            for (&index, &length) in self.free.iter().zip(&lengths) {
                let mut along = vec![0.0; self.best.len()];
                along[index] = length;
                match self.slope(&along, watch)? {
                    Some(slope) => slopes.push(slope),
                    None => return Ok(Err(index)),
                }
            }
            let products = DMatrix::from_fn(count, count, |i, j| product(&slopes[i], &slopes[j]));
            if let Some(silent) = (0..count).find(|&i| products[(i, i)] <= 0.0) {
                return Ok(Err(self.free[silent]));
            }
            let Some(covariance) = products.cholesky().map(|factor| factor.inverse()) else {
                return Ok(Err(unsettled));
            };
            let relative: Vec<f64> = (0..count).map(|i| covariance[(i, i)].sqrt()).collect();
            let Some(other) = relative.iter().position(|ratio| !(ALIKE.recip()..=ALIKE).contains(ratio))
            else {
                let direction = |i: usize| {
                    let mut along = vec![0.0; self.best.len()];
                    for (j, &index) in self.free.iter().enumerate() {
                        along[index] = lengths[j] * covariance[(j, i)] / relative[i];
                    }
                    along
                };
                return Ok(Ok((0..count).map(direction).collect()));
            };
            unsettled = self.free[other];
            lengths.iter_mut().zip(relative).for_each(|(length, ratio)| *length *= ratio);
        }
        Ok(Err(unsettled))
    }

    /// The score of a parameter that moves in such a direction; `None` where predictions are not linear along it.
    fn score(&self, direction: &[f64], watch: &Watch<'_>) -> Result<Option<Score>, Interrupted> {
        let mut changes = Vec::with_capacity(MOVES.len());
        for times in MOVES {
            match self.change(direction, times, watch)? {
                Some(change) => changes.push((times, change)),
                None => return Ok(None),
            }
        }
        let [_, (_, below), (_, above), _] = changes.as_slice() else { return Ok(None) };
        let along: OfThrows = above.iter().zip(below).map(|(above, below)| 0.5 * (above - below)).collect();
        let information = product(&along, &along);
        let is_straight = changes.iter().all(|(times, change)| {
            let beside: f64 =
                change.iter().zip(&along).map(|(one, along)| (one - *times * along).norm_squared()).sum();
            beside <= (BENT * times).powi(2) * information
        });
        if !is_straight {
            return Ok(None);
        }
        let (mut above_mean, mut variance, mut uncertainty) = (0.0, 0.0, 0.0);
        for (throw, along) in self.throws.iter().zip(&along) {
            let drawn: Vec<f64> = throw.left_anew.iter().map(|left| left.dot(along)).collect();
            let count = drawn.len() as f64;
            let mean = drawn.iter().sum::<f64>() / count;
            let squares: f64 = drawn.iter().map(|value| (value - mean).powi(2)).sum();
            // Of the difference from the mean of so many.
            let of_throw = squares / (count - 1.0) * (1.0 + count.recip());
            above_mean += throw.left.dot(along) - mean;
            variance += of_throw;
            uncertainty += of_throw * of_throw / (count - 1.0);
        }
        let freedom = variance * variance / uncertainty;
        Ok((information > 0.0 && freedom.is_finite()).then(|| Score {
            above_mean,
            deviation: variance.sqrt(),
            freedom,
            information,
        }))
    }
}

/// Numbers without their parts along orthonormal columns.
fn without(numbers: &DVector<f64>, directions: &DMatrix<f64>) -> DVector<f64> {
    numbers - directions * directions.tr_mul(numbers)
}

fn product(one: &[DVector<f64>], other: &[DVector<f64>]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one.dot(other)).sum()
}

/// Orthonormal columns along which some displacements are more than a part of the noise.
fn principal_directions(numbers: usize, displacements: &[&DVector<f64>]) -> DMatrix<f64> {
    let count = displacements.len();
    let moved = DMatrix::from_fn(numbers, count, |number, index| displacements[index][number]);
    // The eigenvectors of the smaller of two products, as there are fewer displacements than numbers.
    let products = moved.tr_mul(&moved).symmetric_eigen();
    let is_seen = |value: f64| value > SEEN * SEEN * count as f64;
    let columns: Vec<DVector<f64>> = (0..count)
        .filter(|&index| is_seen(products.eigenvalues[index]))
        .map(|index| &moved * products.eigenvectors.column(index) / products.eigenvalues[index].sqrt())
        .collect();
    if columns.is_empty() { DMatrix::zeros(numbers, 0) } else { DMatrix::from_columns(&columns) }
}
