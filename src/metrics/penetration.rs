use crate::trajectory::Track;

/// Deepest penetration of the ground in m; 0 if the point never was below it.
pub fn max_penetration<const D: usize>(track: Track<'_, D>) -> f64 {
    track.states.iter().map(|state| -state.height()).fold(0.0, f64::max)
}
