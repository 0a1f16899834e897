use nalgebra::DMatrix;

use super::{
    flow::{GroundFriction, Impact, Pull, stop_after},
    read_state,
};
use crate::{
    contact::Friction,
    gradient::GridStep,
    metrics::RestSpeed,
    model::{PointMass, State, Vector, tangential},
    scenario::Scenario,
    stepper::{
        PointInput, Step,
        derivative::{LocalDual, LocalInput, Margin, MarginKind, StepRates},
    },
};

/// The momentum of an impulse that is no contact, in units of that of a point which moves just fast enough not to rest.
const SLIGHT: f64 = 1e-2;

/// Watches for the instant at which the point comes to rest.
///
/// A stepper puts the end of a slide on a sample. The instant meant is in between: where friction
/// and push would bring the speed that the last moving sample has to zero, or, where the impact
/// itself takes all of the speed, the impact.
pub(super) struct StopWatch<const D: usize> {
    body: PointMass<D>,
    friction: Friction,
    /// The same as for the metric `stop_time`.
    rest: RestSpeed,
    found: bool,
    /// Whether it rested throughout the last step.
    stays: bool,
    time: f64,
    gradient: Vec<f64>,
    /// The stop that follows the last landing, if that landing was in the step before.
    landing: Option<usize>,
    landing_time: f64,
    landing_gradient: Vec<f64>,
}

impl<const D: usize> StopWatch<D> {
    /// For derivatives in so many columns.
    pub fn new(scenario: &Scenario<D>, body: PointMass<D>, columns: usize) -> Self {
        let mut rest = RestSpeed::new(scenario);
        rest.see(scenario.initial_state(0).velocity.norm());
        Self {
            body,
            friction: scenario.ground.surface().friction,
            rest,
            found: true,
            stays: false,
            time: 0.0,
            gradient: vec![0.0; columns],
            landing: None,
            landing_time: 0.0,
            landing_gradient: vec![0.0; columns],
        }
    }

    /// Sees a step, the derivatives of the state before it, a column each, and the rates of its parameters, per input.
    pub fn look(
        &mut self,
        step: &GridStep,
        input: &PointInput<D>,
        taken: &Step<D>,
        changes: &DMatrix<f64>,
        rates: &[StepRates<D>],
    ) {
        let (before, after) = (input.state.velocity.norm(), taken.state.velocity.norm());
        self.rest.see(after);
        let rest = self.rest.threshold();
        let (moved, goes_on) = (!self.rest.rests(before), !self.rest.rests(after));
        if goes_on {
            self.found = false;
        }
        self.stays = !moved && !goes_on;
        let touches = taken.contact_impulse[D - 1] > SLIGHT * self.body.mass * rest;
        let lands = touches && moved && input.state.velocity[D - 1] < -rest && input.state.height() > 0.0;
        let rests = moved && !goes_on;
        if lands && self.landing.is_none_or(|landing| landing + 1 != step.index) {
            let after = self.after_landing(input);
            self.landing = after.is_some().then_some(step.index);
            if let Some(after) = after {
                self.landing_time = step.time + after.re;
                write(&mut self.landing_gradient, after, step, changes, rates);
                if rests {
                    self.take_landing();
                }
            }
            return;
        }
        if !rests {
            return;
        }
        if self.landing.is_some_and(|landing| landing + 1 == step.index) {
            self.take_landing();
        } else if let Some(after) = self.after_slide(input) {
            self.found = true;
            self.time = step.time + after.re;
            write(&mut self.gradient, after, step, changes, rates);
        } else {
            self.found = true;
            self.time = step.time + step.h;
            self.gradient.fill(f64::NAN);
        }
    }

    fn take_landing(&mut self) {
        self.found = true;
        self.time = self.landing_time;
        self.gradient.copy_from_slice(&self.landing_gradient);
    }

    /// The motion along the ground as one in the plane: along the velocity.
    fn in_plane(&self, input: &PointInput<D>) -> (LocalInput<D>, State<2, LocalDual>, Pull<LocalDual>) {
        let local = LocalInput::new(&self.body, input);
        let slip = tangential(&input.state.velocity);
        let speed = slip.norm();
        let along: Vector<D, LocalDual> =
            if speed > 0.0 { (slip / speed).map(LocalDual::from) } else { Vector::zeros() };
        let acceleration = local.push / local.body.mass + local.body.gravity;
        let plane =
            |vector: &Vector<D, LocalDual>| Vector::<2, LocalDual>::new(along.dot(vector), vector[D - 1]);
        let state = State { position: plane(&local.state.position), velocity: plane(&local.state.velocity) };
        let pull = Pull { along: along.dot(&acceleration), down: -acceleration[D - 1] };
        (local, state, pull)
    }

    fn after_slide(&self, input: &PointInput<D>) -> Option<LocalDual> {
        let (local, state, pull) = self.in_plane(input);
        let friction = GroundFriction::new(&local, &self.friction);
        stop_after(state.velocity[0], pull, friction.sliding(state.velocity[0]))
    }

    fn after_landing(&self, input: &PointInput<D>) -> Option<LocalDual> {
        let (local, state, pull) = self.in_plane(input);
        if pull.down.re <= 0.0 {
            return None;
        }
        let impact = Impact::of(&state, pull);
        let friction = GroundFriction::new(&local, &self.friction);
        let kept = impact.kept(friction.striking(impact.slip), impact.speed);
        if kept.re == 0.0 {
            return Some(impact.after);
        }
        Some(impact.after + stop_after(kept, pull, friction.sliding(kept))?)
    }

    /// When the point came to rest for good; `None` if it still moves, or did in the last step.
    pub fn stop(&self) -> Option<(f64, &[f64])> {
        (self.found && self.stays).then_some((self.time, self.gradient.as_slice()))
    }
}

fn write<const D: usize>(
    gradient: &mut [f64],
    after: LocalDual,
    step: &GridStep,
    changes: &DMatrix<f64>,
    rates: &[StepRates<D>],
) {
    let row = Margin::<D>::new(MarginKind::Stop, after);
    let columns = changes.as_slice().chunks_exact(changes.nrows().max(1));
    for ((gradient, column), rates) in gradient.iter_mut().zip(columns).zip(rates.iter().cycle()) {
        let change = read_state(column);
        // With the length of the step, the time at which this one starts changes too.
        let start = if step.share > 0.0 { step.elapsed * rates.dt / step.share } else { 0.0 };
        *gradient = start + row.slope(&change, rates);
    }
}
