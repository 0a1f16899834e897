//! What a scenario asks for and a stepper does not do is named: on standard error before the run, in
//! the table and in the summary.

use serde_json::Value;

use crate::{Workspace, example, text};

/// Standard output, standard error and `summary.json` of a run of `scenario` with `arguments`.
fn run(scenario: &str, folder: &str, arguments: &[&str]) -> (String, String, Value) {
    let workspace = Workspace::new();
    let scenario = example(scenario);
    let all = [&["run", &scenario, "--no-plots"], arguments].concat();
    let output = workspace.stickslip(&all).assert().success().get_output().clone();
    let summary = workspace.read(&format!("output/{folder}/summary.json"));
    (text(&output.stdout), text(&output.stderr), serde_json::from_str(&summary).expect("JSON"))
}

#[test]
fn restitution_that_a_stepper_cannot_honour_is_named() {
    for (scenario, folder, stepper) in [
        ("bounce.toml", "bounce/convex", "convex"),
        ("chain.toml", "chain/convex", "convex"),
        ("bounce.toml", "bounce/smooth", "smooth"),
    ] {
        let arguments = ["--stepper", stepper, "--set", "ground.restitution=0.6", "--set", "duration=0.05"];
        let tanh = ["--set", "stepper.smooth.law=tanh"];
        let (table, warned, summary) = run(scenario, folder, &[&arguments[..], &tanh].concat());
        assert!(
            warned.contains(&format!("warning: stepper `{stepper}`: ground.restitution = 0.6 is ignored"))
        );
        assert!(table.contains("ground.restitution = 0.6 is ignored"), "{table}");
        assert_eq!(summary["ignored"][0]["key"], "ground.restitution", "{stepper}");
        assert_eq!(summary["ignored"][0]["value"], "0.6");
        assert!(summary["ignored"][0]["reason"].as_str().is_some_and(|reason| reason.contains("stiffness")));
    }
}

#[test]
fn what_is_honoured_or_left_at_its_default_is_not_named() {
    for (stepper, arguments) in [
        ("nlp", &["--set", "ground.restitution=0.6"][..]),
        ("hybrid", &["--set", "ground.restitution=0.6"]),
        ("exact", &["--set", "ground.restitution=0.6"]),
        ("lcp", &["--set", "stepper.lcp.restitution=poisson"]),
        ("convex", &["--set", "ground.restitution=0", "--set", "stepper.convex.beta=0.5"]),
    ] {
        let arguments = [&["--stepper", stepper, "--set", "duration=0.05"], arguments].concat();
        let (table, warned, summary) = run("bounce.toml", &format!("bounce/{stepper}"), &arguments);
        assert_eq!(warned, "", "{stepper}");
        assert!(!table.contains("not as written"), "{table}");
        assert_eq!(summary["ignored"], Value::Array(Vec::new()), "{stepper}");
        assert_eq!(summary["warnings"], Value::Array(Vec::new()), "{stepper}");
    }
}

#[test]
fn settings_of_a_family_that_one_formulation_has_no_use_for_are_named() {
    for (stepper, key, value) in [
        ("lcp", "stepper.lcp.directions", "4"),
        ("lcp", "stepper.lcp.polygon", "\"fixed\""),
        ("lcp:anitescu", "stepper.lcp.time_of_impact", "true"),
        ("lcp:anitescu", "stepper.impacts", "\"two-stage\""),
        ("lcp:belbute-peres", "stepper.lcp.solver", "\"enumeration\""),
    ] {
        let set = format!("{key}={}", value.trim_matches('"'));
        let arguments = ["--stepper", stepper, "--set", "duration=0.05", "--set", &set];
        let (_, warned, summary) =
            run("slide.toml", &format!("slide/{}", stepper.replace(':', "-")), &arguments);
        assert!(warned.contains(&format!("{key} = {value} is ignored")), "{warned}");
        assert_eq!(summary["ignored"][0]["key"], key);
    }
}

