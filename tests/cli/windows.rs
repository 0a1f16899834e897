//! `--windows` of `stickslip predict` and `stickslip fit`.

use serde_json::Value;

use crate::{Workspace, predict::recorded, text};

/// A point that bounces without friction to speak of: all of its motion has a closed form.
const BOUNCING: &str = r#"
name = "bouncing"
duration = 1.5
step = 1e-3
[particle]
mass = 1.0
position = [0.0, 0.3]
velocity = [1.0, 0.0]
[ground]
friction = 0.2
restitution = 0.7
"#;

/// A box that is thrown flat and slides.
const SLIDING: &str = r#"
name = "sliding"
duration = 0.5
step = 1e-3
[[body]]
shape = "box"
size = [0.1, 0.04]
mass = 0.4
position = [0.0, 0.02]
velocity = [2.0, 0.0]
[ground]
friction = 0.3
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Throws of the bouncing point by the exact motion, 250 rows a second.
fn bounces(workspace: &Workspace) {
    let starts = ["1.0", "1.4", "-0.8"].map(|speed| vec![format!("particle.velocity=[{speed}, 0.0]")]);
    let lines = recorded(workspace, BOUNCING, &starts, "t,x,z,vx,vz", "exact", 4);
    workspace.write("bounces.csv", &lines.join("\n"));
}

/// When the point hits the ground: it falls from .3 m, and each flight takes .7 of the one before; after 1.4 s it rests.
fn impacts() -> Vec<f64> {
    let fall = (2.0_f64 * 0.3 / 9.81).sqrt();
    let mut times = vec![fall];
    let mut flight = 2.0 * 0.7 * fall;
    while flight > 1e-4 {
        times.push(times[times.len() - 1] + flight);
        flight *= 0.7;
    }
    times
}

#[test]
fn a_window_leads_from_a_flight_through_one_impact_to_the_end_of_the_next_flight() {
    let workspace = Workspace::new();
    bounces(&workspace);
    let predict = [
        "predict",
        "bounces.csv",
        "scenario.toml",
        "--steppers",
        "exact,lcp",
        "--windows",
        "flights",
        "--no-plots",
    ];
    let table = text(&workspace.stickslip(&predict).assert().success().get_output().stdout);
    assert!(
        table.contains("windows of 3 throws, each from a flight through a contact to the end of the next"),
        "{table}"
    );
    let csv = workspace.read("output/bouncing/predict/errors.csv");
    let mut rows = csv.lines();
    assert_eq!(
        rows.next().unwrap(),
        "stepper,toss,from,judged,to,position,rotation,final_position,final_rotation"
    );
    let impacts = impacts();
    let mut held = [0; 3];
    for row in rows.filter(|row| row.starts_with("exact,")) {
        let cells: Vec<f64> = row.split(',').skip(1).take(5).map(|cell| cell.parse().unwrap()).collect();
        let [toss, from, judged, to, position] = cells[..] else { panic!("{row}") };
        let within: Vec<f64> = impacts.iter().copied().filter(|impact| (from..to).contains(impact)).collect();
        assert!(within.len() == 1 && within[0] < judged, "{row}: {within:?}");
        assert!(position < 1e-4, "the exact motion predicts itself: {row}");
        held[toss as usize - 1] += 1;
    }
    assert!(held.iter().all(|windows| *windows >= 3 && *windows == held[0]), "{held:?}");
    let summary = json(&workspace.read("output/bouncing/predict/summary.json"));
    assert_eq!((&summary["tosses"], &summary["windows"]["throws"]), (&3.into(), &3.into()));
    assert_eq!(summary["windows"]["by"], "flights");
    assert_eq!(summary["windows"]["windows"], held.iter().sum::<i32>());
    assert!((summary["windows"]["gravity"].as_f64().unwrap() - 9.81).abs() < 1e-3, "{}", summary["windows"]);
    let left_out = summary["windows"]["left_out"][0].clone();
    assert_eq!(
        (&left_out["stretches"], left_out["seconds"].as_f64().unwrap() > 0.0),
        (&3.into(), true),
        "{left_out}"
    );
    // Whole throws have the columns that they always had.
    workspace.stickslip(&[&predict[..5], &["--no-plots"]].concat()).assert().success();
    let csv = workspace.read("output/bouncing/predict/errors.csv");
    assert!(csv.starts_with("stepper,toss,position,rotation,final_position,final_rotation\n"), "{csv}");
}

/// The seconds of a slide say its friction, whatever the box does before and after.
#[test]
fn windows_of_seconds_determine_the_friction_of_a_slide() {
    let workspace = Workspace::new();
    let starts = ["2.0", "1.6", "-1.8", "2.4"].map(|speed| vec![format!("body[0].velocity=[{speed}, 0.0]")]);
    let lines = recorded(&workspace, SLIDING, &starts, "t,x,z,angle,vx,vz,spin", "lcp", 4);
    workspace.write("slides.csv", &lines.join("\n"));
    let fit = [
        "fit",
        "slides.csv",
        "scenario.toml",
        "--set",
        "ground.friction=0.15",
        "--parameters",
        "ground.friction",
    ];
    let fit = [&fit[..], &["--stepper", "lcp", "--windows", "0.1", "--no-intervals", "--no-plots"]].concat();
    let table = text(&workspace.stickslip(&fit).assert().success().get_output().stdout);
    assert!(table.contains("windows of 4 throws, each from a smoothed start"), "{table}");
    let result = json(&workspace.read("output/sliding/fit/result.json"));
    assert_eq!(result["finished"], true);
    let friction = &result["parameters"]["ground.friction"];
    assert!((friction["value"].as_f64().unwrap() - 0.3).abs() < 0.005, "{friction}");
    assert_eq!(result["windows"]["by"], "0.1");
}

