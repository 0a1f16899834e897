use super::{ContactDerivative, GapSource, LocalInput, MarginKind, Margins};
use crate::{
    model::{PointMass, State, gap_velocity, magnitude, tangential},
    stepper::{PointInput, Step},
};

/// Whether the gap of a step is Newton's rebound or the height over the ground.
pub fn gap_source<const D: usize>(
    body: &PointMass<D>,
    state: &State<D>,
    free_normal: f64,
    dt: f64,
) -> GapSource {
    if gap_velocity(body, state, free_normal, dt) == state.height() / dt {
        GapSource::Height
    } else {
        GapSource::Rebound
    }
}

/// The derivative of a rigid contact law in the plane at the step that it took; `source` says what
/// its gap is.
pub fn rigid_derivative(
    body: &PointMass<2>,
    input: &PointInput<2>,
    step: &Step<2>,
    source: GapSource,
) -> ContactDerivative<2> {
    let p = step.contact_impulse[1] / body.mass;
    if p <= 0.0 {
        return ContactDerivative::flight();
    }
    let slip = body.free_velocity(&input.state, &input.push, input.dt)[0];
    let slips = step.state.velocity[0] != 0.0 || body.friction == 0.0;
    ContactDerivative::rigid_in_plane(slips.then(|| slip.signum()), body.friction, p, source)
}

/// The margins of a rigid, gap-level contact: whether the step touches the ground, slips, rebounds.
pub fn rigid_margins<const D: usize>(body: &PointMass<D>, input: &PointInput<D>) -> Margins<D> {
    let mut margins = contact_margins(body, input);
    let LocalInput { body, state, push, dt } = LocalInput::new(body, input);
    let free = body.free_velocity(&state, &push, dt);
    if (free[D - 1] + state.height() / dt).re <= 0.0 {
        let p = -(free[D - 1] + gap_velocity(&body, &state, free[D - 1], dt));
        margins.push(MarginKind::Slip, magnitude(&tangential(&free)) - body.friction * p);
    }
    margins
}

/// The same without friction: whether the step touches the ground, and rebounds.
pub fn contact_margins<const D: usize>(body: &PointMass<D>, input: &PointInput<D>) -> Margins<D> {
    let LocalInput { body, state, push, dt } = LocalInput::new(body, input);
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
