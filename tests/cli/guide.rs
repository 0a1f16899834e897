//! The guide: its commands run, its links lead somewhere.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Workspace, help::listed_commands, text};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages, the README among them.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of the guide");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect::<Vec<_>>()
    };
    [vec![root().join("README.md")], in_folder("docs"), in_folder("docs/models")].concat()
}

/// A block of a page between fences.
struct Block<'a> {
    /// What the fence says of it.
    language: &'a str,
    /// Its lines; one that ends with a backslash goes on in the next.
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut inside, mut goes_on) = (false, false);
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block { language, lines: Vec::new() });
            }
        } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
            match block.lines.last_mut() {
                Some(last) if goes_on => *last += &format!("\n{line}"),
                _ => block.lines.push(line.to_owned()),
            }
            goes_on = line.ends_with('\\');
        }
    }
    blocks
}

/// What stands in shell blocks beside the program's own commands: for a clone with Rust, Python or other engines, which
/// CI runs or nobody can everywhere.
const OF_OTHER_PROGRAMS: [&str; 7] = [
    "cargo test --release",
    "make python ",
    "make wheel ",
    "make site",
    "pip install ./python ",
    "benches/peers/scorecard output/peers ",
    "benches/peers/scene humanoid.xml ",
];

/// The whole card takes a minute, and there are no recordings of other engines where these are not installed.
const NOT_HERE: [&str; 3] = [
    "stickslip scorecard",
    "stickslip scorecard --recorded output/peers",
    "stickslip compare output/humanoid/scene.toml --with mujoco=output/humanoid/recording.csv",
];

/// The commands of a page as a reader copies them.
fn commands(name: &str, page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in blocks(page) {
        for line in block.lines.iter().filter(|line| !line.trim().is_empty()) {
            let call = line.strip_prefix("cargo run --release -- ").map(|call| format!("stickslip {call}"));
            let call = call.unwrap_or_else(|| line.clone());
            if block.language != "sh" {
                assert!(
                    !call.starts_with("stickslip "),
                    "{name}: nobody tries `{line}`: the block is none of sh"
                );
            } else if call.starts_with("stickslip ") {
                commands.push(call);
            } else {
                let is_known = OF_OTHER_PROGRAMS.iter().any(|known| format!("{line} ").starts_with(known));
                assert!(is_known, "{name}: nobody tries `{line}`");
            }
        }
    }
    commands
}

/// The folder in which a reader tries the commands of one page, one after the other: what one leaves the next may need.
#[cfg(unix)]
struct Desk(Workspace);

#[cfg(unix)]
impl Desk {
    fn new() -> Self {
        let workspace = Workspace::new();
        std::os::unix::fs::symlink(root().join("examples"), workspace.path("examples")).expect("a link");
        Self(workspace)
    }

    /// A command line, by a shell that finds the program on its path.
    fn shell(&self, line: &str) -> std::process::Command {
        let program = Path::new(env!("CARGO_BIN_EXE_stickslip"));
        let mut folders = vec![program.parent().expect("its folder").to_owned()];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path(""));
        command.env("PATH", std::env::join_paths(folders).expect("a path"));
        command
    }

    fn try_out(&self, name: &str, line: &str) {
        if line.starts_with("stickslip serve ") {
            return self.serve(name, line);
        }
        let output = self.shell(line).output().expect("a shell");
        assert!(output.status.success(), "{name}: {line}: {}", text(&output.stderr));
    }

    /// A page that is served goes on until it is ended; it is asked for first.
    fn serve(&self, name: &str, line: &str) {
        use std::io::{BufRead, BufReader, Read, Write};
        let piped = std::process::Stdio::piped();
        let mut child = self.shell(&format!("exec {line}")).stdout(piped).spawn().expect("a shell");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut address).expect("text");
        let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
        let mut page = std::net::TcpStream::connect(host).expect("a server");
        page.write_all(format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
            .expect("a request");
        page.read_exact(&mut [0; 12]).expect("an answer");
        crate::signal(&child, libc::SIGTERM);
        let status = child.wait().expect("an end");
        assert!(address.starts_with("http://127.0.0.1:") && status.success(), "{name}: {line}: {address}");
    }
}

