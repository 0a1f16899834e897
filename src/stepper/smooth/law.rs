use crate::{
    model::{Number, PointMass},
    scenario::{Scenario, SmoothLaw},
};

/// Stiffness `k` of the original `tanh` law, a number without unit: damping enters as `damping/k`.
const TANH_STIFFNESS: f64 = 0.01;

/// Argument of the exponential of the `tanh` law beyond which its force is taken for zero: it is less
/// than 1e-26 of the amplitude.
const FAR_ABOVE: f64 = 60.0;

/// How deep a resting point sinks by default under the law of Hunt and Crossley, in m.
const REST_DEPTH: f64 = 2e-3;

/// Gravity that sets the default stiffness where the scenario has none, in m/s^2.
const STANDARD_GRAVITY: f64 = 9.81;

/// A normal force that depends on height and vertical velocity alone,
/// `fz = s(z) (1 - beta vz)`, and never pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalForce<N = f64> {
    profile: Profile<N>,
    /// Damping `beta` in s/m.
    damping: N,
}

/// The static force `s(z)` in N.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Profile<N> {
    /// `s(z) = (amplitude/2) (1 - tanh(sharpness z))`: acts above the ground too.
    Tanh { amplitude: f64, sharpness: f64 },
    /// `s(z) = stiffness max(0, -z)`.
    Spring { stiffness: N },
}

impl<N: Number> NormalForce<N> {
    /// The force of `law` on `body`, with the defaults that scale with its weight.
    ///
    /// Hunt and Crossley's stiffness defaults to `m g/2 mm`, so that a resting point sinks 2 mm
    /// whatever its mass, and their damping to `2/sqrt(g 2 mm)` (14.3 s/m on Earth), which is
    /// critical about the position of rest and makes impacts above 1 m/s nearly inelastic.
    pub fn new<const D: usize>(law: &SmoothLaw, body: &PointMass<D, N>) -> Self {
        match *law {
            SmoothLaw::Tanh { amplitude, sharpness, damping } => {
                let damping = N::constant(damping / TANH_STIFFNESS);
                Self { profile: Profile::Tanh { amplitude, sharpness }, damping }
            }
            SmoothLaw::HuntCrossley { stiffness, damping } => {
                let own = body.gravity_norm();
                let gravity = if own.re() > 0.0 { own } else { N::constant(STANDARD_GRAVITY) };
                let stiffness = stiffness.map_or_else(|| body.mass * gravity / REST_DEPTH, N::constant);
                let damping =
                    damping.map_or_else(|| N::constant(2.0) / (gravity * REST_DEPTH).sqrt(), N::constant);
                Self { profile: Profile::Spring { stiffness }, damping }
            }
        }
    }

    /// The normal force in N at height `z` in m and vertical velocity `vz` in m/s.
    pub fn at(&self, z: N, vz: N) -> N {
        (self.profile.force(z) * (-self.damping * vz + 1.0)).positive_part()
    }
}

impl NormalForce {
    /// The force of the scenario's law.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        Self::new(&scenario.steppers.smooth.law, &scenario.point(0))
    }

    /// Potential energy `V(z)` of the static force in J, zero far above the ground.
    pub fn potential(&self, z: f64) -> f64 {
        match self.profile {
            // The integral of s from z to infinity, ln(1 + exp(-2 sharpness z)) without overflow.
            Profile::Tanh { amplitude, sharpness } => {
                let u = -2.0 * sharpness * z;
                amplitude / (2.0 * sharpness) * (u.max(0.0) + (-u.abs()).exp().ln_1p())
            }
            Profile::Spring { stiffness } => 0.5 * stiffness * z.min(0.0).powi(2),
        }
    }

    /// The height in m at which the static force carries `load` N; `None` if no height does.
    pub fn rest_height(&self, load: f64) -> Option<f64> {
        match self.profile {
            Profile::Tanh { amplitude, sharpness } => {
                let height = (1.0 - 2.0 * load / amplitude).atanh() / sharpness;
                height.is_finite().then_some(height)
            }
            Profile::Spring { stiffness } => Some(-load / stiffness),
        }
    }

    /// The largest load that it can carry at rest, in N.
    pub fn capacity(&self) -> f64 {
        match self.profile {
            Profile::Tanh { amplitude, .. } => amplitude,
            Profile::Spring { .. } => f64::INFINITY,
        }
    }

    /// Damping `beta` in s/m.
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// The longest stable step in s for a point that hits the ground at `speed` m/s.
    ///
    /// Linearised about any state, semi-implicit Euler on `m z'' + c z' + k z = 0` is stable for
    /// `dt < 4/(c/m + sqrt((c/m)^2 + 4 k/m))`. The bound is `dt <= 4/(c/m + sqrt((c/m)^2 + 64 k/m))`,
    /// a quarter of that for undamped oscillations, so that their energy is right too.
    /// It takes the largest `k = -s'(z)` and the largest `c = beta s(z)` that the impact can meet:
    /// `s` is at most `amplitude` for the `tanh`; a spring is compressed at most by what stops the
    /// point, `sqrt(2 m v/(k beta)) + m g/k` with damping alone or `v sqrt(m/k) + 2 m g/k` without.
    pub fn stable_step<const D: usize>(&self, body: &PointMass<D>, speed: f64) -> f64 {
        let (largest, stiffness) = match self.profile {
            Profile::Tanh { amplitude, sharpness } => (amplitude, 0.5 * amplitude * sharpness),
            Profile::Spring { stiffness: k } => {
                let weight = -body.mass * body.gravity[D - 1].min(0.0);
                let undamped = speed * (body.mass / k).sqrt() + 2.0 * weight / k;
                let damped = (2.0 * body.mass * speed / (k * self.damping)).sqrt() + weight / k;
                (k * undamped.min(damped), k)
            }
        };
        let decay = self.damping * largest / body.mass;
        4.0 / (decay + (decay * decay + 64.0 * stiffness / body.mass).sqrt())
    }
}

impl<N: Number> Profile<N> {
    fn force(&self, z: N) -> N {
        match *self {
            // (amplitude/2) (1 - tanh(u)) without cancellation; far above the ground it is less than any
            // rounding of the weight, and costs nothing.
            Self::Tanh { amplitude, sharpness } => {
                let u = z * (2.0 * sharpness);
                if u.re() > FAR_ABOVE { N::zero() } else { N::constant(amplitude) / (u.exp() + 1.0) }
            }
            Self::Spring { stiffness } => stiffness * (-z).positive_part(),
        }
    }
}
