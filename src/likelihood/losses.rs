//! Parameters that make the mean loss of many independent throws least, and how sure the throws make of them.
//!
//! A prediction through contacts is neither smooth in its parameters nor does its error follow any law that
//! could be written down: models are wrong by more than measurements are. What can be relied on is that the
//! throws are independent of each other. For a value `v` of a parameter, with all others at their best, the
//! losses `l_i` of the throws at `v - h` and `v + h` are compared: if the mean loss is least at `v`, the mean
//! of `d_i = l_i(v + h) - l_i(v - h)` is zero but for chance, and each `d_i` is as likely to be positive as negative.
//! Values at which the sum of the `d_i` is not among the 5 % largest of all that come of flipping their signs make the
//! interval ([`SignFlips`]). This is the score test of an M-estimate (Huber 1967; Boos 1992) with differences in the place
//! of derivatives; it needs no law of the errors, holds for six throws, for throws of which some say much more than
//! others, and where the model is wrong it is about the parameters that predict best. Of fewer throws no sum is among the
//! 5 % largest; Student's t of the `d_i` takes the place of that, whose intervals are wide rather than narrow where the
//! `d_i` differ in size (Benjamini 1983). `h` is half of what `v` is from the best value.
//!
//! The other parameters follow `v`: `v - h` and `v + h` are the places half way, and half as far again, on the
//! line from the best place to the least mean loss at `v`. Along the path of the least mean losses the slope is
//! that of the effective score, which small errors of the other parameters do not move (Neyman 1959), so that
//! one search for each `v` is enough.

use std::{cell::OnceCell, collections::HashMap, rc::Rc};

use super::{
    Bound, Landscape,
    descent::{Slopes, descend_by_slopes},
    interval::quantile,
    search::Interrupted,
    sign_flips::SignFlips,
    simplex::{Effort, Lowest, descend},
};

/// How a search goes: from anywhere, to see where it leads; to the end; and of a profile, where it serves to
/// compare throws that differ by far more than could still be gained.
const ROUGH: Effort = Effort { size: 0.15, evaluations: 40, narrow: 1e-2, flat: 1e-3, restarts: 0 };
const TO_THE_END: Effort = Effort { size: 0.05, evaluations: 80, narrow: 1e-4, flat: 1e-7, restarts: 4 };
const PROFILE: Effort = Effort { size: 0.03, evaluations: 40, narrow: 1e-3, flat: 1e-5, restarts: 0 };
/// Where slopes have led to the bottom: what is left are the steps that a time-stepping formula makes.
const POLISH: Effort = Effort { size: 2e-3, evaluations: 12, narrow: 1e-4, flat: 1e-7, restarts: 0 };
/// To the rounding of the losses, where they nearly vanish.
const REFINED: Effort = Effort { size: 1e-3, evaluations: 300, narrow: 1e-12, flat: 1e-3, restarts: 3 };
/// Of the ends of values within a loss: the nearest place that is looked at, as a share of the range, how much wider the
/// next is, and how often the last such distance is halved.
const NEAREST: f64 = 1e-9;
const WIDER: f64 = 8.0;
const HALVINGS: usize = 3;
/// Relative decrease of the mean loss that replaces the best place.
const LOWER: f64 = 2e-3;
/// What rules a value out beyond doubt, over what ends an interval, both squared: few throws can never
/// exclude anything by five standard deviations.
const RULED_OUT: f64 = 2.25;
/// Largest rise that is told from larger ones.
const LARGEST: f64 = 1e6;

/// The losses of all throws with some parameters; not finite where these make no sense.
pub trait Loss {
    /// In the order of the throws.
    ///
    /// # Errors
    /// [`Interrupted`].
    fn losses(&mut self, parameters: &[f64]) -> Result<Vec<f64>, Interrupted>;

    /// The losses with their slopes, where there are some.
    ///
    /// # Errors
    /// [`Interrupted`].
    fn slopes(&mut self, _parameters: &[f64]) -> Result<Option<Slopes>, Interrupted> {
        Ok(None)
    }
}

