//! The program as users type it.

mod answers;
mod as_written;
mod compare;
mod contact;
mod convergence;
mod detect;
mod determinism;
mod explain;
mod figures;
mod fit;
mod gradient;
mod guide;
mod help;
mod import;
mod interruption;
mod lcp;
mod learn;
mod one_recording;
mod output_files;
mod plan;
mod predict;
mod provenance;
mod recording_check;
mod replay;
mod row_times;
mod run;
mod serve;
mod study;
mod sweep;
mod systems;
mod terminal;
mod windows;
mod without_effect;
mod wrong_files;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// The program, in a folder of its own.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// `stickslip ARGUMENTS...`, run in the folder.
    fn stickslip(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("stickslip").expect("the program is built");
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path(relative);
        std::fs::write(&path, text).expect("a writable folder");
        path
    }

    fn read(&self, relative: &str) -> String {
        std::fs::read_to_string(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// Names of the files in a folder, sorted; hidden ones too.
    fn files(&self, relative: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(relative)) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// An example scenario of the project.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios").join(name);
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Sends a signal to a running program. By the system call, since a slim machine has no program `kill`.
#[cfg(unix)]
fn signal(child: &std::process::Child, number: libc::c_int) {
    let process = libc::pid_t::try_from(child.id()).expect("a process number");
    // SAFETY: `kill` takes two numbers and touches no memory of this process. The child is not waited
    // for yet, so that its number cannot have passed to another process.
    let outcome = unsafe { libc::kill(process, number) };
    assert_eq!(outcome, 0, "signal {number}: {}", std::io::Error::last_os_error());
}
