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

/// `omega dt` of the stiffest default spring of Kelvin and Voigt's law: a contact then lasts ten steps,
/// enough to resolve it.
pub(super) const RESOLVED: f64 = 0.3;

/// Part of the way that the point falls in a step before its impact, that it sinks in at rest at least on
/// that spring.
const SUNK: f64 = 0.05;

/// `c dt/m` of the strongest damper of that law that is chosen: one step takes all of an approach.
const STRONGEST: f64 = 1.0;

/// A normal force that depends on height and vertical velocity alone, `fz = s(z) - d(z) vz`, and
/// never pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalForce<N = f64> {
    profile: Profile<N>,
    damper: Damper<N>,
}

/// What goes with the vertical velocity, `d(z)`.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Damper<N> {
    /// `d(z) = beta s(z)`, `beta` in s/m.
    Proportional(N),
    /// `d(z) = c` where the point is below the ground, in N s/m.
    Linear(N),
}

/// The static force `s(z)` in N.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Profile<N> {
    /// `s(z) = (amplitude/2) (1 - tanh(sharpness z))`: acts above the ground too.
    Tanh { amplitude: f64, sharpness: f64 },
    /// `s(z) = stiffness max(0, -z)`.
    Spring { stiffness: N },
}

/// Derivatives of a [`NormalForce`] that pushes.
pub(super) struct ForceSlopes {
    /// With respect to the height, in N/m.
    pub gap: f64,
    /// With respect to the vertical velocity, in N s/m.
    pub speed: f64,
    /// With respect to the stiffness, in m.
    pub stiffness: f64,
    /// With respect to the damping.
    pub damping: f64,
}

/// A spring and damper after Hunt and Crossley.
pub(crate) struct Spring<N> {
    /// Stiffness in N/m.
    pub stiffness: N,
    /// Damping in s/m.
    pub damping: N,
}

/// The defaults of Hunt and Crossley's law for bodies of at most `mass` kg, as those of a point
/// ([`NormalForce::new`]).
pub(crate) fn default_spring<N: Number>(mass: N, gravity: N) -> Spring<N> {
    let gravity = if gravity.re() > 0.0 { gravity } else { N::constant(STANDARD_GRAVITY) };
    let damping = N::constant(2.0) / (gravity * REST_DEPTH).sqrt();
    Spring { stiffness: mass * gravity / REST_DEPTH, damping }
}

impl<N: Number> NormalForce<N> {
    /// The force of `law` on `body` in steps of `dt` s, with the defaults that scale with them.
    ///
    /// Kelvin and Voigt's stiffness defaults to `m omega^2` with `omega^2` the smaller of `(0.3/dt)^2`, what
    /// the step resolves, and `20 g/(v dt)`, where `v` is the `speed` in m/s with which the point may hit
    /// the ground: it sinks in by `v dt/20` at rest, or by `g dt^2/0.09`. The damping defaults to that of
    /// the ground's restitution, see `damping_ratio`, but at most `c = m/dt`, with which one step takes
    /// all of an approach. What then comes back of an impact is `(omega dt)^2/2` of its speed, and what the
    /// steps cut off a restitution is of the order of `omega dt/10`: with a spring as stiff as the step
    /// resolves neither would vanish with the step. As it is, all errors do: those of landing and resting
    /// with `dt`, those of bouncing, which last `pi/omega` longer than an instant, with its root.
    ///
    /// Hunt and Crossley's stiffness defaults to `m g/2 mm`, so that a resting point sinks 2 mm
    /// whatever its mass, and their damping to `2/sqrt(g 2 mm)` (14.3 s/m on Earth), which is
    /// critical about the position of rest and makes impacts above 1 m/s nearly inelastic.
    pub fn new<const D: usize>(law: &SmoothLaw, body: &PointMass<D, N>, dt: N, speed: N) -> Self {
        match *law {
            SmoothLaw::KelvinVoigt { stiffness, damping } => {
                let scaled = || {
                    let (resolved, gravity) = ((N::constant(RESOLVED) / dt).powi(2), body.gravity_norm());
                    let sinks = gravity.re() * speed.re() > 0.0;
                    let omega_squared =
                        if sinks { resolved.lesser(gravity / (dt * (speed * SUNK))) } else { resolved };
                    body.mass * omega_squared
                };
                let stiffness = stiffness.map_or_else(scaled, N::constant);
                let omega = (stiffness / body.mass).sqrt();
                let strongest = strongest_ratio(body.mass, stiffness, dt);
                let chosen = || damping_ratio(body.restitution, strongest) * omega * body.mass * 2.0;
                let damping = damping.map_or_else(chosen, N::constant);
                Self { profile: Profile::Spring { stiffness }, damper: Damper::Linear(damping) }
            }
            SmoothLaw::Tanh { amplitude, sharpness, damping } => Self {
                profile: Profile::Tanh { amplitude, sharpness },
                damper: Damper::Proportional(N::constant(damping / TANH_STIFFNESS)),
            },
            SmoothLaw::HuntCrossley { stiffness, damping } => {
                let chosen = default_spring(body.mass, body.gravity_norm());
                let stiffness = stiffness.map_or(chosen.stiffness, N::constant);
                let damping = damping.map_or(chosen.damping, N::constant);
                Self { profile: Profile::Spring { stiffness }, damper: Damper::Proportional(damping) }
            }
        }
    }

