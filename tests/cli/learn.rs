//! `stickslip learn`.

use serde_json::Value;
use stickslip::{learn::Experiment, provenance::without_timings};

use crate::{Workspace, text};

/// A number of samples that is enough to run, and quick.
fn few(experiment: &str) -> &'static str {
    match experiment {
        "direct" => "30",
        "noise" => "100",
        "particle" => "2",
        "bilevel" | "soft-bilevel" | "sticking-cost" => "1",
        _ => "12",
    }
}

impl Workspace {
    /// `stickslip learn EXPERIMENT ARGUMENTS...`, which has to succeed; gives what it prints.
    fn learn(&self, experiment: &str, arguments: &[&str]) -> String {
        let output = self.stickslip(&["learn", experiment]).args(arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{experiment}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn result(&self, folder: &str, experiment: &str) -> Value {
        serde_json::from_str(&self.read(&format!("{folder}/learn/{experiment}/result.json"))).expect("JSON")
    }
}

#[test]
fn every_experiment_writes_its_result_and_its_data() {
    for experiment in Experiment::all().map(Experiment::as_str) {
        let workspace = Workspace::new();
        let arguments = ["--samples", few(experiment), "--seed", "5", "--no-plots", "--output", "out"];
        let printed = workspace.learn(experiment, &arguments);
        assert!(printed.starts_with(&format!("{experiment}: ")), "{printed}");
        assert!(printed.contains("wrote out/learn/"), "{printed}");
        assert_eq!(
            workspace.files(&format!("out/learn/{experiment}")),
            ["data.csv", "result.json", "timings.json"]
        );

        let result = workspace.result("out", experiment);
        assert_eq!(result["experiment"], experiment);
        assert_eq!(result["samples"].to_string(), few(experiment));
        assert_eq!(result["seed"], 5);
        assert!(result["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
        assert!(result["error"].is_number(), "{experiment}: {}", result["error"]);
        assert!(result["error_measure"].as_str().is_some_and(|words| !words.is_empty()));
        let parameters = result["parameters"].as_object().expect("an object");
        assert_eq!(parameters.is_empty(), experiment == "noise");
        for (name, parameter) in parameters {
            assert!(parameter["learned"].is_number(), "{experiment}: {name}");
            assert!(parameter["true"].is_number(), "{experiment}: {name}");
            assert!(parameter["identifiable"].is_boolean(), "{experiment}: {name}");
            assert!(printed.contains(name), "{name} is missing in\n{printed}");
        }
    }
}

#[test]
fn the_data_that_were_used_lead_to_the_same_parameters() {
    let experiments = Experiment::all().map(Experiment::as_str).filter(|name| *name != "noise");
    for experiment in experiments {
        let workspace = Workspace::new();
        let generated = ["--samples", few(experiment), "--seed", "3", "--no-plots", "--output", "a"];
        workspace.learn(experiment, &generated);
        let file = format!("a/learn/{experiment}/data.csv");
        workspace.learn(experiment, &["--data", &file, "--no-plots", "--output", "b"]);
        let (first, second) = (workspace.result("a", experiment), workspace.result("b", experiment));
        for (name, parameter) in first["parameters"].as_object().expect("an object") {
            let again = &second["parameters"][name];
            assert_eq!(parameter["learned"], again["learned"], "{experiment}: {name}");
            // In a file, the unused friction of `slack` is an assumption.
            let is_learned = experiment != "slack" && parameter["identifiable"] == true;
            assert_eq!(again["identifiable"], is_learned, "{experiment}: {name}");
            assert!(again["true"].is_null(), "{experiment}: nobody knows the truth behind a file");
        }
        assert_eq!(workspace.read(&file), workspace.read(&format!("b/learn/{experiment}/data.csv")));
    }
}

#[test]
fn the_seed_decides() {
    for experiment in ["slack", "linear-program", "noise", "particle"] {
        let workspace = Workspace::new();
        for (seed, folder) in [("3", "a"), ("3", "b"), ("4", "c")] {
            let arguments = ["--samples", few(experiment), "--seed", seed, "--no-plots", "--output", folder];
            workspace.learn(experiment, &arguments);
        }
        let data = |folder: &str| workspace.read(&format!("{folder}/learn/{experiment}/data.csv"));
        assert_eq!(data("a"), data("b"));
        assert_ne!(data("a"), data("c"));
        let result = |folder: &str| {
            let mut result = without_timings(&workspace.result(folder, experiment));
            // The folder is part of the command.
            result["command"] = Value::Null;
            result
        };
        assert_eq!(result("a"), result("b"));
    }
}

#[test]
fn pictures_are_drawn_in_all_formats() {
    for (experiment, pictures) in [
        ("bilevel", &["descent", "landscape"][..]),
        ("direct", &["coefficients", "learning-curve", "prediction-error"]),
        ("linear-program", &["coefficients", "learning-curve"]),
        ("mpcc", &["relaxation-path"]),
        ("noise", &["noise-on-all", "noise-on-one"]),
        ("particle", &["confidence", "learning-curve", "profile", "trajectory"]),
        ("slack", &["coefficients", "learning-curve"]),
        ("sticking-cost", &["descent", "landscape"]),
        ("traditional", &["coefficients", "convergence", "learning-curve"]),
    ] {
        let workspace = Workspace::new();
        let printed = workspace.learn(experiment, &["--samples", few(experiment), "--output", "out"]);
        let mut files =
            ["data.csv", "report.html", "result.json", "timings.json"].map(str::to_owned).to_vec();
        for picture in pictures {
            files.extend([".svg", ".png", ".pdf", "-data.csv"].map(|ending| format!("{picture}{ending}")));
        }
        assert!(files.iter().all(|file| printed.contains(file.as_str())), "{printed}");
        files.sort();
        assert_eq!(workspace.files(&format!("out/learn/{experiment}")), files);
    }
}

#[test]
fn the_descents_of_the_notes_arrive_from_below_seven_and_stay_above() {
    let workspace = Workspace::new();
    let printed = workspace.learn("bilevel", &["--no-plots"]);
    assert!(printed.contains("Descent from 7.01, 8, 12 stays behind"), "{printed}");
    let result = workspace.result("output", "bilevel");
    let learned = result["parameters"]["friction"]["learned"].as_f64().expect("a number");
    assert!((learned - 1.0).abs() < 1e-5, "{learned}");
    assert!((result["vanishing_friction"].as_f64().expect("a number") - 7.0).abs() < 5e-3);
}

#[test]
fn what_the_data_cannot_tell_is_said() {
    let workspace = Workspace::new();
    let arguments = ["--samples", "30", "--set", "selection=saturated", "--no-plots"];
    let printed = workspace.learn("linear-program", &arguments);
    assert!(printed.contains("Degenerate: systems that differ in M11 in [-inf, inf], M12"), "{printed}");
    let printed = workspace.learn("particle", &["--samples", "1", "--set", "friction=2", "--no-plots"]);
    assert!(printed.contains("Friction is not determined"), "{printed}");
    let sticking = ["--set", "velocity=0", "--set", "push=0.1", "--no-plots"];
    let printed = workspace.learn("bilevel", &sticking);
    assert!(printed.contains("add steps that slide"), "{printed}");
}

#[test]
fn the_example_measurements_are_learned_from() {
    let example = |name: &str| format!("{}/examples/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspace::new();
    let thrown = example("thrown-point.csv");
    workspace.learn("particle", &["--data", &thrown, "--set", "contacts=height", "--no-plots"]);
    let result = workspace.result("output", "particle");
    for (name, truth) in [("friction", 0.3), ("restitution", 0.6)] {
        let parameter = &result["parameters"][name];
        let interval = parameter["interval"].as_array().expect("a confidence interval");
        let ends: Vec<f64> = interval.iter().filter_map(Value::as_f64).collect();
        assert!(ends[0] < truth && truth < ends[1], "{name}: {parameter}");
        assert!(ends[1] - ends[0] < 0.02, "{name}: {parameter}");
    }
    let sliding = example("sliding-block.csv");
    workspace.learn("bilevel", &["--data", &sliding, "--set", "starts=[0.2, 3]", "--no-plots"]);
    let friction = &workspace.result("output", "bilevel")["parameters"]["friction"];
    assert!((friction["learned"].as_f64().expect("a number") - 0.6).abs() < 0.03, "{friction}");
}

#[test]
fn help_names_every_experiment_and_every_setting() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["learn", "--help"]).output().expect("it runs");
    let help = text(&output.stdout);
    assert!(help.contains("Examples:\n  stickslip learn "), "{help}");
    for experiment in Experiment::all() {
        // Lines are wrapped, so a summary is looked for by its first words.
        let words: Vec<&str> = experiment.summary().split(' ').take(3).collect();
        assert!(help.contains(&format!("{experiment}:")) && help.contains(&words.join(" ")), "{help}");
        let samples = few(experiment.as_str());
        workspace.learn(experiment.as_str(), &["--samples", samples, "--no-plots"]);
        let result = workspace.result("output", experiment.as_str());
        for setting in result["settings"].as_object().expect("an object").keys() {
            assert!(help.contains(setting.as_str()), "{experiment}: `{setting}` is missing in\n{help}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let workspace = Workspace::new();
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(["learn", "slack", "--no-plots"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn();
    let output = child.expect("the program starts").wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(workspace.files("output/learn/slack"), ["data.csv", "result.json", "timings.json"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_experiment_leaves_nothing_under_a_final_name() {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::{Duration, Instant},
    };
    let workspace = Workspace::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(["learn", "bilevel", "--samples", "2000", "--set", "gradient_tolerance=1e-14"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(30);
    while !workspace.path("output/learn/bilevel").is_dir() {
        let ended = child.try_wait().expect("it can be asked");
        assert!(ended.is_none() && Instant::now() < deadline, "it does not begin: {ended:?}");
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(300));
    crate::signal(&child, libc::SIGINT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(workspace.files("output/learn/bilevel").is_empty());
}
