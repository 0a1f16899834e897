//! Where results come from, and that they come again.

use std::collections::BTreeMap;

use serde_json::Value;
use stickslip::provenance::without_timings;

use crate::{Workspace, example, text};

/// A short call of every command that writes results, with its summary.
fn commands() -> Vec<(Vec<String>, &'static str)> {
    let (slide, chain, curve) = (example("slide.toml"), example("chain.toml"), example("curve.toml"));
    let short = ["--set", "duration=0.5", "--set", "step=5e-3"];
    [
        (vec!["run", &slide, short[0], short[1], short[2], short[3]], "output/slide/nlp/summary.json"),
        (
            vec!["run", &chain, "--stepper", "convex", "--set", "duration=0.05"],
            "output/chain/convex/summary.json",
        ),
        (
            vec![
                "compare",
                &curve,
                short[0],
                short[1],
                short[2],
                short[3],
                "--steppers",
                "nlp,lcp:polyhedral,exact",
            ],
            "output/curve/compare/summary.json",
        ),
        (vec!["convergence", &slide, "--steppers", "hybrid,lcp"], "output/slide/convergence/summary.json"),
        (vec!["learn", "linear-program", "--samples", "20"], "output/learn/linear-program/result.json"),
        (vec!["study", "sticking-noise"], "output/study/sticking-noise/summary.json"),
    ]
    .into_iter()
    .map(|(arguments, summary)| (arguments.into_iter().map(str::to_owned).collect(), summary))
    .collect()
}

fn run(workspace: &Workspace, arguments: &[String]) {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    workspace.stickslip(&arguments).assert().success();
}

fn json(workspace: &Workspace, file: &str) -> Value {
    serde_json::from_str(&workspace.read(file)).expect("JSON")
}

/// Every file under a folder by its path relative to it.
fn contents(workspace: &Workspace, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for name in workspace.files(folder) {
        let path = format!("{folder}/{name}");
        if workspace.path(&path).is_dir() {
            all.extend(contents(workspace, &path));
        } else {
            all.insert(path.clone(), std::fs::read(workspace.path(&path)).expect("a file"));
        }
    }
    all
}

/// A report without the section of what differs from run to run.
fn without_cost(report: &str) -> String {
    let (before, rest) = report.split_once("<section class=\"cost\">").expect("the section begins");
    let (_, after) = rest.split_once("</section>").expect("the section ends");
    before.to_owned() + after
}

#[test]
fn every_summary_says_where_it_comes_from() {
    for (arguments, summary) in commands() {
        let workspace = Workspace::new();
        run(&workspace, &arguments);
        let summary = json(&workspace, summary);
        let command = summary["command"].as_str().expect("a command");
        assert!(command.starts_with(&format!("stickslip {}", arguments[0])), "{command}");
        let resolved = summary["resolved"].as_str().expect("a text");
        assert!(resolved.contains(" = "), "{resolved}");
        let overrides: Vec<&str> =
            summary["overrides"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let given: Vec<&str> =
            arguments.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1].as_str()).collect();
        assert_eq!(overrides, given, "{command}");
        let started = summary["started"].as_str().expect("a time");
        assert!(started.starts_with("20") && started.ends_with('Z') && started.contains('T'), "{started}");
        for key in ["os", "cpu"] {
            assert!(
                summary["machine"][key].as_str().is_some_and(|name| !name.is_empty()),
                "{key} of {command}"
            );
        }
        assert!(summary["machine"]["threads"].as_u64().is_some_and(|threads| threads > 0), "{command}");
    }
}

#[test]
fn everything_but_the_timings_is_the_same_bit_for_bit_from_run_to_run() {
    for (arguments, summary) in commands() {
        let [first, second] = [(), ()].map(|()| {
            let workspace = Workspace::new();
            run(&workspace, &arguments);
            (without_timings(&json(&workspace, summary)), contents(&workspace, "output"))
        });
        assert_eq!(first.0, second.0, "{arguments:?}");
        assert_eq!(first.1.keys().collect::<Vec<_>>(), second.1.keys().collect::<Vec<_>>());
        for (name, bytes) in &first.1 {
            let other = &second.1[name];
            if name.ends_with("report.html") {
                assert_eq!(without_cost(&text(bytes)), without_cost(&text(other)), "{name}");
            } else if !name.ends_with("timings.json") && name != summary {
                assert!(bytes == other, "{name} differs in {arguments:?}");
            }
        }
    }
}

