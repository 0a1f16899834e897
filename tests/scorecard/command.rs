//! `stickslip scorecard` and `stickslip export`.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

fn stickslip(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("stickslip").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

fn printed(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SMALL: [&str; 7] =
    ["scorecard", "--phenomena", "stopping-distance", "--steppers", "lcp,hybrid", "--steps", "1e-2"];

#[test]
fn it_prints_the_verdicts_and_writes_table_summary_and_picture() {
    let folder = TempDir::new().unwrap();
    let output = stickslip(folder.path(), &SMALL).assert().success().get_output().clone();
    assert!(printed(&output.stdout).contains("  stopping-distance  o    o"), "{}", printed(&output.stdout));
    let results = folder.path().join("output/scorecard");
    let table = std::fs::read_to_string(results.join("scorecard.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(results.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["phenomena"][0]["verdicts"]["hybrid"][0], "off");
    assert_eq!(summary["models"]["lcp"][0]["off"], 1);
    let report = std::fs::read_to_string(results.join("report.html")).unwrap();
    for said in ["A sliding block stops", "v0^2 / (2 mu g)", "Coulomb, Theorie", "stopping-distance"] {
        assert!(report.contains(said), "{said}");
    }
    let picture = std::fs::read_to_string(results.join("heat-map.svg")).unwrap();
    assert!(roxmltree::Document::parse(&picture).is_ok() && results.join("heat-map.png").exists());
}

#[test]
fn what_is_wrong_with_its_options_is_told_before_anything_runs() {
    let folder = TempDir::new().unwrap();
    for (option, value, told) in [
        ("--phenomena", "stoping-distance", "did you mean `stopping-distance`?"),
        ("--steps", "0.5", "in steps of"),
        ("--steps", "nan", "in steps of"),
        ("--steppers", "magic", "there is no stepper `magic`"),
    ] {
        let output =
            stickslip(folder.path(), &["scorecard", option, value]).assert().code(2).get_output().clone();
        assert!(printed(&output.stderr).contains(told), "{}", printed(&output.stderr));
    }
    assert!(!folder.path().join("output").exists());
}

/// A program that records what `lcp` does gets the verdicts of `lcp`, in the plane and in space.
#[test]
fn what_another_program_recorded_is_judged_as_the_models_are() {
    let folder = TempDir::new().unwrap();
    for phenomenon in ["stopping-distance", "slide-direction"] {
        let only = ["scorecard", "--phenomena", phenomenon, "--steps", "1e-2"];
        stickslip(folder.path(), &[&only[..], &["--write-scenes", "peers"]].concat()).assert().success();
        let scene = format!("peers/scenes/{phenomenon}/1e-2/0.toml");
        let run = ["run", &scene, "--stepper", "lcp", "--no-plots", "--quiet"];
        stickslip(folder.path(), &run).assert().success();
        let trajectory = folder.path().join(format!("output/{phenomenon}/lcp/trajectory.csv"));
        let trajectory = std::fs::read_to_string(trajectory).unwrap();
        let mut lines = trajectory.lines();
        let header = lines.next().unwrap();
        let recorded: String = lines.map(|line| format!("body-0,{line}\n")).collect();
        let place = folder.path().join(format!("peers/twin/{phenomenon}/1e-2"));
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("0.csv"), format!("body,{header}\n{recorded}")).unwrap();
        let judged = [&only[..], &["--steppers", "lcp", "--recorded", "peers"]].concat();
        stickslip(folder.path(), &judged).assert().success();
        let table = std::fs::read_to_string(folder.path().join("output/scorecard/scorecard.csv")).unwrap();
        let row = |model: &str| {
            let line = table.lines().find(|line| line.contains(&format!(",{model},"))).unwrap();
            line.replace(model, "model")
        };
        assert_eq!(row("twin"), row("lcp"));
        assert!(!row("lcp").contains("refused"), "{}", row("lcp"));
    }

    let place = folder.path().join("peers/twin/stopping-distance/1e-2");
    let mut arguments = SMALL.to_vec();
    arguments.extend(["--recorded", "peers"]);
    std::fs::write(place.join("0.csv"), "body,x,z,vx,vz\nbody-0,0,far,0,0\n").unwrap();
    let output = stickslip(folder.path(), &arguments).assert().code(2).get_output().clone();
    assert!(
        printed(&output.stderr).contains("`far` in column z is no number"),
        "{}",
        printed(&output.stderr)
    );
}

#[test]
fn a_recorded_folder_that_is_called_like_a_model_leaves_its_verdicts() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir_all(folder.path().join("peers/lcp")).unwrap();
    let arguments = [&SMALL[..], &["--recorded", "peers"]].concat();
    stickslip(folder.path(), &arguments).assert().success();
    let summary = std::fs::read(folder.path().join("output/scorecard/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let verdicts = &summary["phenomena"][0]["verdicts"];
    assert_eq!(verdicts["lcp"][0], "off", "{verdicts}");
    assert_eq!(verdicts["lcp (recorded)"][0], "refused", "{verdicts}");
}

#[test]
fn a_scene_goes_to_standard_output_and_what_it_lacks_to_standard_error() {
    let folder = TempDir::new().unwrap();
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scenarios/conveyor.toml");
    let output = stickslip(folder.path(), &["export", scenario, "--format", "mjcf"])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(printed(&output.stdout).contains("<mujoco model=\"conveyor\">"));
    assert!(printed(&output.stderr).contains("wall.0.velocity"), "{}", printed(&output.stderr));
    stickslip(folder.path(), &["export", scenario, "--format", "urdf"]).assert().code(2);
}
