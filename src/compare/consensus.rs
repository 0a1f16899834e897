//! Where no exact motion is known: the mean of the models, and how far each is from it.

use super::Comparison;
use crate::{
    model::{Attitude, Orientation, Vector},
    trajectory::{Ending, Track, Trajectory},
};

/// How far a motion gets from the mean of all models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// The largest distance of a centre of mass from its mean position in m.
    pub position: f64,
    /// The largest angle in rad from the mean orientation; `None` where all bodies are points.
    pub angle: Option<f64>,
    /// The body that gets farthest, rotation included.
    pub body: usize,
    /// Time in s when it is farthest.
    pub time: f64,
}

impl<const D: usize> Comparison<D> {
    /// How far the motion of each entry gets from the mean of all of them, in their order; `None` for those
    /// that did not reach the end, for all where fewer than two did or an exact motion is known, and for a
    /// single point.
    pub(super) fn deviations(&self) -> Vec<Option<Deviation>> {
        let complete = |trajectory: &&Trajectory<D>| trajectory.ending == Ending::Complete;
        let models: Vec<_> = self.trajectories().into_iter().filter(complete).collect();
        let has_mean = models.len() > 1 && self.truth.is_none() && !self.scenario.is_single_point();
        if !has_mean {
            return vec![None; self.entries.len()];
        }
        let mut deviations: Vec<_> =
            models.iter().map(|_| Deviation { position: 0.0, angle: None, body: 0, time: 0.0 }).collect();
        let mut farthest = vec![0.0; models.len()];
        for body in 0..self.scenario.bodies.len() {
            let reach = self.scenario.bodies[body].reach();
            let tracks: Vec<_> = models.iter().map(|model| model.track(body)).collect();
            for k in 0..=models[0].steps.len() {
                let position = mean(tracks.iter().map(|track| track.states[k].position));
                let turned = mean_orientation(tracks.iter().filter_map(|track| track.attitudes.get(k)));
                for ((track, deviation), farthest) in tracks.iter().zip(&mut deviations).zip(&mut farthest) {
                    let off = (track.states[k].position - position).norm();
                    let angle = track.attitudes.get(k).zip(turned);
                    let angle = angle.map(|(attitude, mean)| attitude.orientation.angle_to(&mean));
                    deviation.position = deviation.position.max(off);
                    deviation.angle = deviation.angle.into_iter().chain(angle).reduce(f64::max);
                    let reached = off.max(reach * angle.unwrap_or(0.0));
                    if reached > *farthest {
                        *farthest = reached;
                        (deviation.body, deviation.time) = (body, track.time(k));
                    }
                }
            }
        }
        let mut deviations = deviations.into_iter();
        let of = |trajectory: &Trajectory<D>| complete(&trajectory).then(|| deviations.next()).flatten();
        self.trajectories().into_iter().map(of).collect()
    }
}

/// How far apart two motions of a body are in state `k`, in m: their positions, or what the rotation takes the
/// farthest point of the body to if that is more.
pub(super) fn apart<const D: usize>(a: Track<'_, D>, b: Track<'_, D>, k: usize) -> f64 {
    let positions = (a.states[k].position - b.states[k].position).norm();
    let turned = a.attitudes.get(k).zip(b.attitudes.get(k));
    let angle = turned.map_or(0.0, |(a, b)| a.orientation.angle_to(&b.orientation));
    // Where angles cannot be compared, positions are all there is.
    let reach = a.scenario.bodies[a.body].reach();
    if angle.is_finite() { positions.max(reach * angle) } else { positions }
}

fn mean<const D: usize>(positions: impl ExactSizeIterator<Item = Vector<D>>) -> Vector<D> {
    let count = positions.len() as f64;
    positions.sum::<Vector<D>>() / count
}

/// The mean of angles, or of quaternions of nearly the same rotation; `None` if there is none.
fn mean_orientation<'a>(attitudes: impl Iterator<Item = &'a Attitude>) -> Option<Orientation> {
    let mut mean = None;
    for (before, attitude) in attitudes.enumerate() {
        let share = 1.0 / (before + 1) as f64;
        mean = Some(match (mean, attitude.orientation) {
            (Some(Orientation::Angle(mean)), Orientation::Angle(angle)) => {
                Orientation::Angle(mean + share * (angle - mean))
            }
            (Some(Orientation::Quaternion(mean)), Orientation::Quaternion(turn)) => {
                Orientation::Quaternion(mean.try_slerp(&turn, share, 1e-12).unwrap_or(mean))
            }
            (_, first) => first,
        });
    }
    mean
}
