use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

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
pub struct FreeRotation {
    /// `w_m` in rad/s: over the step the body turns by `exp(dt w_m)`.
    pub mean: Vector3<f64>,
    /// `w_free` in rad/s, in the axes of the body at the end of the step.
    pub end: Vector3<f64>,
}

impl FreeRotation {
    /// The rotation over `dt` s from the spin `w` in rad/s of a body of this `inertia` in kg m^2, given
    /// with its inverse.
    pub fn new(inertia: &Matrix3<f64>, inverse: &Matrix3<f64>, w: &Vector3<f64>, dt: f64) -> Self {
        Self::halved(inertia, inverse, w, dt, MOST_HALVINGS)
    }

    fn halved(
        inertia: &Matrix3<f64>,
        inverse: &Matrix3<f64>,
        w: &Vector3<f64>,
        dt: f64,
        halvings: u32,
    ) -> Self {
        let momentum = inertia * w;
        let torque = momentum.cross(w);
        // A spin about a principal axis, or any spin of a cube or sphere.
        if torque.amax() == 0.0 {
            return Self { mean: *w, end: *w };
        }
        let turned = |mean: &Vector3<f64>, time: f64| {
            inverse * rotated(&UnitQuaternion::from_scaled_axis(mean * -time), &momentum)
        };
        let mut mean = w + inverse * torque * (0.5 * dt);
        let mut last = f64::INFINITY;
        for iteration in 0.. {
            let next = turned(&mean, 0.5 * dt);
            let change = (next - mean).amax();
            mean = next;
            // Rounding leaves nothing to gain, or the map does not contract.
            if change <= 4.0 * f64::EPSILON * w.amax() || (change >= last && change <= 1e-13 * w.amax()) {
                break;
            }
            if iteration == MOST_ITERATIONS {
                if halvings == 0 {
                    break;
                }
                let first = Self::halved(inertia, inverse, w, 0.5 * dt, halvings - 1);
                let second = Self::halved(inertia, inverse, &first.end, 0.5 * dt, halvings - 1);
                let turn = UnitQuaternion::from_scaled_axis(first.mean * (0.5 * dt))
                    * UnitQuaternion::from_scaled_axis(second.mean * (0.5 * dt));
                return Self { mean: turn.scaled_axis() / dt, end: second.end };
            }
            last = change;
        }
        Self { mean, end: turned(&mean, dt) }
    }
}

/// A vector turned by a quaternion whose length may be off by rounding. Without the division a body that
/// turns by the same angle in every step would gain or lose angular momentum.
fn rotated(turn: &Quaternion<f64>, vector: &Vector3<f64>) -> Vector3<f64> {
    let axis = turn.imag();
    let across = axis.cross(vector);
    vector + (across * turn.w + axis.cross(&across)) * (2.0 / turn.norm_squared())
}
