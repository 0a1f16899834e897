//! Throws measured anew: if some parameters are the truth and the noise of the rows is white, the throws would have been
//! measured, another time, along the predicted paths with other noise (Efron 1982).

use super::row_noise::RowNoise;
use crate::{
    model::{Attitude, Orientation, Spin, State, Vector},
    predict::{Prediction, RecordedState, Recording, Toss},
    random::Random,
};

/// A seed from what was measured, so that other data get other noise.
fn seed<const D: usize>(recording: &Recording<D>) -> u64 {
    let rows = recording.tosses.iter().flat_map(|toss| &toss.states);
    rows.fold(0, |seed, row| seed.rotate_left(7) ^ row.state.position[0].to_bits())
}

/// The throws as predicted with noise, each so many times over: those of the first throw come first.
pub(super) fn measured_anew<const D: usize>(
    recording: &Recording<D>,
    predictions: &[Prediction<D>],
    noise: &RowNoise<D>,
    times: usize,
) -> Recording<D> {
    let mut random = Random::seeded(seed(recording));
    let mut tosses = Vec::with_capacity(times * predictions.len());
    for (toss, prediction) in recording.tosses.iter().zip(predictions) {
        for _ in 0..times {
            let rows = toss.states.iter().zip(&prediction.states);
            let states = rows.map(|(row, (state, attitude))| {
                let mut part = |noise: &Vector<D>| Vector::from_fn(|index, _| random.normal(noise[index]));
                let (moved, faster) = (part(&noise.position), part(&noise.velocity));
                let state = State { position: state.position + moved, velocity: state.velocity + faster };
                RecordedState { state, attitude: attitude.map(|it| turned(&it, noise, &mut random)), ..*row }
            });
            tosses.push(Toss { states: states.collect(), ..toss.clone() });
        }
    }
    Recording { file: recording.file.clone(), tosses, windows: recording.windows.clone(), ..*recording }
}

fn turned<const D: usize>(attitude: &Attitude, noise: &RowNoise<D>, random: &mut Random) -> Attitude {
    match attitude.orientation {
        Orientation::Angle(angle) => Attitude {
            orientation: Orientation::Angle(angle + random.normal(noise.rotation)),
            spin: attitude.spin + Spin::new(random.normal(noise.spin), 0.0, 0.0),
        },
        Orientation::Quaternion(turn) => {
            let mut axes = |noise: f64| Spin::from_fn(|_, _| random.normal(noise));
            let by = nalgebra::UnitQuaternion::from_scaled_axis(axes(noise.rotation));
            Attitude {
                orientation: Orientation::Quaternion(turn * by),
                spin: attitude.spin + axes(noise.spin),
            }
        }
    }
}
