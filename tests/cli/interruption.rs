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

/// Points that `exact` follows through a thousand swings a step: one of them from the start, all others from 8 s on, when a
/// step takes most of a minute.
fn slow_in_the_end() -> String {
    let mut text = String::from("name = \"slow\"\nduration = 20.0\nstep = 1.0\n[ground]\nfriction = 0.5\n");
    for index in 0..800 {
        let from = if index == 0 { 0.0 } else { 8.0 };
        text += &format!(
            "[[body]]\nname = \"p{index}\"\nshape = \"point\"\nmass = 1.0\nposition = [{}.0, 0.0]\n\
             [[push]]\nbody = \"p{index}\"\nforce = [8.0, 0.0]\nfrequency = 1e3\nfrom = {from:?}\n",
            100 * index
        );
    }
    text
}

#[test]
fn what_was_finished_before_a_step_that_takes_too_long_is_kept() {
    let workspace = Workspace::new();
    workspace.write("slow.toml", &slow_in_the_end());
    let arguments = ["run", "slow.toml", "--stepper", "exact", "--no-plots"];
    let (status, told, answer) = interrupted(&workspace, &arguments, libc::SIGINT);
    assert_eq!(status, Some(130), "{told}");
    assert!(answer < Duration::from_secs(10), "{answer:?}");
    assert!(told.contains("trajectory.partial.csv"), "{told}");
    let mut files = workspace.files("output/slow/exact");
    files.retain(|name| name != ".lock");
    assert_eq!(files, ["trajectory.partial.csv"]);
    let table = workspace.read("output/slow/exact/trajectory.partial.csv");
    let rows: Vec<usize> = table.lines().map(|row| row.split(',').count()).collect();
    assert!(rows.len() > 800 && rows.iter().all(|row| *row == rows[0]), "{} rows, or one is cut", rows.len());
}

/// A point that the exact stepper follows through a hundred swings a step, for most of a minute; every other
/// stepper is done at once.
const SHAKEN: &str = r#"
    name = "shaken"
    duration = 200.0
    step = 1e-2
    [particle]
    mass = 1.0
    position = [0.0, 0.0]
    velocity = [0.0, 0.0]
    [ground]
    friction = 0.5
    [[push]]
    force = [8.0, 0.0]
    frequency = 1e4
"#;

/// `stickslip ARGUMENTS...`, interrupted by the signal after a second; its status, its messages, and how long
/// it took to answer.
fn interrupted(
    workspace: &Workspace,
    arguments: &[&str],
    number: libc::c_int,
) -> (Option<i32>, String, Duration) {
    let child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs(1));
    signal(&child, number);
    let sent = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), sent.elapsed())
}

#[test]
fn a_run_is_interrupted_while_its_exact_companion_runs_and_keeps_its_steps() {
    let workspace = Workspace::new();
    workspace.write("shaken.toml", SHAKEN);
    let run = ["run", "shaken.toml", "--stepper", "hybrid", "--no-plots"];
    let (status, message, _) = interrupted(&workspace, &run, libc::SIGTERM);
    assert_eq!(status, Some(130), "{message}");
    assert!(
        message.contains("all 20000 steps are in `output/shaken/hybrid/trajectory.partial.csv`"),
        "{message}"
    );
    assert_eq!(workspace.files("output/shaken/hybrid"), ["trajectory.partial.csv"]);
    assert_eq!(workspace.read("output/shaken/hybrid/trajectory.partial.csv").lines().count(), 20002);
}

#[test]
fn comparison_convergence_and_gradients_are_interrupted_while_the_exact_motion_is_found() {
    for (command, message) in [
        ("compare", "the comparison is not complete"),
        ("convergence", "nothing is written"),
        ("gradient", "nothing is written"),
    ] {
        let workspace = Workspace::new();
        workspace.write("shaken.toml", SHAKEN);
        let arguments = [command, "shaken.toml", "--steppers", "hybrid"];
        let (status, told, _) = interrupted(&workspace, &arguments, libc::SIGINT);
        assert_eq!(status, Some(130), "{command}: {told}");
        assert!(told.contains(message), "{command}: {told}");
        assert!(workspace.files(&format!("output/shaken/{command}")).is_empty());
    }
}

#[test]
fn a_comparison_is_interrupted_while_its_models_are_matched() {
    let workspace = Workspace::new();
    workspace.write("shaken.toml", SHAKEN);
    let arguments = ["compare", "shaken.toml", "--steppers", "smooth", "--match"];
    let (status, told, answer) = interrupted(&workspace, &arguments, libc::SIGINT);
    assert_eq!(status, Some(130), "{told}");
    assert!(told.contains("the comparison is not complete"), "{told}");
    assert!(answer < Duration::from_secs(5), "{answer:?}");
    assert!(workspace.files("output").is_empty());
}

#[test]
fn work_that_does_not_answer_is_ended_all_the_same() {
    let workspace = Workspace::new();
    let learn = ["learn", "particle", "--samples", "300", "--set", "method=shooting", "--no-plots"];
    let (status, message, answer) = interrupted(&workspace, &learn, libc::SIGINT);
    assert_eq!(status, Some(130), "{message}");
    assert!(message.contains("interrupted"), "{message}");
    assert!(answer < Duration::from_secs(20), "{answer:?}");
    assert!(workspace.files("output/learn/particle").is_empty());
}

