//! Faults of `[[joint]]`, one at a time.

use super::{assert_tells, only_problem, refusal};

/// Two bodies in the plane with a joint without a fault.
const PLANE: &str = r#"name = "joined"
duration = 1.0
step = 1e-3
[ground]
friction = 0.5
[[body]]
name = "arm"
shape = "rod"
size = 1.0
mass = 1.0
position = [0.5, 2.0]
[[body]]
name = "base"
shape = "box"
size = [0.2, 0.2]
mass = 1.0
position = [0.0, 2.0]
fixed = true
[[body]]
name = "dot"
shape = "point"
mass = 1.0
position = [3.0, 2.0]
[[joint]]
kind = "hinge"
bodies = ["base", "arm"]
point = [0.0, 2.0]
start = 0.2
limits = [-0.3, 1.0]
restitution = 0.6
stiffness = 1.0
rest = 0.1
damping = 0.1
friction = 0.1
armature = 0.1
[joint.drive]
position = [[0.0, 0.0], [1.0, 0.5]]
kp = 50.0
kv = 2.0
limit = 10.0
"#;

/// Two bodies in space with a joint without a fault.
const SPACE: &str = r#"name = "joined"
duration = 1.0
step = 1e-3
[ground]
friction = 0.5
[[body]]
name = "a"
shape = "box"
size = [0.2, 0.2, 0.2]
mass = 1.0
position = [0.0, 0.0, 2.0]
[[body]]
name = "b"
shape = "sphere"
size = 0.1
mass = 1.0
position = [0.2, 0.0, 2.0]
[[joint]]
kind = "universal"
bodies = ["a", "b"]
point = [0.1, 0.0, 2.0]
axis = [0.0, 2.0, 0.0]
axis2 = [0.0, 0.0, 1.0]
"#;

/// The problem of a text in which one thing stands for another.
#[track_caller]
fn assert_fault(text: &str, from: &str, to: &str, key: &str, words: &[&str]) {
    assert!(text.contains(from), "{from:?} is not in the text");
    assert_tells(&only_problem(&text.replacen(from, to, 1), &[]), Some(key), words);
}

