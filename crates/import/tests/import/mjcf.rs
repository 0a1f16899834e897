use std::f64::consts::{FRAC_1_SQRT_2, PI};

use stickslip_import::{Fate, Options};

use crate::{assert_note, imported, imported_with, scenario_text::Table, world};

/// A body that is free, with this in it, called `b`.
fn body(inside: &str) -> Table {
    let text = world(&format!(
        "<body name=\"b\" pos=\"1 2 3\"><freejoint/>{inside}</body><geom type=\"plane\" size=\"1 1 1\"/>"
    ));
    Table::body(&imported(&text).scenario, "b")
}

#[test]
fn a_box_is_a_box() {
    let b = body("<geom type=\"box\" size=\".1 .2 .3\" density=\"500\"/>");
    let mass = 500.0 * 0.2 * 0.4 * 0.6;
    assert_eq!(b.word("shape"), "\"box\"");
    b.assert("size", &[0.2, 0.4, 0.6]);
    b.assert("mass", &[mass]);
    b.assert("inertia", &[mass * 0.52 / 12.0, mass * 0.4 / 12.0, mass * 0.2 / 12.0]);
    b.assert("position", &[1.0, 2.0, 3.0]);
}

#[test]
fn a_sphere_weighs_a_ton_per_cubic_metre() {
    let b = body("<geom size=\".1\"/>");
    let mass = 1000.0 * 4.0 / 3.0 * PI * 1e-3;
    assert_eq!(b.word("shape"), "\"sphere\"");
    b.assert("mass", &[mass]);
    b.assert("inertia", &[0.4 * mass * 0.01; 3]);
}

#[test]
fn a_cylinder_and_a_capsule_have_their_closed_forms() {
    let (r, l) = (0.1, 0.6);
    let b = body("<geom type=\"cylinder\" size=\".1 .3\" mass=\"2\"/>");
    assert_eq!(b.word("shape"), "\"cylinder\"");
    b.assert("size", &[r, l]);
    let across = 2.0 * (3.0 * r * r + l * l) / 12.0;
    b.assert("inertia", &[across, across, 0.5 * 2.0 * r * r]);

    let b = body("<geom type=\"capsule\" size=\".1 .3\"/>");
    assert_eq!(b.word("shape"), "\"capsule\"");
    b.assert("size", &[r, l]);
    let (tube, ball) = (1000.0 * PI * r * r * l, 1000.0 * 4.0 / 3.0 * PI * r.powi(3));
    // The half balls: 2/5 m r^2 about their flat faces, which lie l/2 out, and whose centres are 3/8 r further.
    let across = tube * (l * l / 12.0 + r * r / 4.0) + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    b.assert("mass", &[tube + ball]);
    b.assert("inertia", &[across, across, tube * r * r / 2.0 + ball * 0.4 * r * r]);
}

#[test]
fn capsules_and_cylinders_are_taken_as_they_are() {
    for kind in ["capsule", "cylinder"] {
        let text =
            world(&format!("<body name=\"b\"><freejoint/>\n<geom type=\"{kind}\" size=\".1 .3\"/></body>"));
        let imported = imported(&text);
        assert!(!imported.scenario.contains("[[body.part]]"), "{}", imported.scenario);
        let is_changed =
            |note: &stickslip_import::Note| note.fate != Fate::Taken && note.to_string().contains(kind);
        assert!(!imported.notes.iter().any(is_changed), "{:?}", imported.notes);
    }
}

#[test]
fn an_ellipsoid_weighs_as_itself_and_touches_as_a_polyhedron() {
    let text = world(
        "<body name=\"b\"><freejoint/>\n<geom type=\"ellipsoid\" size=\".1 .2 .3\" mass=\"5\"/></body>",
    );
    let imported = imported(&text);
    let b = Table::body(&imported.scenario, "b");
    b.assert("inertia", &[0.13, 0.1, 0.05]);
    assert_eq!(b.word("shape"), "\"polyhedron\"");
    assert_eq!(b.numbers("size").len(), 3 * 62);
    assert_note(&imported, Fate::Changed, &["ellipsoid", "polyhedron"], 3);
}

