use stickslip_import::{Fate, Options};

use crate::{assert_note, imported, imported_with, scenario_text::Table};

const ARM: &str = "<robot name=\"arm\">
  <link name=\"base\"><inertial><mass value=\"3\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\"/></inertial>
    <collision><geometry><box size=\"1 1 .2\"/></geometry></collision></link>
  <link name=\"upper\"><inertial><origin xyz=\"0 0 .5\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"1\"/>
    <inertia ixx=\".1\" iyy=\".08\" izz=\".05\"/></inertial>
    <collision><origin xyz=\"0 0 .5\"/><geometry><cylinder radius=\".1\" length=\"1\"/></geometry></collision></link>
  <link name=\"tip\"><inertial><mass value=\"1\"/><inertia ixx=\".01\" iyy=\".01\" izz=\".01\"/></inertial></link>
  <joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child link=\"upper\"/><origin xyz=\".2 0 .1\"/><axis xyz=\"0 1 0\"/>
    <limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"4\"/><dynamics damping=\".5\" friction=\".1\"/></joint>
  <joint name=\"flange\" type=\"fixed\"><parent link=\"upper\"/><child link=\"tip\"/><origin xyz=\"0 0 1\"/></joint>
</robot>";

#[test]
fn fixed_joints_are_merged_and_the_base_stands_on_the_ground() {
    let imported = imported(ARM);
    let upper = Table::body(&imported.scenario, "upper");
    // 1 kg at 0.5 and 1 kg at 1 above the joint, which is 0.1 above the middle of a base that is lifted by 0.1.
    upper.assert("mass", &[2.0]);
    upper.assert("position", &[0.2, 0.0, 0.2 + 0.75]);
    // The inertia of the first is turned by a quarter about z; Steiner with 0.25 m each.
    upper.assert("inertia", &[0.08 + 0.01 + 0.125, 0.1 + 0.01 + 0.125, 0.06]);
    Table::body(&imported.scenario, "base").assert("position", &[0.0, 0.0, 0.1]);
    assert_note(&imported, Fate::Taken, &["link tip", "one piece with upper"], 7);
    assert_note(&imported, Fate::Changed, &["ground", "lowest"], 1);
}

#[test]
fn a_revolute_joint_has_its_limits_and_its_losses() {
    let imported = imported(ARM);
    let joint = &Table::all(&imported.scenario, "[[joint]]")[0];
    assert_eq!((joint.word("kind"), joint.word("bodies")), ("\"hinge\"", "[\"base\", \"upper\"]"));
    joint.assert("point", &[0.2, 0.0, 0.2]);
    joint.assert("axis", &[0.0, 1.0, 0.0]);
    joint.assert("limits", &[-1.0, 2.0]);
    joint.assert("damping", &[0.5]);
    joint.assert("friction", &[0.1]);
    assert!(Table::all(&imported.scenario, "[joint.drive]").is_empty());
    assert_note(&imported, Fate::LeftOut, &["effort", "limit = 30"], 9);
    assert_note(&imported, Fate::LeftOut, &["velocity"], 9);
}

#[test]
fn a_fixed_base_stays_and_does_not_touch_what_is_joined_to_it() {
    let scenario = imported_with(ARM, Options { fixed_base: true }).scenario;
    assert_eq!(Table::body(&scenario, "base").word("fixed"), "true");
    assert_eq!(Table::all(&scenario, "[[joint]]")[0].word("bodies"), "[\"base\", \"upper\"]");
}

/// Two links with this joint between them.
fn joined(joint: &str) -> String {
    let link = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial><collision><geometry><sphere radius=\".1\"/></geometry></collision>";
    format!(
        "<robot name=\"r\"><link name=\"world\"/><link name=\"a\">{link}</link>\n<joint name=\"j\" {joint}</joint></robot>"
    )
}

#[test]
fn prismatic_continuous_and_floating_joints() {
    let ends = "<parent link=\"world\"/><child link=\"a\"/>";
    let first = |joint: &str| Table::all(&imported(&joined(joint)).scenario, "[[joint]]").into_iter().next();
    let slider = first(&format!("type=\"prismatic\">{ends}<axis xyz=\"0 0 2\"/><limit lower=\"0\" upper=\".3\" effort=\"0\" velocity=\"1\"/>")).unwrap();
    assert_eq!((slider.word("kind"), slider.word("bodies")), ("\"slider\"", "[\"world\", \"a\"]"));
    slider.assert("axis", &[0.0, 0.0, 1.0]);
    let wheel = first(&format!("type=\"continuous\">{ends}<limit effort=\"1\" velocity=\"1\"/>")).unwrap();
    wheel.assert("axis", &[1.0, 0.0, 0.0]);
    assert!(!wheel.has("limits"));
    assert!(first(&format!("type=\"floating\">{ends}")).is_none());
}

#[test]
fn mimic_and_foreign_elements_are_named() {
    let joint = "type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/><mimic joint=\"k\" multiplier=\"2\"/>";
    assert_note(&imported(&joined(joint)), Fate::LeftOut, &["mimic", "`j`", "`k`"], 2);
    let text = ARM.replace("</robot>", "<transmission name=\"t\"/><gazebo/></robot>");
    assert_note(&imported(&text), Fate::LeftOut, &["transmission"], 11);
}