impl<F: FnMut(&[f64]) -> Result<Vec<f64>, Interrupted>> Loss for F {
    fn losses(&mut self, parameters: &[f64]) -> Result<Vec<f64>, Interrupted> {
        self(parameters)
    }
}

/// Which steps of a parameter count as equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Those of equal difference.
    Linear,
    /// Those of equal ratio; the parameter is positive.
    Logarithmic,
}

/// Mean losses over parameters in a box.
pub struct Losses<L> {
    loss: L,
    bounds: Vec<Bound>,
    scales: Vec<Scale>,
    known: HashMap<Vec<u64>, Rc<[f64]>>,
    profiled: Vec<(usize, Tried)>,
    differentiated: usize,
    flips: OnceCell<SignFlips>,
}

/// Parameters that were tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// The losses of the throws.
    pub losses: Rc<[f64]>,
    converged: bool,
}

impl Tried {
    /// The mean loss.
    pub fn mean(&self) -> f64 {
        self.losses.iter().sum::<f64>() / self.losses.len() as f64
    }
}

impl<L: Loss> Losses<L> {
    /// Of parameters with these bounds, whose upper ends are finite.
    pub fn new(loss: L, bounds: Vec<Bound>, scales: Vec<Scale>) -> Self {
        Self {
            loss,
            bounds,
            scales,
            known: HashMap::new(),
            profiled: Vec::new(),
            differentiated: 0,
            flips: OnceCell::new(),
        }
    }

    /// What they are the losses of.
    pub fn loss(&self) -> &L {
        &self.loss
    }

    /// What they are the losses of, to be changed in what its losses do not depend on.
    pub fn loss_mut(&mut self) -> &mut L {
        &mut self.loss
    }

    /// The mean loss with parameters that were evaluated; not a number of others.
    pub fn known_mean(&self, parameters: &[f64]) -> f64 {
        let key: Vec<u64> = parameters.iter().map(|value| value.to_bits()).collect();
        let known = self.known.get(&key);
        known.map_or(f64::NAN, |losses| losses.iter().sum::<f64>() / losses.len() as f64)
    }

    /// The value of one parameter at a share of its range.
    pub fn value_at(&self, index: usize, share: f64) -> f64 {
        let Bound { lower, far, .. } = self.bounds[index];
        let value = match self.scales[index] {
            Scale::Linear => lower + share * (far - lower),
            // Not the ratio of the ends, which may be beyond the numbers.
            Scale::Logarithmic => lower.powf(1.0 - share) * far.powf(share),
        };
        value.clamp(lower, far)
    }

    /// Number of sets of parameters that were evaluated.
    pub fn evaluations(&self) -> usize {
        self.known.len()
    }

    /// How many times slopes were asked for.
    pub fn differentiated(&self) -> usize {
        self.differentiated
    }

    /// The best places found with the parameter at `index` held, in the order of its values.
    pub fn profile_of(&self, index: usize) -> Vec<&Tried> {
        let mut places: Vec<&Tried> =
            self.profiled.iter().filter(|(held, _)| *held == index).map(|(_, tried)| tried).collect();
        places.sort_by(|a, b| a.parameters[index].total_cmp(&b.parameters[index]));
        places
    }

    /// The parameters at a place of the unit box.
    pub fn at(&self, place: &[f64]) -> Vec<f64> {
        place.iter().enumerate().map(|(index, share)| self.value_at(index, *share)).collect()
    }

