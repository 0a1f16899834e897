//! `stickslip contact solve` and `stickslip contact convert`.

use serde_json::{Value, json};

use crate::Workspace;

/// A point that slides: r = (1, -0.5), u = (0, 1.5).
const SLIDING: &str = r#"{"dimension": 2, "W": [[1, 0], [0, 1]], "q": [-1, 2], "mu": [0.5]}"#;

fn stdout(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

#[test]
fn exact_solvers_print_the_solution_as_json() {
    let workspace = Workspace::new();
    workspace.write("problem.json", SLIDING);
    for solver in ["nlp", "lcp", "cone"] {
        let arguments = ["contact", "solve", "problem.json", "--solver", solver];
        let output = workspace.stickslip(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{solver}");
        let answer = stdout(&output);
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["status", "solver", "r", "u", "residual", "iterations", "seconds"]);
        assert_eq!((&answer["status"], &answer["solver"]), (&json!("solved"), &json!(solver)));
        let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-7;
        assert!(near(&answer["r"][0], 1.0) && near(&answer["r"][1], -0.5), "{answer}");
        assert!(near(&answer["u"][0], 0.0) && near(&answer["u"][1], 1.5), "{answer}");
        assert!(answer["residual"].as_f64().unwrap() <= 1e-8);
        assert!(output.stderr.is_empty(), "{solver}");
    }
}

#[test]
fn the_convex_law_reports_how_far_it_is_from_coulombs() {
    let workspace = Workspace::new();
    let arguments = ["contact", "solve", "-", "--solver", "convex"];
    let output = workspace.stickslip(&arguments).write_stdin(SLIDING).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer = stdout(&output);
    assert_eq!(answer["status"], "relaxed");
    // The cone's projection of (1, -2): r_n = (1 + 0.5 * 2)/1.25.
    assert!((answer["r"][0].as_f64().unwrap() - 1.6).abs() < 1e-6);
    assert!(answer["residual"].as_f64().unwrap() > 0.1);
}

#[test]
fn all_solvers_print_a_list() {
    let workspace = Workspace::new();
    let spatial = r#"{"dimension": 3, "W": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1, 0.3, 0.4], "mu": [0.9]}"#;
    let arguments = ["contact", "solve", "-", "--solver", "all"];
    let output = workspace.stickslip(&arguments).write_stdin(spatial).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answers = stdout(&output);
    let solvers: Vec<&str> =
        answers.as_array().unwrap().iter().map(|answer| answer["solver"].as_str().unwrap()).collect();
    assert_eq!(solvers, ["nlp", "lcp", "cone", "convex"]);
    // It sticks, which every law agrees on.
    for answer in answers.as_array().unwrap() {
        assert!(answer["residual"].as_f64().unwrap() < 1e-6, "{answer}");
    }
}

#[test]
fn what_has_no_solution_is_not_called_solved() {
    // A wedge of two walls that both ask to be left.
    let wedge = r#"{"dimension": 2, "W": [[1,0,-1,0],[0,1,0,1],[-1,0,1,0],[0,1,0,1]], "q": [-1, 0, -1, 0], "mu": [0.5, 0.5]}"#;
    for solver in ["nlp", "lcp", "cone", "all"] {
        let arguments = ["contact", "solve", "-", "--solver", solver];
        let output = Workspace::new().stickslip(&arguments).write_stdin(wedge).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{solver}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("no solution found"), "{text}");
        assert_eq!(text.contains("--solver all"), solver != "all", "{text}");
        let answers = stdout(&output);
        let first = if solver == "all" { &answers[0] } else { &answers };
        assert_eq!(first["status"], "unsolved");
    }
}

