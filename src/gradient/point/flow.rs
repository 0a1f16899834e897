//! The continuous flow of a point in the plane over one step, as far as it is needed where a step
//! met an event: an impact and what follows, a slide that ends or turns around.

use crate::{
    contact::{Friction, Hold},
    model::{Number, PointMass, State, Vector, shrink},
    stepper::derivative::{LocalDual, LocalInput},
};

/// What acts on the point over a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pull<N> {
    /// Acceleration along the ground in m/s^2.
    pub along: N,
    /// Acceleration towards the ground in m/s^2.
    pub down: N,
}

impl<N: Number> Pull<N> {
    pub fn new(body: &PointMass<2, N>, push: &Vector<2, N>) -> Self {
        let acceleration = push / body.mass + body.gravity;
        Self { along: acceleration[0], down: -acceleration[1] }
    }

    /// Whether a point that does not bounce leaves the ground all the same.
    pub fn lifts(&self) -> bool {
        self.down.re() < 0.0
    }
}

/// The friction of the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroundFriction {
    /// The coefficient up to which a point sticks.
    pub held: LocalDual,
    /// Where it depends on how the point slips.
    law: Option<Friction<LocalDual>>,
}

impl GroundFriction {
    /// That of a `law`, in the variables of a step.
    pub fn new<const D: usize>(local: &LocalInput<D>, law: &Friction) -> Self {
        let speed = local.body.gravity_norm().re * local.dt.re;
        let lifted = |law: &Friction| {
            let own = local.law(law);
            // What falls within a step falls at once.
            match law.falls_at_once(speed) {
                true => own.with_speed(LocalDual::from_re(0.0), own.viscous_coefficient()),
                false => own,
            }
        };
        let law = law.depends_on_slip().then(|| lifted(law));
        Self { held: local.body.friction, law }
    }

    /// The coefficient of a point that slips as fast as `velocity` in m/s, either way.
    pub fn sliding(&self, velocity: LocalDual) -> LocalDual {
        let speed = if velocity.re < 0.0 { -velocity } else { velocity };
        self.law.map_or(self.held, |law| law.coefficient(Hold::Kinetic(speed)))
    }

    /// The coefficient that an impact takes which a point slips into like that: one that does not may stick.
    pub fn striking(&self, velocity: LocalDual) -> LocalDual {
        if velocity.re == 0.0 { self.held } else { self.sliding(velocity) }
    }

    /// Whether friction falls at once as a point breaks loose, in steps in which it is pulled down up to this speed in m/s.
    pub fn falls_at_once(&self, speed: f64) -> bool {
        self.law.is_some_and(|law| law.falls_at_once(LocalDual::from_re(speed)))
    }
}

/// An impact: when, where and with what velocities.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impact<N> {
    /// Seconds after the start of the step; may be outside it.
    pub after: N,
    /// Position along the ground in m.
    pub x: N,
    /// Velocity along the ground before friction in m/s.
    pub slip: N,
    /// Speed towards the ground in m/s.
    pub speed: N,
}

impl<N: Number> Impact<N> {
    /// Where the parabola through `state` meets the ground.
    pub fn of(state: &State<2, N>, pull: Pull<N>) -> Self {
        let (z, vz) = (state.position[1], state.velocity[1]);
        let speed = (vz * vz + pull.down * z * 2.0).sqrt();
        let after = if vz.re() < 0.0 { z * 2.0 / (speed - vz) } else { (vz + speed) / pull.down };
        let vx = state.velocity[0];
        let x = state.position[0] + (vx + pull.along * after * 0.5) * after;
        Self { after, x, slip: vx + pull.along * after, speed }
    }

    /// The velocity along the ground that friction leaves of it when the normal impulse per mass is
    /// `p`.
    pub fn kept(&self, friction: N, p: N) -> N {
        shrink(self.slip, friction * p)
    }
}

/// `(x, vx)` after `duration` s on the ground: slide, stop, and the slide back where the push
/// overcomes friction. A negative duration goes back along the same slide. Within it friction stays as it is for the slip at its
/// start.
pub(super) fn on_ground(
    x: LocalDual,
    vx: LocalDual,
    pull: Pull<LocalDual>,
    friction: &GroundFriction,
    duration: LocalDual,
) -> (LocalDual, LocalDual) {
    let zero = LocalDual::from_re(0.0);
    let sliding = friction.sliding(vx);
    let limit = sliding * pull.down;
    let overcomes = pull.along.re.abs() > (friction.held * pull.down).re;
    let slide =
        |x: LocalDual, vx: LocalDual, a: LocalDual, t: LocalDual| (x + (vx + a * t * 0.5) * t, vx + a * t);
    // From rest, which a change may end, once the push is too much for friction.
    let off = |x: LocalDual, vx: LocalDual, t: LocalDual| {
        let sign = pull.along.re.signum();
        slide(x, vx, pull.along - friction.sliding(zero) * pull.down * sign, t)
    };
    if limit.re == 0.0 && (friction.held * pull.down).re == 0.0 {
        return slide(x, vx, pull.along, duration);
    }
    if vx.re == 0.0 {
        return if overcomes { off(x, vx, duration) } else { (x, zero) };
    }
    let a = pull.along - limit * vx.re.signum();
    let stop = -vx / a;
    if a.re * vx.re >= 0.0 || stop.re >= duration.re {
        return slide(x, vx, a, duration);
    }
    let x = x + vx * stop * 0.5;
    if overcomes { off(x, zero, duration - stop) } else { (x, zero) }
}

/// Seconds until a point that slides at `vx` stops; `None` if it does not.
pub(super) fn stop_after<N: Number>(vx: N, pull: Pull<N>, friction: N) -> Option<N> {
    let a = pull.along * vx.re().signum() - friction * pull.down;
    (a.re() < 0.0).then(|| -vx.abs() / a)
}
