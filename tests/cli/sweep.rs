//! `stickslip sweep`: the same table whatever the shards, the workers and the interruptions.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Workspace, example, text};

/// 60 runs: three values by ten points by two steppers.
const SWEEP: &str = r#"
    name = "sixty"
    scenario = "slide.toml"
    steppers = ["lcp", "hybrid"]
    [grid]
    "ground.friction" = [0.1, 0.2, 0.3]
    [sample]
    method = "sobol"
    count = 10
    seed = 3
    [sample.keys]
    particle.mass = { min = 1.0, max = 100.0, scale = "log" }
    "particle.velocity" = { min = 0.0, max = 1.0 }
"#;

fn with_sweep(sweep: &str) -> Workspace {
    let workspace = Workspace::new();
    fs::copy(example("slide.toml"), workspace.path("slide.toml")).expect("a copy");
    workspace.write("sweep.toml", sweep);
    workspace
}

fn sixty() -> Workspace {
    with_sweep(&SWEEP.replace("\"particle.velocity\"", "gravity"))
}

/// The table of the undisturbed sweep.
fn table() -> String {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml", "--workers", "1"]).assert().success();
    workspace.read("output/sixty/table.csv")
}

fn parts(workspace: &Workspace) -> Vec<String> {
    workspace.files("output/sixty/parts").into_iter().filter(|name| name.ends_with(".csv")).collect()
}

#[test]
fn the_table_has_a_row_per_run_in_the_order_of_their_numbers() {
    let table = table();
    let rows: Vec<&str> = table.lines().collect();
    assert!(
        rows[0].starts_with("id,stepper,ground.friction,particle.mass,gravity,final_x,final_z,stop_time")
    );
    assert!(rows[0].ends_with(",status,reason"));
    assert_eq!(rows.len(), 61);
    for (number, row) in rows[1..].iter().enumerate() {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[1], ["lcp", "hybrid"][number % 2]);
        assert_eq!(cells[2], ["0.1", "0.2", "0.3"][number / 20]);
        assert_eq!(cells[cells.len() - 2], "done");
    }
    let ids: BTreeSet<&str> = rows[1..].iter().filter_map(|row| row.split(',').next()).collect();
    assert_eq!(ids.len(), 60, "every run has its own identity");
}

#[test]
fn a_row_says_what_run_says() {
    let workspace = with_sweep("scenario = \"slide.toml\"\n[grid]\nground.friction = [0.1, 0.3]\n");
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let run = ["run", "slide.toml", "--set", "ground.friction=0.3", "--no-plots"];
    workspace.stickslip(&run).assert().success();
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/slide/nlp/summary.json")).expect("JSON");
    let table = workspace.read("output/sweep/table.csv");
    let (header, row) = (table.lines().next().expect("a header"), table.lines().nth(2).expect("two rows"));
    for name in ["final_x", "final_z", "max_error_x", "max_energy_gain", "force_noise"] {
        let place = header.split(',').position(|column| column == name).expect(name);
        assert_eq!(row.split(',').nth(place), Some(&*summary["metrics"][name].to_string()), "{name}");
    }
}

#[test]
fn workers_and_shards_change_nothing() {
    let undisturbed = table();
    for workers in ["2", "8"] {
        let workspace = sixty();
        workspace.stickslip(&["sweep", "sweep.toml", "--workers", workers]).assert().success();
        assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed, "{workers} workers");
    }
    let workspace = sixty();
    for shard in ["2/3", "0/3"] {
        let output = workspace.stickslip(&["sweep", "sweep.toml", "--shard", shard]).assert().success();
        assert!(text(&output.get_output().stdout).contains("--collect output/sixty"));
    }
    let partial = workspace.stickslip(&["sweep", "--collect", "output/sixty"]).assert().success();
    assert!(text(&partial.get_output().stderr).contains("20 runs are missing (1, 4, 7, 10, 13 and more)"));
    let manifest: serde_json::Value =
        serde_json::from_str(&workspace.read("output/sixty/manifest.json")).expect("JSON");
    assert_eq!((&manifest["runs"], &manifest["done"]), (&60.into(), &40.into()));
    assert_eq!(manifest["missing"][1], serde_json::json!([4, 4]));
    workspace.stickslip(&["sweep", "sweep.toml", "--shard", "1/3"]).assert().success();
    workspace.stickslip(&["sweep", "--collect", "output/sixty"]).assert().success();
    assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed);
}

