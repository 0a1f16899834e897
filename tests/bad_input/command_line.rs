//! Bad input at the program itself: exit status 2, the fault on standard error, nothing on standard
//! output, nothing written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use tempfile::{TempDir, tempdir};

use crate::{VALID, lines};

/// A folder with the valid scenario in it, in which the program runs.
pub struct Workplace {
    pub folder: TempDir,
}

impl Workplace {
    pub fn new() -> Self {
        let place = Self { folder: tempdir().expect("a temporary folder") };
        place.write("valid.toml", VALID);
        place
    }

    pub fn write(&self, name: &str, content: &str) {
        fs::write(self.folder.path().join(name), content).expect("the folder is writable");
    }

    /// Every file and folder below, the files with what they hold.
    fn content(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn collect(folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                found.push((path.clone(), fs::read(&path).ok()));
                if path.is_dir() {
                    collect(&path, found);
                }
            }
        }
        let mut found = Vec::new();
        collect(self.folder.path(), &mut found);
        found.sort();
        found
    }

    /// What standard error says when the program is called with `arguments` and refuses.
    #[track_caller]
    fn refusal(&self, arguments: &[&str]) -> String {
        let before = self.content();
        let mut program = Command::cargo_bin("stickslip").expect("the program is built");
        let output = program.current_dir(self.folder.path()).args(arguments).output().expect("it runs");
        let told = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?} prints on standard output");
        assert_eq!(self.content(), before, "{arguments:?} writes something");
        assert!(!told.contains("panicked"), "{told}");
        told
    }

    #[track_caller]
    pub fn assert_refused(&self, arguments: &[&str], words: &[&str]) {
        let told = self.refusal(arguments);
        for word in words {
            assert!(told.contains(word), "{arguments:?}: {word:?} is missing in\n{told}");
        }
    }
}

#[test]
fn every_faulty_line_is_refused_by_the_program() {
    let place = Workplace::new();
    for (text, key, words) in lines::all() {
        place.write("broken.toml", &text);
        let told = place.refusal(&["run", "broken.toml", "--no-plots"]);
        assert!(told.contains("broken.toml:"), "the place is missing in\n{told}");
        for word in words.iter().chain([&key, &"help: "]) {
            assert!(told.contains(word), "{word:?} is missing in\n{told}");
        }
    }
}

#[test]
fn all_faults_of_a_file_are_printed() {
    let place = Workplace::new();
    place
        .write("broken.toml", &VALID.replace("10.0", "-3").replace("gravity", "gravty").replace("1e-3", "0"));
    place.assert_refused(
        &["run", "broken.toml", "--set", "ground.friction=-1"],
        &[
            "broken.toml:3:8",
            "`step` is 0,",
            "broken.toml:4:1",
            "unknown key `gravty`",
            "broken.toml:7:8",
            "`particle.mass` is -3,",
            "--set ground.friction=-1",
        ],
    );
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let place = Workplace::new();
    fs::write(place.folder.path().join("latin.toml"), b"name = \"caf\xe9\"\n").unwrap();
    place.write("empty.toml", "");
    place.assert_refused(&["run", "vlid.toml"], &["vlid.toml", "no such file", "did you mean `valid.toml`?"]);
    place.assert_refused(
        &["run", "elsewhere/x.toml"],
        &["elsewhere/x.toml", "there is no folder `elsewhere`"],
    );
    place.assert_refused(&["run", "."], &["a directory", "empty.toml"]);
    place.assert_refused(&["run", "latin.toml"], &["latin.toml", "not UTF-8", "line 1"]);
    place.assert_refused(&["run", "empty.toml"], &["empty.toml", "the file is empty"]);
}

#[test]
fn faulty_overrides_are_refused() {
    let place = Workplace::new();
    let set = |argument: &str, words: &[&str]| {
        place.assert_refused(&["run", "valid.toml", "--set", argument], words);
        place.assert_refused(&["run", "valid.toml", &format!("--set={argument}")], words);
    };
    set("ground.friction", &["--set ground.friction", "no `=`"]);
    set("ground.friction=-1", &["--set ground.friction=-1", "at least 0"]);
    set("ground.frction=1", &["unknown key `ground.frction`", "did you mean `friction`?"]);
    set("particle.mass=heavy", &["must be a number"]);
    set("stepper.nlp.solver=ipop", &["did you mean \"ipopt\"?"]);
    set("push[4].to=1", &["--set push[4].to=1", "`push[0]`"]);
    set("duration=1e12", &["`duration` is 1e12,", "at most 1e11 s"]);
    set("duration=1e10", &["1e8 steps", "1e13 steps"]);
    place.assert_refused(&["run", "valid.toml", "--set"], &["--set <KEY=VALUE>"]);
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let place = Workplace::new();
    place.write("file", "a file, not a folder");
    place.assert_refused(&["run", "valid.toml", "--output", "file"], &["file", "--output"]);
    place.assert_refused(&["run", "valid.toml", "--output", "file/inner"], &["file/inner", "--output"]);
    fs::create_dir(place.folder.path().join("results")).unwrap();
    place.write("results/valid", "a file where the folder of the scenario should be");
    place.assert_refused(&["run", "valid.toml", "--output", "results"], &["results/valid", "--output"]);
    #[cfg(target_os = "linux")]
    place.assert_refused(
        &["run", "valid.toml", "--output", "/proc/stickslip"],
        &["/proc/stickslip", "--output"],
    );
}

#[test]
fn steppers_that_do_not_exist_are_refused() {
    let place = Workplace::new();
    let stepper = |name: &str, words: &[&str]| {
        place.assert_refused(&["run", "valid.toml", "--stepper", name], words);
    };
    stepper("nlq", &["nlq", "did you mean `nlp`?"]);
    stepper("lcp:fallingblock", &["did you mean `lcp:falling-block`?"]);
    stepper("euler", &["euler", "choose one of nlp, nlp:seed, lcp"]);
    stepper("", &["--stepper"]);
}

#[test]
fn wrong_usage_is_refused() {
    let place = Workplace::new();
    place.assert_refused(&[], &["Usage", "run"]);
    place.assert_refused(&["run"], &["SCENARIO.toml"]);
    place.assert_refused(&["rum", "valid.toml"], &["rum", "run"]);
    place.assert_refused(&["run", "valid.toml", "other.toml"], &["other.toml"]);
    place.assert_refused(&["run", "valid.toml", "--on-failure", "retry"], &["retry", "stop, continue"]);
    place.assert_refused(&["run", "valid.toml", "--no-plot"], &["--no-plots"]);
    place.assert_refused(&["run", "valid.toml", "--replay", "x.json"], &["--replay"]);
    place.assert_refused(&["run", "--replay", "x.json", "--stepper", "lcp"], &["--replay", "--stepper"]);
}

#[test]
fn what_is_no_replay_file_is_refused() {
    let place = Workplace::new();
    place.write("broken.json", "{\"scenario\": 3");
    place.write("other.json", "{\"scenario\": 3}");
    for file in ["missing.json", "valid.toml", "broken.json", "other.json", "."] {
        place.assert_refused(&["run", "--replay", file], &[file, "replay file", "help: "]);
    }
}
