//! `stickslip explain` and `stickslip schema`.

use serde_json::Value;
use stickslip::stepper::StepperName;

use crate::{Workspace, text};

/// What a call prints that has to succeed.
fn printed(arguments: &[&str]) -> String {
    text(&Workspace::new().stickslip(arguments).assert().success().get_output().stdout)
}

#[test]
fn a_key_is_explained_with_its_kind_its_default_and_an_example() {
    let friction = printed(&["explain", "ground.friction"]);
    for words in [
        "ground.friction: friction coefficient",
        "a number at least 0 and at most 1e6, required",
        "for example friction = 0.1",
        "[ground]",
    ] {
        assert!(friction.contains(words), "no `{words}` in\n{friction}");
    }
    assert!(
        printed(&["explain", "stepper.lcp.directions"]).contains("8 for a point, 4 for bodies if absent")
    );
    for key in ["push[0].force", "push.0.force", "push.force"] {
        assert!(printed(&["explain", key]).contains("push.force: in N"), "{key}");
    }
    assert!(printed(&["explain", "stepper.convex"]).contains("dissipation_time"));
}

#[test]
fn the_range_of_a_list_is_that_of_its_numbers() {
    let position = printed(&["explain", "particle.position"]);
    assert!(
        position.contains("a list of numbers, each at least -1e6 and at most 1e6, required"),
        "{position}"
    );
    let bodies = printed(&["explain", "pair.bodies"]);
    assert!(bodies.contains("  a list, "), "{bodies}");
}

#[test]
fn what_a_scenario_has_to_say_itself_has_no_default() {
    // It read "1.0 if absent", from a scenario that had it.
    let torque = printed(&["explain", "push.torque"]);
    assert!(torque.contains("optional") && !torque.contains("if absent"), "{torque}");
    let schema: Value = serde_json::from_str(&printed(&["schema"])).expect("JSON");
    assert!(schema["properties"]["push"]["items"]["properties"]["torque"]["default"].is_null());
}

#[test]
fn every_stepper_is_explained() {
    for stepper in StepperName::ALL {
        let told = printed(&["explain", stepper.as_str()]);
        assert!(told.starts_with(&format!("{stepper}: ")) && told.len() > 60, "{told}");
    }
    assert!(printed(&["explain", "nlp"]).contains("[stepper.nlp]"));
}

#[test]
fn what_there_is_not_is_told_with_what_is_near() {
    for (asked, near) in [("ground.frction", "ground.friction"), ("spring.lenght", "spring.length")] {
        let workspace = Workspace::new();
        let output = workspace.stickslip(&["explain", asked]).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        assert!(message.contains(asked) && message.contains(near), "{message}");
    }
}

#[test]
fn the_last_part_of_a_key_is_enough() {
    for (asked, key) in
        [("motion", "body.motion"), ("assemble", "joint.assemble"), ("part.density", "body.part.density")]
    {
        assert_eq!(printed(&["explain", asked]), printed(&["explain", key]), "{asked}");
    }
    // A column of results is called like it.
    let drive = printed(&["explain", "drive"]);
    assert!(
        drive.starts_with(&printed(&["explain", "joint.drive"])) && drive.contains("joints.csv"),
        "{drive}"
    );
    let several = printed(&["explain", "restitution"]);
    for words in
        ["the end of several keys", "  ground.restitution  ", "  wall.restitution  ", "  pair.restitution  "]
    {
        assert!(several.contains(words), "no `{words}` in\n{several}");
    }
}

/// Written anew with `STICKSLIP_WRITE_DOCS=1 cargo test --release --test cli explain`.
#[test]
fn the_reference_in_the_documentation_is_what_the_program_prints() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenario-reference.txt");
    let reference = printed(&["explain"]);
    if std::env::var_os("STICKSLIP_WRITE_DOCS").is_some() {
        std::fs::write(&file, &reference).expect("a writable folder");
    }
    let documented = std::fs::read_to_string(&file).expect("the reference");
    assert!(
        documented == reference,
        "docs/scenario-reference.txt is out of step: write it anew as said above"
    );
}

/// Written anew with `STICKSLIP_WRITE_DOCS=1 cargo test --release --test cli explain`.
#[test]
fn the_page_of_results_in_the_documentation_is_what_the_program_prints() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md");
    let page = printed(&["explain", "results"]);
    if std::env::var_os("STICKSLIP_WRITE_DOCS").is_some() {
        std::fs::write(&file, &page).expect("a writable folder");
    }
    let documented = std::fs::read_to_string(&file).expect("the page");
    assert!(documented == page, "docs/results.md is out of step: write it anew as said above");
}

#[test]
fn files_columns_and_figures_of_results_are_explained() {
    for (asked, told) in [
        ("contacts.csv", "gap_end: true distance when the step ends"),
        ("gap_end", "gap_end in contacts.csv: true distance"),
        ("max_natural_map", "max_natural_map in the run: largest residual of Coulomb's law"),
    ] {
        let page = printed(&["explain", asked]);
        assert!(page.contains(told), "{page}");
    }
    // The last part of a key of scenarios, and a column.
    let both = printed(&["explain", "friction"]);
    assert!(both.contains("friction in joints.csv") && both.contains("  ground.friction  "), "{both}");
}

