use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::model::Real;

/// Iterations of the midpoint after which the step counts as too long for them.
const MOST_ITERATIONS: u32 = 40;

/// How often a step is halved at most.
const MOST_HALVINGS: u32 = 20;

/// How a body turns over a step in which nothing acts on it.
///
/// The angular momentum `L = I w` stays in the world, so that in the body it turns backwards. The mean
/// spin is that of the middle of the step (an implicit midpoint),
///
/// ```text
/// w_m = I^-1 exp(-dt w_m/2) L,   w_free = I^-1 exp(-dt w_m) L
/// ```
///
/// which keeps `|L|` to rounding and the energy to second order without a drift. A step so long that the
/// iteration for `w_m` does not converge is halved; `w_m` is then the mean spin of both halves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeRotation<S: Real = f64> {
    /// `w_m` in rad/s: over the step the body turns by `exp(dt w_m)`.
    pub mean: Vector3<S>,
    /// `w_free` in rad/s, in the axes of the body at the end of the step.
    pub end: Vector3<S>,
}

impl<S: Real> FreeRotation<S> {
    /// The rotation over `dt` s from the spin `w` in rad/s of a body of this `inertia` in kg m^2.
    pub fn new(inertia: &Matrix3<f64>, w: &Vector3<S>, dt: f64) -> Self {
        let tensor = inertia.map(S::constant);
        // A spin about a principal axis, or any spin of a cube or sphere; its derivative may be more.
        if S::SETTLING == 0 && (tensor * w).cross(w).amax() == S::zero() {
            return Self { mean: *w, end: *w };
        }
        let inverse = inertia.try_inverse().unwrap_or_default().map(S::constant);
        Self::halved(&tensor, &inverse, w, dt, MOST_HALVINGS)
    }

    fn halved(inertia: &Matrix3<S>, inverse: &Matrix3<S>, w: &Vector3<S>, dt: f64, halvings: u32) -> Self {
        let momentum = inertia * w;
        let torque = momentum.cross(w);
        let turned = |mean: &Vector3<S>, time: f64| {
            inverse * rotated(&turned_by(&(mean * S::constant(-time))), &momentum)
        };
        let mut mean = w + inverse * torque * S::constant(0.5 * dt);
        let size = |vector: &Vector3<S>| vector.map(|part| part.value()).amax();
        let mut last = f64::INFINITY;
        let mut settling = None;
        for iteration in 0.. {
            let next = turned(&mean, 0.5 * dt);
            let change = size(&(next - mean));
            mean = next;
            // Rounding leaves nothing to gain, or the map does not contract.
            let fastest = size(w);
            if change <= 4.0 * f64::EPSILON * fastest || (change >= last && change <= 1e-13 * fastest) {
                settling.get_or_insert(S::SETTLING);
            }
            if let Some(left) = &mut settling {
                if *left == 0 {
                    break;
                }
                *left -= 1;
                continue;
            }
            if iteration == MOST_ITERATIONS {
                if halvings == 0 {
                    break;
                }
                let first = Self::halved(inertia, inverse, w, 0.5 * dt, halvings - 1);
                let second = Self::halved(inertia, inverse, &first.end, 0.5 * dt, halvings - 1);
                let turn = turned_by(&(first.mean * S::constant(0.5 * dt)))
                    * turned_by(&(second.mean * S::constant(0.5 * dt)));
                return Self { mean: turn.scaled_axis() / S::constant(dt), end: second.end };
            }
            last = change;
        }
        Self { mean, end: turned(&mean, dt) }
    }
}

/// A vector turned by a quaternion whose length may be off by rounding. Without the division a body that
/// turns by the same angle in every step would gain or lose angular momentum.
pub(super) fn rotated<S: Real>(turn: &Quaternion<S>, vector: &Vector3<S>) -> Vector3<S> {
    let axis = turn.imag();
    let across = axis.cross(vector);
    vector + (across * turn.w + axis.cross(&across)) * (S::constant(2.0) / turn.norm_squared())
}

/// Angle in rad below which a turn is its own first order.
const SMALL_TURN: f64 = 1e-15;

/// The turn by a vector of angles in rad, with its derivative at none too.
pub(super) fn turned_by<S: Real>(angles: &Vector3<S>) -> UnitQuaternion<S> {
    if angles.map(|angle| angle.value()).amax() > SMALL_TURN {
        return UnitQuaternion::from_scaled_axis(*angles);
    }
    UnitQuaternion::new_unchecked(Quaternion::from_parts(S::one(), angles * S::constant(0.5)))
}
