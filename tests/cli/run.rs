//! `stickslip run`.

use crate::{Workspace, example, text};

#[test]
fn the_blog_post_example_gives_a_trajectory_a_summary_and_pictures() {
    let workspace = Workspace::new();
    let output =
        workspace.stickslip(&["run", &example("slide.toml")]).assert().success().get_output().clone();
    let files = workspace.files("output/slide/nlp");
    let figures = ["history", "path", "modes", "energy", "friction-cone", "phase"];
    let pictures = figures
        .iter()
        .flat_map(|figure| [".svg", ".png", ".pdf", "-data.csv"].map(|ending| format!("{figure}{ending}")));
    for file in
        ["trajectory.csv", "summary.json", "animation.gif"].map(str::to_owned).into_iter().chain(pictures)
    {
        assert!(files.contains(&file), "{file} is missing in {files:?}");
    }
    let table = text(&output.stdout);
    for words in ["slide by nlp (IPOPT ", "1200 solved, 0 rescued, 0 failed", "final x, z"] {
        assert!(table.contains(words), "no `{words}` in\n{table}");
    }
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn the_table_tells_how_bodies_are_turned_and_where_each_ends() {
    let workspace = Workspace::new();
    let table = |scenario: &str, duration: &str| {
        let arguments = ["run", &example(scenario), "--no-plots", "--set", duration];
        text(&workspace.stickslip(&arguments).assert().success().get_output().stdout).to_owned()
    };
    let pendulum = table("pendulum.toml", "duration=0.001");
    assert!(pendulum.contains("final turn") && pendulum.contains("degrees"), "{pendulum}");
    let cube = table("cube-throw.toml", "duration=0.001");
    assert!(cube.contains("tilted by") && cube.contains("rad/s, in the axes of the body"), "{cube}");
    // The last of four balls goes on with the speed of the first, and the others rest.
    let cradle = table("cradle.toml", "duration=0.2");
    assert!(!cradle.contains("centre of mass"), "{cradle}");
    let last = cradle.lines().skip_while(|line| !line.starts_with("  final body-3 ")).nth(1);
    assert_eq!(last.map(str::trim), Some("at 1.000000, 0.000000 m/s"), "{cradle}");
    assert_eq!(cradle.matches(" m/s").count(), 1, "{cradle}");
    let crank = table("slider-crank.toml", "duration=0.001");
    assert!(
        crank.lines().filter(|line| line.starts_with("  final ") && line.contains("degrees")).count() > 1,
        "{crank}"
    );
}

/// Sweeps over ten cubes upon each other end 10 to 10,000 times above the tolerance.
#[test]
fn a_rescued_step_that_misses_the_tolerance_is_not_said_to_pass_the_same_checks() {
    let workspace = Workspace::new();
    let cube = |level: u32| {
        let height = 0.05 + 0.1 * f64::from(level);
        format!(
            "[[body]]\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, {height}]\n"
        )
    };
    let cubes: String = (0..10).map(cube).collect();
    let scenario =
        format!("name = \"tower\"\nduration = 0.002\nstep = 0.001\n[ground]\nfriction = 0.5\n{cubes}");
    workspace.write("tower.toml", &scenario);
    let steppers = ["--stepper", "cone:gauss-seidel"];
    let printed = |arguments: &[&str]| {
        text(&workspace.stickslip(arguments).assert().success().get_output().stdout).to_owned()
    };
    let table = printed(&[&["run", "tower.toml", "--no-plots"][..], &steppers].concat());
    let told = "2 miss the tolerance, as no attempt came closer: their residuals are ";
    assert!(table.contains(&format!("2 rescued (by a later attempt; {told}")), "{table}");
    assert!(!table.contains("same checks"), "{table}");
    let summary = workspace.read("output/tower/cone-gauss-seidel/summary.json");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("a summary");
    assert_eq!(summary["approximate"]["steps"], 2);
    let largest = summary["approximate"]["largest_residual"].as_f64().expect("a residual");
    assert!((1e-8..=1e-4).contains(&largest), "{largest}");
    let compared = printed(&["compare", "tower.toml", "--steppers", "cone:gauss-seidel,cone", "--no-plots"]);
    assert!(compared.contains(&format!("cone:gauss-seidel: of the rescued steps {told}")), "{compared}");
    assert!(!compared.contains("cone: of the rescued"), "{compared}");
}

#[test]
fn the_solver_of_nlp_is_one_switch_away() {
    let workspace = Workspace::new();
    let run = |solver: &str| {
        let arguments = ["run", &example("slide.toml"), "--no-plots", "--solver", solver];
        workspace.stickslip(&arguments).assert().success().get_output().clone()
    };
    assert!(text(&run("interior-point").stdout).starts_with("slide by nlp (interior-point "));
    assert!(text(&run("ipopt").stdout).starts_with("slide by nlp (IPOPT "));
    // The switch is the last word, as any later --set would be.
    let both = ["--solver", "interior-point", "--set", "stepper.nlp.solver=ipopt"];
    let output = workspace.stickslip(&["run", &example("slide.toml"), "--no-plots"]).args(both).output();
    assert!(text(&output.expect("an output").stdout).starts_with("slide by nlp (interior-point "));
    let arguments = ["run", &example("slide.toml"), "--solver", "simplex"];
    let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("simplex") && message.contains("interior-point"), "{message}");
}

