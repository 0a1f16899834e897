//! What ends a phase, and which phase follows.

use super::{BodyState, ExactBody, Phase, Slip, Unknown};
use crate::world::planar::Pose;

/// What ends a phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Occurrence {
    /// A point meets the ground.
    Landing(usize),
    /// A point that touched is let go.
    LiftOff,
    /// A sliding point stops.
    Stop,
    /// A sticking point begins to slide.
    BreakAway,
    /// A sliding point runs into Painleve's paradox.
    Paradox,
    /// A flat side that slides on friction that changes with the speed is carried by one of its corners alone.
    Tip,
}

/// A part of the lengths that make up a height, a velocity in m/s, a part of the weight: what counts as rounding.
const ROUNDING: f64 = 1e-13;

/// Velocity in m/s of the contact point at the start that counts as none.
const AT_REST: f64 = 1e-12;

/// Height in m, and as a part of the body's reach, within which a corner touches at the start, and within which two
/// corners land at once.
const TOUCHING: f64 = 1e-9;
const TOUCHING_PART: f64 = 1e-8;

impl ExactBody {
    /// What has happened, if the phase lasted for `elapsed` s, up to `state`.
    pub(super) fn occurrence(&self, elapsed: f64, state: &BodyState) -> Option<Occurrence> {
        if self.has_no_ground() {
            return None;
        }
        if let Some(feature) = self.landed(elapsed, state) {
            return Some(Occurrence::Landing(feature));
        }
        let weight = self.mass * self.strength();
        match self.phase {
            Phase::Flight => None,
            Phase::Flat([corner, _], Slip::Slide(sign)) | Phase::Point(corner, Slip::Slide(sign))
                if sign * self.velocity(corner, state).y < -ROUNDING =>
            {
                Some(Occurrence::Stop)
            }
            Phase::Flat(corners, slip @ Slip::Slide(_)) if !self.friction.slides_evenly() => {
                let force = self.flat_force(corners[0], slip, state);
                let loads = self.divided(corners, (&force, self.torque), &state.pose);
                loads.iter().any(|load| *load < -ROUNDING * weight).then_some(Occurrence::Tip)
            }
            Phase::Flat(..) => None,
            Phase::Point(feature, Slip::Slide(sign)) => {
                if self.is_paradoxical(feature, sign, state) {
                    return Some(Occurrence::Paradox);
                }
                let force = self.point_force(feature, Slip::Slide(sign), state);
                (force.x < -ROUNDING * weight).then_some(Occurrence::LiftOff)
            }
            Phase::Point(feature, Slip::Stick) => {
                let force = self.point_force(feature, Slip::Stick, state);
                if force.x < -ROUNDING * weight {
                    Some(Occurrence::LiftOff)
                } else if force.y.abs() > self.static_friction() * force.x + ROUNDING * weight {
                    Some(Occurrence::BreakAway)
                } else {
                    None
                }
            }
        }
    }

    /// The lowest of the points that have come to the ground, those that have left it again included.
    fn landed(&self, elapsed: f64, state: &BodyState) -> Option<usize> {
        let may_land = |feature: &usize| match self.phase {
            Phase::Flight => true,
            Phase::Point(point, _) => *feature != point,
            Phase::Flat(..) => false,
        };
        let is_below = |feature: usize, pose: &Pose| self.height(feature, pose) < -self.rounding(pose);
        let falls = |feature: usize, state: &BodyState| self.velocity(feature, state).x < 0.0;
        let has_landed = |feature: &usize| {
            if falls(*feature, state) {
                return is_below(*feature, &state.pose);
            }
            if !falls(*feature, &self.state) || is_below(*feature, &self.state.pose) {
                return false;
            }
            let turns = self.first_in(elapsed, |state, _| !falls(*feature, state));
            is_below(*feature, &self.advanced(turns).pose)
        };
        let height = |feature: &usize| self.height(*feature, &state.pose);
        let landed = (0..self.features()).filter(may_land).filter(has_landed);
        landed.min_by(|a, b| height(a).total_cmp(&height(b)))
    }

    /// Height in m that counts as rounding.
    fn rounding(&self, pose: &Pose) -> f64 {
        let of_centre = self.plane.normal.abs().dot(&pose.position.abs());
        ROUNDING * (of_centre + self.shape.reach())
    }

    /// Height in m within which a corner touches.
    fn touching(&self) -> f64 {
        TOUCHING.min(TOUCHING_PART * self.shape.reach()).max(self.rounding(&self.state.pose))
    }

    pub(super) fn has_no_ground(&self) -> bool {
        self.plane.offset == f64::NEG_INFINITY
    }

    /// The phase after what happened; impacts change the velocity.
    pub(super) fn next_phase(&mut self, what: Occurrence) -> Result<Phase, Unknown> {
        match (what, self.phase) {
            (Occurrence::Landing(feature), phase) => self.land(feature, phase),
            (Occurrence::Paradox, _) => Err(self.paradox()),
            (Occurrence::LiftOff, _) => Ok(Phase::Flight),
            (Occurrence::Tip, Phase::Flat(corners, _)) => {
                self.flat_phase(corners, self.sliding_sign(corners[0]))
            }
            (_, Phase::Point(feature, _)) => self.point_phase(feature, None),
            (_, Phase::Flat(corners, _)) => self.flat_phase(corners, None),
            (_, Phase::Flight) => Ok(Phase::Flight),
        }
    }

