//! States of bodies in the plane, component by component.

use crate::{
    model::{Attitude, Orientation, Spin, State},
    scenario::Body,
};

/// The angle of a body at the start in rad; 0 for a point.
pub(super) fn angle_of(body: &Body<2>) -> f64 {
    angle(&body.attitude())
}

fn angle(attitude: &Attitude) -> f64 {
    match attitude.orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => 0.0,
    }
}

/// A state in the order of [`COMPONENTS`](super::COMPONENTS).
pub(super) fn components(state: &State<2>, attitude: Option<&Attitude>) -> [f64; 6] {
    let (turned, spin) = attitude.map_or((0.0, 0.0), |attitude| (angle(attitude), attitude.spin[0]));
    [state.position[0], state.position[1], turned, state.velocity[0], state.velocity[1], spin]
}

/// The state of a body at the start.
pub(super) fn start_of(body: &Body<2>) -> [f64; 6] {
    components(&body.state(), Some(&body.attitude()))
}

/// Gives a body another state at the start.
pub(super) fn set_start(body: &mut Body<2>, components: [f64; 6]) {
    let [x, z, angle, vx, vz, spin] = components;
    body.position = [x, z].into();
    body.velocity = [vx, vz].into();
    if body.shape != crate::scenario::Shape::Point {
        body.orientation = Orientation::Angle(angle);
        body.spin = Spin::new(spin, 0.0, 0.0);
    }
}