#[test]
fn two_geoms_are_parts_about_their_common_centre() {
    // Two unit cubes of 1 and 3 kg, 4 m apart along x: the centre is 3 m from the light one.
    let text = world(
        "<body name=\"b\"><freejoint/>
         <geom type=\"box\" size=\".5 .5 .5\" mass=\"1\"/>
         <geom type=\"box\" size=\".5 .5 .5\" mass=\"3\" pos=\"4 0 0\"/></body><geom type=\"plane\" size=\"1 1 1\"/>",
    );
    let scenario = imported(&text).scenario;
    let b = Table::body(&scenario, "b");
    b.assert("mass", &[4.0]);
    b.assert("position", &[3.0, 0.0, 0.0]);
    let cubes = 4.0 / 6.0;
    let apart = 9.0 + 3.0;
    b.assert("inertia", &[cubes, cubes + apart, cubes + apart]);
    assert!(!b.has("shape"));
    let parts = Table::all(&scenario, "[[body.part]]");
    parts[0].assert("position", &[-3.0, 0.0, 0.0]);
    parts[1].assert("position", &[1.0, 0.0, 0.0]);
}

#[test]
fn inertia_is_that_of_the_file_unless_geoms_are_asked_for() {
    let inertial = "<inertial pos=\".1 0 0\" mass=\"2\" fullinertia=\".1 .2 .25 .01 .02 .03\"/><geom type=\"box\" size=\".1 .1 .1\"/>";
    let b = body(inertial);
    b.assert("mass", &[2.0]);
    b.assert("position", &[1.1, 2.0, 3.0]);
    b.assert("inertia", &[0.1, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.25]);
    let text = format!(
        "<mujoco><compiler inertiafromgeom=\"true\" settotalmass=\"3\"/><worldbody><body name=\"b\"><freejoint/>{inertial}</body></worldbody></mujoco>"
    );
    let b = Table::body(&imported(&text).scenario, "b");
    b.assert("mass", &[3.0]);
    b.assert("inertia", &[3.0 * 0.08 / 12.0; 3]);
}

#[test]
fn an_inertia_with_axes_of_its_own_is_turned() {
    // A quarter turn about z swaps x and y.
    let b = body(
        "<inertial pos=\"0 0 0\" quat=\"1 0 0 1\" mass=\"1\" diaginertia=\".1 .2 .25\"/><geom size=\".1\"/>",
    );
    b.assert("inertia", &[0.2, 0.1, 0.25]);
}

#[test]
fn every_way_to_turn_a_frame_is_the_same_turn() {
    // x becomes y, y becomes z, z becomes x: a third of a turn about (1, 1, 1).
    let turns =
        ["quat=\"1 1 1 1\"", "axisangle=\"1 1 1 120\"", "xyaxes=\"0 1 0 0 0 1\"", "euler=\"90 0 90\""];
    for turn in turns {
        let b = body(&format!("<geom type=\"box\" size=\".1 .2 .3\" {turn}/>"));
        let quaternion = b.numbers("orientation");
        let sign = quaternion[0].signum();
        let expected = if turn.starts_with("euler") {
            // About x, then about the z that has turned along.
            vec![0.5, 0.5, -0.5, 0.5]
        } else {
            vec![0.5; 4]
        };
        for (part, expected) in quaternion.iter().zip(expected) {
            assert!((sign * part - expected).abs() < 1e-12, "{turn}: {quaternion:?}");
        }
    }
    let b = body("<geom type=\"box\" size=\".1 .2 .3\" zaxis=\"1 0 0\"/>");
    b.assert("orientation", &[FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0]);
}

#[test]
fn capitals_of_eulerseq_are_axes_that_stay_and_angles_may_be_radians() {
    let text = "<mujoco><compiler angle=\"radian\" eulerseq=\"XYZ\"/><worldbody><body name=\"b\" euler=\"1.5707963267948966 0 1.5707963267948966\"><freejoint/><geom type=\"box\" size=\"1 2 3\"/></body></worldbody></mujoco>";
    // About x, then about the z of the world.
    Table::body(&imported(text).scenario, "b").assert("orientation", &[0.5, 0.5, 0.5, 0.5]);
}

