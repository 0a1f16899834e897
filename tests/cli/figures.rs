//! Figures for papers: `--figure-width`, `--font-size`, `--panels`, and the files of a figure.

use crate::{Workspace, example, text};

#[test]
fn a_figure_has_the_width_and_the_panels_that_were_asked_for() {
    let workspace = Workspace::new();
    let arguments = ["--stepper", "lcp", "--figure-width", "double", "--font-size", "8", "--panels", "vx,fz"];
    let slide = example("slide.toml");
    let output = workspace
        .stickslip(&[&["run", slide.as_str()], &arguments[..]].concat())
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(text(&output.stdout).contains("history{.svg,.png,.pdf,-data.csv}"), "{}", text(&output.stdout));
    let svg = workspace.read("output/slide/lcp/history.svg");
    assert!(svg.contains("width=\"180.000mm\""));
    let data = workspace.read("output/slide/lcp/history-data.csv");
    let mut quantities: Vec<&str> =
        data.lines().skip(1).map(|line| line.split(',').nth(2).unwrap()).collect();
    quantities.dedup();
    assert_eq!(quantities, ["vx (m/s)", "Fz (N)"]);
    // Only the history has these panels.
    assert!(workspace.read("output/slide/lcp/energy-data.csv").contains("energy (J)"));
}

#[test]
fn figures_go_without_titles_where_captions_say_what_they_show() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let run = ["run", slide.as_str(), "--stepper", "lcp", "--set", "duration=0.1"];
    let labels = |more: &[&str]| {
        workspace.stickslip(&[&run[..], more].concat()).assert().success();
        let picture = workspace.read("output/slide/lcp/path.svg");
        assert!(
            picture.contains("<title>slide: lcp, Δt = 1 ms</title>"),
            "readers that do not see it are told"
        );
        picture.matches("aria-label=\"slide: lcp").count()
    };
    assert_eq!((labels(&[]), labels(&["--no-title"])), (1, 0));
}

#[test]
fn figures_of_other_commands_have_the_size_that_is_asked_for() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let size = ["--figure-width", "double", "--output", "sized"];
    let study = ["convergence", slide.as_str(), "--steppers", "lcp", "--steps", "1e-2,5e-3"];
    workspace.stickslip(&[&study[..], &size].concat()).assert().success();
    let picture = workspace.read("sized/slide/convergence/convergence.svg");
    assert!(picture.contains("width=\"180.000mm\""), "{}", &picture[..300]);
    let mut output =
        workspace.stickslip(&[&study[..], &["--figure-width", "30", "--font-size", "40"]].concat());
    let message =
        text(&output.assert().code(2).get_output().stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(message.contains("no room for data"), "{message}");
}

#[test]
fn figures_that_cannot_be_drawn_are_refused_before_anything_runs() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for (arguments, words) in [
        (&["--panels", "y"][..], "has no such panel"),
        (&["--panels", "angle"], "has no such panel"),
        (&["--panels", "force"], "no such panel; there are x, y, z, vx"),
        (&["--figure-width", "wide"], "single, double or a number of mm from 30 to 1000"),
        (&["--figure-width", "NaN"], "single, double or a number of mm"),
        (&["--font-size", "100"], "a number of points from 3 to 40"),
        (&["--font-size", "40"], "no room for data"),
        (&["--no-plots", "--font-size", "8"], "--no-plots leaves out the figures"),
        (&["--no-plots", "--no-title"], "--no-plots leaves out the figures"),
    ] {
        for command in ["run", "compare"] {
            let arguments = [&[command, slide.as_str()], arguments].concat();
            let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
            let message = text(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(message.contains(words), "{arguments:?}: {message}");
        }
    }
    assert!(!workspace.path("output").exists());
}
