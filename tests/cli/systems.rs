//! `stickslip run` on systems of particles.

use crate::{Workspace, example, text};

#[test]
fn every_example_of_a_system_runs_under_the_nlp_stepper_without_asking() {
    for name in ["chain", "tumbling-frame", "pile"] {
        let workspace = Workspace::new();
        let file = example(&format!("{name}.toml"));
        let output = workspace
            .stickslip(&["run", &file, "--set", "duration=0.4"])
            .assert()
            .success()
            .get_output()
            .clone();
        let files = workspace.files(&format!("output/{name}/nlp"));
        for file in ["trajectory.csv", "summary.json", "history.svg", "history.png", "animation.gif"] {
            assert!(files.iter().any(|name| name == file), "{file} is missing in {files:?}");
        }
        let table = text(&output.stdout);
        for words in ["bodies, 400 steps", " 0 failed", "iterations per step"] {
            assert!(table.contains(words), "no `{words}` in\n{table}");
        }
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    }
}

#[test]
fn a_system_has_a_row_per_body_and_state() {
    let workspace = Workspace::new();
    workspace
        .stickslip(&["run", &example("chain.toml"), "--stepper", "convex", "--no-plots"])
        .args(["--set", "duration=0.1"])
        .assert()
        .success();
    let files = ["contacts.csv", "summary.json", "timings.json", "trajectory.csv"];
    assert_eq!(workspace.files("output/chain/convex"), files);
    let contacts = workspace.read("output/chain/convex/contacts.csv");
    assert!(contacts.starts_with("step,t,first,second,x,z,nx,nz,gap,fn,ft,mode,gap_end\n"), "{contacts}");
    let trajectory = workspace.read("output/chain/convex/trajectory.csv");
    assert!(trajectory.starts_with("body,step,t,x,z,angle,"));
    assert_eq!(trajectory.lines().count(), 1 + 6 * 101);
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/chain/convex/summary.json")).expect("JSON");
    assert_eq!(summary["bodies"], 6);
    assert!(summary["iterations"]["total"].is_u64());
}

#[test]
fn a_comparison_of_a_system_has_a_row_per_stepper() {
    let workspace = Workspace::new();
    workspace.stickslip(&["compare", &example("chain.toml"), "--set", "duration=0.1"]).assert().success();
    let metrics = workspace.read("output/chain/compare/metrics.csv");
    assert!(metrics.starts_with("stepper,ending,steps,final_x,final_z,"), "{metrics}");
    assert_eq!(metrics.lines().filter(|line| line.starts_with("convex,")).count(), 1, "{metrics}");
    let files = workspace.files("output/chain/compare");
    for file in ["history.svg", "path.svg", "animation.gif", "report.html", "summary.json"] {
        assert!(files.iter().any(|name| name == file), "{file} is missing in {files:?}");
    }
}

#[test]
fn steppers_of_a_single_point_refuse_a_system() {
    for arguments in [
        &["run", "chain.toml", "--stepper", "hybrid"][..],
        &["run", "chain.toml", "--stepper", "nlp:seed"],
        &["compare", "chain.toml", "--steppers", "convex,hybrid"],
        &["compare", "chain.toml", "--match"],
    ] {
        let workspace = Workspace::new();
        workspace.write("chain.toml", &std::fs::read_to_string(example("chain.toml")).expect("an example"));
        let output = workspace.stickslip(arguments).assert().code(2).get_output().clone();
        let told = text(&output.stderr);
        assert!(told.contains("single point") && told.contains("convex"), "{told}");
        assert_eq!(workspace.files("output"), Vec::<String>::new(), "{arguments:?} wrote something");
    }
}

#[test]
fn a_system_that_cannot_be_solved_fails_with_the_step_and_the_remedy() {
    let workspace = Workspace::new();
    let output = workspace
        .stickslip(&["run", &example("chain.toml"), "--stepper", "convex", "--no-plots"])
        .args(["--set", "particle[0].mass=1e-12", "--set", "spring[0].stiffness=1e18"])
        .args(["--set", "particle[0].velocity=[1e6, 0.0]"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let told = text(&output.stderr);
    for words in ["step ", "at t = ", "of `chain` failed under stepper `convex`", "trajectory.partial.csv"] {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
    let files = workspace.files("output/chain/convex");
    let [replay, partial] = &files[..] else { panic!("two files, not {files:?}") };
    assert!(replay.starts_with("replay-step-") && partial == "trajectory.partial.csv", "{files:?}");
    let replay = format!("output/chain/convex/{replay}");
    let replay = workspace.stickslip(&["run", "--replay", &replay]).assert().code(1).get_output().clone();
    assert!(text(&replay.stderr).contains("failed again"), "{}", text(&replay.stderr));
}
