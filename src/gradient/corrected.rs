use super::flow::{Impact, Pull, on_ground};
use crate::{
    model::{PointMass, State, Vector},
    stepper::{
        Honours, PointInput, PointStepper, SolverInfo, Step, StepError, StepperName, UsedSettings,
        derivative::{LocalDual, LocalInput, Margins, NoDerivative, StepDerivative, explicit_derivative},
    },
};

/// The part of `a dt` (for velocities) and of `a dt^2` (for heights), by the accelerations `a` of gravity and push, that
/// counts as zero: far above what a solver leaves, far below what a step changes.
const NEGLIGIBLE: f64 = 1e-4;

/// What a contact step of a gap-level stepper stands for in the continuous motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContactEvent {
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
    pub fn of(body: &PointMass<2>, input: &PointInput<2>, step: &Step<2>) -> Self {
        let pull = body.gravity_norm() + input.push.norm() / body.mass;
        let unit = (pull * input.dt).max(f64::MIN_POSITIVE);
        let slight = NEGLIGIBLE * unit;
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

/// A gap-level stepper with the corrected gradient: its steps are its own, but a step in contact hands
/// out the derivative of the continuous motion through the event that the step took.
///
/// A gap-level step spreads an impact over two steps and takes all of a slide's end or reversal at
/// once, so that the derivative of its own formula depends on where between two samples the event
/// falls, and loses the change of the event's time. See the [module](crate::gradient).
pub struct Corrected {
    inner: Box<dyn PointStepper<2>>,
    body: PointMass<2>,
}

impl Corrected {
    /// The corrected gradient of `inner`, which moves `body`; `None` where there is none, for
    /// steppers that are not gap-level or divide their steps at events, which need none.
    pub fn new(inner: Box<dyn PointStepper<2>>, body: PointMass<2>) -> Option<Self> {
        let is_at_gap_level = inner.name().descriptor().capabilities.corrects_gradients;
        (is_at_gap_level && !inner.divides_steps()).then_some(Self { inner, body })
    }

    fn flow(&self, event: ContactEvent, input: &PointInput<2>, step: &Step<2>) -> State<2, LocalDual> {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let pull = Pull::new(&body, &push);
        let zero = LocalDual::from_re(0.0);
        let (x, vx) = (state.position[0], state.velocity[0]);
        match event {
            ContactEvent::Landing { rebounds } => {
                let impact = Impact::of(&state, pull);
                let e = if rebounds { body.restitution } else { zero };
                let kept = impact.kept(body.friction, (e + 1.0) * impact.speed);
                let left = dt - impact.after;
                if rebounds || pull.lifts() {
                    let up = e * impact.speed;
                    return flight([impact.x, zero], [kept, up], pull, left);
                }
                ground_state(on_ground(impact.x, kept, pull, body.friction, left))
            }
            // It is in flight, whatever of the impact this step still shows.
            ContactEvent::Settling if pull.lifts() => {
                flight([x, state.position[1]], [vx, state.velocity[1]], pull, dt)
            }
            ContactEvent::Settling => {
                // The slide that follows the impact, whatever of the impact this step still shows.
                let limit = body.friction * pull.down;
                let slip = step.state.velocity[0];
                let direction = if slip != 0.0 {
                    slip.signum()
                } else if pull.along.re.abs() > limit.re || limit.re == 0.0 {
                    pull.along.re.signum()
                } else {
                    return ground_state((x, zero));
                };
                let a = pull.along - limit * direction;
                ground_state((x + (vx + a * dt * 0.5) * dt, vx + a * dt))
            }
            ContactEvent::Ground | ContactEvent::Flight => {
                ground_state(on_ground(x, vx, pull, body.friction, dt))
            }
        }
    }
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

impl PointStepper<2> for Corrected {
    fn name(&self) -> StepperName {
        self.inner.name()
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.inner.solver()
    }

    fn settings(&self) -> UsedSettings {
        self.inner.settings()
    }

    fn honours(&self) -> Honours {
        self.inner.honours()
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        self.inner.step(input)
    }

    fn step_derivative(
        &self,
        input: &PointInput<2>,
        step: &Step<2>,
    ) -> Result<StepDerivative<2>, NoDerivative> {
        match ContactEvent::of(&self.body, input, step) {
            ContactEvent::Flight => self.inner.step_derivative(input, step),
            event => Ok(StepDerivative::Explicit(explicit_derivative(&self.flow(event, input, step)))),
        }
    }

    fn margins(&self, input: &PointInput<2>, step: &Step<2>) -> Margins<2> {
        self.inner.margins(input, step)
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn memory(&self) -> Vec<f64> {
        self.inner.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.inner.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.inner.set_verbose(verbose);
    }
}
