//! Sweeps that are killed, interrupted, short of disk, or not alone.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::{Workspace, signal, text};

/// Runs that take some seconds together, and are stored in several parts.
fn slow() -> Workspace {
    let long = super::SWEEP
        .replace("\"particle.velocity\"", "gravity")
        .replace("count = 10", "count = 5000")
        .replace("[\"lcp\", \"hybrid\"]", "[\"nlp\"]");
    super::with_sweep(&format!("metrics = [\"final_x\"]{long}"))
}

fn start(workspace: &Workspace) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("stickslip"))
        .current_dir(workspace.path(""))
        .args(["sweep", "sweep.toml", "--workers", "2", "--no-plots"])
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

/// A million rows of all the metrics, of 4 shares, in parts of a second of fast work each.
#[test]
#[ignore = "writes half a gigabyte"]
fn a_million_runs_are_collected_in_less_than_a_gigabyte() {
    use stickslip::sweep::{Row, RunStatus, Shard, Store, read_sweep};

    let workspace = super::with_sweep(
        "name = \"sixty\"\nscenario = \"slide.toml\"\nsteppers = [\"lcp\"]\n[sample]\nmethod = \"random\"\n\
         count = 1_000_000\n[sample.keys]\nground.friction = { min = 0.05, max = 0.5 }\n\
         gravity = { min = 5.0, max = 15.0 }\n",
    );
    let sweep = read_sweep(&workspace.path("sweep.toml")).expect("a sweep");
    let store = Store::create(&workspace.path("output/sixty"), &sweep).expect("a folder");
    for index in 0..4 {
        let shard = Shard { index, count: 4 };
        let numbers: Vec<u64> = shard.numbers(sweep.runs()).collect();
        for numbers in numbers.chunks(5_000) {
            let row = |number: &u64| Row {
                number: *number,
                id: format!("{number:032x}"),
                stepper: "lcp".to_owned(),
                values: sweep.run(*number).settings.into_iter().map(|(_, value)| value).collect(),
                metrics: (0..sweep.metrics.len())
                    .map(|k| format!("{}", (*number as f64 + 0.1) * f64::from(k as u32 + 1) / 3.0))
                    .collect(),
                status: RunStatus::Done,
                reason: String::new(),
                seconds: 1e-3,
                step_microseconds: 1.0,
            };
            store.add(shard, &mut numbers.iter().map(row).collect::<Vec<_>>()).expect("a part");
        }
    }
    let program = assert_cmd::cargo::cargo_bin("stickslip");
    let started = std::time::Instant::now();
    let output = Command::new("sh")
        .current_dir(workspace.path(""))
        .args(["-c", "ulimit -v 1000000 && exec \"$0\" sweep --collect output/sixty"])
        .arg(program)
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1000000 of 1000000 runs"), "{}", text(&output.stdout));
    let table = fs::metadata(workspace.path("output/sixty/table.csv")).expect("a table");
    println!("a table of {} bytes in {:?}", table.len(), started.elapsed());
}

