//! Velocities at the start that joints and rods do not allow.

use super::short;
use crate::{
    model::{Attitude, State},
    scenario::{Body, Scenario},
    world::{AxisLaw, Joint},
};

/// Part of the largest speed at the start by which what is joined may part for the rounding of digits.
const ROUNDED: f64 = 1e-3;

impl<const D: usize> Scenario<D> {
    /// A sentence for each rod and joint whose bodies would part by their velocities at the start. What is driven moves as it is
    /// told to, whatever hangs on it.
    pub(super) fn parting_starts(&self) -> Vec<String> {
        let is_still = |body: &Body<D>| body.velocity.norm() == 0.0 && body.spin.norm() == 0.0;
        let joints = self.world_joints();
        if joints.is_empty() || self.bodies.iter().all(is_still) {
            return Vec::new();
        }
        let reaches: Vec<f64> = self.bodies.iter().map(Body::reach).collect();
        let speeds = self.bodies.iter().zip(&reaches);
        let fastest = speeds.map(|(body, reach)| body.velocity.norm() + body.spin.norm() * reach);
        let allowed = ROUNDED * fastest.fold(0.0, f64::max);
        let reach = reaches.iter().copied().fold(0.0, f64::max);
        let (states, attitudes) = (self.initial_states(), self.initial_attitudes());
        let body = |body: usize| Some((states.get(body)?, attitudes.get(body)));
        let is_driven = |body: usize| self.bodies[body].motion.is_some();
        let named = joints.iter().enumerate().filter_map(|(number, joint)| {
            if joint.anchors.iter().filter_map(|anchor| anchor.body).any(is_driven) {
                return None;
            }
            let name = match number.checked_sub(self.first_joint()) {
                None => format!("rod[{number}]"),
                Some(own) => format!("joint[{own}]"),
            };
            let [along, about] = parting_rates(joint, body);
            let told = if along > allowed {
                format!("apart at {} m/s", short(along))
            } else if about * reach > allowed {
                format!("about an axis that it holds, at {} rad/s", short(about))
            } else {
                return None;
            };
            Some(format!(
                "the velocities at the start move what {name} joins {told}: the first step takes that out of them, and the energy \
                 that goes with it; give a `velocity` and a `spin` that it allows"
            ))
        });
        named.collect()
    }
}

/// How fast the bodies of a joint part along what it holds, in m/s, and turn about what it holds, in rad/s.
fn parting_rates<'a, const D: usize>(
    joint: &Joint<D>,
    body: impl Fn(usize) -> Option<(&'a State<D>, Option<&'a Attitude>)>,
) -> [f64; 2] {
    let mut rates = [0.0_f64; 2];
    for axis in joint.axes.iter().filter(|axis| matches!(axis.law, AxisLaw::Locked { .. })) {
        let rate = joint.rate(&axis.coordinate, &body).unwrap_or(0.0);
        let kind = usize::from(!axis.coordinate.is_length());
        rates[kind] = rates[kind].hypot(rate);
    }
    rates
}
