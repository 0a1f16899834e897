//! The event-driven stepper: the true motion, against which the others are measured.
//!
//! Every body is followed by itself from event to event: a [point] between the ground and walls, a ball (a
//! disc or a uniform sphere, which is a point in the velocity with which it slips; also where rolling is resisted, if it
//! keeps to one upright plane or spins on the spot) and a [polygon or rod](planar)
//! in the plane over the ground. What they are alone is the whole motion as long as no two of them meet, and
//! none of those that turn meets a wall; that is watched (`meetings`), and the step in which it happens fails.

mod ball;
mod body_motion;
mod build;
mod meetings;
mod particle;
pub mod planar;
pub mod point;
mod rolling_ball;
mod rolling_disc;
mod rows;
mod shapes;

pub use build::ExactBodies;
pub(crate) use build::refuse_tables;
pub use point::{ContactPlane, Event, EventKind, Forcing, PointMotion};
pub(super) use rows::ROWS;

use self::{body_motion::BodyMotion, meetings::Meetings};
use super::{
    FlightVelocity, Honours, Moved, PointInput, PointStepper, Refusal, SolveReport, Step, StepError,
    StepFailure, StepInput, Stepper, StepperName, ignored::IMPACT_AT_ITS_INSTANT,
};
use crate::{
    model::Vector,
    scenario::{Push, Scenario},
};

/// The event-driven stepper.
///
/// Unlike the other steppers, which hold the push sampled at `t_k` over the step, it follows the continuous
/// pushes of the scenario.
#[derive(Debug)]
pub struct Exact<const D: usize> {
    start: Vec<Box<dyn BodyMotion<D>>>,
    bodies: Vec<Box<dyn BodyMotion<D>>>,
    meetings: Meetings<D>,
    /// The step that the bodies are at the start of; `None` after one that failed.
    next: Option<usize>,
    /// Whether contacts are told one by one: that of a point with the ground needs no telling.
    tells_contacts: bool,
    honours: Honours,
}

impl<const D: usize> Exact<D>
where
    Scenario<D>: ExactBodies<D>,
{
    /// The exact motion of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] where it cannot begin: something holds or drives a body that it does not know, or bodies touch at
    /// the start.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        let (start, meetings) = build::bodies(scenario)?;
        let bodies = copied(&start);
        // How a corner strikes depends on them.
        let heeds_law = scenario.impacts().is_whole() && scenario.has_turning_bodies();
        let honours = if heeds_law { Honours { ignores: &[], ..HONOURS } } else { HONOURS };
        Ok(Self {
            start,
            bodies,
            meetings,
            next: Some(0),
            tells_contacts: scenario.has_many_contacts(),
            honours,
        })
    }
}

fn copied<const D: usize>(bodies: &[Box<dyn BodyMotion<D>>]) -> Vec<Box<dyn BodyMotion<D>>> {
    bodies.iter().map(|body| body.copy()).collect()
}

impl<const D: usize> Exact<D> {
    /// What happened to a body since the start, in order of time: to a point, or the lowest point of a ball.
    ///
    /// An impact that falls on the very end of the last step belongs to the step after it.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn events(&self, body: usize) -> &[Event<D>] {
        self.bodies[body].events()
    }

    /// Follows all bodies for a step, whether they meet or not.
    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        self.bodies.iter_mut().try_for_each(|body| body.advance(start, dt))
    }

    /// Goes to the start of a step.
    fn go_to(&mut self, input: &StepInput<'_, D>) -> Result<(), StepFailure> {
        if self.next != Some(input.index) {
            self.bodies = copied(&self.start);
            for index in 0..input.index {
                self.advance(index as f64 * input.dt, input.dt)?;
            }
        }
        for (body, state) in self.bodies.iter_mut().zip(input.states) {
            body.place(state);
        }
        Ok(())
    }

    fn write(&self, dt: f64, moved: &mut Moved<D>) {
        for (body, state) in self.bodies.iter().zip(&mut moved.states) {
            *state = body.state();
        }
        for (body, attitude) in self.bodies.iter().zip(&mut moved.attitudes) {
            *attitude = body.attitude();
        }
        for (body, impulse) in self.bodies.iter().zip(&mut moved.impulses) {
            *impulse = body.impulse().0;
        }
        for (body, impulse) in self.bodies.iter().zip(&mut moved.angular_impulses) {
            *impulse = body.impulse().1;
        }
        moved.contacts.clear();
        let told = self.bodies.iter().enumerate().filter(|_| self.tells_contacts);
        for (index, body) in told {
            body.contacts(index, dt, &mut moved.contacts);
        }
    }
}

/// What the steps of it honour.
const HONOURS: Honours = Honours {
    push_within_steps: true,
    impacts_within_steps: true,
    flight: FlightVelocity::Mean,
    ignores: &[IMPACT_AT_ITS_INSTANT],
    fixed_directions: None,
};

impl<const D: usize> Stepper<D> for Exact<D> {
    fn name(&self) -> StepperName {
        StepperName::EXACT
    }

    fn honours(&self) -> Honours {
        self.honours
    }

    /// A step goes on from the input's states of points; bodies that turn are where their own motion from the start has
    /// them.
    fn step(&mut self, input: &StepInput<'_, D>, moved: &mut Moved<D>) -> Result<SolveReport, StepFailure> {
        let start = input.time;
        self.go_to(input)?;
        self.next = None;
        let near = self.meetings.near(&self.bodies, start, input.dt);
        let advanced = self.advance(start, input.dt);
        self.meetings.check(near, start, input.dt)?;
        advanced?;
        self.next = Some(input.index + 1);
        self.write(input.dt, moved);
        Ok(SolveReport::CLOSED_FORM)
    }

    fn reset(&mut self) {
        self.bodies = copied(&self.start);
        self.next = Some(0);
    }
}

/// The motion of the one point of a scenario, for callers that push it by hand: what [`PointInput::push`] has
/// beyond the sample of the scenario's pushes at `t_k` is held over the step.
#[derive(Debug, Clone)]
pub struct ExactPoint<const D: usize> {
    motion: PointMotion<D>,
    mass: f64,
    /// The pushes as the other steppers sample them, and the step in s by which they do.
    sampled: (Vec<Push<D>>, f64),
}

impl<const D: usize> ExactPoint<D> {
    /// The point of `scenario`.
    ///
    /// # Errors
    /// [`Refusal`] if there is more than a point, or a push that it does not follow.
    pub fn new(scenario: &Scenario<D>) -> Result<Self, Refusal> {
        build::single(scenario).map(|motion| Self {
            motion,
            mass: scenario.bodies[0].mass,
            sampled: (scenario.pushes.clone(), scenario.step),
        })
    }
}

impl<const D: usize> PointStepper<D> for ExactPoint<D> {
    fn name(&self) -> StepperName {
        StepperName::EXACT
    }

    fn honours(&self) -> Honours {
        HONOURS
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let (pushes, step) = &self.sampled;
        let sample = |sum, push: &Push<D>| sum + push.at_step(input.index, *step);
        let own = input.push - pushes.iter().fold(Vector::zeros(), sample);
        let advanced = if own == Vector::<D>::zeros() {
            self.motion.advance(input.state, input.time, input.dt)
        } else {
            self.motion.pushed(own / self.mass).advance(input.state, input.time, input.dt)
        };
        let (state, contact_impulse) = advanced?;
        Ok(Step { state, contact_impulse, report: SolveReport::CLOSED_FORM })
    }

    fn reset(&mut self) {
        self.motion.forget();
    }
}
