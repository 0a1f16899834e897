//! Bodies, walls, pairs and the pushes on them: what a file says, and what of it is refused.

use nalgebra::Matrix3;
use stickslip::{
    contact::Friction,
    model::{Attitude, Orientation, Spin, Vector},
    scenario::{
        AnyScenario, Body, Ends, Inertia, Pair, PairContact, Rod, Scenario, ScenarioError, Shape,
        SlidingFriction, Spring, Wall, parse_scenario,
    },
    world::{Impacts, Partner},
};

const PLANE: &str = r#"
name = "bodies"
duration = 1.0
step = 0.01

[[body]]
name = "crate"
shape = "box"
size = [0.4, 1.0]
mass = 3.0
position = [0.0, 0.5]
angle = 0.1
velocity = [1.0, 0.0]
spin = 2.0

[[body]]
shape = "disc"
size = 0.2
mass = 2.0
position = [1.0, 0.2]

[[body]]
name = "wedge"
shape = "polygon"
size = [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]]
mass = 1.0
inertia = 7.0
position = [4.0, 1.0]
fixed = true

[[body]]
name = "bar"
shape = "rod"
size = 2.0
mass = 6.0
position = [8.0, 3.0]

[ground]
friction = 0.5
restitution = 0.2
slope = 10.0

[[wall]]
normal = [1.0, 0.0]
offset = -2.0
friction = 0.3
velocity = 1.5

[[pair]]
bodies = ["body-1", "crate"]
friction = 0.7

[[pair]]
bodies = ["crate", "wall-0"]
restitution = 0.9

[[push]]
body = "crate"
force = [0.0, 2.0]
point = [0.2, 0.0]
torque = 3.0

[[push]]
body = "body-1"
table = [[0.0, 0.0, 0.0], [0.5, 4.0, 0.0], [1.0, 4.0, 8.0]]

[[rod]]
bodies = ["crate", "bar"]

[[spring]]
bodies = ["bar", "body-1"]
stiffness = 10.0

[stepper]
impacts = "two-stage"
"#;

const SPACE: &str = r#"
name = "bodies"
duration = 1.0
step = 0.01

[[body]]
shape = "box"
size = [1.0, 2.0, 3.0]
mass = 12.0
position = [0.0, 0.0, 2.0]
orientation = [2.0, 0.0, 0.0, 0.0]
spin = [1.0, 2.0, 3.0]

[[body]]
shape = "sphere"
size = 0.5
mass = 10.0
position = [3.0, 0.0, 2.0]

[[body]]
shape = "polyhedron"
size = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
mass = 1.0
inertia = [[0.2, 0.01, 0.0], [0.01, 0.2, 0.0], [0.0, 0.0, 0.2]]
position = [6.0, 0.0, 2.0]

[ground]
friction = 0.5

[[wall]]
normal = [0.0, 1.0, 0.0]
offset = -2.0
velocity = [0.1, 0.2]
"#;