#[test]
fn the_joints_that_the_cases_break_are_valid() {
    for text in [PLANE, SPACE] {
        stickslip::scenario::parse_scenario("joined.toml", text, &[])
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_fault_of_a_joint_in_the_plane_is_told() {
    let hinge = "kind = \"hinge\"";
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (hinge, "kind = \"hing\"", "joint[0].kind", &["hinge"]),
        (hinge, "kind = \"gear\"", "joint[0].kind", &["no joint follows another", "[joint.drive]"]),
        (hinge, "", "joint[0].kind", &["missing"]),
        ("[\"base\", \"arm\"]", "[\"base\", \"arn\"]", "joint[0].bodies[1]", &["arn", "arm"]),
        ("[\"base\", \"arm\"]", "[\"arm\", \"arm\"]", "joint[0].bodies", &["two different bodies"]),
        ("[\"base\", \"arm\"]", "[\"world\", \"world\"]", "joint[0].bodies", &["two different bodies"]),
        ("[\"base\", \"arm\"]", "[\"world\", \"base\"]", "joint[0].bodies", &["fixed", "moves"]),
        (
            "[\"base\", \"arm\"]",
            "[\"dot\", \"arm\"]",
            "joint[0].bodies",
            &["dot", "does not turn", "[[rod]]"],
        ),
        ("[\"base\", \"arm\"]", "[\"base\"]", "joint[0].bodies", &["2 names"]),
        ("point = [0.0, 2.0]\n", "", "joint[0].point", &["missing"]),
        ("point = [0.0, 2.0]", "point = [0.0, 2.0, 1.0]", "joint[0].point", &["components"]),
        (
            "point = [0.0, 2.0]",
            "points = [[0.0, 0.0], [0.4, 0.0]]",
            "joint[0].points",
            &["one place", "meet"],
        ),
        ("point = [0.0, 2.0]", "points = [[0.0, 0.0]]", "joint[0].points", &["2 points"]),
        (
            "point = [0.0, 2.0]",
            "point = [0.0, 2.0]\naxis = [0.0, 1.0]",
            "joint[0].axis",
            &["no effect", "hinge"],
        ),
        ("limits = [-0.3, 1.0]", "limits = [1.0, -0.3]", "joint[0].limits", &["least", "[-0.3, 1]"]),
        ("limits = [-0.3, 1.0]", "limits = [0.3, 1.0]", "joint[0].limits", &["`start`", "0.2"]),
        ("limits = [-0.3, 1.0]", "limits = [0.3]", "joint[0].limits", &["2 numbers"]),
        ("limits = [-0.3, 1.0]\n", "", "joint[0].restitution", &["no effect", "limits"]),
        ("restitution = 0.6", "restitution = 1.6", "joint[0].restitution", &["at most 1"]),
        ("stiffness = 1.0", "stiffness = -1.0", "joint[0].stiffness", &["at least 0"]),
        ("stiffness = 1.0", "stiffness = 1e-308", "joint[0].stiffness", &["0, or at least 1e-60"]),
        ("stiffness = 1.0\n", "", "joint[0].rest", &["no effect", "give `stiffness`"]),
        ("damping = 0.1", "damping = 1e-308", "joint[0].damping", &["0, or at least 1e-60"]),
        ("armature = 0.1", "armature = 5e-324", "joint[0].armature", &["0, or at least 1e-60"]),
        ("[[0.0, 0.0], [1.0, 0.5]]", "1e308", "joint[0].drive.position", &["1e308", "at most 1e18"]),
        ("friction = 0.1", "friction = -0.1", "joint[0].friction", &["at least 0", "not a coefficient"]),
        ("armature = 0.1", "armature = nan", "joint[0].armature", &["finite"]),
        ("armature = 0.1", "armatur = 0.1", "joint[0].armatur", &["armature"]),
        ("kp = 50.0\nkv = 2.0\n", "", "joint[0].drive.kp", &["gain"]),
        ("kp = 50.0", "kp = -50.0", "joint[0].drive.kp", &["at least 0"]),
        ("limit = 10.0", "limit = 0.0", "joint[0].drive.limit", &["greater than 0"]),
        ("[[0.0, 0.0], [1.0, 0.5]]", "[[1.0, 0.0], [0.0, 0.5]]", "joint[0].drive.position", &["ascending"]),
        ("[[0.0, 0.0], [1.0, 0.5]]", "\"fast\"", "joint[0].drive.position", &["a number"]),
        ("position = [[0.0, 0.0], [1.0, 0.5]]\n", "", "joint[0].drive.position", &["missing"]),
        ("kp = 50.0", "velocity = 1.0\nkp = 50.0", "joint[0].drive.velocity", &["no effect", "position"]),
    ];
    for (from, to, key, words) in cases {
        assert_fault(PLANE, from, to, key, words);
    }
    // What leaves no coordinate has nothing to act along.
    let welded = PLANE.replace(hinge, "kind = \"weld\"");
    let along = welded.find("start = 0.2").expect("the key");
    let bare = &welded[..along];
    assert_tells(
        &only_problem(&format!("{bare}friction = 0.1\n"), &[]),
        Some("joint[0].friction"),
        &["no effect", "weld"],
    );
    for kind in ["ball", "universal"] {
        let bare = bare.replace("kind = \"weld\"", &format!("kind = \"{kind}\""));
        assert_tells(&only_problem(&bare, &[]), Some("joint[0].kind"), &["plane", "hinge"]);
    }
    let idle = bare.replace("kind = \"weld\"", hinge) + "[joint.drive]\nvelocity = 1.0\nkp = 3.0\nkv = 1.0\n";
    assert_tells(&only_problem(&idle, &[]), Some("joint[0].drive.kp"), &["no effect", "velocity"]);
    let idle = bare.replace("kind = \"weld\"", hinge) + "[joint.drive]\nforce = 1.0\nlimit = 3.0\n";
    assert_tells(&only_problem(&idle, &[]), Some("joint[0].drive.limit"), &["no effect", "force"]);
}

#[test]
fn every_fault_of_a_joint_in_space_is_told() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("axis = [0.0, 2.0, 0.0]\n", "", "joint[0].axis", &["missing"]),
        ("axis = [0.0, 2.0, 0.0]", "axis = [0.0, 0.0, 0.0]", "joint[0].axis", &["not zero"]),
        ("axis = [0.0, 2.0, 0.0]", "axis = [0.0, 2.0]", "joint[0].axis", &["components"]),
        ("axis2 = [0.0, 0.0, 1.0]", "axis2 = [0.0, 1.0, 1.0]", "joint[0].axis2", &["right angles"]),
        ("kind = \"universal\"", "kind = \"slider\"", "joint[0].axis2", &["no effect", "slider"]),
    ];
    for (from, to, key, words) in cases {
        assert_fault(SPACE, from, to, key, words);
    }
    let end = "axis2 = [0.0, 0.0, 1.0]";
    let cases: &[(&str, &str, &[&str])] = &[
        ("limits2 = [0.5, -0.5]", "joint[0].limits2", &["least"]),
        ("limits2 = [0.5, 1.0]", "joint[0].limits2", &["`start2`"]),
        ("limits2 = [nan, 1.0]", "joint[0].limits2[0]", &["finite"]),
        ("start2 = 2e6", "joint[0].start2", &["at most 1e6"]),
        ("[joint.drive2]\nposition = 1.0", "joint[0].drive2.kp", &["gain"]),
        ("[joint.drive2]\nkp = 1.0", "joint[0].drive2.position", &["missing"]),
        ("restitution = 0.5", "joint[0].restitution", &["no effect", "limits"]),
    ];
    for (line, key, words) in cases {
        assert_fault(SPACE, end, &format!("{end}\n{line}"), key, words);
    }
    let hinge = SPACE.replace(end, "limits2 = [-1.0, 1.0]").replace("\"universal\"", "\"hinge\"");
    assert_tells(
        &only_problem(&hinge, &[]),
        Some("joint[0].limits2"),
        &["no effect", "hinge", "\"universal\" or \"cylindrical\""],
    );
}

