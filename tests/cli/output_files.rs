//! The files that a run writes.

use crate::{Workspace, example, text};

#[test]
fn the_table_has_a_row_per_state_and_the_last_row_has_no_step() {
    let workspace = Workspace::new();
    workspace.stickslip(&["run", &example("slide.toml"), "--no-plots"]).assert().success();
    let table = workspace.read("output/slide/nlp/trajectory.csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("step,t,x,z,vx,vz,fx,fz,ux,uz,energy,status,iterations,residual,s1,s2,lambda")
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1201);
    assert!(rows.iter().all(|row| row.len() == 17));
    assert_eq!(&rows[0][..6], ["0", "0", "0", "1", "1", "0"]);
    assert_eq!(rows[0][11], "solved");
    assert_eq!(rows[1200][1], "1.2");
    for column in [6, 7, 8, 9, 11, 12, 13, 14, 15, 16] {
        assert_eq!(rows[1200][column], "", "column {column} of the last row");
    }
    let energy: f64 = rows[0][10].parse().expect("a number");
    assert!((energy - (10.0 * 9.81 + 5.0)).abs() < 1e-12);
}

#[test]
fn the_states_follow_from_each_other_by_semi_implicit_euler() {
    let workspace = Workspace::new();
    workspace.stickslip(&["run", &example("stick-slip.toml"), "--no-plots"]).assert().success();
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/stick-slip/nlp/summary.json")).expect("JSON");
    let table = workspace.read("output/stick-slip/nlp/trajectory.csv");
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').take(10).map(|field| field.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    assert_eq!(summary["steps"].as_u64(), Some(rows.len() as u64 - 1));
    let dt = rows[1][1] - rows[0][1];
    for pair in rows.windows(2) {
        let ([_, _, x, z, ..], [_, _, next_x, next_z, next_vx, next_vz, ..]) = (&pair[0][..], &pair[1][..])
        else {
            panic!("short rows")
        };
        assert!((x + dt * next_vx - next_x).abs() < 1e-12 && (z + dt * next_vz - next_z).abs() < 1e-12);
    }
}

#[test]
fn the_summary_holds_every_key_of_its_format() {
    let workspace = Workspace::new();
    workspace.stickslip(&["run", &example("slide.toml"), "--no-plots"]).assert().success();
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/slide/nlp/summary.json")).expect("JSON");
    assert_eq!(summary["scenario"], "slide");
    assert_eq!(summary["stepper"], "nlp");
    assert_eq!(summary["steps"], 1200);
    assert_eq!(summary["solver"]["name"], "IPOPT");
    assert_eq!(summary["solver"]["version"], "3.14.16");
    assert_eq!(summary["status"]["solved"], 1200);
    for (group, keys) in [
        ("step_microseconds", &["median", "p99", "max"][..]),
        ("iterations", &["median", "max", "total"]),
        ("status", &["solved", "rescued", "uncertified", "failed"]),
        (
            "metrics",
            &["final_x", "final_z", "stop_time", "max_penetration", "max_energy_gain", "force_noise"],
        ),
        ("metrics", &["max_complementarity", "max_error_x", "max_error_z"]),
    ] {
        for key in keys {
            assert!(summary[group].get(key).is_some(), "{group}.{key} is missing");
        }
    }
    let stop = summary["metrics"]["stop_time"].as_f64().expect("the point stops");
    assert!((stop - 1.019368).abs() <= 2e-3, "stops at {stop}");
}

#[test]
fn a_file_of_an_earlier_run_is_replaced_as_a_whole() {
    let workspace = Workspace::new();
    let run = ["run", &example("drop.toml"), "--no-plots", "--set", "duration=0.1", "--every", "10"];
    workspace.stickslip(&run).assert().success();
    let longer = "trajectory of an earlier version\n".repeat(100);
    workspace.write("output/drop/nlp/trajectory.csv", &longer);
    workspace.stickslip(&run).assert().success();
    assert_eq!(workspace.read("output/drop/nlp/trajectory.csv").lines().count(), 12);
    assert_eq!(workspace.files("output/drop/nlp"), ["summary.json", "timings.json", "trajectory.csv"]);
}

