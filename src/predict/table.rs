use std::io::{self, Write};

use super::{Prediction, Predictor};
use crate::{decimal::cell, stepper::StepperName};

/// Writes `errors.csv`, a row per stepper and toss:
/// `stepper,toss,position,rotation,final_position,final_rotation`, positions as fractions of the size of the
/// body (for a point in m), rotations in degrees (for a point empty). A toss that a failed step ended has no
/// figures.
///
/// # Errors
/// Those of `out`.
pub fn write_errors<const D: usize>(
    predictor: &Predictor<D>,
    names: &[StepperName],
    predictions: &[Vec<Prediction<D>>],
    out: impl Write,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["stepper", "toss", "position", "rotation", "final_position", "final_rotation"])?;
    for (name, of_stepper) in names.iter().zip(predictions) {
        for prediction in of_stepper {
            let toss = &predictor.recording().tosses[prediction.toss];
            let turns = toss.states.first().is_some_and(|state| state.attitude.is_some());
            let figure = |of: &dyn Fn(&super::TossError) -> f64, is_there: bool| {
                let error = prediction.error.as_ref().filter(|_| is_there);
                cell(error.map(of))
            };
            csv.write_record([
                name.to_string(),
                toss.number.to_string(),
                figure(&|error| error.position, true),
                figure(&|error| error.rotation, turns),
                figure(&|error| error.final_position, true),
                figure(&|error| error.final_rotation, turns),
            ])?;
        }
    }
    csv.flush()
}