#[test]
fn operators_of_no_mechanical_system_are_named() {
    for (w, word) in [("[[1, 0.5], [0.1, 1]]", "not symmetric"), ("[[1, 3], [3, 1]]", "indefinite")] {
        let problem = format!(r#"{{"dimension": 2, "W": {w}, "q": [-1, 0], "mu": [0.3]}}"#);
        let output =
            Workspace::new().stickslip(&["contact", "solve", "-"]).write_stdin(problem).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{word}");
        assert!(stdout(&output)["doubts"][0].as_str().unwrap().contains(word), "{word}");
    }
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let valid = |w: &str, q: &str, mu: &str| format!(r#"{{"dimension": 2, "W": {w}, "q": {q}, "mu": {mu}}}"#);
    let identity = "[[1, 0], [0, 1]]";
    let cases = [
        ("{\"dimension\": 2,\n \"W\": [[1}".to_owned(), "line 2, column"),
        (valid(identity, "[NaN, 1]", "[0.1]"), "line 1, column"),
        (valid(identity, "[-1]", "[0.1]"), "`q` has 1 entries"),
        (valid(identity, "[-1, 0]", "[0.1, 0.1]"), "`mu` has 2 entries"),
        (valid(identity, "[-1, 0]", "[-0.1]"), "`mu` of contact 1 is -0.1"),
        (valid("[[1, 0], [0]]", "[-1, 0]", "[0.1]"), "row 2 has 1 entries"),
        (valid("[[0, 0], [0, 1]]", "[-1, 0]", "[0.1]"), "row 1, column 1"),
        (
            valid("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "[0, 0, 0]", "[0.1]"),
            "not a multiple of the dimension 2",
        ),
        (valid("[]", "[]", "[]"), "the problem is empty"),
        // Squares of these are lost, and residuals with them.
        (valid(identity, "[-1e-160, 2e-160]", "[0.5]"), "velocities of the size of 2e-160"),
        (valid(identity, "[-1e-300, 0]", "[0.5]"), "choose other units"),
        (valid(identity, "[-1e200, 0]", "[0.5]"), "choose other units"),
        (valid("[[1e100, 0], [0, 1e100]]", "[-1e-60, 0]", "[0.5]"), "impulses of the size of 1e-160"),
        (valid(identity, "[-1, 0]", "[0.1]").replace(": 2", ": 4"), "`dimension` is 4"),
        (valid(identity, "[-1, 0]", "[0.1]").replace("\"mu\"", "\"nu\""), "unknown field `nu`"),
    ];
    for (text, expected) in cases {
        let output = Workspace::new()
            .stickslip(&["contact", "solve", "-"])
            .write_stdin(text.clone())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(expected), "{text}: {message}");
        assert!(output.stdout.is_empty());
    }
    for tolerance in ["0", "-1e-8", "nan", "much"] {
        let arguments = ["contact", "solve", "-", "--tolerance", tolerance];
        let output = Workspace::new().stickslip(&arguments).write_stdin(SLIDING).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{tolerance}");
    }
}

#[test]
fn small_problems_are_solved_to_the_last_digits_like_others() {
    for unit in [1e-130, 1e-100, 1e100, 1e130] {
        let problem = format!(
            r#"{{"dimension": 2, "W": [[1, 0], [0, 1]], "q": [{:e}, {:e}], "mu": [0.5]}}"#,
            -unit,
            2.0 * unit
        );
        for solver in ["nlp", "lcp", "cone"] {
            let arguments = ["contact", "solve", "-", "--solver", solver];
            let output =
                Workspace::new().stickslip(&arguments).write_stdin(problem.clone()).output().unwrap();
            let answer = stdout(&output);
            assert_eq!(answer["status"], "solved", "{solver}: {answer}");
            let near =
                |value: &Value, expected: f64| (value.as_f64().unwrap() / unit - expected).abs() < 1e-7;
            assert!(near(&answer["r"][0], 1.0) && near(&answer["r"][1], -0.5), "{solver}: {answer}");
        }
    }
}

#[test]
fn the_help_says_that_a_law_of_its_own_exits_with_0() {
    let output = Workspace::new().stickslip(&["contact", "solve", "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        help.contains("lcp in space)") && help.contains("Exit status 0 for solved and for relaxed"),
        "{help}"
    );
}

/// Four problems of three contacts with friction up to 3.6 on which every path of pivoting ends in a ray, and every path
/// of the interior point early: trying all bases finds their solutions.
#[test]
fn few_contacts_are_solved_where_every_path_ends() {
    let workspace = Workspace::new();
    for problem in [
        include_str!("../data/contact-rays/rays-1.json"),
        include_str!("../data/contact-rays/rays-2.json"),
        include_str!("../data/contact-rays/rays-3.json"),
        include_str!("../data/contact-rays/rays-4.json"),
    ] {
        for solver in ["nlp", "lcp"] {
            let arguments = ["contact", "solve", "-", "--solver", solver];
            let output = workspace.stickslip(&arguments).write_stdin(problem).output().unwrap();
            let answer = stdout(&output);
            assert_eq!((output.status.code(), &answer["status"]), (Some(0), &json!("solved")), "{answer}");
            assert!(answer["residual"].as_f64().unwrap() < 1e-12, "{answer}");
        }
    }
}

/// A text of Siconos' own test suite.
fn of_siconos(name: &str) -> String {
    format!("{}/tests/data/siconos/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn text_files_of_siconos_are_solved_as_they_are() {
    for (name, solver, rows) in [
        ("FC2D_SliderCrankLagrangian00000.dat", "lcp", 4),
        ("Confeti-ex13-4contact-Fc3D-SBM.dat", "cone", 12),
        ("RFC3D_sphere_2.dat", "cone", 5),
    ] {
        let file = of_siconos(name);
        let arguments = ["contact", "solve", &file, "--solver", solver];
        let output = Workspace::new().stickslip(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let answer = stdout(&output);
        assert_eq!(answer["status"], "solved", "{name}");
        assert_eq!(answer["r"].as_array().unwrap().len(), rows, "{name}");
        assert!(answer["residual"].as_f64().unwrap() <= 1e-8, "{name}: {answer}");
    }
}

#[test]
fn problems_are_written_for_others_and_read_back() {
    let workspace = Workspace::new();
    let original = of_siconos("RFC3D_cube_1.dat");
    let convert = |file: &str, format: &str| {
        let output = workspace.stickslip(&["contact", "convert", file, "--format", format]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let json = convert(&original, "json");
    let keys: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&keys["dimension"], &keys["rolling"]), (&json!(3), &json!([0.0, 0.0])));
    for format in ["siconos", "siconos:dense", "siconos:triplet"] {
        let text = convert(&original, format);
        assert!(text.starts_with("5\n2\n"), "{text}");
        workspace.write("again.dat", &text);
        assert_eq!(convert("again.dat", "json"), json, "{format}");
    }
    let arguments = ["contact", "convert", &original, "--format", "matlab"];
    let message = workspace.stickslip(&arguments).output().unwrap();
    assert_eq!(message.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&message.stderr).contains("siconos:triplet"));
}

#[test]
fn faulty_text_is_refused_with_file_line_and_remedy() {
    let workspace = Workspace::new();
    workspace.write("global.dat", "3\n1\n1\n39\n39\n");
    for command in
        [&["contact", "solve", "global.dat"][..], &["contact", "convert", "global.dat", "--format", "json"]]
    {
        let output = workspace.stickslip(command).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            message.contains("global.dat: line 4: 39 rows of the matrix, but a matrix of 3 rows"),
            "{message}"
        );
        assert!(message.contains("H' M^-1 H"), "{message}");
    }
    let output = workspace.stickslip(&["contact", "solve", "Box_Stacks.hdf5"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stickslip.contact.read"));
}
