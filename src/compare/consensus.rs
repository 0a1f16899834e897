//! Where no exact motion is known: the mean of the models, and how far each is from it.

use super::Comparison;
use crate::{
    model::{Attitude, Orientation, Vector},
    trajectory::{Ending, Trajectory},
};

/// How far a motion gets from the mean of all models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// The largest distance of a centre of mass from its mean position in m.
    pub position: f64,
    /// The body that gets so far.
    pub body: usize,
    /// Time in s when it is so far.
    pub time: f64,
    /// The largest angle from the mean orientation; `None` where all bodies are points.
    pub angle: Option<LargestAngle>,
    /// Whether the motion is part of the mean; one that runs away from all others is not, and none that was recorded.
    pub counts: bool,
}

/// Where a motion is turned farthest from the mean of all models: seldom where it is farthest away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestAngle {
    /// The angle in rad.
    pub angle: f64,
    /// The body that is turned so far.
    pub body: usize,
    /// Time in s when it is.
    pub time: f64,
}

impl<const D: usize> Comparison<D> {
    /// How far the motion of each entry gets from the mean of all of them but those that [run away](runaways), in
    /// their order; `None` for those that did not reach the end, for all where fewer than two did or an exact motion
    /// is known, and for a single point.
    pub(super) fn deviations(&self) -> Vec<Option<Deviation>> {
        let complete = |trajectory: &&Trajectory<D>| trajectory.ending == Ending::Complete;
        let models: Vec<_> = self.trajectories().into_iter().filter(complete).collect();
        let is_model = |trajectory: &&&Trajectory<D>| !trajectory.stepper.is_recorded();
        let simulated: Vec<_> = models.iter().filter(is_model).copied().collect();
        let has_mean = simulated.len() > 1 && self.truth.is_none() && !self.scenario.layout().is_point();
        if !has_mean {
            return vec![None; self.entries.len()];
        }
        let mut of_simulated = runaways(&simulated).into_iter();
        let left_out =
            |model: &&Trajectory<D>| model.stepper.is_recorded() || of_simulated.next().unwrap_or(false);
        let runaways: Vec<bool> = models.iter().map(left_out).collect();
        let start = |runs_away: &bool| Deviation {
            position: 0.0,
            body: 0,
            time: 0.0,
            angle: None,
            counts: !runs_away,
        };
        let mut deviations: Vec<_> = runaways.iter().map(start).collect();
        for body in 0..self.scenario.bodies.len() {
            let tracks: Vec<_> = models.iter().map(|model| model.track(body)).collect();
            let counted = tracks.iter().zip(&runaways).filter(|(_, runs_away)| !**runs_away);
            let counted: Vec<_> = counted.map(|(track, _)| *track).collect();
            for k in 0..=models[0].steps.len() {
                let position = mean(counted.iter().map(|track| track.states[k].position));
                let turned = mean_orientation(counted.iter().filter_map(|track| track.attitudes.get(k)));
                for (track, deviation) in tracks.iter().zip(&mut deviations) {
                    let time = track.time(k);
                    let off = (track.states[k].position - position).norm();
                    if off > deviation.position {
                        (deviation.position, deviation.body, deviation.time) = (off, body, time);
                    }
                    let Some((attitude, mean)) = track.attitudes.get(k).zip(turned) else { continue };
                    let angle = attitude.orientation.angle_to(&mean);
                    if deviation.angle.is_none_or(|largest| angle > largest.angle) {
                        deviation.angle = Some(LargestAngle { angle, body, time });
                    }
                }
            }
        }
        let mut deviations = deviations.into_iter();
        let of = |trajectory: &Trajectory<D>| complete(&trajectory).then(|| deviations.next()).flatten();
        self.trajectories().into_iter().map(of).collect()
    }
}

/// Which models are no part of a mean: those in which some body gets farther from the median of the models than it is
/// large and moves in that median. Two models have no median that would tell which of them it is.
fn runaways<const D: usize>(models: &[&Trajectory<D>]) -> Vec<bool> {
    let mut run_away = vec![false; models.len()];
    if models.len() < 3 {
        return run_away;
    }
    for (body, given) in models[0].scenario.bodies.iter().enumerate() {
        let tracks: Vec<_> = models.iter().map(|model| model.track(body)).collect();
        let mut farthest = vec![0.0_f64; models.len()];
        let mut way = given.reach();
        for k in 0..=models[0].steps.len() {
            let middle = median(&tracks.iter().map(|track| track.states[k].position).collect::<Vec<_>>());
            way = way.max((middle - given.position).norm());
            for (track, farthest) in tracks.iter().zip(&mut farthest) {
                *farthest = farthest.max((track.states[k].position - middle).norm());
            }
        }
        for (runs_away, farthest) in run_away.iter_mut().zip(farthest) {
            *runs_away |= farthest > way;
        }
    }
    // Where hardly any two agree, none of them is the odd one out.
    let kept = run_away.iter().filter(|runs_away| !**runs_away).count();
    if 2 * kept > models.len() { run_away } else { vec![false; models.len()] }
}

/// The median of every component.
fn median<const D: usize>(positions: &[Vector<D>]) -> Vector<D> {
    Vector::from_fn(|axis, _| {
        let mut parts: Vec<f64> = positions.iter().map(|position| position[axis]).collect();
        parts.sort_by(f64::total_cmp);
        let middle = parts.len() / 2;
        if parts.len() % 2 == 1 { parts[middle] } else { 0.5 * (parts[middle - 1] + parts[middle]) }
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scenario::{Body, Scenario},
        simulate::simulate,
        stepper::{BuildStepper, StepperName},
    };

    /// Which of several motions of two points run away: each is a short slide, moved in its last state.
    fn runs_away(moved: &[f64]) -> Vec<bool> {
        let mut scenario = Scenario::new("runaways");
        (scenario.duration, scenario.step) = (0.1, 1e-2);
        scenario.bodies = [0.0, 5.0].map(|x| Body::point(1.0, [x, 0.0], [1.0, 0.0])).to_vec();
        scenario.ground.friction = 0.3;
        let mut stepper = scenario.stepper(StepperName::LCP).expect("admitted");
        let trajectory = simulate(&scenario, stepper.as_mut());
        let models = moved.iter().map(|by| {
            let mut model = trajectory.clone();
            model.bodies[1].states.last_mut().expect("a state").position[0] += by;
            model
        });
        let models: Vec<_> = models.collect();
        runaways(&models.iter().collect::<Vec<_>>())
    }

    /// In 0.1 s the points come about 9 cm far.
    #[test]
    fn a_model_that_is_farther_from_the_others_than_they_move_is_no_part_of_the_mean() {
        assert_eq!(runs_away(&[0.0, 0.0, 0.0, 0.05]), [false; 4]);
        assert_eq!(runs_away(&[0.0, 0.0, 0.0, 0.2]), [false, false, false, true]);
        assert_eq!(runs_away(&[-0.2, 0.0, 0.001, 0.0, 0.2]), [true, false, false, false, true]);
        assert_eq!(runs_away(&[0.0, 0.2]), [false; 2], "of two nobody knows which it is");
    }

    #[test]
    fn where_no_majority_agrees_nobody_runs_away() {
        assert_eq!(runs_away(&[-0.5, 0.0, 0.5]), [false; 3]);
        assert_eq!(runs_away(&[-0.5, 0.0, 0.0, 0.5]), [false; 4]);
        assert_eq!(runs_away(&[0.0, 0.0, 0.5]), [false, false, true]);
    }
}
