//! Which attributes of MJCF are taken, and why the others are not.

use crate::{element::Element, note::Notes, spelling::question};

/// What elements of that tag say that is taken.
fn taken(tag: &str) -> &'static [&'static str] {
    match tag {
        "body" => &["name", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "childclass", "mocap"],
        "frame" => &["name", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "childclass"],
        "inertial" => {
            &["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass", "diaginertia", "fullinertia"]
        }
        "geom" => &[
            "name",
            "class",
            "type",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "fromto",
            "size",
            "mass",
            "density",
            "mesh",
            "friction",
            "priority",
            "condim",
            "contype",
            "conaffinity",
            "group",
            "shellinertia",
        ],
        "joint" => &[
            "name",
            "class",
            "type",
            "pos",
            "axis",
            "range",
            "limited",
            "ref",
            "springref",
            "stiffness",
            "damping",
            "frictionloss",
            "armature",
            "actuatorfrcrange",
            "actuatorfrclimited",
        ],
        "site" => &["name", "class", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"],
        "mesh" => &["name", "class", "file", "vertex", "face", "scale", "refpos", "refquat", "inertia"],
        "motor" | "position" | "velocity" => &[
            "name",
            "class",
            "joint",
            "jointinparent",
            "gear",
            "forcerange",
            "forcelimited",
            "ctrlrange",
            "ctrllimited",
            "kp",
            "kv",
        ],
        "general" => &[
            "name",
            "class",
            "joint",
            "jointinparent",
            "gear",
            "forcerange",
            "forcelimited",
            "ctrlrange",
            "ctrllimited",
            "dyntype",
            "dynprm",
            "gaintype",
            "gainprm",
            "biastype",
            "biasprm",
        ],
        "exclude" => &["name", "class", "body1", "body2"],
        "pair" => &["name", "class", "geom1", "geom2", "friction", "condim"],
        "connect" => &["name", "class", "active", "body1", "body2", "anchor", "site1", "site2"],
        "weld" => &["name", "class", "active", "body1", "body2", "anchor", "relpose", "site1", "site2"],
        _ => &[],
    }
}

/// What changes nothing about a motion.
const PICTURE: &[&str] = &[
    "rgba",
    "material",
    "user",
    "group",
    "texcoord",
    "texturedir",
    "fitscale",
    "normal",
    "smoothnormal",
    "maxhullvert",
    "content_type",
    "octree_maxdepth",
    "sleep",
    // Of sites, which are places alone.
    "size",
    "type",
];

/// Why what is known and not taken is not.
fn reason(key: &str) -> Option<&'static str> {
    Some(match key {
        "solref" | "solimp" | "solmix" | "solreffriction" => "contacts are rigid and have no compliance",
        "solreflimit" | "solimplimit" | "solreffix" | "solimpfix" | "solimpfriction" => {
            "joints and their limits are rigid"
        }
        "margin" | "gap" => "contacts act where shapes touch, and limits where they are",
        "gravcomp" | "actuatorgravcomp" => "gravity acts on everything",
        "springdamper" => "give stiffness and damping",
        "dampratio" | "timeconst" | "inheritrange" => "give kp, kv and ctrlrange as numbers",
        "fluidshape" | "fluidcoef" => "there is no air",
        "hfield" | "plugin" => "there is nothing of the kind",
        "tendon" | "site" | "refsite" | "body" | "cranksite" | "slidersite" => "drives act on joints",
        "torquescale" => "welds hold turns as they hold places",
        _ => return None,
    })
}

/// Names the attributes of an element that are not taken.
pub(super) fn heed(element: &Element, notes: &mut Notes) {
    let tag = element.tag.as_str();
    let taken = taken(tag);
    for attribute in &element.attributes {
        let key = attribute.key.as_str();
        if !taken.contains(&key) && !PICTURE.contains(&key) && !taken.is_empty() {
            let unknown = || format!("it has no counterpart{}", question(key, taken.iter().copied()));
            let why = reason(key).map_or_else(unknown, str::to_owned);
            notes.left_out(&attribute.place, format!("`{key}` of <{tag}>"), why);
        }
    }
}
