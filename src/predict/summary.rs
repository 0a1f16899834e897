use serde_json::{Map, Value, json};

use super::{Meeting, Prediction, Predictor, TriedLaw};

/// Angle in degrees from which on a body counts as having ended otherwise than measured: half of what leads a
/// cube from face to face.
const OTHERWISE: f64 = 45.0;

/// A mean over tosses with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The mean.
    pub mean: f64,
    /// The standard deviation over the root of the number of throws; not a number for a single throw.
    pub standard_error: f64,
}

impl Measure {
    /// Of values, each of which belongs to a throw. What is of one throw is not independent, so that the sums over
    /// the throws are what differs by chance.
    pub fn of(values: &[(usize, f64)]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / count;
        let of_throws = values.chunk_by(|one, other| one.0 == other.0);
        let sums: Vec<f64> =
            of_throws.map(|throw| throw.iter().map(|(_, value)| value - mean).sum()).collect();
        let throws = sums.len() as f64;
        let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
        Self { mean, standard_error: (squares * throws / (throws - 1.0)).sqrt() / count }
    }
}

/// What the predictions by one law are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct StepperErrors {
    /// By what they are.
    pub law: TriedLaw,
    /// Mean distance from the measured centre, as a fraction of the size of the body.
    pub position: Measure,
    /// Mean angle from the measured orientation, in degrees; `None` for a point.
    pub rotation: Option<Measure>,
    /// Distance in the last row.
    pub final_position: Measure,
    /// Angle in the last row.
    pub final_rotation: Option<Measure>,
    /// Tosses that ended turned by more than 45 degrees from the measurement.
    pub ended_otherwise: usize,
    /// Steps in all.
    pub steps: usize,
    /// Steps that failed.
    pub failed_steps: usize,
    /// Steps that a second attempt solved.
    pub rescued_steps: usize,
    /// Steps that are solved, and whose motion is not that of what touches.
    pub uncertified_steps: usize,
    /// Tosses that did not come to their end, because of a failed step; the means are without them.
    pub unfinished: usize,
}

impl StepperErrors {
    /// Of the predictions of all tosses.
    pub fn of<const D: usize>(
        law: impl Into<TriedLaw>,
        predictions: &[Prediction<D>],
        predictor: &Predictor<D>,
    ) -> Self {
        let units = predictor.recording().units();
        let errors: Vec<_> = (predictions.iter())
            .filter_map(|prediction| Some((units[prediction.toss], prediction.error?)))
            .collect();
        let turns = predictor.recording().tosses.iter().flat_map(|toss| &toss.states);
        let turns = turns.clone().next().is_some_and(|state| state.attitude.is_some());
        let measure = |of: &dyn Fn(&super::TossError) -> f64| {
            Measure::of(&errors.iter().map(|(unit, error)| (*unit, of(error))).collect::<Vec<_>>())
        };
        let sum = |of: &dyn Fn(&Prediction<D>) -> usize| predictions.iter().map(of).sum();
        Self {
            law: law.into(),
            position: measure(&|error| error.position),
            rotation: turns.then(|| measure(&|error| error.rotation)),
            final_position: measure(&|error| error.final_position),
            final_rotation: turns.then(|| measure(&|error| error.final_rotation)),
            ended_otherwise: errors.iter().filter(|(_, error)| error.final_rotation > OTHERWISE).count(),
            steps: sum(&|prediction| prediction.steps),
            failed_steps: sum(&|prediction| prediction.failed),
            rescued_steps: sum(&|prediction| prediction.rescued),
            uncertified_steps: sum(&|prediction| prediction.uncertified),
            unfinished: predictions.len() - errors.len(),
        }
    }

    fn to_json(&self) -> Value {
        let error = |measure: &Option<Measure>| measure.map(|measure| measure.standard_error);
        let mean = |measure: &Option<Measure>| measure.map(|measure| measure.mean);
        json!({
            "position": self.position.mean,
            "rotation": mean(&self.rotation),
            "standard_error": {
                "position": self.position.standard_error,
                "rotation": error(&self.rotation),
            },
            "final_position": self.final_position.mean,
            "final_rotation": mean(&self.final_rotation),
            "ended_otherwise": self.rotation.map(|_| self.ended_otherwise),
            "steps": self.steps,
            "failed_steps": self.failed_steps,
            "rescued_steps": self.rescued_steps,
            "uncertified_steps": self.uncertified_steps,
            "unfinished_tosses": self.unfinished,
        })
    }
}

/// Predictions as written to `summary.json`: positions as fractions of `size` metres, rotations in degrees.
pub fn prediction_summary<const D: usize>(
    predictor: &Predictor<D>,
    errors: &[StepperErrors],
    predictions: &[Vec<Prediction<D>>],
) -> Value {
    let recording = predictor.recording();
    let (below_ground, _) = predictor.sunk();
    let steppers: Map<String, Value> =
        errors.iter().map(|errors| (errors.law.to_string(), errors.to_json())).collect();
    json!({
        "scenario": predictor.scenario().name,
        "version": env!("CARGO_PKG_VERSION"),
        "data": recording.file,
        "tosses": recording.throws(),
        "rows": recording.rows(),
        "windows": recording.windows_to_json(),
        "start": predictor.start().as_str(),
        "step": predictor.spacing().step,
        "steps_per_row": predictor.spacing().per_row,
        "step_adapted": predictor.spacing().meeting == Meeting::Adapted,
        "rows_within_steps": predictor.spacing().meeting == Meeting::Within,
        "times_rounded_to": predictor.rounded(),
        "size": predictor.size(),
        "starts_below_ground": below_ground,
        "doubts": predictor.doubts(),
        "steppers": steppers,
        "ended_otherwise_by_every_stepper": missed_by_all(predictions),
    })
}

/// Tosses that every stepper ends turned by more than 45 degrees from the measurement.
pub fn missed_by_all<const D: usize>(predictions: &[Vec<Prediction<D>>]) -> usize {
    let tosses = predictions.iter().map(Vec::len).min().unwrap_or(0);
    let is_missed =
        |prediction: &Prediction<D>| prediction.error.is_none_or(|error| error.final_rotation > OTHERWISE);
    (0..tosses).filter(|&toss| predictions.iter().all(|of_stepper| is_missed(&of_stepper[toss]))).count()
}
