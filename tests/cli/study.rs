//! `stickslip study`.

use crate::Workspace;

#[test]
fn a_study_prints_its_table_and_writes_it_with_a_picture() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["study", "small-bias", "--output", "out"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("eps") && text.contains("creep at v = gamma = eps/2"), "{text}");
    assert_eq!(
        workspace.files("out/study/small-bias"),
        [
            "response-data.csv",
            "response.pdf",
            "response.png",
            "response.svg",
            "summary.json",
            "table.csv",
            "timings.json"
        ]
    );
    assert!(workspace.read("out/study/small-bias/table.csv").starts_with("eps,v,gamma,"));
}

#[test]
fn the_seed_decides() {
    let workspace = Workspace::new();
    let table = |seed: &str, folder: &str| {
        let arguments = ["study", "sliding-block", "--seed", seed, "--output", folder, "--no-plots"];
        workspace.stickslip(&arguments).assert().success();
        workspace.read(&format!("{folder}/study/sliding-block/table.csv"))
    };
    assert_eq!(table("3", "a"), table("3", "b"));
    assert_ne!(table("3", "a"), table("4", "c"));
}

#[test]
fn an_unknown_study_is_refused_with_the_names_there_are() {
    let workspace = Workspace::new();
    let output = workspace.stickslip(&["study", "stiction"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("no study `stiction`") && message.contains("sticking-noise"), "{message}");
    assert!(workspace.files("output").is_empty());
}
