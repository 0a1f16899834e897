//! `--detect` of `stickslip run` and `stickslip compare`.

use crate::{Workspace, example, text};

#[test]
fn run_counts_the_solutions_of_its_steps_where_it_is_asked_to() {
    let workspace = Workspace::new();
    let scenario = example("painleve-rod.toml");
    let arguments =
        ["run", &scenario, "--no-plots", "--set", "duration=0.05", "--solver", "ipopt", "--detect"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("painleve-rod by nlp (IPOPT "), "{table}");
    assert!(table.contains("solutions of steps") && table.contains("detections.csv"), "{table}");
    let folder = "output/painleve-rod/nlp";
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read(&format!("{folder}/summary.json"))).unwrap();
    assert!(summary["detection"]["steps_counted"].as_u64().unwrap() > 0, "{summary}");
    assert!(workspace.read(&format!("{folder}/detections.csv")).starts_with("stepper,step,t,stage,"));
    workspace.stickslip(&arguments[..arguments.len() - 1]).assert().success();
    assert!(!workspace.path(&format!("{folder}/detections.csv")).exists(), "it is of another run");
}

#[test]
fn compare_counts_them_for_every_stepper() {
    let workspace = Workspace::new();
    let scenario = example("wedge.toml");
    let output = workspace
        .stickslip(&["compare", &scenario, "--no-plots", "--set", "duration=0.01", "--detect"])
        .args(["--steppers", "nlp,lcp"])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(text(&output.stdout).contains("solutions of steps by nlp, lcp"), "{}", text(&output.stdout));
    assert!(workspace.path("output/wedge/compare/detections.csv").exists());
}

#[test]
fn three_coordinates_are_refused_with_the_reason() {
    let workspace = Workspace::new();
    let output = workspace
        .stickslip(&["run", &example("turn.toml"), "--no-plots", "--detect"])
        .assert()
        .code(2)
        .get_output()
        .clone();
    let message = text(&output.stderr);
    assert!(message.contains("vertical plane only") && message.contains("--detect"), "{message}");
}