    /// What decides by which of two rules the `law` chooses a stiffness, and a damping, as it does in
    /// [`NormalForce::new`]: the one of the step rules while it is positive. `None` where it does not choose.
    pub fn choices<const D: usize>(
        law: &SmoothLaw,
        body: &PointMass<D, N>,
        dt: N,
        speed: N,
    ) -> [Option<N>; 2] {
        let SmoothLaw::KelvinVoigt { stiffness, damping } = *law else { return [None; 2] };
        let resolved = N::constant(RESOLVED).powi(2) / dt;
        let of_stiffness = body.gravity_norm() - speed * SUNK * resolved;
        let of_damping = || {
            let Profile::Spring { stiffness } = Self::new(law, body, dt, speed).profile else { return None };
            let most = strongest_ratio(body.mass, stiffness, dt);
            let kept = (most - most.re()) * restitution_slope(most.re()) + restitution(most.re());
            Some(kept - body.restitution)
        };
        [stiffness.is_none().then_some(of_stiffness), damping.is_none().then(of_damping).flatten()]
    }

    /// The normal force in N at height `z` in m and vertical velocity `vz` in m/s.
    pub fn at(&self, z: N, vz: N) -> N {
        match self.damper {
            Damper::Proportional(damping) => self.static_force(z) * (-damping * vz + 1.0).positive_part(),
            Damper::Linear(_) if z.re() >= 0.0 => N::zero(),
            Damper::Linear(damping) => (self.static_force(z) - damping * vz).positive_part(),
        }
    }

    /// The static force `s(z)` in N.
    pub fn static_force(&self, z: N) -> N {
        self.profile.force(z)
    }

    /// What is negative where the damper pulls more than the static force pushes, and the force is cut off:
    /// `1 - beta vz`, which does not depend on the height, or `s(z) - c vz` in N.
    pub fn push_margin(&self, z: N, vz: N) -> N {
        match self.damper {
            Damper::Proportional(damping) => -damping * vz + 1.0,
            Damper::Linear(damping) => self.static_force(z) - damping * vz,
        }
    }

    /// Stiffness in N/m and damping, in s/m or N s/m as the law has it; no stiffness for the `tanh`.
    pub fn parameters(&self) -> (Option<N>, N) {
        let stiffness = match self.profile {
            Profile::Spring { stiffness } => Some(stiffness),
            Profile::Tanh { .. } => None,
        };
        let (Damper::Proportional(damping) | Damper::Linear(damping)) = self.damper;
        (stiffness, damping)
    }

    /// Whether it acts below the ground only.
    pub fn ends_at_the_ground(&self) -> bool {
        matches!(self.profile, Profile::Spring { .. })
    }
}