#[test]
fn the_timings_stand_apart_with_the_names_of_what_was_timed() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("slide.toml"), "--no-plots", "--steppers", "nlp,exact"];
    workspace.stickslip(&arguments).assert().success();
    let timings = json(&workspace, "output/slide/compare/timings.json");
    let summary = json(&workspace, "output/slide/compare/summary.json");
    assert_eq!(timings["started"], summary["started"]);
    for (place, name) in ["nlp", "exact"].into_iter().enumerate() {
        let run = &timings["steppers"][place];
        assert_eq!(run["stepper"], name);
        assert_eq!(run["step_microseconds"], summary["steppers"][place]["step_microseconds"]);
        assert!(run["wall_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    }
    assert!(!workspace.read("output/slide/compare/metrics.csv").contains("seconds"));
}

#[test]
fn the_resolved_scenario_runs_again_to_the_same_result() {
    for (file, stepper, changes) in [
        (
            "slide.toml",
            "nlp",
            &["--set", "ground.friction=0.30000000000000004", "--solver", "interior-point"][..],
        ),
        ("curve.toml", "lcp:polyhedral", &["--set", "stepper.lcp.directions=12"]),
        ("bounce.toml", "smooth", &["--set", "stepper.smooth.law=hunt-crossley", "--set", "duration=0.7"]),
        ("chain.toml", "convex", &["--set", "duration=0.1", "--set", "particle[0].mass=0.3"]),
    ] {
        let workspace = Workspace::new();
        let scenario = example(file);
        let run = |scenario: &str, folder: &str, changes: &[&str]| {
            let arguments = ["run", scenario, "--stepper", stepper, "--no-plots", "--output", folder];
            workspace.stickslip(&[&arguments[..], changes].concat()).assert().success();
            let place = format!("{folder}/{}/{}", file.replace(".toml", ""), stepper.replace(':', "-"));
            let resolved = json(&workspace, &format!("{place}/summary.json"))["resolved"].clone();
            (workspace.read(&format!("{place}/trajectory.csv")), resolved)
        };
        let (trajectory, resolved) = run(&scenario, "first", changes);
        workspace.write("again.toml", resolved.as_str().expect("a text"));
        let (again, resolved_again) = run("again.toml", "second", &[]);
        assert!(trajectory == again, "{file} by {stepper}");
        assert_eq!(resolved, resolved_again, "{file}");
    }
}

#[test]
fn a_matched_comparison_resolves_to_the_settings_that_it_chose() {
    let workspace = Workspace::new();
    let compare = |scenario: &str, more: &[&str]| {
        let arguments = ["compare", scenario, "--no-plots", "--steppers", "smooth,exact"];
        workspace.stickslip(&[&arguments[..], more].concat()).assert().success();
        let resolved = json(&workspace, "output/bounce/compare/summary.json")["resolved"].clone();
        (workspace.read("output/bounce/compare/metrics.csv"), resolved.as_str().expect("a text").to_owned())
    };
    let (metrics, resolved) = compare(&example("bounce.toml"), &["--match"]);
    workspace.write("matched.toml", &resolved);
    assert_eq!(compare("matched.toml", &[]).0, metrics);
}

#[test]
fn a_comparison_writes_the_trajectories_that_runs_write() {
    let workspace = Workspace::new();
    let scenario = example("slide.toml");
    let names = "nlp,lcp:anitescu,exact";
    workspace.stickslip(&["compare", &scenario, "--no-plots", "--steppers", names]).assert().success();
    assert_eq!(
        workspace.files("output/slide/compare/trajectories"),
        ["exact.csv", "lcp-anitescu.csv", "nlp.csv"]
    );
    for (stepper, folder) in [("nlp", "nlp"), ("lcp:anitescu", "lcp-anitescu"), ("exact", "exact")] {
        workspace.stickslip(&["run", &scenario, "--no-plots", "--stepper", stepper]).assert().success();
        let ran = workspace.read(&format!("output/slide/{folder}/trajectory.csv"));
        assert!(
            ran == workspace.read(&format!("output/slide/compare/trajectories/{folder}.csv")),
            "{stepper}"
        );
    }
    // A comparison of others does not leave them there.
    workspace.stickslip(&["compare", &scenario, "--no-plots", "--steppers", "hybrid"]).assert().success();
    assert_eq!(workspace.files("output/slide/compare/trajectories"), ["hybrid.csv"]);
}

#[test]
fn the_report_shows_where_it_comes_from() {
    let workspace = Workspace::new();
    let arguments = ["compare", &example("slide.toml"), "--no-plots", "--set", "ground.friction=0.25"];
    workspace.stickslip(&arguments).args(["--steppers", "hybrid"]).assert().success();
    let report = workspace.read("output/slide/compare/report.html");
    let summary = json(&workspace, "output/slide/compare/summary.json");
    for key in ["command", "started"] {
        assert!(report.contains(summary[key].as_str().expect("a text")), "{key}");
    }
    for key in ["os", "cpu"] {
        assert!(report.contains(summary["machine"][key].as_str().expect("a text")), "{key}");
    }
    assert!(report.contains("ground.friction=0.25") && report.contains("friction = 0.25"));
}

/// Columns `x` and `z` of the last row.
fn end(workspace: &Workspace, folder: &str) -> [f64; 2] {
    let table = workspace.read(&format!("{folder}/trajectory.csv"));
    let last: Vec<&str> = table.lines().last().expect("a row").split(',').collect();
    [last[2].parse().expect("a number"), last[3].parse().expect("a number")]
}

/// Whoever sets what a summary says was used gets the same motion.
#[test]
fn settings_that_scale_with_the_scenario_are_told_as_the_figures_that_were_used() {
    for stepper in ["convex", "smooth", "nlp"] {
        let workspace = Workspace::new();
        let (slide, folder) = (example("slide.toml"), format!("output/slide/{stepper}"));
        let run = ["run", &slide, "--stepper", stepper, "--no-plots", "--set", "step=2e-3"];
        workspace.stickslip(&run).assert().success();
        let first = end(&workspace, &folder);
        let settings = json(&workspace, &format!("{folder}/summary.json"))["settings"].clone();
        let given: Vec<String> = settings
            .as_object()
            .expect("settings")
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        assert!(given.len() >= 2, "{settings}");
        let mut again = run.to_vec();
        given.iter().for_each(|given| again.extend(["--set", given]));
        workspace.stickslip(&again).assert().success();
        let second = end(&workspace, &folder);
        assert!((0..2).all(|i| (first[i] - second[i]).abs() < 1e-9), "{stepper}: {first:?}, {second:?}");
        let repeated = json(&workspace, &format!("{folder}/summary.json"))["settings"].clone();
        for (key, value) in settings.as_object().expect("settings") {
            match value.as_f64() {
                Some(value) => {
                    let now = repeated[key].as_f64().expect("a number");
                    assert!((now / value - 1.0).abs() < 1e-9, "{key}: {value}, then {now}");
                }
                None => assert_eq!(repeated[key], *value),
            }
        }
    }
}

#[test]
fn settings_of_bodies_are_told_by_a_comparison_and_its_report() {
    let workspace = Workspace::new();
    let stack = example("stack.toml");
    let models = ["--steppers", "nlp,lcp,convex,smooth"];
    let compare = ["compare", &stack, models[0], models[1], "--set", "duration=0.02", "--no-plots"];
    workspace.stickslip(&compare).assert().success();
    let summary = json(&workspace, "output/stack/compare/summary.json");
    let of = |stepper: &str, key: &str| {
        let all = summary["steppers"].as_array().expect("a list");
        let found = all.iter().find(|one| one["stepper"] == stepper).expect("the stepper");
        found["settings"][key].clone()
    };
    assert_eq!(of("nlp", "stepper.nlp.solver"), "structured");
    assert!(of("nlp", "stepper.nlp.tolerance").as_f64().is_some_and(|tolerance| tolerance < 1e-6));
    let time = of("convex", "stepper.convex.dissipation_time").as_f64().expect("a number");
    let step = json(&workspace, "output/stack/compare/summary.json")["resolved"].clone();
    let step: f64 = step
        .as_str()
        .expect("a text")
        .lines()
        .find_map(|line| line.strip_prefix("step = "))
        .expect("a step")
        .parse()
        .expect("a number");
    assert!((time - step / std::f64::consts::PI).abs() < 1e-15, "{time}, step {step}");
    for (stepper, key) in [("convex", "stepper.convex.stiffness"), ("smooth", "stepper.smooth.stiffness")] {
        let words = of(stepper, key);
        assert!(
            words.as_str().is_some_and(|words| words.contains("N/m") && words.contains("each contact")),
            "{words}"
        );
        assert!(workspace.read("output/stack/compare/report.html").contains(words.as_str().expect("words")));
    }
}
