//! `stickslip convergence`.

use crate::{Workspace, example, text};

#[test]
fn errors_and_orders_are_written_and_told_which_errors_they_are() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["convergence", &slide, "--steppers", "hybrid, lcp", "--steps", "5e-3,2e-3,5e-3"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("root mean square error over the whole motion and all coordinates"), "{table}");
    let rows = workspace.read("output/slide/convergence/convergence.csv");
    assert_eq!(rows.lines().count(), 1 + 2 * 2, "each step once:\n{rows}");
}

#[test]
fn a_stepper_that_fails_is_a_failure_with_replay_files() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments =
        ["convergence", &slide, "--steppers", "nlp:seed,hybrid", "--steps", "2e-3,1e-3", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(1).get_output().clone();
    let message = text(&output.stderr);
    for words in ["nlp:seed", "step 0 at t = 0 s failed", "replay file", "--replay"] {
        assert!(message.contains(words), "no `{words}` in\n{message}");
    }
    let files = workspace.files("output/slide/convergence");
    let replay = files.iter().find(|file| file.contains("replay-step-")).expect("a replay file");
    assert!(message.contains("`stickslip run --replay output/slide/convergence/nlp-seed.dt-"), "{message}");
    let replay = format!("output/slide/convergence/{replay}");
    workspace.stickslip(&["run", "--replay", &replay]).assert().code(1);
    assert!(workspace.read("output/slide/convergence/convergence.csv").contains("hybrid,0.001,"));
}

#[test]
fn steps_longer_than_the_scenario_are_refused() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let output = workspace
        .stickslip(&["convergence", &slide, "--steps", "2,1e-3"])
        .assert()
        .code(2)
        .get_output()
        .clone();
    assert!(text(&output.stderr).contains("longer than the whole scenario"), "{}", text(&output.stderr));
    assert!(workspace.files("output").is_empty());
}

#[test]
fn a_model_error_is_named_with_its_size_in_table_summary_and_picture() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let arguments = ["convergence", &bounce, "--steppers", "lcp,convex", "--steps", "2e-3,1e-3"];
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).expect("a row").to_owned();
    assert!(row("convex ").contains("model error") && !row("lcp ").contains("model error"), "{table}");
    assert!(table.contains("convex: an error of the model, 0.1") && table.contains("m in z"), "{table}");
    assert!(table.contains("convex: ground.restitution = 0.6 is ignored"), "{table}");
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/bounce/convergence/summary.json")).expect("JSON");
    let [lcp, convex] = [0, 1].map(|place| &summary["steppers"][place]);
    assert!(lcp["model_error"].is_null() && lcp["order"].as_f64() > Some(0.8), "{lcp}");
    assert!(convex["order"].is_null() && convex["model_error"]["max_error"]["z"].as_f64() > Some(0.3));
    let picture = workspace.read("output/bounce/convergence/convergence.svg");
    assert!(picture.contains("error of the model"), "the legend names it");
}

/// The default `convex` makes the ground of a point that starts sliding soft for the whole run, and it bounces when it lands later.
#[test]
fn an_error_that_grows_as_steps_get_shorter_is_told() {
    let workspace = Workspace::new();
    workspace.write(
        "lifted.toml",
        "name = \"lifted\"\nduration = 1.0\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [3.0, 0.0]\n[ground]\nfriction = 0.1\n[[push]]\nforce = [0.0, 20.0]\nfrom = 0.2\nto = 0.25\n",
    );
    let arguments =
        ["convergence", "lifted.toml", "--steppers", "lcp,convex", "--steps", "2e-3,1e-3,5e-4", "--no-plots"];
    let table = text(&workspace.stickslip(&arguments).assert().success().get_output().stdout);
    assert!(table.contains("convex: over these steps its error grows as steps get shorter"), "{table}");
    assert!(!table.contains("lcp: over these steps"), "{table}");
}

#[test]
fn where_there_is_no_exact_motion_each_model_is_compared_with_itself_and_that_is_said() {
    let workspace = Workspace::new();
    let chain = example("chain.toml");
    let arguments = ["convergence", &chain, "--set", "duration=0.2", "--steppers", "lcp,smooth"];
    let arguments = [&arguments[..], &["--steps", "4e-3,2e-3,1e-3"]].concat();
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("there is no exact motion: there are rods or springs"), "{table}");
    assert!(table.contains("from its own motion at dt = 0.00025 s"), "{table}");
    assert!(table.contains("not whether on what is right"), "{table}");
    let folder = "output/chain/convergence";
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read(&format!("{folder}/summary.json"))).expect("JSON");
    assert_eq!(summary["reference"]["motion"], "own");
    assert_eq!(summary["reference"]["step"], 0.00025);
    let lcp = &summary["steppers"][0];
    let order = lcp["order"].as_f64().expect("distances above rounding");
    assert!((order - 1.0).abs() < 0.2, "{order}");
    assert!(lcp["model_error"].is_null());
    let rows = workspace.read(&format!("{folder}/convergence.csv"));
    assert_eq!(rows.lines().count(), 1 + 2 * 3);
    assert!(
        rows.lines().skip(1).all(|row| row.contains(",complete,") && row.ends_with(",0.00025")),
        "{rows}"
    );
    assert!(workspace.read(&format!("{folder}/convergence.svg")).contains("own finer motion"));
    assert!(workspace.read(&format!("{folder}/report.html")).contains("their own motions at dt = 0.00025 s"));
}

#[test]
fn a_step_that_is_no_multiple_of_the_finer_one_has_a_reason_in_the_place_of_an_error() {
    let workspace = Workspace::new();
    let chain = example("chain.toml");
    let arguments = ["convergence", &chain, "--steppers", "lcp", "--steps", "3.1e-3,1e-3", "--no-plots"];
    let arguments = [&arguments[..], &["--set", "duration=0.1"]].concat();
    // A tenth of the finest step is the first part of it that 3.1 ms are a multiple of.
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("from its own motion at dt = 0.0001 s"), "{table}");
    // Where the last step does not end where the scenario does.
    let told = text(&output.stderr);
    assert!(
        told.contains("no multiple of the step of 0.0031 s") && told.contains("32 steps end at 0.0992 s"),
        "{told}"
    );
    assert!(!told.contains("0.001 s"), "{told}");
    let steps = ["3.14159e-3", "1e-3"].join(",");
    let arguments = ["convergence", &chain, "--steppers", "lcp", "--steps", &steps, "--no-plots"];
    let arguments = [&arguments[..], &["--set", "duration=0.1"]].concat();
    let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
    let table = text(&output.stdout);
    assert!(table.contains("no error at dt = 0.00314159: no multiple of the step of 0.00025 s"), "{table}");
}