#[test]
fn a_duration_that_is_no_multiple_of_the_step_is_told_to_be_rounded() {
    let arguments = ["--stepper", "lcp", "--set", "duration=1", "--set", "step=3e-3"];
    let (table, warned, summary) = run("slide.toml", "slide/lcp", &arguments);
    for told in [table, warned, summary["warnings"][0].as_str().expect("a warning").to_owned()] {
        assert!(told.contains("duration of 1 s") && told.contains("333 steps end at 0.999 s"), "{told}");
    }
    assert_eq!(summary["steps"], 333);
    for (duration, step) in [("0.3", "0.1"), ("1.2", "1e-3"), ("0.7", "7e-5")] {
        let set = [format!("duration={duration}"), format!("step={step}")];
        let arguments = ["--stepper", "lcp", "--set", &set[0], "--set", &set[1]];
        assert_eq!(run("slide.toml", "slide/lcp", &arguments).1, "", "{duration} in steps of {step}");
    }
}

#[test]
fn a_push_above_the_nyquist_frequency_of_the_step_is_told_to_be_aliased() {
    let with = |stepper: &str, frequency: &str| {
        let set = format!("push[0].frequency={frequency}");
        let arguments = ["--stepper", stepper, "--set", "duration=0.05", "--set", &set];
        run("stick-slip.toml", &format!("stick-slip/{stepper}"), &arguments)
    };
    let (_, warned, summary) = with("lcp", "700");
    assert!(warned.contains("push[0] swings at 700 Hz") && warned.contains("one of 300 Hz"), "{warned}");
    assert_eq!(summary["warnings"].as_array().map(Vec::len), Some(1));
    assert_eq!(with("lcp", "499").1, "");
    assert_eq!(with("exact", "700").1, "", "it follows the push within the step");
}

#[test]
fn the_exact_motion_is_the_reference_and_not_compared_with_itself() {
    let (table, _, summary) = run("bounce.toml", "bounce/exact", &["--stepper", "exact"]);
    for key in ["max_error_x", "max_error_z", "max_complementarity"] {
        assert!(summary["metrics"][key].is_null(), "{key}: {}", summary["metrics"][key]);
    }
    assert!(!table.contains("max error") && !table.contains("complementarity"), "{table}");

    let workspace = Workspace::new();
    let arguments = ["compare", &example("bounce.toml"), "--steppers", "lcp,convex,exact", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).expect("a row").to_owned();
    assert!(row("exact").contains("reference") && !row("lcp").contains("reference"), "{table}");
    assert!(table.contains("convex: ground.restitution = 0.6 is ignored"), "{table}");
    let summary: Value =
        serde_json::from_str(&workspace.read("output/bounce/compare/summary.json")).expect("JSON");
    let [lcp, convex, exact] = [0, 1, 2].map(|place| &summary["steppers"][place]);
    assert!(exact["is_reference"] == true && exact["metrics"]["max_error_z"].is_null());
    assert!(lcp["is_reference"] == false && lcp["metrics"]["max_error_z"].is_number());
    assert_eq!(convex["ignored"][0]["key"], "ground.restitution");
    let page = workspace.read("output/bounce/compare/report.html");
    assert!(page.contains("<td>reference</td>") && page.contains("ground.restitution = 0.6 is ignored"));
}

#[test]
fn the_published_program_says_why_flight_is_beyond_it() {
    let workspace = Workspace::new();
    let arguments = ["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let told = text(&output.stderr);
    for words in ["step 0", "the point is in flight", "demands vx = 0", "use stepper `nlp`"] {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
}

#[test]
fn a_run_that_went_on_after_failed_steps_is_complete_on_disk_and_exits_with_1() {
    let workspace = Workspace::new();
    let arguments = ["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"];
    let output = workspace
        .stickslip(&arguments)
        .args(["--on-failure", "continue", "--set", "duration=0.05"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(
        text(&output.stderr)
            .contains("steps of `slide` failed under stepper `nlp:seed`, the first at step 0")
    );
    assert!(text(&output.stdout).contains("wrote "));
    let summary: Value =
        serde_json::from_str(&workspace.read("output/slide/nlp-seed/summary.json")).expect("JSON");
    assert_eq!(summary["steps"], 50);
    assert!(summary["status"]["failed"].as_u64() > Some(10), "{}", summary["status"]);
    assert!(workspace.files("output/slide/nlp-seed").contains(&"trajectory.csv".to_owned()));
}