#[test]
fn fromto_places_and_turns() {
    let b = body("<geom type=\"capsule\" fromto=\"0 0 0 2 0 0\" size=\".1\"/>");
    b.assert("position", &[2.0, 2.0, 3.0]);
    // About its own axis, which lies along x, it resists turning least.
    let inertia = b.numbers("inertia");
    assert!(inertia[2] < 0.1 * inertia[1] && (inertia[0] - inertia[1]).abs() < 1e-9, "{inertia:?}");
    let along_x = |turn: &[f64]| {
        (turn[0].abs() - FRAC_1_SQRT_2).abs() < 1e-12 && (turn[2].abs() - FRAC_1_SQRT_2).abs() < 1e-12
    };
    assert!(along_x(&b.numbers("orientation")));
    let b = body("<geom type=\"cylinder\" fromto=\"0 0 0 2 0 0\" size=\".1\"/>");
    assert!(along_x(&b.numbers("orientation")));
}

#[test]
fn classes_nest_and_what_an_element_says_itself_wins() {
    let text = "<mujoco><default><geom density=\"100\" type=\"box\" size=\".5 .5 .5\"/>
        <default class=\"outer\"><geom density=\"200\"/><default class=\"inner\"><geom type=\"sphere\"/></default></default></default>
        <worldbody>
        <body name=\"main\"><freejoint/><geom/></body>
        <body name=\"outer\" childclass=\"outer\"><freejoint/><geom/></body>
        <body name=\"inner\" childclass=\"outer\"><freejoint/><geom class=\"inner\"/></body>
        <body name=\"own\" childclass=\"outer\"><freejoint/><geom density=\"300\"/></body>
        </worldbody></mujoco>";
    let scenario = imported(text).scenario;
    let ball = 4.0 / 3.0 * PI * 0.125;
    for (name, mass) in [("main", 100.0), ("outer", 200.0), ("inner", 200.0 * ball), ("own", 300.0)] {
        Table::body(&scenario, name).assert("mass", &[mass]);
    }
    assert_eq!(Table::body(&scenario, "inner").word("shape"), "\"sphere\"");
}

#[test]
fn a_hinge_has_its_place_its_axis_and_what_acts_along_it() {
    let text = world(
        "<body name=\"rod\" pos=\"0 0 2\" quat=\"1 0 0 1\"><joint name=\"pin\" pos=\"1 0 0\" axis=\"2 0 0\" range=\"-90 45\" damping=\".1\"
          stiffness=\"3\" springref=\"30\" frictionloss=\".2\" armature=\".01\"/>
         <geom type=\"box\" size=\".1 .1 .1\"/></body><geom type=\"plane\" size=\"1 1 1\"/>",
    );
    let scenario = imported(&text).scenario;
    let joint = &Table::all(&scenario, "[[joint]]")[0];
    assert_eq!(joint.word("kind"), "\"hinge\"");
    assert_eq!(joint.word("bodies"), "[\"world\", \"rod\"]");
    // A quarter turn about z takes x to y.
    joint.assert("point", &[0.0, 1.0, 2.0]);
    joint.assert("axis", &[0.0, 1.0, 0.0]);
    joint.assert("limits", &[-PI / 2.0, PI / 4.0]);
    joint.assert("rest", &[PI / 6.0]);
    for (key, value) in [("damping", 0.1), ("stiffness", 3.0), ("friction", 0.2), ("armature", 0.01)] {
        joint.assert(key, &[value]);
    }
    assert!(!joint.has("start"));
}

#[test]
fn limits_need_autolimits_or_the_word() {
    let joints = |compiler: &str, more: &str| {
        let text = format!(
            "<mujoco>{compiler}<worldbody><body><joint range=\"-1 1\" {more}/><geom size=\".1\"/></body></worldbody></mujoco>"
        );
        Table::all(&imported(&text).scenario, "[[joint]]")[0].has("limits")
    };
    let off = "<compiler autolimits=\"false\"/>";
    assert!(joints("", ""));
    assert!(!joints("", "limited=\"false\""));
    assert!(!joints(off, ""));
    assert!(joints(off, "limited=\"true\""));
}

#[test]
fn a_start_outside_of_limits_goes_to_the_nearest_and_takes_the_body_along() {
    let text = world(
        "<geom type=\"plane\" size=\"1 1 1\"/><body name=\"car\" pos=\"0 0 1\">
         <joint name=\"way\" type=\"slide\" axis=\"1 0 0\" range=\".5 2\"/><geom size=\".1\"/></body>",
    );
    let imported = imported(&text);
    let joint = &Table::all(&imported.scenario, "[[joint]]")[0];
    assert_eq!(joint.word("kind"), "\"slider\"");
    joint.assert("start", &[0.5]);
    joint.assert("limits", &[0.5, 2.0]);
    Table::body(&imported.scenario, "car").assert("position", &[0.5, 0.0, 1.0]);
    assert_note(&imported, Fate::Changed, &["way", "0.5"], 3);
}

