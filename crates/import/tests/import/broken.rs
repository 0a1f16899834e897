//! One fault per case: what is said of it, and in which line.

use std::path::Path;

use stickslip_import::{Options, import_text};

#[track_caller]
fn refused(text: &str, words: &str, line: usize) {
    match import_text(text, Path::new("model.xml"), Options::default()) {
        Ok(imported) => panic!("taken:\n{}", imported.scenario),
        Err(error) => {
            assert!(error.to_string().contains(words), "{error}");
            assert_eq!(error.place.line, Some(line), "{error}");
            assert!(!error.remedy.is_empty(), "{error}");
        }
    }
}

fn mjcf(inside: &str) -> String {
    format!("<mujoco><worldbody>\n{inside}</worldbody></mujoco>")
}

#[test]
fn broken_xml() {
    refused("<mujoco>\n<worldbody>\n</mujoco>", "no well-formed XML", 3);
    refused("", "no well-formed XML", 1);
    refused("<mujoco>\n<a b=c/></mujoco>", "no well-formed XML", 2);
    refused("<sdf/>", "neither <mujoco>", 1);
    refused("<mujoco/>", "no <worldbody>", 1);
    refused(&mjcf("<geom type=\"plane\" size=\"1 1 1\"/>"), "no bodies that move", 1);
    let deep = format!("{}{}", "<body>".repeat(5000), "</body>".repeat(5000));
    refused(&mjcf(&deep), "deep", 2);
}

#[test]
fn broken_numbers() {
    let geom = |more: &str| mjcf(&format!("<body><freejoint/>\n<geom {more}/></body>"));
    refused(&geom("size=\"a\""), "`size`", 3);
    refused(&geom("size=\"nan\""), "`size`", 3);
    refused(&geom("size=\"-1\""), "positive", 3);
    refused(&geom(""), "no `size`", 3);
    refused(&geom("type=\"box\" size=\"1 1\""), "3 positive", 3);
    refused(&geom("size=\".1\" pos=\"1 2\""), "3 numbers", 3);
    refused(&geom("size=\".1\" quat=\"0 0 0 0\""), "quaternion", 3);
    refused(&geom("size=\".1\" zaxis=\"0 0 0\""), "not zero", 3);
    refused(&geom("size=\".1\" xyaxes=\"1 0 0 2 0 0\""), "different directions", 3);
    refused(&geom("type=\"capsule\" size=\".1\" fromto=\"1 1 1 1 1 1\""), "fromto", 3);
    refused(&geom("type=\"cone\" size=\".1\""), "`type`", 3);
    refused(&geom("size=\".1\" mass=\"-1\""), "`mass`", 3);
    refused(&geom("size=\".1\" friction=\"-1\""), "`friction`", 3);
    refused(&geom("size=\".1\" contype=\"1.5\""), "whole number", 3);
    refused(&geom("size=\".1\" class=\"gone\""), "no default class", 3);
    refused(&geom("type=\"mesh\" mesh=\"gone\""), "no mesh `gone`", 3);
    refused(&geom("type=\"plane\" size=\"1 1 1\""), "has a plane", 3);
}

#[test]
fn numbers_that_are_not_taken_are_told_from_what_is_none() {
    let inertia = |ixx: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/>\n<inertia ixx=\"{ixx}\"/></inertial></link></robot>"
        )
    };
    for word in ["1e308", "1e300", "-1e300", "1e400", "1.1e30"] {
        refused(
            &inertia(word),
            &format!("`ixx` of <inertia> is \"{word}\", and has to be a number from -1e30 to 1e30"),
            2,
        );
    }
    for word in ["inf", "-inf", "nan", "Infinity"] {
        refused(&inertia(word), &format!("is \"{word}\", and has to be a finite number"), 2);
    }
    for word in ["x", "0,5", "", "1 x"] {
        refused(&inertia(word), "has to be numbers with spaces between them", 2);
    }
    refused(&inertia("1 2"), "has to be a number", 2);
    let place = |pos: &str| mjcf(&format!("<body pos=\"{pos}\"><freejoint/><geom size=\".1\"/></body>"));
    refused(&place("0 0 1e300"), "has to be numbers from -1e30 to 1e30", 2);
    refused(&place("0 0 inf"), "has to be finite numbers", 2);
}

#[test]
fn what_is_missing_is_said_to_be_missing() {
    let shape = |shape: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry>\n{shape}</geometry></collision></link></robot>"
        )
    };
    let radius = "<cylinder> has no `radius`, which has to be a positive number of metres";
    refused(&shape("<cylinder length=\".3\"/>"), radius, 2);
    refused(&shape("<cylinder radius=\".3\"/>"), "<cylinder> has no `length`", 2);
    refused(&shape("<sphere/>"), "<sphere> has no `radius`", 2);
    refused(&shape("<box/>"), "<box> has no `size`, which has to be 3 positive widths", 2);
    refused(&mjcf("<body><freejoint/>\n<inertial pos=\"0 0 0\"/></body>"), "<inertial> has no `mass`", 3);
}

