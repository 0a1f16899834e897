//! A recorded throw and what steppers predict of it, as a motion that a page can play.

use super::{
    Motion,
    motion::{DIGITS, MotionSeries, REFERENCE_DIGITS, columns_of_motion, values_of_motion},
    number::Column,
    scene::Scene,
};
use crate::{
    decimal::rounded,
    metrics::Energy,
    model::{Attitude, State, axis_names},
    plot::{Style, hexadecimal},
    predict::{Prediction, Predictor, StepperErrors},
    scenario::Moments,
};

/// Name of the measured motion among those of the steppers.
const MEASURED: &str = "measured";

impl Motion {
    /// The toss number `index`, from 0, as it was measured and as every stepper predicts it, at the times of its
    /// rows. There are no forces in it: nobody measured them.
    pub fn of_throw<const D: usize>(
        predictor: &Predictor<D>,
        errors: &[StepperErrors],
        predictions: &[Vec<Prediction<D>>],
        index: usize,
    ) -> Option<Self> {
        let toss = predictor.recording().tosses.get(index)?;
        let (scenario, moving) = (predictor.scenario(), predictor.moving());
        let moments = Moments::of(&scenario.bodies);
        let measured: Vec<_> = toss.states.iter().map(|row| (row.state, row.attitude)).collect();
        let series = |label: String, style: Style, states: &[(State<D>, Option<Attitude>)]| MotionSeries {
            label,
            colour: hexadecimal(style.colour),
            dash: style.dash.to_vec(),
            width: style.width,
            reference: style == Style::REFERENCE,
            error: None,
            cost: None,
            remarks: Vec::new(),
            values: vec![columns(states)],
            energy: Column {
                values: (states.iter())
                    .map(|(state, attitude)| {
                        Energy::of_body((scenario, &moments), moving, state, attitude.as_ref()).total()
                    })
                    .collect(),
                digits: DIGITS,
            },
            modes: Vec::new(),
            contacts: Vec::new(),
        };
        let mut reference = series(MEASURED.to_owned(), Style::REFERENCE, &measured);
        let mut all = Vec::with_capacity(1 + errors.len());
        for (place, (errors, of_law)) in errors.iter().zip(predictions).enumerate() {
            let Some(prediction) = of_law.get(index) else { continue };
            let style = Style::of_series(place, predictions.len());
            let mut predicted = series(errors.law.to_string(), style, &prediction.states);
            predicted.subtract(&reference);
            predicted
                .remarks
                .extend((prediction.failure.as_ref()).map(|(time, reason)| {
                    format!("a step failed at t = {} s: {reason}", rounded(*time, 12))
                }));
            all.push(predicted);
        }
        reference.set_digits(REFERENCE_DIGITS);
        all.insert(0, reference);
        Some(Self {
            name: format!("{}-throw-{}", scenario.name, toss.number),
            axes: axis_names::<D>(),
            steps: toss.states.len() - 1,
            step: toss.duration() / (toss.states.len() - 1).max(1) as f64,
            time: Column { values: toss.times().collect(), digits: 12 },
            scene: Scene::of(scenario, &[moving]),
            columns: columns_of_motion::<D>(measured.iter().any(|(_, attitude)| attitude.is_some())),
            force_ranges: vec![None; D],
            relative: all.len() > 1,
            series: all,
        })
    }
}

fn columns<const D: usize>(states: &[(State<D>, Option<Attitude>)]) -> Vec<Column> {
    let places: Vec<usize> = (0..states.len()).collect();
    let attitudes: Vec<Attitude> = states.iter().filter_map(|(_, attitude)| *attitude).collect();
    let states: Vec<State<D>> = states.iter().map(|(state, _)| *state).collect();
    let columns = values_of_motion(&states, &attitudes, &places).into_iter();
    columns.map(|values| Column { values, digits: DIGITS }).collect()
}