#[test]
fn a_reference_is_the_coordinate_of_the_pose_in_the_file() {
    let text = world(
        "<body name=\"b\" pos=\"0 0 9\"><joint ref=\"90\" range=\"0 180\"/><geom size=\".1\" pos=\"1 0 0\"/></body><geom type=\"plane\" size=\"1 1 1\"/>",
    );
    let scenario = imported(&text).scenario;
    Table::all(&scenario, "[[joint]]")[0].assert("start", &[PI / 2.0]);
    Table::body(&scenario, "b").assert("position", &[1.0, 0.0, 9.0]);
}

#[test]
fn a_body_without_joints_is_one_piece_with_its_parent() {
    let text = world(
        "<body name=\"a\" pos=\"0 0 5\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/>
         <body name=\"c\" pos=\"0 0 1\"><geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/></body></body>
         <geom type=\"plane\" size=\"1 1 1\"/>",
    );
    let imported = imported(&text);
    assert_eq!(Table::all(&imported.scenario, "[[body]]").len(), 1);
    Table::body(&imported.scenario, "a").assert("position", &[0.0, 0.0, 5.5]);
    assert_note(&imported, Fate::Taken, &["link c", "one piece with a"], 3);
}

#[test]
fn two_hinges_that_cross_are_a_universal_joint_of_the_one_along_which_something_acts() {
    let joints = |first: &str, second: &str| {
        let text = world(&format!(
            "<body name=\"b\"><joint axis=\"1 0 0\" {first}/><joint axis=\"0 1 0\" {second}/><geom size=\".1\"/></body>"
        ));
        Table::all(&imported(&text).scenario, "[[joint]]").remove(0)
    };
    let joint = joints("damping=\"1\"", "");
    assert_eq!((joint.word("kind"), joint.word("bodies")), ("\"universal\"", "[\"world\", \"b\"]"));
    joint.assert("axis", &[1.0, 0.0, 0.0]);
    joint.assert("axis2", &[0.0, 1.0, 0.0]);
    // Seen from the child it is the world that turns, the other way round.
    let joint = joints("", "damping=\"2\"");
    assert_eq!(joint.word("bodies"), "[\"b\", \"world\"]");
    joint.assert("axis", &[0.0, -1.0, 0.0]);
    joint.assert("axis2", &[1.0, 0.0, 0.0]);
    joint.assert("damping", &[2.0]);
}

#[test]
fn a_slide_along_the_axis_of_a_hinge_is_a_cylindrical_joint() {
    for joints in [
        "<joint type=\"slide\" axis=\"0 0 2\" range=\"-1 2\"/>\n<joint name=\"nut\" axis=\"0 0 1\" pos=\".3 0 0\"/>",
        "\n<joint name=\"nut\" axis=\"0 0 1\" pos=\".3 0 0\"/><joint type=\"slide\" axis=\"0 0 2\" range=\"-1 2\"/>",
    ] {
        let text = world(&format!("<body name=\"b\">{joints}<geom size=\".1\"/></body>"));
        let imported = imported(&text);
        let joint = &Table::all(&imported.scenario, "[[joint]]")[0];
        assert_eq!(joint.word("kind"), "\"cylindrical\"");
        joint.assert("axis", &[0.0, 0.0, 1.0]);
        joint.assert("limits", &[-1.0, 2.0]);
        assert_eq!(joint.numbers("point")[0], 0.3, "on the axis of the hinge");
    }
}

#[test]
fn three_hinges_that_meet_are_a_ball_where_nothing_acts() {
    let text = world(
        "<body name=\"b\"><joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/><geom size=\".1\"/></body>",
    );
    let joints = Table::all(&imported(&text).scenario, "[[joint]]");
    assert_eq!(joints.len(), 1);
    assert_eq!(joints[0].word("kind"), "\"ball\"");
    assert!(!joints[0].has("axis"));
}

