//! `stickslip predict`.

use serde_json::Value;
use stickslip::{
    predict::{Predictor, Start, StepperErrors, TriedLaw, predict, read_recording},
    report::Motion,
    scenario::{AnyScenario, read_scenario},
    stepper::StepperName,
    watch::Watch,
};

use crate::{Workspace, example, text};

const BOX: &str = r#"
name = "thrown-box"
duration = 0.6
step = 1e-3
[[body]]
shape = "box"
size = [0.1, 0.06]
mass = 0.4
position = [0.0, 0.3]
angle = 0.3
velocity = [1.0, 0.5]
spin = 4.0
[ground]
friction = 0.3
"#;

const POINT: &str = r#"
name = "thrown-point"
duration = 0.6
step = 1e-3
[particle]
mass = 1.0
position = [0.0, 0.3]
velocity = [2.0, 0.5]
[ground]
friction = 0.3
restitution = 0.4
"#;

/// Runs a scenario several times from other velocities, and makes a recording of every fifth state of that.
fn recording(workspace: &Workspace, toml: &str, key: &str, columns: &str, stepper: &str) -> Vec<String> {
    let starts = [0.6, 1.0, 1.7].map(|speed| vec![format!("{key}=[{speed:?}, 0.5]")]);
    recorded(workspace, toml, &starts, columns, stepper, 5)
}

/// Makes a recording of every so many states of runs of a scenario that start otherwise.
pub fn recorded(
    workspace: &Workspace,
    toml: &str,
    starts: &[Vec<String>],
    columns: &str,
    stepper: &str,
    every: usize,
) -> Vec<String> {
    workspace.write("scenario.toml", toml);
    let mut lines = vec![format!("toss,{columns}")];
    for (toss, start) in starts.iter().enumerate() {
        let mut run = vec!["run", "scenario.toml", "--stepper", stepper, "--no-plots"];
        run.extend(start.iter().flat_map(|set| ["--set", set]));
        workspace.stickslip(&run).assert().success();
        let name = toml.lines().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"');
        let csv = workspace.read(&format!("output/{name}/{}/trajectory.csv", stepper.replace(':', "-")));
        let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = rows.next().unwrap();
        let places: Vec<usize> = columns
            .split(',')
            .map(|column| header.iter().position(|title| *title == column).unwrap())
            .collect();
        lines.extend(rows.step_by(every).map(|row| {
            let cells: Vec<&str> = places.iter().map(|&place| row[place]).collect();
            format!("{},{}", toss + 1, cells.join(","))
        }));
    }
    lines
}

fn box_recording(workspace: &Workspace) -> Vec<String> {
    recording(workspace, BOX, "body[0].velocity", "t,x,z,angle,vx,vz,spin", "lcp")
}

/// Positions and rotations of a stepper in errors.csv.
fn point_recording(workspace: &Workspace) -> Vec<String> {
    recording(workspace, POINT, "particle.velocity", "t,x,z,vx,vz", "lcp")
}

fn errors(workspace: &Workspace, name: &str, stepper: &str) -> Vec<[f64; 2]> {
    let csv = workspace.read(&format!("output/{name}/predict/errors.csv"));
    assert!(csv.starts_with("stepper,toss,position,rotation,final_position,final_rotation\n"), "{csv}");
    let rows = csv.lines().filter(|line| line.starts_with(&format!("{stepper},")));
    rows.map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        [2, 3].map(|cell| cells[cell].parse().unwrap_or(0.0))
    })
    .collect()
}