    /// The losses with some parameters.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn evaluate(&mut self, parameters: &[f64]) -> Result<Tried, Interrupted> {
        let key: Vec<u64> = parameters.iter().map(|value| value.to_bits()).collect();
        let losses = match self.known.get(&key) {
            Some(losses) => Rc::clone(losses),
            None => {
                let losses: Rc<[f64]> = self.loss.losses(parameters)?.into();
                self.known.insert(key, Rc::clone(&losses));
                losses
            }
        };
        Ok(Tried { parameters: parameters.to_vec(), losses, converged: true })
    }

    /// The losses with their slopes, which are kept as if they had been evaluated.
    fn slopes(&mut self, parameters: &[f64]) -> Result<Option<Slopes>, Interrupted> {
        let slopes = self.loss.slopes(parameters)?;
        if let Some(slopes) = &slopes {
            self.differentiated += 1;
            let key = parameters.iter().map(|value| value.to_bits()).collect();
            self.known.entry(key).or_insert_with(|| slopes.losses.as_slice().into());
        }
        Ok(slopes)
    }

    /// How far through its range a value of a parameter is, in 0..=1, on its scale.
    pub fn share(&self, index: usize, value: f64) -> f64 {
        let Bound { lower, far, .. } = self.bounds[index];
        let share = match self.scales[index] {
            Scale::Linear => (value - lower) / (far - lower),
            Scale::Logarithmic => (value.ln() - lower.ln()) / (far.ln() - lower.ln()),
        };
        share.clamp(0.0, 1.0)
    }

    /// The least mean loss from `start` on, with the parameter at `held` kept, without slopes.
    fn lowest_from(
        &mut self,
        start: &[f64],
        held: Option<usize>,
        effort: &Effort,
    ) -> Result<Tried, Interrupted> {
        let free: Vec<usize> = (0..start.len()).filter(|&index| Some(index) != held).collect();
        let begin: Vec<f64> = free.iter().map(|&index| self.share(index, start[index])).collect();
        let fixed: Vec<f64> = (0..start.len()).map(|index| self.share(index, start[index])).collect();
        let with = |losses: &Self, place: &[f64]| {
            let mut shares = fixed.clone();
            free.iter().zip(place).for_each(|(&index, share)| shares[index] = *share);
            let mut parameters = losses.at(&shares);
            if let Some(held) = held {
                parameters[held] = start[held];
            }
            parameters
        };
        let Lowest { place, converged, .. } = descend(&begin, effort, |place| {
            let parameters = with(self, place);
            Ok(self.evaluate(&parameters)?.mean())
        })?;
        let parameters = with(self, &place);
        Ok(Tried { converged, ..self.evaluate(&parameters)? })
    }

    /// The minimum next to a place where the throws are predicted nearly exactly: the mean loss falls there as a
    /// distance does, and not as its square, down to the rounding of the losses.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn refined(&mut self, place: &Tried) -> Result<Tried, Interrupted> {
        let found = self.lowest_from(&place.parameters, None, &REFINED)?;
        let best = if found.mean() < place.mean() { found } else { place.clone() };
        Ok(Tried { converged: true, ..best })
    }

    /// The values of a parameter around that of the `best` place, both ends a little wide, from which on the mean loss
    /// is larger than `allowed`, the other parameters at their best; an end of the range where it nowhere is.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn values_within(
        &mut self,
        best: &Tried,
        index: usize,
        allowed: f64,
    ) -> Result<[f64; 2], Interrupted> {
        let middle = self.share(index, best.parameters[index]);
        let exceeds = |tried: Tried| tried.mean().is_nan() || tried.mean() > allowed;
        let mut ends = [0.0; 2];
        for (end, sign) in ends.iter_mut().zip([-1.0, 1.0]) {
            // Shares of the range: one within, the next beyond.
            let (mut within, mut beyond) = (0.0, NEAREST);
            loop {
                let is_last = !(0.0..=1.0).contains(&(middle + sign * beyond));
                if exceeds(self.profile_beside(best, index, sign * beyond)?) || is_last {
                    break;
                }
                (within, beyond) = (beyond, WIDER * beyond);
            }
            for _ in 0..HALVINGS {
                let between = (within.max(0.1 * NEAREST) * beyond).sqrt();
                match exceeds(self.profile_beside(best, index, sign * between)?) {
                    true => beyond = between,
                    false => within = between,
                }
            }
            *end = self.beside(best, index, sign * beyond)[index];
        }
        Ok(ends)
    }

    /// The parameters of a place with one moved by a share of its range.
    fn beside(&self, best: &Tried, index: usize, by: f64) -> Vec<f64> {
        let share = |(place, &value): (usize, &f64)| self.share(place, value);
        let mut shares: Vec<f64> = best.parameters.iter().enumerate().map(share).collect();
        shares[index] = (shares[index] + by).clamp(0.0, 1.0);
        let moved = self.at(&shares)[index];
        let mut parameters = best.parameters.clone();
        parameters[index] = moved;
        parameters
    }

    /// The least mean loss with one parameter so far beside its best value.
    fn profile_beside(&mut self, best: &Tried, index: usize, by: f64) -> Result<Tried, Interrupted> {
        let start = self.beside(best, index, by);
        let size = by.abs().min(PROFILE.size);
        let effort = Effort { size, evaluations: 60, narrow: 0.01 * size, flat: 1e-3, restarts: 1 };
        let found = self.lowest_from(&start, Some(index), &effort)?;
        self.profiled.push((index, found.clone()));
        Ok(found)
    }

    /// The losses on the line from the best place through another one, so many times as far away.
    fn on_chord(&mut self, best: &Tried, place: &Tried, share: f64) -> Result<Tried, Interrupted> {
        let values = best.parameters.iter().zip(&place.parameters).zip(&self.bounds);
        let at = |((best, place), bound): ((&f64, &f64), &Bound)| bound.clamp(best + share * (place - best));
        let parameters: Vec<f64> = values.map(at).collect();
        self.evaluate(&parameters)
    }

    /// How far the differences of two places speak for the outer one being worse, on the scale of Student's t, at whose
    /// quantile they rule it out.
    fn student(&self, inner: &Tried, outer: &Tried) -> f64 {
        let differences: Vec<f64> =
            outer.losses.iter().zip(inner.losses.iter()).map(|(outer, inner)| outer - inner).collect();
        let count = differences.len() as f64;
        let sum: f64 = differences.iter().sum();
        if sum == 0.0 || !sum.is_finite() {
            return if sum.is_nan() || sum > 0.0 { f64::INFINITY } else { sum };
        }
        let squares: f64 = differences.iter().map(|difference| difference * difference).sum();
        // Student's t of differences with that sum and those squares.
        let student = |sum: f64| {
            let share = sum * sum / squares;
            sum.signum() * (share * (count - 1.0) / (count - share).max(0.0)).sqrt()
        };
        match self.flips.get_or_init(|| SignFlips::of(differences.len())).exceeded_by_few(&differences) {
            Some(exceeded) => quantile(count - self.bounds.len() as f64) * student(sum) / student(exceeded),
            None => {
                let left = (count - self.bounds.len() as f64).max(f64::MIN_POSITIVE) / (count - 1.0);
                student(sum) * left.sqrt()
            }
        }
    }
}