#[test]
fn a_command_that_waits_for_input_ends_at_once() {
    let workspace = Workspace::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(["lcp", "solve", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, libc::SIGTERM);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(input);
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next_one_unless_somebody_still_writes_it() {
    let workspace = Workspace::new();
    let run = ["run", &example("drop.toml"), "--no-plots", "--set", "duration=0.01"];
    workspace.stickslip(&run).assert().success();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(60);
    let left = |name: &str| {
        let file = std::fs::File::create(workspace.path(name)).expect("a writable folder");
        file.set_modified(long_ago).expect("a time");
        file
    };
    let abandoned = left("output/drop/nlp/.stickslip-AbCdEf");
    let held = left("output/drop/nlp/.stickslip-GhIjKl");
    held.lock().expect("a lock");
    left("output/drop/nlp/.mine");
    drop(abandoned);
    workspace.stickslip(&run).assert().success();
    let hidden: Vec<String> =
        workspace.files("output/drop/nlp").into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(hidden, [".mine", ".stickslip-GhIjKl"]);
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
    let figures = ["history", "path", "modes", "energy", "friction-cone", "phase"];
    let endings = [".svg", ".png", ".pdf", "-data.csv"];
    let files_of = |figure: &str| endings.map(|ending| format!("{figure}{ending}"));
    let pictures = figures.into_iter().flat_map(files_of).chain(["animation.gif".to_owned()]);
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
    let (there, missing): (Vec<String>, Vec<String>) = pictures.partition(|name| files.contains(name));
    if missing.is_empty() {
        assert_eq!((output.status.code(), message.contains("interrupted")), (Some(0), false), "{message}");
    } else {
        assert_eq!(output.status.code(), Some(130));
        let (there_text, missing_text) =
            message.split_once(" are written, ").unwrap_or_else(|| panic!("{message}"));
        assert!(there_text.contains("interrupted: the results and "), "{message}");
        let stem =
            |name: &str| endings.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned();
        assert!(there.iter().all(|name| there_text.contains(&stem(name))), "{there:?} {message}");
        assert!(missing.iter().all(|name| missing_text.contains(&stem(name))), "{missing:?} {message}");
    }
}

/// Wherever a fit is interrupted, what it has found so far is a readable result.
#[test]
fn an_interrupted_fit_leaves_the_best_so_far() {
    let workspace = Workspace::new();
    let fit =
        ["fit", &example("../data/tosses-sample20.csv"), &example("cube-toss.toml"), "--stepper", "cone"];
    let fit = [&fit[..], &["--parameters", "ground.friction,ground.restitution"]].concat();
    for number in [libc::SIGINT, libc::SIGTERM] {
        let (status, told, answer) = interrupted(&workspace, &fit, number);
        assert_eq!(status, Some(130), "{told}");
        assert!(
            told.contains("the best parameters so far are in `output/cube-toss/fit/result.json`"),
            "{told}"
        );
        assert!(answer < Duration::from_secs(5), "{answer:?}");
        let result: serde_json::Value =
            serde_json::from_str(&workspace.read("output/cube-toss/fit/result.json")).expect("JSON");
        assert_eq!(result["finished"], false);
        for key in ["ground.friction", "ground.restitution"] {
            assert!(result["parameters"][key]["value"].is_f64(), "{result}");
            assert!(result["parameters"][key]["interval"].is_null(), "{result}");
        }
    }
}

/// A plan that is found at once, for which hundreds of further starts are tried, and which `exact` plays for about ten seconds,
/// through three million swings of another push.
const SHAKEN_PLAN: &str = r#"
    steps = 400
    duration = 10.0
    starts = 1000
    [particle]
    mass = 1.0
    position = [0.0, 0.0]
    velocity = [0.0, 0.0]
    [ground]
    friction = 0.3
    [[push]]
    force = [8.0, 0.0]
    frequency = 3e5
    [[control]]
    force = [[-20, 20], 0]
    [goal]
    position = [1.0, nan]
"#;

/// Work that is asked to stop is waited for five seconds; to play what was found may take longer.
#[test]
fn an_interrupted_plan_is_played_and_kept_however_long_it_takes_to_play_it() {
    let workspace = Workspace::new();
    workspace.write("shaken.toml", SHAKEN_PLAN);
    let (status, told, _) = interrupted(&workspace, &["plan", "shaken.toml", "--no-plots"], libc::SIGINT);
    assert_eq!(status, Some(130), "{told}");
    assert!(told.contains("the best plan so far is in `output/shaken/plan`, of 50 steps"), "{told}");
    assert_eq!(workspace.read("output/shaken/plan/plan.csv").lines().count(), 52);
    assert!(workspace.read("output/shaken/plan/replay.csv").contains("exact"));
}

#[test]
fn a_plan_that_is_interrupted_before_there_is_one_says_so() {
    let workspace = Workspace::new();
    workspace.write("shaken.toml", &SHAKEN_PLAN.replace("position = [1.0, nan]", "position = [1e6, nan]"));
    let plan = ["plan", "shaken.toml", "--no-plots"];
    let (status, told, answer) = interrupted(&workspace, &plan, libc::SIGINT);
    assert_eq!(status, Some(130), "{told}");
    let said = "no plan was found yet; `output/shaken/plan/starts.csv` says what was tried";
    assert!(told.contains(said), "{told}");
    assert!(answer < Duration::from_secs(5), "{answer:?}");
    assert!(!workspace.files("output/shaken/plan").contains(&"plan.csv".to_owned()));
}
