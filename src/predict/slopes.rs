//! How the predictions of a thrown point change with the numbers of the scenario.

use super::{
    Flight, Place, PredictError, Predictor, Start, Toss,
    predictor::{part_way, unstartable},
};
use crate::{
    gradient::{DifferentiableModels, GradientError, Input, Method, Variation, sampled},
    model::{State, Vector},
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

/// A number that predictions change with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varied {
    /// One of the scenario.
    Number(Input),
    /// The height of the ground in the recording.
    GroundHeight,
}

/// How far the predictions of a toss are from what was measured, row by row, and how that changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorSlopes<const D: usize> {
    /// Predicted less measured position in m, in the rows that are judged.
    pub errors: Vec<Vector<D>>,
    /// Per such row, its derivative with respect to each number.
    pub slopes: Vec<Vec<Vector<D>>>,
    /// The largest derivative of the state on the way, per number.
    pub largest: Vec<f64>,
}

/// Why predictions have no derivative.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SlopeError {
    /// The toss cannot be predicted.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// The stepper, or the exact motion, has none.
    #[error(transparent)]
    Gradient(#[from] GradientError),
}

impl<const D: usize> Predictor<D>
where
    Scenario<D>: DifferentiableModels<D>,
{
    /// Predicts the toss number `index`, from 0, of a single point by the steps of a stepper with the derivative of a
    /// method.
    ///
    /// # Errors
    /// [`SlopeError`]; [`GradientError::Interrupted`] in it if `watch` said to stop.
    pub fn error_slopes(
        &self,
        index: usize,
        model: (StepperName, Method),
        varied: &[Varied],
        flight: &Flight,
        watch: &Watch<'_>,
    ) -> Result<ErrorSlopes<D>, SlopeError> {
        let toss = &self.recording().tosses[index];
        let start = self.start_of(toss, flight)?;
        let scenario = self.scenario_from(toss, &start)?;
        let places = self.spacing().places(toss);
        // Both ends of the steps that rows are within.
        let mut at: Vec<usize> = places.iter().flat_map(|place| [place.steps, place.steps_to()]).collect();
        at.sort_unstable();
        at.dedup();
        // One that is taken on the ground stays there.
        let is_on_ground = start.state.position[D - 1] == 0.0;
        let variations: Vec<_> = (varied.iter())
            .map(|varied| {
                let mut variation = self.variation(toss, varied, flight);
                if is_on_ground {
                    variation.start.position[D - 1] = 0.0;
                }
                variation
            })
            .collect();
        let samples = sampled(&scenario, model, &variations, &at, watch)?;
        if samples.states.len() < at.len() {
            return Err(unstartable(format!("toss {} ends before its last row", toss.number)).into());
        }
        let ends = |place: &Place| {
            [place.steps, place.steps_to()].map(|steps| at.partition_point(|&sampled| sampled < steps))
        };
        let judged = toss.judged()..places.len();
        let errors = places[judged.clone()].iter().zip(&toss.states[judged.clone()]).map(|(place, row)| {
            let [from, to] = ends(place).map(|end| samples.states[end]);
            part_way(&from, &to, place.share).position - row.state.position
        });
        let errors = errors.collect();
        let slope = |(slope, varied): (State<D>, &Varied)| {
            let mut slope = slope.position;
            if *varied == Varied::GroundHeight {
                // What is measured sinks as the ground rises.
                slope[D - 1] += 1.0;
            }
            slope
        };
        let slopes = places[judged].iter().map(|place| {
            let [from, to] = ends(place).map(|end| &samples.slopes[end]);
            let here = from.iter().zip(to).map(|(from, to)| part_way(from, to, place.share));
            here.zip(varied).map(slope).collect()
        });
        let slopes = slopes.collect();
        Ok(ErrorSlopes { errors, slopes, largest: samples.largest })
    }

    /// How a run changes with a number, its start included.
    fn variation(&self, toss: &Toss<D>, varied: &Varied, flight: &Flight) -> Variation<D> {
        let mut change = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let input = match varied {
            Varied::GroundHeight => {
                change.position[D - 1] = -1.0;
                None
            }
            Varied::Number(input) => Some(*input),
        };
        if *varied == Varied::Number(Input::Gravity) && self.start() == Start::Fit {
            // The start of the flight that fits is linear in gravity, as long as it is fitted to the same rows.
            let mut heavier = self.scenario().clone();
            heavier.gravity += 1.0;
            change = self.start().change_of(toss, [self.scenario(), &heavier], self.moving(), flight);
        }
        Variation { input, start: change }
    }
}