#[test]
fn results_of_another_input_are_kept_beside_those_of_this_one() {
    let workspace = Workspace::new();
    let run = |duration: &str| {
        let arguments = ["run", &example("drop.toml"), "--no-plots", "--set", duration];
        let output = workspace.stickslip(&arguments).assert().success().get_output().clone();
        crate::text(&output.stderr).to_owned()
    };
    assert_eq!(run("duration=0.5"), "");
    // The same input may replace itself.
    assert_eq!(run("duration=0.5"), "");
    let told = run("duration=0.1");
    assert!(told.contains("were of another input: kept in `output/drop/nlp.1`"), "{told}");
    assert!(run("duration=0.2").contains("kept in `output/drop/nlp.2`"));
    let rows = |folder: &str| workspace.read(&format!("output/drop/{folder}/trajectory.csv")).lines().count();
    assert_eq!([rows("nlp"), rows("nlp.1"), rows("nlp.2")], [202, 502, 102]);
    assert_eq!(workspace.files("output/drop/nlp.1"), ["summary.json", "timings.json", "trajectory.csv"]);
}

#[test]
fn results_of_other_options_are_kept_with_the_folders_in_them() {
    let workspace = Workspace::new();
    let (drop, slide) = (example("drop.toml"), example("slide.toml"));
    let told = |arguments: &[&str]| {
        let output = workspace.stickslip(arguments).assert().success().get_output().clone();
        crate::text(&output.stderr).to_owned()
    };
    let run = ["run", &drop, "--no-plots", "--set", "duration=0.1"];
    told(&run);
    let sparse = told(&[&run[..], &["--every", "10"]].concat());
    assert!(sparse.contains("were of another input: kept in `output/drop/nlp.1`"), "{sparse}");
    let rows = |folder: &str| workspace.read(&format!("output/drop/{folder}/trajectory.csv")).lines().count();
    assert_eq!([rows("nlp"), rows("nlp.1")], [12, 102]);
    // What is only shown otherwise, or said as the default is, is the same input.
    told(&run);
    for same in [&["--quiet"][..], &["--stepper", "nlp"], &["--every", "1"], &["-o", "output"]] {
        assert_eq!(told(&[&run[..], same].concat()), "", "{same:?}");
    }
    assert_eq!(told(&["run", "output/drop/nlp/summary.json", "--no-plots"]), "");

    let compare = |steppers: &str| {
        told(&["compare", &slide, "--no-plots", "--set", "duration=0.01", "--steppers", steppers])
    };
    assert_eq!(compare("lcp,convex"), "");
    assert!(compare("lcp,hybrid").contains("kept in `output/slide/compare.1`"));
    assert_eq!(workspace.files("output/slide/compare.1/trajectories"), ["convex.csv", "lcp.csv"]);
    assert_eq!(workspace.files("output/slide/compare/trajectories"), ["hybrid.csv", "lcp.csv"]);
}

#[test]
fn the_folder_of_results_has_a_short_option_in_every_command() {
    for command in [
        "run",
        "compare",
        "convergence",
        "gradient",
        "learn",
        "predict",
        "fit",
        "plan",
        "study",
        "sweep",
        "scorecard",
        "man",
    ] {
        let output = Workspace::new().stickslip(&[command, "--help"]).output().expect("runs");
        assert!(crate::text(&output.stdout).contains("-o, --output <"), "{command}");
    }
    let workspace = Workspace::new();
    let run = ["run", &example("drop.toml"), "--no-plots", "--set", "duration=0.1", "-o", "there"];
    workspace.stickslip(&run).assert().success();
    assert!(workspace.files("there/drop/nlp").contains(&"summary.json".to_owned()));
}