#[test]
fn predictions_and_fits_of_another_input_do_not_replace_the_first() {
    let workspace = Workspace::new();
    workspace.write("data.csv", &point_recording(&workspace).join("\n"));
    let told =
        |arguments: &[&str]| text(&workspace.stickslip(arguments).assert().success().get_output().stderr);
    let predict = ["predict", "data.csv", "scenario.toml", "--no-plots", "--steppers", "lcp"];
    told(&predict);
    assert!(!told(&predict).contains("kept in"));
    let other = told(&[&predict[..], &["--set", "ground.friction=0.2"]].concat());
    assert!(other.contains("kept in `output/thrown-point/predict.1`"), "{other}");
    assert!(workspace.read("output/thrown-point/predict.1/summary.json").contains("friction = 0.3"));
    let fit = ["fit", "data.csv", "scenario.toml", "--no-plots", "--stepper", "lcp", "--parameters"];
    told(&[&fit[..], &["ground.friction"]].concat());
    let other = told(&[&fit[..], &["ground.friction,ground.restitution"]].concat());
    assert!(other.contains("kept in `output/thrown-point/fit.1`"), "{other}");
}

#[test]
fn a_model_predicts_its_own_throws_from_either_start() {
    for (toml, name) in [(BOX, "thrown-box"), (POINT, "thrown-point")] {
        let workspace = Workspace::new();
        let lines = match name {
            "thrown-box" => box_recording(&workspace),
            _ => recording(&workspace, toml, "particle.velocity", "t,x,z,vx,vz", "lcp"),
        };
        workspace.write("data.csv", &lines.join("\n"));
        for start in ["raw", "fit"] {
            let predict = [
                "predict",
                "data.csv",
                "scenario.toml",
                "--steppers",
                "lcp,convex",
                "--start",
                start,
                "--no-plots",
            ];
            let table = text(&workspace.stickslip(&predict).assert().success().get_output().stdout);
            assert!(table.contains("3 throws, 363 rows, 5 steps of 0.001000 s"), "{table}");
            let own = errors(&workspace, name, "lcp");
            assert_eq!(own.len(), 3);
            assert!(own.iter().flatten().all(|error| *error < 1e-8), "{start}: {own:?}");
            let other = errors(&workspace, name, "convex");
            assert!(other.iter().any(|[position, _]| *position > 1e-5), "{other:?}");
            let summary: serde_json::Value =
                serde_json::from_str(&workspace.read(&format!("output/{name}/predict/summary.json")))
                    .unwrap();
            assert_eq!(summary["start"], start);
            assert_eq!(summary["steps_per_row"], 5);
            assert_eq!(summary["steppers"]["lcp"]["failed_steps"], 0);
            assert!(summary["steppers"]["convex"]["standard_error"]["position"].as_f64().unwrap() > 0.0);
            assert_eq!(summary["steppers"]["lcp"]["rotation"].is_null(), name == "thrown-point");
            assert!(summary["resolved"].as_str().unwrap().contains("friction = 0.3"));
        }
    }
}

/// Most fall below the parabola by half a step's velocity, `hybrid` stays as far above it, `exact` is on it.
#[test]
fn every_model_finds_its_own_start_in_the_flight() {
    for stepper in ["nlp", "lcp", "lcp:anitescu", "cone", "smooth", "hybrid", "exact"] {
        let workspace = Workspace::new();
        let lines = recording(&workspace, POINT, "particle.velocity", "t,x,z,vx,vz", stepper);
        workspace.write("data.csv", &lines.join("\n"));
        let predict = ["predict", "data.csv", "scenario.toml", "--steppers", stepper, "--no-plots"];
        workspace.stickslip(&predict).assert().success();
        let own = errors(&workspace, "thrown-point", stepper);
        assert!(own.iter().all(|[position, _]| *position < 1e-8), "{stepper}: {own:?}");
    }
}

const DISC: &str = r#"
name = "thrown-disc"
duration = 0.8
step = 1e-3
[[body]]
shape = "disc"
size = 0.05
mass = 0.2
position = [0.0, 0.4]
[ground]
friction = 0.12
restitution = 0.45
"#;

const BALL: &str = r#"
name = "thrown-ball"
duration = 0.8
step = 1e-3
[[body]]
shape = "sphere"
size = 0.05
mass = 0.2
position = [0.0, 0.0, 0.4]
[ground]
friction = 0.12
restitution = 0.45
"#;

