//! Faults of whole tables: missing, repeated, of the wrong kind, or with parts that do not fit.

use crate::{VALID, assert_tells, line, only_problem, refusal, with_line};

/// `VALID` without the line `number`, counted from 1.
fn without_line(number: usize) -> String {
    with_line(number, "")
}

#[test]
fn a_required_key_may_not_be_missing() {
    for (number, key, table_line) in [
        (1, "name", 1),
        (2, "duration", 1),
        (3, "step", 1),
        (7, "particle.mass", 6),
        (8, "particle.position", 6),
        (9, "particle.velocity", 6),
        (12, "ground.friction", 11),
        (17, "push[0].force", 16),
    ] {
        let problem = only_problem(&without_line(number), &[]);
        assert_tells(&problem, Some(key), &["is missing", "add `"]);
        assert_eq!(line(&problem), Some(table_line), "{key}");
    }
}

#[test]
fn a_required_table_may_not_be_missing() {
    for (table, lines) in [("particle", 6..=9), ("ground", 11..=14)] {
        let kept = VALID.lines().enumerate().filter(|(index, _)| !lines.contains(&(index + 1)));
        let text: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        let problem = only_problem(&text, &[]);
        assert_tells(&problem, Some(table), &["the table", "is missing", "the keys of"]);
    }
}

#[test]
fn where_nothing_is_there_to_move_both_a_point_and_bodies_are_offered() {
    let text = "name = \"t\"\nduration = 0.05\nstep = 1e-3\n[ground]\nfriction = 0.3\n";
    let offered =
        ["the table [particle] is missing, and there is no [[body]]", "the keys of [[body]] are name, shape"];
    assert_tells(&only_problem(text, &[]), Some("particle"), &offered);
}

#[test]
fn single_and_double_brackets_are_told_apart() {
    let problem = only_problem(&with_line(16, "[push]"), &[]);
    assert_tells(&problem, Some("push"), &["must be a list of tables", "found one table", "[[push]]"]);
    assert_eq!(line(&problem), Some(16));
    let problem = only_problem(&with_line(11, "[[ground]]"), &[]);
    assert_tells(&problem, Some("ground"), &["must be one table", "[[ground]]", "open it with [ground]"]);
    assert_eq!(line(&problem), Some(11));
}

#[test]
fn a_value_cannot_stand_for_a_table() {
    let text = VALID.replacen("[stepper.nlp]", "[stepper]\nnlp = \"ipopt\"\n[stepper.nlq]", 1);
    let refusal = refusal(&text, &[]);
    assert_tells(&refusal.problems[0], Some("stepper.nlp"), &["must be a table", "the string \"ipopt\""]);
    let problem = only_problem(
        "push = 3\nname = \"a\"\nduration = 1\nstep = 1\nground.friction = 0\nparticle = { mass = 1, position = [0, 0], velocity = [0, 0] }",
        &[],
    );
    assert_tells(&problem, Some("push"), &["must be a list of tables", "the integer"]);
}

#[test]
fn vectors_have_two_or_three_components() {
    for (replacement, count) in [
        ("position = []", "0 components"),
        ("position = [1.0]", "1 component,"),
        ("position = [0.0, 0.0, 1.0, 0.0]", "4 components"),
    ] {
        let problem = only_problem(&with_line(8, replacement), &[]);
        assert_tells(&problem, Some("particle.position"), &[count, "2 (x, z) or 3 (x, y, z)"]);
        assert_eq!(line(&problem), Some(8));
    }
}

#[test]
fn vectors_have_the_same_number_of_components() {
    let problem = only_problem(&with_line(9, "velocity = [1.0, 0.0, 0.0]"), &[]);
    assert_tells(&problem, Some("particle.velocity"), &["has 3 components", "`particle.position` has 2"]);
    assert_eq!(line(&problem), Some(9));
    let problem = only_problem(&with_line(17, "force = [1.0, 2.0, 3.0]"), &[]);
    assert_tells(&problem, Some("push[0].force"), &["has 3 components", "`particle.position` has 2"]);
    assert_eq!(line(&problem), Some(17));
}