#[test]
fn every_column_that_is_written_is_documented() {
    let workspace = Workspace::new();
    let short = ["--no-plots", "--set"];
    for (command, scenario, set) in [
        ("run", "slide.toml", "duration=0.1"),
        ("run", "four-bar.toml", "duration=0.01"),
        ("run", "cube-throw.toml", "duration=0.6"),
        ("run", "door.toml", "duration=0.01"),
        ("compare", "slide.toml", "duration=0.6"),
        ("convergence", "slide.toml", "duration=0.1"),
        ("gradient", "slide.toml", "duration=0.1"),
    ] {
        let scenario = crate::example(scenario);
        let arguments = [&[command, &scenario][..], &short, &[set]].concat();
        workspace.stickslip(&arguments).assert().success();
    }
    let mut seen = 0;
    for folder in [
        "slide/nlp",
        "four-bar/nlp",
        "cube-throw/nlp",
        "door/nlp",
        "slide/compare",
        "slide/convergence",
        "slide/gradient",
    ] {
        for name in workspace.files(&format!("output/{folder}")) {
            let Some(file) = stickslip::results::FILES.iter().find(|file| file.name == name) else {
                continue;
            };
            let text = workspace.read(&format!("output/{folder}/{name}"));
            for column in text.lines().next().expect("a header").split(',') {
                let is_known = file.columns.iter().any(|known| known.names.contains(&column));
                assert!(is_known, "{column} of {name}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 14);
}

#[test]
fn the_json_schema_knows_every_key_of_the_examples() {
    let schema: Value = serde_json::from_str(&printed(&["schema"])).expect("JSON");
    assert_eq!(schema["properties"]["ground"]["properties"]["restitution"]["default"], 0.0);
    assert_eq!(
        schema["properties"]["stepper"]["properties"]["lcp"]["properties"]["solver"]["enum"][0],
        "lemke"
    );
    let required: Vec<&str> =
        schema["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(required.contains(&"duration") && !required.contains(&"gravity"), "{required:?}");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios");
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let scenario: toml::Table = std::fs::read_to_string(&path).expect("text").parse().expect("TOML");
        check(&toml::Value::Table(scenario), &schema, &path.display().to_string());
    }
}

/// Whether a number or a list of lists of them is of a kind.
fn fits(value: &toml::Value, kind: &Value) -> bool {
    match value {
        toml::Value::Array(list) => {
            kind["type"] == "array" && list.iter().all(|one| fits(one, &kind["items"]))
        }
        toml::Value::String(_) => kind["type"] == "string",
        _ => kind["type"] == "number",
    }
}

/// Holds the keys and kinds of a value against a schema.
fn check(value: &toml::Value, schema: &Value, place: &str) {
    let schema = match (&schema["oneOf"], value) {
        (Value::Array(kinds), toml::Value::Array(_)) => &kinds[1],
        (Value::Array(kinds), _) => &kinds[0],
        _ => schema,
    };
    if let Value::Array(kinds) = &schema["anyOf"] {
        assert!(
            kinds.iter().any(|kind| fits(value, kind)),
            "{place} = {value:?} is of none of the kinds {kinds:?}"
        );
        return;
    }
    match value {
        toml::Value::Table(table) => {
            for key in schema["required"].as_array().expect("required keys") {
                assert!(table.contains_key(key.as_str().expect("a name")), "{place} lacks {key}");
            }
            for (key, value) in table {
                let inner = schema["properties"]
                    .get(key)
                    .unwrap_or_else(|| panic!("{place}.{key} is not in the schema"));
                check(value, inner, &format!("{place}.{key}"));
            }
        }
        toml::Value::Array(list) => {
            assert_eq!(schema["type"], "array", "{place}");
            list.iter().for_each(|value| check(value, &schema["items"], place));
        }
        toml::Value::String(word) => match &schema["enum"] {
            Value::Array(words) => assert!(words.iter().any(|one| one == word.as_str()), "{place} = {word}"),
            _ => assert_eq!(schema["type"], "string", "{place}"),
        },
        toml::Value::Boolean(_) => assert_eq!(schema["type"], "boolean", "{place}"),
        toml::Value::Integer(_) => {
            assert!(schema["type"] == "integer" || schema["type"] == "number", "{place}")
        }
        _ => assert_eq!(schema["type"], "number", "{place}"),
    }
}

#[test]
fn a_key_that_takes_several_kinds_of_values_names_them_all() {
    let output = crate::Workspace::new().stickslip(&["explain", "body.size"]).output().expect("runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("a list of numbers, or a number, or a list of lists"), "{told}");
    assert!(told.contains("size = [0.4, 1.0], or 0.5, or [["), "{told}");
}
