//! The solver reads no file and prints nothing unless it is asked to. Each test runs the test of
//! problem 71 in a process of its own.

use std::{env, fs, process::Command};

fn hock_schittkowski_71() -> Command {
    let mut command = Command::new(env::current_exe().expect("a running test has a path"));
    command.args(["--exact", "solutions::hock_schittkowski_71", "--nocapture"]);
    command
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the test binary can be run");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    text
}

#[test]
fn options_in_the_working_folder_are_not_read() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    fs::write(folder.path().join("ipopt.opt"), "max_iter 2\noutput_file log.txt\nprint_level 12\n")
        .expect("the folder can be written");
    let text = output(hock_schittkowski_71().current_dir(folder.path()));
    assert!(!text.contains("iter"), "{text}");
    let files = fs::read_dir(folder.path()).expect("the folder can be read").count();
    assert_eq!(files, 1, "nothing but ipopt.opt is in the folder");
}

#[test]
fn is_silent_unless_asked() {
    let silent = output(&mut hock_schittkowski_71());
    assert!(!silent.contains("Ipopt") && !silent.contains("EXIT"), "{silent}");
    let verbose = output(hock_schittkowski_71().env("SOLVE_VERBOSELY", "1"));
    assert!(verbose.contains("inf_pr   inf_du lg(mu)") && verbose.contains("EXIT: Optimal Solution Found"));
}
