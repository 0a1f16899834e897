//! Files that are given to another command than theirs, and files of the wrong words.

use crate::{Workspace, example, text};

const PLAN: &str = "name = 'push'\nscenario = 'slide.toml'\nsteps = 10\n[[control]]\nforce = [[-1, 1], 0]\n[goal]\n\
    position = [1.0, nan]\n";
const SWEEP: &str =
    "name = 'sweep'\nscenario = 'slide.toml'\nsteppers = ['lcp']\n[grid]\n'ground.friction' = [0.1]\n";

/// The one thing that a command says is wrong.
#[track_caller]
fn refusal(workspace: &Workspace, arguments: &[&str]) -> String {
    let output = workspace.stickslip(arguments).assert().code(2).get_output().clone();
    let told = text(&output.stderr);
    assert_eq!(told.matches("help:").count(), 1, "{arguments:?}: not one message:\n{told}");
    told
}

#[test]
fn a_file_of_another_command_is_told_with_that_command() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    workspace.write("plan.toml", PLAN);
    workspace.write("sweep.toml", SWEEP);
    let block = format!("{}/examples/plans/push-block.toml", env!("CARGO_MANIFEST_DIR"));
    let kinds = [("run", "scenario"), ("plan", "plan"), ("sweep", "sweep")];
    for (file, is) in [
        ("plan.toml", "plan"),
        (block.as_str(), "plan"),
        ("sweep.toml", "sweep"),
        (slide.as_str(), "scenario"),
    ] {
        for (command, takes) in kinds.iter().filter(|(_, takes)| *takes != is) {
            let told = refusal(&workspace, &[command, file]);
            let message = format!("this is a {is} file, not a {takes}: it has `");
            assert!(told.contains(&message), "{command} {file}:\n{told}");
            let own = kinds.iter().find(|(_, takes)| *takes == is).expect("a command").0;
            assert!(told.contains(&format!("give it to `stickslip {own}`")), "{command} {file}:\n{told}");
        }
    }
}

#[test]
fn a_file_that_names_itself_as_its_scenario_is_told_so() {
    let workspace = Workspace::new();
    for (command, file) in [("plan", PLAN), ("sweep", SWEEP)] {
        workspace.write("own.toml", &file.replace("slide.toml", "./own.toml"));
        let told = refusal(&workspace, &[command, "own.toml"]);
        assert!(told.contains(&format!("`scenario` names the {command} file itself")), "{told}");
    }
}

#[test]
fn the_summary_of_a_run_is_no_replay_file() {
    let workspace = Workspace::new();
    let run = ["run", &example("slide.toml"), "--no-plots", "--set", "duration=0.01", "--stepper", "lcp"];
    workspace.stickslip(&run).assert().success();
    let summary = "output/slide/lcp/summary.json";
    let told = refusal(&workspace, &["run", "--replay", summary]);
    assert!(told.contains("this is the summary of a run"), "{told}");
    assert!(told.contains(&format!("stickslip run {summary}")), "{told}");
}

#[test]
fn what_is_wrong_in_a_file_of_a_problem_is_told_in_plain_words() {
    let workspace = Workspace::new();
    for (command, problem, words) in [
        (&["lcp", "solve"][..], r#"{"M": [["a"]], "q": [1]}"#, "expected a number"),
        (&["lcp", "solve"], r#"{"M": [[1]], "q": [1], "free": "a"}"#, "expected a whole number"),
        (&["lcp", "solve"], "[]", "expected an object with keys"),
        (&["contact", "solve"], r#"{"dimension": 2, "W": [[1]], "q": "a", "mu": []}"#, "expected a list"),
        (&["run", "--replay"], r#"{"version": 1}"#, "expected a string"),
        (&["run", "--replay"], "3", "expected an object with keys"),
    ] {
        workspace.write("problem.json", problem);
        let told = refusal(&workspace, &[command, &["problem.json"]].concat());
        assert!(told.contains(words), "{command:?} {problem}: no `{words}` in\n{told}");
        for typed in ["f64", "usize", "struct"] {
            assert!(!told.contains(typed), "{command:?} {problem}: {told}");
        }
    }
}

#[test]
fn an_empty_recording_is_told_to_be_empty() {
    let workspace = Workspace::new();
    workspace.write("empty.csv", "");
    let slide = example("slide.toml");
    let told = refusal(&workspace, &["compare", &slide, "--with", "cam=empty.csv"]);
    assert!(told.contains("empty.csv: the file is empty"), "{told}");
}
