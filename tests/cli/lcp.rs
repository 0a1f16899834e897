//! `stickslip lcp solve`.

use serde_json::{Value, json};

use crate::Workspace;

const PROBLEM: &str = r#"{"M": [[1, -1, 1], [-1, 1, 1], [-1, -1, 0]], "q": [0.5, -0.5, 0.2]}"#;

fn solution(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

#[test]
fn every_solver_prints_the_solution_as_json() {
    let workspace = Workspace::new();
    workspace.write("problem.json", PROBLEM);
    for solver in ["lemke", "enumeration", "interior-point"] {
        let output =
            workspace.stickslip(&["lcp", "solve", "problem.json", "--solver", solver]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{solver}");
        let solution = solution(&output);
        let keys: Vec<&String> = solution.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["status", "z", "w", "residual", "pivots"], "{solver}");
        assert_eq!(solution["status"], "solved", "{solver}");
        // The block slides: v = 0.5 - 0.2.
        assert!((solution["z"][2].as_f64().unwrap() - 0.3).abs() < 1e-12, "{solver}");
        assert!(output.stderr.is_empty(), "{solver}");
    }
}

#[test]
fn a_problem_may_come_from_standard_input() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["lcp", "solve", "-"]).write_stdin(PROBLEM).output().unwrap();
    assert_eq!(solution(&output)["status"], "solved");
}

#[test]
fn a_problem_without_a_solution_fails_with_its_status() {
    let workspace = Workspace::new();
    workspace.write("direct2.json", r#"{"M": [[0, -1, 0], [-1, 0, 0], [-1, -1, 0]], "q": [1, -1, 3]}"#);
    for solver in ["lemke", "enumeration", "interior-point"] {
        let output =
            workspace.stickslip(&["lcp", "solve", "direct2.json", "--solver", solver]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{solver}");
        assert_eq!(solution(&output)["status"], json!("no-solution"), "{solver}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("there is no solution"), "{solver}");
    }
}

#[test]
fn gauss_seidel_names_the_row_that_rules_it_out() {
    let workspace = Workspace::new();
    workspace.write("problem.json", PROBLEM);
    let output =
        workspace.stickslip(&["lcp", "solve", "problem.json", "--solver", "gauss-seidel"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(solution(&output)["status"], "not-applicable");
    assert!(String::from_utf8_lossy(&output.stderr).contains("M[2][2]"));
}

#[test]
fn bad_problems_are_refused_with_their_place() {
    let workspace = Workspace::new();
    for (text, expected) in [
        ("{\"M\": [[NaN]], \"q\": [1]}", "line 1, column 9"),
        ("{\"M\": [[1, 2]], \"q\": [1]}", "not square"),
        ("{\"M\": [[1]], \"q\": [1, 2]}", "`q` has 2 entries"),
        ("", "line 1, column 0"),
        ("[1, 2]", "expected {\"M\""),
    ] {
        workspace.write("bad.json", text);
        let output = workspace.stickslip(&["lcp", "solve", "bad.json"]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}: {message}");
        assert!(message.contains("bad.json") && message.contains(expected), "{text}: {message}");
        assert!(output.stdout.is_empty(), "{text}");
    }
    let output = workspace.stickslip(&["lcp", "solve", "missing.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.json"));
}

#[test]
fn a_failed_step_replays_with_the_solvers_log() {
    let workspace = Workspace::new();
    let scenario = crate::example("push-and-hold.toml");
    let output = workspace.stickslip(&["run", &scenario, "--stepper", "lcp:direct2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("the formulation is infeasible"), "{message}");
    let replay = "output/push-and-hold/lcp-direct2/replay-step-0.json";
    let output = workspace.stickslip(&["run", "--replay", replay]).output().unwrap();
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        log.contains("Lemke: no-solution") && log.contains("M [  0.000e0,  -1.000e0,   0.000e0]"),
        "{log}"
    );
}
