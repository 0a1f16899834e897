//! `stickslip plan`.

use std::path::Path;

use crate::{Workspace, text};

const PUSH: &str = r#"
steps = 20
duration = 1.0
starts = 1
[particle]
mass = 1.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]
[ground]
friction = 0.3
[[control]]
force = [[-20, 20], 0]
[goal]
position = [1.0, nan]
velocity = [0.0, 0.0]
"#;

#[test]
fn a_plan_of_another_input_does_not_replace_the_first() {
    let workspace = Workspace::new();
    workspace.write("push.toml", PUSH);
    let plan = |more: &[&str]| {
        let arguments = [&["plan", "push.toml", "--no-plots"], more].concat();
        text(&workspace.stickslip(&arguments).assert().success().get_output().stderr)
    };
    plan(&[]);
    assert!(!plan(&[]).contains("kept in"), "the same plan again replaces itself");
    let first = workspace.read("output/push/plan/plan.csv");
    assert!(plan(&["--set", "steps=10"]).contains("kept in `output/push/plan.1`"));
    assert_eq!(workspace.read("output/push/plan.1/plan.csv"), first);
    assert_ne!(workspace.read("output/push/plan/plan.csv"), first);
}

#[test]
fn a_plan_that_does_nothing_for_its_goal_is_called_a_stationary_point() {
    let workspace = Workspace::new();
    // To move it costs more than to leave it where it is.
    workspace.write("push.toml", &format!("{PUSH}weight = 1e-3\n"));
    let output =
        workspace.stickslip(&["plan", "push.toml", "--no-plots"]).assert().success().get_output().clone();
    let told = text(&output.stdout);
    assert!(told.contains("nothing is pushed: a stationary point of the cost"), "{told}");
}

#[test]
fn a_plan_is_found_played_and_written_and_its_scenario_runs_by_itself() {
    let workspace = Workspace::new();
    workspace.write("push.toml", PUSH);
    let output = workspace.stickslip(&["plan", "push.toml"]).assert().success().get_output().clone();
    let table = text(&output.stdout);
    for word in ["cost 20.69", "replay by", "lcp", "nlp", "convex", "exact", "local optimum"] {
        assert!(table.contains(word), "{word} in\n{table}");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/push/plan/summary.json")).expect("JSON");
    assert_eq!((&summary["followed"], &summary["at_goal"]), (&true.into(), &true.into()));
    assert!(
        summary["replay"]["exact"]["miss"]["body-0.x"].as_f64().expect("a number").abs() < 1e-4,
        "{summary}"
    );
    assert!(summary["complementarity"].as_f64().expect("a number") < 1e-7);

    let rows = workspace.read("output/push/plan/plan.csv");
    let header = "step,t,body-0.x,body-0.z,body-0.angle,body-0.vx,body-0.vz,body-0.spin,control-0.fx,control-0.fz,\
                  control-0.torque,body-0-ground-0.gap,body-0-ground-0.fn,body-0-ground-0.ft,body-0-ground-0.mode";
    assert!(rows.starts_with(header), "{rows}");
    assert_eq!(rows.lines().count(), 22);
    let last: Vec<f64> = rows
        .lines()
        .last()
        .expect("a row")
        .split(',')
        .take(4)
        .map(|cell| cell.parse().expect("a number"))
        .collect();
    assert!((last[1] - 1.0).abs() < 1e-12 && (last[2] - 1.0).abs() < 2e-5, "{last:?}");
    assert_eq!(workspace.read("output/push/plan/pushes.csv").lines().count(), 21);
    assert!(workspace.read("output/push/plan/replay.csv").starts_with("stepper,impacts,step,miss.body-0.x"));

    workspace
        .stickslip(&["run", "output/push/plan/plan.toml", "--stepper", "lcp", "--no-plots"])
        .assert()
        .success();
    let run = workspace.read("output/push/lcp/trajectory.csv");
    let x: f64 = run.lines().last().expect("a row").split(',').nth(2).expect("x").parse().expect("a number");
    assert!((x - last[2]).abs() < 1e-6, "{x} for {}", last[2]);
    let files = workspace.files("output/push/plan");
    for name in
        ["path.svg", "pushes.svg", "modes.pdf", "report.html", "starts.csv", "refine.csv", "timings.json"]
    {
        assert!(files.iter().any(|file| file == name), "{name} of {files:?}");
    }
}

#[test]
fn a_goal_out_of_reach_ends_with_the_nearest_end_and_status_1() {
    let workspace = Workspace::new();
    // With 10 N against a drag of 2.943 N, rest after .5 s: a point gets .2284 m far in steps that are short.
    let text_of_plan = PUSH
        .replace("duration = 1.0", "duration = 0.5")
        .replace("[[-20, 20], 0]", "[[-10, 10], 0]")
        .replace("steps = 20", "steps = 10");
    workspace.write("far.toml", &text_of_plan);
    let output =
        workspace.stickslip(&["plan", "far.toml", "--no-plots"]).assert().code(1).get_output().clone();
    let said = text(&output.stderr);
    assert!(said.contains("no plan; the nearest end") && said.contains("body-0.x"), "{said}");
    let files = workspace.files("output/far/plan");
    assert!(
        files.contains(&"starts.csv".to_owned()) && !files.contains(&"plan.toml".to_owned()),
        "{files:?}"
    );
}

/// Twenty steps of full push and mass 1.4 kg get .65877 m far, ten get .69010.
#[test]
fn a_plan_of_fewer_steps_than_were_asked_for_is_no_success() {
    let workspace = Workspace::new();
    let text_of_plan = PUSH
        .replace("mass = 1.0", "mass = 1.4")
        .replace("duration = 1.0", "duration = 0.6")
        .replace("[[-20, 20], 0]", "[[-9, 9], 0]")
        .replace("position = [1.0, nan]", "position = [0.66, nan]")
        .replace("[0.66, nan]\nvelocity = [0.0, 0.0]", "[0.66, nan]");
    workspace.write("short.toml", &text_of_plan);
    let output =
        workspace.stickslip(&["plan", "short.toml", "--no-plots"]).assert().code(1).get_output().clone();
    let said = text(&output.stderr);
    assert!(said.contains("no plan of 20 steps was found: the one that is written has 10"), "{said}");
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/short/plan/summary.json")).expect("JSON");
    assert_eq!((summary["steps"].as_u64(), summary["steps_not_reached"].as_u64()), (Some(10), Some(20)));
}

#[test]
fn bad_plans_are_refused_with_line_and_remedy_before_anything_is_written() {
    let workspace = Workspace::new();
    workspace.write("bounce.toml", &PUSH.replace("friction = 0.3", "friction = 0.3\nrestitution = 0.5"));
    let output = workspace.stickslip(&["plan", "bounce.toml"]).assert().code(2).get_output().clone();
    let said = text(&output.stderr);
    assert!(said.contains("bounce.toml:11") && said.contains("set every restitution 0"), "{said}");
    assert!(workspace.files("output").is_empty());
}

#[test]
fn the_example_plans_are_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/plans");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        stickslip::plan::read_plan(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        count += 1;
    }
    assert_eq!(count, 5);
}
