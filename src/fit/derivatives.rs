//! Whether the slopes of the predictions lead to the parameters that predict best.

use std::fmt;

use rayon::prelude::*;

use super::{FitParameter, FitTask, GROUND_HEIGHT, objective::Trial};
use crate::{
    gradient::{
        BIAS_LIMIT, DifferentiableModels, GradientError, Input, Method, Quality, Subject, exploding_above,
    },
    likelihood::Interrupted,
    model::Vector,
    predict::{ErrorSlopes, SlopeError, Start, Varied},
    scenario::{AnyScenario, Scenario},
    stepper::StepperName,
    watch::Watch,
};

/// Change of all predictions over the range of a parameter, in m, that counts as none.
const NOTHING: f64 = 1e-9;
/// How far to either side, as a part of the range, differences are taken: beyond most kinks.
const ASIDE: f64 = 1e-2;
/// Least correlation of slopes with such differences, which have the noise of the kinks.
const ALIKE: f64 = 0.95;

/// How far slopes of steps may be off those of the exact motion, relative: the rows of a motion that has bounced some
/// times are not in the same place.
const ROUGHLY: f64 = 0.2;

/// What slopes are held against.
struct Yardstick<const D: usize> {
    what: &'static str,
    /// Per parameter, of all rows.
    slopes: Vec<Vec<Vector<D>>>,
    /// How far off slopes may be, relative.
    off: f64,
    /// Least correlation.
    alike: f64,
}

/// How the parameters are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchMethod {
    /// By those of the stepper's own steps, and without any at the end.
    Derivatives,
    /// Without derivatives, and why.
    WithoutDerivatives(String),
}

impl fmt::Display for SearchMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Derivatives => f.write_str("by gradients"),
            Self::WithoutDerivatives(reason) => write!(f, "without derivatives: {reason}"),
        }
    }
}

impl<const D: usize> FitTask<D> {
    /// What the parameters are to a gradient, or why one of them has none.
    pub(super) fn varied(&self, scenario: &Scenario<D>) -> Result<Vec<Varied>, String> {
        if Subject::of(scenario) == Subject::Bodies {
            return Err("derivatives of bodies cost more runs than they spare".to_owned());
        }
        let of_parameter = |parameter: &FitParameter| {
            let key = &parameter.key;
            if key == GROUND_HEIGHT {
                return Ok(Varied::GroundHeight);
            }
            let none = || format!("`{key}` has none");
            let dotted = key.replace('[', ".").replace(']', "");
            let input: Input = dotted.parse().map_err(|_| none())?;
            let is_held =
                matches!(input, Input::Position(_) | Input::Velocity(_) | Input::Step | Input::OfBody(..));
            // The start of the flight that fits turns with the slope.
            let turns_the_start = input == Input::Slope && self.start == Start::Fit;
            if is_held || turns_the_start || parameter.is_list() {
                return Err(none());
            }
            Ok(Varied::Number(input))
        };
        self.parameters.iter().map(of_parameter).collect()
    }
}

