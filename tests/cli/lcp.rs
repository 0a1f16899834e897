//! `stickslip lcp solve`.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use stickslip::lcp::{DynamicLcp, Lemke, Status};

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

/// Each has a solution, `q/-M`, that double precision may not hold.
#[test]
fn numbers_that_overflow_or_vanish_prove_nothing() {
    let workspace = Workspace::new();
    for (m, q) in [("1e308", "-1e308"), ("1e160", "-1e-160"), ("1e200", "-1e-200"), ("1e-200", "-1e200")] {
        workspace.write("problem.json", &format!(r#"{{"M": [[{m}]], "q": [{q}]}}"#));
        for solver in ["lemke", "enumeration", "interior-point"] {
            let output =
                workspace.stickslip(&["lcp", "solve", "problem.json", "--solver", solver]).output().unwrap();
            let status = &solution(&output)["status"];
            assert_ne!(status, "no-solution", "{solver}: M = {m}, q = {q}");
        }
    }
    workspace.write("problem.json", r#"{"M": [[0]], "q": [-1]}"#);
    let output = workspace.stickslip(&["lcp", "solve", "problem.json", "--solver", "enumeration"]).output();
    assert_eq!(solution(&output.unwrap())["status"], "no-solution");
}

/// A random problem, the entries of the matrix first.
fn random_problem(
    rng: &mut StdRng,
    size: usize,
    q: impl Fn(&DMatrix<f64>, &mut StdRng) -> DVector<f64>,
) -> DynamicLcp {
    let m = DMatrix::from_fn(size, size, |_, _| rng.random_range(-1.0..1.0));
    let q = q(&m, rng);
    DynamicLcp::new(m, q).expect("a square problem")
}

fn ends_in_a_ray(problem: &DynamicLcp) -> bool {
    Lemke::new(problem.dim()).solve(problem).status == Status::Ray
}

/// What the program makes of a problem, and its exit status.
fn answer(workspace: &Workspace, problem: &DynamicLcp) -> (Value, Option<i32>) {
    let rows: Vec<Vec<f64>> = problem.m.row_iter().map(|row| row.iter().copied().collect()).collect();
    let text = json!({ "M": rows, "q": problem.q.as_slice() }).to_string();
    let output = workspace.stickslip(&["lcp", "solve", "-"]).write_stdin(text).output().unwrap();
    (solution(&output), output.status.code())
}

/// Largest violation of the conditions by the `z` that the program prints.
fn violation(problem: &DynamicLcp, solution: &Value) -> f64 {
    let z: Vec<f64> = solution["z"].as_array().unwrap().iter().map(|z| z.as_f64().unwrap()).collect();
    let z = DVector::from_vec(z);
    let w = &problem.m * &z + &problem.q;
    z.iter().zip(&w).map(|(z, w)| z.min(*w).abs()).fold(0.0, f64::max)
}

#[test]
fn a_small_problem_on_which_lemkes_path_ends_in_a_ray_is_decided_by_enumeration() {
    let workspace = Workspace::new();
    let mut rng = StdRng::seed_from_u64(15);
    let q = |_: &DMatrix<f64>, rng: &mut StdRng| DVector::from_fn(6, |_, _| rng.random_range(-1.0..0.2));
    let mut statuses = Vec::new();
    while statuses.len() < 12 || !statuses.contains(&"solved") || !statuses.contains(&"no-solution") {
        let problem = random_problem(&mut rng, 6, q);
        if !ends_in_a_ray(&problem) {
            continue;
        }
        let (found, code) = answer(&workspace, &problem);
        let (status, expected) = match found["status"].as_str() {
            Some("solved") => ("solved", 0),
            Some("no-solution") => ("no-solution", 1),
            other => panic!("{other:?}"),
        };
        assert_eq!(code, Some(expected));
        assert!(status != "solved" || violation(&problem, &found) < 1e-9, "{found}");
        statuses.push(status);
        assert!(statuses.len() < 100, "{statuses:?}");
    }
}

#[test]
fn a_larger_one_is_solved_by_other_covering_vectors_or_the_interior_point() {
    const SIZE: usize = 14;
    let workspace = Workspace::new();
    let mut rng = StdRng::seed_from_u64(16);
    // Solvable by construction, with a matrix without structure.
    let q = |m: &DMatrix<f64>, rng: &mut StdRng| {
        let active: Vec<bool> = (0..SIZE).map(|_| rng.random_bool(0.5)).collect();
        let mut size = |is: bool| if is { rng.random_range(0.1..1.0) } else { 0.0 };
        let z = DVector::from_fn(SIZE, |i, _| size(active[i]));
        DVector::from_fn(SIZE, |i, _| size(!active[i])) - m * z
    };
    let (mut rays, mut solved) = (0, 0);
    while rays < 12 {
        let problem = random_problem(&mut rng, SIZE, q);
        if !ends_in_a_ray(&problem) {
            continue;
        }
        rays += 1;
        let (found, code) = answer(&workspace, &problem);
        assert_ne!(found["status"], "no-solution");
        assert_eq!(code, Some(i32::from(found["status"] != "solved")));
        if found["status"] == "solved" {
            assert!(violation(&problem, &found) < 1e-9, "{found}");
            solved += 1;
        }
    }
    assert!(2 * solved > rays, "{solved} of {rays}");
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

#[test]
fn free_unknowns_that_their_equations_leave_open_are_found_where_there_are_any() {
    for (problem, status) in [
        (r#"{"M": [[0]], "q": [0], "free": 1}"#, "solved"),
        (r#"{"M": [[1, 1], [1, 1]], "q": [-1, -1], "free": 2}"#, "solved"),
        (r#"{"M": [[1, 1], [1, 1]], "q": [-1, -2], "free": 2}"#, "no-solution"),
        (r#"{"M": [[0]], "q": [1], "free": 1}"#, "no-solution"),
    ] {
        for solver in ["lemke", "enumeration"] {
            let arguments = ["lcp", "solve", "-", "--solver", solver];
            let output = Workspace::new().stickslip(&arguments).write_stdin(problem).output().unwrap();
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(answer["status"], status, "{solver}: {problem}: {answer}");
            assert!(answer["residual"].is_number(), "{answer}");
            assert_eq!(output.status.code(), Some(i32::from(status != "solved")));
        }
    }
}

#[test]
fn tiny_problems_are_solved_like_others() {
    for unit in ["1e-160", "1e-300"] {
        let problem = format!(r#"{{"M": [[1, 0], [0, 1]], "q": [-{unit}, 0]}}"#);
        let output =
            Workspace::new().stickslip(&["lcp", "solve", "-"]).write_stdin(problem).output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let expected: f64 = unit.parse().unwrap();
        let z = answer["z"][0].as_f64().unwrap();
        assert!(answer["status"] == "solved" && (z / expected - 1.0).abs() < 1e-12, "{answer}");
    }
}
