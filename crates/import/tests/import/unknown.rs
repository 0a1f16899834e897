//! Attributes and elements, above all of URDF, one fault per case: what is not read is named, and what was meant where that is near.

use stickslip_import::Fate;

use crate::{imported, world};

/// Of its attributes and elements all are read, or say nothing of motion.
const ROBOT: &str = r#"<robot name="r" version="1.0"><material name="grey"><color rgba="1 1 1 1"/></material>
<link name="base"><visual><geometry><box size="1 1 1"/></geometry><material name="grey"/></visual><inertial>
<origin xyz="0 0 0" rpy="0 0 0"/><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision name="c"><origin xyz="0 0 0"/><geometry><box size=".2 .2 .1"/></geometry></collision>
<collision><origin xyz="0 0 .1"/><geometry><sphere radius=".05"/></geometry></collision></link>
<link name="arm"><inertial><mass value=".5"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial>
<collision><geometry><cylinder radius=".03" length=".3"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 .06"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1"/><dynamics damping=".1" friction=".02"/></joint></robot>"#;

/// What is said to be left out of a file, each with its lines.
fn left_out(text: &str) -> Vec<String> {
    let notes = imported(text).notes.into_iter().filter(|note| note.fate == Fate::LeftOut);
    notes.map(|note| note.to_string()).collect()
}

/// Asserts that `fault` in the place of `sound` is named, and nothing else.
#[track_caller]
fn named(sound: &str, fault: &str, note: &str) {
    assert!(ROBOT.contains(sound), "{sound}");
    assert_eq!(left_out(&ROBOT.replacen(sound, fault, 1)), [format!("left out: {note}")]);
}

#[test]
fn what_is_read_and_what_is_a_picture_is_not_named() {
    assert_eq!(left_out(ROBOT), [""; 0]);
}

#[test]
fn a_misspelt_attribute_is_named_with_what_was_meant() {
    let misspelt = |sound: &str, fault: &str, at: &str, meant: &str| {
        let key = fault.split('=').next().unwrap_or_default();
        let why = format!("URDF has no such attribute there; did you mean `{meant}`?");
        named(sound, fault, &format!("`{key}` of {at}: {why}"));
    };
    misspelt("version=", "verion=", "<robot> (model.xml:1)", "version");
    misspelt("rpy=", "ryp=", "<origin> (model.xml:3)", "rpy");
    misspelt("value=\"2\"", "vale=\"2\"", "<mass> (model.xml:3)", "value");
    misspelt("ixy=", "iyx=", "<inertia> (model.xml:3)", "ixy");
    misspelt("name=\"c\"", "nam=\"c\"", "<collision> (model.xml:4)", "name");
    misspelt("name=\"j\"", "nam=\"k\" name=\"j\"", "<joint> (model.xml:8)", "name");
    misspelt("xyz=\"0 0 .06\"", "xzy=\"0 0 .06\"", "<origin> (model.xml:8)", "xyz");
    misspelt("xyz=\"0 1 0\"", "xyx=\"0 1 0\"", "<axis> (model.xml:8)", "xyz");
    misspelt("lower=", "loer=", "<limit> (model.xml:9)", "lower");
    misspelt("damping=", "dampin=", "<dynamics> (model.xml:9)", "damping");
    misspelt("friction=", "Friction=", "<dynamics> (model.xml:9)", "friction");
}

#[test]
fn a_misspelt_element_is_named_with_what_was_meant() {
    let misspelt = |sound: &str, fault: &str, at: &str, meant: &str| {
        named(sound, fault, &format!("{at}: URDF has no such element there; did you mean `{meant}`?"));
    };
    let inertial = "<inertial><mass value=\".5\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\"/></inertial>";
    misspelt(inertial, "<inertal/>", "<inertal> of <link> (model.xml:6)", "inertial");
    misspelt("<mass value=\"2\"", "<mas value=\"2\"", "<mas> of <inertial> (model.xml:3)", "mass");
    let collision = "<origin xyz=\"0 0 .1\"";
    misspelt(collision, "<orign xyz=\"0 0 .1\"", "<orign> of <collision> (model.xml:5)", "origin");
    misspelt("<sphere", "<spere", "<spere> of <geometry> (model.xml:5)", "sphere");
    misspelt("<axis", "<axes", "<axes> of <joint> (model.xml:8)", "axis");
    misspelt("<limit", "<limits", "<limits> of <joint> (model.xml:9)", "limit");
    misspelt("</robot>", "<jiont/></robot>", "<jiont> (model.xml:9)", "joint");
}