/// At 100 rows a second a body that falls from half a metre is on the ground and 2 cm away again from one row to the
/// next.
#[test]
fn a_bounce_between_two_rows_ends_the_flight_that_the_start_is_fitted_to() {
    let heights = [0.21, 0.27, 0.33, 0.36, 0.42, 0.49];
    let in_plane = heights.map(|height| {
        let [position, velocity, spin] = ["position", "velocity", "spin"].map(|key| format!("body[0].{key}"));
        vec![
            format!("{position}=[0.0, {height:?}]"),
            format!("{velocity}=[{:?}, {:?}]", 5.0 * height, 0.7 - 2.0 * height),
            format!("{spin}={:?}", 60.0 * (height - 0.3)),
        ]
    });
    let in_space = heights.map(|height| {
        let [position, velocity, spin] = ["position", "velocity", "spin"].map(|key| format!("body[0].{key}"));
        vec![
            format!("{position}=[0.0, 0.0, {height:?}]"),
            format!("{velocity}=[{:?}, -0.5, {:?}]", 5.0 * height, 0.7 - 2.0 * height),
            format!("{spin}=[5.0, {:?}, -3.0]", 60.0 * (height - 0.3)),
        ]
    });
    for (name, toml, starts, columns, stepper) in [
        ("thrown-disc", DISC, in_plane, "t,x,z,angle,vx,vz,spin", "lcp"),
        ("thrown-ball", BALL, in_space, "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz", "nlp"),
    ] {
        let workspace = Workspace::new();
        let lines = recorded(&workspace, toml, &starts, columns, stepper, 10);
        let is_near = |line: &&String| {
            let place = columns.split(',').position(|column| column == "z").expect("a height") + 1;
            line.split(',').nth(place).and_then(|cell| cell.parse::<f64>().ok()).is_some_and(|z| z < 0.052)
        };
        let of_throw = |toss: usize| {
            lines.iter().filter(move |line| line.starts_with(&format!("{toss},"))).take(40).find(is_near)
        };
        assert!((1..=6).any(|toss| of_throw(toss).is_none()), "{name}: every bounce has a row");
        workspace.write("data.csv", &lines.join("\n"));
        let predict = ["predict", "data.csv", "scenario.toml", "--steppers", stepper, "--no-plots"];
        workspace.stickslip(&predict).assert().success();
        let found = errors(&workspace, name, stepper);
        assert!(found.len() == 6 && found.iter().flatten().all(|error| *error < 1e-6), "{name}: {found:?}");
    }
}

/// Pushes of every kind, all of which go on after 0.1 s.
const PUSHES: &str = r#"
[[push]]
force = [3.0, 0.0]
from = 0.05
to = 0.4
[[push]]
force = [0.0, 1.0]
from = 0.3
frequency = 3.0
phase = 0.4
[[push]]
table = [[0.0, 0.0, 0.0], [0.25, 2.0, 0.0], [0.5, -1.0, 0.0]]
[[push]]
force = [-4.0, 0.0]
to = 0.08
"#;

#[test]
fn pushes_stay_in_the_time_of_the_throw_where_its_beginning_is_left_out() {
    let workspace = Workspace::new();
    let pushed = format!("{BOX}{PUSHES}");
    let lines = recording(&workspace, &pushed, "body[0].velocity", "t,x,z,angle,vx,vz,spin", "lcp");
    workspace.write("data.csv", &lines.join("\n"));
    for from in ["0", "0.1", "0.345"] {
        let predict =
            ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--start", "raw", "--no-plots"];
        workspace.stickslip(&[&predict[..], &["--from", from]].concat()).assert().success();
        let own = errors(&workspace, "thrown-box", "lcp");
        assert!(own.len() == 3 && own.iter().flatten().all(|error| *error < 1e-8), "from {from}: {own:?}");
    }
}

