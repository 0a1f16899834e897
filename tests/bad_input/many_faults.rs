//! A file with many faults: all are told at once, each one once, in the order of the file.

use crate::{line, refusal};

const BROKEN: &str = r#"name = "Broken Scenario"
duration = "long"
step = 0.0
gravty = 9.81

[particle]
mass = -1.0
position = [0.0, -1.0]
velocity = [1.0]

[ground]
friction = nan

[[push]]
force = [1.0, 2.0, 3.0]

[[push]]
from = 2.0
to = 1.0

[stepper.nlp]
solver = "lemke"
"#;

#[test]
fn every_fault_is_told_once() {
    let refusal = refusal(BROKEN, &["ground.restitution=2", "push[7].to=1"]);
    let told: Vec<(Option<usize>, &str)> = refusal
        .problems
        .iter()
        .map(|problem| (line(problem), problem.key.as_deref().unwrap_or("")))
        .collect();
    let expected = [
        (Some(1), "name"),
        (Some(2), "duration"),
        (Some(3), "step"),
        (Some(4), "gravty"),
        (Some(7), "particle.mass"),
        (Some(8), "particle.position[1]"),
        (Some(9), "particle.velocity"),
        (Some(12), "ground.friction"),
        (Some(15), "push[0].force"),
        (Some(17), "push[1].force"),
        (Some(19), "push[1].to"),
        (Some(22), "stepper.nlp.solver"),
        (None, "push[7].to"),
        (None, "ground.restitution"),
    ];
    assert_eq!(told, expected, "{refusal}");
    let text = refusal.to_string();
    assert_eq!(text.matches("help: ").count(), expected.len());
    assert!(text.starts_with("broken.toml:1:8: `name` is \"Broken Scenario\""), "{text}");
}

#[test]
fn duplicate_keys_do_not_hide_other_faults() {
    let text = BROKEN.replace("mass = -1.0", "mass = -1.0\nmass = 2.0");
    let refusal = refusal(&text, &[]);
    let on = |number| refusal.problems.iter().filter(|problem| line(problem) == Some(number)).count();
    assert_eq!((on(7), on(8), on(3)), (1, 1, 1), "{refusal}");
}

#[test]
fn a_line_that_is_not_toml_is_told_with_the_next_one() {
    let text = BROKEN.replace("step = 0.0", "step = 0.0s").replace("friction = nan", "friction = high");
    let refusal = refusal(&text, &[]);
    let lines: Vec<Option<usize>> = refusal.problems.iter().map(line).collect();
    assert_eq!(lines, [Some(3), Some(12)], "{refusal}");
}

#[test]
fn a_flood_of_faults_is_cut_off() {
    let unknown = |number: usize| format!("key{number} = 1\n");
    let floods = [
        "a = 1\n".repeat(150_000),
        (0..60_000).map(unknown).collect(),
        "[[push]]\nforce=[nan,0]\n".repeat(40_000),
        "a = [1\n".repeat(100_000),
        "a b\n".repeat(200_000),
    ];
    for flood in floods {
        let refusal = refusal(&flood, &[]);
        let count = refusal.problems.len();
        assert!(count <= 51, "{count} problems");
        let last = &refusal.problems[count - 1];
        assert!(count < 51 || last.message.contains("more problems"), "{last:#?}");
    }
}
