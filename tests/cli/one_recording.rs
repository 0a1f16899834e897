//! One recording for all commands that estimate something from throws.

use std::fs;

use serde_json::Value;

use crate::{Workspace, text};

/// The thrown puck of the examples: friction 0.3, restitution 0.6.
const PUCK: &str = r#"
name = "puck"
duration = 1.0
step = 1e-3
[particle]
mass = 1.0
position = [0.0, 0.5]
velocity = [1.0, 0.0]
[ground]
friction = 0.3
restitution = 0.6
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Whether its throws are numbered by `throw` or by `toss`.
#[test]
fn the_thrown_puck_is_checked_predicted_fitted_and_learned_from() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/thrown-point.csv");
    let by_throw = fs::read_to_string(example).expect("the example");
    let by_toss = by_throw.replace("\nthrow,", "\ntoss,");
    assert_ne!(by_throw, by_toss);
    let of_title = [by_throw, by_toss].map(|puck| {
        let workspace = Workspace::new();
        workspace.write("puck.csv", &puck);
        workspace.write("puck.toml", PUCK);
        let files = ["puck.csv", "puck.toml"];
        let told = workspace.stickslip(&[&["recording", "check"], &files[..]].concat()).assert().success();
        assert!(text(&told.get_output().stdout).contains("nothing is wrong"));
        let by_exact = ["--steppers", "exact", "--no-plots"];
        workspace.stickslip(&[&["predict"], &files[..], &by_exact].concat()).assert().success();
        let summary = json(&workspace.read("output/puck/predict/summary.json"));
        let position = summary["steppers"]["exact"]["position"].as_f64().expect("a distance");
        assert!(position < 0.003, "{position}");
        let fit = ["--stepper", "exact", "--parameters", "ground.friction,ground.restitution", "--no-plots"];
        workspace.stickslip(&[&["fit"], &files[..], &fit].concat()).assert().success();
        let fitted = json(&workspace.read("output/puck/fit/result.json"));
        let learn = ["learn", "particle", "--data", "puck.csv", "--set", "contacts=height", "--no-plots"];
        workspace.stickslip(&learn).assert().success();
        let learned = json(&workspace.read("output/learn/particle/result.json"));
        for (name, truth) in [("friction", 0.3), ("restitution", 0.6)] {
            let by_predicting = fitted["parameters"][format!("ground.{name}")]["value"].as_f64();
            let by_likelihood = learned["parameters"][name]["learned"].as_f64();
            for found in [by_predicting, by_likelihood] {
                assert!(found.is_some_and(|found| (found - truth).abs() < 0.01), "{name}: {found:?}");
            }
        }
        (summary["steppers"].clone(), fitted["parameters"].clone(), learned["parameters"].clone())
    });
    assert_eq!(of_title[0], of_title[1]);
}
