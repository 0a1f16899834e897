use super::{LocalInput, MarginKind, Margins};
use crate::model::{gap_velocity, magnitude, tangential};

/// The margins of a rigid, gap-level contact: whether the step touches the ground, slips, rebounds.
pub fn rigid_margins<const D: usize>(local: &LocalInput<D>) -> Margins<D> {
    let mut margins = contact_margins(local);
    let LocalInput { body, state, push, dt } = *local;
    let free = body.free_velocity(&state, &push, dt);
    if (free[D - 1] + state.height() / dt).re <= 0.0 {
        let p = -(free[D - 1] + gap_velocity(&body, &state, free[D - 1], dt));
        margins.push(MarginKind::Slip, magnitude(&tangential(&free)) - body.friction * p);
    }
    margins
}

/// The same without friction: whether the step touches the ground, and rebounds.
pub fn contact_margins<const D: usize>(local: &LocalInput<D>) -> Margins<D> {
    let LocalInput { body, state, push, dt } = *local;
    let free = body.free_velocity(&state, &push, dt);
    let closing = free[D - 1] + state.height() / dt;
    let mut margins = Margins::default();
    margins.push(MarginKind::Contact, closing);
    if closing.re <= 0.0 && body.restitution.re > 0.0 && state.velocity[D - 1].re < 0.0 {
        let threshold = -body.gravity[D - 1] * dt * 2.0;
        margins.push(MarginKind::Rebound, -body.restitution * state.velocity[D - 1] - threshold);
    }
    margins
}
