//! What the points that touch have given the body.

use nalgebra::Vector2;

use super::{BodyState, ExactBody, Phase, Slip};
use crate::{
    model::Vector,
    stepper::{Contact, ContactMode},
    world::{Partner, planar::Twist},
};

impl ExactBody {
    /// Adds what touched while the body went on for `elapsed` s in its phase, `before` that.
    pub(super) fn add_impulse(&mut self, before: &BodyState, elapsed: f64) {
        let change = self.state.twist - before.twist;
        let pull = self.pull * self.mass;
        self.driven += Twist::new(pull.x, pull.y, self.torque) * elapsed;
        let total = change.xy() * self.mass - pull * elapsed;
        let force = Vector2::new(self.plane.normal.dot(&total), self.tangent().dot(&total));
        match self.phase {
            Phase::Flight => {}
            Phase::Point(feature, _) => self.impulses[feature] += force,
            Phase::Flat(corners, _) => self.add_to_side(corners, (&force, self.torque * elapsed)),
        }
    }

    /// Adds an impulse on a flat side. How its corners share the friction is only settled where they slide: as they share
    /// the load.
    pub(super) fn add_to_side(&mut self, corners: [usize; 2], (impulse, torque): (&Vector2<f64>, f64)) {
        let loads = self.divided(corners, (impulse, torque), &self.state.pose);
        for (corner, load) in corners.into_iter().zip(loads) {
            let share = if impulse.x == 0.0 { 0.5 } else { load / impulse.x };
            self.impulses[corner] += Vector2::new(load, share * impulse.y);
        }
    }

    /// Forgets the impulses so far.
    pub fn forget_impulses(&mut self) {
        self.impulses.fill(Vector2::zeros());
    }

    /// The points that touched in the last `elapsed` s, since the impulses were last forgotten, when the body was
    /// `before`: their places, gaps and mean forces.
    pub fn contacts(&self, before: &BodyState, elapsed: f64) -> impl Iterator<Item = Contact<2>> {
        let touches = |feature: &usize| self.impulses[*feature].x > 0.0;
        (0..self.features()).filter(touches).map(move |feature| {
            let impulse = self.impulses[feature];
            Contact {
                first: 0,
                second: Partner::Ground,
                point: before.pose.position + self.arm(feature, &before.pose),
                normal: self.plane.normal,
                gap: self.height(feature, &before.pose),
                gap_end: None,
                force: Vector::<2>::from(self.plane.normal * impulse.x + self.tangent() * impulse.y)
                    / elapsed,
                mode: self.mode(feature, &impulse),
            }
        })
    }

    /// Whether a point that touched slides, or did when it left the ground.
    fn mode(&self, feature: usize, impulse: &Vector2<f64>) -> ContactMode {
        let slip = match self.phase {
            Phase::Point(point, slip) if point == feature => Some(slip),
            Phase::Flat(corners, slip) if corners.contains(&feature) => Some(slip),
            _ => None,
        };
        let slides = slip.map_or_else(
            || {
                let slip = self.velocity(feature, &self.state).y.abs();
                impulse.y.abs() >= (1.0 - ON_THE_CONE) * self.sliding_friction(slip) * impulse.x
            },
            |slip| slip != Slip::Stick,
        );
        if slides { ContactMode::Slip } else { ContactMode::Stick }
    }
}

/// A part of the largest friction that counts as rounding.
const ON_THE_CONE: f64 = 1e-9;