#[test]
fn what_is_near_no_name_is_named_alone() {
    named(
        "<limit ",
        "<limit stiffness=\"3\" ",
        "`stiffness` of <limit> (model.xml:9): URDF has no such attribute there",
    );
    named(
        "</collision></link>",
        "</collision><foo/></link>",
        "<foo> of <link> (model.xml:5): URDF has no such element there",
    );
    named("<sphere", "<cone", "<cone> of <geometry> (model.xml:5): URDF has no such element there");
    named(
        "<mass value=\"2\"/>",
        "<mass value=\"2\"><x/></mass>",
        "<x> of <mass> (model.xml:3): URDF has no such element there",
    );
}

#[test]
fn a_picture_in_the_place_of_a_shape_is_named() {
    let faulty = ROBOT.replace("<sphere radius=\".05\"/>", "<material/><sphere radius=\".05\"/>");
    assert_eq!(
        left_out(&faulty),
        [
            "left out: <material> of <geometry> (model.xml:5): URDF has no such element there",
            "left out: <sphere> of <geometry> (model.xml:5): the first alone counts",
        ]
    );
}

#[test]
fn what_is_known_and_left_out_has_its_reason() {
    named(
        "<limit ",
        "<limit jerk=\"3\" ",
        "`jerk` of <limit> (model.xml:9): rates of joints are not limited",
    );
    named(
        "<dynamics",
        "<calibration rising=\"0\"/><dynamics",
        "<calibration> of <joint> (model.xml:9): it is for the electronics of the joint",
    );
    named("</robot>", "<gazebo><a/></gazebo></robot>", "<gazebo> (model.xml:9): it is for another program");
}

#[test]
fn of_what_stands_twice_the_first_counts() {
    named(
        "<mass value=\"2\"/>",
        "<mass value=\"2\"/><mass value=\"3\"/>",
        "<mass> of <inertial> (model.xml:3): the first alone counts",
    );
    named(
        "<sphere radius=\".05\"/>",
        "<sphere radius=\".05\"/><box size=\"1 1 1\"/>",
        "<box> of <geometry> (model.xml:5): the first alone counts",
    );
    named(
        "<dynamics",
        "<axis xyz=\"1 0 0\"/><dynamics",
        "<axis> of <joint> (model.xml:9): the first alone counts",
    );
}

#[test]
fn a_fault_in_a_joint_that_is_fixed_is_named() {
    let fixed = ROBOT.replace("revolute", "fixed").replace("damping=", "dampin=");
    let note = "left out: `dampin` of <dynamics> (model.xml:9): URDF has no such attribute there; did you mean `damping`?";
    assert_eq!(left_out(&fixed), [note]);
}

#[test]
fn the_ends_of_a_joint_without_ends_are_named() {
    named(
        "revolute",
        "continuous",
        "`lower` and `upper` of <limit> (model.xml:9): joints that are continuous or floating have no ends",
    );
}

#[test]
fn mjcf_is_asked_what_was_meant_too() {
    let text = world(
        "<body><freejoint/><geom size=\".1\"/>\n<body><joint dampin=\"1\"/>\n<geom size=\".1\"/><gom/></body></body>",
    );
    let why = "it has no counterpart; did you mean";
    assert_eq!(
        left_out(&text),
        [
            format!("left out: `dampin` of <joint> (model.xml:3): {why} `damping`?"),
            format!("left out: <gom> of <body> (model.xml:4): {why} `geom`?"),
        ]
    );
}
