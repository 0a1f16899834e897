use super::{BodyMode, Comparison, distance::apart};
use crate::{scenario::Corners, stepper::StepperName, trajectory::Trajectory};

/// Where two steppers part: the first step after which they differ by more than a tolerance, in where the point of any
/// body is that is farthest apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parting {
    /// The two.
    pub steppers: [StepperName; 2],
    /// Where they part; `None` if they never do, as far as both go.
    pub at: Option<PartingStep>,
    /// The largest distance between the two over the whole run, in m.
    pub max_distance: f64,
}

/// The step in which two steppers part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartingStep {
    /// Index of the step.
    pub step: usize,
    /// Number of the body that is farthest apart after it.
    pub body: usize,
    /// Time in s at its start.
    pub time: f64,
    /// Distance of the two after it, in m.
    pub distance: f64,
    /// What each of the two does in it.
    pub modes: [BodyMode; 2],
}

/// The least tolerance in m that is chosen.
const LEAST_TOLERANCE: f64 = 1e-6;

/// A tolerance in m for [`partings`]: the way that the exact motion goes in a step where it is fastest.
///
/// Steppers of first order differ by less for no other reason than that they take steps. Without an
/// exact motion the slowest of the steppers counts.
pub fn default_tolerance<const D: usize>(comparison: &Comparison<D>) -> f64 {
    let fastest = |trajectory: &Trajectory<D>| {
        let states = trajectory.bodies.iter().flat_map(|motion| &motion.states);
        states.map(|state| state.velocity.norm()).fold(0.0, f64::max)
    };
    let speed = match &comparison.truth {
        Some(truth) => fastest(&truth.trajectory),
        None => comparison.trajectories().into_iter().map(fastest).reduce(f64::min).unwrap_or(0.0),
    };
    (comparison.scenario.step * speed).max(LEAST_TOLERANCE)
}

/// Finds for every pair of a comparison where they part by more than `tolerance` m. Steppers that
/// failed at the first step go nowhere, and are in no pair.
pub fn partings<const D: usize>(comparison: &Comparison<D>, tolerance: f64) -> Vec<Parting> {
    let mut trajectories = comparison.trajectories();
    trajectories.retain(|trajectory| !trajectory.steps.is_empty());
    let pairs = (0..trajectories.len()).flat_map(|i| (i + 1..trajectories.len()).map(move |j| (i, j)));
    let corners: Vec<_> = comparison.scenario.bodies.iter().map(Corners::of).collect();
    pairs.map(|(i, j)| parting(trajectories[i], trajectories[j], &corners, tolerance)).collect()
}

fn parting<const D: usize>(
    a: &Trajectory<D>,
    b: &Trajectory<D>,
    corners: &[Corners<D>],
    tolerance: f64,
) -> Parting {
    let mut at = None;
    let mut max_distance: f64 = 0.0;
    for k in 0..=a.steps.len().min(b.steps.len()) {
        let apart = a.tracks().zip(b.tracks()).zip(corners).map(|((a, b), corners)| apart(a, b, k, corners));
        let Some((body, distance)) = apart.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        max_distance = max_distance.max(distance);
        if at.is_none() && distance > tolerance && k > 0 {
            let mode = |trajectory: &Trajectory<D>| BodyMode::of(trajectory.track(body), k - 1);
            at = mode(a).zip(mode(b)).map(|(mode_a, mode_b)| PartingStep {
                step: k - 1,
                body,
                time: a.time(k - 1),
                distance,
                modes: [mode_a, mode_b],
            });
        }
    }
    Parting { steppers: [a.stepper, b.stepper], at, max_distance }
}
