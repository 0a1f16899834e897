//! `stickslip run --replay`.

use crate::{Workspace, example, text};

#[test]
fn a_failed_run_keeps_its_steps_and_writes_a_replay_file_that_fails_again_with_a_log() {
    let workspace = Workspace::new();
    let output = workspace
        .stickslip(&["run", &example("slide.toml"), "--stepper", "nlp:seed", "--no-plots"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let files = workspace.files("output/slide/nlp-seed");
    assert!(!files.contains(&"trajectory.csv".to_owned()), "{files:?}");
    assert!(files.contains(&"trajectory.partial.csv".to_owned()), "{files:?}");
    let replay = files.iter().find(|name| name.starts_with("replay-step-")).expect("a replay file");
    let message = text(&output.stderr);
    for words in ["step ", "t = ", "nlp:seed", "--replay", replay] {
        assert!(message.contains(words), "no `{words}` in\n{message}");
    }

    let file = format!("output/slide/nlp-seed/{replay}");
    let output = workspace.stickslip(&["run", "--replay", &file]).assert().code(1).get_output().clone();
    let log = text(&output.stdout);
    assert!(log.contains("inf_pr") && log.contains("inf_du"), "no iteration log in\n{log}");
    assert!(text(&output.stderr).contains("failed again"));
}

#[test]
fn a_file_that_is_no_replay_file_is_refused() {
    let workspace = Workspace::new();
    workspace.write("broken.json", "{\"version\": 1}");
    for file in ["missing.json", "broken.json", "."] {
        let output = workspace.stickslip(&["run", "--replay", file]).assert().code(2).get_output().clone();
        assert!(text(&output.stderr).contains(file), "{}", text(&output.stderr));
    }
}
