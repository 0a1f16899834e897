use super::{
    TakenStep,
    flow::{GroundFriction, Impact, Pull, on_ground},
};
use crate::{
    model::{PointMass, State, Vector},
    stepper::{
        PointInput, Step,
        derivative::{LocalDual, LocalInput, StepDerivative, explicit_derivative},
    },
};

/// The part of `a dt` (for velocities) and of `a dt^2` (for heights), by the accelerations `a` of gravity and push, that
/// counts as zero: far above what a solver leaves, far below what a step changes.
const NEGLIGIBLE: f64 = 1e-4;

/// The part of `a dt` that counts as no slip: what a solver leaves of one that friction has stopped.
const AT_REST: f64 = 1e-6;

/// What a contact step of a gap-level stepper stands for in the continuous motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContactEvent {
    /// No contact.
    Flight,
    /// The impact: the point comes from above the ground, or bounces.
    Landing {
        /// Whether it leaves the ground again.
        rebounds: bool,
    },
    /// The step after the landing, in which a gap-level stepper takes the rest of the velocity: no
    /// event of the motion.
    Settling,
    /// The point was on the ground.
    Ground,
}

impl ContactEvent {
    /// Reads it off a step.
    fn of(body: &PointMass<2>, input: &PointInput<2>, step: &Step<2>) -> Self {
        let slight = NEGLIGIBLE * gained(body, input);
        if step.contact_impulse[1] / body.mass <= slight {
            return Self::Flight;
        }
        let rebounds = step.state.velocity[1] > slight;
        if rebounds || input.state.height() > slight * input.dt {
            return Self::Landing { rebounds };
        }
        if input.state.velocity[1] < -slight { Self::Settling } else { Self::Ground }
    }
}

/// What gravity and push add to a velocity in a step at most, in m/s.
fn gained(body: &PointMass<2>, input: &PointInput<2>) -> f64 {
    let pull = body.gravity_norm() + input.push.norm() / body.mass;
    (pull * input.dt).max(f64::MIN_POSITIVE)
}

/// The corrected derivative of a step of a gap-level stepper: in contact that of the continuous motion of `body` through the
/// event that the step took; `None` in flight, where that of the step is right.
///
/// A gap-level step spreads an impact over two steps and takes all of a slide's end or reversal at
/// once, so that the derivative of its own formula depends on where between two samples the event
/// falls, and loses the change of the event's time. See the [module](crate::gradient).
pub(in crate::gradient) fn corrected_derivative(taken: &TakenStep<'_, 2>) -> Option<StepDerivative<2>> {
    match ContactEvent::of(taken.body, taken.input, taken.step) {
        ContactEvent::Flight => None,
        event => Some(StepDerivative::Explicit(explicit_derivative(&flow(event, taken)))),
    }
}

/// The continuous motion over a step in which `event` happens.
fn flow(event: ContactEvent, taken: &TakenStep<'_, 2>) -> State<2, LocalDual> {
    let TakenStep { body, input, step, .. } = *taken;
    let at_rest = AT_REST * gained(body, input);
    let local = LocalInput::new(body, input);
    let friction = GroundFriction::new(&local, taken.friction);
    let LocalInput { body, state, push, dt } = local;
    let pull = Pull::new(&body, &push);
    let zero = LocalDual::from_re(0.0);
    let (x, vx) = (state.position[0], state.velocity[0]);
    match event {
        ContactEvent::Landing { rebounds } => {
            let impact = Impact::of(&state, pull);
            let e = if rebounds { body.restitution } else { zero };
            let kept = impact.kept(friction.striking(impact.slip), (e + 1.0) * impact.speed);
            let left = dt - impact.after;
            if rebounds || pull.lifts() {
                let up = e * impact.speed;
                return flight([impact.x, zero], [kept, up], pull, left);
            }
            ground_state(on_ground(impact.x, kept, pull, &friction, left))
        }
        // It is in flight, whatever of the impact this step still shows.
        ContactEvent::Settling if pull.lifts() => {
            flight([x, state.position[1]], [vx, state.velocity[1]], pull, dt)
        }
        ContactEvent::Settling => {
            // The slide that follows the impact, whatever of the impact this step still shows.
            let (held, limit) = (friction.held * pull.down, friction.sliding(vx) * pull.down);
            let slip = step.state.velocity[0];
            let direction = if slip.abs() > at_rest {
                slip.signum()
            } else if pull.along.re.abs() > held.re || held.re == 0.0 {
                pull.along.re.signum()
            } else {
                return ground_state((x, zero));
            };
            let a = pull.along - limit * direction;
            ground_state((x + (vx + a * dt * 0.5) * dt, vx + a * dt))
        }
        ContactEvent::Ground | ContactEvent::Flight => {
            let vx = if vx.re.abs() > at_rest { vx } else { vx - vx.re };
            let late = if vx.re == 0.0 { breaks_late(taken, &friction, pull) } else { zero };
            ground_state(on_ground(x, vx, pull, &friction, dt - late))
        }
    }
}

/// By how much later in s the point breaks loose that does so, of its value nothing: `dt = d(mu_s N - |F|)/(d|F|/dt)`, with what
/// the push has gained on friction since the step before. Where friction does not fall at once there is nothing that begins then.
fn breaks_late(
    TakenStep { body, input, pushed_before, .. }: &TakenStep<'_, 2>,
    friction: &GroundFriction,
    pull: Pull<LocalDual>,
) -> LocalDual {
    let zero = LocalDual::from_re(0.0);
    let before = pushed_before / body.mass + body.gravity;
    let holds = |along: f64, down: f64| friction.held.re * down - along.abs();
    let [held, holding] = [holds(before[0], -before[1]), holds(pull.along.re, pull.down.re)];
    if !friction.falls_at_once(pull.down.re * input.dt) || held < 0.0 || holding >= 0.0 {
        return zero;
    }
    let late =
        (friction.held * pull.down - pull.along * pull.along.re.signum()) * input.dt / (held - holding);
    late - late.re
}

fn ground_state((x, vx): (LocalDual, LocalDual)) -> State<2, LocalDual> {
    let zero = LocalDual::from_re(0.0);
    State { position: Vector::<2, LocalDual>::new(x, zero), velocity: Vector::<2, LocalDual>::new(vx, zero) }
}

/// After `duration` s without ground, from this position in m and velocity in m/s.
fn flight(
    [x, z]: [LocalDual; 2],
    [vx, vz]: [LocalDual; 2],
    pull: Pull<LocalDual>,
    duration: LocalDual,
) -> State<2, LocalDual> {
    let Pull { along, down } = pull;
    State {
        position: Vector::<2, LocalDual>::new(
            x + (vx + along * duration * 0.5) * duration,
            z + (vz - down * duration * 0.5) * duration,
        ),
        velocity: Vector::<2, LocalDual>::new(vx + along * duration, vz - down * duration),
    }
}
