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
    for (asked, near) in [
        ("ground.frction", "ground.friction"),
        ("spring.lenght", "spring.length"),
        ("force nosie", "did you mean `force noise`?"),
        ("contatcs.csv", "did you mean `contacts.csv`?"),
        ("gap_ned", "did you mean `gap_end`?"),
        ("lcp:anitesku", "did you mean `lcp:anitescu`?"),
    ] {
        let workspace = Workspace::new();
        let output = workspace.stickslip(&["explain", asked]).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        assert!(message.contains(asked) && message.contains(near), "{message}");
    }
}

#[test]
fn words_of_other_programs_are_answered_with_what_there_is() {
    for (word, told) in [
        ("conveyor", "a [[wall]] with a `velocity`"),
        ("belt", "motion = \"steady\""),
        ("mimic", "no joint follows another"),
        ("rope", "there are no ropes"),
        ("suction", "nothing pulls at contacts"),
        ("relative_to", "in [[push]]: `force` and `torque` are in the axes of the world"),
        ("Heightfield", "there are no meshes"),
        ("tendon", "a [[spring]] pulls"),
        ("muscle", "[joint.drive]"),
        ("thruster", "a [[push]]"),
        ("static_friction", "`friction` is the coefficient of what rests"),
    ] {
        let page = printed(&["explain", word]);
        assert!(page.starts_with(&format!("{word}: no key")) && page.contains(told), "{word}: {page}");
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
fn files_columns_keys_figures_and_printed_words_are_explained() {
    for (asked, told) in [
        ("contacts.csv", "gap_end: true distance when the step ends"),
        ("gap_end", "gap_end in contacts.csv of run: true distance"),
        ("max_natural_map", "max_natural_map, a figure of the run: largest residual of Coulomb's law"),
        ("max_error_x", "largest distance from the exact motion along an axis [m]"),
        // What tables call it.
        ("force noise", "force noise, which files call force_noise: standard deviation"),
        ("natural map", "which files call max_natural_map"),
        ("Energy Gain", "which files call max_energy_gain"),
        ("rescued", "a step that a later attempt solved"),
        ("final turn", "how a body is turned at the end"),
        ("final x, z", "where the point"),
        ("99 %", "99 of 100 steps take less"),
        ("resting height", "how high the centre and the lowest point"),
        ("wild rows", "a marker was lost"),
        ("gravity of the flights", "how fast what flies falls"),
        ("look", "found something to be looked at"),
        ("animation.gif", "a moving picture"),
        ("trajectory.partial.csv", "of a run that failed or was interrupted"),
        ("checksum", "in plan.json of sweep"),
        // Files of every command.
        ("metrics.csv", "final_x, final_y, final_z"),
        ("plan.csv", "CONTACT.gap: of two features that may touch"),
        ("body-0.vx", "in plan.csv of plan: velocity [m/s]"),
        ("miss.box.x", "in replay.csv of plan: how far the end is from the goal"),
        ("path-data.csv", "by every command that draws: a row is a point of the picture"),
        ("replay-step-12.json", "a step that failed"),
        ("timings.json", "what of the summary differs from run to run"),
        ("summary.json", "certificates: how many motions of steps were judged"),
        ("cost_unit", "in summary.json of plan"),
        ("identifiable", "whether the data determine the parameter"),
    ] {
        let page = printed(&["explain", asked]);
        assert!(page.contains(told), "{asked}: {page}");
    }
    // The last part of a key of scenarios, and a column.
    let both = printed(&["explain", "friction"]);
    assert!(both.contains("friction in joints.csv") && both.contains("  ground.friction  "), "{both}");
}

/// Every command that writes results, shortened, with the folder that it writes.
const COMMANDS: [(&[&str], &str); 13] = [
    (&["run", "scenarios/slide.toml", "--set", "duration=0.1"], "slide/nlp"),
    (&["run", "scenarios/four-bar.toml", "--set", "duration=0.01"], "four-bar/nlp"),
    (&["run", "scenarios/cube-throw.toml", "--set", "duration=0.6"], "cube-throw/nlp"),
    (&["run", "scenarios/door.toml", "--set", "duration=0.01"], "door/nlp"),
    (&["compare", "scenarios/slide.toml", "--set", "duration=0.6", "--gradients"], "slide/compare"),
    (
        &["compare", "scenarios/cradle.toml", "--set", "duration=0.1", "--steppers", "nlp,lcp"],
        "cradle/compare",
    ),
    (&["convergence", "scenarios/slide.toml", "--set", "duration=0.1"], "slide/convergence"),
    (&["gradient", "scenarios/slide.toml", "--set", "duration=0.1"], "slide/gradient"),
    (
        &["predict", "data/tosses-sample20.csv", "scenarios/cube-toss.toml", "--steppers", "lcp"],
        "cube-toss/predict",
    ),
    (
        &[
            "fit",
            "data/thrown-point.csv",
            "scenarios/bounce.toml",
            "--parameters",
            "ground.friction",
            "--no-intervals",
        ],
        "bounce/fit",
    ),
    (&["learn", "slack", "--samples", "20"], "learn/slack"),
    (&["study", "sticking-noise"], "study/sticking-noise"),
    (&["plan", "plans/push-block.toml"], "push-block/plan"),
];

#[test]
fn every_column_that_is_written_is_documented() {
    let workspace = Workspace::new();
    let files = stickslip::results::files();
    let mut undocumented = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (command, folder) in COMMANDS {
        let given: Vec<String> = command.iter().map(|word| in_examples(word)).collect();
        let arguments: Vec<&str> = given.iter().map(String::as_str).chain(["--no-plots"]).collect();
        workspace.stickslip(&arguments).assert().success();
        let tables = workspace.files(&format!("output/{folder}")).into_iter();
        for name in tables.filter(|name| name.ends_with(".csv")) {
            // What an experiment or a study measures, its own text tells.
            if command[0] == "study" {
                continue;
            }
            seen.insert(name.clone());
            let file: Vec<_> = files.iter().filter(|file| file.is_called(&name)).collect();
            let text = workspace.read(&format!("output/{folder}/{name}"));
            let header = text.lines().next().expect("a header").split(',');
            let is_known =
                |column: &&str| name == "gradients.csv" || file.iter().any(|file| file.documents(column));
            undocumented
                .extend(header.filter(|column| !is_known(column)).map(|column| format!("{name}: {column}")));
        }
    }
    assert!(undocumented.is_empty(), "{undocumented:?}");
    assert_eq!(seen.len(), 18, "{seen:?}");
}

#[test]
fn every_key_of_a_summary_is_documented() {
    let workspace = Workspace::new();
    let files = stickslip::results::files();
    let mut undocumented = Vec::new();
    // Experiments and studies add what they measure.
    for (command, folder) in
        COMMANDS.into_iter().filter(|(command, _)| !["learn", "study"].contains(&command[0]))
    {
        let given: Vec<String> = command.iter().map(|word| in_examples(word)).collect();
        let arguments: Vec<&str> = given.iter().map(String::as_str).chain(["--no-plots"]).collect();
        workspace.stickslip(&arguments).assert().success();
        let name = if command[0] == "fit" { "result.json" } else { "summary.json" };
        let summary: Value =
            serde_json::from_str(&workspace.read(&format!("output/{folder}/{name}"))).expect("JSON");
        let told = |key: &str| {
            let of_command = |file: &&stickslip::results::ResultFile| {
                file.is_called(name) && file.command == command[0]
                    || file.command.starts_with("every command;")
            };
            files.iter().filter(of_command).any(|file| file.documents(key))
        };
        let keys = summary.as_object().expect("an object").keys();
        let unknown = keys.filter(|key| !told(key) && !["scenario", "stepper"].contains(&key.as_str()));
        undocumented.extend(unknown.map(|key| format!("{}: {key}", command[0])));
    }
    assert!(undocumented.is_empty(), "{undocumented:?}");
}

/// A word of a command line, with what is in the folder of examples by its whole path.
fn in_examples(word: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(word);
    if word.contains('/') { path.display().to_string() } else { word.to_owned() }
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
