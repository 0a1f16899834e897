//! What would change nothing is refused, with the reason and what to do instead.

use crate::{Workspace, example, text};

#[track_caller]
fn refuses(workspace: &Workspace, arguments: &[&str], words: &[&str]) {
    let output = workspace.stickslip(arguments).assert().code(2).get_output().clone();
    let told = text(&output.stderr);
    for word in words {
        assert!(told.contains(word), "{arguments:?}: no `{word}` in\n{told}");
    }
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(workspace.files("output").is_empty(), "{arguments:?}");
}

#[test]
fn settings_that_the_recording_gives_are_refused() {
    let workspace = Workspace::new();
    let data = format!("{}/examples/data/tosses-sample20.csv", env!("CARGO_MANIFEST_DIR"));
    let cube = example("cube-toss.toml");
    for command in [&["predict"][..], &["recording", "check"]] {
        for (setting, why) in [
            ("duration=5", "the recording says how long"),
            ("body[0].position=[0.0,0.0,1.0]", "starts where the recording has it"),
            ("body.0.velocity.2=-1.0", "starts where the recording has it"),
        ] {
            let arguments = [command, &[&data, &cube, "--set", setting]].concat();
            refuses(&workspace, &arguments, &["--set", "has no effect", why]);
        }
    }
}

#[test]
fn options_of_what_does_not_run_are_refused() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let cases: [(&[&str], &[&str]); 5] = [
        (&["convergence", &slide, "--set", "step=1e-4"], &["--set step=1e-4 has no effect", "--steps"]),
        (&["gradient", &slide, "--kappa", "0.2"], &["--kappa 0.2 has no effect", "--method smoothed"]),
        (&["gradient", &slide, "--of", "final_x,final_x"], &["--of: `final_x` is named twice"]),
        (
            &["gradient", &slide, "--wrt", "ground.friction,ground.friction"],
            &["--wrt: `ground.friction` is named twice"],
        ),
        (
            &["compare", &slide, "--match", "--steppers", "lcp,nlp"],
            &["--match has no effect", "smooth or convex"],
        ),
    ];
    for (arguments, words) in cases {
        refuses(&workspace, arguments, words);
    }
    std::fs::create_dir(workspace.path("nothing")).expect("a folder");
    let scorecard = ["scorecard", "--phenomena", "stopping-distance", "--recorded", "nothing"];
    refuses(&workspace, &scorecard, &["--recorded: no program has recorded anything in nothing"]);
}

#[test]
fn small_numbers_are_told_with_their_power_of_ten() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    for arguments in [&["convergence", &slide, "--steps", "1e-300"][..], &["scorecard", "--steps", "1e-300"]]
    {
        refuses(&workspace, arguments, &["--steps 1e-300:"]);
    }
}
