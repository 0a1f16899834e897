use crate::{model::tangential, trajectory::Track};

/// Largest distance of the contact force from the friction cone in N: `|F_t| - mu fz` where friction
/// is too strong, `-fz` where the ground pulls; 0 if neither happens.
pub fn max_cone_violation<const D: usize>(track: Track<'_, D>) -> f64 {
    let mu = track.point().friction;
    track
        .steps
        .iter()
        .map(|step| {
            let normal = step.force[D - 1];
            (tangential(&step.force).norm() - mu * normal.max(0.0)).max(-normal)
        })
        .fold(0.0, f64::max)
}
