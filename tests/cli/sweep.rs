//! `stickslip sweep`: the same table whatever the shards, the workers and the interruptions.

#[cfg(unix)]
mod disturbed;

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

/// Each of these coefficients alone would not fit the file, whose friction is 0.1; together all fit, but for one.
#[test]
fn coefficients_that_depend_on_each_other_are_judged_together() {
    let workspace = with_sweep(
        "name = \"two\"\nscenario = \"slide.toml\"\nsteppers = [\"lcp\"]\n[grid]\n\
         \"ground.friction\" = [0.2, 0.4]\n\"ground.kinetic_friction\" = [0.15, 0.3]\n",
    );
    let output = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().get_output().clone();
    let table = workspace.read("output/two/table.csv");
    let refused = table.lines().filter(|line| line.contains("at most")).count();
    assert_eq!((table.lines().count(), refused), (5, 1), "{table}\n{}", text(&output.stderr));
}

/// The table of the undisturbed sweep.
fn table() -> String {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml", "--workers", "1", "--no-plots"]).assert().success();
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
fn values_between_are_written_as_people_write_them() {
    let sweep = "scenario = \"slide.toml\"\nsteppers = [\"hybrid\"]\n\
                 [grid]\nground.friction = { min = 0.1, max = 0.7, count = 13 }\n";
    let workspace = with_sweep(sweep);
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let table = workspace.read("output/sweep/table.csv");
    let frictions: Vec<&str> = table.lines().skip(1).filter_map(|row| row.split(',').nth(2)).collect();
    let expected: Vec<String> =
        (2..=14).map(|twentieth| format!("{}", f64::from(twentieth) / 20.0)).collect();
    assert_eq!(frictions, expected);
}

#[test]
fn a_row_says_what_run_says() {
    let workspace = with_sweep("scenario = \"slide.toml\"\n[grid]\nground.friction = [0.1, 0.3]\n");
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
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

/// What is not asked for is not measured; what is asked for is the same whatever else is.
#[test]
fn a_metric_alone_is_the_one_among_all() {
    let sweep =
        "scenario = \"slide.toml\"\nsteppers = [\"lcp\", \"hybrid\"]\n[grid]\nground.friction = [0.1, 0.3]\n";
    let workspace = with_sweep(sweep);
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let column = |table: &str, name: &str| -> Vec<String> {
        let mut lines = table.lines().map(|line| line.split(','));
        let place = lines.next().and_then(|mut names| names.position(|known| known == name)).expect(name);
        lines.filter_map(|mut cells| cells.nth(place).map(str::to_owned)).collect()
    };
    let all = workspace.read("output/sweep/table.csv");
    let metrics: Vec<&str> = all.lines().next().expect("a header").split(',').skip(3).collect();
    assert!(metrics.len() > 8);
    for name in metrics.into_iter().filter(|name| !["status", "reason"].contains(name)) {
        let alone = with_sweep(&format!("metrics = [\"{name}\"]\n{sweep}"));
        alone.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
        assert_eq!(column(&alone.read("output/sweep/table.csv"), name), column(&all, name), "{name}");
    }
}

#[test]
fn workers_and_shards_change_nothing() {
    let undisturbed = table();
    for workers in ["2", "8"] {
        let workspace = sixty();
        workspace.stickslip(&["sweep", "sweep.toml", "--workers", workers, "--no-plots"]).assert().success();
        assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed, "{workers} workers");
    }
    let workspace = sixty();
    for shard in ["2/3", "0/3"] {
        let output = workspace.stickslip(&["sweep", "sweep.toml", "--shard", shard]).assert().success();
        assert!(text(&output.get_output().stdout).contains("--collect output/sixty"));
    }
    let partial =
        workspace.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().success();
    assert!(text(&partial.get_output().stderr).contains("20 runs are missing (1, 5, 7, 9, 14 and more)"));
    let manifest: serde_json::Value =
        serde_json::from_str(&workspace.read("output/sixty/manifest.json")).expect("JSON");
    assert_eq!((&manifest["runs"], &manifest["done"]), (&60.into(), &40.into()));
    assert_eq!(manifest["missing"][1], serde_json::json!([5, 5]));
    workspace.stickslip(&["sweep", "sweep.toml", "--shard", "1/3"]).assert().success();
    workspace.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().success();
    assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed);
    let workspace = sixty();
    for index in 0..8 {
        let shard = format!("{index}/8");
        workspace.stickslip(&["sweep", "sweep.toml", "--shard", &shard]).assert().success();
    }
    workspace.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().success();
    assert_eq!(workspace.read("output/sixty/table.csv"), undisturbed, "8 shares");
}

