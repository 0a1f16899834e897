//! The tables `[[push]]`.

use std::path::Path;

use super::{
    bodies::{spin, vector},
    dimension::{Decider, fixed},
    document::{Node, Value},
    names::Names,
    push_file,
    scenario::Moving,
    walker::{Open, Walker},
};
use crate::scenario::{Push, PushTable, keys};

/// The pushes; their vectors have to be as long as the one that decides. One of several particles or of bodies may name
/// its own.
pub(super) fn pushes<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    dimension: &Decider,
    (moving, names): (Moving, Option<&Names>),
) -> Vec<Push<D>> {
    let mut pushes = Vec::new();
    for (index, node) in walker.tables(top, "push").iter().enumerate() {
        // A faulty push keeps its place in the list, so that the others keep their numbers.
        let mut push = Push::constant([0.0; D]);
        if let Some(table) = walker.open(keys::push::<D>(), format!("push[{index}]"), node) {
            read(walker, &table, dimension, &mut push);
            match names {
                Some(names) => of_body(walker, &table, dimension, names, &mut push),
                None => of_particle(walker, &table, moving, &mut push),
            }
        }
        pushes.push(push);
    }
    pushes
}

/// The numbers of the pushes whose table stands in a file of its own.
pub(super) fn are_from_files(top: &Open<'_>) -> Vec<usize> {
    let nodes: &[Node] = match top.get("push").map(|node| &node.value) {
        Some(Value::List(nodes) | Value::Tables(nodes)) => nodes,
        _ => &[],
    };
    let has_file = |node: &Node| matches!(&node.value, Value::Table(table) if table.get("file").is_some());
    (0..nodes.len()).filter(|&index| has_file(&nodes[index])).collect()
}

fn read<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, dimension: &Decider, push: &mut Push<D>) {
    let has = |key: &str| table.get(key).is_some();
    if !(has("force") || has("table") || has("file") || has("torque")) {
        walker.missing(table, "force");
    }
    push.force = vector(walker, table, "force", dimension);
    let wanted = if D == 3 {
        "a list of rows [t, fx, fy, fz], or with the torque [t, fx, fy, fz, tx, ty, tz]"
    } else {
        "a list of rows [t, fx, fz], or with the torque [t, fx, fz, torque]"
    };
    let columns = [D + 1, D + 1 + if D == 3 { 3 } else { 1 }];
    let mut rows = walker.rows(table, "table", &columns, wanted);
    if let (Some(file), Some(node)) = (walker.text(table, "file"), table.get("file")) {
        let path = walker.folder().join(Path::new(file));
        match push_file::read(&path, D == 3) {
            Ok(read) => rows = Some(read),
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
        if rows.iter().flatten().any(|row| row.len() > D + 1) {
            let why = "the table gives the torque at every time";
            walker.no_effect(
                table,
                &["torque"],
                why,
                "write it into the table, or give two pushes: they add up",
            );
        }
    }
    push.table = rows.map(push_table);
    walker.fill(table, keys::push(), push);
    push.phase = walker.number(table, "phase").unwrap_or(push.phase);
}

/// The rows of a table or a file: the time, the force and, where there is one, the torque.
fn push_table<const D: usize>(rows: Vec<Vec<f64>>) -> PushTable<D> {
    let torque = |row: &Vec<f64>| {
        let torque = row.get(D + 1..).filter(|torque| !torque.is_empty())?;
        Some(spin(torque.to_vec()))
    };
    PushTable {
        torques: rows.iter().filter_map(torque).collect(),
        rows: rows.into_iter().map(|row| (row[0], fixed(Some(row[1..=D].to_vec())))).collect(),
    }
}

fn of_particle<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    moving: Moving,
    push: &mut Push<D>,
) {
    if moving == Moving::Particles {
        push.body = walker.count(table, "particle");
    } else {
        walker.no_effect(table, &["particle"], "there is only one particle", "remove it");
    }
    let why = "a particle has no name and does not turn";
    walker.no_effect(table, &["body", "torque", "point"], why, "remove it, or give the scenario a [[body]]");
}

fn of_body<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    dimension: &Decider,
    names: &Names,
    push: &mut Push<D>,
) {
    walker.no_effect(table, &["particle"], "bodies go by their names", "give body = \"body-0\"");
    push.body = names.body(walker, table, "body");
    if ["force", "table", "file"].iter().all(|key| table.get(key).is_none()) {
        walker.no_effect(table, &["point"], "a torque alone acts nowhere", "remove it, or add a force");
    }
    let point = vector(walker, table, "point", dimension);
    push.point = table.get("point").is_some().then_some(point);
    push.torque = spin(match D {
        3 => walker.list(table, "torque", 3, "a list of 3 numbers").unwrap_or_default(),
        _ => walker.number(table, "torque").into_iter().collect(),
    });
}