#[test]
fn rows_may_be_missing_wherever_the_steps_of_the_scenario_lead_to_those_that_are_left() {
    let workspace = Workspace::new();
    let lines = box_recording(&workspace);
    // Of the rows of a throw, 5 ms apart, few are left, with gaps of all lengths.
    let kept = [0, 2, 4, 10, 18, 40, 42, 80, 118];
    let rows = lines[1..].iter().enumerate().filter(|(row, _)| kept.contains(&(row % 121)));
    let rows: Vec<&str> =
        std::iter::once(lines[0].as_str()).chain(rows.map(|(_, line)| line.as_str())).collect();
    workspace.write("data.csv", &rows.join("\n"));
    let predict =
        ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--start", "raw", "--no-plots"];
    let table = text(&workspace.stickslip(&predict).assert().success().get_output().stdout);
    assert!(table.contains("3 throws, 27 rows, 10 steps of 0.001000 s"), "{table}");
    assert!(table.contains("for the smallest interval between rows, some rows are missing"), "{table}");
    assert!(errors(&workspace, "thrown-box", "lcp").iter().flatten().all(|error| *error < 1e-8));
    for (number, words) in [("9", "there are 1, 2, 3"), ("0", "there are 1, 2, 3")] {
        let message = workspace.stickslip(&[&predict[..], &["--toss", number]].concat()).assert().code(2);
        let message = text(&message.get_output().stderr);
        assert!(message.contains(words) && !message.contains("..."), "{message}");
    }
    workspace.write("one.csv", &rows[..10].join("\n"));
    let one = ["predict", "one.csv", "scenario.toml", "--steppers", "lcp", "--no-plots", "--toss", "9"];
    let message = text(&workspace.stickslip(&one).assert().code(2).get_output().stderr);
    assert!(message.contains("there is only toss 1"), "{message}");
    // A column of contacts alone is optional in the header of points.
    workspace.write("one.csv", "toss,time\n0,0");
    workspace.write("scenario.toml", POINT);
    let message = text(&workspace.stickslip(&one).assert().code(2).get_output().stderr);
    assert!(message.contains("`toss,t,x,z,vx,vz`, and optionally `contact`, in any order"), "{message}");
}

/// The same rows, so many metres higher.
pub fn raised(lines: &[String], by: f64) -> String {
    let row = |(index, line): (usize, &String)| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if index > 0 {
            cells[3] = format!("{:?}", cells[3].parse::<f64>().unwrap() + by);
        }
        cells.join(",")
    };
    lines.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

/// Velocities that were not recorded, or in other units, are told.
#[test]
fn velocities_that_do_not_lead_along_the_positions_are_named() {
    let workspace = Workspace::new();
    let lines = box_recording(&workspace);
    for factor in [0.0, 1e3] {
        let scaled = lines.iter().enumerate().map(|(index, line)| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            for cell in cells.iter_mut().skip(5).filter(|_| index > 0) {
                *cell = format!("{:?}", factor * cell.parse::<f64>().unwrap());
            }
            cells.join(",")
        });
        workspace.write("data.csv", &scaled.collect::<Vec<_>>().join("\n"));
        let predict = ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
        let told = text(&workspace.stickslip(&predict).assert().success().get_output().stderr);
        assert!(told.contains("3 of 3 throws the velocities do not lead along the positions"), "{told}");
        assert!(told.contains("3 of 3 throws the spins do not turn the body"), "{told}");
    }
}

