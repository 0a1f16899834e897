//! Whether the data determine a parameter, and what speaks against it.

use std::fmt;

use super::{
    LEVEL, Landscape,
    interval::{End, Profiles, Side, Stop, quantile},
    search::{Interrupted, Minimum},
};
use crate::decimal::{rounded_beside, rounded_text};

/// How many times farther than expected of a parabola the values reach that are not ruled out.
const LOPSIDED: f64 = 3.0;
/// `D` half way to the end of an interval over `D` at the end: 1/4 of a parabola, 1/2 at a kink, next to
/// nothing before a jump.
const SMOOTH: [f64; 2] = [0.04, 0.45];
/// How many times farther one end of an interval may be from the best value than the other.
const ONE_SIDED: f64 = 5.0;
/// Share of a bounded range that an interval may cover.
const WIDE: f64 = 0.5;
/// Share of a bounded range up to which an interval determines a value at an end of the range, and share of the interval
/// within which a value is at the end.
const CLOSE: f64 = 0.1;
/// Times that a search begins again because a profile found a better minimum.
const MOST_RESTARTS: usize = 8;
/// Rise of `D` that is nothing: where it is flat, the end of the flat part is there.
const FLAT: f64 = 1e-2;

/// What speaks against a parameter being determined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// The data rule out none of the values that were looked at: nothing depends on it, or there are too few.
    Silent,
    /// No value above this one is ruled out.
    OpenAbove(f64),
    /// No value below this one is ruled out.
    OpenBelow(f64),
    /// The best value is the lower end of what was searched, and the function falls towards it.
    BestAtLowerEnd(f64),
    /// The best value is the upper end of what was searched, and the function falls towards it.
    BestAtUpperEnd(f64),
    /// Another value, far away, explains the data nearly as well; the rise of `D` there.
    Elsewhere {
        /// The value.
        value: f64,
        /// How much worse it is, in units of the variance.
        rise: f64,
    },
    /// Another value, close by but beyond a rise of `D`, explains the data nearly as well; the interval reaches to it.
    Ragged {
        /// The value.
        value: f64,
    },
    /// Values reach farther than the interval lets expect before they are ruled out.
    Lopsided {
        /// The least that is not ruled out.
        low: f64,
        /// The largest.
        high: f64,
        /// By how many standard deviations.
        deviations: f64,
    },
    /// Some of the data say that it is as large as one value at least, and others that it is as small as another, smaller one
    /// at most.
    Contradicted {
        /// The larger value.
        at_least: f64,
        /// The smaller value.
        at_most: f64,
    },
    /// The interval covers most of what is possible.
    Wide,
    /// The best value lies at a kink or before a jump of the likelihood.
    Kink,
    /// The search did not come to an end.
    Unfinished,
}

/// A value of a parameter, whose size may be any.
fn number(value: f64) -> String {
    rounded_text(value, 4)
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str("the data rule out none of the values that were looked at"),
            Self::OpenAbove(low) => write!(f, "the data only say that it is at least about {}", number(*low)),
            Self::OpenBelow(high) => {
                write!(f, "the data only say that it is at most about {}", number(*high))
            }
            Self::BestAtLowerEnd(end) => write!(
                f,
                "the error falls down to {}, the lower end of the range that was searched, and may fall on below; \
                 widen the range",
                number(*end)
            ),
            Self::BestAtUpperEnd(end) => write!(
                f,
                "the error falls up to {}, the upper end of the range that was searched, and may fall on above; \
                 widen the range",
                number(*end)
            ),
            Self::Elsewhere { value, rise } if value.is_infinite() => {
                write!(
                    f,
                    "however large a value is ruled out by {:.1} standard deviations only",
                    rise.max(0.0).sqrt()
                )
            }
            Self::Elsewhere { value, rise } => write!(
                f,
                "{}, far away, is ruled out by {:.1} standard deviations only",
                number(*value),
                rise.max(0.0).sqrt()
            ),
            Self::Ragged { value } => write!(
                f,
                "the likelihood has several minima close by: {} is nearly as good, and the interval reaches to it",
                number(*value)
            ),
            Self::Lopsided { low, high, deviations } => write!(
                f,
                "values from {} to {} are not ruled out by {deviations:.1} standard deviations, many more \
                 than the interval lets expect",
                rounded_beside(*low, 4, high - low),
                rounded_beside(*high, 4, high - low)
            ),
            Self::Contradicted { at_least, at_most } => {
                let apart = at_least - at_most;
                write!(
                    f,
                    "some of the data say that it is at least {}, and others that it is at most {}",
                    rounded_beside(*at_least, 4, apart),
                    rounded_beside(*at_most, 4, apart)
                )
            }
            Self::Wide => f.write_str("its interval covers most of the values that it may have"),
            Self::Kink => f.write_str(
                "the best value lies at a kink or a jump of the likelihood, where intervals need not hold",
            ),
            Self::Unfinished => f.write_str("the search for the best value did not come to an end"),
        }
    }
}

