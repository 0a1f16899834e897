//! `stickslip import`.

use crate::{Workspace, text};

/// A pendulum over the ground, and a cube on it.
const SCENE: &str = r#"<mujoco model="Pendulum 1">
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="1 1 1" friction="0.5"/>
    <body name="rod" pos="0 0 2" euler="0 90 0">
      <joint name="pin" axis="0 1 0" damping="0.1" range="-170 170"/>
      <geom type="box" fromto="0 0 0 0 0 -1" size="0.05"/>
    </body>
    <body name="cube" pos="2 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.5" solref="0.02 1"/></body>
  </worldbody>
</mujoco>
"#;

#[test]
fn what_is_imported_runs() {
    let workspace = Workspace::new();
    workspace.write("model.xml", SCENE);
    let output = workspace.stickslip(&["import", "model.xml"]).assert().success().get_output().clone();
    let (scenario, notes) = (text(&output.stdout), text(&output.stderr));
    assert!(notes.contains("taken: joint `pin` (model.xml:6): a hinge of rod on world"), "{notes}");
    assert!(notes.contains("left out: `solref` of <geom> (model.xml:9)"), "{notes}");
    workspace.write("model.toml", &scenario);
    let short = ["run", "model.toml", "--no-plots", "--set", "duration=0.01"];
    workspace.stickslip(&short).assert().success();
    // Under its own weight g m l/2 at the start, level, it turns about y at 3 g/(2 l): 14.7 rad/s^2.
    let rows = workspace.read("output/pendulum-1/nlp/joints.csv");
    let rate = |row: &str| row.split(',').nth(4).and_then(|rate| rate.parse::<f64>().ok());
    let last = rows.lines().last().and_then(rate).expect("a rate").abs();
    assert!((last / 0.009 - 14.7).abs() < 0.3, "{rows}");
    let quiet =
        workspace.stickslip(&["import", "model.xml", "--quiet"]).assert().success().get_output().clone();
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    let json = workspace.stickslip(&["import", "model.xml", "--json"]).assert().code(2).get_output().clone();
    assert!(json.stdout.is_empty() && text(&json.stderr).contains("--json"));
}

#[test]
fn a_misspelt_attribute_of_urdf_is_named_with_what_was_meant() {
    let workspace = Workspace::new();
    let link = "<inertial><mass value=\"1\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\"/></inertial>";
    let arm = format!(
        "<robot name=\"r\"><link name=\"a\">{link}</link><link name=\"b\">{link}</link>\n<joint name=\"j\" type=\"continuous\">\
         <parent link=\"a\"/><child link=\"b\"/><dynamics dampin=\".1\"/></joint></robot>"
    );
    workspace.write("arm.urdf", &arm);
    let output = workspace.stickslip(&["import", "arm.urdf"]).assert().success().get_output().clone();
    let named = "left out: `dampin` of <dynamics> (arm.urdf:2): URDF has no such attribute there; did you mean `damping`?";
    assert!(text(&output.stderr).contains(named), "{}", text(&output.stderr));
}

#[test]
fn what_cannot_be_imported_leaves_nothing_on_standard_output() {
    let workspace = Workspace::new();
    workspace.write("broken.xml", "<mujoco>\n<worldbody>\n</mujoco>");
    workspace.write("root.xml", "<sdf/>");
    workspace.write("mesh.xml", "<robot name=\"r\"><link name=\"a\"><collision><geometry>\n<mesh filename=\"gone.stl\"/></geometry></collision></link></robot>");
    for (file, words) in [
        ("broken.xml", "broken.xml:3"),
        ("root.xml", "root.xml:1"),
        ("mesh.xml", "mesh.xml:2"),
        ("gone.xml", "gone.xml"),
    ] {
        let output = workspace.stickslip(&["import", file]).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        assert!(message.contains(words) && message.contains("help: "), "{message}");
        assert!(output.stdout.is_empty());
    }
}
