//! What the program says of itself.

use crate::{Workspace, example, text};

/// The commands that the program lists in its help.
pub fn listed_commands(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_shows_examples() {
    let workspace = Workspace::new();
    let help = |arguments: &[&str]| {
        let output = workspace.stickslip(arguments).arg("--help").assert().success().get_output().clone();
        text(&output.stdout)
    };
    let general = help(&[]);
    assert!(general.starts_with("Simulate points and rigid bodies in contact with friction"), "{general}");
    let commands = listed_commands(&general);
    assert!(
        ["run", "completions"].iter().all(|name| commands.iter().any(|known| known == name)),
        "{commands:?}"
    );
    let mut calls: Vec<Vec<&str>> = commands.iter().map(|name| vec![name.as_str()]).collect();
    calls.extend([vec![], vec!["lcp", "solve"]]);
    for arguments in calls {
        let help = help(&arguments);
        assert!(
            help.contains("Examples:\n  stickslip ") || help.contains("Examples:\n  echo "),
            "{arguments:?}: {help}"
        );
        // What is broken where a shell does not go on cannot be copied.
        let mut goes_on = false;
        for line in
            help.lines().skip_while(|line| *line != "Examples:").skip(1).take_while(|line| !line.is_empty())
        {
            let begins = line.starts_with("  stickslip ") || line.starts_with("  echo ");
            assert!(begins != goes_on, "{arguments:?}: {line}");
            goes_on = line.ends_with(" \\") || line.ends_with(" |");
        }
    }
}

#[test]
fn the_help_of_run_names_every_stepper() {
    let output = Workspace::new().stickslip(&["run", "--help"]).assert().success().get_output().clone();
    let help = text(&output.stdout);
    let (_, list) = help.split_once("\nSteppers: ").expect("a list of steppers");
    let list: Vec<&str> = list.split([',', ' ', '\n', '.']).collect();
    for name in stickslip::stepper::StepperName::ALL {
        assert!(list.contains(&name.as_str()), "{name}: {list:?}");
    }
}

#[test]
fn every_command_that_runs_steppers_takes_one_as_it_takes_several() {
    let workspace = Workspace::new();
    let bounce = example("bounce.toml");
    let short = ["--no-plots", "--set", "duration=0.05"];
    for option in ["--stepper", "--steppers"] {
        for command in ["run", "compare", "convergence", "gradient"] {
            let call = [&[command, bounce.as_str(), option, "lcp"][..], &short].concat();
            workspace.stickslip(&call).assert().success();
        }
        for command in ["predict", "fit", "scorecard"] {
            let told =
                text(&workspace.stickslip(&[command, option, "lpc"]).assert().code(2).get_output().stderr);
            assert!(told.contains("there is no stepper `lpc`"), "{command} {option}: {told}");
        }
        for command in ["run", "fit"] {
            let told = text(
                &workspace.stickslip(&[command, option, "nlp,lcp"]).assert().code(2).get_output().stderr,
            );
            assert!(
                told.contains("one stepper") && told.contains("stickslip compare"),
                "{command} {option}: {told}"
            );
        }
    }
}

#[test]
fn the_version_is_the_crate_version() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["--version"]).assert().success().get_output().clone();
    assert_eq!(text(&output.stdout), format!("stickslip {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_exits_with_status_two_and_writes_nothing() {
    let workspace = Workspace::new();
    for arguments in [&[][..], &["run"], &["fly"], &["run", "a.toml", "--speed", "3"]] {
        workspace.stickslip(arguments).assert().code(2);
    }
    assert!(workspace.files("").is_empty());
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let workspace = Workspace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = workspace.stickslip(&["completions", shell]).assert().success().get_output().clone();
        let script = text(&output.stdout);
        for word in ["convergence", "--on-failure", "no-plots"] {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "no {word} for {shell}");
        }
    }
    let output = workspace.stickslip(&["completions", "cmd"]).assert().code(2).get_output().clone();
    assert!(text(&output.stderr).contains("bash"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["man"]).assert().success().get_output().clone();
    assert!(text(&output.stdout).contains(".TH stickslip 1"), "{}", text(&output.stdout));
    workspace.stickslip(&["man", "--output", "pages"]).assert().success();
    let pages = workspace.files("pages");
    for page in ["stickslip.1", "stickslip-run.1", "stickslip-lcp-solve.1", "stickslip-man.1"] {
        assert!(pages.contains(&page.to_owned()), "{page} is not among {pages:?}");
    }
    let page = workspace.read("pages/stickslip-run.1");
    assert!(page.contains("on\\-failure") && page.contains("examples/scenarios/slide.toml"), "{page}");
}

#[test]
fn options_take_a_negative_number_for_a_value_and_tell_what_is_allowed() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let throws = "throws.csv";
    for (arguments, words) in [
        (vec!["predict", throws, &slide, "--from", "-1"], "has to be in 0..1e9 s"),
        (vec!["fit", throws, &slide, "--seed", "-1"], "--seed"),
        (vec!["gradient", &slide, "--kappa", "-0.1"], "--kappa"),
        (vec!["run", &slide, "--figure-width", "-3"], "--figure-width"),
        (vec!["run", &slide, "--every", "-3"], "--every"),
        (vec!["scorecard", "--steps", "-0.001"], "--steps"),
        (vec!["contact", "solve", "problem.json", "--tolerance", "-1"], "--tolerance"),
        (vec!["run", &slide, "--set", "-1"], "has no `=`"),
    ] {
        let message = text(&workspace.stickslip(&arguments).assert().code(2).get_output().stderr);
        assert!(message.contains(words), "{arguments:?}: {message}");
        assert!(!message.contains("unexpected argument"), "{arguments:?}: {message}");
    }
}
