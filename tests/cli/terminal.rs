//! What input may do to a terminal: nothing.

use crate::{Workspace, example, text};

/// Colours, a bell, the title of the window, an eight-bit command, and text turned around.
const NASTY: &str = "a\u{1b}[31m\u{7}\u{1b}]0;title\u{9c}\u{9b}2J\u{202e}b";

/// Everything that a call of the program prints.
fn printed(workspace: &Workspace, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = workspace.stickslip(arguments).write_stdin(input).output().expect("the program runs");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

fn has_controls(printed: &str) -> bool {
    printed.chars().any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}'))
}

#[test]
fn control_characters_of_input_are_not_printed() {
    let workspace = Workspace::new();
    let slide = std::fs::read_to_string(example("slide.toml")).expect("the example");
    let scenario = example("slide.toml");
    let named = slide.replace("\"slide\"", &format!("'{NASTY}'"));
    // The control characters of a basic string stand there as escapes, which become characters when it is read.
    let escaped = slide.replace("\"slide\"", r#""a\u001b[31m\u0007\u009bb""#);
    let keyed = format!("\"{}\" = 1\n{slide}", r"\u001b[31mgravty");
    let assigned = format!("name={NASTY}");
    let keyed_override = format!("{NASTY}=1");
    let missing = format!("{NASTY}.toml");
    for (arguments, input) in [
        (vec!["run", "-"], named.as_str()),
        (vec!["run", "-"], &escaped),
        (vec!["run", "-"], &keyed),
        (vec!["run", "-"], NASTY),
        (vec!["run", &scenario, "--set", &assigned], ""),
        (vec!["run", &scenario, "--set", &keyed_override], ""),
        (vec!["run", &scenario, "--set", NASTY], ""),
        (vec!["run", &scenario, "--stepper", NASTY], ""),
        (vec!["run", &scenario, "--solver", NASTY], ""),
        (vec!["run", &missing], ""),
        (vec!["run", "--replay", &missing], ""),
        (vec!["run", "--replay", "-"], "{\"\u{9b}31m\": 1}"),
        (vec![NASTY], ""),
        (vec!["run", &scenario, NASTY], ""),
        (vec!["lcp", "solve", &missing], ""),
        (vec!["lcp", "solve", "-"], "{\"\\u001b[31m\": 1}"),
        (vec!["learn", NASTY], ""),
        (vec!["learn", "bilevel", "--set", NASTY], ""),
        (vec!["learn", "bilevel", "--data", "-"], "v,u,\u{1b}[31mv_next\n1,2,3\n"),
        (vec!["learn", "bilevel", "--data", "-"], "v,u,v_next\n1,2,\u{1b}[31m\n"),
        (vec!["study", NASTY], ""),
    ] {
        let (status, printed) = printed(&workspace, &arguments, input);
        assert_eq!(status, Some(2), "{arguments:?}: {printed}");
        assert!(!has_controls(&printed), "{arguments:?}: {printed:?}");
    }
}

#[test]
fn control_characters_of_a_folder_are_not_printed_where_results_are_named() {
    let workspace = Workspace::new();
    let arguments =
        ["run", &example("slide.toml"), "--no-plots", "--set", "duration=0.01", "--output", NASTY];
    for option in ["--json", "--no-plots"] {
        let arguments: Vec<&str> = if option == "--json" {
            arguments.iter().copied().chain([option]).collect()
        } else {
            arguments.to_vec()
        };
        let (status, printed) = printed(&workspace, &arguments, "");
        assert_eq!(status, Some(0), "{printed}");
        assert!(printed.contains("31m") && !has_controls(&printed), "{printed:?}");
    }
}

#[test]
fn messages_are_short_however_long_the_input_is() {
    let workspace = Workspace::new();
    let slide = std::fs::read_to_string(example("slide.toml")).expect("the example");
    let scenario = example("slide.toml");
    let long = "x".repeat(100_000);
    let named = slide.replace("\"slide\"", &format!("\"{long}\""));
    let keyed = format!("{long} = 1\n{slide}");
    let listed = slide.replace("[0.0, 1.0]", &format!("[{}]", "0.0, ".repeat(50_000)));
    let assigned = format!("name={long}");
    let data = format!("v,u,{long}\n1,2,3\n");
    let row = format!("v,u,v_next\n1,2,{long}\n");
    let problem = format!("{{\"{long}\": 1}}");
    for (arguments, input) in [
        (vec!["run", "-"], named.as_str()),
        (vec!["run", "-"], &keyed),
        (vec!["run", "-"], &listed),
        (vec!["run", "-"], &long),
        (vec!["run", &scenario, "--set", &assigned], ""),
        (vec!["run", &scenario, "--set", &long], ""),
        (vec!["run", &scenario, "--stepper", &long], ""),
        (vec!["run", &long], ""),
        (vec!["run", &scenario, &long], ""),
        (vec!["lcp", "solve", "-"], &problem),
        (vec!["learn", "bilevel", "--data", "-"], &data),
        (vec!["learn", "bilevel", "--data", "-"], &row),
    ] {
        let (status, printed) = printed(&workspace, &arguments, input);
        assert_eq!(status, Some(2), "{printed}");
        assert!(printed.len() < 8_000, "{} bytes for {:?}", printed.len(), &arguments[..2]);
    }
}

/// Runs a command with a limit of so many bytes on what `resource` says; its exit status and what it said.
#[cfg(target_os = "linux")]
fn limited(
    workspace: &Workspace,
    arguments: &[&str],
    resource: libc::__rlimit_resource_t,
    bytes: u64,
) -> (Option<i32>, String) {
    use std::os::unix::process::CommandExt;
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
    command.current_dir(workspace.path("")).args(arguments);
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: between fork and exec only `setrlimit` is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(resource, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    let output = command.output().expect("the program starts");
    (output.status.code(), text(&output.stderr))
}

/// Two motions of a million states do not fit into 400 MB; a thousand do.
#[cfg(target_os = "linux")]
#[test]
fn what_does_not_fit_into_a_limit_on_the_memory_is_refused_before_it_begins() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let compare = ["compare", &slide, "--steppers", "hybrid,exact", "--no-plots", "--quiet"];
    let many = [&compare[..], &["--set", "step=1e-6", "--set", "duration=2"]].concat();
    let (status, message) = limited(&workspace, &many, libc::RLIMIT_AS, 400_000_000);
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("do not fit into the memory") && message.contains("fits"), "{message}");
    let few = [&compare[..], &["--set", "step=1e-3", "--set", "duration=1"]].concat();
    let (status, message) = limited(&workspace, &few, libc::RLIMIT_AS, 400_000_000);
    assert_eq!(status, Some(0), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_a_failure_that_says_so() {
    let workspace = Workspace::new();
    let run = ["run", &example("slide.toml"), "--no-plots"];
    let (status, message) = limited(&workspace, &run, libc::RLIMIT_FSIZE, 20_000);
    assert_eq!(status, Some(1), "{message}");
    assert!(message.contains("trajectory.csv") && message.contains("ulimit -f"), "{message}");
    assert!(workspace.files("output/slide/nlp").is_empty(), "{:?}", workspace.files("output/slide/nlp"));
}

/// The pictures and the page of a first run, where a second one has room for its tables only.
#[cfg(target_os = "linux")]
#[test]
fn pictures_of_an_earlier_run_do_not_pass_for_those_of_one_that_could_draw_none() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let [run, compare] = ["run", "compare"].map(|command| [command, &slide]);
    for command in [run, compare] {
        assert_eq!(limited(&workspace, &command, libc::RLIMIT_FSIZE, 1 << 30).0, Some(0));
    }
    let again = |command: [&str; 2], bytes: u64| {
        // As the file has it: other input would leave the results of the first run where they are no more.
        let changed = [&command[..], &["--set", "ground.friction=0.1"]].concat();
        let (status, message) = limited(&workspace, &changed, libc::RLIMIT_FSIZE, bytes);
        assert_eq!(status, Some(1), "{message}");
        message
    };
    again(run, 300 << 10);
    let left = workspace.files("output/slide/nlp");
    assert!(
        left.contains(&"summary.json".to_owned()) && !left.contains(&"report.html".to_owned()),
        "{left:?}"
    );
    let message = again(compare, 450 << 10);
    assert!(message.contains("are not of this run") && message.contains("more"), "{message}");
    assert!(workspace.read("output/slide/compare/summary.json").contains("ground.friction=0.1"));
}

#[test]
fn standard_input_is_read_wherever_a_file_is() {
    let workspace = Workspace::new();
    let slide = std::fs::read_to_string(example("slide.toml")).expect("the example");
    let short = ["--set", "duration=0.05", "--no-plots"];
    for (command, folder) in [("run", "nlp"), ("compare", "compare"), ("convergence", "convergence")] {
        let arguments = [&[command, "-"][..], &short].concat();
        let more: &[&str] = if command == "run" { &[] } else { &["--steppers", "hybrid"] };
        let (status, printed) = printed(&workspace, &[&arguments[..], more].concat(), &slide);
        assert_eq!(status, Some(0), "{printed}");
        assert!(workspace.path(&format!("output/slide/{folder}/summary.json")).is_file());
    }
    let (status, message) = printed(&workspace, &["run", "-"], "name = 3\n");
    assert_eq!(status, Some(2));
    assert!(message.contains("[standard input:1:8]"), "{message}");

    workspace.stickslip(&["run", "-", "--stepper", "nlp:seed"]).write_stdin(slide).assert().code(1);
    let replay = workspace.read("output/slide/nlp-seed/replay-step-0.json");
    let (status, message) = printed(&workspace, &["run", "--replay", "-"], &replay);
    assert_eq!(status, Some(1));
    assert!(message.contains("failed again"), "{message}");
}