#[test]
fn damaged_parts_are_named_set_aside_and_computed_again() {
    let undisturbed = table();
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 4] = [
        ("it is cut", |part| {
            let text = fs::read_to_string(part).expect("a part");
            fs::write(part, &text[..text.len() / 2]).expect("a writable part");
        }),
        ("bytes were changed", |part| {
            let mut bytes = fs::read(part).expect("a part");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            fs::write(part, bytes).expect("a writable part");
        }),
        ("it is cut", |part| fs::write(part, "").expect("a writable part")),
        ("", |part| fs::remove_file(part).expect("a part")),
    ];
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    for (said, damage) in damages {
        let part = parts(&workspace).pop().expect("a part");
        damage(&workspace.path("output/sixty/parts").join(&part));
        let again = workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
        let stderr = text(&again.get_output().stderr);
        assert!(stderr.contains(said), "{stderr}");
        if !said.is_empty() {
            assert!(stderr.contains(&format!("output/sixty/damaged/{part}")), "{stderr}");
        }
        assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed);
    }
}

#[test]
fn another_sweep_in_the_same_folder_is_refused() {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let before = parts(&workspace);
    let changed = workspace.read("sweep.toml").replace("0.3]", "0.4]");
    workspace.write("sweep.toml", &changed);
    let refused = workspace.stickslip(&["sweep", "sweep.toml"]).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains("`output/sixty` holds another sweep"));
    assert_eq!(parts(&workspace), before);
}

#[test]
fn parts_of_another_sweep_or_version_are_refused() {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let other = with_sweep("name = \"sixty\"\nscenario = \"slide.toml\"\n[grid]\nground.friction = [0.1]\n");
    other.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let foreign = parts(&other).pop().expect("a part");
    let place = workspace.path("output/sixty/parts").join(&foreign);
    fs::copy(other.path("output/sixty/parts").join(&foreign), &place).expect("a copy");
    let refused = workspace.stickslip(&["sweep", "--collect", "output/sixty"]).assert().code(2);
    let stderr = text(&refused.get_output().stderr);
    assert!(stderr.contains(&foreign) && stderr.contains("another sweep or version"), "{stderr}");
    fs::remove_file(place).expect("a part");

    let plan = workspace.read("output/sixty/plan.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(plan.contains(&version));
    workspace.write("output/sixty/plan.json", &plan.replace(&version, "\"version\": \"0.0.9\""));
    let refused = workspace.stickslip(&["sweep", "sweep.toml"]).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains("begun by version 0.0.9"));
}

#[test]
fn runs_that_fail_or_are_refused_are_rows_with_their_reason() {
    let workspace = with_sweep(
        "scenario = \"slide.toml\"\nsteppers = [\"nlp:seed\", \"lcp:falling-block\"]\n[grid]\nground.friction = [0.1]\n",
    );
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let table = workspace.read("output/sweep/table.csv");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert!(rows[0].contains(",failed,") && rows[0].contains("step 0 at t = 0 s failed"), "{}", rows[0]);
    assert!(rows[1].contains(",refused,"), "{}", rows[1]);
}

#[test]
fn a_dry_run_computes_nothing() {
    let workspace = sixty();
    let output = workspace.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().success();
    let stdout = text(&output.get_output().stdout);
    assert!(stdout.starts_with("60 runs of `slide.toml` with `lcp`, `hybrid`"), "{stdout}");
    assert!(workspace.files("output").is_empty());
}

/// One fault per case: what is written, and what the message says of it.
#[test]
fn faults_of_a_sweep_file_are_told_with_their_place() {
    let head = "scenario = \"slide.toml\"\n";
    let cases: [(String, &[&str]); 16] = [
        (head.replace("slide", "slid") + "[grid]\nstep = [1e-3]", &["slid.toml", "did you mean"]),
        (head.to_owned(), &["varies no key", "[grid]"]),
        ("[grid]\nstep = [1e-3]".to_owned(), &["`scenario` is missing"]),
        (
            head.to_owned() + "stepers = [\"nlp\"]\n[grid]\nstep = [1e-3]",
            &["`stepers`", "did you mean `steppers`?"],
        ),
        (head.to_owned() + "steppers = [\"nlq\"]\n[grid]\nstep = [1e-3]", &["nlq", "nlp"]),
        (head.to_owned() + "steppers = \"nlp\"\n[grid]\nstep = [1e-3]", &["must be a list of strings"]),
        (head.to_owned() + "steppers = [\"nlp\", \"nlp\"]\n[grid]\nstep = [1e-3]", &["named twice"]),
        (head.to_owned() + "metrics = [\"final_w\"]\n[grid]\nstep = [1e-3]", &["`final_w`", "`final_"]),
        (head.to_owned() + "[grid]\nground.friction = []", &["has 0 values"]),
        (head.to_owned() + "[grid]\nground.friction = [0.1, -0.1]", &["ground.friction=-0.1", "must be"]),
        (head.to_owned() + "[grid]\nground.fricton = [0.1]", &["ground.fricton", "did you mean `friction`?"]),
        (head.to_owned() + "[grid]\nstep = [1e-3, 1e-3]", &["1e-3 twice"]),
        (
            head.to_owned()
                + "[sample]\ncount = 3\nmethod = \"soboll\"\n[sample.keys]\nstep = { min = 1e-3, max = 1e-2 }",
            &["\"soboll\"", "did you mean \"sobol\"?"],
        ),
        (
            head.to_owned() + "[sample]\ncount = 0\n[sample.keys]\nstep = { min = 1e-3, max = 1e-2 }",
            &["sample.count", "from 1 to"],
        ),
        (
            head.to_owned() + "[sample]\ncount = 3\n[sample.keys]\nstep = { min = 1e-2, max = 1e-3 }",
            &["goes from 0.01 to 0.001"],
        ),
        (
            head.to_owned()
                + "[sample]\ncount = 3\n[sample.keys]\nground.friction = { min = 0, max = 1.0, scale = \"log\" }",
            &["begins at 0", "logarithm"],
        ),
    ];
    for (sweep, said) in cases {
        let workspace = with_sweep(&sweep);
        let refused = workspace.stickslip(&["sweep", "sweep.toml"]).assert().code(2);
        let stderr = text(&refused.get_output().stderr);
        assert!(said.iter().all(|words| stderr.contains(words)), "{sweep}\n{stderr}");
        assert!(stderr.contains("sweep.toml"), "{stderr}");
        assert!(workspace.files("output").is_empty(), "{sweep}");
    }
}