/// 4,000 runs under 20 kills at random moments, by two workers.
#[test]
#[ignore = "takes minutes"]
fn four_thousand_runs_survive_twenty_kills() {
    let sweep = "name = \"sixty\"\nscenario = \"slide.toml\"\nsteppers = [\"nlp\"]\nmetrics = [\"final_x\"]\n\
                 [grid]\nstep = [2e-4]\nstepper.nlp.solver = [\"interior-point\"]\n\
                 [sample]\nmethod = \"sobol\"\ncount = 4000\n[sample.keys]\n\
                 ground.friction = { min = 0.05, max = 0.5 }\ngravity = { min = 5.0, max = 15.0 }\n";
    let undisturbed = super::with_sweep(sweep);
    let started = std::time::Instant::now();
    assert!(start(&undisturbed).wait().expect("it ends").success());
    let whole = started.elapsed();
    let workspace = super::with_sweep(sweep);
    let mut random = stickslip::random::Random::seeded(20);
    let (mut before, mut rows_lost) = (stored(&workspace), Vec::new());
    let mut kills = 0;
    while kills < 20 {
        let mut child = start(&workspace);
        let wait = whole.mul_f64(random.uniform(0.0, 0.1));
        std::thread::sleep(wait);
        signal(&child, libc::SIGKILL);
        if child.wait().expect("it ends").signal().is_none() {
            break;
        }
        kills += 1;
        let after = stored(&workspace);
        for (name, bytes) in &before {
            assert_eq!(after.get(name), Some(bytes), "kill {kills}: the stored part {name} was touched");
        }
        let rows = |parts: &BTreeMap<String, Vec<u8>>| -> usize {
            parts.values().map(|bytes| bytes.iter().filter(|byte| **byte == b'\n').count() - 3).sum()
        };
        rows_lost.push((wait, rows(&after) - rows(&before)));
        before = after;
    }
    assert!(kills >= 10, "only {kills} kills came before the end");
    assert!(start(&workspace).wait().expect("it ends").success());
    let table = "output/sixty/table.csv";
    assert_eq!(workspace.read(table), undisturbed.read(table));
    // No run was stored twice: what was stored before a kill was not computed again.
    let numbers: Vec<u64> = stored(&workspace)
        .values()
        .flat_map(|bytes| {
            let lines: Vec<String> = text(bytes).lines().skip(2).map(str::to_owned).collect();
            lines.into_iter().filter_map(|line| line.split(',').next()?.parse().ok())
        })
        .collect();
    assert_eq!(numbers.len(), 4000);
    println!("{kills} kills; the whole takes {whole:?} undisturbed; stored between kills: {rows_lost:?}");
}

/// Where no file may grow beyond 512 bytes, as on a disk that fills up.
fn on_a_full_disk(workspace: &Workspace, arguments: &str) -> std::process::Output {
    Command::new("sh")
        .current_dir(workspace.path(""))
        .args(["-c", &format!("ulimit -f 1 && exec \"$0\" {arguments}")])
        .arg(assert_cmd::cargo::cargo_bin("stickslip"))
        .output()
        .expect("a shell")
}

#[test]
fn a_full_disk_leaves_what_is_stored_and_the_sweep_goes_on_when_there_is_room() {
    let undisturbed = super::sixty();
    undisturbed.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let table = undisturbed.read("output/sixty/table.csv");
    let parts = stored(&undisturbed);

    // While it collects: the table of before stays, or there is none.
    for before in [None, Some("old")] {
        fs::remove_file(undisturbed.path("output/sixty/table.csv")).ok();
        if let Some(text) = before {
            undisturbed.write("output/sixty/table.csv", text);
        }
        let full = on_a_full_disk(&undisturbed, "sweep --collect output/sixty --no-plots");
        assert!(!full.status.success());
        let stderr = text(&full.stderr);
        assert!(stderr.contains("table.csv") && stderr.contains("make room"), "{stderr}");
        assert!(!stderr.contains("may write to"), "{stderr}");
        let now = fs::read_to_string(undisturbed.path("output/sixty/table.csv")).ok();
        assert_eq!(now.as_deref(), before);
        assert_eq!(stored(&undisturbed), parts);
    }
    undisturbed.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().success();
    assert_eq!(undisturbed.read("output/sixty/table.csv"), table);

    // While it stores: no part is half there, and the same command goes on.
    let workspace = super::sixty();
    workspace.stickslip(&["sweep", "sweep.toml", "--shard", "0/2", "--no-plots"]).assert().success();
    let before = stored(&workspace);
    let full = on_a_full_disk(&workspace, "sweep sweep.toml --no-plots");
    assert!(!full.status.success());
    let stderr = text(&full.stderr);
    assert!(stderr.contains("parts") && stderr.contains("make room"), "{stderr}");
    assert_eq!(stored(&workspace), before);
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    assert_eq!(workspace.read("output/sixty/table.csv"), table);
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
    assert!(stored.iter().all(|part| all.contains(part)) && all.len() > stored.len(), "{stored:?}, {all:?}");
}

#[test]
fn a_second_process_on_the_same_share_is_refused() {
    let workspace = slow();
    let mut child = start(&workspace);
    while !workspace.path("output/sixty/.lock-0-of-1").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    let refused = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().code(2);
    let stderr = text(&refused.get_output().stderr);
    assert!(stderr.contains("is being worked on by another process"), "{stderr}");
    signal(&child, libc::SIGKILL);
    child.wait().expect("it ends");
}