/// Joints that no joint of a scenario does together, each with what acts along it, and how many carriers go between them.
#[test]
fn joints_with_no_word_for_them_act_one_after_the_other() {
    for (joints, kinds) in [
        // Both axes of an ankle have limits, and they are 36 mm apart.
        (
            "<joint axis=\"0 1 0\" pos=\"0 0 .08\" range=\"-50 50\"/><joint axis=\"1 0 .5\" pos=\"0 0 .04\" range=\"-50 50\"/>",
            &["hinge", "hinge"][..],
        ),
        ("<joint axis=\"1 0 0\" damping=\"1\"/><joint axis=\"0 1 0\" damping=\"2\"/>", &["hinge", "hinge"]),
        ("<joint axis=\"1 0 0\"/><joint axis=\"1 1 0\"/>", &["hinge", "hinge"]),
        (
            "<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\" damping=\"1\"/>",
            &["hinge", "hinge", "hinge"],
        ),
        (
            "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 1 0\"/>",
            &["slider", "slider", "hinge"],
        ),
        ("<joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 0 1\" damping=\"1\"/>", &["slider", "hinge"]),
    ] {
        let text = world(&format!(
            "<body name=\"b\" pos=\"0 0 1\">{joints}<geom type=\"box\" size=\".1 .2 .3\" mass=\"2\"/></body>"
        ));
        let imported = imported(&text);
        let written = Table::all(&imported.scenario, "[[joint]]");
        let found: Vec<&str> = written.iter().map(|joint| joint.word("kind").trim_matches('"')).collect();
        assert_eq!(found, kinds, "{joints}");
        assert_note(&imported, Fate::Changed, &["one after the other", "carrier"], 2);
        assert_eq!(Table::all(&imported.scenario, "[[body]]").len(), kinds.len(), "{joints}");
        let laws = |key: &str| written.iter().filter(|joint| joint.has(key)).count();
        assert_eq!(
            (laws("limits"), laws("damping")),
            (joints.matches("range").count(), joints.matches("damping").count())
        );
        // A thousandth of the box, with its mean moment.
        let carrier = Table::body(&imported.scenario, "b-carrier-1");
        carrier.assert("mass", &[0.002]);
    }
}

#[test]
fn carriers_touch_nobody_and_what_they_join_touches_as_neighbours_do() {
    let text = |flag: &str| {
        world(
            "<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\".2\"/><body name=\"b\" pos=\"0 0 .3\">
             <joint axis=\"1 0 0\" damping=\"1\"/><joint axis=\"0 1 0\" damping=\"1\"/><joint axis=\"0 0 1\" damping=\"1\"/>
             <geom size=\".2\"/></body></body>"
        )
        .replace("<mujoco model=\"scene\">", &format!("<mujoco model=\"scene\"><option><flag {flag}/></option>"))
    };
    let pairs = |text: &str| -> Vec<String> {
        let pairs = Table::all(&imported(text).scenario, "[[pair]]");
        let mut apart: Vec<String> = pairs
            .iter()
            .filter(|pair| pair.has("touch"))
            .map(|pair| pair.word("bodies").to_owned())
            .collect();
        apart.sort();
        apart
    };
    // What a joint joins does not touch anyway.
    let carriers = ["[\"a\", \"b-carrier-2\"]", "[\"b-carrier-1\", \"b\"]"];
    assert_eq!(pairs(&text("filterparent=\"enable\"")), [&["[\"a\", \"b\"]"][..], &carriers].concat());
    assert_eq!(pairs(&text("filterparent=\"disable\"")), carriers);
}

