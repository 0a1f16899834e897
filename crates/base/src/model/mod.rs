//! Physics that every stepper shares: the state of a point, the push-and-gravity half of a step,
//! the gap with restitution, the energy, and the closed-form rigid step.
//!
//! Coordinates are the ground's own: the last component is the height `z` over the ground, the
//! components before it are tangential (`x`, or `x` and `y`). The dimension `D` is 2 for a point
//! in a vertical plane and 3 for a point over a plane; nothing in two dimensions pays for three.

mod attitude;
mod axes;
mod closed_form;
mod margin_kind;
mod number;
mod point_mass;
mod restitution;
mod soft_threshold;
mod state;

pub use attitude::{Attitude, Orientation, Spin, unwrapped};
pub use axes::axis_names;
pub use closed_form::{ClosedFormStep, closed_form_step};
pub use margin_kind::MarginKind;
pub use number::{Number, Real};
pub use point_mass::PointMass;
pub use restitution::gap_velocity;
pub use soft_threshold::{shrink, soft_threshold};
pub use state::State;

/// A vector of `D` components in ground coordinates, the height last.
pub type Vector<const D: usize, N = f64> = nalgebra::SVector<N, D>;

/// The part of `vector` along the ground: a copy whose last component is zero.
pub fn tangential<const D: usize, N: Number>(vector: &Vector<D, N>) -> Vector<D, N> {
    let mut tangent = *vector;
    tangent[D - 1] = N::zero();
    tangent
}

/// A square above this has not lost digits by underflow.
const SAFE_SQUARE: f64 = 1e-200;

/// A length below this counts as none: its inverse may overflow.
const NOTHING: f64 = 1e-290;

/// `|v|`. Where it vanishes it has the derivative zero.
pub fn magnitude<const D: usize, N: Number>(vector: &Vector<D, N>) -> N {
    let square = vector.dot(vector);
    if square.re() > SAFE_SQUARE {
        return square.sqrt();
    }
    let scale = vector.iter().fold(0.0_f64, |scale, component| scale.max(component.re().abs()));
    if scale < NOTHING {
        return N::zero();
    }
    let scaled = vector.map(|component| component / scale);
    scaled.dot(&scaled).sqrt() * scale
}

/// The component of `vector` normal to the ground (its last one).
pub fn normal<const D: usize>(vector: &Vector<D>) -> f64 {
    vector[D - 1]
}
