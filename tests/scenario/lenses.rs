//! A number that is set where it stands in a scenario gives what a text gives in which it is written: the same
//! scenario, or the same refusal.

use proptest::prelude::*;
use stickslip::scenario::{AnyScenario, Override, ScenarioText, parse_scenario};
use toml::Value;

use crate::{arbitrary, read};

/// Numbers that many keys take, some that few do, and some that none does.
const NUMBERS: [f64; 14] =
    [0.0, -0.0, 0.5, 1.0, -1.0, 1e-3, 2.5e-13, 45.0, 89.9, -90.0, 4.0, 1e7, 1e300, f64::NAN];

/// Bodies of every shape with everything that joins and pushes them.
const BODIES: &str = r#"
name = "bodies"
duration = 0.5
step = 0.01
[[body]]
name = "plank"
shape = "polygon"
size = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.0, 0.5]]
mass = 2.0
inertia = 0.7
position = [0.0, 3.0]
angle = 0.2
[[body]]
shape = "rod"
size = 0.5
mass = 1.0
position = [0.0, 9.0]
velocity = [1.0, 0.0]
spin = 2.0
[[body]]
shape = "point"
mass = 1.0
position = [4.0, 2.0]
[[body]]
shape = "point"
mass = 1.0
position = [6.0, 2.0]
[ground]
friction = 0.4
kinetic_friction = 0.3
rolling_friction = 0.01
[[wall]]
normal = [1.0, 0.0]
offset = -9.0
friction = 0.1
viscous_friction = 0.2
velocity = 0.3
[[pair]]
bodies = ["plank", "wall-0"]
restitution = 0.5
torsional_friction = 0.02
[[joint]]
kind = "hinge"
bodies = ["plank", "body-1"]
point = [0.0, 6.0]
limits = [-1.0, 2.0]
restitution = 0.5
stiffness = 3.0
rest = 0.1
damping = 0.2
friction = 0.3
armature = 0.1
[joint.drive]
position = [[0.0, 0.0], [1.0, 0.5]]
kp = 5.0
kv = 0.5
limit = 9.0
[[joint]]
kind = "slider"
bodies = ["body-1", "world"]
points = [[0.25, 0.0], [0.25, 9.0]]
axis = [1.0, 1.0]
[joint.drive]
force = 2.0
[[push]]
body = "plank"
force = [1.0, 2.0]
torque = 3.0
point = [0.1, 0.2]
from = 0.1
to = 0.2
[[push]]
table = [[0.0, 0.0, 1.0, 0.5], [1.0, 1.0, 1.0, 0.0]]
[[push]]
force = [1.0, 0.0]
frequency = 2.0
phase = 0.5
[[rod]]
bodies = ["body-2", "plank"]
points = [[0.0, 0.0], [0.5, 0.1]]
length = 4.0
[[spring]]
bodies = ["plank", "body-1"]
stiffness = 10.0
[[contact]]
bodies = ["body-2", "body-3"]
distance = 0.1
[stepper.smooth]
law = "tanh"
[stepper.convex]
preset = "published"
"#;

/// A turned body in space with its inertia tensor, and one with its moments.
const IN_SPACE: &str = r#"
name = "space"
duration = 0.5
step = 0.01
[[body]]
shape = "box"
size = [0.4, 0.3, 0.2]
mass = 2.0
inertia = [[0.2, 0.01, 0.0], [0.01, 0.2, 0.0], [0.0, 0.0, 0.2]]
position = [0.0, 0.0, 3.0]
orientation = [0.8, 0.6, 0.0, 0.0]
spin = [1.0, 0.0, 0.0]
[[body]]
shape = "sphere"
size = 0.2
mass = 2.0
inertia = [0.2, 0.2, 0.2]
position = [3.0, 0.0, 3.0]
[[body]]
shape = "box"
size = [0.4, 0.3, 0.2]
mass = 2.0
position = [6.0, 0.0, 3.0]
[[joint]]
kind = "universal"
bodies = ["world", "body-2"]
point = [6.0, 0.0, 3.0]
axis = [1.0, 0.0, 0.0]
axis2 = [0.0, 1.0, 0.0]
limits = [-1.0, 1.0]
start2 = 0.1
limits2 = [-0.5, 0.5]
[joint.drive2]
position = [[0.0, 0.0], [1.0, 0.5]]
kp = 5.0
kv = 0.5
limit = 9.0
[ground]
friction = 0.4
[[wall]]
normal = [0.0, 1.0, 0.0]
offset = -9.0
velocity = [0.3, 0.1]
[[push]]
torque = [3.0, 0.0, 1.0]
body = "body-1"
[stepper.lcp]
directions = 6
[stepper.smooth]
stiffness = 1e6
damping = 3.0
"#;

/// The full keys of all numbers of a document.
fn numbers(value: &Value, key: &str, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Float(number) => found.push((key.to_owned(), *number)),
        Value::Integer(number) => found.push((key.to_owned(), *number as f64)),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(place, value)| numbers(value, &format!("{key}[{place}]"), found)),
        Value::Table(table) => table.iter().for_each(|(name, value)| {
            let full = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            numbers(value, &full, found);
        }),
        _ => {}
    }
}

fn numbers_of(text: &str) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    numbers(&Value::Table(text.parse().expect("TOML")), "", &mut found);
    found
}