/// Where the scenario has the ground lower than it was, or higher: a flight ends where the body turns off it, not where it
/// would meet the ground of the scenario, so that the starts stay right; and the fault is named.
#[test]
fn a_ground_that_is_elsewhere_is_named_and_leaves_the_starts_of_throws_as_they_are() {
    let workspace = Workspace::new();
    for (toml, name, lines) in
        [(BOX, "thrown-box", box_recording(&workspace)), (POINT, "thrown-point", point_recording(&workspace))]
    {
        workspace.write("scenario.toml", toml);
        let predict = ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
        let predicted = |by: f64, more: &[&str]| {
            workspace.write("data.csv", &raised(&lines, by));
            let output =
                workspace.stickslip(&[&predict[..], more].concat()).assert().success().get_output().clone();
            let errors = errors(&workspace, name, "lcp");
            let worst = errors.iter().map(|[position, _]| *position).fold(0.0, f64::max);
            (text(&output.stderr), worst)
        };
        let (told, worst) = predicted(0.0, &[]);
        assert!(!told.contains("warning") && worst < 1e-6, "{name}: {worst} {told}");
        let (told, as_measured) = predicted(0.05, &["--start", "raw"]);
        assert!(told.contains("3 of 3 throws the body turns off its flight"), "{name}: {told}");
        let (told, fitted) = predicted(0.05, &[]);
        assert!(told.contains("3 of 3 throws the body turns off its flight"), "{name}: {told}");
        assert!((fitted - as_measured).abs() < 1e-6, "{name}: {fitted} for {as_measured}");
        let summary: Value =
            serde_json::from_str(&workspace.read(&format!("output/{name}/predict/summary.json"))).unwrap();
        assert!(summary["doubts"][0].as_str().unwrap().contains("turns off its flight"), "{summary}");
        let (told, _) = predicted(-0.03, &[]);
        assert!(told.contains("rows in which the body is deep in the ground"), "{name}: {told}");
        let (told, worst) = predicted(0.05, &["--ground-height", "0.05"]);
        assert!(!told.contains("warning") && worst < 1e-6, "{name}: {worst} {told}");
        for command in
            [&predict[..], &["fit", "data.csv", "scenario.toml", "--parameters", "ground.friction"]]
        {
            let output = workspace.stickslip(&[command, &["--ground-height", "1"]].concat()).assert().code(2);
            let told = text(&output.get_output().stderr);
            assert!(told.contains("no possible start") && told.contains("--ground-height"), "{name}: {told}");
        }
    }
}

#[test]
fn another_friction_predicts_worse_and_a_ground_elsewhere_is_found() {
    let workspace = Workspace::new();
    let lines = box_recording(&workspace);
    workspace.write("data.csv", &raised(&lines, 0.25));
    let predict = ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--ground-height", "0.25"];
    workspace.stickslip(&predict).assert().success();
    let right = errors(&workspace, "thrown-box", "lcp");
    assert!(right.iter().flatten().all(|error| *error < 1e-6), "{right:?}");
    let files = workspace.files("output/thrown-box/predict");
    for file in [
        "toss.svg",
        "toss.png",
        "errors.svg",
        "errors.png",
        "error-over-time.svg",
        "error-over-time.png",
        "timings.json",
        "report.html",
    ] {
        assert!(files.iter().any(|written| written == file), "no {file} in {files:?}");
    }
    let report = workspace.read("output/thrown-box/predict/report.html");
    assert!(report.contains("3 throws of a recording") && report.contains("How the errors grow with time."));
    assert!(report.contains("data-kind=\"motion\"") && report.contains(" moves below."), "no throw to play");
    let mut other = predict.to_vec();
    other.extend(["--set", "ground.friction=0.1", "--no-plots"]);
    workspace.stickslip(&other).assert().success();
    let wrong = errors(&workspace, "thrown-box", "lcp");
    assert!(wrong.iter().all(|[position, _]| *position > 0.05), "{wrong:?}");
}

