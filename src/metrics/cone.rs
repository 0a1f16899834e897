use super::directions::Directions;
use crate::{model::tangential, scenario::Partner, trajectory::Track};

/// Largest distance of the contact force from the friction cone in N: `|F_t| - mu fz` where friction
/// is too strong, `-fz` where the ground pulls; 0 if neither happens. Where friction differs across an axis, `|F_t|` counts what is
/// across it by its own coefficient.
pub fn max_cone_violation<const D: usize>(track: Track<'_, D>) -> f64 {
    let mu = track.point().friction;
    let directions = Directions::on_ground(&track.scenario.surface(track.body, Partner::Ground));
    track
        .steps
        .iter()
        .map(|step| {
            let normal = step.force[D - 1];
            let friction = directions
                .map_or_else(|| tangential(&step.force), |directions| directions.friction(&step.force));
            (friction.norm() - mu * normal.max(0.0)).max(-normal)
        })
        .fold(0.0, f64::max)
}
