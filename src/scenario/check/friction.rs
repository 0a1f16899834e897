//! The rules about what stands beside a friction coefficient.

use super::{Violation, judge::Judge, list, short};
use crate::scenario::SlidingFriction;

/// Part of the length of an axis that lies along a plane at least.
const ALONG: f64 = 1e-6;

impl SlidingFriction {
    /// Holds the keys of the table called `name` against its `friction`, the coefficient at rest.
    pub(super) fn check<const D: usize>(&self, name: &str, friction: Option<f64>, judge: &mut Judge) {
        self.check_axis::<D>(name, friction, judge);
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
    /// Holds friction across an axis against the rules.
    fn check_axis<const D: usize>(&self, name: &str, friction: Option<f64>, judge: &mut Judge) {
        let axis = self.friction_axis.map(|axis| ("friction_axis", list(&axis)));
        let across = self.friction_across.map(|across| ("friction_across", short(across)));
        let mut refuse = |(key, value): (&str, String), others: &[&str], allowed: &str, remedy: &str| {
            judge.refuse(Violation {
                key: format!("{name}.{key}"),
                others: others.iter().map(|other| format!("{name}.{other}")).collect(),
                value,
                allowed: allowed.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        if D == 2 {
            for given in across.into_iter().chain(axis) {
                let remedy =
                    "in a vertical plane friction has one direction; remove it, or give three components";
                refuse(given, &[], "for motion in space", remedy);
            }
            return;
        }
        let Some(across) = across else {
            if let Some(axis) = axis {
                let remedy = "give the coefficient across the axis, or remove the axis";
                refuse(axis, &[], "beside a `friction_across`", remedy);
            }
            return;
        };
        if friction == Some(0.0) {
            let allowed = format!("beside a `{name}.friction` above 0");
            let remedy = "give the larger coefficient as `friction`, with the axis along which it acts";
            refuse(across, &["friction"], &allowed, remedy);
        }
        if let Some(given) = axis {
            let size = self.axis().iter().map(|part| part * part).sum::<f64>();
            if !(size.is_finite() && size > 0.0) {
                refuse(given, &[], "finite numbers that are not all 0", "for example [1.0, 0.0, 0.0]");
            }
        }
    }

    /// Holds the axis against the unit `normal` of the plane that the table called `name` is about.
    pub(super) fn check_along(&self, name: &str, normal: &[f64], judge: &mut Judge) {
        let axis = self.axis();
        let [along, size, length] = [(&axis[..], normal), (&axis, &axis), (normal, normal)]
            .map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>());
        let is_along = size * length - along * along <= ALONG * ALONG * size * length;
        if self.friction_across.is_none() || normal.len() != 3 || size * length == 0.0 || !is_along {
            return;
        }
        judge.refuse(Violation {
            key: format!("{name}.friction_axis"),
            others: Vec::new(),
            value: list(&axis),
            allowed: format!("not along the normal {} of the surface", list(normal)),
            remedy: "give a direction along the surface, in which it has the coefficient `friction`"
                .to_owned(),
        });
    }
}
