use std::io::{self, Write};

use super::{Prediction, Predictor, TriedLaw};
use crate::decimal::{cell, rounded};

/// Digits of times, whose last are those of sums.
const DIGITS: usize = 9;

/// Writes `errors.csv`, a row per stepper and toss (and law of impacts, which then stands behind the stepper):
/// `stepper,toss,position,rotation,final_position,final_rotation`, positions as fractions of the size of the
/// body (for a point in m), rotations in degrees (for a point empty). A toss that a failed step ended has no
/// figures. Where the recording is cut into windows, `from,judged,to` stand behind `toss`: when in its throw a window
/// begins, from when on errors are counted, and when it ends, in s.
///
/// # Errors
/// Those of `out`.
pub fn write_errors<const D: usize>(
    predictor: &Predictor<D>,
    laws: &[TriedLaw],
    predictions: &[Vec<Prediction<D>>],
    out: impl Write,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let is_cut = predictor.recording().is_cut();
    let span: &[&str] = if is_cut { &["from", "judged", "to"] } else { &[] };
    csv.write_record(
        [&["stepper", "toss"][..], span, &["position", "rotation", "final_position", "final_rotation"]]
            .concat(),
    )?;
    for (law, by_law) in laws.iter().zip(predictions) {
        for prediction in by_law {
            let toss = &predictor.recording().tosses[prediction.toss];
            let turns = toss.states.first().is_some_and(|state| state.attitude.is_some());
            let figure = |of: &dyn Fn(&super::TossError) -> f64, is_there: bool| {
                let error = prediction.error.as_ref().filter(|_| is_there);
                cell(error.map(of))
            };
            let mut row = vec![law.to_string(), toss.number.to_string()];
            if is_cut {
                let judged = toss.times().nth(toss.judged()).unwrap_or(0.0);
                let times = [0.0, judged, toss.duration()];
                row.extend(times.map(|time| rounded(toss.passed + time, DIGITS).to_string()));
            }
            row.extend([
                figure(&|error| error.position, true),
                figure(&|error| error.rotation, turns),
                figure(&|error| error.final_position, true),
                figure(&|error| error.final_rotation, turns),
            ]);
            csv.write_record(row)?;
        }
    }
    csv.flush()
}