#[test]
fn a_share_has_runs_of_every_stepper() {
    let workspace = sixty();
    for index in 0..4 {
        let shard = format!("{index}/4");
        workspace.stickslip(&["sweep", "sweep.toml", "--shard", &shard]).assert().success();
        workspace.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().success();
        let table = workspace.read("output/sixty/table.csv");
        let of = |stepper: &str| table.matches(&format!(",{stepper},")).count();
        assert!(of("lcp").abs_diff(of("hybrid")) <= 3, "{} and {}", of("lcp"), of("hybrid"));
        fs::remove_dir_all(workspace.path("output")).expect("a folder");
    }
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
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    for (said, damage) in damages {
        let part = parts(&workspace).pop().expect("a part");
        damage(&workspace.path("output/sixty/parts").join(&part));
        let again = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
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
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let before = parts(&workspace);
    let changed = workspace.read("sweep.toml").replace("0.3]", "0.4]");
    workspace.write("sweep.toml", &changed);
    let refused = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains("`output/sixty` holds another sweep"));
    assert_eq!(parts(&workspace), before);
}

/// What a file holds that the scenario or the grid names belongs to the sweep; what the scenario says to people does not.
#[test]
fn a_sweep_whose_push_file_was_changed_is_another() {
    let workspace = with_sweep(
        "scenario = \"pushed.toml\"\nsteppers = [\"lcp\"]\n[grid]\nground.friction = [0.1, 0.2]\n",
    );
    let scenario = workspace.read("slide.toml") + "[[push]]\nfile = \"p.csv\"\n";
    workspace.write("pushed.toml", &scenario);
    workspace.write("p.csv", "0.0,1.0,0.0\n1.0,1.0,0.0\n");
    let share = |index: u8| {
        workspace.stickslip(&["sweep", "sweep.toml", "--shard", &format!("{index}/2"), "--no-plots"]).assert()
    };
    share(0).success();
    workspace.write("p.csv", "0.0,2.0,0.0\n1.0,2.0,0.0\n");
    let refused = share(1).code(2);
    assert!(text(&refused.get_output().stderr).contains("`output/sweep` holds another sweep"));
    workspace.write("p.csv", "0.0,1.0,0.0\n1.0,1.0,0.0\n");
    workspace.write("pushed.toml", &format!("# The same.\n{scenario}"));
    share(1).success();

    let grid = "name = \"grid\"\nscenario = \"pushed.toml\"\nsteppers = [\"lcp\"]\n[grid]\n\
                \"push[0].file\" = [\"p.csv\", \"q.csv\"]\n";
    workspace.write("sweep.toml", grid);
    workspace.write("q.csv", "0.0,3.0,0.0\n1.0,3.0,0.0\n");
    share(0).success();
    workspace.write("q.csv", "0.0,4.0,0.0\n1.0,4.0,0.0\n");
    share(1).code(2);
}

#[test]
fn a_sweep_comes_from_standard_input() {
    let workspace = sixty();
    let sweep = workspace.read("sweep.toml");
    workspace.stickslip(&["sweep", "-", "--no-plots"]).write_stdin(sweep).assert().success();
    assert_eq!(workspace.read("output/sixty/table.csv"), table());
    let nameless = "scenario = \"slide.toml\"\n[grid]\nstep = [1e-3]\n";
    let output = workspace.stickslip(&["sweep", "-", "--dry-run", "--json"]).write_stdin(nameless).assert();
    assert!(text(&output.success().get_output().stdout).contains("\"sweep\": \"sweep\""));
    let faulty = workspace.stickslip(&["sweep", "-"]).write_stdin("stepers = 1\n").assert().code(2);
    let told = text(&faulty.get_output().stderr);
    assert!(told.contains("standard input:1:1") && told.contains("`stepers`"), "{told}");
}

