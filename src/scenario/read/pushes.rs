//! The tables `[[push]]`.

use std::path::Path;

use super::{
    dimension::{Decider, fixed},
    names::Names,
    push_file,
    schema::PUSH,
    walker::{Open, Walker},
};
use crate::{
    model::Spin,
    scenario::{Push, PushTable},
};

/// A push whose vectors may have any length; `shape` is the push without them.
pub(super) struct DraftPush {
    force: Option<Vec<f64>>,
    point: Option<Vec<f64>>,
    table: Option<Vec<Vec<f64>>>,
    is_from_file: bool,
    shape: Push<2>,
}

/// The pushes; their vectors have to be as long as the one of `reference`, given by name and length.
/// One of several particles or of bodies may name its own.
pub(super) fn pushes(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    reference: &Decider,
    (in_list, names): (bool, Option<&Names>),
) -> Vec<DraftPush> {
    let mut pushes = Vec::new();
    for (index, node) in walker.tables(top, "push").iter().enumerate() {
        // A faulty push keeps its place in the list, so that the others keep their numbers.
        let shape = Push::constant([0.0, 0.0]);
        let mut push = DraftPush { force: None, point: None, table: None, is_from_file: false, shape };
        if let Some(table) = walker.open(&PUSH, format!("push[{index}]"), node) {
            read(walker, &table, reference, &mut push);
            match names {
                Some(names) => of_body(walker, &table, reference, names, &mut push),
                None => of_particle(walker, &table, in_list, &mut push),
            }
        }
        pushes.push(push);
    }
    pushes
}

fn read(walker: &mut Walker<'_>, table: &Open<'_>, reference: &Decider, push: &mut DraftPush) {
    let has = |key: &str| table.get(key).is_some();
    if !(has("force") || has("table") || has("file") || has("torque")) {
        walker.missing(table, "force");
    }
    push.force = vector(walker, table, "force", reference);
    let length = reference.as_ref().map_or(2, |(_, length)| *length);
    let wanted = if length == 3 {
        "a list of rows [t, fx, fy, fz], or with the torque [t, fx, fy, fz, tx, ty, tz]"
    } else {
        "a list of rows [t, fx, fz], or with the torque [t, fx, fz, torque]"
    };
    let columns = [length + 1, length + 1 + if length == 3 { 3 } else { 1 }];
    push.table = walker.rows(table, "table", &columns, wanted);
    if let (Some(file), Some(node)) = (walker.text(table, "file"), table.get("file")) {
        let path = walker.folder().join(Path::new(file));
        match push_file::read(&path, length == 3) {
            Ok(rows) => (push.table, push.is_from_file) = (Some(rows), true),
            Err(fault) => {
                let full = table.full_key("file");
                let message = format!("`{full}` names `{}`: {}", path.display(), fault.message);
                walker.report(&node.source, full, message, fault.help);
            }
        }
    }
    let why = "the push has a `file`";
    if has("file") {
        walker.no_effect(table, &["table", "force"], why, "give one of force, table and file");
    } else if has("table") {
        walker.no_effect(table, &["force"], "the push has a `table`", "give one of force, table and file");
    }
    if has("table") || has("file") {
        let why = "the table gives the force at every time";
        walker.no_effect(table, &["frequency", "phase"], why, "write the oscillation into the table");
        if push.table.iter().flatten().any(|row| row.len() > length + 1) {
            let why = "the table gives the torque at every time";
            walker.no_effect(
                table,
                &["torque"],
                why,
                "write it into the table, or give two pushes: they add up",
            );
        }
    }
    push.shape.from = walker.number(table, "from");
    push.shape.to = walker.number(table, "to");
    push.shape.frequency = walker.number(table, "frequency");
    walker.set_number(table, "phase", &mut push.shape.phase);
}

fn of_particle(walker: &mut Walker<'_>, table: &Open<'_>, in_list: bool, push: &mut DraftPush) {
    if in_list {
        push.shape.body = walker.count(table, "particle");
    } else {
        walker.no_effect(table, &["particle"], "there is only one particle", "remove it");
    }
    let why = "a particle has no name and does not turn";
    walker.no_effect(table, &["body", "torque", "point"], why, "remove it, or give the scenario a [[body]]");
}

fn of_body(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    reference: &Decider,
    names: &Names,
    push: &mut DraftPush,
) {
    walker.no_effect(table, &["particle"], "bodies go by their names", "give body = \"body-0\"");
    push.shape.body = names.body(walker, table, "body");
    if ["force", "table", "file"].iter().all(|key| table.get(key).is_none()) {
        walker.no_effect(table, &["point"], "a torque alone acts nowhere", "remove it, or add a force");
    }
    push.point = vector(walker, table, "point", reference);
    push.shape.torque = if reference.as_ref().is_some_and(|(_, length)| *length == 3) {
        let torque = walker.list(table, "torque", 3, "a list of 3 numbers");
        torque.map_or_else(Spin::zeros, |torque| Spin::from_fn(|i, _| torque[i]))
    } else {
        Spin::new(walker.number(table, "torque").unwrap_or(0.0), 0.0, 0.0)
    };
}

fn vector(walker: &mut Walker<'_>, table: &Open<'_>, key: &str, reference: &Decider) -> Option<Vec<f64>> {
    let vector = walker.vector(table, key);
    if let (Some(vector), Some((decider, length))) = (&vector, reference) {
        walker.same_length(table, key, vector.len(), (decider, *length));
    }
    vector
}

impl DraftPush {
    /// Whether its table stands in a file of its own.
    pub(super) fn is_from_file(&self) -> bool {
        self.is_from_file
    }

    pub(super) fn into_push<const D: usize>(self) -> Push<D> {
        let Push { body, torque, from, to, frequency, phase, .. } = self.shape;
        let table = self.table.map(|rows| {
            let torque = |row: &Vec<f64>| {
                let torque = row.get(D + 1..).filter(|torque| !torque.is_empty())?;
                Some(Spin::from_fn(|i, _| torque.get(i).copied().unwrap_or(0.0)))
            };
            PushTable {
                torques: rows.iter().filter_map(torque).collect(),
                rows: rows.into_iter().map(|row| (row[0], fixed(Some(row[1..=D].to_vec())))).collect(),
            }
        });
        Push {
            body,
            force: fixed(self.force),
            torque,
            point: self.point.map(|point| fixed(Some(point))),
            table,
            from,
            to,
            frequency,
            phase,
        }
    }
}