#[test]
fn drives_stand_behind_their_gears() {
    let text = "<mujoco><worldbody>
        <body name=\"a\"><joint name=\"ja\" actuatorfrcrange=\"-7 7\"/><geom size=\".1\"/></body>
        <body name=\"b\"><joint name=\"jb\"/><geom size=\".1\"/></body>
        <body name=\"c\"><joint name=\"jc\"/><geom size=\".1\"/></body></worldbody>
        <actuator><position joint=\"ja\" kp=\"10\" kv=\"2\" gear=\"3\" forcerange=\"-5 5\" ctrlrange=\"0.6 1\"/>
        <velocity joint=\"jb\" kv=\"4\" forcerange=\"-5 4\" name=\"v\"/><motor joint=\"jc\" gear=\"20\"/>
        <muscle name=\"m\" joint=\"jc\"/></actuator></mujoco>";
    let imported = imported(text);
    let drives = Table::all(&imported.scenario, "[joint.drive]");
    // Force and coordinate are both behind the gear: 3^2; the bound of the joint is the tighter one.
    drives[0].assert("kp", &[90.0]);
    drives[0].assert("kv", &[18.0]);
    drives[0].assert("position", &[0.2]);
    drives[0].assert("limit", &[7.0]);
    drives[1].assert("kv", &[4.0]);
    drives[1].assert("limit", &[5.0]);
    drives[2].assert("force", &[0.0]);
    assert_note(&imported, Fate::Changed, &["forcerange", "v"], 6);
    assert_note(&imported, Fate::LeftOut, &["muscle `m`"], 7);
}

#[test]
fn a_general_actuator_is_the_drive_whose_law_it_has() {
    let drives = |general: &str| {
        let text = format!(
            "<mujoco><worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody>
             <actuator>\n<general name=\"g\" joint=\"j\" gear=\"2\" {general}/></actuator></mujoco>"
        );
        (Table::all(&imported(&text).scenario, "[joint.drive]"), imported(&text))
    };
    let affine = "biastype=\"affine\" ctrlrange=\"1 2\"";
    let position = &drives(&format!("{affine} gainprm=\"3\" biasprm=\"5 -4 -.5\"")).0[0];
    position.assert("kp", &[16.0]);
    position.assert("kv", &[2.0]);
    // 4 l = 3 + 5, and l is 2 q.
    position.assert("position", &[1.0]);
    let velocity = &drives(&format!("{affine} gainprm=\"3\" biasprm=\"0 0 -.5\"")).0[0];
    velocity.assert("kv", &[2.0]);
    velocity.assert("velocity", &[3.0]);
    drives("gainprm=\"30\"").0[0].assert("force", &[0.0]);
    for other in ["dyntype=\"integrator\"", "gaintype=\"muscle\"", "biastype=\"affine\" biasprm=\"0 1\""] {
        let (none, imported) = drives(other);
        assert!(none.is_empty(), "{other}");
        assert_note(&imported, Fate::LeftOut, &["general `g`", "its law"], 3);
    }
}

#[test]
fn level_planes_are_the_ground_and_others_are_walls() {
    let text = world(
        "<geom type=\"plane\" size=\"1 1 1\" pos=\"0 0 -2\" friction=\".4\"/>
         <geom type=\"plane\" size=\"1 1 1\" pos=\"3 0 0\" zaxis=\"-1 0 0\"/>
         <geom name=\"step\" type=\"box\" size=\"1 1 1\" pos=\"0 0 -1\"/>
         <body name=\"b\" pos=\"0 0 1\"><freejoint/><geom size=\".1\" friction=\".2\"/></body>",
    );
    let scenario = imported(&text).scenario;
    Table::body(&scenario, "b").assert("position", &[0.0, 0.0, 3.0]);
    let wall = &Table::all(&scenario, "[[wall]]")[0];
    wall.assert("normal", &[-1.0, 0.0, 0.0]);
    wall.assert("offset", &[-3.0]);
    let step = Table::body(&scenario, "step");
    assert_eq!(step.word("fixed"), "true");
    step.assert("position", &[0.0, 0.0, 1.0]);
    // The larger of two: 0.4 with the ground, 1 with the wall and the step.
    Table::all(&scenario, "[ground]")[0].assert("friction", &[1.0]);
    let pair = &Table::all(&scenario, "[[pair]]")[0];
    assert_eq!(pair.word("bodies"), "[\"b\", \"ground\"]");
    pair.assert("friction", &[0.4]);
}

#[test]
fn priority_and_condim_decide_on_friction() {
    let friction = |plane: &str, ball: &str| {
        let text = world(&format!(
            "<geom type=\"plane\" size=\"1 1 1\" {plane}/><body><freejoint/><geom size=\".1\" {ball}/></body>"
        ));
        Table::all(&imported(&text).scenario, "[ground]")[0].numbers("friction")[0]
    };
    assert_eq!(friction("friction=\".3\"", "friction=\".8\""), 0.8);
    assert_eq!(friction("friction=\".3\" priority=\"1\"", "friction=\".8\""), 0.3);
    assert_eq!(friction("condim=\"1\"", "condim=\"1\""), 0.0);
    assert_eq!(friction("condim=\"1\" friction=\".3\"", "friction=\".2\""), 0.3);
}