/// What the data say about a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The best value; where all values above one are equally good, that one.
    pub value: f64,
    /// The values that the data admit at [`LEVEL`]; infinite where they are open.
    pub interval: [f64; 2],
    /// The probability that the interval is made for.
    pub level: f64,
    /// What speaks against the parameter being determined; it is if there is nothing.
    pub doubt: Option<Doubt>,
}

impl Estimate {
    /// The same of a parameter that is `unit` times as large.
    #[must_use]
    pub fn times(self, unit: f64) -> Self {
        Self {
            value: self.value * unit,
            interval: self.interval.map(|end| end * unit),
            doubt: self.doubt.map(|doubt| doubt.times(unit)),
            ..self
        }
    }
}

impl Doubt {
    /// The same about a parameter that is `unit` times as large.
    fn times(self, unit: f64) -> Self {
        match self {
            Self::OpenAbove(low) => Self::OpenAbove(low * unit),
            Self::OpenBelow(high) => Self::OpenBelow(high * unit),
            Self::BestAtLowerEnd(end) => Self::BestAtLowerEnd(end * unit),
            Self::BestAtUpperEnd(end) => Self::BestAtUpperEnd(end * unit),
            Self::Elsewhere { value, rise } => Self::Elsewhere { value: value * unit, rise },
            Self::Ragged { value } => Self::Ragged { value: value * unit },
            Self::Contradicted { at_least, at_most } => {
                Self::Contradicted { at_least: at_least * unit, at_most: at_most * unit }
            }
            Self::Lopsided { low, high, deviations } => {
                Self::Lopsided { low: low * unit, high: high * unit, deviations }
            }
            Self::Silent | Self::Wide | Self::Kink | Self::Unfinished => self,
        }
    }
}

/// The best parameters, and what the data say about each.
#[derive(Debug, Clone)]
pub struct Fit<P = Minimum> {
    /// The best parameters, with what is known there.
    pub best: P,
    /// The ends of all searches, by their starts.
    pub searches: Vec<(Vec<f64>, P)>,
}

