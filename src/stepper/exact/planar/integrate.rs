//! From event to event.

use super::{BodyEvent, BodyState, ExactBody, Phase, Slip, Unknown, events::Occurrence, next_edge};
use crate::world::planar::{Pose, Shape};

/// Longest step of the integration, as a part of the time of a fall by the body's reach, and in rad of rotation: the
/// fourth-order method then errs by some 1e-12 of that reach in that time.
const PART_OF_FALL: f64 = 1e-3;
const LARGEST_TURN: f64 = 5e-3;

/// Part of the time in which the response of a sliding point to its force would fall to zero, as it falls now, that a step
/// takes at most: the force is its inverse.
const PART_OF_RESPONSE: f64 = 0.02;

/// Part of the time in which friction that changes with the speed changes its force, and in which a slide may stop, that a step
/// takes at most.
const PART_OF_LAW: f64 = 2e-3;
const PART_OF_SLIDE: f64 = 0.02;

/// Events after which something is wrong.
const MOST_EVENTS: usize = 20_000;

impl ExactBody {
    /// Follows the motion up to `time` s.
    ///
    /// # Errors
    /// [`Unknown`] if something happens before after which the motion is not determined.
    pub fn follow(&mut self, time: f64) -> Result<(), Unknown> {
        while self.time < time {
            let edge = next_edge(&self.loads, self.time);
            let until = time.min(edge);
            let left = until - self.time;
            let step = left.min(self.longest_step());
            let end = self.advanced(step);
            if self.occurrence(step, &end).is_none() {
                self.go_to(end, step);
                // The last step lands on the time itself, whatever rounding says.
                self.time = if step == left { until } else { self.time + step };
                if self.time == edge {
                    self.change_loads()?;
                }
                continue;
            }
            let elapsed = self.first_in(step, |state, elapsed| self.occurrence(elapsed, state).is_some());
            let at = self.advanced(elapsed);
            let Some(what) = self.occurrence(elapsed, &at) else { continue };
            self.go_to(at, elapsed);
            self.time += elapsed;
            self.happen(what)?;
        }
        Ok(())
    }

    /// Goes on in the present phase to a state `elapsed` s later.
    fn go_to(&mut self, state: BodyState, elapsed: f64) {
        let before = std::mem::replace(&mut self.state, state);
        self.add_impulse(&before, elapsed);
    }

    /// The longest step in s: one in which forces change little, and no corner turns upwards twice.
    fn longest_step(&self) -> f64 {
        // The time in which it turns by that, faster and faster.
        let gain = self.strength() / self.shape.reach();
        let spin = self.state.twist.z.abs();
        let spun = if self.torque == 0.0 { spin } else { spin + (LARGEST_TURN * gain).sqrt() };
        let turn = LARGEST_TURN / spun;
        match (self.phase, &self.shape) {
            (Phase::Flat([feature, _], Slip::Slide(_)), _)
            | (Phase::Point(feature, Slip::Slide(_)), Shape::Disc { .. }) => self.step_of_law(feature),
            (Phase::Flat(..), _) | (_, Shape::Disc { .. }) => f64::INFINITY,
            (Phase::Flight, _) if self.has_no_ground() => f64::INFINITY,
            (Phase::Flight, _) => turn,
            (Phase::Point(feature, slip), _) => {
                let fall = PART_OF_FALL * (self.shape.reach() / self.strength()).sqrt();
                let step = turn.min(fall);
                match slip {
                    Slip::Stick => step,
                    Slip::Slide(sign) => step
                        .min(PART_OF_RESPONSE * self.time_to_paradox(feature, sign, step))
                        .min(self.step_of_law(feature)),
                }
            }
        }
    }