#[test]
fn every_example_runs_under_the_default_stepper() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a scenario");
        if text.contains("[[particle]]") {
            continue;
        }
        let workspace = Workspace::new();
        let path = path.to_str().expect("a path in UTF-8");
        workspace.stickslip(&["run", path, "--no-plots"]).assert().success();
        count += 1;
    }
    assert!(count >= 8, "only {count} examples");
}

#[test]
fn no_plots_leaves_the_table_and_the_summary_only() {
    let workspace = Workspace::new();
    workspace.stickslip(&["run", &example("drop.toml"), "--no-plots"]).assert().success();
    assert_eq!(workspace.files("output/drop/nlp"), ["summary.json", "timings.json", "trajectory.csv"]);
}

#[test]
fn set_overrides_a_key_and_output_moves_the_results() {
    let workspace = Workspace::new();
    workspace
        .stickslip(&["run", &example("slide.toml"), "--no-plots", "--output", "elsewhere"])
        .args(["--set", "ground.friction=0.3", "--set", "name=steep"])
        .assert()
        .success();
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("elsewhere/steep/nlp/summary.json")).expect("JSON");
    assert_eq!(summary["scenario"], "steep");
    let x = summary["metrics"]["final_x"].as_f64().expect("a number");
    assert!(x < 0.5, "more friction stops earlier, but x = {x}");
}

#[test]
fn the_colon_of_a_stepper_becomes_a_dash_in_its_folder() {
    let workspace = Workspace::new();
    workspace
        .stickslip(&["run", &example("slide.toml"), "--no-plots", "--stepper", "lcp:anitescu"])
        .assert()
        .success();
    assert_eq!(
        workspace.files("output/slide/lcp-anitescu"),
        ["summary.json", "timings.json", "trajectory.csv"]
    );
}

#[test]
fn a_run_gives_the_same_bytes_twice() {
    let workspace = Workspace::new();
    let read = || {
        workspace.stickslip(&["run", &example("bounce.toml"), "--no-plots"]).assert().success();
        workspace.read("output/bounce/nlp/trajectory.csv")
    };
    assert_eq!(read(), read());
}