#[cfg(unix)]
#[test]
fn every_command_of_the_guide_runs_as_it_stands() {
    use rayon::prelude::*;
    let tried: usize = pages()
        .par_iter()
        .map(|page| {
            let name = page.strip_prefix(root()).expect("a page of ours").display().to_string();
            let desk = Desk::new();
            let commands = commands(&name, &fs::read_to_string(page).expect("text"));
            let here = commands.iter().filter(|command| !NOT_HERE.contains(&command.as_str()));
            here.inspect(|command| desk.try_out(&name, command)).count()
        })
        .sum();
    assert!(tried >= 60, "{tried}");
}

#[test]
fn everything_that_says_the_version_says_the_same() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("text");
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let dependencies = manifest["workspace"]["dependencies"].as_table().expect("a table");
    let own = dependencies.iter().filter(|(name, _)| name.starts_with("stickslip-"));
    let versions: Vec<&str> = own.filter_map(|(_, one)| one["version"].as_str()).collect();
    let wanted = format!("={version}");
    assert_eq!(versions, [wanted.as_str(); 4]);
    let changes = read("CHANGELOG.md");
    assert!(changes.contains("\n## Unreleased\n") || changes.contains(&format!("\n## {version}")));
}

/// What is uploaded of a crate of the workspace is its own folder alone.
#[test]
fn every_package_has_the_texts_of_its_licences() {
    for folder in ["crates/base", "crates/solve", "crates/contact", "crates/import"] {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = fs::read_to_string(root().join(folder).join(licence)).expect("text");
            assert!(own == fs::read_to_string(root().join(licence)).expect("text"), "{folder}/{licence}");
        }
    }
}

#[test]
fn every_link_of_the_guide_leads_to_a_file() {
    let mut links = 0;
    for page in pages() {
        let content = fs::read_to_string(&page).expect("text");
        for part in content.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            if target.starts_with("http") || target.starts_with('#') {
                continue;
            }
            let file = page.parent().expect("a folder").join(target.split('#').next().unwrap_or(target));
            assert!(file.exists(), "{}: {target}", page.display());
            links += 1;
        }
    }
    assert!(links >= 20, "{links}");
}

#[test]
fn every_command_stands_in_the_table_of_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).expect("text");
    let (_, table) = readme.split_once("| command | what it does |").expect("the table of commands");
    let table = table.split("\n\n").next().unwrap_or_default();
    let help = Workspace::new().stickslip(&["--help"]).assert().success().get_output().clone();
    let commands = listed_commands(&text(&help.stdout));
    assert!(commands.len() >= 15, "{commands:?}");
    for command in commands {
        let own_row = format!("| `stickslip {command}");
        assert!(table.contains(&own_row) || table.contains(&format!("`{command}`")), "{command}");
    }
}

#[test]
fn every_page_is_linked_from_where_readers_begin() {
    let [readme, contents] =
        ["README.md", "docs/README.md"].map(|page| fs::read_to_string(root().join(page)).expect("text"));
    for page in pages() {
        let name = page.strip_prefix(root()).expect("a page of ours").display().to_string();
        if name == "README.md" {
            continue;
        }
        let within = name.strip_prefix("docs/").expect("a page of the guide");
        let is_linked = readme.contains(&format!("]({name})")) || contents.contains(&format!("]({within})"));
        assert!(is_linked, "{name}");
    }
}

/// A model has to be told in full: what it solves, where that comes from, what it does wrong and when to take it.
#[test]
fn every_model_has_a_page_with_a_picture() {
    for model in ["nlp", "lcp", "cone", "convex", "hybrid", "smooth", "exact"] {
        let page = fs::read_to_string(root().join(format!("docs/models/{model}.md"))).expect("a page");
        for heading in ["## Equations", "## What it does wrong", "## When to use it", "## Settings", "!["] {
            assert!(page.contains(heading), "{model}: {heading}");
        }
    }
}