#[test]
fn joints_of_particles_are_told_to_be_bodies() {
    let text = "name = \"points\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[particle]]\nmass = 1.0\n\
        position = [0.0, 1.0]\nvelocity = [0.0, 0.0]\n[[particle]]\nmass = 1.0\nposition = [1.0, 1.0]\n\
        velocity = [0.0, 0.0]\n[[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"body-0\"]\npoint = [0.0, 1.0]\n";
    assert_tells(&only_problem(text, &[]), Some("joint"), &["no effect", "[[body]]"]);
}

#[test]
fn a_body_is_not_the_world() {
    let text = PLANE.replace("\"arm\"", "\"world\"").replace("[\"base\", \"world\"]", "[\"base\", \"dot\"]");
    let refusal = super::refusal(&text, &[]);
    let told: Vec<_> =
        refusal.problems.iter().filter(|problem| problem.key.as_deref() == Some("body[0].name")).collect();
    assert_eq!(told.len(), 1, "{refusal}");
    assert_tells(told[0], Some("body[0].name"), &["world"]);
}

/// What a joint of an unknown kind lacks and has in vain depends on the kind that was meant.
#[test]
fn of_a_joint_of_an_unknown_kind_the_kind_alone_is_told() {
    let from = PLANE.find("[[joint]]").expect("a joint");
    let geared = PLANE[..from].to_owned() + "[[joint]]\nkind = \"gear\"\nratio = 2.0\nparent = \"arm\"\n";
    assert_tells(
        &only_problem(&geared, &[]),
        Some("joint[0].kind"),
        &["gear", "hinge", "no joint follows another"],
    );
    // The joint behind it is looked at all the same.
    let both = geared + &PLANE[from..].replace("[0.0, 2.0]", "[0.0, 2.0, 1.0]");
    assert_eq!(refusal(&both, &[]).problems.len(), 2);
}

#[test]
fn where_joints_are_left_is_one_of_two_words_and_asks_for_joints() {
    let closing = |word: &str| format!("[stepper]\njoints = \"{word}\"\n");
    let joined = PLANE.to_owned() + &closing("shut");
    assert_tells(&only_problem(&joined, &[]), Some("stepper.joints"), &["linear", "closed"]);
    let alone = "name = \"alone\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nshape = \"disc\"\n\
        size = 0.1\nmass = 1.0\nposition = [0.0, 1.0]\n";
    let alone = alone.to_owned() + &closing("closed");
    assert_tells(&only_problem(&alone, &[]), Some("stepper.joints"), &["[[joint]]", "[[rod]]"]);
}
