//! Whether the data determine a parameter, and what speaks against it.

use std::{fmt, ops::ControlFlow};

use super::{
    LEVEL,
    interval::{End, Side, Stop, quantile},
    search::{Interrupted, Minimum, Problem, Search},
};

/// Rise of `D`, five standard deviations, that rules a value out beyond doubt. A verdict must hold in
/// many thousands of data sets, an interval only in 95 of 100.
const RULED_OUT: f64 = 25.0;
/// How many times farther than expected of a parabola the values reach that are not ruled out.
const LOPSIDED: f64 = 3.0;
/// `D` half way to the end of an interval over `D` at the end: 1/4 of a parabola, 1/2 at a kink, next to
/// nothing before a jump.
const SMOOTH: [f64; 2] = [0.04, 0.45];
/// Share of a bounded range that an interval may cover.
const WIDE: f64 = 0.5;
/// Times that a search begins again because a profile found a better minimum.
const MOST_RESTARTS: usize = 8;
/// Rise of `D` that is nothing: where it is flat, the end of the flat part is there.
const FLAT: f64 = 1e-2;

/// What speaks against a parameter being determined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// The data say nothing about it.
    Silent,
    /// No value above this one is ruled out.
    OpenAbove(f64),
    /// No value below this one is ruled out.
    OpenBelow(f64),
    /// Another value, far away, explains the data nearly as well; the rise of `D` there.
    Elsewhere {
        /// The value.
        value: f64,
        /// How much worse it is, in units of the variance.
        rise: f64,
    },
    /// Values reach farther than the interval lets expect before they are ruled out.
    Lopsided {
        /// The least that is not ruled out.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// The interval covers most of what is possible.
    Wide,
    /// The best value lies at a kink or before a jump of the likelihood.
    Kink,
    /// The search did not come to an end.
    Unfinished,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str("the data say nothing about it"),
            Self::OpenAbove(low) => write!(f, "the data only say that it is at least about {low:.4}"),
            Self::OpenBelow(high) => write!(f, "the data only say that it is at most about {high:.4}"),
            Self::Elsewhere { value, rise } if value.is_infinite() => {
                write!(
                    f,
                    "however large a value explains the data nearly as well (by {:.1} standard deviations)",
                    rise.max(0.0).sqrt()
                )
            }
            Self::Elsewhere { value, rise } => write!(
                f,
                "{value:.4} explains the data nearly as well (by {:.1} standard deviations)",
                rise.max(0.0).sqrt()
            ),
            Self::Lopsided { low, high } => write!(
                f,
                "values from {low:.4} to {high:.4} are not ruled out by five standard deviations, many more than the \
                 interval lets expect"
            ),
            Self::Wide => f.write_str("its interval covers most of the values that it may have"),
            Self::Kink => f.write_str(
                "the best value lies at a kink or a jump of the likelihood, where intervals do not hold",
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

/// The best parameters, and what the data say about each.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The best parameters with their unknowns.
    pub best: Minimum,
    /// The ends of all searches, by their starts.
    pub searches: Vec<(Vec<f64>, Minimum)>,
}

impl Fit {
    /// Searches from all `starts`.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn search<P: Problem>(
        problem: &P,
        starts: &[Vec<f64>],
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Self>, Interrupted> {
        let mut searches = Vec::with_capacity(starts.len());
        for start in starts {
            let end = Search::new(problem, watch).minimise(start, None, None)?;
            searches.push((start.clone(), end));
        }
        let finite = searches.iter().map(|(_, end)| end).filter(|end| end.squares().is_finite());
        let best = finite.min_by(|a, b| a.squares().total_cmp(&b.squares())).cloned();
        Ok(best.map(|best| Self { best, searches }))
    }

    /// What the data say about every parameter; the variance of the residuals was estimated with so many
    /// degrees of `freedom`. Where the profile of a parameter leads to a better minimum than the
    /// searches did, that one takes the place of the best.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn estimates<P: Problem>(
        &mut self,
        problem: &P,
        freedom: f64,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<Estimate>, Interrupted> {
        let mut search = Search::new(problem, watch);
        for _ in 0..MOST_RESTARTS {
            match self.try_estimates(&mut search, freedom) {
                Ok(estimates) => return Ok(estimates),
                Err(Stop::Interrupted) => return Err(Interrupted),
                Err(Stop::Better(better)) => {
                    self.best = search.minimise(&better.parameters, None, Some(&better.unknowns))?;
                }
            }
        }
        // Every profile leads on to yet another minimum: nothing can be said.
        let bounds = problem.bounds();
        Ok((self.best.parameters.iter().zip(bounds))
            .map(|(&value, bound)| Estimate {
                value,
                interval: [bound.lower, bound.upper],
                level: LEVEL,
                doubt: Some(Doubt::Unfinished),
            })
            .collect())
    }

    fn try_estimates<P: Problem>(
        &self,
        search: &mut Search<'_, P>,
        freedom: f64,
    ) -> Result<Vec<Estimate>, Stop> {
        (0..self.best.parameters.len()).map(|index| self.estimate(search, index, freedom)).collect()
    }

    fn estimate<P: Problem>(
        &self,
        search: &mut Search<'_, P>,
        index: usize,
        freedom: f64,
    ) -> Result<Estimate, Stop> {
        let best = &self.best;
        let bound = search.bounds()[index];
        let quantile = quantile(freedom);
        let rise = quantile * quantile;
        let ruled_out = RULED_OUT.max(rise);
        let mut value = best.parameters[index];
        let interval = search.interval(best, index, rise)?;
        let [mut low, mut high] = interval.values();
        let mut doubts: Vec<Doubt> = Vec::new();
        doubts.extend((!best.converged).then_some(Doubt::Unfinished));

        match (interval.low, interval.high) {
            (End::Bound(_), End::Open | End::Bound(_)) => doubts.push(Doubt::Silent),
            (_, End::Open) => {
                // The least of all the values that are equally good.
                value = search.end(best, index, Side::Low, FLAT)?.value();
                doubts.push(Doubt::OpenAbove(value));
            }
            _ => {}
        }
        if doubts.is_empty() {
            // Values that no path from the best one leads to: very large ones, other minima.
            let mut others = Vec::new();
            if bound.upper.is_infinite() {
                let far = search.profile(best, best, index, bound.far)?;
                others.push((f64::INFINITY, far.squares()));
            }
            let ends = self.searches.iter().map(|(_, end)| (end.parameters[index], end.squares()));
            others.extend(ends);
            let strict = search.interval(best, index, ruled_out)?;
            if strict.high == End::Open
                && let Some((value, squares)) = others.first()
            {
                doubts.push(Doubt::Elsewhere { value: *value, rise: squares - best.squares() });
            }
            for (value, squares) in others {
                let other = squares - best.squares();
                if other <= rise && !interval.holds(value) {
                    (low, high) = (low.min(value), high.max(value));
                    doubts.push(Doubt::Elsewhere { value, rise: other });
                } else if other <= ruled_out && !strict.holds(value) {
                    doubts.push(Doubt::Elsewhere { value, rise: other });
                }
            }
            let expected = LOPSIDED * (ruled_out / rise).sqrt();
            let is_lopsided = |end: End, strict: End| {
                matches!(end, End::Crossed(_))
                    && (strict.value() - value).abs() > expected * (end.value() - value).abs()
            };
            if is_lopsided(interval.low, strict.low) || is_lopsided(interval.high, strict.high) {
                doubts.push(Doubt::Lopsided { low: strict.low.value(), high: strict.high.value() });
            }
            if high - low > WIDE * (bound.upper - bound.lower) {
                doubts.push(Doubt::Wide);
            }
            for end in [interval.low, interval.high] {
                if let End::Crossed(end) = end
                    && !self.is_smooth(search, index, end, rise)?
                {
                    doubts.push(Doubt::Kink);
                }
            }
        }
        Ok(Estimate { value, interval: [low, high], level: LEVEL, doubt: doubts.first().copied() })
    }

    /// Whether `D` rises like a parabola between the minimum and an end of its interval.
    fn is_smooth<P: Problem>(
        &self,
        search: &mut Search<'_, P>,
        index: usize,
        end: f64,
        rise: f64,
    ) -> Result<bool, Stop> {
        let best = &self.best;
        let half = 0.5 * (best.parameters[index] + end);
        let found = search.profile(best, best, index, half)?;
        let share = (found.squares() - best.squares()) / rise;
        Ok((SMOOTH[0]..=SMOOTH[1]).contains(&share))
    }
}
