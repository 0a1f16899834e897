//! Runs that are interrupted or killed.
#![cfg(unix)]

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{Workspace, example, signal};

/// A run that takes minutes, just started.
fn long_run(workspace: &Workspace) -> Child {
    let program = assert_cmd::cargo::cargo_bin("stickslip");
    let child = Command::new(program)
        .current_dir(workspace.path(""))
        .args(["run", &example("slide.toml"), "--no-plots", "--set", "duration=2000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    while workspace.files("output/slide/nlp").is_empty() && started.elapsed() < Duration::from_millis(500) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[test]
fn an_interrupted_run_keeps_the_finished_steps() {
    for (name, number) in [("SIGINT", libc::SIGINT), ("SIGTERM", libc::SIGTERM)] {
        let workspace = Workspace::new();
        let mut child = long_run(&workspace);
        signal(&child, number);
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{name}");
        assert_eq!(workspace.files("output/slide/nlp"), ["trajectory.partial.csv"]);
        let table = workspace.read("output/slide/nlp/trajectory.partial.csv");
        let rows: Vec<&str> = table.lines().collect();
        assert!(rows.len() > 10, "{} lines", rows.len());
        assert!(rows.iter().all(|row| row.split(',').count() == 17), "a row is cut off");
    }
}

#[test]
fn a_killed_run_leaves_nothing_under_a_final_name() {
    let workspace = Workspace::new();
    let mut child = long_run(&workspace);
    signal(&child, libc::SIGKILL);
    child.wait().expect("it ends");
    let files = workspace.files("output/slide/nlp");
    assert!(files.iter().all(|name| name.starts_with('.')), "{files:?}");
}

#[test]
fn an_interruption_while_pictures_are_drawn_names_those_that_are_missing() {
    let pictures = ["history.svg", "history.png", "path.svg", "path.png", "animation.gif"];
    let workspace = Workspace::new();
    let folder = "output/slide/lcp";
    let child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(["run", &example("slide.toml"), "--stepper", "lcp", "--set", "step=1e-5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    while !workspace.files(folder).contains(&"history.svg".to_owned()) {
        assert!(started.elapsed() < Duration::from_secs(60), "no picture appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, libc::SIGINT);
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8(output.stderr).expect("text");
    let files = workspace.files(folder);
    let (there, missing): (Vec<&str>, Vec<&str>) =
        pictures.into_iter().partition(|name| files.iter().any(|file| file == name));
    if missing.is_empty() {
        assert_eq!((output.status.code(), message.contains("interrupted")), (Some(0), false), "{message}");
    } else {
        assert_eq!(output.status.code(), Some(130));
        let expected = format!(
            "interrupted: the results and {} are written, {} not",
            there.join(", "),
            missing.join(", ")
        );
        assert!(message.contains(&expected), "{message}");
    }
}
