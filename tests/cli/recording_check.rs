//! `stickslip recording check`.

use serde_json::Value;
use stickslip::random::Random;

use crate::{Workspace, example, predict::recorded, text};

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

/// A box that bounces and comes to rest within .8 s, and a point that bounces on for a second under another gravity.
const BOX: &str = r#"
name = "box"
duration = 0.8
step = 1e-3
[[body]]
shape = "box"
size = [0.06, 0.06]
mass = 0.04
position = [0.0, 0.15]
[ground]
friction = 0.27
restitution = 0.45
"#;
const BOUNCING: &str = r#"
name = "bouncing"
duration = 1.0
step = 1e-3
gravity = 9.0
[[body]]
shape = "point"
mass = 0.04
position = [0.0, 0.15]
[ground]
friction = 0.27
restitution = 0.7
"#;

/// Throws of one of these, as measured: every so many milliseconds, with noise in m, seen by a camera.
fn measured(
    workspace: &Workspace,
    (toml, throws, every, noise): (&str, usize, usize, f64),
    camera: impl Fn([f64; 2]) -> [f64; 2],
) {
    let turns = toml.contains("\"box\"");
    let mut random = Random::seeded(3);
    let mut start = || {
        let mut start = vec![
            format!("body[0].position[1]={:?}", random.uniform(0.1, 0.2)),
            format!("body[0].velocity=[{:?}, {:?}]", random.uniform(-1.0, 1.0), random.uniform(-0.5, 1.0)),
        ];
        if turns {
            start.push(format!("body[0].spin={:?}", random.uniform(-10.0, 10.0)));
            start.push(format!("body[0].angle={:?}", random.uniform(0.0, 3.0)));
        }
        start
    };
    let starts: Vec<Vec<String>> = (0..throws).map(|_| start()).collect();
    let (columns, stepper) = if turns { ("t,x,z,vx,vz,angle,spin", "lcp") } else { ("t,x,z,vx,vz", "exact") };
    let mut lines = recorded(workspace, toml, &starts, columns, stepper, every);
    for line in &mut lines[1..] {
        let mut cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let seen = camera([cells[2] + random.normal(noise), cells[3] + random.normal(noise)]);
        // Velocities are turned and scaled like positions, and moved by nothing.
        let origin = camera([0.0, 0.0]);
        let speeds = camera([cells[4], cells[5]]);
        cells[2..6].copy_from_slice(&[seen[0], seen[1], speeds[0] - origin[0], speeds[1] - origin[1]]);
        if let Some(angle) = cells.get_mut(6) {
            *angle += random.normal(noise / 0.03);
        }
        *line = cells.iter().map(|cell| format!("{cell:?}")).collect::<Vec<_>>().join(",");
    }
    workspace.write("throws.csv", &lines.join("\n"));
}

/// The checks of these throws by name, and all faults in one text.
fn of_measured(
    throws: (&str, usize, usize, f64),
    camera: impl Fn([f64; 2]) -> [f64; 2],
) -> (Vec<(String, Value)>, String) {
    let workspace = Workspace::new();
    measured(&workspace, throws, camera);
    let check = ["recording", "check", "throws.csv", "scenario.toml", "--json"];
    let printed = text(&workspace.stickslip(&check).assert().success().get_output().stdout);
    let summary: Value = serde_json::from_str(&printed).expect("JSON");
    let checks = summary["checks"].as_array().expect("checks").clone();
    let faults: Vec<String> =
        checks.iter().filter_map(|check| check["fault"].as_str()).map(str::to_owned).collect();
    let named = checks.into_iter().map(|check| (check["check"].as_str().expect("a name").to_owned(), check));
    (named.collect(), faults.join("\n"))
}

