//! `stickslip recording check`.

use serde_json::Value;

use crate::{Workspace, example, text};

const BALL: &str = r#"
name = "ball"
duration = 0.5
step = 1e-3
[[body]]
shape = "disc"
size = 0.02
mass = 0.1
position = [0.0, 0.5]
[ground]
friction = 0.3
restitution = 0.6
"#;

/// What a camera makes of a ball in a row: rows of position, angle, velocity and spin.
type Camera = fn(usize, [f64; 6]) -> [f64; 6];

/// Four throws of a ball that flies, turning, for .3 s down to the ground, and lies still for .1 s then, its noise from a table of digits.
fn throws(camera: Camera) -> String {
    let mut lines = vec!["toss,t,x,z,angle,vx,vz,spin".to_owned()];
    for toss in 0..4_i32 {
        let up = 0.6 + 0.2 * f64::from(toss);
        for row in 0..100_usize {
            let t = 0.004 * row as f64;
            let noise = |part: usize| ((row * 37 + part * 53 + toss as usize * 11) % 97) as f64 / 48.0 - 1.0;
            let flies = t < 0.3;
            let [z, vz] =
                if flies { [0.46145 + up * (t - 0.3) - 4.905 * t * t, up - 9.81 * t] } else { [0.02, 0.0] };
            let x = 0.6 * t.min(0.3);
            let spin = if flies { 5.0 } else { 0.0 };
            let states = [
                x + 1e-4 * noise(1),
                z + 1e-4 * noise(2),
                5.0 * t.min(0.3),
                if flies { 0.6 } else { 0.0 },
                vz,
                spin,
            ];
            let seen = camera(row, states).map(|value| format!("{value:?}")).join(",");
            lines.push(format!("{toss},{t},{seen}"));
        }
    }
    lines.join("\n")
}

/// The checks of such throws, by name: what was found, and the fault or null.
fn checked(camera: Camera, with: &[&str]) -> Vec<(String, Value)> {
    let workspace = Workspace::new();
    workspace.write("ball.toml", BALL);
    workspace.write("throws.csv", &throws(camera));
    let check = [&["recording", "check", "throws.csv", "ball.toml", "--json"][..], with].concat();
    let printed = text(&workspace.stickslip(&check).assert().success().get_output().stdout);
    let summary: Value = serde_json::from_str(&printed).expect("JSON");
    let checks = summary["checks"].as_array().expect("checks").clone();
    checks.into_iter().map(|check| (check["check"].as_str().unwrap().to_owned(), check)).collect()
}

fn fault(checks: &[(String, Value)], name: &str) -> String {
    let (_, check) =
        checks.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}: {checks:?}"));
    check["fault"].as_str().unwrap_or("").to_owned()
}

#[test]
fn a_good_recording_has_its_gravity_noise_and_rest_measured_and_no_fault() {
    let checks = checked(|_, states| states, &[]);
    let faults: Vec<_> = checks.iter().filter(|(_, check)| !check["fault"].is_null()).collect();
    // The ball lies still at once: that is not what balls do, and no matter of the recording.
    assert!(faults.is_empty(), "{faults:?}");
    let value = |name: &str, key: &str| {
        checks.iter().find(|(known, _)| known == name).expect(name).1[key].as_f64().expect(key)
    };
    assert!((value("gravity of the flights", "gravity") - 9.81).abs() < 0.02);
    let noise = value("noise of the rows", "position");
    assert!((4e-5..1e-4).contains(&noise), "{noise}");
    assert!(value("resting height", "gap").abs() < 1e-4);
    assert_eq!(value("rows", "gaps"), 0.0);
}

#[test]
fn wrong_units_axes_spins_rows_and_grounds_are_named() {
    let cases: [(&str, Camera, &str, &str); 7] = [
        (
            "short lengths",
            |_, [x, z, a, vx, vz, w]| [0.96 * x, 0.96 * z, a, 0.96 * vx, 0.96 * vz, w],
            "gravity of the flights",
            "% short",
        ),
        (
            "millimetres",
            |_, [x, z, a, vx, vz, w]| [1e3 * x, 1e3 * z, a, 1e3 * vx, 1e3 * vz, w],
            "gravity of the flights",
            "in millimetres",
        ),
        (
            "pixels downwards",
            |_, [x, z, a, vx, vz, w]| [x, 1.0 - z, a, vx, -vz, w],
            "gravity of the flights",
            "where +z is down",
        ),
        (
            "the ground elsewhere",
            |_, [x, z, a, vx, vz, w]| [x, z + 0.01, a, vx, vz, w],
            "resting height",
            "--ground-height 0.01",
        ),
        ("degrees", |_, [x, z, a, vx, vz, w]| [x, z, a, vx, vz, w.to_degrees()], "spins", "rad, not degrees"),
        (
            "velocities in mm/s",
            |_, [x, z, a, vx, vz, w]| [x, z, a, 1e3 * vx, 1e3 * vz, w],
            "velocities",
            "do not lead along the positions",
        ),
        (
            "a wild row",
            |row, [x, z, a, vx, vz, w]| [x, z + if row == 30 { 0.02 } else { 0.0 }, a, vx, vz, w],
            "wild rows",
            "lines 32, 132",
        ),
    ];
    for (what, camera, name, words) in cases {
        let told = fault(&checked(camera, &[]), name);
        assert!(told.contains(words), "{what}: {name}: {told}");
    }
}

#[test]
fn rows_that_are_missing_are_named_by_their_lines_and_bad_input_is_refused() {
    let workspace = Workspace::new();
    workspace.write("ball.toml", BALL);
    let all = throws(|_, states| states);
    let kept: Vec<&str> =
        all.lines().enumerate().filter(|(line, _)| !(20..25).contains(line)).map(|(_, line)| line).collect();
    workspace.write("throws.csv", &kept.join("\n"));
    let check = ["recording", "check", "throws.csv", "ball.toml"];
    let table = text(&workspace.stickslip(&check).assert().success().get_output().stdout);
    assert!(table.contains("rows are missing before line 21"), "{table}");
    workspace.write("throws.csv", &all.replace("angle", "theta"));
    let message = text(&workspace.stickslip(&check).assert().code(2).get_output().stderr);
    assert!(message.contains("angle"), "{message}");
}

/// The recorded cube, of which these figures are known: flights fall 2 % too slowly, and it rests 1.1 mm in the ground.
#[test]
fn the_lengths_of_the_recorded_cube_are_two_percent_short() {
    let workspace = Workspace::new();
    let data = example("../data/tosses-sample20.csv");
    let check = ["recording", "check", &data, &example("cube-toss.toml"), "--json"];
    let printed = text(&workspace.stickslip(&check).assert().success().get_output().stdout);
    let summary: Value = serde_json::from_str(&printed).expect("JSON");
    let value = |name: &str, key: &str| {
        let checks = summary["checks"].as_array().expect("checks");
        checks.iter().find(|check| check["check"] == name).expect(name)[key].as_f64().expect(key)
    };
    assert!((value("gravity of the flights", "gravity") - 9.61).abs() < 0.05, "{printed}");
    assert!((value("resting height", "height") - 0.05125).abs() < 2e-4, "{printed}");
    let noise = value("noise of the rows", "position");
    assert!((1e-5..3e-4).contains(&noise), "{noise}");
}
