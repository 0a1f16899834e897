//! `stickslip run --replay`.

use serde_json::{Value, json};
use stickslip::scenario::read_scenario;

use crate::{Workspace, example, text};

/// A replay file of the first step of an example with one body; `body` is what the file says of it.
fn first_step(scenario: &str, stepper: &str, step_length: f64, body: &Value) -> String {
    let scenario = read_scenario(example(scenario), &[]).expect("a scenario").to_toml();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "scenario": scenario,
        "stepper": stepper,
        "index": 0,
        "time": 0.0,
        "bodies": [body],
        "dt": step_length,
        "memory": [],
        "reason": "it is made up",
    })
    .to_string()
}

#[test]
fn a_failed_run_keeps_its_steps_and_writes_a_replay_file_that_fails_again_with_a_log() {
    let workspace = Workspace::new();
    let output = workspace
        .stickslip(&["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let files = workspace.files("output/slide/nlp-seed");
    assert!(!files.contains(&"trajectory.csv".to_owned()), "{files:?}");
    assert!(files.contains(&"trajectory.partial.csv".to_owned()), "{files:?}");
    let replay = files.iter().find(|name| name.starts_with("replay-step-")).expect("a replay file");
    let message = text(&output.stderr);
    for words in ["step ", "t = ", "nlp:seed", "--replay", replay] {
        assert!(message.contains(words), "no `{words}` in\n{message}");
    }

    let file = format!("output/slide/nlp-seed/{replay}");
    let output = workspace.stickslip(&["run", "--replay", &file]).assert().code(1).get_output().clone();
    let log = text(&output.stdout);
    assert!(log.contains("inf_pr") && log.contains("inf_du"), "no iteration log in\n{log}");
    assert!(text(&output.stderr).contains("failed again"));
    let output =
        workspace.stickslip(&["run", "--replay", &file, "--json"]).assert().code(1).get_output().clone();
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["status"], &answer["stepper"]), (&json!("failed"), &json!("nlp:seed")));
    assert!(answer["reason"].is_string() && answer["residual"].is_f64(), "{answer}");
    assert!(!text(&output.stderr).contains("the log above"), "{}", text(&output.stderr));
}

#[test]
fn a_failed_run_tells_of_the_results_of_an_earlier_one() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let failed = || {
        let mut run = workspace.stickslip(&["run", &slide, "--stepper", "nlp:seed", "--no-plots"]);
        text(&run.assert().code(1).get_output().stderr).to_owned()
    };
    assert!(!failed().contains("not of this run"), "{}", failed());
    workspace.write("output/slide/nlp-seed/summary.json", "{}");
    workspace.write("output/slide/nlp-seed/history.svg", "");
    let told = failed();
    assert!(told.contains("are not of this run: history.svg, summary.json"), "{told}");
}

#[test]
fn the_command_that_is_told_can_be_typed() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["run", &slide, "--stepper", "nlp:seed", "--no-plots", "--output", "my output"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let message = text(&output.stderr);
    assert!(
        message.contains("stickslip run --replay 'my output/slide/nlp-seed/replay-step-0.json';"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_replay_file_is_refused() {
    let workspace = Workspace::new();
    workspace.write("broken.json", "{\"version\": 1}");
    for file in ["missing.json", "broken.json", "."] {
        let output = workspace.stickslip(&["run", "--replay", file]).assert().code(2).get_output().clone();
        assert!(text(&output.stderr).contains(file), "{}", text(&output.stderr));
    }
}

#[test]
fn a_scenario_beside_a_replay_file_is_refused_with_a_usage_that_has_either() {
    let workspace = Workspace::new();
    let scenario = example("slide.toml");
    let output =
        workspace.stickslip(&["run", "--replay", "x.json", &scenario]).assert().code(2).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("'--replay <FILE>' cannot be used with '<SCENARIO.toml>'"), "{message}");
    assert!(
        message.contains("stickslip run --replay <FILE>\n")
            && message.contains("stickslip run [OPTIONS] <SCENARIO.toml>"),
        "{message}"
    );
}

#[test]
fn a_quaternion_that_is_no_rotation_is_refused() {
    let workspace = Workspace::new();
    let body = |orientation: [f64; 4]| {
        json!({
            "position": [0.0, 0.0, 1.0],
            "velocity": [0.0, 0.0, 0.0],
            "push": [0.0, 0.0, 0.0],
            "orientation": orientation,
            "spin": [0.01, 5.0, 0.01],
            "torque": [0.0, 0.0, 0.0],
        })
    };
    for orientation in [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [1e300, 1e300, 0.0, 0.0], [1.00001, 0.0, 0.0, 0.0]] {
        workspace.write("turned.json", &first_step("dzhanibekov.toml", "nlp", 2e-3, &body(orientation)));
        let output =
            workspace.stickslip(&["run", "--replay", "turned.json"]).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        assert!(message.contains("`orientation`") && message.contains("of length 1"), "{message}");
    }
    for orientation in [[0.6, 0.8, 0.0, 0.0], [1.0 + 1e-9, 0.0, 0.0, 0.0]] {
        workspace.write("turned.json", &first_step("dzhanibekov.toml", "nlp", 2e-3, &body(orientation)));
        workspace.stickslip(&["run", "--replay", "turned.json"]).assert().success();
    }
}

#[test]
fn a_step_that_blows_up_is_not_called_solved() {
    let workspace = Workspace::new();
    let run = |velocity: f64, step_length: f64| {
        let body = json!({ "position": [0.0, 1.0], "velocity": [velocity, 0.0], "push": [0.0, 0.0] });
        workspace.write("step.json", &first_step("slide.toml", "smooth", step_length, &body));
        workspace.stickslip(&["run", "--replay", "step.json"]).assert()
    };
    let output = run(1e307, 1e3).code(1).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("failed again") && message.contains("the motion blew up"), "{message}");
    assert!(!text(&output.stdout).contains("solved"), "{}", text(&output.stdout));
    run(1.0, 1e-3).success();
    let output = run(1.0, 1e308).code(2).get_output().clone();
    assert!(text(&output.stderr).contains("`dt`"), "{}", text(&output.stderr));
}

#[test]
fn a_replay_file_has_a_step_that_a_scenario_may_have() {
    let workspace = Workspace::new();
    let body = json!({ "position": [0.0, 1.0], "velocity": [1.0, 0.0], "push": [0.0, 0.0] });
    for dt in [1e300, 0.0, 1e-10, -1e-3] {
        workspace.write("replay.json", &first_step("slide.toml", "lcp", dt, &body));
        let output =
            workspace.stickslip(&["run", "--replay", "replay.json"]).assert().code(2).get_output().clone();
        let told = text(&output.stderr);
        assert!(told.contains("`dt` has to be a length of a step, 1e-9 to 1e3 s"), "{dt}: {told}");
    }
}