    /// The longest step in s of a slide on friction that changes with the speed. The curve of Stribeck counts by what it makes in
    /// the fifth power of the step.
    fn step_of_law(&self, feature: usize) -> f64 {
        let law = &self.friction;
        if law.slides_evenly() {
            return f64::INFINITY;
        }
        let (speed, strength) = (self.velocity(feature, &self.state).y.abs(), self.strength());
        let (fast, viscous) = (law.stribeck_velocity(), law.viscous_coefficient());
        let (mut rate, mut longest) = (strength * viscous, f64::INFINITY);
        if law.has_stribeck_curve() {
            let most = 1.0 + law.static_coefficient() + viscous * speed;
            let drop = law.static_coefficient() - law.kinetic_coefficient();
            let left = self.sliding_friction(speed) - law.kinetic_coefficient() - viscous * speed;
            rate += strength * most / fast * (left / drop).max(0.0).powf(0.2);
            // No step goes over the curve.
            longest = PART_OF_SLIDE * speed.max(fast) / (strength * most);
        }
        longest.min(PART_OF_LAW / rate)
    }

    /// In which time in s the response of a sliding point to its force would fall to zero, if it fell on as in the next
    /// `step` s.
    fn time_to_paradox(&self, feature: usize, sign: f64, step: f64) -> f64 {
        let BodyState { pose, twist } = self.state;
        let response = |pose: Pose| self.sliding_response(feature, sign, &BodyState { pose, twist });
        let now = response(pose);
        let falls_by = now - response(pose.advance(&twist, step));
        if falls_by > 0.0 { step * (now / falls_by) } else { f64::INFINITY }
    }

    /// The time in s from which on `holds` does, of a state and how much later it is than the present one; at the
    /// end of `step` it does.
    pub(super) fn first_in(&self, step: f64, holds: impl Fn(&BodyState, f64) -> bool) -> f64 {
        let (mut before, mut after) = (0.0, step);
        loop {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                return after;
            }
            if holds(&self.advanced(middle), middle) {
                after = middle;
            } else {
                before = middle;
            }
        }
    }

    fn happen(&mut self, what: Occurrence) -> Result<(), Unknown> {
        let phase = self.next_phase(what)?;
        self.start_phase(phase)
    }

    pub(super) fn start_phase(&mut self, phase: Phase) -> Result<(), Unknown> {
        self.phase = phase;
        self.state = self.projected(self.phase, self.state);
        self.events.push(BodyEvent { time: self.time, phase: self.phase, state: self.state });
        if self.events.len() > MOST_EVENTS {
            let reason = format!("more than {MOST_EVENTS} events happen before {} s", self.time);
            return Err(Unknown::new(reason, "shorten the duration"));
        }
        Ok(())
    }

    /// The body `h` s later in the same phase: a closed form where the acceleration is constant, otherwise a step of
    /// the classical method of Runge and Kutta.
    pub(super) fn advanced(&self, h: f64) -> BodyState {
        let phase = self.phase;
        let is_steady = match phase {
            Phase::Flight | Phase::Flat(_, Slip::Stick) => true,
            Phase::Flat(_, Slip::Slide(_)) => self.friction.slides_evenly(),
            Phase::Point(_, slip) => {
                matches!(self.shape, Shape::Disc { .. })
                    && (slip == Slip::Stick || self.friction.slides_evenly())
            }
        };
        if is_steady {
            let acceleration = self.acceleration(phase, &self.state);
            let twist = self.state.twist + acceleration * h;
            let pose = self.state.pose.advance(&(0.5 * (twist + self.state.twist)), h);
            return self.projected(phase, BodyState { pose, twist });
        }
        let start = &self.state;
        let moved = |state: &BodyState, acceleration: &_, h: f64| BodyState {
            pose: start.pose.advance(&state.twist, h),
            twist: start.twist + acceleration * h,
        };
        let a1 = self.acceleration(phase, start);
        let s2 = moved(start, &a1, 0.5 * h);
        let a2 = self.acceleration(phase, &s2);
        let s3 = moved(&s2, &a2, 0.5 * h);
        let a3 = self.acceleration(phase, &s3);
        let s4 = moved(&s3, &a3, h);
        let a4 = self.acceleration(phase, &s4);
        let mean = (start.twist + (s2.twist + s3.twist) * 2.0 + s4.twist) / 6.0;
        let end = BodyState {
            pose: start.pose.advance(&mean, h),
            twist: start.twist + (a1 + (a2 + a3) * 2.0 + a4) * (h / 6.0),
        };
        self.projected(phase, end)
    }
}