impl<L: Loss> Landscape for Losses<L> {
    type Place = Tried;

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn minimise(
        &mut self,
        start: &[f64],
        held: Option<usize>,
        near: Option<&Tried>,
    ) -> Result<Tried, Interrupted> {
        let free: Vec<usize> = (0..start.len()).filter(|&index| Some(index) != held).collect();
        let mut effort = match (held, near) {
            (Some(_), _) => PROFILE,
            (None, Some(_)) => TO_THE_END,
            (None, None) => ROUGH,
        };
        let mut start = start.to_vec();
        let mut has_slopes = false;
        let bounds = self.bounds.clone();
        if !free.is_empty()
            && let Some(bottom) =
                descend_by_slopes(&start, (&bounds, held, effort.flat), |at| self.slopes(at))?
        {
            (start, has_slopes) = (bottom.parameters, true);
            if bottom.converged && effort != TO_THE_END {
                let found = self.evaluate(&start)?;
                self.profiled.extend(held.map(|held| (held, found.clone())));
                return Ok(found);
            }
            if bottom.converged {
                effort = POLISH;
            }
        }
        let Tried { parameters, converged, losses } = self.lowest_from(&start, held, &effort)?;
        // The polish is to look round at the bottom, not to find it.
        let converged = converged || effort == POLISH;
        let mut found = Tried { parameters, converged, losses };
        if has_slopes {
            // The search without slopes begins there but for rounding.
            let began = self.evaluate(&start)?;
            if began.mean() < found.mean() {
                found = Tried { converged, ..began };
            }
        }
        if let Some(held) = held {
            self.profiled.push((held, found.clone()));
        }
        Ok(found)
    }

