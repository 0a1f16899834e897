use crate::{scenario::Partner, trajectory::Track};

/// Deepest penetration in m: of a point how far it was below the ground, of a body that turns the
/// deepest overlap of its contacts; 0 if there was none.
pub fn max_penetration<const D: usize>(track: Track<'_, D>) -> f64 {
    if track.attitudes.is_empty() {
        return track.states.iter().map(|state| -state.height()).fold(0.0, f64::max);
    }
    let contacts = (0..track.steps.len()).flat_map(|k| track.contacts.of_step(k));
    let own =
        contacts.filter(|contact| contact.first == track.body || contact.second == Partner::Body(track.body));
    own.map(|contact| -contact.gap).fold(0.0, f64::max)
}