#[test]
fn without_a_plane_the_ground_is_out_of_reach() {
    let text = world(
        "<body name=\"b\"><joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 -3\" size=\".1\"/></body>",
    );
    let imported = imported(&text);
    let height = Table::all(&imported.scenario, "[[joint]]")[0].numbers("point")[2];
    assert!(height > 3.1, "{height}");
    assert_note(&imported, Fate::Changed, &["ground", "higher"], 1);
}

#[test]
fn gravity_points_down_after_a_turn() {
    let text = "<mujoco><option gravity=\"5 0 0\"/><worldbody><body name=\"b\" pos=\"-2 0 0\"><freejoint/><geom size=\".1\"/></body><geom type=\"plane\" size=\"1 1 1\" zaxis=\"-1 0 0\"/></worldbody></mujoco>";
    let scenario = imported(text).scenario;
    Table::top(&scenario).assert("gravity", &[5.0]);
    Table::body(&scenario, "b").assert("position", &[0.0, 0.0, 2.0]);
    assert!(Table::all(&scenario, "[[wall]]").is_empty());
}

#[test]
fn loops_are_closed_by_balls_and_welds() {
    let text = "<mujoco><worldbody><body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\".1\"/></body>
        <body name=\"b\" pos=\"1 0 1\"><freejoint/><geom size=\".1\"/></body></worldbody>
        <equality><connect body1=\"a\" body2=\"b\" anchor=\".5 0 0\"/><weld body1=\"a\" body2=\"b\"/>
        <joint joint1=\"x\"/><weld body1=\"a\" body2=\"b\" relpose=\"2 0 0 1 0 0 0\"/></equality></mujoco>";
    let imported = imported(text);
    let joints = Table::all(&imported.scenario, "[[joint]]");
    let lift = Table::body(&imported.scenario, "a").numbers("position")[2] - 1.0;
    assert_eq!((joints.len(), joints[0].word("kind"), joints[1].word("kind")), (2, "\"ball\"", "\"weld\""));
    joints[0].assert("point", &[0.5, 0.0, 1.0 + lift]);
    assert_note(&imported, Fate::LeftOut, &["joint", "follow"], 4);
    assert_note(&imported, Fate::LeftOut, &["weld", "apart"], 4);
}

#[test]
fn what_is_kept_from_touching_does_not_touch() {
    let text = "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\".1\"/></body><body name=\"b\" pos=\"1 0 0\"><freejoint/><geom size=\".1\"/></body></worldbody><contact><exclude body1=\"a\" body2=\"b\"/></contact></mujoco>";
    let imported = imported(text);
    assert_note(&imported, Fate::Taken, &["a and b", "touch"], 1);
    let pair = "[[pair]]\nbodies = [\"a\", \"b\"]\ntouch = false\n";
    assert!(imported.scenario.contains(pair), "{}", imported.scenario);
    // Nothing says so of the ground.
    let text = world(
        "<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\".1\" contype=\"2\" conaffinity=\"2\"/></body>",
    );
    let plane = text.replace("</worldbody>", "<geom type=\"plane\" size=\"1 1 1\"/></worldbody>");
    assert_note(&self::imported(&plane), Fate::LeftOut, &["a and ground", "touch"], 1);
}

#[test]
fn what_has_no_words_is_named_with_its_line() {
    let text = "<mujoco><worldbody><body><freejoint/>
        <geom size=\".1\" solref=\".01 1\" margin=\".1\" condim=\"6\"/></body></worldbody>
        <tendon><spatial name=\"rope\"/></tendon>
        <sensor><gyro name=\"g\" site=\"s\"/></sensor>
        <keyframe><key name=\"home\"/></keyframe></mujoco>";
    let imported = imported(text);
    for (word, line) in [("solref", 2), ("margin", 2), ("condim", 2), ("rope", 3), ("gyro", 4), ("home", 5)] {
        assert_note(&imported, Fate::LeftOut, &[word], line);
    }
}

