//! Systems of particles: what a file says, and what of it is refused.

use stickslip::{
    model::Vector,
    scenario::{AnyScenario, Ends, PairContact, Rod, ScenarioError, SlidingFriction, Spring, parse_scenario},
};

use crate::{MINIMAL, in_plane, read};

const SYSTEM: &str = r#"
name = "system"
duration = 1.0
step = 0.01

[[particle]]
mass = 1.0
position = [0.0, 0.0]
velocity = [0.0, 0.0]

[[particle]]
mass = 2.0
position = [3.0, 4.0]
velocity = [1.0, 0.0]

[[particle]]
mass = 4.0
position = [6.0, 0.0]
velocity = [0.0, 0.0]

[[rod]]
particles = [0, 1]

[[spring]]
particles = [1, 2]
stiffness = 10.0

[[spring]]
particles = [0, 2]
stiffness = 20.0
damping = 0.5
length = 5.5

[[contact]]
particles = [0, 2]
distance = 0.1
friction = 0.7

[[push]]
force = [1.0, 0.0]

[[push]]
particle = 1
force = [0.0, 2.0]
to = 0.5

[ground]
friction = 0.5
slope = 10.0
"#;

/// What is said about a text that is refused.
fn refusal(text: &str) -> String {
    match parse_scenario("test.toml", text, &[]) {
        Err(ScenarioError::Invalid(invalid)) => invalid.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

/// `SYSTEM` with one piece of it replaced.
fn with(piece: &str, replacement: &str) -> String {
    assert!(SYSTEM.contains(piece), "{piece}");
    SYSTEM.replacen(piece, replacement, 1)
}

#[test]
fn a_file_says_what_joins_the_particles() {
    let system = in_plane(SYSTEM, &[]);
    assert_eq!(system.bodies.len(), 3);
    assert_eq!(system.bodies[1].mass, 2.0);
    assert_eq!(system.rods, [Rod { ends: Ends::centres([0, 1]), length: None }]);
    let soft = Spring { ends: Ends::centres([1, 2]), stiffness: 10.0, damping: 0.0, length: None };
    let damped = Spring { ends: Ends::centres([0, 2]), stiffness: 20.0, damping: 0.5, length: Some(5.5) };
    assert_eq!(system.springs, [soft, damped]);
    let contact = PairContact {
        bodies: [0, 2],
        distance: 0.1,
        friction: Some(0.7),
        sliding: SlidingFriction::default(),
    };
    assert_eq!(system.contacts, [contact]);
    assert_eq!(system.ground.slope, 10.0);
    assert_eq!(system.initial_distance(&Ends::centres([0, 1])), 5.0);
}

#[test]
fn a_push_acts_on_its_particle_or_on_every_one() {
    let system = in_plane(SYSTEM, &[]);
    let mut pushes = vec![Vector::<2>::repeat(9.0); 3];
    let mut at = |k: usize| {
        system.loads_at(k, &[], &mut pushes, &mut []);
        [pushes[0], pushes[1], pushes[2]].map(<[f64; 2]>::from)
    };
    assert_eq!(at(0), [[1.0, 0.0], [1.0, 2.0], [1.0, 0.0]]);
    assert_eq!(at(50), [[1.0, 0.0]; 3]);
    assert_eq!(system.push(0, 0), Vector::from([1.0, 0.0]));
    assert_eq!(system.push(1, 0), Vector::from([1.0, 2.0]));
}

#[test]
fn overrides_reach_into_the_lists() {
    let system = in_plane(SYSTEM, &["particle[2].mass=8.0", "spring[1].stiffness=1e3", "ground.slope=0"]);
    assert_eq!(system.bodies[2].mass, 8.0);
    assert_eq!(system.springs[1].stiffness, 1e3);
}

#[test]
fn one_particle_in_double_brackets_is_a_system_too() {
    let system = in_plane(&MINIMAL.replace("[particle]", "[[particle]]"), &[]);
    assert_eq!(system.bodies.len(), 1);
}

#[test]
fn three_components_make_a_system_over_a_plane() {
    let text = MINIMAL.replace("[particle]", "[[particle]]").replace(", 1.0]", ", 0.0, 1.0]");
    let text = text.replace("[3.0, 0.0]", "[3.0, 0.0, 0.0]");
    match read(&text, &[]) {
        AnyScenario::OverPlane(system) => assert_eq!(system.bodies[0].position[2], 1.0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_system_written_to_a_file_reads_back_as_the_same() {
    let system = in_plane(SYSTEM, &["stepper.convex.gated=false"]);
    assert_eq!(in_plane(&system.to_toml(), &[]), system);
}

#[test]
fn numbers_of_particles_that_do_not_exist_are_refused() {
    for (piece, replacement, key) in [
        ("particles = [0, 1]", "particles = [0, 3]", "rod[0].particles"),
        ("particles = [0, 1]", "particles = [1, 1]", "rod[0].particles"),
        ("particles = [1, 2]", "particles = [5, 2]", "spring[0].particles"),
        ("particle = 1", "particle = 3", "push[1].particle"),
    ] {
        let told = refusal(&with(piece, replacement));
        assert!(told.contains(&format!("`{key}`")) && told.contains("0 to 2"), "{told}");
        assert!(told.contains("counted from 0"), "{told}");
    }
}

#[test]
fn faults_of_particles_rods_springs_and_contacts_name_their_place() {
    for (piece, replacement, words) in [
        ("mass = 2.0", "mass = -2.0", ["`particle[1].mass`", "at least", "-2.0"]),
        ("mass = 2.0", "", ["`particle[1].mass`", "missing", "add `mass"]),
        ("mass = 2.0", "mas = 2.0", ["`particle[1].mas`", "did you mean `mass`", "[[particle]]"]),
        ("position = [3.0, 4.0]", "position = [3.0, 1.0, 4.0]", ["`particle[1]", "components", "has 2"]),
        ("particles = [0, 1]", "particles = 0", ["`rod[0].particles`", "list of 2 whole numbers", "[0, 1]"]),
        ("particles = [0, 1]", "particles = [0, 1.5]", ["`rod[0].particles`", "2 whole numbers", "1.5"]),
        ("particles = [0, 1]", "particles = [0, 1]\nlength = 0.0", ["`rod[0].length`", "greater", "metres"]),
        ("stiffness = 10.0", "", ["`spring[0].stiffness`", "missing", "N/m"]),
        ("stiffness = 10.0", "stiffness = -1", ["`spring[0].stiffness`", "at least 0", "rod"]),
        ("damping = 0.5", "damping = inf", ["`spring[1].damping`", "finite", "inf"]),
        ("distance = 0.1", "distance = -0.1", ["`contact[0].distance`", "greater", "-0.1"]),
        (
            "[[push]]",
            "[[contact]]\nparticles = [2, 0]\ndistance = 0.2\n\n[[push]]",
            ["`contact[1].particles`", "no other contact", "`contact[0]`"],
        ),
        ("[[rod]]", "[rod]", ["`rod`", "list of tables", "[[rod]]"]),
        ("step = 0.01", "step = 1e-7", ["`step`", "3 particles", "1e7 rows"]),
        (
            "position = [3.0, 4.0]",
            "position = [0.0, 0.0]",
            ["`rod[0].particles`", "different places", "length"],
        ),
    ] {
        let told = refusal(&with(piece, replacement));
        for word in words {
            assert!(told.contains(word), "{replacement:?}: {word:?} is missing in\n{told}");
        }
    }
}

#[test]
fn what_joins_particles_has_no_effect_on_a_single_one() {
    let told = refusal(&format!("{MINIMAL}\n[[rod]]\nparticles = [0, 1]\n"));
    assert!(told.contains("`rod` has no effect") && told.contains("[[particle]]"), "{told}");
    let told = refusal(&format!("{MINIMAL}\n[[push]]\nparticle = 0\nforce = [1.0, 0.0]\n"));
    assert!(told.contains("`push[0].particle` has no effect"), "{told}");
}

#[test]
fn a_file_has_room_for_as_many_particles_as_are_allowed_with_all_their_digits() {
    use stickslip::scenario::{AnyScenario, Body, read_scenario_from};
    let text = "name = \"many\"\nduration = 1e-3\nstep = 1e-3\n[[particle]]\nmass = 1.0\n\
                position = [0.0, 0.0, 0.0]\nvelocity = [0.0, 0.0, 0.0]\n[ground]\nfriction = 0.1\n";
    let Ok(AnyScenario::OverPlane(mut many)) = read_scenario_from(text.as_bytes(), "many", &[]) else {
        panic!("a scenario over a plane");
    };
    many.bodies = (0..100_000_u32)
        .map(|index| {
            let third = f64::from(index + 1) / 3.0e3;
            let vector = [-third, third.sqrt(), third / 7.0];
            Body::point(third, vector, vector)
        })
        .collect();
    let written = many.to_toml();
    assert!(written.len() > 15_000_000, "{} bytes", written.len());
    let read = read_scenario_from(written.as_bytes(), "many", &[]).expect("a scenario");
    assert!(read == AnyScenario::OverPlane(many), "the scenario reads back as another one");
}
