//! What is known of the derivatives of the exact motion.

use super::{
    DifferentiableModels, ExactGradient, GradientError, GradientRequest, Grid, Input, OneSided, Subject,
    WithoutExact,
    bodies::{NoSlopes, exact_slopes},
    output::output_names,
    window::is_edge,
};
use crate::{scenario::Scenario, watch::Watch};

/// The derivatives of the exact motion.
pub(super) enum Truth<const D: usize> {
    /// Those of a point, followed in dual numbers.
    Followed(Box<Result<ExactGradient<D>, GradientError>>),
    /// Those of one body, by differences of its motion: of all results, per input.
    Differences(Vec<String>, Vec<Result<Vec<f64>, NoSlopes>>),
}

impl<const D: usize> Truth<D> {
    /// Differentiates the exact motion.
    ///
    /// # Errors
    /// [`GradientError::Interrupted`] if `watch` says to stop.
    pub fn of(scenario: &Scenario<D>, inputs: &[Input], watch: &Watch<'_>) -> Result<Self, GradientError>
    where
        Scenario<D>: DifferentiableModels<D>,
    {
        if Subject::of(scenario) == Subject::Point {
            let grid = Grid::new(scenario.time());
            let mut exact = ExactGradient::new(scenario, inputs, grid, watch);
            GradientError::unless_stopped(watch)?;
            if let Ok(exact) = &mut exact {
                exact.look_beside(scenario, inputs, grid, watch)?;
            }
            return Ok(Self::Followed(Box::new(exact)));
        }
        let mut all = Vec::with_capacity(inputs.len());
        for &wrt in inputs {
            GradientError::unless_stopped(watch)?;
            all.push(exact_slopes(scenario, wrt));
        }
        Ok(Self::Differences(output_names(scenario), all))
    }

    /// That of a point, which is a stepper's too.
    pub fn followed(&self) -> Option<&Result<ExactGradient<D>, GradientError>> {
        match self {
            Self::Followed(exact) => Some(exact),
            Self::Differences(..) => None,
        }
    }

    /// Whether the motion is known around this value of input `index`, with a derivative or a kink there.
    pub fn is_known(&self, index: usize) -> bool {
        match self {
            Self::Followed(exact) => exact.is_ok(),
            Self::Differences(_, slopes) => !matches!(slopes[index], Err(NoSlopes::Unknown(_))),
        }
    }

    /// The derivative of a result with respect to input `index`, where the motion has the one and the other.
    pub fn slope(&self, of: &str, index: usize) -> Option<f64> {
        match self {
            Self::Followed(exact) => {
                let exact = exact.as_ref().as_ref().ok()?;
                let (_, slopes) = exact.result(of)?;
                slopes.get(index).copied().filter(|_| exact.one_sided(of, index).is_none())
            }
            Self::Differences(names, slopes) => {
                let place = names.iter().position(|name| name == of)?;
                slopes[index].as_ref().ok()?.get(place).copied()
            }
        }
    }

    /// Whether all results of the motion are on a kink along input `index`.
    pub fn is_on_kink(&self, index: usize) -> bool {
        matches!(self, Self::Differences(_, slopes) if slopes[index] == Err(NoSlopes::Kink))
    }

    /// The inputs that some of the results asked for have no derivative with respect to.
    pub fn without(&self, request: &GradientRequest) -> Vec<WithoutExact> {
        let inputs = request.inputs.iter().enumerate();
        let without = |(index, &wrt): (usize, &Input)| {
            let reason = match self {
                Self::Followed(exact) => {
                    let exact = exact.as_ref().as_ref().ok()?;
                    let has_kink = |of: &String| -> Option<OneSided> { exact.one_sided(of, index) };
                    request.outputs.iter().find_map(has_kink)?;
                    match is_edge(wrt) {
                        true => "another window, or the run, begins or ends there too".to_owned(),
                        false => "the motion has a kink there".to_owned(),
                    }
                }
                Self::Differences(_, slopes) => slopes[index].as_ref().err()?.to_string(),
            };
            Some(WithoutExact { wrt, reason })
        };
        inputs.filter_map(without).collect()
    }
}