#[test]
fn what_has_no_mass_gets_a_thousandth_and_is_named() {
    let text = ARM.replace("<mass value=\"3\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\"/>", "");
    let imported = imported(&text);
    let base = Table::body(&imported.scenario, "base");
    base.assert("mass", &[2e-3]);
    // Uniform: a box of 1 x 1 x 0.2 m.
    base.assert("inertia", &[2e-3 * 1.04 / 12.0, 2e-3 * 1.04 / 12.0, 2e-3 * 2.0 / 12.0]);
    assert_note(&imported, Fate::Changed, &["body base", "no mass"], 2);
    assert_note(&imported, Fate::Changed, &["body base", "no inertia"], 2);
}

#[test]
fn an_inertia_that_no_body_has_is_made_one() {
    let text = ARM.replace("ixx=\".1\" iyy=\".1\" izz=\".1\"", "ixx=\".1\" iyy=\".1\" izz=\".5\"");
    let imported = imported(&text);
    Table::body(&imported.scenario, "base").assert("inertia", &[0.4, 0.4, 0.8]);
    assert_note(&imported, Fate::Changed, &["body base", "largest moment"], 2);
}

#[test]
fn what_has_no_shape_is_a_speck() {
    let text = ARM.replace("<collision><geometry><box size=\"1 1 .2\"/></geometry></collision>", "");
    let imported = imported(&text);
    let base = Table::body(&imported.scenario, "base");
    assert_eq!(base.word("shape"), "\"sphere\"");
    base.assert("size", &[1e-3]);
    assert_note(&imported, Fate::Changed, &["body base", "no shape"], 2);
}

#[test]
fn a_world_that_is_not_declared_is_the_world() {
    let text = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>
        <joint name=\"j\" type=\"continuous\">\n<parent link=\"world\"/><child link=\"a\"/><origin xyz=\"0 0 2\"/></joint></robot>";
    let imported = imported(text);
    let joint = &Table::all(&imported.scenario, "[[joint]]")[0];
    assert_eq!(joint.word("bodies"), "[\"world\", \"a\"]");
    assert_note(&imported, Fate::Changed, &["link `world`", "stays where it is"], 3);
}

#[test]
fn what_follows_another_joint_moves_by_itself() {
    let follower = "<link name=\"finger\"><inertial><mass value=\"1\"/><inertia ixx=\".01\" iyy=\".01\" izz=\".01\"/></inertial></link>
        <joint name=\"k\" type=\"revolute\"><parent link=\"tip\"/><child link=\"finger\"/><limit lower=\"-1\" upper=\"1\"/>
        <mimic joint=\"shoulder\" multiplier=\"2\"/></joint></robot>";
    let imported = imported(&ARM.replace("</robot>", follower));
    // It has its own limits and no drive.
    let joint = &Table::all(&imported.scenario, "[[joint]]")[1];
    assert_eq!(joint.word("bodies"), "[\"upper\", \"finger\"]");
    joint.assert("limits", &[-1.0, 1.0]);
    assert!(Table::all(&imported.scenario, "[joint.drive]").is_empty());
    assert_note(&imported, Fate::LeftOut, &["mimic", "`k`", "`shoulder`", "moves by itself"], 13);
}

#[test]
fn links_that_lie_in_one_another_at_the_start_do_not_touch() {
    // A third link on the upper arm, whose ball reaches 0.1 m into the base or only just touches it.
    let with_ball = |z: f64| {
        let ball = format!(
            "<link name=\"ball\"><inertial><mass value=\"1\"/><inertia ixx=\".01\" iyy=\".01\" izz=\".01\"/></inertial>
            <collision><geometry><sphere radius=\".2\"/></geometry></collision></link>
            <joint name=\"k\" type=\"continuous\"><parent link=\"upper\"/><child link=\"ball\"/><origin xyz=\"0 0 {z}\"/></joint></robot>"
        );
        imported(&ARM.replace("</robot>", &ball))
    };
    let deep = with_ball(0.1);
    let pair = "[[pair]]\nbodies = [\"base\", \"ball\"]\ntouch = false\n";
    assert!(deep.scenario.contains(pair), "{}", deep.scenario);
    assert_note(&deep, Fate::Changed, &["base and ball", "1.00e-1 m", "do not"], 1);
    assert!(!with_ball(0.2).scenario.contains("touch = false"));
}

#[test]
fn limits_that_nothing_reaches_are_none() {
    let none = imported(&ARM.replace("lower=\"-1\" upper=\"2\"", "lower=\"-1e16\" upper=\"1e16\""));
    assert!(!Table::all(&none.scenario, "[[joint]]")[0].has("limits"));
    assert_note(&none, Fate::Changed, &["-1e16 and 1e16", "`shoulder`", "no limits"], 8);
    let one = imported(&ARM.replace("lower=\"-1\" upper=\"2\"", "lower=\"-1\" upper=\"1e16\""));
    Table::all(&one.scenario, "[[joint]]")[0].assert("limits", &[-1.0, 1000.0]);
}