#[test]
fn rows_may_be_missing_and_their_interval_need_be_no_multiple_of_the_step() {
    let workspace = Workspace::new();
    let mut lines = box_recording(&workspace);
    lines.remove(40);
    lines.remove(90);
    workspace.write("data.csv", &lines.join("\n"));
    let predict = ["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
    workspace.stickslip(&predict).assert().success();
    let own = errors(&workspace, "thrown-box", "lcp");
    assert!(own.iter().flatten().all(|error| *error < 1e-8), "{own:?}");
    let mut finer = predict.to_vec();
    finer.extend(["--set", "step=0.0012"]);
    let table = text(&workspace.stickslip(&finer).assert().success().get_output().stdout);
    assert!(table.contains("the step is 0.00125 s in place of 0.0012 s"), "{table}");
    let own = errors(&workspace, "thrown-box", "lcp");
    assert!(own.iter().all(|[position, _]| *position < 0.05), "{own:?}");
    let mut later = predict.to_vec();
    later.extend(["--from", "0.1", "--start", "raw"]);
    let table = text(&workspace.stickslip(&later).assert().success().get_output().stdout);
    assert!(table.contains("3 throws, 301 rows"), "{table}");
    let all = box_recording(&workspace);
    workspace.write("data.csv", &all.join("\n"));
    let table = text(&workspace.stickslip(&predict).assert().success().get_output().stdout);
    assert!(table.contains("5 steps of 0.001000 s from row to row"), "{table}");
    // Rows 25, 25 and 10 ms apart are not at multiples of the least of these.
    let kept = [0, 5, 10, 12];
    let rows = all[1..].iter().enumerate().filter(|(row, _)| kept.contains(&(row % 121)));
    let rows: Vec<&str> =
        std::iter::once(all[0].as_str()).chain(rows.map(|(_, line)| line.as_str())).collect();
    workspace.write("data.csv", &rows.join("\n"));
    let table = text(&workspace.stickslip(&predict).assert().success().get_output().stdout);
    assert!(
        table.contains(
            "10 steps of 0.001000 s for the smallest interval between rows, which are not evenly spaced"
        ),
        "{table}"
    );
}

#[test]
fn what_does_not_fit_is_named_with_its_place() {
    let workspace = Workspace::new();
    let lines = box_recording(&workspace);
    let edited = |line: usize, cell: usize, value: &str| {
        let mut lines = lines.clone();
        let mut cells: Vec<&str> = lines[line].split(',').collect();
        cells[cell] = value;
        lines[line] = cells.join(",");
        lines.join("\n")
    };
    let good = lines.join("\n");
    let two_bodies =
        format!("{BOX}[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [5.0, 0.1]\n");
    for (data, scenario, more, words) in [
        (edited(7, 2, "nan"), BOX, vec![], vec!["line 8", "column `x`", "not finite"]),
        (edited(7, 1, "0.001"), BOX, vec![], vec!["line 8", "time does not increase"]),
        (edited(0, 4, "theta"), BOX, vec![], vec!["line 1", "theta", "no such column", "angle"]),
        (edited(9, 0, "7"), BOX, vec![], vec!["line 10", "single row"]),
        (good.clone(), POINT, vec![], vec!["no such column", "angle"]),
        (good.clone(), two_bodies.as_str(), vec![], vec!["2 bodies that move", "fixed"]),
        (good.clone(), BOX, vec!["--from", "9"], vec!["toss 1 has fewer than two rows"]),
        (good.clone(), BOX, vec!["--steppers", "hybrid"], vec!["hybrid", "does not admit"]),
        (good.clone(), BOX, vec!["--set", "step=1e-8"], vec!["steps of the scenario", "longer `step`"]),
        (good.clone(), BOX, vec!["--set", "push=[{force = [1.0, 0.0]}]"], vec!["has pushes", "--start raw"]),
    ] {
        workspace.write("data.csv", &data);
        workspace.write("other.toml", scenario);
        let mut line = vec!["predict", "data.csv", "other.toml"];
        line.extend(more);
        let output = workspace.stickslip(&line).assert().code(2).get_output().clone();
        let message = text(&output.stderr);
        for word in words {
            assert!(message.contains(word), "{line:?}: no `{word}` in\n{message}");
        }
    }
    let below = ["predict", "point.csv", "point.toml", "--start", "raw"];
    workspace.write("point.toml", POINT);
    workspace.write("point.csv", "toss,t,x,z,vx,vz\n4,0,0,-0.1,1,0\n4,0.01,0,0,1,0\n");
    let message = text(&workspace.stickslip(&below).assert().code(2).get_output().stderr);
    assert!(
        message.contains("toss 4 has no possible start") && message.contains("--ground-height"),
        "{message}"
    );
}

/// A point that slides is measured above the ground and below it.
#[test]
fn a_point_that_is_measured_a_little_below_the_ground_starts_on_it() {
    let workspace = Workspace::new();
    let slide = POINT.replace("[0.0, 0.3]", "[0.0, 0.0]").replace("[2.0, 0.5]", "[2.0, 0.0]");
    let starts = [0.6, 1.0, 1.7].map(|speed| vec![format!("particle.velocity=[{speed:?}, 0.0]")]);
    let lines = recorded(&workspace, &slide, &starts, "t,x,z,vx,vz", "lcp", 5);
    let noisy = lines.iter().enumerate().map(|(row, line)| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if row > 0 {
            cells[3] = format!("{:?}", if row % 2 == 0 { 4e-4 } else { -4e-4 });
        }
        cells.join(",")
    });
    workspace.write("data.csv", &noisy.collect::<Vec<_>>().join("\n"));
    let predict = ["predict", "data.csv", "scenario.toml", "--steppers", "nlp,lcp", "--no-plots"];
    let output = workspace.stickslip(&predict).assert().success().get_output().clone();
    let told = text(&output.stderr);
    assert!(told.contains("start below the ground, by 0.0004 m at most, and are taken on it"), "{told}");
    // What is wrong is the height that was measured; the one that starts above falls first.
    for stepper in ["nlp", "lcp"] {
        let own = errors(&workspace, "thrown-point", stepper);
        assert!(own.iter().all(|[position, _]| (*position - 4e-4).abs() < 2e-5), "{stepper}: {own:?}");
    }
    let summary: Value =
        serde_json::from_str(&workspace.read("output/thrown-point/predict/summary.json")).unwrap();
    assert_eq!(summary["starts_below_ground"][0], 1.0, "{summary}");
}

