//! The same program gives the same numbers, bit for bit, wherever and however it is started.

use std::process::{Command, Stdio};

use crate::{Workspace, example};

/// Threads, a locale whose decimal point is a comma and whose `i` has another capital, a time zone.
const WORLDS: [[(&str, &str); 4]; 3] = [
    [("RAYON_NUM_THREADS", "1"), ("LC_ALL", "C"), ("LANG", "C"), ("TZ", "UTC")],
    [
        ("RAYON_NUM_THREADS", "2"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "de_DE.UTF-8"),
        ("TZ", "Asia/Kathmandu"),
    ],
    [("RAYON_NUM_THREADS", "7"), ("LC_ALL", "ar_EG"), ("LANG", ""), ("TZ", "Pacific/Chatham")],
];

/// What `stickslip ARGUMENTS...` writes to `files`, in a folder of its own, some levels deep.
fn written(depth: usize, world: &[(&str, &str)], arguments: &[&str], files: &[&str]) -> Vec<String> {
    let workspace = Workspace::new();
    let folder = "deeper/".repeat(depth);
    std::fs::create_dir_all(workspace.path(&folder)).expect("a folder");
    let status = Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(&folder))
        .args(arguments)
        .envs(world.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the program starts");
    assert!(status.success(), "{arguments:?} ends with {status}");
    files.iter().map(|file| workspace.read(&format!("{folder}output/{file}"))).collect()
}

/// One that all worlds agree on.
fn same_everywhere(arguments: &[&str], files: &[&str]) {
    let [first, others @ ..] = &WORLDS;
    let expected = written(0, first, arguments, files);
    assert!(expected.iter().all(|text| text.lines().count() > 2), "{arguments:?} writes something");
    for (index, world) in others.iter().enumerate() {
        let found = written(index + 1, world, arguments, files);
        for ((file, expected), found) in files.iter().zip(&expected).zip(&found) {
            assert!(expected == found, "{arguments:?}: {file} differs under {world:?}");
        }
    }
}

#[test]
fn runs_are_the_same_whatever_the_threads_the_folder_the_locale_and_the_time_zone() {
    for (scenario, steppers) in [
        ("stick-slip", ["nlp", "lcp", "convex", "smooth"].as_slice()),
        ("dominoes", ["nlp", "lcp", "cone"].as_slice()),
    ] {
        for &stepper in steppers {
            let file = example(&format!("{scenario}.toml"));
            let arguments = ["run", &file, "--stepper", stepper, "--no-plots", "--set", "duration=0.1"];
            same_everywhere(&arguments, &[&format!("{scenario}/{stepper}/trajectory.csv")]);
        }
    }
}

#[test]
fn comparisons_and_studies_of_convergence_are_the_same() {
    let slide = example("slide.toml");
    let compare = ["compare", &slide, "--steppers", "lcp,hybrid,nlp", "--no-plots", "--set", "duration=0.1"];
    same_everywhere(&compare, &["slide/compare/trajectories/lcp.csv", "slide/compare/trajectories/nlp.csv"]);
    let convergence = ["convergence", &slide, "--steppers", "lcp", "--steps", "1e-2,5e-3", "--no-plots"];
    same_everywhere(&convergence, &["slide/convergence/convergence.csv"]);
}