#[test]
fn a_summary_repeats_its_run() {
    let workspace = Workspace::new();
    let first = ["run", &example("drop.toml"), "--no-plots", "--stepper", "lcp", "--set", "duration=0.1"];
    workspace.stickslip(&first).assert().success();
    let summary = "output/drop/lcp/summary.json";
    let rows = workspace.read("output/drop/lcp/trajectory.csv");
    let again = ["run", summary, "--no-plots", "--output", "again"];
    workspace.stickslip(&again).assert().success();
    assert_eq!(workspace.read("again/drop/lcp/trajectory.csv"), rows);
    workspace
        .stickslip(&[&again[..], &["--stepper", "nlp", "--set", "duration=0.05"]].concat())
        .assert()
        .success();
    assert_eq!(workspace.read("again/drop/nlp/trajectory.csv").lines().count(), 52);
    for (text, told) in
        [("{", "is no JSON"), ("{}", "no scenario in it"), ("{\"resolved\": \"x = 1\"}", "unknown key `x`")]
    {
        workspace.write("broken.json", text);
        let output = workspace.stickslip(&["run", "broken.json"]).assert().code(2).get_output().clone();
        let message = crate::text(&output.stderr);
        assert!(message.contains(told) && message.contains("broken.json"), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_takes_nothing_is_told() {
    let workspace = Workspace::new();
    for command in ["run", "compare"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
        let arguments = [command, &crate::example("slide.toml"), "--no-plots", "--set", "duration=0.01"];
        let process = process.args(arguments).current_dir(workspace.path(".")).stdout(full);
        let output = process.output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(crate::text(&output.stderr).contains("cannot write to standard output"), "{command}");
    }
}

#[test]
fn no_plots_keeps_the_pictures_that_are_there_and_says_that_they_are_not_of_this_run() {
    for (scenario, folder) in [("slide.toml", "output/slide/nlp"), ("chain.toml", "output/chain/nlp")] {
        let workspace = Workspace::new();
        let scenario = example(scenario);
        let short = ["run", &scenario, "--set", "duration=0.05"];
        let output = workspace.stickslip(&short).assert().success().get_output().clone();
        assert!(output.stderr.is_empty());
        let files = workspace.files(folder);
        assert!(files.contains(&"animation.gif".to_owned()));
        let without = [&short[..], &["--no-plots"]].concat();
        let output = workspace.stickslip(&without).assert().success().get_output().clone();
        assert_eq!(workspace.files(folder), files);
        let note = crate::text(&output.stderr);
        assert!(note.contains("are not of this run: animation.gif, energy-data.csv"), "{note}");
    }
}

#[test]
fn replay_files_of_earlier_failures_do_not_stay_but_files_of_others_do() {
    let workspace = Workspace::new();
    let folder = "output/slide/nlp-seed";
    let scenario = example("slide.toml");
    let run = ["run", &scenario, "--stepper", "nlp:seed", "--no-plots", "--set", "duration=0.02"];
    workspace.stickslip(&run).assert().code(1);
    let replay = "replay-step-0.json";
    assert!(workspace.files(folder).contains(&replay.to_owned()), "{:?}", workspace.files(folder));
    let path = |name: &str| workspace.path(&format!("{folder}/{name}"));
    std::fs::copy(path(replay), path("replay-step-7.json")).expect("a copy");
    std::fs::copy(path(replay), path("replay-of-mine.json")).expect("a copy");
    std::fs::write(path("replay-step-8.json"), "{\"mine\": true}").expect("a file");
    workspace.stickslip(&run).assert().code(1);
    assert_eq!(
        workspace.files(folder),
        ["replay-of-mine.json", replay, "replay-step-8.json", "trajectory.partial.csv"]
    );
}

#[test]
fn close_ups_of_an_earlier_comparison_do_not_stay() {
    let workspace = Workspace::new();
    let compare = |duration: &str| {
        let scenario = example("slide.toml");
        let arguments = ["compare", &scenario, "--steppers", "hybrid,exact", "--set", duration];
        workspace.stickslip(&arguments).assert().success();
        workspace.files("output/slide/compare")
    };
    let is_close_up = |name: &String| name.starts_with("impact-");
    assert!(compare("duration=0.6").iter().any(is_close_up));
    assert!(!compare("duration=0.3").iter().any(is_close_up));
}

#[test]
fn every_nth_row_is_written_with_the_last_one_and_the_summary_is_that_of_all() {
    let workspace = Workspace::new();
    let run = |every: &str, folder: &str| {
        let arguments = ["run", &example("slide.toml"), "--no-plots", "--every", every, "--output", folder];
        workspace.stickslip(&arguments).assert().success();
        let summary: serde_json::Value =
            serde_json::from_str(&workspace.read(&format!("{folder}/slide/nlp/summary.json"))).expect("JSON");
        (workspace.read(&format!("{folder}/slide/nlp/trajectory.csv")), summary["metrics"].clone())
    };
    let (all, metrics) = run("1", "all");
    let (thin, thin_metrics) = run("7", "thin");
    let all: Vec<&str> = all.lines().collect();
    let expected: Vec<&str> =
        [all[0]].into_iter().chain(all[1..1201].iter().copied().step_by(7)).chain([all[1201]]).collect();
    assert_eq!(thin.lines().collect::<Vec<_>>(), expected);
    assert_eq!(thin_metrics, metrics);
    workspace.stickslip(&["run", &example("slide.toml"), "--every", "0"]).assert().code(2);
}

#[test]
fn what_does_not_fit_into_the_memory_is_refused_with_the_figure_before_anything_runs() {
    let workspace = Workspace::new();
    // A hundred million steps by every stepper take more than two hundred gigabytes.
    let slide = example("slide.toml");
    let long = ["--set", "duration=1e5", "--set", "step=1e-3"];
    let compare = [&["compare", slide.as_str()][..], &long].concat();
    for arguments in [compare.as_slice(), &[compare.as_slice(), &["--match"]].concat()] {
        let output = workspace.stickslip(arguments).assert().code(2).get_output().clone();
        let message = crate::text(&output.stderr);
        assert!(message.contains("steps do not fit into the memory"), "{arguments:?}: {message}");
        assert!(message.contains("GB") && message.contains("a duration of"), "{arguments:?}: {message}");
        // Those of the steppers that admit the scenario, the exact one besides, and `nlp` by its other solver; where
        // models are matched to it, the exact one alone comes first.
        let kept = ["10 motions are kept", "the motion is kept"].map(|kept| message.contains(kept));
        assert!(kept[0] || kept[1] && arguments.contains(&"--match"), "{arguments:?}: {message}");
        assert!(workspace.files("output").is_empty());
    }
}

/// What `stickslip ARGUMENTS...` answers that has no more than a gigabyte of addresses.
#[cfg(target_os = "linux")]
fn in_a_gigabyte(workspace: &Workspace, arguments: &[&str]) -> std::process::Output {
    use std::os::unix::process::CommandExt;

    const MOST_BYTES: libc::rlim_t = 1 << 30;
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
    command.current_dir(workspace.path("")).args(arguments);
    // SAFETY: between fork and exec only a system call is made, which touches no memory but the structure.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: MOST_BYTES, rlim_max: MOST_BYTES };
            match libc::setrlimit(libc::RLIMIT_AS, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    command.output().expect("the program starts")
}

/// The motions of the second step take 1.2 gigabytes each.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a campaign: twenty million steps"]
fn ten_million_steps_are_studied_in_bounded_memory() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let arguments = ["convergence", &slide, "--steppers", "hybrid", "--steps", "1e-3,1e-6", "--no-plots"];
    let output = in_a_gigabyte(&workspace, &[&arguments[..], &["--set", "duration=10"]].concat());
    assert!(output.status.success(), "{}", crate::text(&output.stderr));
    let rows = workspace.read("output/slide/convergence/convergence.csv");
    let error: f64 = rows.lines().nth(2).and_then(|row| row.split(',').nth(2)).unwrap().parse().unwrap();
    assert!((0.0..1e-5).contains(&error), "{rows}");
}

/// Half a minute and a tenth of the memory that the whole motion would take.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a campaign: twice ten million steps"]
fn ten_million_steps_run_in_bounded_memory_with_pictures() {
    for stepper in ["hybrid", "lcp"] {
        let workspace = Workspace::new();
        let slide = example("slide.toml");
        let arguments = ["run", &slide, "--stepper", stepper, "--every", "1000"];
        let length = ["--set", "duration=10", "--set", "step=1e-6"];
        let output = in_a_gigabyte(&workspace, &[&arguments[..], &length].concat());
        assert!(output.status.success(), "{stepper}: {}", crate::text(&output.stderr));
        let folder = format!("output/slide/{stepper}");
        assert_eq!(workspace.read(&format!("{folder}/trajectory.csv")).lines().count(), 1 + 10_000 + 1);
        assert!(workspace.read(&format!("{folder}/history.svg")).contains("every 20th state"));
        assert!(workspace.files(&folder).contains(&"animation.gif".to_owned()));
        let summary: serde_json::Value =
            serde_json::from_str(&workspace.read(&format!("{folder}/summary.json"))).expect("JSON");
        assert_eq!(summary["steps"], 10_000_000);
        let error = summary["metrics"]["max_error_x"].as_f64().expect("an error against the exact motion");
        assert!((0.0..1e-5).contains(&error), "{stepper}: {error}");
    }
}

/// The rows that the program writes while it runs, and the same trajectory kept in memory.
#[test]
fn rows_are_those_of_the_trajectory_bit_for_bit() {
    use stickslip::{
        metrics::Metrics,
        scenario::{AnyScenario, Scenario, read_scenario},
        simulate::simulate,
        stepper::{BuildStepper, StepperName},
        trajectory::{write_contacts_csv, write_csv_every},
    };

    fn expected<const D: usize>(scenario: &Scenario<D>, stepper: &str, every: usize) -> [String; 3]
    where
        Scenario<D>: BuildStepper<D>,
    {
        let run = |name: StepperName| {
            let mut stepper = scenario.stepper(name).expect("a stepper");
            simulate(scenario, stepper.as_mut())
        };
        let trajectory = run(stepper.parse().expect("a name"));
        let exact = scenario.stepper(StepperName::EXACT).ok().map(|_| run(StepperName::EXACT));
        let (mut rows, mut contacts) = (Vec::new(), Vec::new());
        let every = every.try_into().expect("a positive number");
        write_csv_every(&trajectory, every, &mut rows).expect("a vector takes everything");
        write_contacts_csv(&trajectory, &mut contacts).expect("a vector takes everything");
        let metrics = serde_json::to_string(&Metrics::of(&trajectory, exact.as_ref())).expect("JSON");
        [crate::text(&rows), crate::text(&contacts), metrics]
    }

    for (name, stepper, every) in [
        ("slide", "nlp", 1),
        ("bounce", "hybrid", 7),
        ("curve", "lcp:polyhedral", 1),
        ("chain", "lcp", 10),
        ("tipping-box", "lcp", 3),
    ] {
        let file = example(&format!("{name}.toml"));
        let workspace = Workspace::new();
        let every_text = every.to_string();
        let arguments = ["run", &file, "--stepper", stepper, "--no-plots", "--every", &every_text];
        workspace.stickslip(&arguments).assert().success();
        let [rows, contacts, metrics] =
            match read_scenario(std::path::Path::new(&file), &[]).expect("a scenario") {
                AnyScenario::InPlane(scenario) => expected(&scenario, stepper, every),
                AnyScenario::OverPlane(scenario) => expected(&scenario, stepper, every),
            };
        let folder = format!("output/{name}/{}", stepper.replace(':', "-"));
        assert!(workspace.read(&format!("{folder}/trajectory.csv")) == rows, "{name} by {stepper}");
        if workspace.files(&folder).contains(&"contacts.csv".to_owned()) {
            assert!(workspace.read(&format!("{folder}/contacts.csv")) == contacts, "{name} by {stepper}");
        }
        let summary: serde_json::Value =
            serde_json::from_str(&workspace.read(&format!("{folder}/summary.json"))).expect("JSON");
        assert_eq!(summary["metrics"].to_string(), metrics, "{name} by {stepper}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_folder_for_results() {
    let workspace = Workspace::new();
    std::os::unix::fs::symlink("gone", workspace.path("link")).expect("a link");
    let arguments = ["run", &example("slide.toml"), "--output", "link", "--no-plots"];
    let output = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
    let message = text(&output.stderr);
    assert!(message.contains("`link` is a link to `gone`, which is not there"), "{message}");
    assert!(!message.contains("File exists"), "{message}");
}

#[test]
fn a_folder_is_of_one_command_at_a_time() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let short = ["--no-plots", "--set", "duration=0.05"];
    for (command, folder, more) in [
        ("run", "output/slide/nlp", &[][..]),
        ("compare", "output/slide/compare", &["--steppers", "lcp"]),
        ("convergence", "output/slide/convergence", &["--steppers", "lcp", "--steps", "1e-2,5e-3"]),
    ] {
        let arguments = [&[command, slide.as_str()][..], &short, more].concat();
        std::fs::create_dir_all(workspace.path(folder)).expect("a folder");
        // What another process holds that works there; it may have been killed before, and left its file.
        let held = std::fs::File::create(workspace.path(&format!("{folder}/.lock"))).expect("a file");
        held.lock().expect("a lock");
        let refused = workspace.stickslip(&arguments).assert().code(2).get_output().clone();
        let told = text(&refused.stderr);
        assert!(told.contains("is being worked on by another process"), "{told}");
        assert!(told.contains("wait for it") && told.contains("--output"), "{told}");
        assert_eq!(workspace.files(folder), [".lock"], "{command}");
        drop(held);
        workspace.stickslip(&arguments).assert().success();
        assert!(!workspace.files(folder).contains(&".lock".to_owned()), "{command}");
    }
}

#[test]
fn what_is_refused_leaves_the_results_of_another_input_where_they_are() {
    let workspace = Workspace::new();
    let slide = example("slide.toml");
    let gradient = ["gradient", &slide, "--no-plots", "--set", "duration=0.05", "--steppers", "lcp"];
    workspace.stickslip(&gradient).assert().success();
    let before = workspace.files("output/slide/gradient");
    let refused = [&gradient[..], &["--method", "smoothed"]].concat();
    let output = workspace.stickslip(&refused).assert().code(2).get_output().clone();
    assert!(text(&output.stderr).contains("only nlp is smoothed"), "{}", text(&output.stderr));
    assert_eq!(workspace.files("output/slide/gradient"), before);
    assert!(!workspace.path("output/slide/gradient.1").exists());
}