#[test]
fn windows_that_cannot_be_are_named() {
    let workspace = Workspace::new();
    bounces(&workspace);
    let predict = ["predict", "bounces.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
    for (arguments, words) in [
        (&["--windows", "bounces"][..], &["is none of `whole`, `flights` and a number of seconds"][..]),
        (&["--windows", "-0.1"], &["has to be above 0"]),
        (&["--windows", "flights", "--set", "gravity=0"], &["no gravity", "--windows 0.1"]),
        (&["--windows", "flights", "--set", "push=[{force=[1.0,0.0]}]"], &["pushes", "--windows 0.1"]),
        // Every row would be a window.
        (&["--windows", "1e-9"], &["rows are 0.0", "two at least", "--windows 0.1"]),
        // The point rests.
        (&["--windows", "flights", "--from", "1.42"], &["finds no window", "stickslip recording check"]),
    ] {
        let outcome = workspace.stickslip(&[&predict[..], arguments].concat()).assert().code(2);
        let message = text(&outcome.get_output().stderr);
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
    }
}

/// A throw of a box that slides, by its closed form, measured with its centre this high in m.
fn slide_at(height: f64) -> String {
    let mut lines = vec!["toss,t,x,z,angle,vx,vz,spin".to_owned()];
    for row in 0..60 {
        let t = 0.005 * f64::from(row);
        let x = 2.0 * t - 0.5 * 0.3 * 9.81 * t * t;
        lines.push(format!("1,{t},{x},{height:?},0.0,{},0.0,0.0", 2.0 - 0.3 * 9.81 * t));
    }
    lines.join("\n")
}

/// What is in the ground by rounding is on it.
#[test]
fn a_start_that_is_in_the_ground_by_rounding_is_no_warning() {
    let workspace = Workspace::new();
    workspace.write("scenario.toml", SLIDING);
    workspace.write("lying.csv", &slide_at(0.02_f64.next_down()));
    let predict = ["predict", "lying.csv", "scenario.toml", "--steppers", "lcp", "--no-plots"];
    let warning = text(&workspace.stickslip(&predict).assert().success().get_output().stderr);
    assert!(!warning.contains("below the ground"), "{warning}");
    let summary = json(&workspace.read("output/sliding/predict/summary.json"));
    assert_eq!(summary["starts_below_ground"], serde_json::json!([]));
}

/// A measured box at rest is a little in the ground: the exact motion refused such starts, and the others pushed it out.
#[test]
fn a_body_that_is_measured_a_little_in_the_ground_starts_on_it_for_every_stepper() {
    let workspace = Workspace::new();
    workspace.write("scenario.toml", SLIDING);
    workspace.write("sunk.csv", &slide_at(0.0195));
    let predict = ["predict", "sunk.csv", "scenario.toml", "--steppers", "exact,lcp,nlp,cone", "--no-plots"];
    let outcome = workspace.stickslip(&predict).assert().success();
    let warning = text(&outcome.get_output().stderr);
    assert!(
        warning.contains("1 of 1 throw start below the ground, by 0.0005 m at most, and are taken on it"),
        "{warning}"
    );
    let summary = json(&workspace.read("output/sliding/predict/summary.json"));
    for stepper in ["exact", "lcp", "nlp", "cone"] {
        let position = summary["steppers"][stepper]["position"].as_f64().unwrap();
        // Half a millimetre of height, and the steps.
        assert!((0.004..0.015).contains(&position), "{stepper}: {position}");
    }
}

#[test]
fn a_fit_that_may_try_no_more_writes_the_best_so_far() {
    let workspace = Workspace::new();
    bounces(&workspace);
    let fit = [
        "fit",
        "bounces.csv",
        "scenario.toml",
        "--parameters",
        "ground.friction,ground.restitution=0.5..0.9",
    ];
    let fit = [&fit[..], &["--stepper", "lcp", "--evaluations", "30"]].concat();
    let outcome = workspace.stickslip(&fit).assert().code(1);
    let message = text(&outcome.get_output().stderr);
    assert!(message.contains("at most 30 sets of parameters"), "{message}");
    assert!(message.contains("did not come to its end by 30 sets"), "{message}");
    let result = json(&workspace.read("output/bouncing/fit/result.json"));
    assert_eq!((&result["finished"], &result["evaluations_at_most"]), (&false.into(), &30.into()));
    assert!(result["parameters"]["ground.restitution"]["interval"].is_null());
    assert!(result["error"].as_f64().unwrap() <= result["error_before"].as_f64().unwrap());
    assert!(result["conclusions"][0].as_str().unwrap().contains("best parameters so far"), "{result}");
}
