//! The rules about what stands beside a friction coefficient.

use super::{Violation, judge::Judge, short};
use crate::scenario::SlidingFriction;

impl SlidingFriction {
    /// Holds the keys of the table called `name` against its `friction`, the coefficient at rest.
    pub(super) fn check(&self, name: &str, friction: Option<f64>, judge: &mut Judge) {
        let Some(at_rest) = friction else {
            for (key, value) in self.given() {
                judge.refuse(Violation {
                    key: format!("{name}.{key}"),
                    others: Vec::new(),
                    value: short(value),
                    allowed: "beside a `friction`, the coefficient at rest".to_owned(),
                    remedy: "friction between two surfaces is one law: give all of it in one table"
                        .to_owned(),
                });
            }
            return;
        };
        if let (Some(exponent), None) = (self.stribeck_exponent, self.stribeck_velocity) {
            judge.refuse(Violation {
                key: format!("{name}.stribeck_exponent"),
                others: Vec::new(),
                value: short(exponent),
                allowed: "beside a `stribeck_velocity`".to_owned(),
                remedy: "friction that jumps has no curve: give the speed about which it falls, or leave the exponent out"
                    .to_owned(),
            });
        }
        if let Some(in_motion) = self.kinetic_friction.filter(|in_motion| *in_motion > at_rest) {
            judge.refuse(Violation {
                key: format!("{name}.kinetic_friction"),
                others: vec![format!("{name}.friction")],
                value: short(in_motion),
                allowed: format!("at most `{name}.friction`, which is {}", short(at_rest)),
                remedy: "friction in motion is no more than at rest; swap the two, or raise `friction`"
                    .to_owned(),
            });
        }
    }
}
