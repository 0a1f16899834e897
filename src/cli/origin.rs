//! What a command knows of itself for the [`Provenance`] of its results.

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::SystemTime};

use stickslip::provenance::{Machine, Provenance};

use super::shell::quoted;

/// When, where and how this process was called.
#[derive(Debug)]
pub struct Origin {
    arguments: BTreeMap<String, Vec<String>>,
    command: String,
    started: String,
}

impl Origin {
    /// The origin of a call with these words, the name of the program first, in which these `arguments` change results.
    pub fn of_call(words: Vec<OsString>, arguments: BTreeMap<String, Vec<String>>) -> Self {
        Self {
            arguments,
            command: command_line(words.into_iter()),
            started: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
        }
    }

    /// The arguments that change results, by their names.
    pub fn arguments(&self) -> &BTreeMap<String, Vec<String>> {
        &self.arguments
    }

    /// The provenance of a result of this process.
    pub fn provenance(&self, resolved: String, overrides: &[String]) -> Provenance {
        Provenance {
            resolved,
            overrides: overrides.to_vec(),
            arguments: self.arguments.clone(),
            command: self.command.clone(),
            started: self.started.clone(),
            machine: machine(),
        }
    }
}

fn machine() -> Machine {
    use sysinfo::{CpuRefreshKind, RefreshKind, System};
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let name = System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned());
    let brand = system.cpus().first().map(|cpu| cpu.brand().trim()).filter(|brand| !brand.is_empty());
    Machine {
        os: format!("{name}, {}", std::env::consts::ARCH),
        cpu: brand.unwrap_or("unknown").to_owned(),
        threads: rayon::current_num_threads(),
    }
}

/// The command line as a shell takes it again; the program without its folder.
fn command_line(arguments: impl Iterator<Item = OsString>) -> String {
    let words = arguments.enumerate().map(|(place, argument)| {
        let name = match place {
            0 => Path::new(&argument).file_stem().map_or_else(|| argument.clone(), ToOwned::to_owned),
            _ => argument,
        };
        quoted(&name.to_string_lossy())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::command_line;

    #[test]
    fn a_command_line_is_quoted_for_a_shell() {
        let words = ["/usr/bin/stickslip", "run", "my file.toml", "--set", "name=it's", "push[0].to=1", ""];
        let line = command_line(words.into_iter().map(Into::into));
        assert_eq!(line, r"stickslip run 'my file.toml' --set 'name=it'\''s' 'push[0].to=1' ''");
    }
}