#[test]
fn a_solver_that_does_not_fit_is_refused_and_no_other_stepper_takes_over() {
    let workspace = Workspace::new();
    for (arguments, words) in [
        (
            ["run", &example("stack.toml"), "--solver", "interior-point", "--stepper", "nlp"],
            ["single point", "structured"],
        ),
        (
            ["run", &example("slide.toml"), "--solver", "ipopt", "--stepper", "hybrid"],
            ["--solver ipopt", "`hybrid`"],
        ),
    ] {
        // With and without the stepper that is the default.
        let lengths = if arguments[5] == "nlp" { &[4, 6][..] } else { &[6] };
        for &length in lengths {
            let output = workspace.stickslip(&arguments[..length]).assert().code(2).get_output().clone();
            let message = crate::text(&output.stderr);
            assert!(words.iter().all(|word| message.contains(word)), "{message}");
            assert!(output.stdout.is_empty() && workspace.files("output").is_empty());
        }
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused_with_what_to_write() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for (arguments, words) in [
        (["run", &slide, "--every", "0"], "whole number"),
        (["convergence", &slide, "--steps", "1e-3,abc"], "numbers of seconds"),
        (["convergence", &slide, "--steps", "-1"], "at least 1e-9"),
        (["compare", &slide, "--tolerance", "-1"], "positive and finite"),
    ] {
        let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
        let message = crate::text(&output.stderr);
        assert!(message.contains(words), "{arguments:?}: {message}");
        assert!(workspace.files("output").is_empty());
    }
}

#[test]
fn a_run_of_bodies_that_sink_into_each_other_is_no_result() {
    let workspace = Workspace::new();
    // Springs that carry the light box between them and the ground are too soft for what stands on it.
    let settings = ["--set", "body.1.mass=1000", "--set", "duration=0.5", "--no-plots"];
    let run = |stepper: &str, more: &[&str]| {
        workspace
            .stickslip(&["run", &example("stack.toml"), "--stepper", stepper])
            .args(settings)
            .args(more)
            .output()
    };
    let refused = run("smooth", &[]).unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    for words in
        ["under stepper `smooth` is no result", "% of its size", "--accept-overlap", "output/stack/smooth"]
    {
        assert!(said.contains(words), "no `{words}` in {said}");
    }
    assert!(workspace.files("output/stack/smooth").contains(&"summary.json".to_owned()));
    assert!(run("smooth", &["--accept-overlap"]).unwrap().status.success());
    // What is rigid and does not overlap is a result.
    assert!(run("nlp", &[]).unwrap().status.success());
}

#[test]
fn an_impact_is_drawn_where_it_is_asked_for_and_refused_where_there_is_none() {
    let workspace = Workspace::new();
    let scenario = example("rod-drop.toml");
    let run = |more: &[&str]| {
        let mut command = workspace.stickslip(&["run", &scenario]);
        command.args(more).assert().get_output().clone()
    };
    let output = run(&["--impact", "1"]);
    assert!(
        output.status.success() && text(&output.stdout).contains("impulse-plane{.svg,.png,.pdf,-data.csv}"),
        "{output:?}"
    );
    let csv = workspace.read("output/rod-drop/nlp/impulse-plane-data.csv");
    assert!(csv.contains("way of the impulse") && csv.contains("end, one-stage"), "{csv}");

    // How many impacts there are is known after the run alone.
    let refusals: [(&[&str], i32, &str); 2] =
        [(&["--impact", "1000000"], 1, "the run has"), (&["--impact", "0"], 2, "1 for the first")];
    for (words, status, reason) in refusals {
        let output = run(words);
        assert_eq!(output.status.code(), Some(status), "{words:?}");
        assert!(text(&output.stderr).contains(reason), "{words:?}: {}", text(&output.stderr));
    }
    assert!(!workspace.path("output/rod-drop/nlp/impulse-plane.svg").exists(), "it is of another run");
    for (name, reason) in
        [("turn.toml", "vertical plane only"), ("slide.toml", "of a point"), ("pendulum.toml", "joints")]
    {
        let output = workspace
            .stickslip(&["run", &example(name), "--impact", "1"])
            .assert()
            .code(2)
            .get_output()
            .clone();
        assert!(text(&output.stderr).contains(reason), "{name}: {}", text(&output.stderr));
    }
}

/// What is as small as dust spins so fast where it lands that the exact motion beside it would take minutes.
#[test]
fn the_errors_of_a_grain_of_dust_are_unknown_rather_than_waited_for() {
    let workspace = Workspace::new();
    let grain = |size: &str| {
        format!(
            "name = 'grain'\nduration = 0.3\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nshape = 'box'\nsize = [{size}, \
             {size}]\nmass = 1e-3\nposition = [0.0, 0.1]\nspin = 1.0\n"
        )
    };
    workspace.write("grain.toml", &grain("1e-8"));
    let run = ["run", "grain.toml", "--no-plots", "--json", "--quiet"];
    let output = workspace.stickslip(&run).assert().success().get_output().clone();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(summary["metrics"]["max_error_x"].is_null(), "{}", summary["metrics"]);
    let output = {
        workspace.write("grain.toml", &grain("1e-160"));
        workspace.stickslip(&["run", "grain.toml"]).assert().code(2).get_output().clone()
    };
    let told = text(&output.stderr);
    for words in ["body[0].size", "1e-160", "at least 1e-9", "in metres"] {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
}
