use super::inner::Inner;
use crate::learn::{data::BlockSample, input::LearnError};

/// Steps of the block between two questions whether to go on.
const STRIDE: usize = 1000;

/// Gradient that a step has turned round, over that before, from which on the next steps are half as long for their gradient.
const BACK_AND_FORTH: f64 = 0.9;

/// The outer problem: the mean over all steps of the value of their inner problems.
#[derive(Debug, Clone, Copy)]
pub struct Outer<'a> {
    /// The steps.
    pub samples: &'a [BlockSample],
    /// The inner problem.
    pub inner: Inner,
}

/// How gradient descent goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Step over gradient, as long as steps do not go back and forth.
    pub rate: f64,
    /// Gradient at which the search ends.
    pub tolerance: f64,
    /// Most steps.
    pub most_steps: usize,
}

/// One search for the friction.
#[derive(Debug, Clone, PartialEq)]
pub struct Descent {
    /// The friction after every step, the start first.
    pub path: Vec<f64>,
    /// Value of the outer problem at the end.
    pub value: f64,
    /// Its gradient at the end.
    pub slope: f64,
    /// Whether the gradient vanishes there or changes its sign, or friction cannot go further down; otherwise the
    /// steps ran out.
    pub converged: bool,
}

impl Descent {
    /// Where it ended.
    pub fn end(&self) -> f64 {
        self.path.last().copied().unwrap_or(f64::NAN)
    }
}

impl Outer<'_> {
    /// Value and gradient at friction `mu`.
    ///
    /// # Errors
    /// [`LearnError::QuadraticProgram`] if an inner problem is not solved, or its value or gradient
    /// is not finite.
    pub fn evaluate(&self, friction: f64) -> Result<(f64, f64), LearnError> {
        self.evaluate_watched(friction, &mut || Ok(()))
    }

    /// The same; `watch` is asked between steps whether to go on.
    pub(super) fn evaluate_watched(
        &self,
        friction: f64,
        watch: &mut dyn FnMut() -> Result<(), LearnError>,
    ) -> Result<(f64, f64), LearnError> {
        let (mut value, mut slope) = (0.0, 0.0);
        let fail = |reason| LearnError::QuadraticProgram { friction, reason };
        for (index, sample) in self.samples.iter().enumerate() {
            if index.is_multiple_of(STRIDE) {
                watch()?;
            }
            let solved = self.inner.program(sample, friction).solve().map_err(fail)?;
            value += solved.value;
            slope += solved.slope;
        }
        if !f64::is_finite(value + slope) {
            return Err(fail("its value or gradient is not finite".to_owned()));
        }
        let count = self.samples.len().max(1) as f64;
        Ok((value / count, slope / count))
    }

    /// Gradient descent from `start`, on friction that is not negative.
    ///
    /// # Errors
    /// See [`Self::evaluate`].
    pub fn descend(&self, start: f64, settings: &Settings) -> Result<Descent, LearnError> {
        self.descend_watched(start, settings, &mut || Ok(()))
    }

    /// The same; `watch` is asked all along whether to go on.
    pub(super) fn descend_watched(
        &self,
        start: f64,
        settings: &Settings,
        watch: &mut dyn FnMut() -> Result<(), LearnError>,
    ) -> Result<Descent, LearnError> {
        let mut friction = start.max(0.0);
        let mut path = vec![friction];
        let (mut value, mut slope) = self.evaluate_watched(friction, watch)?;
        let mut rate = settings.rate;
        let converged = loop {
            let next = (friction - rate * slope).max(0.0);
            if slope.abs() <= settings.tolerance || next == friction {
                break true;
            }
            if path.len() > settings.most_steps {
                break false;
            }
            friction = next;
            path.push(friction);
            let before = slope;
            (value, slope) = self.evaluate_watched(friction, watch)?;
            // Over a kink, where steps of the same rate would go back and forth for good.
            if slope * before < 0.0 && slope.abs() > BACK_AND_FORTH * before.abs() {
                rate *= 0.5;
            }
        };
        Ok(Descent { path, value, slope, converged })
    }
}