impl NormalForce {
    /// The force of the scenario's law, for impacts at the speed that gravity gives.
    pub fn of<const D: usize>(scenario: &Scenario<D>) -> Self {
        let body = scenario.point(0);
        let speed = body.impact_speed(&scenario.initial_state(0));
        Self::new(&scenario.steppers.smooth.law, &body, scenario.step, speed)
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

    /// From how far off in m it pushes: nowhere above the ground, or as far as its force is no rounding of anything.
    pub(super) fn reach(&self) -> f64 {
        match self.profile {
            Profile::Tanh { sharpness, .. } => FAR_ABOVE / (2.0 * sharpness),
            Profile::Spring { .. } => 0.0,
        }
    }

    /// How the force depends on what it is made of, where it pushes.
    pub(super) fn slopes(&self, z: f64, vz: f64) -> ForceSlopes {
        let force = self.static_force(z);
        // Of the static force with respect to the height, and to its stiffness.
        let (slope, per_stiffness) = match self.profile {
            Profile::Tanh { amplitude, sharpness } => {
                let share = force / amplitude;
                (-2.0 * sharpness * amplitude * share * (1.0 - share), 0.0)
            }
            Profile::Spring { stiffness } => (-stiffness, (-z).max(0.0)),
        };
        match self.damper {
            Damper::Proportional(damping) => {
                let left = 1.0 - damping * vz;
                ForceSlopes {
                    gap: slope * left,
                    speed: -damping * force,
                    stiffness: per_stiffness * left,
                    damping: -force * vz,
                }
            }
            Damper::Linear(damping) => {
                ForceSlopes { gap: slope, speed: -damping, stiffness: per_stiffness, damping: -vz }
            }
        }
    }

    /// The largest load that it can carry at rest, in N.
    pub fn capacity(&self) -> f64 {
        match self.profile {
            Profile::Tanh { amplitude, .. } => amplitude,
            Profile::Spring { .. } => f64::INFINITY,
        }
    }

    /// The longest stable step in s for a point that hits the ground at `speed` m/s.
    ///
    /// Linearised about any state, semi-implicit Euler on `m z'' + c z' + k z = 0` is stable for
    /// `dt < 4/(c/m + sqrt((c/m)^2 + 4 k/m))`. The bound is `dt <= 4/(c/m + sqrt((c/m)^2 + 64 k/m))`,
    /// a quarter of that for undamped oscillations, so that their energy is right too.
    /// It takes the largest `k = -s'(z)` and the largest `c = d(z)` that the impact can meet:
    /// `s` is at most `amplitude` for the `tanh`; a spring is compressed at most by what stops the
    /// point, `sqrt(2 m v/(k beta)) + m g/k` with damping alone or `v sqrt(m/k) + 2 m g/k` without.
    pub fn stable_step<const D: usize>(&self, body: &PointMass<D>, speed: f64) -> f64 {
        self.stable_step_of(body.mass, -body.mass * body.gravity[D - 1].min(0.0), speed)
    }

    /// That of a point of `mass` kg which is pressed on the ground with `weight` N.
    pub(super) fn stable_step_of(&self, mass: f64, weight: f64, speed: f64) -> f64 {
        let (force, stiffness) = match self.profile {
            Profile::Tanh { amplitude, sharpness } => (amplitude, 0.5 * amplitude * sharpness),
            Profile::Spring { stiffness: k } => {
                let undamped = speed * (mass / k).sqrt() + 2.0 * weight / k;
                let damped = match self.damper {
                    Damper::Proportional(damping) => (2.0 * mass * speed / (k * damping)).sqrt() + weight / k,
                    Damper::Linear(_) => undamped,
                };
                (k * undamped.min(damped), k)
            }
        };
        let largest = match self.damper {
            Damper::Proportional(damping) => damping * force,
            Damper::Linear(damping) => damping,
        };
        let decay = largest / mass;
        4.0 / (decay + (decay * decay + 64.0 * stiffness / mass).sqrt())
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

/// Damping ratio `zeta = c/(2 m omega)`, at most `most`, with which a linear spring and damper that never
/// pull rebound with restitution `e`: by bisection of [`restitution`], and one step of Newton's method in
/// the numbers of `e`, which carries first derivatives along.
fn damping_ratio<N: Number>(e: N, most: N) -> N {
    if restitution(most.re()) >= e.re() {
        return most;
    }
    let (mut low, mut high) = (0.0, most.re());
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if restitution(middle) > e.re() { low = middle } else { high = middle }
    }
    let zeta = 0.5 * (low + high);
    (e - restitution(zeta)) / restitution_slope(zeta) + zeta
}

/// The derivative of [`restitution`], by differences.
fn restitution_slope(zeta: f64) -> f64 {
    let h = 1e-6;
    (restitution(zeta + h) - restitution((zeta - h).max(0.0))) / (h + zeta.min(h))
}

/// The damping ratio of the strongest damper that is chosen beside a `stiffness`.
fn strongest_ratio<N: Number>(mass: N, stiffness: N, dt: N) -> N {
    N::constant(0.5 * STRONGEST) / ((stiffness / mass).sqrt() * dt)
}

/// Restitution of an impact on a linear spring and damper of damping ratio `zeta` that never pull, so
/// that the contact ends where the force vanishes and not where the spring is slack again (Schwager and
/// Pöschel, "Coefficient of restitution and linear-dashpot model revisited", Granular Matter 9, 2007).
fn restitution(zeta: f64) -> f64 {
    let part = (1.0 - zeta * zeta).abs().sqrt();
    if part < 1e-6 {
        return (-2.0_f64).exp();
    }
    let time = if zeta < 1.0 {
        // The angle at which force and time of contact end, between pi (no damping) and 0.
        (2.0 * zeta * part).atan2(2.0 * zeta * zeta - 1.0)
    } else {
        ((zeta + part) / (zeta - part)).ln()
    };
    (-zeta / part * time).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rebound of a unit mass and unit speed on the spring and damper, in very small steps.
    fn integrated(zeta: f64) -> f64 {
        let dt = 1e-5;
        let (mut z, mut v) = (0.0, -1.0);
        loop {
            let force = -z - 2.0 * zeta * v;
            if force <= 0.0 && v > 0.0 {
                return v;
            }
            v += dt * force;
            z += dt * v;
        }
    }

    #[test]
    fn restitution_is_that_of_the_motion() {
        for zeta in [0.01, 0.1, 0.3, 0.7, 0.8, 0.99, 1.0, 1.2, 2.0] {
            let (formula, motion) = (restitution(zeta), integrated(zeta));
            assert!((formula - motion).abs() < 1e-3, "zeta = {zeta}: {formula}, integrated {motion}");
        }
    }

    #[test]
    fn damping_ratio_inverts_the_restitution_up_to_the_strongest() {
        for e in [0.1, 0.5, 0.8, 0.99] {
            assert!((restitution(damping_ratio(e, 5.0)) - e).abs() < 1e-9);
        }
        assert_eq!(damping_ratio(0.0, 5.0 / 3.0), 5.0 / 3.0);
        assert!(damping_ratio(1.0_f64, 5.0).abs() < 1e-9);
    }
}
