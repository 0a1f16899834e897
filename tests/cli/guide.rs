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

/// The commands of a page: the lines of its shell blocks that call the program, without comments.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
            continue;
        }
        let call = line.strip_prefix("stickslip ").or_else(|| line.strip_prefix("cargo run --release -- "));
        if let (true, Some(call)) = (inside, call) {
            let without_comment = call.split(" #").next().unwrap_or(call);
            commands.push(without_comment.split(" >").next().unwrap_or(call).trim().to_owned());
        }
    }
    commands
}

#[test]
fn every_command_of_the_guide_runs() {
    let mut run = std::collections::BTreeSet::new();
    for page in pages() {
        let name = page.strip_prefix(root()).expect("a page of ours").display().to_string();
        for command in commands(&fs::read_to_string(&page).expect("text")) {
            // A command that stands on several pages, those on results that only another makes, and the whole
            // card, which takes a minute.
            let waits = ["--collect", "--recorded", "--with "].iter().any(|word| command.contains(word));
            if waits || command == "scorecard" || !run.insert(command.clone()) {
                continue;
            }
            let workspace = Workspace::new();
            let quoted = command.replace('\'', "");
            let arguments: Vec<String> = quoted
                .split_whitespace()
                .map(|word| match word.strip_prefix("examples/") {
                    Some(rest) => root().join("examples").join(rest).display().to_string(),
                    None => word.to_owned(),
                })
                .collect();
            // Pictures are the subject of other tests, and take time.
            let with_pictures =
                ["run", "compare", "convergence", "gradient", "learn"].contains(&arguments[0].as_str());
            let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            if with_pictures && !arguments.contains(&"--no-plots") {
                arguments.push("--no-plots");
            }
            let output = workspace.stickslip(&arguments).output().expect("the program starts");
            assert!(output.status.success(), "{name}: stickslip {command}: {}", text(&output.stderr));
        }
    }
    assert!(run.len() >= 20, "{run:?}");
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
