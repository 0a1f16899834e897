//! URDF: <https://wiki.ros.org/urdf/XML>.

mod heed;
mod joints;
mod links;
mod tree;

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use nalgebra::{Isometry3, Vector3};

use self::{
    heed::heed,
    joints::{joint_of, tree_joint},
    links::{FRICTION, link},
    tree::{base, linked, named_links, undeclared_world},
};
use crate::{
    Options,
    attitude::of_roll_pitch_yaw,
    element::Element,
    fault::ImportError,
    mass::MassProperties,
    mechanism::{Kind, Link, Mechanism, TreeJoint, WORLD},
    note::{Notes, Place},
};

/// Length of a step in s, of which URDF says nothing.
const STEP: f64 = 1e-3;

pub(crate) fn read(
    root: &Element,
    folder: &Path,
    stem: &str,
    options: Options,
    notes: &mut Notes,
) -> Result<Mechanism, ImportError> {
    let undeclared = undeclared_world(root, notes);
    let by_name = named_links(root, undeclared.as_ref())?;
    let mut joints: HashMap<&str, Vec<(&Element, &str)>> = HashMap::new();
    let mut children = HashSet::new();
    for joint in root.all("joint") {
        let [parent, child] = ["parent", "child"].map(|end| linked(joint, end, &by_name));
        let (parent, child) = (parent?, child?);
        if !children.insert(child) {
            let message = format!("link `{child}` is the child of two joints");
            let remedy = "URDF has trees alone: a link has one parent";
            return Err(ImportError::new(&joint.place, message, remedy));
        }
        joints.entry(parent).or_default().push((joint, child));
    }
    let base = base(root, undeclared.as_ref(), &children)?;
    heed(root, notes);
    let mut mechanism = Mechanism {
        name: root.text("name").unwrap_or(stem).to_owned(),
        step: STEP,
        gravity: Vector3::new(0.0, 0.0, -9.81),
        links: vec![the_world(&root.place)],
        closures: Vec::new(),
        apart: HashSet::new(),
        agreed: Vec::new(),
        nothing_touches: false,
        neighbours_touch: false,
        touches_fixed_neighbour: false,
        overlaps_touch: false,
        stands: true,
        place: root.place.clone(),
    };
    notes.changed(
        &root.place,
        "what URDF does not say",
        format!("friction is {FRICTION}, a step {STEP} s, gravity 9.81 m/s^2 against z"),
    );
    let base_name = base.required("name")?;
    let is_fixed = options.fixed_base || base_name == "world";
    let stays = TreeJoint { kind: Kind::Free, ..joint_of(None, &base.place) };
    mechanism
        .links
        .push(Link { joints: if is_fixed { Vec::new() } else { vec![stays] }, ..link(base, folder, notes)? });
    if is_fixed {
        notes.taken(&base.place, base.called(), "the base, which stays where it is");
    } else {
        notes.taken(&base.place, base.called(), "the base, which is free; --fixed-base holds it");
    }
    let mut open = vec![(WORLD + 1, base_name)];
    while let Some((parent, name)) = open.pop() {
        for (joint, child) in joints.get(name).into_iter().flatten() {
            let joints = tree_joint(joint, notes)?;
            let link = link(by_name[child], folder, notes)?;
            mechanism.links.push(Link { parent, pose: origin(joint)?, joints, ..link });
            open.push((mechanism.links.len() - 1, child));
        }
    }
    if mechanism.links.len() - 1 < by_name.len() {
        let message = "joints close a ring: some links cannot be reached from the base";
        return Err(ImportError::new(&root.place, message, "URDF has trees alone"));
    }
    Ok(mechanism)
}

fn the_world(place: &Place) -> Link {
    Link {
        name: None,
        place: place.clone(),
        parent: WORLD,
        pose: Isometry3::identity(),
        joints: Vec::new(),
        geoms: Vec::new(),
        mass: MassProperties::zero(),
        is_carrier: false,
    }
}

fn origin(element: &Element) -> Result<Isometry3<f64>, ImportError> {
    let Some(origin) = element.first("origin") else { return Ok(Isometry3::identity()) };
    let turn = of_roll_pitch_yaw(origin.vector("rpy")?.unwrap_or_default());
    Ok(Isometry3::from_parts(origin.place_or_zero("xyz")?.into(), turn))
}
