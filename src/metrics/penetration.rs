use crate::trajectory::Trajectory;

/// Deepest penetration of the ground in m; 0 if the point never was below it.
pub fn max_penetration<const D: usize>(trajectory: &Trajectory<D>) -> f64 {
    trajectory.states.iter().map(|state| -state.height()).fold(0.0, f64::max)
}
