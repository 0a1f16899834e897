//! Links with several joints as chains of links with one joint each.

use nalgebra::{Isometry3, Matrix3};

use crate::{
    mass::MassProperties,
    mechanism::{
        Kind::{Ball, Hinge, Slide},
        Link, Mechanism, TreeJoint, WORLD,
    },
    note::Notes,
};

/// How far anchors may be apart in m, and axes off a right angle, to count as one place and as one.
const OFF: f64 = 1e-6;

/// Puts a carrier, a link with neither mass nor shape, between any two joints of a link that no joint of a scenario does
/// together: one that keeps two axes where something acts about both, two axes that do not meet, or slides along a plane.
pub(super) fn split(mechanism: &mut Mechanism, notes: &mut Notes) {
    let links = std::mem::take(&mut mechanism.links);
    let mut places = vec![WORLD; links.len()];
    for (index, mut link) in links.into_iter().enumerate() {
        link.parent = places[link.parent];
        if index != WORLD && !has_a_word(&link.joints, link.parent == WORLD) {
            carry(mechanism, &mut link, notes);
        }
        places[index] = mechanism.links.len();
        mechanism.links.push(link);
    }
    let renumbered = |ends: [usize; 2]| {
        let [first, second] = ends.map(|link| places[link]);
        [first.min(second), first.max(second)]
    };
    mechanism.apart = std::mem::take(&mut mechanism.apart).into_iter().map(renumbered).collect();
    mechanism.agreed.iter_mut().for_each(|(ends, _)| *ends = renumbered(*ends));
    mechanism.closures.iter_mut().for_each(|closure| closure.links = closure.links.map(|link| places[link]));
}

/// Adds the carriers of a link, which keeps its last joint.
fn carry(mechanism: &mut Mechanism, link: &mut Link, notes: &mut Notes) {
    let Some(last) = link.joints.pop() else { return };
    let outer = std::mem::replace(&mut link.joints, vec![last]);
    let called: Vec<String> = outer.iter().chain(&link.joints).map(TreeJoint::called).collect();
    let count = match outer.len() {
        1 => "a carrier goes".to_owned(),
        count => format!("{count} carriers go"),
    };
    let why =
        format!("they act one after the other: {count} between them, with a thousandth of a mass beside");
    notes.changed(&link.place, called.join(" and "), why);
    for (number, joint) in outer.into_iter().enumerate() {
        let name = link.name.as_ref().map(|name| format!("{name}-carrier-{}", number + 1));
        // A hinge turns a carrier about its axis. Where one slides makes no difference, but at the centre of the link it comes
        // to the ground no sooner than that.
        let centre = if joint.kind == Slide { link.mass.centre } else { joint.anchor };
        let mass = MassProperties { mass: 0.0, centre, inertia: Matrix3::zeros() };
        mechanism.links.push(Link {
            name,
            place: joint.place.clone(),
            parent: link.parent,
            pose: link.pose,
            joints: vec![joint],
            geoms: Vec::new(),
            mass,
            is_carrier: true,
        });
        link.parent = mechanism.links.len() - 1;
        link.pose = Isometry3::identity();
    }
}

/// Whether a joint of a scenario does what these do together, or none has to.
fn has_a_word(joints: &[TreeJoint], is_in_world: bool) -> bool {
    let meet =
        |joints: &[TreeJoint]| joints.iter().all(|joint| (joint.anchor - joints[0].anchor).norm() <= OFF);
    let span = |joints: &[TreeJoint]| {
        let [a, b, c] = [joints[0].axis, joints[1].axis, joints[2].axis];
        Matrix3::from_columns(&[a, b, c]).determinant().abs() > 1e-3
    };
    let kinds: Vec<_> = joints.iter().map(|joint| joint.kind).collect();
    let acting = joints.iter().filter(|joint| joint.acts()).count();
    match kinds.as_slice() {
        [] | [_] => true,
        [Hinge, Hinge] => acting < 2 && meet(joints) && joints[0].axis.dot(&joints[1].axis).abs() <= OFF,
        [Slide, Hinge] | [Hinge, Slide] => {
            let acts_about = joints.iter().any(|joint| joint.kind == Hinge && joint.acts());
            !acts_about && joints[0].axis.cross(&joints[1].axis).norm() <= OFF
        }
        [Hinge, Hinge, Hinge] => acting == 0 && meet(joints) && span(joints),
        [Slide, Slide, Slide, turns @ ..] => {
            let turns_all_ways =
                turns == [Ball] || turns == [Hinge; 3] && meet(&joints[3..]) && span(&joints[3..]);
            is_in_world && acting == 0 && span(&joints[..3]) && turns_all_ways
        }
        _ => false,
    }
}