impl<const D: usize> FitTask<D>
where
    Scenario<D>: DifferentiableModels<D> + TryFrom<AnyScenario>,
{
    /// The slopes of the predictions of all tosses; `None` where one of them has none.
    pub(super) fn error_slopes(
        &self,
        trial: &Trial<D>,
        model: (StepperName, Method),
        varied: &[Varied],
        watch: &Watch<'_>,
    ) -> Result<Result<Vec<ErrorSlopes<D>>, String>, Interrupted> {
        let tosses = self.recording.tosses.len();
        let of_toss = |toss| trial.predictor.error_slopes(toss, model, varied, &trial.flight, watch);
        let found: Vec<_> = (0..tosses).into_par_iter().map(of_toss).collect();
        match found.into_iter().collect::<Result<Vec<_>, _>>() {
            Ok(slopes) => Ok(Ok(slopes)),
            Err(SlopeError::Gradient(GradientError::Interrupted)) => Err(Interrupted),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// How to search from `given`: by the gradient of the steps, if it is no worse there by any parameter than a
    /// gradient may be.
    ///
    /// What it is held against is the trend of the predictions, differences of them over the nearest kinks, and roughly
    /// the derivative of the motion: that belongs to another place, where the steps have led away from the motion, but
    /// knows of kinks that lie farther apart.
    ///
    /// # Errors
    /// [`Interrupted`] if `watch` said to stop.
    pub fn search_method(&self, given: &[f64], watch: &Watch<'_>) -> Result<SearchMethod, Interrupted> {
        let none = |reason: String| Ok(SearchMethod::WithoutDerivatives(reason));
        if given.len() < 2 {
            return none("derivatives would save no runs with a single parameter".to_owned());
        }
        let scenario = self.scenario(given).ok().and_then(|any| Scenario::<D>::try_from(any).ok());
        let varied = match scenario.map(|scenario| self.varied(&scenario)) {
            Some(Ok(varied)) => varied,
            Some(Err(reason)) => return none(reason),
            None => return none("there is no scenario where the search begins".to_owned()),
        };
        let Some(trial) = self.trial(given) else {
            return none("there is no prediction where the search begins".to_owned());
        };
        let slopes = |trial: &Trial<D>, method, varied: &[Varied]| {
            self.error_slopes(trial, (self.stepper, method), varied, watch)
        };
        let raw = match slopes(&trial, Method::Raw, &varied)? {
            Ok(raw) => raw,
            Err(reason) => return none(reason),
        };
        let mut trends = Vec::with_capacity(given.len());
        for (index, FitParameter { key, range: [low, high], .. }) in self.parameters.iter().enumerate() {
            let aside = [-ASIDE, ASIDE].map(|share| (given[index] + share * (high - low)).clamp(*low, *high));
            let mut ends = Vec::with_capacity(2);
            for value in aside {
                let mut values = given.to_vec();
                values[index] = value;
                let Some(trial) = self.trial(&values) else { break };
                let Ok(found) = slopes(&trial, Method::Raw, &[])? else { break };
                ends.push(found);
            }
            let [before, after] = ends.as_slice() else {
                return none(format!(
                    "there is no prediction for `{key}` to either side of where the search begins"
                ));
            };
            let errors = |tosses: &[ErrorSlopes<D>]| -> Vec<Vector<D>> {
                tosses.iter().flat_map(|toss| toss.errors.iter().copied()).collect()
            };
            let pairs = errors(after).into_iter().zip(errors(before));
            trends.push(pairs.map(|(after, before)| (after - before) / (aside[1] - aside[0])).collect());
        }
        let trend =
            Yardstick { what: "the trend of the predictions", slopes: trends, off: BIAS_LIMIT, alike: ALIKE };
        let exact = self.error_slopes(&trial, (StepperName::EXACT, Method::Raw), &varied, watch)?.ok();
        let exact = exact.map(|exact| {
            let by =
                |index: usize| exact.iter().flat_map(|toss| &toss.slopes).map(|row| row[index]).collect();
            let slopes = (0..given.len()).map(by).collect();
            Yardstick { what: "those of the motion", slopes, off: ROUGHLY, alike: 0.0 }
        });
        let limit = exploding_above(trial.predictor.scenario());
        let by_exact = || exact.as_ref().and_then(|exact| self.doubt(limit, &raw, exact));
        match self.doubt(limit, &raw, &trend).or_else(by_exact) {
            None => Ok(SearchMethod::Derivatives),
            Some(doubt) => none(format!("the gradient by {doubt} where the search begins")),
        }
    }

    /// What speaks against the slopes by a parameter, all rows of all tosses together.
    fn doubt(&self, limit: f64, slopes: &[ErrorSlopes<D>], yardstick: &Yardstick<D>) -> Option<String> {
        let verdict = |(index, parameter): (usize, &FitParameter)| {
            let width = parameter.range[1] - parameter.range[0];
            let largest = slopes.iter().map(|slopes| slopes.largest[index]).fold(0.0, f64::max);
            let own = slopes.iter().flat_map(|toss| &toss.slopes).map(|row| &row[index]);
            let (mut own_square, mut square, mut product) = (0.0, 0.0, 0.0);
            for (own, trend) in own.zip(&yardstick.slopes[index]) {
                own_square += own.norm_squared();
                square += trend.norm_squared();
                product += own.dot(trend);
            }
            let key = &parameter.key;
            let share = product / square;
            let bias = (share - 1.0).abs();
            // How far the noise of the kinks in the trend may put it off: two standard errors.
            let count = yardstick.slopes[index].len() as f64;
            let noise = 2.0 * ((own_square / square - share * share).max(0.0) / count).sqrt();
            if largest * width > limit {
                Some(format!("`{key}` is {}", Quality::Exploding.as_str()))
            } else if own_square.max(square).sqrt() * width <= NOTHING {
                Some(format!("`{key}` is {}", Quality::Zero.as_str()))
            } else if bias.is_nan() || bias > yardstick.off + noise {
                Some(format!(
                    "`{key}` is {}, {:.0} % off {},",
                    Quality::Biased.as_str(),
                    100.0 * bias,
                    yardstick.what
                ))
            } else if product < yardstick.alike * (own_square * square).sqrt() {
                Some(format!("`{key}` is noise beside {}", yardstick.what))
            } else {
                None
            }
        };
        self.parameters.iter().enumerate().find_map(verdict)
    }
}
