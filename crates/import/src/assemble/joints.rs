use nalgebra::{Point3, Vector3};

use super::{
    kinematics::{JointStart, Start},
    pieces::Pieces,
};
use crate::{
    mechanism::{Drive, Kind, Mechanism, Target, TreeJoint, WORLD},
    note::Notes,
    toml::{Lines, name, number, two_names, vector},
};

/// A joint of the scenario.
#[derive(Debug)]
pub(super) struct Joined {
    kind: &'static str,
    /// The world where there is none.
    pub pieces: [Option<usize>; 2],
    /// The links that it joins.
    pub links: [usize; 2],
    /// In the world, in m.
    pub point: Vector3<f64>,
    axes: Vec<Vector3<f64>>,
    /// What acts along its coordinate, and that at the start.
    along: Option<(TreeJoint, f64)>,
    /// Whether the child comes first, as the coordinate is that of the axis that it carries.
    child_first: bool,
    /// Whether the two touch all the same.
    pub collide: bool,
}

/// The joints of a mechanism, and what closes its loops.
pub(super) fn joined(
    mechanism: &Mechanism,
    start: &Start,
    pieces: &Pieces,
    notes: &mut Notes,
) -> Vec<Joined> {
    let mut all = Vec::new();
    for (child, piece) in pieces.all.iter().enumerate().filter(|(_, piece)| !piece.is_fixed) {
        let link = &mechanism.links[piece.root];
        let parent_link = link.parent;
        let mut parent = pieces.of_link[parent_link];
        let ends = [parent_link.min(piece.root), parent_link.max(piece.root)];
        // As the fixed body itself is named, the two do not touch.
        let touches = mechanism.touches_fixed_neighbour && !mechanism.apart.contains(&ends);
        if touches && !pieces.moves(parent) {
            parent = None;
        }
        let Some(mut joint) = tree_joint(&link.joints, &start.joints[piece.root], notes) else {
            notes.taken(&link.place, format!("body {}", piece.name), "it is free");
            continue;
        };
        joint.pieces = if joint.child_first { [Some(child), parent] } else { [parent, Some(child)] };
        joint.links = [parent_link, piece.root];
        let is_carried = link.is_carrier || mechanism.links[parent_link].is_carrier;
        joint.collide = mechanism.neighbours_touch && pieces.moves(parent) && !is_carried;
        for one in &link.joints {
            let why = format!("a {} of {} on {}", joint.kind, piece.name, pieces.name(parent));
            notes.taken(&one.place, one.called(), why);
        }
        all.push(joint);
    }
    for closure in &mechanism.closures {
        let ends = closure.links.map(|link| pieces.of_link[link]);
        let same = ends[0] == ends[1] && ends[0].is_some();
        if same || !(pieces.moves(ends[0]) || pieces.moves(ends[1])) {
            notes.left_out(
                &closure.place,
                &closure.what,
                "what it keeps together is one piece, or stays where it is",
            );
            continue;
        }
        let point = (start.poses[closure.links[0]] * Point3::from(closure.point)).coords;
        let apart = mechanism
            .apart
            .contains(&[closure.links[0].min(closure.links[1]), closure.links[0].max(closure.links[1])]);
        let kind = if closure.is_weld { "weld" } else { "ball" };
        let why = format!("a {kind} of {} and {}", pieces.name(ends[0]), pieces.name(ends[1]));
        notes.taken(&closure.place, &closure.what, why);
        all.push(Joined {
            kind,
            pieces: ends,
            links: closure.links,
            point,
            axes: Vec::new(),
            along: None,
            child_first: false,
            // What MuJoCo keeps together touches all the same, unless it is told not to.
            collide: !apart && ends.iter().all(Option::is_some),
        });
    }
    all
}