#[test]
fn names_are_tidied_and_unique() {
    let text = world(
        "<body name=\"Left Arm\"><freejoint/><geom size=\".1\"/></body><body name=\"left-arm\"><freejoint/><geom size=\".1\"/></body><body name=\"ground\"><freejoint/><geom size=\".1\"/></body><body><freejoint/><geom size=\".1\"/></body>",
    );
    let scenario = imported(&text).scenario;
    let names: Vec<String> =
        Table::all(&scenario, "[[body]]").iter().map(|body| body.word("name").to_owned()).collect();
    assert_eq!(names, ["\"left-arm\"", "\"left-arm-2\"", "\"body-ground\"", "\"body-3\""]);
}

#[test]
fn three_slides_and_a_ball_leave_a_body_free_and_fixed_base_holds_it() {
    let text = world(
        "<body name=\"b\"><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint type=\"ball\"/><geom size=\".1\"/></body>",
    );
    assert!(Table::all(&imported(&text).scenario, "[[joint]]").is_empty());
    let text = world("<body name=\"b\"><freejoint/><geom size=\".1\"/></body>");
    let held = imported_with(&text, Options { fixed_base: true }).scenario;
    assert_eq!(Table::body(&held, "b").word("fixed"), "true");
}

#[test]
fn a_body_that_lies_in_what_it_hangs_on_does_not_touch_it() {
    let text = world(
        "<geom name=\"post\" type=\"box\" size=\".1 .1 1\"/><body name=\"arm\" pos=\"0 0 1\"><joint axis=\"0 1 0\"/>
         <geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\".05\"/></body>
         <body name=\"ball\" pos=\"0 0 .5\"><freejoint/><geom size=\".2\"/></body>",
    );
    let imported = imported(&text);
    assert_note(&imported, Fate::Changed, &["post and arm", "lie in one another"], 1);
    // What nothing keeps there is left as the file has it.
    assert_eq!(imported.scenario.matches("touch = false").count(), 1, "{}", imported.scenario);
}

#[test]
fn carriers_of_slides_are_where_the_body_is() {
    let text = world(
        "<geom type=\"plane\" size=\"1 1 1\"/><body name=\"b\" pos=\"0 0 1\"><joint type=\"slide\" axis=\"1 0 0\" pos=\"0 0 -1\"/>
         <joint type=\"slide\" axis=\"0 0 1\" pos=\"0 0 -1\"/><joint axis=\"0 1 0\"/><geom size=\".1\" pos=\"0 0 .1\"/></body>",
    );
    let scenario = imported(&text).scenario;
    for carrier in ["b-carrier-1", "b-carrier-2"] {
        Table::body(&scenario, carrier).assert("position", &[0.0, 0.0, 1.1]);
    }
}

#[test]
fn bounds_of_inertia_hold_about_principal_axes() {
    // Moments of 0.1, 0.001 and 0.1 about axes at 45 degrees to x and y: 0.0505 each, and 0.0495 between.
    let text = "<mujoco><compiler boundinertia=\".02\"/><worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"b\" pos=\"0 0 1\"><freejoint/>
        <geom size=\".1\"/><inertial mass=\"1\" pos=\"0 0 0\" fullinertia=\".0505 .0505 .1 .0495 0 0\"/></body></worldbody></mujoco>";
    let [xx, xy] = [(0.1 + 0.02) / 2.0, (0.1 - 0.02) / 2.0];
    Table::body(&imported(text).scenario, "b").assert("inertia", &[xx, xy, 0.0, xy, xx, 0.0, 0.0, 0.0, 0.1]);
}

#[test]
fn a_mass_below_all_that_scenarios_know_is_none() {
    let text = world(
        "<body name=\"a\"><freejoint/><geom size=\".1\" mass=\"2\"/></body>
         <body name=\"b\" pos=\"1 0 0\"><freejoint/><geom size=\".1\" mass=\"1e-13\"/></body>
         <body name=\"c\" pos=\"2 0 0\"><freejoint/><geom size=\".1\" mass=\"1e-10\"/><body name=\"d\"><joint/></body></body>",
    );
    let imported = imported(&text);
    Table::body(&imported.scenario, "b").assert("mass", &[2e-3]);
    Table::body(&imported.scenario, "d").assert("mass", &[1e-12]);
    assert_note(&imported, Fate::Changed, &["body b", "no mass"], 3);
}