/// What a text gives with some settings, by reading it anew and by a reading that is kept.
fn assert_alike(kept: &ScenarioText, settings: &[Override]) {
    let arguments: Vec<&str> = settings.iter().map(Override::argument).collect();
    let (found, anew) = (kept.with(settings), parse_scenario(kept.name(), kept.text(), settings));
    assert_eq!(format!("{found:?}"), format!("{anew:?}"), "{arguments:?}");
}

fn of_number(key: &str, value: f64) -> Override {
    Override::of_number(key, value).expect("a key")
}

/// Holds every number of a text to the law, set to its own value and a little off it, to `others`, and to each again
/// once those have been tried.
fn assert_every_number_alike(text: &str, others: &[f64]) {
    for (key, own) in numbers_of(text) {
        let kept = ScenarioText::read("kept.toml", text);
        for value in [own, 1.001 * own, own - 0.25].iter().chain(others).chain([&own]) {
            assert_alike(&kept, &[of_number(&key, *value)]);
        }
    }
}

#[test]
fn every_number_of_bodies_and_of_what_they_are_among() {
    for text in [BODIES, IN_SPACE] {
        assert_every_number_alike(text, &NUMBERS);
        // As it is written with every default.
        assert_every_number_alike(&read(text, &[]).to_toml(), &NUMBERS);
    }
}

#[test]
fn numbers_that_the_text_does_not_have() {
    for (text, keys) in [
        (
            BODIES,
            &[
                "ground.restitution",
                "ground.slope",
                "gravity",
                "wall[0].restitution",
                "wall[0].frction",
                "wall[1].friction",
                "pair[0].friction",
                "push[0].frequency",
                "push[0].phase",
                "push[1].frequency",
                "push[1].from",
                "rod[0].points[0]",
                "spring[0].length",
                "contact[0].friction",
                "body[1].inertia",
                "body[2].inertia",
                "body[2].angle",
                "body[1].angle",
                "body[0].velocity[0]",
                "stepper.smooth.amplitude",
                "stepper.smooth.stiffness",
                "stepper.convex.beta",
                "stepper.convex.stiffness",
                "stepper.nlp.tolerance",
                "particle.mass",
            ][..],
        ),
        (
            IN_SPACE,
            &["body[0].angle", "stepper.smooth.sharpness", "stepper.lcp.directions", "body[1].inertia[1]"][..],
        ),
    ] {
        for key in keys {
            let kept = ScenarioText::read("kept.toml", text);
            for value in NUMBERS.iter().chain(&NUMBERS) {
                assert_alike(&kept, &[of_number(key, *value)]);
            }
        }
    }
}

#[test]
fn lists_words_and_several_settings_at_once() {
    let kept = ScenarioText::read("kept.toml", BODIES);
    let set = |text: &str| text.parse::<Override>().expect("an override");
    for settings in [
        &["push[0].force=[3.0, 4.0]", "ground.friction=0.2"][..],
        &["push[0].force=[5, 6]", "ground.friction=1"],
        &["push[0].force=[5, 6, 7]", "ground.friction=1"],
        &["push[0].force=[5, nan]", "ground.friction=-1"],
        &["ground.friction=0.2", "ground.friction=0.3"],
        &["ground.friction=0.4", "ground.friction=0.5"],
        &["ground.friction=0.7", "ground={friction=0.8}"],
        &["ground.friction=0.9", "ground={friction=0.8}"],
        &["stepper.lcp.solver=lemke", "step=1e-3"],
        &["stepper.lcp.solver=enumeration", "step=1e-3"],
        &["stepper.lcp.solver=lemke", "step=2e-3"],
        &["stepper.lcp.solver=lemke", "step=2.0"],
        &["push[1].table=[[0, 1, 2], [1, 1, 2]]"],
        &["push[1].table=[[0, 1, 2], [2, 5, 2]]"],
        &["push[1].table=[[0, 1, 2], [0, 5, 2]]"],
        &["push[1].table=[[0, 1, 2, 3], [1, 5, 2, 4]]"],
        &["body[0].size=[[0, 0], [3, 0], [3, 1], [0, 1]]"],
        &["body[0].size=[[0, 0], [4, 0], [4, 1], [0, 1]]", "body[0].mass=4"],
        &["body[0].size=[[0, 0], [0, 1], [4, 1], [4, 0]]"],
        &["body[0].size=2.0"],
        &["body.0.mass=2"],
        &["body[0].mass=3"],
        &["push[0].from=0.15", "push[0].to=0.1"],
        &["push[0].from=0.05", "push[0].to=0.1"],
        &["push[0].from=0.1", "push[0].to=0.05"],
    ] {
        let settings: Vec<Override> = settings.iter().map(|text| set(text)).collect();
        assert_alike(&kept, &settings);
        assert_alike(&kept, &settings);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_number_of_any_point_in_a_vertical_plane(
        scenario in arbitrary::scenario::<2>(), values in prop::array::uniform3(any::<f64>())
    ) {
        assert_every_number_alike(&AnyScenario::from(scenario).to_toml(), &values);
    }

    #[test]
    fn any_number_of_any_point_over_a_plane(
        scenario in arbitrary::scenario::<3>(), values in prop::array::uniform3(any::<f64>())
    ) {
        assert_every_number_alike(&AnyScenario::from(scenario).to_toml(), &values);
    }
}