#[test]
fn a_phase_needs_a_frequency() {
    let text = with_line(20, "").replace("phase = 0.0", "phase = 1.5");
    let problem = only_problem(&text, &[]);
    assert_tells(&problem, Some("push[0].phase"), &["is 1.5,", "push[0].frequency", "add a frequency"]);
    assert_eq!(line(&problem), Some(21));
}

#[test]
fn parameters_of_the_other_law_are_refused() {
    let text = with_line(43, "law = \"hunt-crossley\"");
    let refusal = refusal(&text, &[]);
    let keys: Vec<_> = refusal.problems.iter().map(|problem| problem.key.as_deref()).collect();
    assert_eq!(keys, [Some("stepper.smooth.amplitude"), Some("stepper.smooth.sharpness")]);
    for problem in &refusal.problems {
        assert_tells(problem, problem.key.as_deref(), &["no effect", "law = \"tanh\"", "stiffness"]);
    }
}

#[test]
fn a_table_is_opened_once() {
    let text = format!("{VALID}\n[particle]\n");
    let problem = only_problem(&text, &[]);
    assert_tells(&problem, Some("particle"), &["duplicate key", "opened once"]);
    assert_eq!(line(&problem), Some(48));
}

#[test]
fn a_file_without_keys_is_no_scenario() {
    for text in ["", "\n\n", "# nothing but a comment\n"] {
        let problem = only_problem(text, &[]);
        assert_tells(&problem, None, &["empty", "name, duration, step"]);
        assert_eq!(line(&problem), Some(1));
    }
}

#[test]
fn other_formats_are_recognised_as_not_toml() {
    for text in [
        "<?xml version=\"1.0\"?>\n",
        "{\"name\": \"slide\"}\n",
        "name: slide\nduration: 1.2\n",
        "hello world\n",
        "\0\0\0",
        "[particle\nmass = 1\n",
    ] {
        let refusal = refusal(text, &[]);
        assert!(refusal.problems.iter().all(|problem| problem.message.contains("TOML")), "{refusal}");
        assert_eq!(line(&refusal.problems[0]), Some(1));
    }
}

#[test]
fn an_abyss_of_brackets_is_refused() {
    for text in [format!("a = {}", "[".repeat(100_000)), format!("{}b = 1", "a.".repeat(100_000))] {
        assert!(!refusal(&text, &[]).problems.is_empty());
    }
}

#[test]
fn a_list_without_a_body_is_no_scenario() {
    let bodies = "name = \"none\"\nduration = 1.0\nstep = 1e-3\nbody = []\n[ground]\nfriction = 0.1\n\
                  [[wall]]\nnormal = [1.0, 0.0]\noffset = 0.0\n[[pair]]\nbodies = [\"a\", \"ground\"]\n\
                  [[rod]]\nbodies = [\"a\", \"b\"]\n[[push]]\nbody = \"a\"\nforce = [1.0, 0.0]\n";
    let problem = only_problem(bodies, &[]);
    assert_tells(&problem, Some("body"), &["is an empty list", "at least one [[body]]", "[particle]"]);
    assert_eq!(line(&problem), Some(4));
    let problem = only_problem(VALID, &["body=[]"]);
    assert_tells(&problem, Some("body"), &["is an empty list", "remove it for the particle"]);
    assert_eq!(line(&problem), None);
    // Faults that no body is needed for are told all the same.
    let refusal = refusal(&bodies.replace("friction = 0.1", "frction = 0.1"), &[]);
    let keys: Vec<_> = refusal.problems.iter().filter_map(|problem| problem.key.as_deref()).collect();
    assert_eq!(keys, ["body", "ground.friction", "ground.frction"]);
}

#[test]
fn a_carriage_return_by_itself_is_named() {
    for text in [VALID.trim_end().to_owned() + "\r", VALID.replace("mass = 10.0\n", "mass = 10.0 # kg\r")] {
        let refusal = refusal(&text, &[]);
        assert_tells(
            &refusal.problems[0],
            refusal.problems[0].key.as_deref(),
            &["a carriage return stands without a line feed", "line ends of Unix or Windows"],
        );
        let span = refusal.problems[0].place.span().expect("in the text");
        assert_eq!(&text[span], "\r");
    }
}
