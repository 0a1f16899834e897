//! Which elements and attributes of URDF are read, and why the others are not.

use crate::{element::Element, note::Notes, spelling::question};

/// What is read of an element, or told of where it is read.
#[derive(Debug, Clone, Copy)]
struct Read {
    attributes: &'static [&'static str],
    elements: &'static [&'static str],
}

/// What is read of elements with that tag; nothing where that says nothing of motion, or is left out as a whole.
fn read(tag: &str) -> Option<Read> {
    let (attributes, elements): (&[&str], &[&str]) = match tag {
        "robot" => (&["name", "version"], &["link", "joint"]),
        "link" => (&["name"], &["inertial", "collision"]),
        "inertial" => (&[], &["origin", "mass", "inertia"]),
        "mass" => (&["value"], &[]),
        "inertia" => (&["ixx", "ixy", "ixz", "iyy", "iyz", "izz"], &[]),
        "collision" => (&["name"], &["origin", "geometry"]),
        "geometry" => (&[], &["box", "sphere", "cylinder", "capsule", "mesh"]),
        "box" => (&["size"], &[]),
        "sphere" => (&["radius"], &[]),
        "cylinder" | "capsule" => (&["radius", "length"], &[]),
        "mesh" => (&["filename", "scale"], &[]),
        "joint" => (&["name", "type"], &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"]),
        "origin" => (&["xyz", "rpy"], &[]),
        "parent" | "child" => (&["link"], &[]),
        "axis" => (&["xyz"], &[]),
        "limit" => (&["lower", "upper", "effort", "velocity"], &[]),
        "dynamics" => (&["damping", "friction"], &[]),
        "mimic" => (&["joint", "multiplier", "offset"], &[]),
        _ => return None,
    };
    Some(Read { attributes, elements })
}

/// Whether an element says nothing of motion, with all that is in it.
fn is_picture(parent: &str, tag: &str) -> bool {
    matches!((parent, tag), ("link", "visual") | ("robot" | "collision", "material"))
}

/// Why an element that is known is left out.
fn element_reason(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "transmission" => "gears between motors and joints are not known",
        "gazebo" | "mujoco" => "it is for another program",
        "calibration" => "it is for the electronics of the joint",
        "safety_controller" => "drives have no such limits",
        _ => return None,
    })
}

/// Why an attribute that is known is left out.
fn attribute_reason(tag: &str, key: &str) -> Option<&'static str> {
    Some(match (tag, key) {
        ("origin", "quat_xyzw") => "turns are read from `rpy` alone",
        ("limit", "acceleration" | "deceleration" | "jerk") => "rates of joints are not limited",
        _ => return None,
    })
}

/// Names what is not read of an element and of all that is in it.
pub(super) fn heed(element: &Element, notes: &mut Notes) {
    let tag = element.tag.as_str();
    let Some(read) = read(tag) else { return };
    for attribute in &element.attributes {
        let key = attribute.key.as_str();
        if !read.attributes.contains(&key) {
            let unknown = || {
                format!("URDF has no such attribute there{}", question(key, read.attributes.iter().copied()))
            };
            let why = attribute_reason(tag, key).map_or_else(unknown, str::to_owned);
            notes.left_out(&attribute.place, format!("`{key}` of <{tag}>"), why);
        }
    }
    for (index, child) in element.children.iter().enumerate() {
        if is_picture(tag, &child.tag) {
            continue;
        }
        match why_left_out(element, index, read.elements) {
            Some(why) => notes.left_out(&child.place, named(child, element), why),
            None => heed(child, notes),
        }
    }
}

/// Why a child of an element is left out; nothing where it is read.
fn why_left_out(parent: &Element, index: usize, read: &[&str]) -> Option<String> {
    let tag = parent.children[index].tag.as_str();
    if !read.contains(&tag) {
        let unknown = || format!("URDF has no such element there{}", question(tag, read.iter().copied()));
        return Some(element_reason(tag).map_or_else(unknown, str::to_owned));
    }
    let before = &parent.children[..index];
    let is_further = match (parent.tag.as_str(), tag) {
        ("robot", _) | ("link", "collision") => false,
        ("geometry", _) => !before.is_empty(),
        _ => before.iter().any(|earlier| earlier.tag == tag),
    };
    is_further.then(|| "the first alone counts".to_owned())
}

/// An element by its tag and, but at the top, that of the one that it is in.
fn named(child: &Element, parent: &Element) -> String {
    match parent.tag.as_str() {
        "robot" => format!("<{}>", child.tag),
        around => format!("<{}> of <{around}>", child.tag),
    }
}
