//! The tables `[[joint]]`, `[joint.drive]` and `[joint.drive2]`.

use super::{
    bodies::vector,
    dimension::{Decider, fixed},
    document::{Node, Value},
    names::Names,
    walker::{Open, Walker},
};
use crate::scenario::{
    DriveSetup, JointKind, JointPlace, JointSetup,
    keys::{self, DRIVE, DRIVE2, Table},
};
use crate::{
    model::Vector,
    world::{Schedule, Target},
};

/// The keys of what acts along a coordinate.
const ALONG: &[&str] =
    &["start", "limits", "restitution", "stiffness", "rest", "damping", "friction", "armature", "drive"];

/// The keys of what acts along a second one.
const ALONG_SECOND: &[&str] = &["start2", "limits2", "drive2"];

/// The joints, where the bodies have `names`.
pub(super) fn joints<const D: usize>(
    walker: &mut Walker<'_>,
    top: &Open<'_>,
    dimension: &Decider,
    names: Option<&Names>,
) -> Vec<JointSetup<D>> {
    let mut joints = Vec::new();
    let Some(names) = names else {
        let help = "give each body as a [[body]] with a name; particles go by [[rod]] and [[spring]]";
        walker.no_effect(top, &["joint"], "the scenario has no [[body]]", help);
        return joints;
    };
    for (index, node) in walker.tables(top, "joint").iter().enumerate() {
        let path = format!("joint[{index}]");
        if walker.is_of_unknown_kind(keys::joint::<D>(), path.clone(), node) {
            // Those behind it keep their numbers.
            joints.push(JointSetup::of(JointKind::Weld, [Some(0), None], JointPlace::At(Vector::zeros())));
        } else if let Some(table) = walker.open(keys::joint::<D>(), path, node) {
            joints.push(joint(walker, &table, dimension, names));
        }
    }
    joints
}

fn joint<const D: usize>(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    dimension: &Decider,
    names: &Names,
) -> JointSetup<D> {
    let bodies = names.two_or_world(walker, table, "bodies").unwrap_or([Some(0), None]);
    let mut joint = JointSetup::of(JointKind::Hinge, bodies, place(walker, table, dimension));
    walker.fill(table, keys::joint(), &mut joint);
    let name = joint.kind.called();
    for (key, number, axis) in [("axis", 1, &mut joint.axis), ("axis2", 2, &mut joint.axis2)] {
        if joint.kind.axes::<D>() >= number {
            if table.get(key).is_none() {
                walker.missing(table, key);
            }
            let given = vector(walker, table, key, dimension);
            // Something that is no fault stands in for what is missing.
            let missing = table.get(key).is_none();
            let stand_in = || fixed(Some((0..D).map(|row| f64::from(row + 1 == number)).collect()));
            *axis = Some(if missing { stand_in() } else { given });
        } else {
            let place = if D == 2 { " in the plane" } else { "" };
            let why = format!("a {name}{place} has no such axis");
            walker.no_effect(table, &[key], &why, "remove it");
        }
    }
    if !joint.kind.has_coordinate() {
        let why = format!("a {} leaves no coordinate to act on", joint.kind.called());
        let others = JointKind::words_of::<D>(JointKind::has_coordinate);
        let idle: Vec<&str> = ALONG.iter().chain(ALONG_SECOND).copied().collect();
        walker.no_effect(table, &idle, &why, &format!("remove it, or take a joint of kind {others}"));
        return joint;
    }
    let mut limits = |key| {
        let limits = walker.list(table, key, 2, "a list of 2 numbers, the least and the largest value");
        limits.map(|limits| [limits[0], limits[1]])
    };
    (joint.limits, joint.second.limits) = (limits("limits"), limits("limits2"));
    if table.get("limits").is_none() && table.get("limits2").is_none() {
        walker.no_effect(
            table,
            &["restitution"],
            "there are no limits to bounce at",
            "remove it, or give limits",
        );
    }
    if table.get("stiffness").is_none() {
        walker.no_effect(
            table,
            &["rest"],
            "there is no spring to rest there",
            "remove it, or give `stiffness`",
        );
    }
    joint.drive = walker.open_inner(table, "drive", &DRIVE).and_then(|table| drive(walker, &table, &DRIVE));
    if joint.kind.second_coordinate().is_none() {
        let why = format!("a {name} leaves no second coordinate to act on");
        let others = JointKind::words_of::<D>(|kind| kind.second_coordinate().is_some());
        let remedy =
            if others.is_empty() { String::new() } else { format!(", or take a joint of kind {others}") };
        walker.no_effect(table, ALONG_SECOND, &why, &format!("remove it{remedy}"));
        return joint;
    }
    joint.second.drive =
        walker.open_inner(table, "drive2", &DRIVE2).and_then(|table| drive(walker, &table, &DRIVE2));
    joint
}

fn place<const D: usize>(walker: &mut Walker<'_>, table: &Open<'_>, dimension: &Decider) -> JointPlace<D> {
    if table.get("points").is_none() {
        if table.get("point").is_none() {
            walker.missing(table, "point");
        }
        return JointPlace::At(vector(walker, table, "point", dimension));
    }
    walker.no_effect(table, &["point"], "the joint has `points`", "give one of the two");
    let wanted = "a list of 2 points, one on each of the bodies";
    let mut points = walker.rows(table, "points", &[D], wanted).unwrap_or_default();
    if points.len() != 2 {
        if let Some(node) = table.get("points").filter(|_| !points.is_empty()) {
            walker.wrong_type(table, "points", table.full_key("points"), node, wanted);
        }
        points.resize(2, vec![0.0; D]);
    }
    let mut points = points.into_iter();
    JointPlace::Points([(); 2].map(|()| fixed(points.next())))
}

fn drive(
    walker: &mut Walker<'_>,
    table: &Open<'_>,
    section: &'static Table<DriveSetup>,
) -> Option<DriveSetup> {
    type MakeTarget = fn(Schedule) -> Target;
    let targets: [(&str, MakeTarget); 3] =
        [("force", Target::Force), ("position", Target::Position), ("velocity", Target::Velocity)];
    let mut given = targets.into_iter().filter(|(key, _)| table.get(key).is_some());
    let Some((key, target)) = given.next() else {
        walker.missing(table, "position");
        return None;
    };
    for (other, _) in given {
        let why = format!("the drive has `{key}`");
        walker.no_effect(table, &[other], &why, "give one of force, position and velocity");
    }
    let mut drive = DriveSetup::by(target(schedule(walker, table, key)?));
    walker.fill(table, section, &mut drive);
    let (idle, why): (&[&str], _) = match drive.target {
        Target::Force(_) => (&["kp", "kv", "limit"], "a drive by force gives the force itself"),
        Target::Velocity(_) => (&["kp"], "a drive by velocity follows no position"),
        Target::Position(_) => (&[], ""),
    };
    walker.no_effect(table, idle, why, "remove it, or give a position to be followed");
    Some(drive)
}

/// A number, or rows of a time and a number.
fn schedule(walker: &mut Walker<'_>, table: &Open<'_>, key: &str) -> Option<Schedule> {
    let node: &Node = table.get(key)?;
    if !matches!(node.value, Value::List(_)) {
        return walker
            .number_of(table, key, "a number, or a list of rows [t, value]".into())
            .map(Schedule::constant);
    }
    let rows = walker.rows(table, key, &[2], "a number, or a list of rows [t, value]")?;
    Some(Schedule::new(rows.into_iter().map(|row| [row[0], row[1]]).collect()))
}
