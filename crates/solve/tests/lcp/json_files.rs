//! Problems and solutions as JSON text.

use stickslip_solve::lcp::{Lemke, problem_from_json, solution_to_json};

#[track_caller]
fn refusal(text: &str) -> String {
    problem_from_json(text).expect_err("must be refused").to_string()
}

#[test]
fn a_problem_is_read_and_its_solution_written() {
    let problem = problem_from_json(r#"{"M": [[2, 0], [0, 4]], "q": [-1, 1]}"#).unwrap();
    let text = solution_to_json(&Lemke::new(problem.dim()).solve(&problem)).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["status"], "solved");
    assert_eq!(value["z"], serde_json::json!([0.5, 0.0]));
    assert_eq!(value["w"], serde_json::json!([0.0, 1.0]));
    assert_eq!(value["residual"], 0.0);
    assert!(value["pivots"].as_u64().is_some_and(|pivots| pivots >= 1));
    assert_eq!(value.as_object().unwrap().len(), 5);
}

#[test]
fn a_mixed_problem_names_its_free_unknowns() {
    let problem = problem_from_json(r#"{"M": [[1, 0], [0, 1]], "q": [3, -1], "free": 1}"#).unwrap();
    let solution = Lemke::new(problem.dim()).solve(&problem);
    assert_eq!(solution.z.as_slice(), [-3.0, 1.0]);
}

#[test]
fn text_that_is_not_json_is_refused_with_its_place() {
    let message = refusal("{\"M\": [[1.0]],\n \"q\": [-1.0}");
    assert!(message.starts_with("line 2, column 12:"), "{message}");
}

#[test]
fn nan_is_refused_with_its_place() {
    let message = refusal("{\"M\": [[NaN]], \"q\": [1]}");
    assert!(message.starts_with("line 1, column 9:") && message.contains("finite"), "{message}");
}

#[test]
fn null_is_refused_with_its_place() {
    let message = refusal("{\"M\": [[1]],\n\"q\": [null]}");
    assert!(message.starts_with("line 2, column 10:") && message.contains("null"), "{message}");
}

#[test]
fn a_number_beyond_double_precision_is_refused() {
    let message = refusal(r#"{"M": [[1e999]], "q": [1]}"#);
    assert!(message.contains("out of range"), "{message}");
}

#[test]
fn a_matrix_that_is_not_square_is_refused() {
    let message = refusal(r#"{"M": [[1, 2], [3]], "q": [1, 2]}"#);
    assert_eq!(message, "`M` is not square: it has 2 rows, but row 2 has 1 entries");
}

#[test]
fn a_vector_that_does_not_fit_is_refused() {
    let message = refusal(r#"{"M": [[1]], "q": [1, 2]}"#);
    assert_eq!(message, "`q` has 2 entries, but `M` has 1 rows; they must agree");
}

#[test]
fn an_empty_problem_is_refused() {
    assert!(refusal(r#"{"M": [], "q": []}"#).contains("empty"));
}

#[test]
fn a_missing_or_unknown_key_is_refused_by_name() {
    assert!(refusal(r#"{"M": [[1]]}"#).contains("missing field `q`"));
    let message = refusal(r#"{"M": [[1]], "q": [1], "b": 2}"#);
    assert!(message.contains("unknown field `b`"), "{message}");
}
