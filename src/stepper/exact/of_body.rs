use super::body::{BodyState, ExactBody, Unknown};
use crate::{
    contact::FailureKind,
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::Scenario,
    stepper::{
        FlightVelocity, Honours, Moved, Refusal, SolveReport, StepFailure, StepInput, Stepper, StepperName,
        bodies::planar_scene, ignored::IMPACT_AT_ITS_INSTANT,
    },
    world::planar::{Pose, Twist},
};

/// The exact motion of one body in the plane ([`ExactBody`]) as a stepper.
#[derive(Debug, Clone)]
pub struct ExactOfBody {
    /// How the body moves at first, before it may land at once.
    thrown: Twist,
    /// The motion from its start.
    start: ExactBody,
    /// The motion up to the last step.
    motion: ExactBody,
    mass: f64,
    inertia: f64,
    gravity: Vector<2>,
}

impl ExactOfBody {
    /// The motion of the one body of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if there is more than a body over the ground, or something happens before the end after
    /// which the motion is not determined.
    pub fn new(scenario: &Scenario<2>) -> Result<Self, Refusal> {
        let stepper = StepperName::EXACT;
        if !(scenario.rods.is_empty() && scenario.springs.is_empty()) {
            return Err(Refusal {
                stepper,
                reason: "there are rods or springs, and it follows a single body that nothing holds"
                    .to_owned(),
                remedy: "leave them out, or use another stepper".to_owned(),
            });
        }
        if !scenario.pushes.is_empty() {
            return Err(Refusal {
                stepper,
                reason: "there are pushes, and it follows a body under gravity alone".to_owned(),
                remedy: "leave them out, or use another stepper".to_owned(),
            });
        }
        let scene = planar_scene(scenario, stepper)?;
        let refuse = |Unknown { reason, remedy }| Refusal { stepper, reason, remedy };
        let start = ExactBody::new(&scene).map_err(refuse)?;
        let time = scenario.time();
        start.clone().follow(time.at(time.steps)).map_err(refuse)?;
        let body = &scene.bodies[0];
        let (mass, inertia) = (body.mass, body.inertia);
        Ok(Self { thrown: body.twist, motion: start.clone(), start, mass, inertia, gravity: scene.gravity })
    }
}

impl ExactOfBody {
    /// The body at `time` s.
    fn follow(&mut self, time: f64) -> Result<BodyState, StepFailure> {
        let outcome = self.motion.follow(time);
        outcome.map_err(|error| StepFailure::new(FailureKind::OutOfRange, error.to_string()))?;
        Ok(*self.motion.state())
    }
}

impl Stepper<2> for ExactOfBody {
    fn name(&self) -> StepperName {
        StepperName::EXACT
    }

    fn honours(&self) -> Honours {
        Honours {
            impacts_within_steps: true,
            flight: FlightVelocity::Mean,
            ignores: &[IMPACT_AT_ITS_INSTANT],
            ..Honours::default()
        }
    }

    /// A step is a piece of the one motion from the start, whatever the input's states are.
    fn step(&mut self, input: &StepInput<'_, 2>, moved: &mut Moved<2>) -> Result<SolveReport, StepFailure> {
        let (begin, end) = (input.index as f64 * input.dt, (input.index + 1) as f64 * input.dt);
        if self.motion.time() > begin {
            self.motion = self.start.clone();
        }
        let before = self.follow(begin)?;
        // The first step has what the body meets with as it begins.
        if input.index > 0 {
            self.motion.forget_impulses();
        }
        let after = self.follow(end)?;
        let Pose { position, angle } = after.pose;
        moved.states[0] = State { position, velocity: after.twist.xy() };
        moved.attitudes[0] =
            Attitude { orientation: Orientation::Angle(angle), spin: Spin::new(after.twist.z, 0.0, 0.0) };
        let change = after.twist - if input.index == 0 { self.thrown } else { before.twist };
        moved.impulses[0] = (change.xy() - self.gravity * input.dt) * self.mass;
        moved.angular_impulses[0] = Spin::new(change.z * self.inertia, 0.0, 0.0);
        moved.contacts.clear();
        moved.contacts.extend(self.motion.contacts(&before, input.dt));
        Ok(SolveReport::CLOSED_FORM)
    }

    fn reset(&mut self) {
        self.motion = self.start.clone();
    }
}