/// The noise of rows and stretches of rest passed for flights, and what flights said of gravity was `ok`, whatever it was.
#[test]
fn other_units_and_axes_are_named_in_noise_and_nothing_else_is_advised() {
    type Seen = fn([f64; 2]) -> [f64; 2];
    type Case<'a> = (&'a str, (&'a str, usize, usize, f64), Seen, &'a [&'a str]);
    let in_millimetres: Seen = |place| place.map(|part| 1e3 * part);
    let cases: [Case<'_>; 8] = [
        ("box in mm", (BOX, 8, 5, 2e-4), in_millimetres, &["in millimetres", "divide positions"]),
        ("box in mm, less noise", (BOX, 8, 5, 1e-4), in_millimetres, &["in millimetres"]),
        ("points in mm", (BOUNCING, 8, 10, 5e-4), in_millimetres, &["in millimetres"]),
        ("box in cm", (BOX, 8, 5, 2e-4), |place| place.map(|part| 1e2 * part), &["in centimetres"]),
        ("box with x upwards", (BOX, 8, 10, 5e-4), |[x, z]| [z, x], &["x is the vertical", "write x as z"]),
        (
            "points with x downwards, in mm",
            (BOUNCING, 8, 10, 5e-4),
            |[x, z]| [-1e3 * z, 1e3 * x],
            &["where +x is down", "write -x as z", "in millimetres"],
        ),
        (
            "points with z downwards",
            (BOUNCING, 8, 10, 5e-4),
            |[x, z]| [x, 0.5 - z],
            &["where +z is down", "reverse the sign of z"],
        ),
        (
            "twice as many rows in a second",
            (BOX, 8, 5, 2e-4),
            |place| place.map(|part| 0.25 * part),
            &["lengths are 0.2", "--set gravity=2.4"],
        ),
    ];
    for (what, throws, camera, words) in cases {
        let (checks, faults) = of_measured(throws, camera);
        let told = fault(&checks, "gravity of the flights");
        for word in words {
            assert!(told.contains(word), "{what}: no `{word}` in {faults}");
        }
        assert!(!faults.contains("--ground-height") && !faults.contains("wild"), "{what}: {faults}");
    }
}

#[test]
fn flights_that_tell_nothing_are_not_all_right() {
    let (checks, faults) = of_measured((BOX, 2, 20, 0.02), |place| place);
    let told = fault(&checks, "gravity of the flights");
    assert!(told.contains("--windows 0.1") && !told.contains("--set gravity"), "{faults}");
}

/// At an impact the path is a V, whose tip lies beside the parabola of the rows about it.
#[test]
fn rows_at_impacts_are_not_wild() {
    for throws in [(BOX, 20, 10, 5e-4), (BOX, 20, 5, 2e-4), (BOUNCING, 10, 10, 1e-3)] {
        let (checks, faults) = of_measured(throws, |place| place);
        assert_eq!(fault(&checks, "wild rows"), "", "{throws:?}: {faults}");
        assert_eq!(fault(&checks, "gravity of the flights"), "", "{throws:?}: {faults}");
    }
}

/// Ten rows at the top of a bounce are as near to each other as those of a body at rest.
#[test]
fn the_top_of_a_bounce_is_no_rest() {
    let (checks, faults) =
        of_measured((&BOUNCING.replace("duration = 1.0", "duration = 0.6"), 10, 5, 1e-3), |place| place);
    let rest = checks.iter().find(|(name, _)| name == "resting height");
    assert!(rest.is_none(), "{rest:?}");
    assert_eq!(faults, "");
}

/// It read `lead 115.2 rad where the body came 103.9 rad, 1.8 % apart`: a path, noise and all, beside chords.
#[test]
fn the_share_of_spins_is_that_of_the_numbers_beside_it() {
    let (checks, _) = of_measured((BOX, 8, 5, 2e-4), |place| place);
    for name in ["spins", "velocities"] {
        let (_, check) = checks.iter().find(|(known, _)| known == name).expect(name);
        let [share, apart, measured, added_up] =
            ["share", "apart", "measured", "added_up"].map(|key| check[key].as_f64().expect(key));
        assert!((share - apart / measured).abs() < 1e-12, "{check}");
        assert!((added_up - measured).abs() <= apart * 1.0001, "{check}");
        assert!(share < 0.1, "{check}");
    }
}

#[test]
fn a_beginning_that_leaves_no_rows_is_refused() {
    let workspace = Workspace::new();
    workspace.write("ball.toml", BALL);
    workspace.write("throws.csv", &throws(|_, states| states));
    let check = ["recording", "check", "throws.csv", "ball.toml", "--from", "1e9"];
    let output = workspace.stickslip(&check).assert().code(2).get_output().clone();
    let told = text(&output.stderr);
    assert!(told.contains("--from 1000000000: toss 0 has fewer than two rows left"), "{told}");
    assert!(output.stdout.is_empty());
}
