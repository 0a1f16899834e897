//! The rules about pushes.

use super::{
    MAX_PUSH_ACCELERATION, Violation,
    judge::{Judge, list, short},
};
use crate::{
    model::Spin,
    scenario::{Push, PushTable, Scenario, Shape, keys},
};

/// Largest torque in N m.
const MAX_TORQUE: f64 = 1e18;

impl<const D: usize> Push<D> {
    /// Holds push number `index` against the rules; `mass` is what it pushes, with its key.
    pub(super) fn check(&self, index: usize, (mass_key, mass): (&str, f64), judge: &mut Judge) {
        let key = |name: &str| format!("push[{index}].{name}");
        let force = self.force.as_slice();
        let force_finite = judge.finite(key("force"), force, "give the force in newtons");
        if force_finite && mass > 0.0 && self.force.norm() / mass > MAX_PUSH_ACCELERATION {
            judge.refuse(Violation {
                key: key("force"),
                others: vec![mass_key.to_owned()],
                value: list(force),
                allowed: format!(
                    "at most {} N for a `{mass_key}` of {} kg, an acceleration of {} m/s^2",
                    short(MAX_PUSH_ACCELERATION * mass),
                    short(mass),
                    short(MAX_PUSH_ACCELERATION)
                ),
                remedy: "make the force smaller, or the particle heavier".to_owned(),
            });
        }
        self.check_table(index, (mass_key, mass), judge);
        let table = keys::push();
        judge.numbers(format_args!("push[{index}]"), table, self);
        let fits = |name: &str, value| table.typed_key(name).is_some_and(|key| key.row.admits(value));
        if let (Some(from), Some(to)) = (self.from, self.to)
            && fits("from", from)
            && fits("to", to)
            && to <= from
        {
            judge.refuse(Violation {
                key: key("to"),
                others: vec![key("from")],
                value: short(to),
                allowed: format!("greater than `{}` = {} s", key("from"), short(from)),
                remedy: "the push acts for from <= t < to; swap the two if they are reversed".to_owned(),
            });
        }
        let phase_fits =
            table.typed_key("phase").is_some_and(|phase| judge.row(&phase.row, key("phase"), self.phase));
        if phase_fits && self.frequency.is_none() && self.phase != 0.0 {
            judge.refuse(Violation {
                key: key("phase"),
                others: vec![key("frequency")],
                value: short(self.phase),
                allowed: format!("absent where there is no `{}`", key("frequency")),
                remedy: "add a frequency, or remove the phase: it only shifts a sinusoidal push".to_owned(),
            });
        }
    }
}

impl<const D: usize> Push<D> {
    /// Holds the table of push number `index` against the rules.
    fn check_table(&self, index: usize, mass: (&str, f64), judge: &mut Judge) {
        let Some(PushTable { rows, torques }) = &self.table else { return };
        let key = format!("push[{index}].table");
        let refuse = |judge: &mut Judge, value: String, allowed: &str, remedy: &str| {
            let (allowed, remedy) = (allowed.to_owned(), remedy.to_owned());
            judge.refuse(Violation { key: key.clone(), others: Vec::new(), value, allowed, remedy });
        };
        if rows.len() < 2 {
            let value = format!("a table of {} rows", rows.len());
            refuse(judge, value, "at least two rows", "the push is linear between them");
        }
        for (row, (time, force)) in rows.iter().enumerate() {
            let finite = judge.finite(format_args!("{key}[{row}]"), &[*time], "give the time in s")
                && judge.finite_from(
                    format_args!("{key}[{row}]"),
                    1,
                    force.as_slice(),
                    "give the force in newtons",
                );
            if finite && mass.1 > 0.0 && force.norm() / mass.1 > MAX_PUSH_ACCELERATION {
                let most = short(MAX_PUSH_ACCELERATION * mass.1);
                let allowed = format!("at most {most} N for a `{}` of {} kg", mass.0, short(mass.1));
                refuse(judge, list(force.as_slice()), &allowed, "make the force smaller");
                return;
            }
        }
        if ![0, rows.len()].contains(&torques.len()) {
            let value = format!("{} torques for {} rows", torques.len(), rows.len());
            refuse(judge, value, "a torque for every row, or none", "give 0 where there is none");
        }
        let components = if D == 2 { 1 } else { 3 };
        for (row, torque) in torques.iter().enumerate() {
            let (key, torque) = (format!("{key}[{row}]"), &torque.as_slice()[..components]);
            if judge.finite_from(&key, 1 + D, torque, "give the torque in N m") {
                super::within(&key, torque, MAX_TORQUE, "N m", "make the torque smaller", judge);
            }
        }
        if let Some(row) = rows.windows(2).position(|pair| pair[1].0 <= pair[0].0) {
            let value = format!("{} after {} s", short(rows[row + 1].0), short(rows[row].0));
            refuse(judge, value, "a table of growing times", "sort the rows by time, each time once");
        }
        if self.force.iter().any(|part| *part != 0.0) || self.frequency.is_some() {
            let value = "given beside a force or a frequency".to_owned();
            refuse(judge, value, "the whole push", "give two pushes: they add up");
        }
    }
}

impl<const D: usize> Scenario<D> {
    /// Holds against the rules what of a push turns bodies.
    pub(super) fn check_turning(&self, index: usize, push: &Push<D>, judge: &mut Judge) {
        let key = |name: &str| format!("push[{index}].{name}");
        if let Some(point) = &push.point {
            judge.finite(key("point"), point.as_slice(), "give the place in metres, in the axes of the body");
        }
        let components = if D == 2 { 1 } else { 3 };
        let torque = &push.torque.as_slice()[..components];
        if judge.finite(key("torque"), torque, "give the torque in N m") {
            super::within(key("torque"), torque, MAX_TORQUE, "N m", "make the torque smaller", judge);
        }
        let turns = |body: usize| self.bodies[body].shape != Shape::Point;
        let any_turns = push.body.map_or_else(|| (0..self.bodies.len()).any(turns), turns);
        let torques = push.table.iter().flat_map(|table| &table.torques);
        let has_torques = torques.into_iter().any(|torque| *torque != Spin::zeros());
        for (name, given) in [
            ("torque", push.torque != Spin::zeros()),
            ("table", has_torques),
            ("point", push.point.is_some()),
        ] {
            if given && !any_turns {
                judge.refuse(Violation {
                    key: key(name),
                    others: Vec::new(),
                    value: if name == "table" { "a torque on a point" } else { "given for a point" }
                        .to_owned(),
                    allowed: "absent, as a point does not turn".to_owned(),
                    remedy: "remove it, or give the body another shape".to_owned(),
                });
            }
        }
    }
}