#[test]
fn a_range_of_whole_numbers_is_written_as_such() {
    let workspace = with_sweep(
        "scenario = \"turn.toml\"\nsteppers = [\"lcp\"]\n[grid]\n\
         \"stepper.lcp.directions\" = { min = 4, max = 12, count = 3 }\n",
    );
    fs::copy(example("turn.toml"), workspace.path("turn.toml")).expect("a copy");
    let output = workspace.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().success();
    let told = text(&output.get_output().stdout);
    for directions in [4, 8, 12] {
        assert!(told.contains(&format!("stepper.lcp.directions = {directions}\n")), "{told}");
    }
    let between = workspace.read("sweep.toml").replace("count = 3", "count = 4");
    workspace.write("sweep.toml", &between);
    workspace.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().code(2);
}

#[test]
fn parts_of_another_sweep_or_version_are_refused() {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let other = with_sweep("name = \"sixty\"\nscenario = \"slide.toml\"\n[grid]\nground.friction = [0.1]\n");
    other.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let foreign = parts(&other).pop().expect("a part");
    let place = workspace.path("output/sixty/parts").join(&foreign);
    fs::copy(other.path("output/sixty/parts").join(&foreign), &place).expect("a copy");
    let refused = workspace.stickslip(&["sweep", "--collect", "output/sixty", "--no-plots"]).assert().code(2);
    let stderr = text(&refused.get_output().stderr);
    assert!(stderr.contains(&foreign) && stderr.contains("another sweep or version"), "{stderr}");
    fs::remove_file(place).expect("a part");

    let plan = workspace.read("output/sixty/plan.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(plan.contains(&version));
    workspace.write("output/sixty/plan.json", &plan.replace(&version, "\"version\": \"0.0.9\""));
    let refused = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains("begun by version 0.0.9"));
}

#[test]
fn a_damaged_plan_is_refused_and_its_remedy_loses_nothing() {
    let workspace = sixty();
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let (plan, table) = (workspace.read("output/sixty/plan.json"), workspace.read("output/sixty/table.csv"));
    assert!(plan.contains("\"runs\": 60,"), "{plan}");
    workspace.write("output/sixty/plan.json", &plan.replace("\"runs\": 60,", "\"runs\": 20,"));
    for command in
        [["sweep", "--collect", "output/sixty", "--no-plots"], ["sweep", "sweep.toml", "--no-plots", "-q"]]
    {
        let refused = workspace.stickslip(&command).assert().code(2);
        let stderr = text(&refused.get_output().stderr);
        assert!(
            stderr.contains("plan.json` of the sweep is damaged") && stderr.contains("remove that file"),
            "{stderr}"
        );
    }
    fs::remove_file(workspace.path("output/sixty/plan.json")).expect("a plan");
    let again = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    assert!(text(&again.get_output().stdout).contains("60"), "{again}");
    assert_eq!(
        (workspace.read("output/sixty/plan.json"), workspace.read("output/sixty/table.csv")),
        (plan, table)
    );
}

#[test]
fn runs_that_fail_or_are_refused_are_rows_with_their_reason() {
    let workspace = with_sweep(
        "scenario = \"slide.toml\"\nsteppers = [\"nlp:seed\", \"lcp:falling-block\"]\n[grid]\nground.friction = [0.1]\n",
    );
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
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
    let cases: [(String, &[&str]); 18] = [
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
            head.to_owned() + "[grid]\nground.friction = { min = 0.1, max = -0.3, count = 5000 }",
            &["ground.friction"],
        ),
        (
            head.to_owned() + "[grid]\nground.restitution = { min = 0.5, max = 1.5, count = 5000 }",
            &["ground.restitution", "at most 1"],
        ),
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
        let refused = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().code(2);
        let stderr = text(&refused.get_output().stderr);
        assert!(said.iter().all(|words| stderr.contains(words)), "{sweep}\n{stderr}");
        assert!(stderr.contains("sweep.toml"), "{stderr}");
        assert!(workspace.files("output").is_empty(), "{sweep}");
    }
}

