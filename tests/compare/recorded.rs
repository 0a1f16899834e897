//! Motions that were recorded beside those of the steppers.

use stickslip::{
    compare::{Comparison, paragraph, partings, read_recorded, report, write_metrics},
    model::Orientation,
    scenario::Scenario,
    simulate::{OnFailure, simulate},
    stepper::{BuildStepper, StepperName, registry::record},
    trajectory::{Ending, Trajectory, write_csv},
    watch::Watch,
};

/// A box that slides into another one.
const BOXES: &str = r#"
name = "boxes"
duration = 0.3
step = 0.01
[ground]
friction = 0.3
[[body]]
name = "left"
shape = "box"
size = [0.2, 0.2]
mass = 1.0
position = [0.0, 0.1]
velocity = [1.5, 0.0]
[[body]]
name = "right"
shape = "box"
size = [0.2, 0.2]
mass = 2.0
position = [0.3, 0.1]
[[body]]
name = "shelf"
shape = "box"
size = [0.2, 0.2]
fixed = true
mass = 1.0
position = [3.0, 2.0]
"#;

fn boxes() -> Scenario<2> {
    BOXES.parse().expect("valid")
}

fn run(scenario: &Scenario<2>, name: StepperName) -> Trajectory<2> {
    simulate(scenario, scenario.stepper(name).expect("admitted").as_mut())
}

fn csv(trajectory: &Trajectory<2>) -> String {
    let mut file = Vec::new();
    write_csv(trajectory, &mut file).expect("written");
    String::from_utf8(file).expect("text")
}

#[test]
fn what_a_run_wrote_is_read_as_its_motion() {
    let scenario = boxes();
    let motion = run(&scenario, StepperName::LCP);
    let name = record("written", "file.csv").expect("a name");
    let read = read_recorded(&scenario, name, ("file.csv", &csv(&motion))).expect("a recording");
    assert_eq!((read.steps.len(), read.ending), (30, Ending::Complete));
    for (own, other) in motion.bodies.iter().zip(&read.bodies) {
        assert_eq!((&own.states, &own.attitudes), (&other.states, &other.attitudes));
        for (own, other) in own.steps.iter().zip(&other.steps) {
            assert_eq!(own.force, other.force);
        }
    }
}

#[test]
fn between_rows_it_is_linear_and_columns_come_in_any_order() {
    let scenario = boxes();
    let mut text = "t,spin,angle,vz,vx,z,x,camera,body\n".to_owned();
    for body in ["left", "right"] {
        text.push_str(&format!("0,0,0,0,1,0.1,1,7,{body}\n0.4,0,0.8,0,3,0.1,2,7,{body}\n"));
    }
    let name = record("camera", "file.csv").expect("a name");
    let read = read_recorded(&scenario, name, ("file.csv", &text)).expect("a recording");
    let (state, attitude) = (read.bodies[1].states[10], read.bodies[1].attitudes[10]);
    assert!((state.position[0] - 1.25).abs() < 1e-12 && (state.velocity[0] - 1.5).abs() < 1e-12);
    assert!(matches!(attitude.orientation, Orientation::Angle(angle) if (angle - 0.2).abs() < 1e-12));
    // What stays where it is needs no rows, and forces are not made up.
    assert_eq!(read.bodies[2].states[30].position[0], 3.0);
    assert!(read.bodies[0].steps[3].force[0].is_nan());
}

#[test]
fn it_stands_beside_the_models_and_is_no_part_of_their_mean() {
    let scenario = boxes();
    let names = [StepperName::LCP, StepperName::CONE, StepperName::NLP];
    let alone = Comparison::run(&scenario, &names, OnFailure::Stop, &Watch::none());
    let mut motion = run(&scenario, StepperName::LCP);
    for state in &mut motion.bodies[1].states {
        state.position[0] += 0.02;
    }
    let name = record("engine", "engine.csv").expect("a name");
    let mut both = alone.clone();
    both.add_recorded(read_recorded(&scenario, name, ("engine.csv", &csv(&motion))).expect("a recording"));
    for (before, after) in alone.entries.iter().zip(&both.entries) {
        assert_eq!(before.merit.deviation, after.merit.deviation, "{}", before.trajectory.stepper);
    }
    let entry = both.entries.last().expect("the recording");
    let deviation = entry.merit.deviation.expect("a mean");
    assert!(!deviation.counts && (deviation.position - 0.02).abs() < 1e-3, "{deviation:?}");
    let pairs = partings(&both, 1e-2);
    let parted = pairs.iter().filter(|pair| pair.steppers.contains(&name) && pair.at.is_some());
    assert_eq!(parted.count(), 3);
    let words = paragraph(entry, None);
    assert!(
        words.contains("recorded, from engine.csv") && words.contains("from the mean of the models"),
        "{words}"
    );
    let mut table = Vec::new();
    write_metrics(&both, &mut table).expect("written");
    let table = String::from_utf8(table).expect("text");
    assert!(table.lines().last().is_some_and(|row| row.starts_with("engine,complete,30,")), "{table}");
    assert!(!table.contains("NaN"), "{table}");
    assert!(report(&both, &pairs, 1e-2, None, &[], None).contains("engine"));
}

#[test]
fn what_is_wrong_with_a_recording_is_told_with_its_line() {
    let scenario = boxes();
    let good = csv(&run(&scenario, StepperName::LCP));
    let name = record("broken", "file.csv").expect("a name");
    let row = |start: &str| good.lines().find(|line| line.starts_with(start)).expect("a row").to_owned();
    let without = |start: &str| {
        let kept = good.lines().filter(|line| !line.starts_with(start));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    let second = row("right,1,");
    for (text, words) in [
        (good.replacen(",vx,", ",speed,", 1), ["line 1, column `vx`", "missing"]),
        (good.replacen("body,", "name,", 1), ["line 1, column `body`", "missing"]),
        (good.replacen("left,2,", "lfet,2,", 1), ["column `body`, value `lfet`", "left, right, shelf"]),
        (without("right,"), ["value `right`", "no row of this body"]),
        (without("left,0,"), ["column `t`", "begin here"]),
        (without("left,30,"), ["column `t`", "--set duration=0.29"]),
        (good.replacen(&second, &row("right,0,"), 1), ["column `t`", "does not grow"]),
        (good.replacen("left,1,0.01,", "left,1,0.01,a", 1), ["column `x`", "no number"]),
    ] {
        let refused = read_recorded(&scenario, name, ("file.csv", &text)).expect_err(words[1]).to_string();
        assert!(
            refused.starts_with("file.csv: ") && words.iter().all(|word| refused.contains(word)),
            "{refused}"
        );
    }
    let point = record("point", "file.csv").expect("a name");
    let over = super::slide();
    assert!(read_recorded(&over, point, ("file.csv", "t,x,z,vx,vz\n0,0,1,1,0\n2,0,1,1,0\n")).is_ok());
    for taken in ["nlp", "lcp-anitescu", "Mine", ""] {
        assert!(record(taken, "file.csv").is_err(), "{taken}");
    }
    assert!("broken".parse::<StepperName>().is_err(), "nothing runs by it");
}
