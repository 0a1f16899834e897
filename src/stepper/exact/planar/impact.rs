//! Inelastic impacts: Coulomb's law and complementarity on the total impulse, or at each moment of the impact.

use nalgebra::{Vector1, Vector2};

use super::{ExactBody, Phase, Slip, Unknown};
use crate::{
    contact::FrictionPass,
    world::{ImpactFriction, Impacts, PlanarImpact},
};

/// Rotation after a landing, as the speed of a corner over that of a fall by the body's reach, below which a
/// rocking body has come to rest: it would lift by less than 1e-11 of its reach.
const COME_TO_REST: f64 = 3e-6;

/// Velocity in m/s, relative to that of the landing, that counts as none.
const ROUNDING: f64 = 1e-12;

impl ExactBody {
    /// The phase after `feature` landed, when the body was in `before`.
    pub(super) fn land(&mut self, feature: usize, before: Phase) -> Result<Phase, Unknown> {
        if self.restitution > 0.0 {
            return Err(Unknown::new(
                format!(
                    "at {:.6} s a corner lands, restitution is {}, and how a body with corners bounces has no closed \
                     law here",
                    self.time, self.restitution
                ),
                "set the restitution with the ground to 0",
            ));
        }
        let landed = self.landed_with(feature);
        let is_parallel = landed.len() > 1 && self.state.twist.z * self.shape.reach() == 0.0;
        if is_parallel && before == Phase::Flight {
            return self.land_flat(self.outermost(&landed));
        }
        let speed = self.velocity(feature, &self.state).norm();
        let slip = self.impact(feature)?;
        if let Phase::Point(old, _) = before {
            let opening = self.velocity(old, &self.state).x;
            let at_rest = COME_TO_REST * (self.strength() * self.shape.reach()).sqrt();
            if self.state.twist.z.abs() * self.shape.reach() < at_rest {
                self.state.twist.z = 0.0;
                let side = self.outermost(&[old, feature]);
                let creeps = self.velocity(feature, &self.state).y.abs() < at_rest;
                return self.flat_phase(side, if creeps { None } else { self.sliding_sign(feature) });
            }
            if opening < -ROUNDING * speed {
                return Err(self.undetermined("a second corner lands and the first one stays"));
            }
        } else if landed
            .iter()
            .any(|other| *other != feature && self.velocity(*other, &self.state).x < -ROUNDING * speed)
        {
            return Err(self.undetermined("two corners land at once"));
        }
        self.point_phase(feature, slip)
    }

    fn undetermined(&self, what: &str) -> Unknown {
        Unknown::new(
            format!("at {:.6} s {what}, and how the impulse is shared is not known", self.time),
            "shorten the duration",
        )
    }

    /// Applies the impulse of one point; gives the direction in which it slides afterwards.
    fn impact(&mut self, feature: usize) -> Result<Option<f64>, Unknown> {
        let rows = self.rows(feature, &self.state.pose);
        let w = self.delassus(&rows);
        let u = self.velocity(feature, &self.state);
        let impact = PlanarImpact {
            response: [w.m11, w.m21, w.m22],
            velocity: u.into(),
            friction: ImpactFriction {
                sliding: self.sliding_friction(u.y.abs()),
                held: self.static_friction(),
                released: self.sliding_friction(0.0),
            },
            restitution: self.restitution,
        };
        if self.impacts == Impacts::Incremental {
            let impulse = Vector2::from(impact.impulse());
            let after = (u + w * impulse).y;
            self.strike(feature, &impulse);
            return Ok((after.abs() > ROUNDING * u.norm()).then(|| after.signum()));
        }
        let (impulse, slip) = self.whole_impulse(impact)?;
        self.strike(feature, &impulse);
        Ok(slip)
    }

    /// The impulse of the whole impact and the sign of the slip that is left, with one coefficient at a time, in the passes of the
    /// steppers.
    fn whole_impulse(&self, impact: PlanarImpact) -> Result<(Vector2<f64>, Option<f64>), Unknown> {
        let u = Vector2::from(impact.velocity);
        let [_, coupled, along] = impact.response;
        let mut pass = FrictionPass::first(&Vector1::new(u.y), ROUNDING * u.norm());
        loop {
            let friction = ImpactFriction::coulomb(self.friction.coefficient(pass.hold));
            let [(impulse, slip)] = PlanarImpact { friction, ..impact }.whole_impulses()[..] else {
                return Err(self.undetermined("the impact of a corner has no solution or several"));
            };
            let after = Vector1::new(u.y + coupled * impulse[0] + along * impulse[1]);
            if slip.is_none() || !self.friction.depends_on_slip() || !pass.decide(&after) {
                return Ok((impulse.into(), slip));
            }
        }
    }

    fn strike(&mut self, feature: usize, impulse: &Vector2<f64>) {
        self.impulses[feature] += impulse;
        let rows = self.rows(feature, &self.state.pose);
        self.state.twist += self.respond(&rows.tr_mul(impulse));
    }

    /// A body that falls flat: the impulse of the whole side, if both corners press.
    fn land_flat(&mut self, corners: [usize; 2]) -> Result<Phase, Unknown> {
        let u = self.velocity(corners[0], &self.state);
        let normal = -self.mass * u.x;
        let limit = self.sliding_friction(u.y.abs()) * normal;
        let impulse = Vector2::new(normal, (-self.mass * u.y).clamp(-limit, limit));
        if self.divided(corners, (&impulse, 0.0), &self.state.pose).iter().any(|load| *load < 0.0) {
            return Err(self.undetermined("a side lands flat and one of its corners is torn off"));
        }
        self.add_to_side(corners, (&impulse, 0.0));
        let change = (self.plane.normal * impulse.x + self.tangent() * impulse.y) / self.mass;
        self.state.twist.x += change.x;
        self.state.twist.y += change.y;
        let sliding = (self.mass * u.y.abs() > limit).then(|| u.y.signum());
        let slip = sliding.map_or(Slip::Stick, Slip::Slide);
        self.state = self.projected(Phase::Flat(corners, slip), self.state);
        self.flat_phase(corners, sliding)
    }
}
