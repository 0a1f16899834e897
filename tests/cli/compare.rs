use crate::{Workspace, example, text};

const SHORT: [&str; 2] = ["--set", "duration=0.05"];

#[test]
fn compare_writes_everything_it_promises() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let output = workspace.stickslip(&["compare", &slide]).assert().success().get_output().clone();
    let files = workspace.files("output/slide/compare");
    for name in [
        "animation.gif",
        "error.png",
        "error.svg",
        "events.csv",
        "history.png",
        "history.svg",
        "impact-1.png",
        "impact-1.svg",
        "metrics.csv",
        "partings.csv",
        "path.png",
        "path.svg",
        "report.html",
        "summary.json",
    ] {
        assert!(files.iter().any(|file| file == name), "{name} is missing in {files:?}");
    }
    let table = text(&output.stdout);
    for stepper in ["nlp", "lcp", "convex", "hybrid", "smooth", "exact"] {
        assert!(table.lines().any(|line| line.starts_with(stepper)), "{stepper} is missing in\n{table}");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/slide/compare/summary.json")).unwrap();
    assert_eq!(summary["steppers"].as_array().unwrap().len(), 6);
    assert_eq!(summary["events"][0]["event"], "impact");
    let metrics = workspace.read("output/slide/compare/metrics.csv");
    assert_eq!(metrics.lines().count(), 7);
}

#[test]
fn named_steppers_are_run_once_each_in_their_order() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["compare", &slide, "--steppers", "exact,hybrid,exact", "--no-plots", SHORT[0], SHORT[1]];
    workspace.stickslip(&arguments).assert().success();
    let metrics = workspace.read("output/slide/compare/metrics.csv");
    let names: Vec<&str> = metrics.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["exact", "hybrid"]);
    assert!(!workspace.files("output/slide/compare").iter().any(|file| file.ends_with(".png")));
}

#[test]
fn named_stepper_that_does_not_admit_the_scenario_is_bad_input() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["compare", &slide, "--steppers", "hybrid,smooth", "--set", "step=5e-3"];
    let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("smooth") && message.contains("stable only up to"), "{message}");
    assert!(workspace.files("output").is_empty());
}

#[test]
fn failed_stepper_is_reported_after_the_others_are_compared() {
    let workspace = Workspace::new();
    let scenario = std::fs::read_to_string(example("slide.toml")).unwrap()
        + "\n[[push]]\nforce = [0.0, -1e6]\n[stepper.smooth]\nlaw = \"hunt-crossley\"\n";
    workspace.write("slammed.toml", &scenario);
    let arguments = ["compare", "slammed.toml", "--steppers", "smooth,hybrid", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("failed under stepper `smooth`"), "{message}");
    let files = workspace.files("output/slide/compare");
    assert!(files.iter().any(|file| file == "metrics.csv"));
    assert!(files.iter().any(|file| file == "smooth.partial.csv"));
    assert!(files.iter().any(|file| file.starts_with("smooth.replay-step-")));
}

#[test]
fn match_says_what_it_chose() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let arguments = ["compare", &bounce, "--match", "--no-plots", "--steppers", "smooth,exact"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("stepper.smooth.stiffness = 98100 N/m"), "{table}");
    assert!(table.contains("restitution 0.6"), "{table}");
}

#[test]
fn convergence_writes_its_table_and_picture() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["convergence", &slide, "--steppers", "hybrid,lcp", "--steps", "1e-2,5e-3,2e-3"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let files = workspace.files("output/slide/convergence");
    assert_eq!(files, ["convergence.csv", "convergence.png", "convergence.svg", "summary.json"]);
    assert_eq!(workspace.read("output/slide/convergence/convergence.csv").lines().count(), 7);
    assert!(text(&output.stdout).contains("order"));
}

#[test]
fn bad_step_of_a_study_is_refused() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for steps in ["0", "-1e-3", "nan", "1e-12"] {
        let arguments = ["convergence", &slide, &format!("--steps={steps}")];
        let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
        assert!(text(&output.stderr).contains("--steps"), "{}", text(&output.stderr));
    }
}