/// The joint that a link's own are together; nothing where they leave it free.
fn tree_joint(joints: &[TreeJoint], starts: &[JointStart], notes: &mut Notes) -> Option<Joined> {
    let (first, begin) = joints.first().zip(starts.first())?;
    let joint = |kind, axes, along| Joined {
        kind,
        pieces: [None; 2],
        links: [WORLD; 2],
        point: begin.anchor,
        axes,
        along,
        child_first: false,
        collide: false,
    };
    let alone = |kind| joint(kind, vec![begin.axis], Some((first.clone(), begin.coordinate)));
    let kinds: Vec<Kind> = joints.iter().map(|joint| joint.kind).collect();
    use Kind::{Ball, Free, Hinge, Slide};
    // What else there is was split before.
    match kinds.as_slice() {
        [Free] => None,
        [Hinge] => Some(alone("hinge")),
        [Slide] => Some(alone("slider")),
        [Ball] => {
            leave_laws(first, "a ball joint leaves no coordinate to act on", notes);
            Some(joint("ball", Vec::new(), None))
        }
        // The coordinate is that of the axis along which something acts; from the child's side it is the other way round.
        [Hinge, Hinge] if joints[1].acts() => {
            let along = Some((joints[1].clone(), starts[1].coordinate));
            let universal = joint("universal", vec![-starts[1].axis, starts[0].axis], along);
            Some(Joined { child_first: true, ..universal })
        }
        [Hinge, Hinge] => {
            let along = Some((first.clone(), begin.coordinate));
            Some(joint("universal", vec![starts[0].axis, starts[1].axis], along))
        }
        [Slide, Hinge] | [Hinge, Slide] => {
            let slide = usize::from(kinds[1] == Slide);
            let along = Some((joints[slide].clone(), starts[slide].coordinate));
            // Where the slide is makes no difference; the hinge says where the axis is.
            Some(Joined {
                point: starts[1 - slide].anchor,
                ..joint("cylindrical", vec![starts[slide].axis], along)
            })
        }
        [Hinge, Hinge, Hinge] => {
            for one in joints {
                notes.changed(&one.place, one.called(), "three hinges that meet are a ball joint");
            }
            Some(joint("ball", Vec::new(), None))
        }
        _ => {
            for one in joints {
                let why = "three slides and what turns all ways leave the body free";
                notes.changed(&one.place, one.called(), why);
            }
            None
        }
    }
}

/// Names what acts along a coordinate that is gone.
fn leave_laws(joint: &TreeJoint, why: &str, notes: &mut Notes) {
    if joint.acts() {
        let what = format!("limits, springs, friction, armature and drive of {}", joint.called());
        notes.left_out(&joint.place, what, why);
    }
}

impl Joined {
    pub fn write(&self, pieces: &Pieces, lift: f64, text: &mut Lines) {
        text.header("[[joint]]");
        text.line("kind", name(self.kind));
        text.line("bodies", two_names(self.pieces.map(|piece| pieces.name(piece))));
        text.line("point", vector(&(self.point + Vector3::z() * lift)));
        for (key, axis) in ["axis", "axis2"].into_iter().zip(&self.axes) {
            text.line(key, vector(axis));
        }
        if self.collide {
            text.line("collide", true);
        }
        let Some((joint, start)) = &self.along else { return };
        if *start != 0.0 {
            text.line("start", number(*start));
        }
        if let Some(limits) = &joint.limits {
            text.line("limits", vector(limits));
        }
        if joint.stiffness > 0.0 {
            text.line("stiffness", number(joint.stiffness));
            text.line("rest", number(joint.rest));
        }
        let amounts =
            [("damping", joint.damping), ("friction", joint.friction), ("armature", joint.armature)];
        for (key, amount) in amounts.into_iter().filter(|(_, amount)| *amount > 0.0) {
            text.line(key, number(amount));
        }
        if let Some(drive) = &joint.drive {
            write_drive(drive, text);
        }
    }
}

fn write_drive(drive: &Drive, text: &mut Lines) {
    text.header("[joint.drive]");
    match drive.target {
        Target::Force => return text.line("force", number(0.0)),
        Target::Position(position) => {
            text.line("position", number(position));
            text.line("kp", number(drive.kp));
        }
        Target::Velocity(velocity) => text.line("velocity", number(velocity)),
    }
    if drive.kv > 0.0 {
        text.line("kv", number(drive.kv));
    }
    if let Some(limit) = drive.limit {
        text.line("limit", number(limit));
    }
}
