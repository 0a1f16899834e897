//! When the rows of recorded throws were measured: at any times, or at equal intervals with rounded ones.

use serde_json::Value;

use crate::{Workspace, predict::recorded, text};

const BOX: &str = r#"
name = "thrown-box"
duration = 0.5
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

/// Two throws by `lcp` at these times, as shares of the way between the ends of steps, written at the times that
/// `written` makes of them.
fn throws(workspace: &Workspace, times: &[f64], written: impl Fn(f64) -> f64) -> Vec<String> {
    let starts = [0.6, 1.7].map(|speed| vec![format!("body[0].velocity=[{speed:?}, 0.5]")]);
    let every = recorded(workspace, BOX, &starts, "t,x,z,angle,vx,vz,spin", "lcp", 1);
    let rows: Vec<Vec<f64>> =
        every[1..].iter().map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let mut lines = vec![every[0].clone()];
    for toss in rows.chunks(501) {
        for &time in times {
            let before = ((time / 1e-3) as usize).min(toss.len() - 2);
            let share = time / 1e-3 - before as f64;
            let cells = toss[before].iter().zip(&toss[before + 1]).enumerate();
            let cells: Vec<String> = cells
                .map(|(column, (from, to))| match column {
                    0 => *from,
                    1 => written(time),
                    _ => from + share * (to - from),
                })
                .map(|value| format!("{value:?}"))
                .collect();
            lines.push(cells.join(","));
        }
    }
    lines
}

/// What `lcp` makes of `data.csv` from the measured start: what is printed, and the summary.
fn predicted(workspace: &Workspace, more: &[&str]) -> (String, Value) {
    let mut line = vec!["predict", "data.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
    line.extend(more);
    let table = text(&workspace.stickslip(&line).assert().success().get_output().stdout);
    let summary = workspace.read("output/thrown-box/predict/summary.json");
    (table, serde_json::from_str(&summary).unwrap())
}

fn position_error(summary: &Value) -> f64 {
    summary["steppers"]["lcp"]["position"].as_f64().unwrap()
}

#[test]
fn rows_at_any_times_are_held_against_what_lies_between_the_ends_of_steps() {
    let workspace = Workspace::new();
    let times: Vec<f64> = (0..48).map(|k| 0.01 * f64::from(k) + 3.3e-3 * f64::from(k * k % 3)).collect();
    workspace.write("data.csv", &throws(&workspace, &times, |time| time).join("\n"));
    let (table, summary) = predicted(&workspace, &["--start", "raw"]);
    assert!(
        table.contains("64 of them within steps of 0.001000 s, where predictions are interpolated"),
        "{table}"
    );
    assert_eq!(summary["rows_within_steps"], true);
    assert!(position_error(&summary) < 1e-9, "{table}");
    assert!(summary["steppers"]["lcp"]["rotation"].as_f64().unwrap() < 1e-7, "{table}");
}

#[test]
fn a_single_row_out_of_step_is_named() {
    let workspace = Workspace::new();
    let times: Vec<f64> = (0..50).map(|k| if k == 7 { 0.0712 } else { 0.01 * f64::from(k) }).collect();
    let mut lines = throws(&workspace, &times, |time| time);
    // In the second throw it is in its place.
    lines[58] = lines[58].replace("0.0712", "0.071");
    workspace.write("data.csv", &lines.join("\n"));
    let (table, _) = predicted(&workspace, &["--start", "raw"]);
    assert!(table.contains("100 rows, 1 of them (line 9) within steps of 0.001000 s"), "{table}");
}

/// A camera of 148 pictures a second whose times are written in whole milliseconds.
#[test]
fn times_in_whole_milliseconds_are_those_of_equal_intervals() {
    let workspace = Workspace::new();
    let times: Vec<f64> = (0..70).map(|k| f64::from(k) / 148.0).collect();
    workspace.write("data.csv", &throws(&workspace, &times, |time| (1e3 * time).round() / 1e3).join("\n"));
    let (table, summary) = predicted(&workspace, &[]);
    assert!(table.contains("times are rounded to 0.001 s and fit equal intervals of 0.0067"), "{table}");
    assert!((summary["times_rounded_to"].as_f64().unwrap() - 1e-3).abs() < 1e-12);
    // Half a millisecond is .6 mm at these speeds, 6e-3 of the size.
    assert!(position_error(&summary) < 1e-3, "{table}");
}

#[test]
fn friction_is_found_from_rows_within_steps() {
    let workspace = Workspace::new();
    let slide = BOX.replace("shape = \"box\"", "").replace("size = [0.1, 0.06]\n", "");
    let point =
        slide.replace("[[body]]", "[particle]").replace("angle = 0.3\n", "").replace("spin = 4.0\n", "");
    let starts = [1.0, 1.4].map(|speed| vec![format!("particle.velocity=[{speed:?}, 0.0]")]);
    let every = recorded(&workspace, &point, &starts, "t,x,z,vx,vz", "lcp", 1);
    let rows: Vec<Vec<f64>> =
        every[1..].iter().map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let mut lines = vec![every[0].clone()];
    for toss in rows.chunks(501) {
        for k in 0..60 {
            let (before, share) = (8 * k, 0.37 * f64::from(k as u32 % 3));
            let cells = toss[before].iter().zip(&toss[before + 1]).enumerate();
            let cells = cells
                .map(|(column, (from, to))| if column == 0 { *from } else { from + share * (to - from) });
            lines.push(cells.map(|value| format!("{value:?}")).collect::<Vec<_>>().join(","));
        }
    }
    workspace.write("data.csv", &lines.join("\n"));
    workspace.write("guess.toml", &point.replace("friction = 0.3", "friction = 0.2"));
    let fit =
        ["fit", "data.csv", "guess.toml", "--stepper", "lcp", "--start", "raw", "--no-plots", "--parameters"];
    // With derivatives, and without.
    for parameters in ["ground.friction,gravity=9..11", "ground.friction"] {
        workspace.stickslip(&[&fit[..], &[parameters]].concat()).assert().success();
        let result: Value =
            serde_json::from_str(&workspace.read("output/thrown-box/fit/result.json")).unwrap();
        let friction = result["parameters"]["ground.friction"]["value"].as_f64().unwrap();
        assert!((friction - 0.3).abs() < 1e-6, "{result}");
    }
}
