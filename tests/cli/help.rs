//! What the program says of itself.

use crate::{Workspace, text};

#[test]
fn help_shows_examples() {
    let workspace = Workspace::new();
    for arguments in [&["--help"][..], &["run", "--help"]] {
        let output = workspace.stickslip(arguments).assert().success().get_output().clone();
        let help = text(&output.stdout);
        assert!(help.contains("Examples:\n  stickslip "), "{help}");
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