impl<P: Clone> Fit<P> {
    /// Searches from all `starts`; `None` where none of them leads to a finite value.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn search<L: Landscape<Place = P>>(
        landscape: &mut L,
        starts: &[Vec<f64>],
    ) -> Result<Option<Self>, Interrupted> {
        let mut searches = Vec::with_capacity(starts.len());
        for start in starts {
            let end = landscape.minimise(start, None, None)?;
            searches.push((start.clone(), end));
        }
        let finite = searches.iter().map(|(_, end)| end).filter(|end| L::value(end).is_finite());
        let best = finite.min_by(|a, b| L::value(a).total_cmp(&L::value(b))).cloned();
        Ok(best.map(|best| Self { best, searches }))
    }

    /// What the data say about every parameter; the variance of the residuals was estimated with so many
    /// degrees of `freedom`. Where the profile of a parameter leads to a better minimum than the
    /// searches did, that one takes the place of the best.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn estimates<L: Landscape<Place = P>>(
        &mut self,
        landscape: &mut L,
        freedom: f64,
    ) -> Result<Vec<Estimate>, Interrupted> {
        for _ in 0..MOST_RESTARTS {
            match self.try_estimates(landscape, freedom) {
                Ok(estimates) => return Ok(estimates),
                Err(Stop::Interrupted) => return Err(Interrupted),
                Err(Stop::Better(better)) => {
                    self.best = landscape.minimise(L::parameters(&better), None, Some(&better))?;
                }
            }
        }
        // Every profile leads on to yet another minimum: nothing can be said.
        Ok((L::parameters(&self.best).iter().zip(landscape.bounds()))
            .map(|(&value, bound)| Estimate {
                value,
                interval: [bound.lower, bound.upper],
                level: LEVEL,
                doubt: Some(Doubt::Unfinished),
            })
            .collect())
    }

    fn try_estimates<L: Landscape<Place = P>>(
        &self,
        landscape: &mut L,
        freedom: f64,
    ) -> Result<Vec<Estimate>, Stop<P>> {
        let count = L::parameters(&self.best).len();
        (0..count).map(|index| self.estimate(landscape, index, freedom)).collect()
    }

    fn estimate<L: Landscape<Place = P>>(
        &self,
        landscape: &mut L,
        index: usize,
        freedom: f64,
    ) -> Result<Estimate, Stop<P>> {
        let best = &self.best;
        let bound = landscape.bounds()[index];
        let quantile = quantile(freedom);
        let rise = quantile * quantile;
        let ruled_out = landscape.beyond_doubt(rise);
        let mut value = L::parameters(best)[index];
        let interval = landscape.interval(best, index, rise)?;
        let [mut low, mut high] = interval.values();
        let mut doubts: Vec<Doubt> = Vec::new();
        doubts.extend((!L::converged(best)).then_some(Doubt::Unfinished));

        match (interval.low, interval.high) {
            (End::Bound(_), End::Open | End::Bound(_)) => doubts.push(Doubt::Silent),
            (_, End::Open) => {
                // The least of all the values that are equally good.
                value = landscape.end(best, index, Side::Low, FLAT)?.value();
                doubts.push(Doubt::OpenAbove(value));
            }
            _ => {}
        }
        if doubts.is_empty() {
            // Values that no path from the best one leads to: very large ones, other minima.
            let mut others = Vec::new();
            if bound.upper.is_infinite() {
                let far = landscape.profile(best, best, index, bound.far)?;
                others.push((f64::INFINITY, landscape.rise(best, &far, Some(index))?));
            }
            for (_, end) in &self.searches {
                others.push((L::parameters(end)[index], landscape.rise(best, end, None)?));
            }
            let strict = landscape.interval(best, index, ruled_out)?;
            if strict.high == End::Open
                && let Some((value, rise)) = others.first()
            {
                doubts.push(Doubt::Elsewhere { value: *value, rise: *rise });
            }
            let expected = LOPSIDED * (ruled_out / rise).sqrt();
            for (found, other) in others {
                let is_far =
                    (found - value).abs() > expected * 0.5 * (interval.high.value() - interval.low.value());
                if other <= rise && !interval.holds(found) {
                    (low, high) = (low.min(found), high.max(found));
                    let near = Doubt::Ragged { value: found };
                    doubts.push(if is_far { Doubt::Elsewhere { value: found, rise: other } } else { near });
                } else if other <= ruled_out && !strict.holds(found) && is_far {
                    doubts.push(Doubt::Elsewhere { value: found, rise: other });
                }
            }
            let is_lopsided = |end: End, strict: End| {
                matches!(end, End::Crossed(_))
                    && (strict.value() - value).abs() > expected * (end.value() - value).abs()
            };
            if is_lopsided(interval.low, strict.low) || is_lopsided(interval.high, strict.high) {
                doubts.push(Doubt::Lopsided {
                    low: strict.low.value(),
                    high: strict.high.value(),
                    deviations: ruled_out.sqrt(),
                });
            }
            if let (End::Crossed(below), End::Crossed(above)) = (interval.low, interval.high) {
                let sides = [value - below, above - value];
                if sides[0].max(sides[1]) > ONE_SIDED * sides[0].min(sides[1]) {
                    doubts.push(Doubt::Kink);
                }
            }
            if high - low > WIDE * (bound.upper - bound.lower) {
                doubts.push(Doubt::Wide);
            }
            // A value at the end of what is possible is a bound on it, unless that is close.
            let is_bound = high - low > CLOSE * (bound.upper - bound.lower);
            match (interval.low, interval.high) {
                (End::Bound(_), End::Crossed(_)) if is_bound && value - low < CLOSE * (high - low) => {
                    doubts.push(Doubt::OpenBelow(high));
                }
                (End::Crossed(_), End::Bound(_)) if is_bound && high - value < CLOSE * (high - low) => {
                    doubts.push(Doubt::OpenAbove(low));
                }
                _ => {}
            }
            for end in [interval.low, interval.high] {
                if let End::Crossed(end) = end
                    && !self.is_smooth(landscape, index, end, rise)?
                {
                    doubts.push(Doubt::Kink);
                }
            }
        }
        Ok(Estimate { value, interval: [low, high], level: LEVEL, doubt: doubts.first().copied() })
    }

    /// Whether `D` rises like a parabola between the minimum and an end of its interval.
    fn is_smooth<L: Landscape<Place = P>>(
        &self,
        landscape: &mut L,
        index: usize,
        end: f64,
        rise: f64,
    ) -> Result<bool, Stop<P>> {
        let best = &self.best;
        let half = 0.5 * (L::parameters(best)[index] + end);
        let found = landscape.profile(best, best, index, half)?;
        let share = landscape.rise(best, &found, Some(index))? / rise;
        Ok((SMOOTH[0]..=SMOOTH[1]).contains(&share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::Bound;

    /// Where the parabola has dips too narrow for a profile to see: close by, and far away.
    const DIPS: [f64; 2] = [2.2, -30.0];

    /// The parabola `x^2`, in which a search from afar stays where it starts and ends as it is told to.
    struct Parabola {
        bounds: [Bound; 1],
        converges: bool,
    }

    #[derive(Debug, Clone)]
    struct At {
        x: Vec<f64>,
        converged: bool,
    }

    impl Landscape for Parabola {
        type Place = At;

        fn bounds(&self) -> &[Bound] {
            &self.bounds
        }

        fn minimise(
            &mut self,
            start: &[f64],
            held: Option<usize>,
            near: Option<&At>,
        ) -> Result<At, Interrupted> {
            let is_led_down = held.is_none() && near.is_some();
            let x = if is_led_down { vec![0.0] } else { start.to_vec() };
            Ok(At { x, converged: self.converges })
        }

        fn parameters(place: &At) -> &[f64] {
            &place.x
        }

        fn value(place: &At) -> f64 {
            if DIPS.contains(&place.x[0]) { 3.0 } else { place.x[0] * place.x[0] }
        }

        fn converged(place: &At) -> bool {
            place.converged
        }

        fn rise(&mut self, best: &At, place: &At, _: Option<usize>) -> Result<f64, Interrupted> {
            Ok(Self::value(place) - Self::value(best))
        }

        fn is_better(best: &At, place: &At) -> bool {
            Self::value(place) < Self::value(best) - 1e-3
        }

        fn deviation(&self, _: &At, _: usize) -> Option<f64> {
            None
        }

        fn beyond_doubt(&self, rise: f64) -> f64 {
            2.0 * rise
        }
    }

    fn estimate(start: f64, converges: bool) -> Estimate {
        estimate_from(&[start], converges)
    }

    fn estimate_from(starts: &[f64], converges: bool) -> Estimate {
        let mut landscape = Parabola { bounds: [Bound::between(-100.0, 100.0)], converges };
        let starts: Vec<Vec<f64>> = starts.iter().map(|&start| vec![start]).collect();
        let mut fit = Fit::search(&mut landscape, &starts).expect("not interrupted").expect("a minimum");
        fit.estimates(&mut landscape, f64::INFINITY).expect("not interrupted")[0]
    }

    #[test]
    fn values_that_are_close_to_each_other_are_told_apart() {
        let doubt = Doubt::Lopsided { low: 0.999_999_89, high: 1.0, deviations: 4.8 };
        assert!(doubt.to_string().starts_with("values from 0.99999989 to 1 are not ruled out"), "{doubt}");
    }

    #[test]
    fn a_search_that_did_not_come_to_an_end_determines_nothing() {
        assert_eq!(estimate(0.0, true).doubt, None);
        assert_eq!(estimate(0.0, false).doubt, Some(Doubt::Unfinished));
    }

    #[test]
    fn a_better_value_on_the_way_along_a_profile_takes_the_place_of_the_best() {
        for start in [1.0, -7.0] {
            let found = estimate(start, true);
            assert_eq!(found.value, 0.0, "the search was content with {start}");
            let [low, high] = found.interval;
            assert!((low + 1.96).abs() < 0.05 && (high - 1.96).abs() < 0.05, "{found:?}");
        }
    }

    #[test]
    fn a_minimum_beside_the_interval_widens_it_and_is_not_called_far_away() {
        let found = estimate_from(&[0.0, DIPS[0]], true);
        assert_eq!(found.doubt, Some(Doubt::Ragged { value: DIPS[0] }));
        assert!((found.interval[0] + 1.96).abs() < 0.05 && found.interval[1] == DIPS[0], "{found:?}");
    }

    #[test]
    fn a_minimum_far_away_is_called_so() {
        let found = estimate_from(&[0.0, DIPS[1]], true);
        assert_eq!(found.doubt, Some(Doubt::Elsewhere { value: DIPS[1], rise: 3.0 }));
        assert_eq!(found.interval[0], DIPS[1], "{found:?}");
    }

    #[test]
    fn what_is_ruled_out_no_less_than_by_a_parabola_speaks_against_nothing() {
        assert_eq!(estimate_from(&[0.0, 2.5], true).doubt, None);
    }
}