fn in_plane(text: &str) -> Scenario<2> {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn in_space(text: &str) -> Scenario<3> {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    match parse_scenario("test.toml", text, &[]) {
        Err(ScenarioError::Invalid(invalid)) => invalid.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

fn with(text: &str, piece: &str, replacement: &str) -> String {
    assert!(text.contains(piece), "{piece}");
    text.replacen(piece, replacement, 1)
}

#[test]
fn a_file_says_what_the_bodies_are() {
    let scenario = in_plane(PLANE);
    let [crate_, disc, wedge, bar] = scenario.bodies.as_slice() else { panic!("four bodies") };
    assert_eq!(crate_.shape, Shape::Box { size: Vector::from([0.4, 1.0]) });
    assert_eq!((crate_.orientation, crate_.spin[0]), (Orientation::Angle(0.1), 2.0));
    assert_eq!((disc.shape.clone(), disc.velocity.norm()), (Shape::Ball { radius: 0.2 }, 0.0));
    assert!(wedge.fixed && matches!(&wedge.shape, Shape::Hull { vertices } if vertices.len() == 3));
    assert_eq!(bar.shape, Shape::Rod { length: 2.0 });
    assert_eq!(
        (0..4).map(|body| scenario.body_name(body)).collect::<Vec<_>>(),
        ["crate", "body-1", "wedge", "bar"]
    );
    assert_eq!(scenario.ground.slope, 10.0);
    assert_eq!(scenario.steppers.impacts, Some(Impacts::TwoStage));
    assert_eq!(scenario.rods, [Rod { ends: Ends::centres([0, 3]), length: None }]);
    assert_eq!(
        scenario.springs,
        [Spring { ends: Ends::centres([3, 1]), stiffness: 10.0, damping: 0.0, length: None }]
    );
}

#[test]
fn inertia_is_that_of_a_uniform_body_unless_it_is_given() {
    let plane = in_plane(PLANE);
    let moment = |body: usize| match plane.bodies[body].moment_of_inertia() {
        Some(Inertia::Plane(moment)) => moment,
        other => panic!("{other:?}"),
    };
    assert!((moment(0) - 3.0 * (0.16 + 1.0) / 12.0).abs() < 1e-15);
    assert!((moment(1) - 0.5 * 2.0 * 0.04).abs() < 1e-15);
    assert_eq!(moment(2), 7.0);
    assert!((moment(3) - 6.0 * 4.0 / 12.0).abs() < 1e-15);
    let space = in_space(SPACE);
    let tensor = |body: usize| match space.bodies[body].moment_of_inertia() {
        Some(Inertia::Space(tensor)) => tensor,
        other => panic!("{other:?}"),
    };
    assert!((tensor(0) - Matrix3::from_diagonal(&[13.0, 10.0, 5.0].into())).amax() < 1e-15);
    assert!((tensor(1) - Matrix3::identity()).amax() < 1e-15);
    assert_eq!(tensor(2)[(0, 1)], 0.01);
}

/// The square of a quaternion's length may leave the range of numbers, and `-0.0` the equality of what is read back.
const ROUND: &str = r#"
name = "round"
duration = 1.0
step = 1e-3

[ground]
friction = 0.5

[[body]]
name = "capsule"
shape = "capsule"
size = [0.1, 0.6]
mass = 2.0
position = [0.0, 0.0, 0.4]

[[body]]
name = "drum"
shape = "cylinder"
size = [0.2, 0.5]
mass = 3.0
position = [1.0, 0.0, 0.25]

[[body]]
name = "dumbbell"
position = [3.0, 0.0, 1.0]

[[body.part]]
shape = "capsule"
size = [0.05, 0.4]
density = 1000.0

[[body.part]]
shape = "cylinder"
size = [0.1, 0.05]
position = [0.0, 0.0, 0.2]
density = 1000.0

[[body.part]]
shape = "cylinder"
size = [0.1, 0.05]
position = [0.0, 0.0, -0.2]
density = 1000.0
"#;

#[test]
fn capsules_and_cylinders_weigh_as_themselves() {
    let scenario = in_space(ROUND);
    let [capsule, drum, dumbbell] = scenario.bodies.as_slice() else { panic!("three bodies") };
    assert_eq!(capsule.shape, Shape::Capsule { radius: 0.1, length: 0.6 });
    assert_eq!(drum.shape, Shape::Cylinder { radius: 0.2, length: 0.5 });
    assert_eq!((capsule.shape.size(), drum.shape.size()), (Some(0.8), Some(0.5)));
    let moments = |body: &Body<3>| match body.moment_of_inertia() {
        Some(Inertia::Space(tensor)) => tensor,
        _ => panic!("in space"),
    };
    let own = moments(drum);
    assert!((own[(2, 2)] - 0.5 * 3.0 * 0.04).abs() < 1e-15);
    assert!((own[(0, 0)] - 3.0 * (3.0 * 0.04 + 0.25) / 12.0).abs() < 1e-15);
    // A cylinder and two half balls, by their shares.
    let (tube, ball) = (0.6, 0.4 / 3.0);
    let share = 2.0 / (tube + ball);
    let along = share * (tube * 0.01 / 2.0 + ball * 0.4 * 0.01);
    assert!((moments(capsule)[(2, 2)] - along).abs() < 1e-15);
    let pi = std::f64::consts::PI;
    let bar = 1000.0 * pi * 0.0025 * (0.4 + 4.0 / 3.0 * 0.05);
    let weight = 1000.0 * pi * 0.01 * 0.05;
    assert!((dumbbell.mass - bar - 2.0 * weight).abs() < 1e-12, "{}", dumbbell.mass);
    assert!((moments(dumbbell)[(2, 2)] - (weight * 0.01 + bar_along(bar))).abs() < 1e-12);
    let text = scenario.to_toml();
    assert_eq!(in_space(&text), scenario, "{text}");
}

/// About its axis, of a capsule of 0.05 m about 0.4 m.
fn bar_along(mass: f64) -> f64 {
    let (tube, ball) = (0.4, 0.2 / 3.0);
    mass * (tube * 0.0025 / 2.0 + ball * 0.4 * 0.0025) / (tube + ball)
}

#[test]
fn what_is_wrong_with_a_capsule_is_named() {
    for (piece, replacement, expected) in [
        ("size = [0.1, 0.6]", "size = 0.1", "the radius and the length along the axis"),
        ("size = [0.1, 0.6]", "size = [0.1, 0.6, 0.6]", "the radius and the length along the axis"),
        ("size = [0.1, 0.6]", "size = [0.1, 0.0]", "body[0].size"),
        ("size = [0.1, 0.05]", "size = [-0.1, 0.05]", "body[2].part[1].size"),
    ] {
        let told = refusal(&with(ROUND, piece, replacement));
        assert!(told.contains(expected), "{replacement}: {told}");
    }
    let in_plane = with(PLANE, "shape = \"disc\"", "shape = \"capsule\"");
    assert!(refusal(&in_plane).contains("box, rod, disc, polygon"), "{}", refusal(&in_plane));
}

#[test]
fn a_quaternion_of_any_length_is_a_turn_that_reads_back_the_same() {
    for given in [
        "1e200, 0.0, 0.0, -1e200",
        "3e-200, 0.0, 4e-200, 0.0",
        "1e308, 1e308, 1e308, 1e308",
        "0, 0, 0, -5e-324",
    ] {
        let text = SPACE.replace("orientation = [2.0, 0.0, 0.0, 0.0]", &format!("orientation = [{given}]"));
        assert_ne!(text, SPACE);
        let AnyScenario::OverPlane(scenario) = parse_scenario("turned.toml", &text, &[]).expect(given) else {
            panic!("bodies in space");
        };
        let Orientation::Quaternion(turn) = scenario.bodies[0].orientation else { panic!("a quaternion") };
        assert!((turn.as_ref().norm() - 1.0).abs() < 1e-15, "{given}: {turn}");
        let again = parse_scenario("again.toml", &scenario.to_toml(), &[]).expect("what is written is read");
        assert_eq!(again.to_toml(), scenario.to_toml(), "{given}");
    }
    let zero = SPACE.replace("orientation = [2.0, 0.0, 0.0, 0.0]", "orientation = [0, 0, 0, -0.0]");
    assert!(parse_scenario("zero.toml", &zero, &[]).is_err(), "no turn at all");
}

#[test]
fn bodies_in_space_have_a_quaternion_of_length_one() {
    let scenario = in_space(SPACE);
    let Orientation::Quaternion(turn) = scenario.bodies[0].orientation else { panic!("a quaternion") };
    assert_eq!((turn.w, turn.norm()), (1.0, 1.0));
    assert_eq!(scenario.bodies[0].spin, Spin::new(1.0, 2.0, 3.0));
    assert_eq!(scenario.walls[0].velocity, [0.1, 0.2]);
}

#[test]
fn friction_is_that_of_the_pair_then_of_the_wall_then_of_the_ground() {
    let scenario = in_plane(PLANE);
    assert_eq!(
        scenario.walls,
        [Wall { friction: Some(0.3), velocity: [1.5, 0.0], ..Wall::new([1.0, 0.0], -2.0) }]
    );
    assert_eq!(scenario.pairs[1], Pair { restitution: Some(0.9), ..Pair::between(0, Partner::Wall(0)) });
    assert_eq!(scenario.surface(0, Partner::Body(1)).friction, Friction::coulomb(0.7));
    assert_eq!(scenario.surface(1, Partner::Body(0)).friction, Friction::coulomb(0.7));
    assert_eq!(scenario.surface(0, Partner::Body(2)).friction, Friction::coulomb(0.5));
    assert_eq!(scenario.surface(0, Partner::Wall(0)).friction, Friction::coulomb(0.3));
    assert_eq!(scenario.surface(0, Partner::Wall(0)).restitution, 0.9);
    assert_eq!(scenario.surface(1, Partner::Wall(0)).restitution, 0.2);
    // The table for many questions answers each as the scenario does.
    let surfaces = scenario.surfaces();
    let others = (0..scenario.bodies.len()).map(Partner::Body);
    for second in others.chain([Partner::Ground, Partner::Wall(0), Partner::Wall(1)]) {
        for first in 0..scenario.bodies.len() {
            assert_eq!(
                surfaces.between(first, second),
                scenario.surface(first, second),
                "{first} {second:?}"
            );
        }
    }
}

#[test]
fn two_bodies_that_never_touch_say_so_and_nothing_else() {
    let apart = "bodies = [\"crate\", \"body-1\"]\ntouch = false";
    let text = format!("{ALONE}\n[[pair]]\n{apart}\n");
    let scenario = in_plane(&text);
    assert_eq!(scenario.pairs, [Pair { touch: false, ..Pair::between(0, Partner::Body(1)) }]);
    assert_eq!(in_plane(&scenario.to_toml()).pairs, scenario.pairs);
    let joint =
        "[[joint]]\nkind = \"hinge\"\nbodies = [\"body-1\", \"crate\"]\npoint = [1.0, 0.5]\ncollide = true\n";
    for (replacement, words) in [
        (format!("{apart}\nfriction = 0.2"), ["`pair[0].touch`", "alone", "never touches has none"]),
        (apart.replace("\"body-1\"", "\"ground\""), ["`pair[0].touch`", "every body", "name two bodies"]),
        (format!("{apart}\n{joint}"), ["`pair[0].touch`", "`joint[0].collide`", "remove one"]),
    ] {
        let told = refusal(&with(&text, apart, &replacement));
        assert!(words.iter().all(|word| told.contains(word)), "{replacement}: {told}");
    }
}

/// Two bodies side by side.
const ALONE: &str = r#"
name = "alone"
duration = 1.0
step = 0.01

[ground]
friction = 0.5

[[body]]
name = "crate"
shape = "box"
size = [0.4, 1.0]
mass = 3.0
position = [0.0, 0.5]

[[body]]
shape = "disc"
size = 0.2
mass = 1.0
position = [2.0, 0.2]
"#;

#[test]
fn a_push_at_a_point_turns_the_body_with_its_arm() {
    let scenario = in_plane(PLANE);
    let attitude = |angle| Attitude { orientation: Orientation::Angle(angle), spin: Spin::zeros() };
    let (mut forces, mut torques) = (vec![Vector::<2>::zeros(); 4], vec![Spin::zeros(); 4]);
    for (angle, arm) in [(0.0, 0.2), (std::f64::consts::FRAC_PI_2, 0.0), (std::f64::consts::PI, -0.2)] {
        scenario.loads_at(0, &[attitude(angle); 4], &mut forces, &mut torques);
        assert_eq!(forces[0], Vector::from([0.0, 2.0]));
        assert!((torques[0][0] - (3.0 + 2.0 * arm)).abs() < 1e-15, "{torques:?}");
        assert_eq!(torques[1], Spin::zeros());
    }
}

#[test]
fn a_table_is_linear_between_its_rows_and_nothing_outside() {
    let scenario = in_plane(&with(PLANE, "duration = 1.0", "duration = 2.0"));
    let force = |k: usize| <[f64; 2]>::from(scenario.push(1, k));
    assert_eq!(force(0), [0.0, 0.0]);
    assert_eq!(force(25), [2.0, 0.0]);
    assert!((force(75)[1] - 4.0).abs() < 1e-12);
    assert_eq!(force(100), [4.0, 8.0]);
    assert_eq!(force(101), [0.0, 0.0]);
    // The mean over all steps is the area under the table.
    let sum: Vector<2> = (0..200).map(|k| scenario.mean_push(1, k) * 0.01).sum();
    assert!((sum - Vector::from([1.0 + 2.0, 2.0])).amax() < 1e-12, "{sum:?}");
}

#[test]
fn a_push_may_come_from_a_csv_file_beside_the_scenario() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = folder.path().join("pushed.toml");
    let table = "table = [[0.0, 0.0, 0.0], [0.5, 4.0, 0.0], [1.0, 4.0, 8.0]]";
    std::fs::write(&scenario, with(PLANE, table, "file = \"push.csv\"")).expect("written");
    std::fs::write(folder.path().join("push.csv"), "t,fx,fz\n0,0,0\n0.5, 4, 0\n1,4,8\n").expect("written");
    let read = stickslip::scenario::read_scenario(&scenario, &[]);
    assert_eq!(read.expect("valid"), AnyScenario::InPlane(in_plane(PLANE)));
    for (text, words) in [
        ("t,fx,fz\n0,0,0\n1,2\n", "line 3 has 2 columns, but must have 3"),
        ("0,0,0\n1,two,3\n", "line 2 is no numbers"),
        ("0,0,0\n0,1,1\n", "line 2 has the time 0 s after 0 s, but must have growing times"),
        ("t,fx,fz\n0,0,0\n1,1,1\n0.5,1,1\n", "line 4 has the time 0.5 s after 1 s"),
        ("time,fx,fz\n0,0,0\n1,1,1\n", "line 1 names an unknown column \"time\""),
        ("t,fx,fy\n0,0,0\n1,1,1\n", "line 1 names an unknown column \"fy\""),
        ("t,fx,fx\n0,0,0\n1,1,1\n", "line 1 names the column `fx` twice"),
        ("t,fx\n0,0\n1,1\n", "line 1 names no column `fz`"),
        ("t,fx,torque\n0,0,0\n1,1,1\n", "line 1 names no column `fz`"),
        ("t,fx,fz\n0,0,0\n", "it has 1 row of numbers"),
        ("0,0,0\n1,inf,0\n", "line 2 holds inf"),
        ("0,0,0\n1,1e300,0\n", "a file without"),
    ] {
        std::fs::write(folder.path().join("push.csv"), text).expect("written");
        let told = stickslip::scenario::read_scenario(&scenario, &[]).expect_err("refused").to_string();
        assert!(told.contains(words) && told.contains("push[1].file"), "{told}");
        assert!(told.contains("push.csv") && !told.contains("push[1].table"), "{told}");
    }
    std::fs::remove_file(folder.path().join("push.csv")).expect("removed");
    let told = stickslip::scenario::read_scenario(&scenario, &[]).expect_err("refused").to_string();
    assert!(
        told.contains("push[1].file") && told.contains("push.csv") && told.contains("cannot be read"),
        "{told}"
    );
}

#[test]
fn the_header_of_a_csv_file_says_which_column_is_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |text: &str, table: &str, csv: &str| {
        let scenario = folder.path().join("pushed.toml");
        std::fs::write(&scenario, with(text, table, "file = \"push.csv\"")).expect("written");
        std::fs::write(folder.path().join("push.csv"), csv).expect("written");
        stickslip::scenario::read_scenario(&scenario, &[]).expect("valid")
    };
    let table = "table = [[0.0, 0.0, 0.0], [0.5, 4.0, 0.0], [1.0, 4.0, 8.0]]";
    let plain = AnyScenario::InPlane(in_plane(PLANE));
    for csv in [
        "t,fz,fx\n0,0,0\n0.5,0,4\n1,8,4\n",
        "fz, fx, t\n0,0,0\n0,4,0.5\n8,4,1\n",
        "\u{feff}t,fx,fz\n0,0,0\n0.5,4,0\n1,4,8\n",
    ] {
        assert_eq!(read(PLANE, table, csv), plain, "{csv}");
    }
    let turned = "table = [[0.0, 1.0, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]";
    assert_eq!(
        read(PLANE, table, "torque,fz,fx,t\n3,2,1,0\n6,5,4,1\n"),
        AnyScenario::InPlane(in_plane(&with(PLANE, table, turned)))
    );
}

#[test]
fn a_wrong_shape_or_size_is_the_only_thing_said_of_its_body() {
    for (piece, replacement, key, help) in [
        ("size = 0.2", "size = [0.11]", "body[1].size", "size = 0.5"),
        ("size = 0.2", "", "body[1].size", "size = 0.5"),
        ("size = 2.0", "size = [2.0]", "body[3].size", "size = 0.5"),
        ("size = [0.4, 1.0]", "size = 0.4", "body[0].size", "size = [0.4, 1.0]"),
        ("[3.0, 0.0], [0.0, 3.0]]", "3.0]", "body[2].size", "[[0.0, 0.0], [1.0"),
        ("shape = \"box\"", "shape = \"cube\"", "body[0].shape", "choose one of box"),
        ("shape = \"disc\"", "shape = \"cube\"", "body[1].shape", "choose one of box"),
    ] {
        let told = refusal(&with(PLANE, piece, replacement));
        assert!(told.contains(key) && told.contains(help), "{replacement}:\n{told}");
        assert!(!told.contains("no effect"), "{replacement}:\n{told}");
        assert_eq!(told.matches("help:").count(), 1, "{replacement}:\n{told}");
    }
    let told = refusal(&with(SPACE, "size = 0.5", "size = [0.5]"));
    assert!(
        told.contains("body[1].size") && told.contains("size = 0.5") && !told.contains("no effect"),
        "{told}"
    );
}

#[test]
fn bodies_written_to_a_file_read_back_as_the_same() {
    let plane = in_plane(PLANE);
    let again = in_plane(&plane.to_toml());
    // Names that files give by default are written.
    let named = |mut scenario: Scenario<2>| {
        for index in 0..scenario.bodies.len() {
            scenario.bodies[index].name = Some(scenario.body_name(index));
        }
        scenario
    };
    assert_eq!(again, named(plane));
    let space = in_space(SPACE);
    let again = in_space(&space.to_toml());
    assert_eq!(again.bodies[0].orientation, space.bodies[0].orientation);
    assert_eq!(again.bodies[2].inertia, space.bodies[2].inertia);
    assert_eq!(again.walls, space.walls);
    assert_eq!(again, in_space(&again.to_toml()));
}

#[test]
fn what_is_fixed_needs_no_mass() {
    let fixed = in_plane(&with(PLANE, "mass = 1.0\ninertia = 7.0\n", ""));
    assert!(fixed.bodies[2].fixed);
    let again = in_plane(&fixed.to_toml());
    assert_eq!(again.bodies[2].mass, fixed.bodies[2].mass, "it is written with the mass that it was given");
}

#[test]
fn one_fault_names_its_key_value_and_remedy() {
    for (piece, replacement, words) in [
        ("size = [0.4, 1.0]", "size = [0.4, -1.0]", ["`body[0].size`", "at least 1e-9", "metres"]),
        ("size = [0.4, 1.0]", "size = 0.4", ["`body[0].size`", "2 widths", "0.4"]),
        ("size = [0.4, 1.0]", "", ["`body[0].size`", "missing", "add `size"]),
        ("shape = \"box\"", "shape = \"sphere\"", ["`body[0].shape`", "in a vertical plane", "\"disc\"?"]),
        ("shape = \"box\"", "", ["`body[0].shape`", "missing", "rod"]),
        ("shape = \"rod\"", "shape = \"rodd\"", ["`body[3].shape`", "\"rodd\"", "\"rod\"?"]),
        ("mass = 3.0", "mass = 0.0", ["`body[0].mass`", "at least", "0.0"]),
        ("mass = 3.0", "", ["`body[0].mass`", "missing", "add `mass"]),
        ("angle = 0.1", "angle = \"a\"", ["`body[0].angle`", "a number", "rad"]),
        ("angle = 0.1", "orientation = [1, 0, 0, 0]", ["`body[0].orientation`", "no effect", "angle"]),
        ("spin = 2.0", "spin = inf", ["`body[0].spin", "finite", "inf"]),
        (
            "spin = 2.0",
            "fixed = true",
            ["`body[0].velocity` is [", "0 where `body[0].fixed`", "remove its velocity"],
        ),
        ("spin = 2.0", "spni = 2.0", ["`body[0].spni`", "unknown", "`spin`"]),
        ("inertia = 7.0", "inertia = -7.0", ["`body[2].inertia`", "greater than 0", "uniform"]),
        ("[0.0, 3.0]]", "[0.0, -3.0]]", ["`body[2].size`", "convex polygon", "counter-clockwise"]),
        ("[0.0, 3.0]]", "[0.0]]", ["`body[2].size[2]`", "2 numbers", "[0.0]"]),
        ("name = \"bar\"", "name = \"crate\"", ["`body[3].name`", "each body its own", "crate"]),
        ("name = \"bar\"", "name = \"Bar\"", ["`body[3].name`", "a-z", "Bar"]),
        ("normal = [1.0, 0.0]", "normal = [2.0, 0.0]", ["`wall[0].normal`", "length 1", "[1, 0]"]),
        ("normal = [1.0, 0.0]", "normal = [1.0, 0.0, 0.0]", ["`wall[0].normal`", "3 components", "has 2"]),
        ("offset = -2.0", "", ["`wall[0].offset`", "missing", "n.x"]),
        ("friction = 0.3", "friction = -0.3", ["`wall[0].friction`", "at least 0", "-0.3"]),
        ("restitution = 0.9", "restitution = 1.9", ["`pair[1].restitution`", "at most 1", "1.9"]),
        ("\"wall-0\"", "\"wall-1\"", ["`pair[1].bodies[1]`", "wall-1", "did you mean \"wall-0\"?"]),
        (
            "bodies = [\"crate\", \"wall-0\"]",
            "bodies = [\"crate\", \"body-1\"]",
            ["`pair[1].bodies`", "no other pair", "`pair[0]`"],
        ),
        ("force = [0.0, 2.0]\n", "", ["`push[0].point`", "no effect", "torque alone"]),
        ("\"wall-0\"", "\"crate\"", ["`pair[1].bodies`", "two that can touch", "different"]),
        (
            "bodies = [\"crate\", \"bar\"]",
            "bodies = [\"bar\", \"bar\"]",
            ["`rod[0].bodies`", "two different bodies", "join it to another one"],
        ),
        ("body = \"crate\"", "body = \"crates\"", ["`push[0].body`", "crates", "did you mean \"crate\"?"]),
        ("body = \"crate\"", "particle = 0", ["`push[0].particle`", "no effect", "names"]),
        ("torque = 3.0", "torque = inf", ["`push[0].torque", "finite", "N m"]),
        ("[0.5, 4.0, 0.0]", "[1.5, 4.0, 0.0]", ["`push[1].table`", "growing", "sort"]),
        ("[0.5, 4.0, 0.0]", "[0.5, nan, 0.0]", ["`push[1].table[1][1]`", "nan", "finite"]),
        ("[0.5, 4.0, 0.0]", "[0.5, 4.0, inf]", ["`push[1].table[1][2]`", "inf", "finite"]),
        ("[0.5, 4.0, 0.0]", "[0.5, 4.0]", ["`push[1].table[1]`", "3 numbers", "[0.5, 4.0]"]),
        ("table = ", "force = [1.0, 0.0]\ntable = ", ["`push[1].force`", "no effect", "table"]),
        (
            "[[0.0, 0.0, 0.0], [0.5, 4.0, 0.0], [1.0, 4.0, 8.0]]",
            "[[0.0, 0.0, 0.0, 0.0], [0.5, 4.0, 0.0, 1.0]]\ntorque = 1.0",
            ["`push[1].torque`", "no effect", "into the table"],
        ),
        ("table = ", "frequency = 1.0\ntable = ", ["`push[1].frequency`", "no effect", "every time"]),
        (
            "bodies = [\"crate\", \"bar\"]",
            "particles = [0, 3]",
            ["`rod[0].particles`", "no effect", "bodies ="],
        ),
        (
            "bodies = [\"crate\", \"bar\"]",
            "bodies = [\"crate\", \"ground\"]",
            ["`rod[0].bodies`", "two bodies", "join"],
        ),
        ("impacts = \"two-stage\"", "impacts = \"three\"", ["`stepper.impacts`", "one-stage", "three"]),
        ("[ground]", "[particle]\nmass = 1\n[ground]", ["`particle`", "no effect", "[[body]]"]),
    ] {
        let told = refusal(&with(PLANE, piece, replacement));
        for word in words {
            assert!(told.contains(word), "{replacement:?}: {word:?} is missing in\n{told}");
        }
        assert!(told.contains("test.toml:"), "{told}");
    }
}

#[test]
fn values_that_are_shown_fit_the_room_that_the_bodies_are_in() {
    for (piece, replacement, words) in [
        ("spin = [0.0, 0.0, 2.0]", "spin = 2.0", "`spin = [0.0, 0.0, 1.0]`"),
        ("inertia = [1.0, 2.0, 3.0]", "inertia = 2.0", "`inertia = [0.1, 0.1, 0.2]`"),
        ("velocity = [1.0, 0.0, 0.0]", "velocity = 1.0", "`velocity = [1.0, 0.0, 0.0]`"),
        ("velocity = [0.0, 1.0]", "velocity = 1.0", "`velocity = [0.5, 0.0]`"),
        ("normal = [1.0, 0.0, 0.0]", "normal = [0.0, 0.0, 0.0]", "for example [1, 0, 0]"),
        ("force = [0.0, 2.0, 0.0]", "", "`force = [4.0, 0.0, 0.0]`"),
        ("torque = [0.0, 0.0, 3.0]", "torque = 3.0", "`torque = [0.0, 0.0, 1.0]`"),
    ] {
        let told = refusal(&with(IN_SPACE, piece, replacement));
        assert!(told.contains(words), "{replacement}:\n{told}");
        assert_eq!(told.matches("help:").count(), 1, "{replacement}:\n{told}");
    }
}

/// One of everything whose values are others in space.
const IN_SPACE: &str = r#"
name = "room"
duration = 1.0
step = 0.01
[[body]]
name = "b"
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 1.0
position = [0.0, 0.0, 0.5]
velocity = [1.0, 0.0, 0.0]
spin = [0.0, 0.0, 2.0]
inertia = [1.0, 2.0, 3.0]
[ground]
friction = 0.5
[[wall]]
normal = [1.0, 0.0, 0.0]
offset = -2.0
velocity = [0.0, 1.0]
[[push]]
force = [0.0, 2.0, 0.0]
[[push]]
torque = [0.0, 0.0, 3.0]
"#;

#[test]
fn a_suggested_name_does_not_control_the_terminal() {
    let text = "[[body]]\nname = \"\\u001b[31mbeam\"\n[[rod]]\nbodies = [\"beam\", \"[31mbeam\"]\n";
    let message = refusal(text);
    assert!(message.contains("\\u{1b}[31mbeam"), "{message}");
    assert!(!message.chars().any(|c| c.is_control() && c != '\n'), "{message:?}");
}

#[test]
fn faults_of_bodies_in_space_are_named_too() {
    for (piece, replacement, words) in [
        ("shape = \"sphere\"", "shape = \"disc\"", ["`body[1].shape`", "in space", "\"sphere\"?"]),
        ("size = [1.0, 2.0, 3.0]", "size = [1.0, 2.0]", ["`body[0].size`", "3 widths", "[1.0, 2.0]"]),
        ("orientation = [2.0", "orientation = [0.0", ["`body[0].orientation`", "not zero", "upright"]),
        ("orientation = [2.0, ", "orientation = [", ["`body[0].orientation`", "4 numbers", "quaternion"]),
        ("spin = [1.0, 2.0, 3.0]", "spin = 1.0", ["`body[0].spin`", "3 numbers", "1.0"]),
        ("[0, 0, 1]]", "[1, 1, 0]]", ["`body[2].size`", "not in one plane", "corners"]),
        ("inertia = [[0.2,", "inertia = [[9.2,", ["`body[2].inertia`", "positive definite", "uniform"]),
        ("velocity = [0.1, 0.2]", "velocity = 0.1", ["`wall[0].velocity`", "2 numbers", "0.1"]),
    ] {
        let told = refusal(&with(SPACE, piece, replacement));
        for word in words {
            assert!(told.contains(word), "{replacement:?}: {word:?} is missing in\n{told}");
        }
    }
}

#[test]
fn walls_and_pairs_stand_beside_particles_and_a_point_is_not_turned() {
    let beside = |pair: &str| {
        format!(
            "{}\n[[wall]]\nnormal = [1.0, 0.0]\noffset = -9.0\n[[pair]]\nbodies = [\"{pair}\", \"wall-0\"]\nfriction = 0.7\n",
            crate::MINIMAL
        )
    };
    let scenario = in_plane(&beside("body-0"));
    assert_eq!(scenario.surface(0, Partner::Wall(0)).friction, Friction::coulomb(0.7));
    assert_eq!(in_plane(&scenario.to_toml()), scenario);
    let told = refusal(&beside("particle-0"));
    assert!(told.contains("no such body") && told.contains("body-0"), "{told}");
    let point = with(PLANE, "shape = \"disc\"\nsize = 0.2", "shape = \"point\"");
    assert_eq!(in_plane(&point).bodies[1].shape, Shape::Point);
    let told = refusal(&with(&point, "table = ", "torque = 1.0\ntable = "));
    assert!(told.contains("`push[1].torque`") && told.contains("a point does not turn"), "{told}");
}

#[test]
fn rods_and_springs_may_be_tied_to_points_of_bodies() {
    let at = "bodies = [\"crate\", \"bar\"]\npoints = [[0.2, -0.5], [1.0, 0.0]]";
    let scenario = in_plane(&with(PLANE, "bodies = [\"crate\", \"bar\"]", at));
    let ends = Ends { bodies: [0, 3], points: [[0.2, -0.5].into(), [1.0, 0.0].into()] };
    assert_eq!(scenario.rods, [Rod { ends, length: None }]);
    // The crate is turned by 0.1 rad, the bar is not.
    let (sin, cos) = 0.1_f64.sin_cos();
    let corner = [0.2 * cos + 0.5 * sin, 0.5 + 0.2 * sin - 0.5 * cos];
    let expected = (corner[0] - 9.0).hypot(corner[1] - 3.0);
    assert!((scenario.rods[0].length_in(&scenario) - expected).abs() < 1e-14);
    assert_eq!(in_plane(&scenario.to_toml()).rods, scenario.rods);
    for (points, words) in [
        ("[[0.2, -0.5]]", ["`rod[0].points`", "list of 2 points", "found 1"]),
        ("[[0.2, 0.0, 0.0], [1.0, 0.0, 0.0]]", ["`rod[0].points[0]`", "list of 2 numbers", "found"]),
        ("[[0.2, inf], [1.0, 0.0]]", ["`rod[0].points[0][1]`", "finite", "inf"]),
        ("[[0.2, 2e6], [1.0, 0.0]]", ["`rod[0].points[0]`", "1e6 m", "metres"]),
        ("0.2", ["`rod[0].points`", "list of 2 points", "0.2"]),
    ] {
        let told = refusal(&with(
            PLANE,
            "bodies = [\"crate\", \"bar\"]",
            &at.replace("[[0.2, -0.5], [1.0, 0.0]]", points),
        ));
        for word in words {
            assert!(told.contains(word), "{points}: {word:?} is missing in\n{told}");
        }
    }
}

#[test]
fn contacts_at_a_distance_are_for_points_and_points_have_no_other_points() {
    let beads = PLANE
        .replace("shape = \"disc\"\nsize = 0.2", "name = \"bead\"\nshape = \"point\"")
        .replace("shape = \"rod\"\nsize = 2.0", "shape = \"point\"")
        .replace("body-1", "bead");
    let contact = "\n[[contact]]\nbodies = [\"bead\", \"bar\"]\ndistance = 0.1\n";
    let scenario = in_plane(&format!("{beads}{contact}"));
    assert_eq!(
        scenario.contacts,
        [PairContact { bodies: [1, 3], distance: 0.1, friction: None, sliding: SlidingFriction::default() }]
    );
    assert_eq!(in_plane(&scenario.to_toml()).contacts, scenario.contacts);
    let told = refusal(&format!("{beads}{}", contact.replace("\"bar\"", "\"crate\"")));
    assert!(told.contains("`contact[0].bodies`") && told.contains("[[pair]]"), "{told}");
    let told =
        refusal(&format!("{beads}{}", contact.replace("bodies = [\"bead\", \"bar\"]", "particles = [1, 3]")));
    assert!(told.contains("`contact[0].particles` has no effect"), "{told}");
    let tied = "bodies = [\"bar\", \"bead\"]\npoints = [[0.1, 0.0], [0.0, 0.0]]";
    let told = refusal(&with(&beads, "bodies = [\"bar\", \"bead\"]", tied));
    assert!(told.contains("`spring[0].points[0]`") && told.contains("is a point"), "{told}");
}
