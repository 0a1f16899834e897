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

/// A finger that flies past a box that it has to push.
const BESIDE: &str = r#"
steps = 20
duration = 0.6
starts = 1
[[body]]
name = "box"
shape = "box"
size = [0.4, 0.4]
mass = 1.0
position = [0.0, 0.2]
velocity = [0.0, 0.0]
[[body]]
name = "finger"
shape = "disc"
size = 0.05
mass = 0.2
inertia = 1e9
position = [-0.35, 0.2]
velocity = [0.0, 2.0]
[ground]
friction = 0.1
[[push]]
body = "finger"
force = [0.0, 1.962]
[[control]]
body = "finger"
force = [[-3, 3], 0]
[goal.box]
position = [0.02, nan]
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
    for word in
        ["cost 20.69", "solver, at 20 steps", "replay by", "lcp", "nlp", "convex", "exact", "local optimum"]
    {
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
        ["path.svg", "pushes.svg", "modes.pdf", "starts.png", "report.html", "starts.csv", "timings.json"]
    {
        assert!(files.iter().any(|file| file == name), "{name} of {files:?}");
    }
}

/// How far a point of 1 kg gets from rest to rest in `duration` s by a push of up to `force` N along the ground: as long as it may
/// it is pushed, then it is held, both in whole steps of which the one between takes what is left.
fn farthest(force: f64, drag: f64, duration: f64, steps: usize) -> f64 {
    let h = duration / steps as f64;
    let [gain, loss] = [force - drag, force + drag].map(|acceleration| h * acceleration);
    let speed = |k: f64| (k * gain).min((steps as f64 - k) * loss);
    h * (1..=steps).map(|k| speed(k as f64)).sum::<f64>()
}

/// The end of the nearest motion that the program tells, and with how many steps.
fn nearest(workspace: &Workspace, plan: &str) -> (f64, u64) {
    let output = workspace.stickslip(&["plan", plan, "--no-plots"]).assert().code(1).get_output().clone();
    let said = text(&output.stderr);
    let words: String = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    let number = |before: &str, after: &str| {
        let rest = words.split_once(before).unwrap_or_else(|| panic!("{before} in {words}")).1;
        rest.split_once(after).unwrap_or_else(|| panic!("{after} in {words}")).0.to_owned()
    };
    let steps = number("no plan; the nearest end that was found, in ", " steps");
    (number("body-0.x = ", " ").parse().expect("a number"), steps.parse().expect("a number"))
}

/// With 10 N against a drag of 2.943 N a point gets a1 a2 T^2/(2 (a1 + a2)) = .570867 m far in .5 s and is at rest again, a little
/// less in few steps.
#[test]
fn a_goal_out_of_reach_ends_with_the_nearest_end_and_status_1() {
    let continuous = 7.057 * 12.943 * 0.25 / (2.0 * 20.0);
    for (steps, apart) in [(10, 7e-3), (80, 2e-4)] {
        let workspace = Workspace::new();
        let text_of_plan = PUSH
            .replace("duration = 1.0", "duration = 0.5")
            .replace("[[-20, 20], 0]", "[[-10, 10], 0]")
            .replace("steps = 20", &format!("steps = {steps}"));
        workspace.write("far.toml", &text_of_plan);
        let (x, told) = nearest(&workspace, "far.toml");
        assert_eq!(told, steps);
        let expected = farthest(10.0, 0.3 * 9.81, 0.5, steps as usize);
        // A miss of the velocity costs nothing at first: sqrt(m^2 + 1e-8) is flat where m is less than 1e-4.
        assert!((x - expected).abs() < 2e-4, "{x} for {expected} in {steps} steps");
        assert!((x - continuous).abs() < apart, "{x} for {continuous} in {steps} steps");
        let files = workspace.files("output/far/plan");
        assert!(
            files.contains(&"starts.csv".to_owned()) && !files.contains(&"plan.toml".to_owned()),
            "{files:?}"
        );
    }
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

#[test]
fn what_solves_took_is_told_with_the_times_apart() {
    let workspace = Workspace::new();
    workspace.write("push.toml", PUSH);
    let solver = || {
        workspace.stickslip(&["plan", "push.toml", "--no-plots"]).assert().success();
        let summary: serde_json::Value =
            serde_json::from_str(&workspace.read("output/push/plan/summary.json")).expect("JSON");
        let timings: serde_json::Value =
            serde_json::from_str(&workspace.read("output/push/plan/timings.json")).expect("JSON");
        (summary["solver"].clone(), timings["solver"].clone())
    };
    let (told, timed) = solver();
    let steps = |one: &serde_json::Value| one["steps"].as_u64();
    let levels = told.as_array().expect("a list");
    assert_eq!(levels.iter().map(steps).collect::<Vec<_>>(), [Some(10), Some(20)]);
    for (level, time) in levels.iter().zip(timed.as_array().expect("a list")) {
        let number = |key: &str| level[key].as_f64().expect("a number");
        assert!(number("iterations") > 10.0, "{level}");
        // Variables and rows of a step, whose diagonal the factor has.
        assert!(number("factor_entries") > 10.0 * number("steps"), "{level}");
        let mean = level["iteration"]["seconds"].as_f64().expect("a number");
        assert!((mean * number("iterations") - number("seconds")).abs() <= 1e-12, "{level}");
        assert_eq!(time["seconds"], level["seconds"]);
    }
    let [few, many] = [0, 1].map(|level: usize| levels[level]["factor_entries"].as_f64().expect("a number"));
    assert!((many / few - 2.0).abs() < 0.3, "fill grows as the steps do: {few} {many}");
    let untimed = stickslip::provenance::without_timings;
    assert_eq!(untimed(&told), untimed(&solver().0), "all but the times is the same in every run");
}

#[test]
fn a_plan_is_a_scenario_that_models_are_compared_on() {
    let workspace = Workspace::new();
    workspace.write("push.toml", PUSH);
    workspace.stickslip(&["plan", "push.toml", "--no-plots"]).assert().success();
    let arguments = ["compare", "output/push/plan/plan.toml", "--steppers", "lcp,nlp,exact", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(["lcp", "nlp", "exact"].iter().all(|stepper| table.contains(stepper)), "{table}");
}

/// The finger is beside the box before it is near it, and a plan knows the one face that it is in front of at the start.
#[test]
fn a_finger_that_pushes_beyond_the_end_of_its_face_is_no_success() {
    let workspace = Workspace::new();
    workspace.write("beside.toml", BESIDE);
    let output =
        workspace.stickslip(&["plan", "beside.toml", "--no-plots"]).assert().code(1).get_output().clone();
    let said = text(&output.stderr);
    for words in ["finger pushes box beyond the end of the face", "start in front of another one"] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
}