    fn parameters(place: &Tried) -> &[f64] {
        &place.parameters
    }

    fn value(place: &Tried) -> f64 {
        place.mean()
    }

    fn converged(place: &Tried) -> bool {
        place.converged
    }

    fn rise(&mut self, best: &Tried, place: &Tried, held: Option<usize>) -> Result<f64, Interrupted> {
        let t = match held {
            None => 2.0 * self.student(best, place),
            Some(_) => {
                let (inner, outer) = (self.on_chord(best, place, 0.5)?, self.on_chord(best, place, 1.5)?);
                self.student(&inner, &outer)
            }
        };
        Ok((t * t.abs()).min(LARGEST))
    }

    fn is_better(best: &Tried, place: &Tried) -> bool {
        place.mean() < (1.0 - LOWER) * best.mean()
    }

    fn deviation(&self, _best: &Tried, _index: usize) -> Option<f64> {
        None
    }

    fn beyond_doubt(&self, rise: f64) -> f64 {
        RULED_OUT * rise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_range_whose_ratio_is_beyond_the_numbers_is_found_again() {
        let nothing = |_: &[f64]| Ok(Vec::new());
        for (lower, far) in [(1e-305, 1e4), (1e-3, 1e4)] {
            let losses = Losses::new(nothing, vec![Bound::between(lower, far)], vec![Scale::Logarithmic]);
            for share in [0.0, 0.3, 0.5, 1.0] {
                let [value] = losses.at(&[share])[..] else { panic!("one parameter") };
                assert!((lower..=far).contains(&value) && (losses.share(0, value) - share).abs() < 1e-9);
            }
        }
    }

    /// Of six throws one may say a hundred times as much as each other; that all agree is no chance all the same.
    #[test]
    fn throws_that_agree_rule_out_a_value_however_little_most_of_them_say() {
        let nothing = |_: &[f64]| Ok(Vec::new());
        let student = |of_throws: &[f64]| {
            let losses = Losses::new(nothing, vec![Bound::between(0.0, 1.0)], vec![Scale::Linear]);
            let place =
                |losses: &[f64]| Tried { parameters: vec![0.5], losses: losses.into(), converged: true };
            losses.student(&place(&vec![1.0; of_throws.len()]), &place(of_throws))
        };
        let quantile = quantile(5.0);
        assert!(student(&[101.0, 2.0, 2.0, 2.0, 2.0, 2.0]) > quantile);
        assert!(student(&[101.0, 2.0, 2.0, 2.0, 2.0, 0.0]) < quantile);
        assert!(student(&[-99.0, 0.0, 0.0, 0.0, 0.0, 0.0]) < -quantile);
        // Student's t itself, of five.
        assert!((student(&[2.0, 3.0, 4.0, 5.0, 6.0]) - 3.0 * (5.0_f64 / 2.5).sqrt()).abs() < 1e-9);
    }

    /// A verdict has to hold in more data sets than an interval.
    #[test]
    fn ruling_out_beyond_doubt_takes_half_as_much_again_as_ending_an_interval() {
        let nothing = |_: &[f64]| Ok(Vec::new());
        let losses = Losses::new(nothing, vec![Bound::between(0.0, 1.0)], vec![Scale::Linear]);
        for t in [1.96_f64, 12.7] {
            assert!((losses.beyond_doubt(t * t).sqrt() - 1.5 * t).abs() < 1e-12);
        }
    }
}
