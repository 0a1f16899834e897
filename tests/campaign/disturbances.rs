//! Commands that are killed, interrupted, or kept from memory and disk: whatever bears a final name is whole.

use std::fmt;

#[cfg(not(unix))]
use crate::{budget::Budget, finds::Finds};

#[derive(Debug, Default)]
pub struct Tally {
    commands: usize,
    signalled: usize,
    limited: usize,
    files: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, signalled, limited, files } = self;
        write!(
            f,
            "{commands} commands, {signalled} of them killed or interrupted, {limited} short of memory or disk; {files} \
             files are whole"
        )
    }
}

#[cfg(not(unix))]
pub fn campaign(_: &Budget, _: &mut Finds) -> Tally {
    Tally::default()
}

#[cfg(unix)]
pub use unix::campaign;

#[cfg(unix)]
mod unix {
    use std::{
        fs,
        io::Read,
        os::unix::process::{CommandExt, ExitStatusExt},
        path::{Path, PathBuf},
        process::{Child, Command, ExitStatus, Stdio},
        time::{Duration, Instant},
    };

    use super::Tally;
    use crate::{
        budget::{Budget, Draw},
        finds::Finds,
    };

    /// A command that was asked to end does so within this time of its own.
    const ANSWER: Duration = Duration::from_secs(10);
    /// A command of the campaign takes no longer.
    const LONGEST: Duration = Duration::from_secs(60);
    /// How much longer it may take by the clock on the wall, where other work has the processors.
    const LOAD: u32 = 10;

    /// What is done to a command.
    #[derive(Debug, Clone, Copy)]
    enum Disturbance {
        /// A signal after so many milliseconds.
        Signal(libc::c_int, u64),
        /// No file grows beyond so many bytes, as on a disk that is full.
        FileSize(u64),
        /// No more memory than so many bytes.
        Memory(u64),
    }

    pub fn campaign(budget: &Budget, finds: &mut Finds) -> Tally {
        let mut tally = Tally::default();
        for (_, mut draw) in budget.draws() {
            let arguments = command(&mut draw);
            let disturbance = match draw.below(10) {
                0..=3 => Disturbance::Signal(libc::SIGKILL, delay(&mut draw)),
                4 | 5 => Disturbance::Signal(libc::SIGINT, delay(&mut draw)),
                6 | 7 => Disturbance::Signal(libc::SIGTERM, delay(&mut draw)),
                8 => Disturbance::FileSize(draw.log_uniform(1e2, 1e6) as u64),
                _ => Disturbance::Memory(draw.log_uniform(4e8, 2e9) as u64),
            };
            let folder = tempfile::tempdir().expect("a temporary folder");
            tally.commands += 1;
            match disturbance {
                Disturbance::Signal(..) => tally.signalled += 1,
                _ => tally.limited += 1,
            }
            let mut faults = Vec::new();
            match disturbed(&arguments, disturbance, folder.path()) {
                Ok((status, message)) => faults.extend(judge(disturbance, status, &message)),
                Err(fault) => faults.push(fault),
            }
            tally.files += whole_files(&folder.path().join("output"), &mut faults);
            for fault in faults {
                let line = format!("stickslip {}\n{disturbance:?}\n{fault}\n", arguments.join(" "));
                finds.add("disturbance", "txt", &fault, line.as_bytes());
            }
        }
        tally
    }

    fn delay(draw: &mut Draw) -> u64 {
        draw.log_uniform(3.0, 3000.0) as u64
    }

