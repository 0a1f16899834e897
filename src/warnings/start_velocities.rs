//! Velocities at the start that joints and rods do not allow.

use super::short;
use crate::{
    scenario::Scenario,
    world::{AxisLaw, Joint},
};

/// Part of the largest speed at the start by which what is joined may part for the rounding of digits.
const ROUNDED: f64 = 1e-3;

impl<const D: usize> Scenario<D> {
    /// A sentence for each rod and joint whose bodies would part by their velocities at the start. What is driven moves as it is
    /// told to, whatever hangs on it.
    pub(super) fn parting_starts(&self) -> Vec<String> {
        let fastest = self.bodies.iter().map(|body| body.velocity.norm() + body.spin.norm() * body.reach());
        let allowed = ROUNDED * fastest.fold(0.0, f64::max);
        let joints = self.world_joints();
        let named = joints.iter().enumerate().filter_map(|(number, joint)| {
            let is_driven = |body: usize| self.bodies[body].motion.is_some();
            if joint.anchors.iter().filter_map(|anchor| anchor.body).any(is_driven) {
                return None;
            }
            let name = match number.checked_sub(self.first_joint()) {
                None => format!("rod[{number}]"),
                Some(own) => format!("joint[{own}]"),
            };
            let [along, about] = self.parting_rates(joint);
            let reach = self.bodies.iter().map(|body| body.reach()).fold(0.0, f64::max);
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

    /// How fast the bodies of a joint part at the start along what it holds, in m/s, and turn about what it holds, in rad/s.
    fn parting_rates(&self, joint: &Joint<D>) -> [f64; 2] {
        let (states, attitudes) = (self.initial_states(), self.initial_attitudes());
        let body = |body: usize| Some((states.get(body)?, attitudes.get(body)));
        let mut rates = [0.0_f64; 2];
        for axis in joint.axes.iter().filter(|axis| matches!(axis.law, AxisLaw::Locked { .. })) {
            let rate = joint.rate(&axis.coordinate, body).unwrap_or(0.0);
            let kind = usize::from(!axis.coordinate.is_length());
            rates[kind] = rates[kind].hypot(rate);
        }
        rates
    }
}