#[test]
fn a_collection_is_drawn_and_says_where_it_comes_from() {
    let workspace = with_sweep(
        r#"
        name = "drawn"
        scenario = "slide.toml"
        steppers = ["lcp", "hybrid"]
        metrics = ["final_x", "max_error_x"]
        [grid]
        step = [1e-2, 5e-3, 2e-3]
        ground.friction = [0.1, 0.2, 0.3]
        [[border]]
        label = "a border"
        keys = ["ground.friction", "step"]
        points = [[0.1, 2e-3], [0.3, 1e-2]]
    "#,
    );
    let output = workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    let stdout = text(&output.get_output().stdout);
    assert!(stdout.contains("5 pictures (SVG, PNG, PDF and CSV) in pictures/"), "{stdout}");
    let pictures = workspace.files("output/drawn/pictures");
    for name in ["cost", "lines-final_x", "lines-max_error_x", "map-final_x", "map-max_error_x"] {
        for ending in [".svg", ".png", ".pdf", "-data.csv"] {
            assert!(pictures.contains(&format!("{name}{ending}")), "{name}: {pictures:?}");
        }
    }
    let map = workspace.read("output/drawn/pictures/map-final_x.svg");
    assert!(map.contains("a border") && map.contains("ground.friction"));
    let report = workspace.read("output/drawn/report.html");
    for said in ["18 of 18 runs", "ground.friction", "map per stepper", "5 pictures"] {
        assert!(report.contains(said), "{said}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&workspace.read("output/drawn/manifest.json")).expect("JSON");
    assert!(manifest["command"].as_str().is_some_and(|command| command == "stickslip sweep sweep.toml"));
    assert!(manifest["resolved"].as_str().is_some_and(|scenario| scenario.contains("[ground]")));
    // The sweep as the manifest has it is the same sweep.
    workspace.write("again.toml", manifest["file"].as_str().expect("the sweep"));
    workspace.stickslip(&["sweep", "again.toml", "--output", "other", "--no-plots"]).assert().success();
    assert_eq!(workspace.read("other/drawn/table.csv"), workspace.read("output/drawn/table.csv"));
    // Pictures of another collection do not stay.
    workspace.stickslip(&["sweep", "--collect", "output/drawn", "--no-plots"]).assert().success();
    assert!(workspace.files("output/drawn/pictures").is_empty());
    assert!(!workspace.files("output/drawn").contains(&"report.html".to_owned()));
}

#[test]
fn failed_and_refused_runs_are_drawn_where_they_are() {
    let workspace = with_sweep(
        "metrics = [\"final_x\"]\nscenario = \"slide.toml\"\nsteppers = [\"lcp:falling-block\", \"hybrid\"]\n\
         [grid]\nground.friction = [0.1, 0.2, 0.3]\ngravity = [1.0, 2.0, 3.0]\n",
    );
    workspace.stickslip(&["sweep", "sweep.toml"]).assert().success();
    assert!(workspace.files("output/sweep/pictures").contains(&"failures.svg".to_owned()));
}

#[test]
fn keys_that_a_stepper_makes_nothing_of_are_named_before_anything_runs() {
    let sweep = |keys: &str, steppers: &str| {
        format!("name = \"s\"\nscenario = \"slide.toml\"\nsteppers = [{steppers}]\n{keys}")
    };
    let told = |keys: &str, steppers: &str, more: &[&str]| {
        let workspace = with_sweep(&sweep(keys, steppers));
        let output = workspace.stickslip(&[&["sweep", "sweep.toml"], more].concat()).assert().success();
        let report = workspace.path("output/s/report.html");
        (text(&output.get_output().stderr), fs::read_to_string(report).unwrap_or_default())
    };
    let restitution = "[grid]\nground.restitution = [0.0, 0.8]\n";
    let (warned, _) = told(restitution, "\"lcp\", \"convex\"", &["--dry-run"]);
    assert!(warned.contains("stepper `convex`: ground.restitution = 0.8 is ignored"), "{warned}");
    assert!(!warned.contains("stepper `lcp`"), "{warned}");
    let (warned, report) = told(restitution, "\"lcp\", \"convex\"", &[]);
    assert!(warned.contains("stepper `convex`: ground.restitution = 0.8 is ignored"), "{warned}");
    assert!(report.contains("convex: ground.restitution = 0.8 is ignored"));
    let sampled = "[sample]\nmethod = \"random\"\ncount = 3\n[sample.keys]\n\
                   stepper.convex.stiffness = { min = 1e4, max = 1e6 }\n";
    let (warned, _) = told(sampled, "\"lcp\"", &["--dry-run"]);
    assert!(
        warned.contains("stepper `lcp`: stepper.convex.stiffness is ignored: it is a setting of `convex`"),
        "{warned}"
    );
    assert_eq!(warned.matches("is ignored").count(), 1, "{warned}");
    let (warned, _) = told("[grid]\nground.friction = [0.1, 0.2]\n", "\"lcp\", \"convex\"", &["--dry-run"]);
    assert_eq!(warned, "");
}

#[test]
fn a_place_in_a_list_is_written_in_one_way() {
    let sweep = "name = \"s\"\nscenario = \"slide.toml\"\nsteppers = [\"lcp\"]\n[grid]\n\
                 \"particle.position[1]\" = [0.1, 0.2]\n\"particle.position[01]\" = [0.3, 0.4]\n";
    let workspace = with_sweep(sweep);
    let output = workspace.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().code(2);
    let told = text(&output.get_output().stderr);
    assert!(told.contains("particle.position[01]") && told.contains("is not a key"), "{told}");
    let twice = with_sweep(&sweep.replace("[01]", ".1"));
    let told =
        text(&twice.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().code(2).get_output().stderr);
    assert!(told.contains("`particle.position[1]` is given twice"), "{told}");
    // What stands in the list is set by the list too.
    let list = with_sweep(
        &sweep.replace("\"particle.position[01]\" = [0.3, 0.4]", "particle.position = [[0.0, 0.5]]"),
    );
    let told =
        text(&list.stickslip(&["sweep", "sweep.toml", "--dry-run"]).assert().code(2).get_output().stderr);
    assert!(told.contains("`particle.position` and `particle.position[1]` set the same numbers"), "{told}");
}

#[test]
fn keys_of_bodies_are_swept() {
    let workspace = Workspace::new();
    fs::copy(example("tipping-box.toml"), workspace.path("tipping-box.toml")).expect("a copy");
    workspace.write(
        "sweep.toml",
        "scenario = \"tipping-box.toml\"\nsteppers = [\"lcp\"]\nmetrics = [\"bodies.box.final.angle\"]\n\
         [grid]\n\"body[0].size[0]\" = [0.3, 0.7]\nground.friction = [0.4, 0.6]\n",
    );
    workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().success();
    let table = workspace.read("output/sweep/table.csv");
    let tipped: Vec<bool> = table
        .lines()
        .skip(1)
        .map(|row| {
            row.split(',').nth(4).and_then(|cell| cell.parse::<f64>().ok()).expect("an angle").abs() > 0.1
        })
        .collect();
    // It tips where friction exceeds width over height.
    assert_eq!(tipped, [true, true, false, false], "{table}");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_before_anything_runs() {
    let workspace = sixty();
    workspace.write("output", "a file in the place of the folder");
    let refused = workspace.stickslip(&["sweep", "sweep.toml", "--no-plots"]).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains("output"), "{refused}");
}

#[test]
fn a_faulty_border_is_told_with_its_place() {
    let head = "scenario = \"slide.toml\"\n[grid]\nstep = [1e-3, 2e-3]\ngravity = [1.0, 2.0]\n[[border]]\n";
    let cases: [(&str, &str); 5] = [
        ("keys = [\"step\", \"gravity\"]\npoints = [[1, 2], [3, 4]]", "`border.label` is missing"),
        (
            "label = \"a\"\nkeys = [\"step\", \"mass\"]\npoints = [[1, 2], [3, 4]]",
            "`mass`, which is not swept",
        ),
        ("label = \"a\"\nkeys = [\"step\"]\npoints = [[1, 2], [3, 4]]", "a list of two keys"),
        ("label = \"a\"\nkeys = [\"step\", \"gravity\"]\npoints = [[1, 2]]", "two or more pairs"),
        (
            "label = \"a\"\nkeys = [\"step\", \"gravity\"]\npoints = [[1, 2], [3, inf]]",
            "pairs of finite numbers",
        ),
    ];
    for (border, said) in cases {
        let workspace = with_sweep(&format!("{head}{border}\n"));
        let refused = workspace.stickslip(&["sweep", "sweep.toml"]).assert().code(2);
        let stderr = text(&refused.get_output().stderr);
        assert!(stderr.contains(said) && stderr.contains("sweep.toml"), "{border}\n{stderr}");
    }
}