/// The throws of a real cube: what each model makes of them, as the README has it.
#[test]
fn throws_of_a_real_cube_are_predicted_to_a_seventh_of_its_size() {
    let workspace = Workspace::new();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/tosses-sample20.csv");
    let scenario = crate::example("cube-toss.toml");
    let predict =
        ["predict", data.to_str().unwrap(), &scenario, "--steppers", "nlp,lcp,cone,convex", "--no-plots"];
    workspace.stickslip(&predict).assert().success();
    let summary: serde_json::Value =
        serde_json::from_str(&workspace.read("output/cube-toss/predict/summary.json")).unwrap();
    assert_eq!((&summary["tosses"], &summary["steps_per_row"]), (&20.into(), &5.into()));
    for (stepper, position, rotation) in
        [("nlp", 0.139, 21.7), ("cone", 0.139, 21.7), ("lcp", 0.140, 21.6), ("convex", 0.138, 21.7)]
    {
        let of_stepper = &summary["steppers"][stepper];
        let figure = |key: &str| of_stepper[key].as_f64().unwrap();
        assert!((figure("position") - position).abs() < 0.002, "{stepper}: {of_stepper}");
        assert!((figure("rotation") - rotation).abs() < 0.5, "{stepper}: {of_stepper}");
        assert_eq!(figure("failed_steps"), 0.0, "{stepper}");
    }
    assert_eq!(summary["ended_otherwise_by_every_stepper"], 6);
}