    /// Any command that writes, on a scale of a second or two.
    fn command(draw: &mut Draw) -> Vec<String> {
        let example = |name: &str| {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).to_string_lossy().into_owned()
        };
        let name =
            draw.one_of(&["slide", "bounce", "curve", "chain", "tipping-box", "stick-slip", "dominoes"]);
        let scenario = example(&format!("scenarios/{name}.toml"));
        // The only one over a plane.
        let lcp = if name == "curve" { "lcp:polyhedral" } else { "lcp" };
        let stepper = draw.one_of(&["nlp", lcp, "convex", "smooth"]);
        let words: Vec<String> = match draw.below(9) {
            0 | 1 => vec![
                "run".into(),
                scenario,
                "--stepper".into(),
                stepper.into(),
                "--set".into(),
                "step=2e-4".into(),
            ],
            2 => vec!["compare".into(), scenario, "--steppers".into(), format!("{lcp},convex")],
            3 => vec![
                "convergence".into(),
                scenario,
                "--steppers".into(),
                lcp.into(),
                "--steps".into(),
                "1e-2,5e-3".into(),
            ],
            4 => {
                vec!["sweep".into(), example("sweeps/friction-by-step.toml"), "--workers".into(), "2".into()]
            }
            5 => vec![
                "learn".into(),
                draw.one_of(&["bilevel", "linear-program", "mpcc", "particle"]).into(),
                "--samples".into(),
                "12".into(),
            ],
            6 => vec!["study".into(), draw.one_of(&["anisotropy", "small-bias", "sticking-noise"]).into()],
            7 => vec![
                "gradient".into(),
                example("scenarios/bounce.toml"),
                "--set".into(),
                "duration=0.8".into(),
            ],
            _ => vec![
                "run".into(),
                scenario,
                "--stepper".into(),
                stepper.into(),
                "--no-plots".into(),
                "--every".into(),
                "7".into(),
            ],
        };
        words
    }

    /// Runs a command under a disturbance; its end and its messages, or that it hangs.
    fn disturbed(
        arguments: &[String],
        disturbance: Disturbance,
        folder: &Path,
    ) -> Result<(ExitStatus, String), String> {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
        command
            .current_dir(folder)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let limit = match disturbance {
            Disturbance::FileSize(bytes) => Some((libc::RLIMIT_FSIZE, bytes)),
            Disturbance::Memory(bytes) => Some((libc::RLIMIT_AS, bytes)),
            Disturbance::Signal(..) => None,
        };
        if let Some((resource, bytes)) = limit {
            // SAFETY: between fork and exec only a system call is made, which reads the structure it is given.
            unsafe {
                command.pre_exec(move || {
                    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                    match libc::setrlimit(resource, &raw const limit) {
                        0 => Ok(()),
                        _ => Err(std::io::Error::last_os_error()),
                    }
                });
            }
        }
        let mut child = command.spawn().map_err(|error| format!("the program does not start: {error}"))?;
        // Its messages are few: they fit into the pipe until they are read.
        let patience = match disturbance {
            Disturbance::Signal(number, milliseconds) => {
                std::thread::sleep(Duration::from_millis(milliseconds));
                if child.try_wait().ok().flatten().is_none() {
                    send(&child, number);
                }
                ANSWER
            }
            _ => LONGEST,
        };
        let status = wait(&mut child, patience);
        let Some(status) = status else {
            send(&child, libc::SIGKILL);
            let _ = child.wait();
            return Err(format!("it does not end within {patience:?} of work"));
        };
        let mut message = Vec::new();
        if let Some(mut pipe) = child.stderr.take() {
            let _ = pipe.read_to_end(&mut message);
        }
        Ok((status, String::from_utf8_lossy(&message).into_owned()))
    }

    /// Time that all threads of a process have had on a processor; nothing where the system does not tell.
    fn worked(child: &Child) -> Option<Duration> {
        let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        // The name of the program, in brackets, may hold anything; the 12th and 13th fields after it are ticks.
        let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
        let [user, system] = [fields.next()?, fields.next()?].map(|ticks| ticks.parse::<u32>().ok());
        // SAFETY: `sysconf` takes a number.
        let per_second = u32::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok()?;
        Some(Duration::from_secs(1) * (user? + system?) / per_second.max(1))
    }

    /// Waits until the process ends, or has worked for as long as `patience`.
    fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        let until = worked(child).unwrap_or_default() + patience;
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(status);
            }
            if begun.elapsed() >= patience * LOAD || worked(child).unwrap_or_default() >= until {
                return None;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    }

    fn send(child: &Child, number: libc::c_int) {
        let Ok(process) = libc::pid_t::try_from(child.id()) else { return };
        // SAFETY: `kill` takes two numbers. The child is not waited for yet, so that its number is its own.
        unsafe { libc::kill(process, number) };
    }

    fn judge(disturbance: Disturbance, status: ExitStatus, message: &str) -> Option<String> {
        if message.contains("panicked") {
            return Some(format!("it panics: {message}"));
        }
        let is_expected = match (disturbance, status.code()) {
            (Disturbance::Signal(libc::SIGKILL, _), None) => status.signal() == Some(libc::SIGKILL),
            // A signal before the program listens for it has its usual meaning.
            (Disturbance::Signal(number, _), None) => status.signal() == Some(number),
            (Disturbance::Signal(..), Some(code)) => matches!(code, 0 | 1 | 130),
            (_, Some(code)) => matches!(code, 0..=2),
            (_, None) => false,
        };
        (!is_expected).then(|| format!("it ends with {status}: {message}"))
    }

    /// Looks at every file that bears a final name; gives how many there are.
    fn whole_files(folder: &Path, faults: &mut Vec<String>) -> usize {
        let mut count = 0;
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if !entry.file_name().to_string_lossy().starts_with('.') {
                    count += 1;
                    faults.extend(broken(&path));
                }
            }
        }
        count
    }

    fn broken(path: &PathBuf) -> Option<String> {
        let bytes = fs::read(path).ok()?;
        let ends_with = |end: &[u8]| bytes.trim_ascii_end().ends_with(end);
        let is_whole = match path.extension().and_then(|end| end.to_str()) {
            Some("csv") => is_table(&bytes),
            Some("json") => serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(),
            Some("svg") => ends_with(b"</svg>"),
            Some("html") => ends_with(b"</html>"),
            Some("png") => bytes.ends_with(b"IEND\xaeB`\x82"),
            Some("gif") => bytes.ends_with(b";"),
            _ => true,
        };
        (!is_whole).then(|| format!("`{}` is not whole", path.display()))
    }

    /// A file of every kind, whole and cut off.
    #[test]
    fn a_file_that_is_not_whole_is_noticed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files: [(&str, &[u8]); 6] = [
            ("a.csv", b"k,t\n0,0.5\n1,0.25\n"),
            ("a.json", b"{\"a\": [1, 2]}\n"),
            ("a.svg", b"<svg><path d=\"M0 0\"/></svg>\n"),
            ("a.html", b"<html><body></body></html>\n"),
            ("a.png", b"\x89PNG\r\n\x1a\n....IEND\xaeB`\x82"),
            ("a.gif", b"GIF89a....;"),
        ];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("a file");
            assert_eq!(broken(&path), None, "{name}");
            for kept in [1, 2, bytes.len() - 3] {
                fs::write(&path, &bytes[..kept]).expect("a file");
                assert!(broken(&path).is_some_and(|fault| fault.contains(name)), "{name} of {kept} bytes");
            }
            fs::remove_file(&path).expect("it can be removed");
        }
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        fs::write(folder.path().join("sub/b.csv"), "k,t\n0,").expect("a file");
        fs::write(folder.path().join("sub/.hidden.csv"), "k,t\n0,").expect("a file");
        let mut faults = Vec::new();
        assert_eq!(whole_files(folder.path(), &mut faults), 1);
        assert_eq!(faults.len(), 1, "{faults:?}");
    }

    /// Whether every line is whole and has as many fields as the first that is no comment.
    fn is_table(bytes: &[u8]) -> bool {
        if bytes.last() != Some(&b'\n') {
            return false;
        }
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(bytes);
        reader.byte_records().all(|record| record.is_ok())
    }
}