#[cfg(unix)]
mod disturbed {
    use std::{
        collections::BTreeMap,
        fs,
        os::unix::process::ExitStatusExt,
        process::{Child, Command, Stdio},
        time::Duration,
    };

    use crate::{Workspace, signal, text};

    /// Runs that take about two seconds together.
    fn slow() -> Workspace {
        let long = super::SWEEP
            .replace("\"particle.velocity\"", "gravity")
            .replace("count = 10", "count = 15")
            .replace("[\"lcp\", \"hybrid\"]", "[\"nlp\"]");
        super::with_sweep(&format!("metrics = [\"final_x\"]{long}"))
    }

    fn start(workspace: &Workspace) -> Child {
        Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
            .current_dir(workspace.path(""))
            .args(["sweep", "sweep.toml", "--workers", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// The parts and what is in them.
    fn stored(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
        super::parts(workspace)
            .into_iter()
            .map(|name| {
                let bytes = fs::read(workspace.path("output/sixty/parts").join(&name)).expect("a part");
                (name, bytes)
            })
            .collect()
    }

    #[test]
    fn killed_sweeps_lose_no_stored_run_and_end_in_the_same_table() {
        let undisturbed = slow();
        assert!(start(&undisturbed).wait().expect("it ends").success());
        let workspace = slow();
        let mut before = stored(&workspace);
        for kill in 0..4_u64 {
            let mut child = start(&workspace);
            // The first kill comes after the first part, however slow the machine is.
            while kill == 0 && super::parts(&workspace).is_empty() {
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_millis(100 + 370 * kill));
            signal(&child, libc::SIGKILL);
            let status = child.wait().expect("it ends");
            let after = stored(&workspace);
            for (name, bytes) in &before {
                assert_eq!(after.get(name), Some(bytes), "the stored part {name} was touched");
            }
            before = after;
            if status.signal().is_none() {
                break;
            }
        }
        assert!(!before.is_empty(), "the kills came before the first part");
        assert!(start(&workspace).wait().expect("it ends").success());
        let table = "output/sixty/table.csv";
        assert_eq!(workspace.read(table), undisturbed.read(table));
        let hidden: Vec<String> = workspace
            .files("output/sixty/parts")
            .into_iter()
            .filter(|name| name.starts_with(".stickslip"))
            .collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }

    #[test]
    fn an_interrupted_sweep_stores_what_is_finished_and_goes_on() {
        let workspace = slow();
        let child = start(&workspace);
        while super::parts(&workspace).is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
        signal(&child, libc::SIGINT);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let stderr = text(&output.stderr);
        assert!(stderr.contains("the same command goes on from there"), "{stderr}");
        let stored = super::parts(&workspace);
        assert!(start(&workspace).wait().expect("it ends").success());
        let all = super::parts(&workspace);
        assert!(
            stored.iter().all(|part| all.contains(part)) && all.len() > stored.len(),
            "{stored:?}, {all:?}"
        );
    }

    #[test]
    fn a_second_process_on_the_same_share_is_refused() {
        let workspace = slow();
        let mut child = start(&workspace);
        while !workspace.path("output/sixty/.lock-0-of-1").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        let refused = workspace.stickslip(&["sweep", "sweep.toml"]).assert().code(2);
        let stderr = text(&refused.get_output().stderr);
        assert!(stderr.contains("is being worked on by another process"), "{stderr}");
        signal(&child, libc::SIGKILL);
        child.wait().expect("it ends");
    }
}
