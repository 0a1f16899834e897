//! How commands answer: to people, to programs, or not at all.

use serde_json::Value;

use crate::{Workspace, example, text};

/// A short call of every command that has a summary, and where it writes it.
fn commands() -> Vec<(Vec<String>, &'static str)> {
    let slide = example("slide.toml");
    let short = "duration=0.05";
    [
        (vec!["run", &slide, "--set", short, "--no-plots"], "output/slide/nlp/summary.json"),
        (
            vec!["run", &example("chain.toml"), "--stepper", "convex", "--set", short, "--no-plots"],
            "output/chain/convex/summary.json",
        ),
        (
            vec!["compare", &slide, "--set", short, "--no-plots", "--steppers", "nlp,hybrid"],
            "output/slide/compare/summary.json",
        ),
        (
            vec!["convergence", &slide, "--set", short, "--no-plots", "--steppers", "hybrid"],
            "output/slide/convergence/summary.json",
        ),
        (vec!["learn", "slack", "--no-plots"], "output/learn/slack/result.json"),
        (vec!["study", "small-bias", "--no-plots"], "output/study/small-bias/summary.json"),
    ]
    .into_iter()
    .map(|(arguments, summary)| (arguments.into_iter().map(str::to_owned).collect(), summary))
    .collect()
}

fn answer(workspace: &Workspace, arguments: &[String], options: &[&str]) -> (String, String) {
    let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
    all.extend(options);
    let output = workspace.stickslip(&all).assert().success().get_output().clone();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn json_prints_the_summary_that_is_written() {
    for (arguments, summary) in commands() {
        let workspace = Workspace::new();
        let (printed, _) = answer(&workspace, &arguments, &["--json"]);
        let printed: Value = serde_json::from_str(&printed).expect("JSON on standard output");
        let written: Value = serde_json::from_str(&workspace.read(summary)).expect("JSON in the file");
        assert_eq!(printed, written, "{arguments:?}");
    }
}

#[test]
fn quiet_prints_nothing_and_writes_the_same_files() {
    for (arguments, summary) in commands() {
        let workspace = Workspace::new();
        assert_eq!(
            answer(&workspace, &arguments, &["--quiet"]),
            (String::new(), String::new()),
            "{arguments:?}"
        );
        assert!(workspace.path(summary).is_file(), "{summary}");
    }
}

#[test]
fn quiet_keeps_errors_and_the_exit_status() {
    let workspace = Workspace::new();
    let output =
        workspace.stickslip(&["run", "--quiet", "missing.toml"]).assert().code(2).get_output().clone();
    assert!(text(&output.stderr).contains("missing.toml"));
}

#[test]
fn quiet_leaves_json_alone() {
    for (arguments, summary) in commands() {
        let workspace = Workspace::new();
        let (printed, notes) = answer(&workspace, &arguments, &["--quiet", "--json"]);
        let printed: Value = serde_json::from_str(&printed).expect("JSON on standard output");
        let written: Value = serde_json::from_str(&workspace.read(summary)).expect("JSON in the file");
        assert_eq!((printed, notes.as_str()), (written, ""), "{arguments:?}");
    }
}

#[test]
fn an_answer_that_is_json_is_printed_where_json_is_asked_for() {
    let workspace = Workspace::new();
    workspace.write("pivots.json", r#"{"M": [[2, 1], [1, 2]], "q": [-1, -1]}"#);
    let touching = r#"{"dimension": 2, "W": [[1, 0], [0, 1]], "q": [-1, 2], "mu": [0.5]}"#;
    workspace.write("touching.json", touching);
    for arguments in [
        &["lcp", "solve", "pivots.json"][..],
        &["contact", "solve", "touching.json"],
        &["contact", "solve", "touching.json", "--solver", "all"],
        &["schema"],
    ] {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let (printed, notes) = answer(&workspace, &arguments, &["--quiet", "--json"]);
        let printed: Value = serde_json::from_str(&printed).expect("JSON on standard output");
        assert!((printed.is_object() || printed.is_array()) && notes.is_empty(), "{arguments:?}: {notes}");
        assert_eq!(answer(&workspace, &arguments, &["--quiet"]), (String::new(), String::new()));
    }
}

#[test]
fn json_is_refused_by_what_has_none() {
    let workspace = Workspace::new();
    let box_ = example("tipping-box.toml");
    workspace.write("problem.json", r#"{"dimension": 2, "W": [[1, 0], [0, 1]], "q": [-1, 2], "mu": [0.5]}"#);
    for arguments in [
        &["explain", "ground.friction"][..],
        &["export", &box_, "--format", "sdf"],
        &["contact", "convert", "problem.json", "--format", "siconos"],
        &["completions", "bash"],
        &["man", "--output", "pages"],
    ] {
        workspace.stickslip(arguments).arg("--quiet").assert().success().stdout("");
        let output = workspace.stickslip(arguments).arg("--json").assert().code(2).get_output().clone();
        assert!(text(&output.stderr).contains("--json") && output.stdout.is_empty(), "{arguments:?}");
    }
}