#[test]
fn a_size_is_asked_for_by_what_it_is_of_the_shape() {
    let geom = |more: &str| mjcf(&format!("<body><freejoint/>\n<geom {more}/></body>"));
    let line = "fromto=\"0 0 0 0 0 1\"";
    let radius = "has to be a positive number, the radius in metres: `fromto` gives the length";
    refused(&geom(&format!("type=\"capsule\" {line} size=\"0\"")), radius, 3);
    refused(&geom(&format!("type=\"cylinder\" {line}")), radius, 3);
    refused(&geom(&format!("type=\"box\" {line} size=\"-1\"")), "a positive number, half the width", 3);
    refused(&geom("type=\"capsule\" size=\".1\""), "2 positive numbers, the radius and half the length", 3);
    refused(
        &geom(&format!("type=\"sphere\" {line} size=\"0\"")),
        "a positive number, the radius in metres",
        3,
    );
    refused(&geom("type=\"ellipsoid\" size=\".1\""), "3 positive numbers, half widths in metres", 3);
}

#[test]
fn broken_joints() {
    let joint = |more: &str| mjcf(&format!("<body>\n<joint {more}/><geom size=\".1\"/></body>"));
    refused(&joint("type=\"screw\""), "`type`", 3);
    refused(&joint("axis=\"0 0 0\""), "not zero", 3);
    refused(&joint("range=\"1 0\""), "`range`", 3);
    refused(&joint("damping=\"-1\""), "`damping`", 3);
    refused(&joint("/><freejoint"), "several joints", 3);
    refused(&mjcf("<joint/>"), "world has a joint", 2);
    refused(&mjcf("<body><freejoint/></body>"), "no mass", 2);
    refused(&mjcf("<body name=\"a\"/>\n<body name=\"a\"/>"), "two bodies `a`", 3);
    refused(&mjcf("<replicate count=\"3\"/>"), "not in the file", 2);
}

#[test]
fn broken_references() {
    let more = |section: &str| format!("<mujoco><worldbody/>\n{section}</mujoco>");
    refused(&more("<contact><exclude body1=\"a\" body2=\"b\"/></contact>"), "name of a body", 2);
    refused(&more("<contact><pair geom1=\"a\" geom2=\"b\"/></contact>"), "name of a geom", 2);
    refused(&more("<equality><connect body1=\"a\"/></equality>"), "name of a body", 2);
    refused(&more("<actuator><motor joint=\"a\"/></actuator>"), "name of a joint", 2);
    refused(&more("<compiler angle=\"grad\"/>"), "degree or radian", 2);
    refused(&more("<compiler eulerseq=\"xyq\"/>"), "three letters", 2);
    refused(&more("<option timestep=\"0\"/>"), "timestep", 2);
    refused(&more("<include/>"), "no `file`", 2);
}

#[test]
fn broken_urdf() {
    let robot = |inside: &str| format!("<robot name=\"r\">\n{inside}</robot>");
    let two = "<link name=\"a\"/><link name=\"b\"/>";
    refused(&robot(""), "no links", 1);
    refused(&robot(two), "2 links have no parent, and one has to be the base: link `a` and link `b`", 2);
    let loose = "<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"world\"/><child link=\"b\"/></joint>";
    refused(&robot(loose), "link `a` and link `world`", 3);
    refused(&robot("<link name=\"a\"/><link name=\"a\"/>"), "two links `a`", 2);
    refused(&robot("<link/>"), "no `name`", 2);
    refused(
        &robot(&format!("{two}\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>")),
        "no <child>",
        3,
    );
    refused(
        &robot(&format!(
            "{two}\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>"
        )),
        "no link `c`",
        3,
    );
    let joint = |more: &str| {
        robot(&format!("{two}\n<joint name=\"j\" {more}<parent link=\"a\"/><child link=\"b\"/></joint>"))
    };
    refused(&joint(">"), "no `type`", 3);
    refused(&joint("type=\"planar\">"), "planar", 3);
    refused(&joint("type=\"continuous\"><axis xyz=\"0 0 0\"/>"), "not zero", 3);
    refused(&joint("type=\"revolute\"><limit lower=\"1\" upper=\"0\"/>"), "above the upper", 3);
    let ring = format!(
        "<link name=\"c\"/>{two}\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>"
    );
    refused(&robot(&ring), "ring", 1);
    let link = |inside: &str| robot(&format!("<link name=\"a\">\n{inside}</link>"));
    refused(&link("<inertial><mass value=\"-1\"/></inertial>"), "must not be negative", 3);
    refused(&link("<inertial><mass value=\"x\"/></inertial>"), "`value`", 3);
    refused(&link("<collision/>"), "no <geometry>", 3);
    refused(&link("<collision><geometry/></collision>"), "empty", 3);
    refused(&link("<collision><geometry><box size=\"1 1 0\"/></geometry></collision>"), "positive widths", 3);
    refused(&link("<collision><geometry><sphere/></geometry></collision>"), "positive number", 3);
    let negative = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"-1\"/></inertial>";
    refused(&link(negative), "negative moment", 2);
    let merged = format!(
        "<link name=\"b\"/>\n<link name=\"a\">{negative}</link>
        <joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>"
    );
    refused(&robot(&merged), "`a` gives it", 3);
}