    pub(super) fn paradox(&self) -> Unknown {
        Unknown::new(
            format!("at {:.6} s sliding has no solution or several (Painleve's paradox)", self.time),
            "shorten the duration, or lower the friction",
        )
    }

    /// The phase in which a point that touches, its normal velocity 0, goes on; `sliding` is the sign of
    /// its tangential velocity, `None` for 0.
    pub(super) fn point_phase(&self, feature: usize, sliding: Option<f64>) -> Result<Phase, Unknown> {
        let state = &self.state;
        let lifts = self.free_acceleration(feature, state).x >= 0.0;
        let slide = |sign: f64| {
            if self.is_paradoxical(feature, sign, state) {
                Err(self.paradox())
            } else if lifts {
                Ok(Phase::Flight)
            } else {
                Ok(Phase::Point(feature, Slip::Slide(sign)))
            }
        };
        if let Some(sign) = sliding {
            return slide(sign);
        }
        let force = self.point_force(feature, Slip::Stick, state);
        if force.x >= 0.0 && force.y.abs() <= self.static_friction() * force.x {
            Ok(Phase::Point(feature, Slip::Stick))
        } else {
            slide(-force.y.signum())
        }
    }

    /// The phase in which a body that lies flat goes on: flat, or about the one corner that carries it.
    pub(super) fn flat_phase(&self, corners: [usize; 2], sliding: Option<f64>) -> Result<Phase, Unknown> {
        let stick = self.flat_force(corners[0], Slip::Stick, &self.state);
        let slip = match sliding {
            Some(sign) => Slip::Slide(sign),
            None if stick.y.abs() <= self.static_friction() * stick.x => Slip::Stick,
            None => Slip::Slide(-stick.y.signum()),
        };
        let force = self.flat_force(corners[0], slip, &self.state);
        if force.x <= 0.0 {
            return Ok(Phase::Flight);
        }
        match self.divided(corners, (&force, self.torque), &self.state.pose) {
            [first, _] if first < 0.0 => self.point_phase(corners[1], sliding),
            [_, second] if second < 0.0 => self.point_phase(corners[0], sliding),
            _ => Ok(Phase::Flat(corners, slip)),
        }
    }

    /// Puts the body that starts in contact into its first phase.
    pub(super) fn begin(&mut self) -> Result<(), Unknown> {
        if self.has_no_ground() {
            return Ok(());
        }
        let heights: Vec<f64> =
            (0..self.features()).map(|feature| self.height(feature, &self.state.pose)).collect();
        if let Some(depth) = heights.iter().find(|height| **height < -self.touching()) {
            return Err(Unknown::new(
                format!("the body starts {:.3e} m deep in the ground", -depth),
                "lift it",
            ));
        }
        let touching: Vec<usize> =
            (0..self.features()).filter(|feature| heights[*feature] <= self.touching()).collect();
        let closing = touching.iter().any(|feature| self.velocity(*feature, &self.state).x < -AT_REST);
        let resting: Vec<usize> = touching
            .iter()
            .copied()
            .filter(|feature| self.velocity(*feature, &self.state).x.abs() <= AT_REST)
            .collect();
        self.phase = match (closing, resting.as_slice()) {
            (true, _) => {
                let landing = touching
                    .iter()
                    .copied()
                    .min_by(|a, b| {
                        self.velocity(*a, &self.state).x.total_cmp(&self.velocity(*b, &self.state).x)
                    })
                    .unwrap_or(0);
                self.land(landing, Phase::Flight)?
            }
            (false, []) => Phase::Flight,
            (false, [feature]) => self.point_phase(*feature, self.sliding_sign(*feature))?,
            (false, corners) => {
                let side = self.outermost(corners);
                self.flat_phase(side, self.sliding_sign(side[0]))?
            }
        };
        self.state = self.projected(self.phase, self.state);
        Ok(())
    }

    /// The direction in which a point slides; `None` where it does not.
    pub(super) fn sliding_sign(&self, feature: usize) -> Option<f64> {
        let along = self.velocity(feature, &self.state).y;
        (along.abs() > AT_REST).then(|| along.signum())
    }

    /// The two corners of a flat side that carry it: the outermost ones.
    pub(super) fn outermost(&self, corners: &[usize]) -> [usize; 2] {
        let along = |corner: &usize| self.rows(*corner, &self.state.pose)[(0, 2)];
        let order = |a: &&usize, b: &&usize| along(a).total_cmp(&along(b));
        let first = corners.iter().min_by(order).copied().unwrap_or(0);
        let last = corners.iter().max_by(order).copied().unwrap_or(0);
        [first, last]
    }

    /// Corners that touch the ground when `feature` lands.
    pub(super) fn landed_with(&self, feature: usize) -> Vec<usize> {
        let near = |other: &usize| {
            *other == feature || self.height(*other, &self.state.pose).abs() <= self.touching()
        };
        (0..self.features()).filter(near).collect()
    }
}