#[test]
fn a_throw_is_a_motion_with_the_measured_one_first_and_differences_from_it() {
    let AnyScenario::OverPlane(scenario) = read_scenario(example("cube-toss.toml"), &[]).expect("a scenario")
    else {
        panic!("a cube is thrown in space");
    };
    let file = example("cube-toss.toml").replace("scenarios/cube-toss.toml", "data/tosses-sample20.csv");
    let rows = std::fs::read_to_string(&file).expect("the sample");
    let recording = read_recording::<3>(&file, &rows, true).expect("a recording");
    let predictor = Predictor::new(&scenario, recording, Start::Fit).expect("they fit each other");
    let laws = [StepperName::LCP, StepperName::CONVEX].map(TriedLaw::from);
    let predictions =
        predict(&predictor, &laws, &Watch::none()).expect("they admit it").expect("not stopped");
    let errors: Vec<StepperErrors> = (laws.iter().zip(&predictions))
        .map(|(&law, by_law)| StepperErrors::of(law, by_law, &predictor))
        .collect();
    let toss = &predictor.recording().tosses[3];
    let motion = Motion::of_throw(&predictor, &errors, &predictions, 3).expect("a toss");
    assert!(Motion::of_throw(&predictor, &errors, &predictions, 20).is_none(), "there are twenty");
    let motion: Value = serde_json::to_value(&motion).expect("JSON");
    let labels: Vec<&str> =
        motion["series"].as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["measured", "lcp", "convex"]);
    let columns: Vec<&str> =
        motion["columns"].as_array().unwrap().iter().map(|column| column.as_str().unwrap()).collect();
    assert_eq!(columns, ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"]);
    let number = |series: usize, column: usize, row: usize| {
        motion["series"][series]["values"][0][column][row].as_f64().expect("a number")
    };
    for row in [0, 10, toss.states.len() - 1] {
        let measured = toss.states[row].state.position;
        let (predicted, _) = predictions[0][3].states[row];
        for axis in 0..3 {
            assert!((number(0, axis, row) - measured[axis]).abs() < 1e-9, "row {row}, axis {axis}");
            let shown = number(0, axis, row) + number(1, axis, row);
            assert!((shown - predicted.position[axis]).abs() < 1e-6, "row {row}, axis {axis}");
        }
    }
    let energy = |row: usize| motion["series"][0]["energy"][row].as_f64().expect("an energy");
    assert!(energy(0) > energy(toss.states.len() - 1), "a throw loses energy");
}

/// What is predicted by the law that made the recording is right, and by another one it is not.
#[test]
fn laws_of_impact_stand_side_by_side() {
    let workspace = Workspace::new();
    let bouncing = BOX.replace("friction = 0.3", "friction = 0.3\nrestitution = 0.5");
    let lines = recording(&workspace, &bouncing, "body[0].velocity", "t,x,z,angle,vx,vz,spin", "lcp");
    workspace.write("data.csv", &lines.join("\n"));
    let predict = |arguments: &[&str]| {
        let all =
            [&["predict", "data.csv", "scenario.toml", "--start", "raw", "--no-plots"], arguments].concat();
        workspace.stickslip(&all).assert()
    };
    let laws = "incremental,one-stage,incremental";
    predict(&["--steppers", "lcp,convex", "--impacts", laws]).success();
    let summary: Value =
        serde_json::from_str(&workspace.read("output/thrown-box/predict/summary.json")).expect("JSON");
    let mut laws: Vec<&String> = summary["steppers"].as_object().expect("steppers").keys().collect();
    laws.sort();
    assert_eq!(laws, ["convex", "lcp incremental", "lcp one-stage"]);
    let position = |law: &str| summary["steppers"][law]["position"].as_f64().expect("a figure");
    assert!(position("lcp incremental") < 1e-6, "{}", position("lcp incremental"));
    assert!(position("lcp one-stage") > 1e-3, "{}", position("lcp one-stage"));
    for (stepper, law, words) in
        [("lcp", "newton", "incremental, one-stage, two-stage"), ("convex", "one-stage", "no effect")]
    {
        let told = predict(&["--steppers", stepper, "--impacts", law]).code(2);
        let told = text(&told.get_output().stderr);
        assert!(told.contains(words), "{told}");
    }
}
